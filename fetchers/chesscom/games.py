"""chess.com, by its Published Data API: a list of months, and the games of each.

Every month is asked for with the validators that the site gave (sites §2.2), one after the other: the
site allows serial use without limit and refuses parallel use. See sites traps 27 to 53.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Final
from urllib.parse import quote

from core.epoch import milliseconds
from core.game import Unreadable
from core.plurals import count_of
from fetchers.base import AccountProfile, Checkpoint, Cursor, Fetcher, Released, Step, Unread
from fetchers.chesscom.events import ChessComEvents, knock
from fetchers.chesscom.progress import MOST_SHORT, Month, MonthProgress, ReadMonth
from fetchers.chesscom.records import SITE, read_game
from fetchers.errors import BadAnswer, FetchError, Gone, Incomplete, NotFound, Stopped
from fetchers.http.door import Door
from fetchers.http.json_fields import as_record, inner, moment, number, text
from fetchers.http.responses import Answer, Validators
from fetchers.tolerance import Tolerance

CHECKPOINT_EVERY: Final = 100

_MOST_DOUBTS: Final = 3
_MARKED: Final = "closed:fair_play_violations"


class ChessCom:
    """The fetcher for chess.com. See `fetchers.base`: `Fetcher`, `Following`."""

    site = SITE

    def __init__(self, door: Door) -> None:
        self._door = door
        self.events = ChessComEvents(door)

    def games(self, account: str, cursor: Cursor, *, now: datetime, full: bool = False) -> Iterator[Step]:
        """See `fetchers.base.Fetcher`."""
        return _AccountRound(self._door, account, cursor, now).steps(full=full)

    def profile(self, account: str) -> AccountProfile:
        """See `fetchers.base.Fetcher`."""
        record = as_record(self._door.json(_player(account)))
        handle = text(record or {}, "username")
        if record is None or handle is None:
            raise BadAnswer(f"{self._door.host} does not say who {account} is")
        status, permanent_id = text(record, "status") or "", number(record, "player_id")
        joined = number(record, "joined")
        return AccountProfile(
            handle=handle.lower(),
            display=_display(text(record, "url"), handle),
            state="closed" if status.startswith("closed") else "active",
            permanent_id=None if permanent_id is None else str(permanent_id),
            created_at=None if joined is None else moment(joined * 1000),
            marked=status == _MARKED,
        )

    def knock(self) -> None:
        """See `fetchers.base.Fetcher`."""
        knock(self._door)

    def close(self) -> None:
        """See `fetchers.base.Fetcher`."""
        self._door.close()


FETCHER: Final[Callable[[Door], Fetcher]] = ChessCom
"""What `fetchers.registry` builds."""


def _player(account: str) -> str:
    """The account's path, in lower case: the site redirects every other spelling, even of unknown names."""
    return f"player/{quote(account.lower(), safe='')}"


def _display(url: str | None, handle: str) -> str:
    """The display form: `username` is lower case, only the end of `url` shows how the player writes it."""
    shown = (url or "").rstrip("/").rpartition("/")[2]
    return shown if shown.lower() == handle.lower() else handle


