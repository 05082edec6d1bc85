"""lichess.org, and any other server that runs lila.

The site sorts and cuts by the *start* of a game, while a correspondence game becomes final months later. So the
cursor keeps, beside the newest start that was seen, the games that were still running; each round asks again from
there. See CONTRACTS.md §1 for the site's rules, and traps 1 to 26.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from fetchers.base import Checkpoint, Cursor, Glance, Profile, Step
from fetchers.errors import BadAnswer, FetchError, NotFound
from fetchers.http import Door
from fetchers.lichess_events import LichessEvents
from fetchers.lichess_glance import glance
from fetchers.lichess_manners import CHECKPOINT_EVERY, GAME_PARAMETERS, patient, segment
from fetchers.lichess_progress import Progress, Seen, Stretch, bound
from fetchers.lichess_records import SITE, whole_line
from fetchers.records import as_record, flag, inner, milliseconds, moment, number, text
from fetchers.refusals import BlockedByPageError

_PARAMETERS: Final = {"sort": "dateAsc", "ongoing": "true", **GAME_PARAMETERS}
"""Never `rated`, `perfType`, `color` or `analysed`: they change the meaning of the dates and lose games (trap 4)."""


class Lichess:
    """The fetcher for lichess. See `fetchers.base`: `Fetcher`, `Following`, `Glancing`."""

    site = SITE

    def __init__(self, door: Door) -> None:
        self._door = door
        self.events = LichessEvents(door)

    def games(self, account: str, cursor: Cursor, *, now: datetime, full: bool = False) -> Iterator[Step]:
        """See `fetchers.base.Fetcher`."""
        with patient():
            try:
                yield from _Round(self._door, account, cursor, now).steps(full=full)
            except BlockedByPageError:
                if _profile(self._door, account).state == "active":  # raises NotFound for an unknown account
                    raise
                raise NotFound(
                    f"{self._door.host} gives no games of {account}: the account is closed"
                ) from None

    def profile(self, account: str) -> Profile:
        """See `fetchers.base.Fetcher`."""
        with patient():
            return _profile(self._door, account)

    def glance(self, handles: Iterable[str]) -> Mapping[str, Glance]:
        """See `fetchers.base.Glancing`."""
        with patient():
            return glance(self._door, handles)

    def waits(self, cursor: Cursor) -> bool:
        """See `fetchers.base.Glancing`."""
        return bool(Progress.read(cursor).running)

    def close(self) -> None:
        """See `fetchers.base.Fetcher`."""
        self._door.close()


def _profile(door: Door, account: str) -> Profile:
    record = as_record(door.json(f"api/user/{segment(account.lower())}"))
    key = text(record or {}, "id")
    if record is None or key is None:
        raise BadAnswer(f"{door.host} does not say who {account} is")
    # A deleted account is renamed to a ghost.
    closed = flag(record, "disabled") or key == "ghost" or key.startswith("!")
    return Profile(
        handle=account if closed else key.lower(),
        display=text(record, "username") or account,
        state="closed" if closed else "active",
        games=number(inner(record, "count"), "all"),
        created_at=moment(number(record, "createdAt")),
        marked=flag(record, "tosViolation"),
    )


@dataclass(slots=True)
class _Page:
    """What one answer brought, as far as it has been read.

    Attributes:
        fresh: records that the round had not seen.
        first, last: starts (ms) of the first and of the last record.
        oldest, newest: the smallest and the greatest start.
        ordered: oldest first so far.
    """

    fresh: int = 0
    first: int | None = None
    last: int | None = None
    oldest: int | None = None
    newest: int | None = None
    ordered: bool = True

    def take(self, start: int) -> None:
        self.ordered = self.ordered and (self.last is None or start >= self.last)
        self.first = start if self.first is None else self.first
        self.last = start
        self.oldest = start if self.oldest is None else min(self.oldest, start)
        self.newest = start if self.newest is None else max(self.newest, start)

    def rest(self, stretch: Stretch) -> Stretch | None:
        """What must still be asked for in case the site has capped this answer; None when it brought nothing new."""
        if not self.fresh or self.first is None or self.last is None:
            return None
        if self.last < self.first and self.oldest is not None:  # newest first: the site ignores `sort`
            return replace(stretch, until=self.oldest + 1)
        return replace(stretch, since=bound(self.newest or self.last))


class _Round:
    """One round over one account."""

    def __init__(self, door: Door, account: str, cursor: Cursor, now: datetime) -> None:
        self._door = door
        self._path = f"api/games/user/{segment(account.lower())}"
        self._now = milliseconds(now)
        self._progress = Progress.read(cursor)
        self._seen = Seen(self._progress.running)
        self._uncovered = 0

    def steps(self, *, full: bool) -> Iterator[Step]:
        """The whole round."""
        for stretch in [Stretch(None, None)] if full else self._progress.stretches():
            yield from self._stretch(stretch)
        self._progress.miss(self._seen.waited_for)
        yield replace(self._checkpoint(), silent=self._progress.is_silence(told=len(self._seen) > 0))

    def _stretch(self, stretch: Stretch) -> Iterator[Step]:
        """One stretch, asked for until the site has nothing new: a cap must never look like the end."""
        newest = None
        rest: Stretch | None = stretch
        while rest is not None:
            page = _Page()
            try:
                yield from self._page(rest, page)
            except FetchError:
                if self._uncovered:
                    yield self._checkpoint()
                raise
            newest = max(filter(None, (newest, page.newest)), default=None)
            rest = (
                None
                if stretch.waited_for and stretch.waited_for <= self._seen.waited_for
                else page.rest(rest)
            )
        if newest is not None and stretch.until is None:
            self._progress.reach(newest, self._now)

    def _page(self, stretch: Stretch, page: _Page) -> Iterator[Step]:
        with self._door.stream(self._path, params=_parameters(stretch)) as answer:
            for raw in answer.lines():
                line = whole_line(raw, self._door.base_url)
                if line is None:
                    continue
                if line.created_at is not None:
                    self._advance(page, line.created_at, open_end=stretch.until is None)
                if line.key in self._seen:
                    continue
                self._seen.add(line, oldest_first=page.ordered)
                page.fresh += stretch.asks_for(line)
                self._progress.take(line)
                yield line.step
                self._uncovered += 1
                if self._uncovered >= CHECKPOINT_EVERY:
                    yield self._checkpoint()

    def _advance(self, page: _Page, start: int, *, open_end: bool) -> None:
        """While the games come oldest first, all before the last one are told. One behind: it may be the first."""
        before = page.last
        page.take(start)
        if open_end and page.ordered and before is not None:
            self._progress.reach(before, self._now)

    def _checkpoint(self) -> Checkpoint:
        self._uncovered = 0
        return Checkpoint(self._progress.cursor())


def _parameters(stretch: Stretch) -> dict[str, str]:
    bounds = {"since": stretch.since, "until": stretch.until}
    return _PARAMETERS | {name: str(value) for name, value in bounds.items() if value is not None}
