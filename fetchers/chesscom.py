"""chess.com, by its Published Data API: a list of months, and the games of each.

Every month is asked for with the validators that the site gave (CONTRACTS.md §2.2), one after the other: the
site allows serial use without limit and refuses parallel use. See traps 27 to 53.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Final
from urllib.parse import quote

from fetchers.answers import Answer, Validators
from fetchers.base import Checkpoint, Cursor, Profile, Step
from fetchers.chesscom_events import ChessComEvents
from fetchers.chesscom_progress import Known, Month, Progress
from fetchers.chesscom_records import SITE, read_game
from fetchers.errors import BadAnswer, Gone, NotFound
from fetchers.http import Door
from fetchers.records import as_record, milliseconds, moment, number, text
from fetchers.tolerance import Tolerance

CHECKPOINT_EVERY: Final = 100

_MARKED: Final = "closed:fair_play_violations"


class ChessCom:
    """The fetcher for chess.com. See `fetchers.base`: `Fetcher`, `Following`."""

    site = SITE

    def __init__(self, door: Door) -> None:
        self._door = door
        self.events = ChessComEvents(door)

    def games(self, account: str, cursor: Cursor, *, now: datetime, full: bool = False) -> Iterator[Step]:
        """See `fetchers.base.Fetcher`."""
        return _Round(self._door, account, cursor, now).steps(full=full)

    def profile(self, account: str) -> Profile:
        """See `fetchers.base.Fetcher`."""
        record = as_record(self._door.json(_player(account)))
        handle = text(record or {}, "username")
        if record is None or handle is None:
            raise BadAnswer(f"{self._door.host} does not say who {account} is")
        status, permanent_id = text(record, "status") or "", number(record, "player_id")
        joined = number(record, "joined")
        return Profile(
            handle=handle.lower(),
            display=_display(text(record, "url"), handle),
            state="closed" if status.startswith("closed") else "active",
            permanent_id=None if permanent_id is None else str(permanent_id),
            created_at=None if joined is None else moment(joined * 1000),
            marked=status == _MARKED,
        )

    def close(self) -> None:
        """See `fetchers.base.Fetcher`."""
        self._door.close()


def _player(account: str) -> str:
    """The account's path. In lower case: the site redirects every other spelling, even of names that nobody has."""
    return f"player/{quote(account.lower(), safe='')}"


def _display(url: str | None, handle: str) -> str:
    """The display form: `username` is lower case, only the end of `url` shows how the player writes it."""
    shown = (url or "").rstrip("/").rpartition("/")[2]
    return shown if shown.lower() == handle.lower() else handle


class _Round:
    """One round over one account."""

    def __init__(self, door: Door, account: str, cursor: Cursor, now: datetime) -> None:
        self._door = door
        self._path = f"{_player(account)}/games"
        self._now = now
        self._progress = Progress(cursor)
        self._silent = False

    def steps(self, *, full: bool) -> Iterator[Step]:
        """The whole round. One month that fails does not hide those after it."""
        listed = self._listed(full=full)
        tolerance = Tolerance()
        for month in self._progress.due(listed, self._now, full=full):
            yield from tolerance.steps(self._month(month, listed=month in listed, full=full))
            yield self._checkpoint()
        tolerance.end()
        yield replace(self._checkpoint(), silent=self._silent)

    def _listed(self, *, full: bool) -> set[Month]:
        """The months with games, as the site lists them; the list may be a day late."""
        validators = Validators() if full else self._progress.list_validators
        with self._door.ask(f"{self._path}/archives", validators=validators) as answer:
            if answer.changed:
                months = {self._listed_month(link) for link in answer.items("archives")}
                if (
                    self._progress.listed and not months
                ):  # not believed: it is asked for again, unconditionally
                    self._silent = True
                    self._progress.list_validators = Validators()
                    return set()
                self._progress.keep_list(months, answer.validators)
        return self._progress.listed

    def _listed_month(self, link: object) -> Month:
        month = Month.from_link(link) if isinstance(link, str) else None
        if month is None:
            raise BadAnswer(f"{self._door.host} lists {str(link)[:100]!r}, which is no month")
        return month

    def _month(self, month: Month, *, listed: bool, full: bool) -> Iterator[Step]:
        known = self._progress.known(month)
        validators = known.validators if known and not full else Validators()
        try:
            with self._door.ask(f"{self._path}/{month}", validators=validators) as answer:
                yield from self._games(month, answer, listed=listed)
        except Gone:
            self._progress.keep(month, Known(checked=milliseconds(self._now), gone=True))
        except NotFound:
            if listed:
                raise

    def _games(self, month: Month, answer: Answer, *, listed: bool) -> Iterator[Step]:
        if not answer.changed:
            self._progress.unchanged(month, milliseconds(self._now))
            return
        count = 0
        for count, item in enumerate(answer.items("games"), start=1):
            yield read_game(item)
            if count % CHECKPOINT_EVERY == 0:
                yield self._checkpoint()
        # Only here the month is known: its answer has come to its end.
        empty = listed and not count
        known = self._progress.known(month)
        self._silent |= empty and known is not None and not known.empty
        self._progress.keep(month, Known(answer.validators, milliseconds(self._now), empty=empty))

    def _checkpoint(self) -> Checkpoint:
        return Checkpoint(self._progress.cursor())