class _AccountRound:
    """One round of downloads for one account."""

    def __init__(self, door: Door, account: str, cursor: Cursor, now: datetime) -> None:
        self._door = door
        self._path = f"{_player(account)}/games"
        self._now = now
        self._progress = MonthProgress(cursor)
        self._list_asked = False
        self._doubts: list[str] = []

    def steps(self, *, full: bool) -> Iterator[Step]:
        """The whole round. A month that fails does not hide those after it."""
        new = self._progress.is_new
        listed = self._progress.listed
        if full or self._progress.wants_list(milliseconds(self._now)):
            listed = self._listed(full=full)
        tolerance = Tolerance()
        due = self._progress.due(listed, self._now, full=full)
        asked: set[Month] = set()
        while due:
            month = due.pop(0)
            asked.add(month)
            self._progress.ailing.add(str(month))
            try:
                yield from tolerance.steps(self._month(month, listed=month in listed, full=full))
            except FetchError:
                yield self._checkpoint()
                raise
            yield self._checkpoint()
            if not due:  # by the site's clock another month may have begun
                there = self._now + self._door.ahead(self._now)
                due = [one for one in self._progress.due(listed, there, full=full) if one not in asked]
        tolerance.end()
        self._count(new=new)
        yield replace(self._checkpoint(), doubt="; ".join(self._doubts[:_MOST_DOUBTS]) or None)

    def _listed(self, *, full: bool) -> set[Month]:
        """The months with games, as the site lists them; the list may be a day late."""
        known = self._progress
        known.list_checked = milliseconds(self._now)
        self._list_asked = True
        validators = Validators() if full or known.list_short else known.list_validators
        with self._door.ask(f"{self._path}/archives", validators=validators) as answer:
            if not answer.changed:
                return known.listed
            months = {self._listed_month(link) for link in answer.items("archives")}
            lost = known.lost(months)
            if not lost or (months and known.list_short >= MOST_SHORT):
                known.keep_list(months, answer.validators)
                return known.listed
        known.doubt_list(months)
        if not months:
            self._doubts.append("none of the games that it gave before")
            return set()
        self._doubts.append(f"a list without the month {min(lost)}" + _and_others(len(lost) - 1))
        return known.listed

    def _count(self, *, new: bool) -> None:
        """For an account that seems to have no game, ask how many the site counts."""
        if self._progress.has_games or self._progress.listed:
            self._progress.counted = 0
        elif new:
            self._progress.counted = self._counted()
        if self._progress.counted:
            self._doubts.append(f"none of the {count_of(self._progress.counted, 'game')} that it counts")

    def _counted(self) -> int:
        try:
            record = as_record(self._door.json(self._path.removesuffix("games") + "stats")) or {}
        except (NotFound, Gone, BadAnswer):
            return 0
        records = (inner(record, kind, "record") for kind in record)
        return sum(number(one, name) or 0 for one in records for name in ("win", "loss", "draw"))

    def _listed_month(self, link: object) -> Month:
        month = Month.from_link(link) if isinstance(link, str) else None
        if month is None:
            raise BadAnswer(f"{self._door.host} lists {str(link)[:100]!r}, which is not a month")
        return month

    def _month(self, month: Month, *, listed: bool, full: bool) -> Iterator[Step]:
        known = self._progress.known(month)
        validators = known.validators if known and not full else Validators()
        try:
            with self._door.ask(f"{self._path}/{month}", validators=validators) as answer:
                yield from self._games(month, answer, listed=listed)
        except Gone:
            self._progress.keep(month, ReadMonth(checked=milliseconds(self._now), gone=True))
            self._progress.ailing.discard(str(month))
        except NotFound:
            if listed:
                raise
            if not self._list_asked:  # is there still such an account?
                self._listed(full=full)
            self._progress.ailing.discard(str(month))
            if month < Month.of(self._now):
                self._progress.keep(month, ReadMonth(checked=milliseconds(self._now), games=0))

    def _games(self, month: Month, answer: Answer, *, listed: bool) -> Iterator[Step]:
        if not answer.changed:
            self._progress.unchanged(month, milliseconds(self._now))
            self._progress.ailing.discard(str(month))
            return
        count = 0
        try:
            for count, item in enumerate(answer.items("games"), start=1):
                yield read_game(item)
                if count % CHECKPOINT_EVERY == 0:
                    yield self._checkpoint()
        except (Incomplete, BadAnswer) as error:
            if isinstance(error, Stopped) or not self._progress.breaks_again(month, count):
                raise
            yield from self._hole(month, count)
            return
        # Only here the month is known: its answer has come to its end.
        self._progress.ailing.discard(str(month))
        if self._progress.close_hole(month):
            yield Released(self._address(month))
        self._ended(month, count, answer.validators, listed=listed)

    def _hole(self, month: Month, count: int) -> Iterator[Step]:
        """Note that the answer breaks off at the same game each time.

        A month can only be read from its beginning.
        """
        self._progress.ailing.discard(str(month))
        if self._progress.keep_hole(month, milliseconds(self._now)):
            raw = self._address(month)
            reason = f"the site's answer for {month} breaks off each time after {count_of(count, 'game')}"
            yield Unread(Unreadable(raw=raw, reason=reason), url=raw.decode())

    def _address(self, month: Month) -> bytes:
        return f"{self._door.base_url}/{self._path}/{month}".encode()

    def _ended(self, month: Month, count: int, validators: Validators, *, listed: bool) -> None:
        now, known = milliseconds(self._now), self._progress.known(month)
        if known is not None and known.comes_short(count, listed=listed) and known.short < MOST_SHORT:
            self._progress.keep(month, known.doubted())
            if not self._list_asked:  # is it this month alone?
                self._listed(full=False)
            before = "games" if known.games is None else f"of the {count_of(known.games, 'game')}"
            self._doubts.append(f"{count or 'none'} {before} of {month} that it gave before")
            return
        grown = known is None or count > (known.games or 0)
        once = now >= month.settled_at and grown
        empty = listed and not count
        self._progress.keep(month, ReadMonth(validators, now, empty=empty, games=count, once=once))

    def _checkpoint(self) -> Checkpoint:
        return Checkpoint(self._progress.cursor())


def _and_others(count: int) -> str:
    return "" if not count else " and another one" if count == 1 else f" and {count} others"
