"""One round over a lichess account: page after page of its export, around what cannot be downloaded.

See `fetchers.lichess.progress` for where it begins, `fetchers.lichess.holes` for what always breaks.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from core.epoch import milliseconds
from core.game import Unreadable
from fetchers.base import Checkpoint, Cursor, Released, Step, Unread
from fetchers.errors import BadAnswer, FetchError, Incomplete, Stopped
from fetchers.http.door import Door
from fetchers.lichess.common import CHECKPOINT_EVERY, GAME_PARAMETERS, segment
from fetchers.lichess.holes import MOST_HOLES, MOST_PROBES, NARROW_MS, Hole, changes
from fetchers.lichess.progress import EARLIEST_MS, Seen, StreamProgress, Stretch, bound
from fetchers.lichess.records import whole_line

_PARAMETERS: Final = {"sort": "dateAsc", "ongoing": "true", **GAME_PARAMETERS}
"""Never `rated`, `perfType`, `color` or `analysed`.

They change the meaning of the dates and lose games (sites trap 4).
"""

CAPPED_FROM: Final = 1000
"""An answer with so many games may have been capped; no known server that runs lila caps earlier."""


@dataclass(slots=True)
class _AnswerPage:
    """What one answer brought, as far as it has been read.

    Attributes:
        records: how many.
        fresh: those that the round had not seen.
        first, last: starts (ms) of the first and of the last record.
        oldest, newest: the smallest and the greatest start.
        ordered: oldest first so far.
        begun: the site has begun to answer.
    """

    records: int = 0
    fresh: int = 0
    first: int | None = None
    last: int | None = None
    oldest: int | None = None
    newest: int | None = None
    ordered: bool = True
    begun: bool = False

    def take(self, start: int) -> None:
        self.ordered = self.ordered and (self.last is None or start >= self.last)
        self.first = start if self.first is None else self.first
        self.last = start
        self.oldest = start if self.oldest is None else min(self.oldest, start)
        self.newest = start if self.newest is None else max(self.newest, start)

    def rest(self, stretch: Stretch) -> Stretch | None:
        """What must still be asked for in case the site has capped this answer; None if it cannot have."""
        if self.records < CAPPED_FROM or not self.fresh or self.first is None or self.last is None:
            return None
        if self.last < self.first and self.oldest is not None:  # newest first: the site ignores `sort`
            return replace(stretch, until=self.oldest + 1)
        return replace(stretch, since=bound(self.newest or self.last))


class LichessRound:
    """One round over one account."""

    def __init__(self, door: Door, account: str, cursor: Cursor, now: datetime) -> None:
        self._door = door
        self._path = f"api/games/user/{segment(account.lower())}"
        self._now = milliseconds(now)
        self._progress = StreamProgress.read(cursor)
        self._seen = Seen(self._progress.running)
        self._began: datetime | None = None
        self._uncovered = 0
        self._probes = 0
        self._named = list(self._progress.holes)

    def steps(self, *, full: bool) -> Iterator[Step]:
        """The whole round."""
        try:
            for stretch in self._progress.stretches(full=full):
                yield from self._stretch(stretch)
                self._progress.passed(stretch)
            yield from self._narrow(full=full)
        except FetchError:
            yield from self._name()
            yield self._checkpoint()
            raise
        yield from self._name()
        doubt = self._progress.doubt(others=len(self._seen) > 0)
        if doubt is None:
            self._progress.miss(self._seen.waited_for)
            self._progress.asked = None if self._began is None else milliseconds(self._began)
        yield replace(self._checkpoint(), doubt=doubt)

    def _stretch(self, stretch: Stretch) -> Iterator[Step]:
        """One stretch, asked for until the site has nothing new: a cap must never look like the end."""
        newest = None
        rest: Stretch | None = stretch
        while rest is not None:
            page = _AnswerPage()
            error = yield from self._attempt(rest, page)
            newest = _latest(newest, page.newest)
            if error is not None:
                newest = _latest(newest, (yield from self._from_the_end(rest, page, error)))
                break
            come = stretch.waited_for and stretch.waited_for <= self._seen.waited_for
            rest = None if come else page.rest(rest)
        if newest is not None and stretch.until is None:
            self._progress.reach(newest, self._now)

    def _attempt(
        self, stretch: Stretch, page: _AnswerPage, *, newest_first: bool = False
    ) -> Generator[Step, None, FetchError | None]:
        """One answer. Returns why it broke off in its middle, None if it is complete.

        Raises:
            FetchError: it has not begun, or we gave it up.
        """
        try:
            yield from self._page(stretch, page, newest_first=newest_first)
        except FetchError as error:
            if isinstance(error, Incomplete | BadAnswer) and page.begun and not isinstance(error, Stopped):
                return error
            raise
        return None

    def _from_the_end(
        self, stretch: Stretch, page: _AnswerPage, error: FetchError
    ) -> Generator[Step, None, int | None]:
        """The games after the place where answers break off. Returns their newest start.

        Raises:
            FetchError: the first time at this place it may be chance; and there is no way around if nothing
                comes from the end.
        """
        place = page.last if page.last is not None else stretch.since or 0
        again = self._progress.breaks_again(place)
        if not again or not page.ordered or len(self._progress.holes) >= MOST_HOLES:
            raise error
        newest = oldest = None
        rest: Stretch | None = Stretch(bound(place), stretch.until)
        while rest is not None:
            back = _AnswerPage()
            broken = yield from self._attempt(rest, back, newest_first=True)
            newest, oldest = _latest(newest, back.newest), _earliest(oldest, back.oldest)
            if broken is not None:
                end = oldest or stretch.until
                if end is None:
                    raise error
                since = max(place, EARLIEST_MS)
                self._progress.holes.append(Hole(since, max(end, since + 1), self._now))
                break
            rest = back.rest(rest)
        if page.first == page.last == newest:  # of one game nobody can say in which order it came
            raise error
        return newest

    def _narrow(self, *, full: bool) -> Iterator[Step]:
        """Make the holes smaller that are new, or worth another look."""
        pending = [
            hole
            for hole in self._progress.holes
            if full or hole.checked == self._now or hole.is_due(self._now)
        ]
        done = [hole for hole in self._progress.holes if hole not in pending]
        while pending:
            self._progress.holes = [*done, *pending]
            hole = pending.pop(0)
            fresh = hole.checked == self._now
            parts = hole.halves() if hole.until - hole.since > NARROW_MS else () if fresh else (hole,)
            if not parts or self._probes >= MOST_PROBES:
                done.append(replace(hole, checked=self._now, tries=hole.tries + 1))
                continue
            for part in parts:
                pending += yield from self._probe(part)
        self._progress.holes = sorted(done)

    def _probe(self, part: Hole) -> Generator[Step, None, list[Hole]]:
        """Ask for the games in a part of a hole, from both ends. Returns what remains of it."""
        before = len(self._seen)
        page = yield from self._pages(Stretch(bound(part.since), part.until))
        if page is None:
            return []
        # Of one game nobody can say in which order it came.
        since = page.last if page.ordered and page.first != page.last else None
        since = part.since if since is None else max(since, part.since)
        back = yield from self._pages(Stretch(bound(since), part.until), newest_first=True)
        if back is None:
            return []
        until = part.until if back.oldest is None else back.oldest
        tries = part.tries if len(self._seen) == before else 0  # what gets on is asked again soon
        return [Hole(since, max(until, since + 1), self._now, tries)]

    def _pages(
        self, stretch: Stretch, *, newest_first: bool = False
    ) -> Generator[Step, None, _AnswerPage | None]:
        """A whole stretch of a hole. Returns the page that broke off, None if none did."""
        rest: Stretch | None = stretch
        oldest = None
        while rest is not None:
            self._probes += 1
            page = _AnswerPage()
            broken = yield from self._attempt(rest, page, newest_first=newest_first)
            oldest = _earliest(oldest, page.oldest)
            if broken is not None:
                page.oldest = oldest
                return page
            rest = page.rest(rest)
        return None

    def _name(self) -> Iterator[Step]:
        """Report the holes that are new."""
        fresh, gone = changes(self._named, self._progress.holes)
        self._named = list(self._progress.holes)
        address = f"{self._door.base_url}/{self._path}"
        for hole in gone:
            yield Released(hole.name(address))
        for hole in fresh:
            raw = hole.name(address)
            yield Unread(Unreadable(raw=raw, reason=hole.reason()), url=raw.decode())

    def _page(self, stretch: Stretch, page: _AnswerPage, *, newest_first: bool) -> Iterator[Step]:
        with self._door.stream(self._path, params=_parameters(stretch, newest_first=newest_first)) as answer:
            page.begun = True
            self._began = self._began or self._door.answered_at
            for line in answer.lines():
                record = whole_line(line)
                if record is None:
                    continue
                page.records += 1
                if record.created_at is not None:
                    open_end = stretch.until is None and not newest_first
                    self._advance(page, record.created_at, open_end=open_end)
                if record.key in self._seen:
                    continue
                self._seen.add(record, oldest_first=page.ordered and not newest_first)
                page.fresh += stretch.asks_for(record)
                step = record.step(self._door.base_url)
                self._progress.take(record, step)
                yield step
                self._uncovered += 1
                if self._uncovered >= CHECKPOINT_EVERY:
                    yield self._checkpoint()

    def _advance(self, page: _AnswerPage, start: int, *, open_end: bool) -> None:
        """While the games come oldest first, all before the last one have come.

        It may be the first of several.
        """
        before = page.last
        page.take(start)
        if open_end and page.ordered and before is not None:
            self._progress.reach(before, self._now)

    def _checkpoint(self) -> Checkpoint:
        self._uncovered = 0
        return Checkpoint(self._progress.cursor())


def _latest(one: int | None, other: int | None) -> int | None:
    return max(filter(None, (one, other)), default=None)


def _earliest(one: int | None, other: int | None) -> int | None:
    return min(filter(None, (one, other)), default=None)


def _parameters(stretch: Stretch, *, newest_first: bool) -> dict[str, str]:
    bounds = {"since": stretch.since, "until": stretch.until}
    parameters = {name: str(value) for name, value in bounds.items() if value is not None}
    return _PARAMETERS | parameters | ({"sort": "dateDesc"} if newest_first else {})
