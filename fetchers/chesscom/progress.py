"""The known months of a chess.com account, and those to ask for in a round."""

import calendar
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final, Self

from core.epoch import milliseconds
from fetchers.base import Cursor
from fetchers.http.json_fields import JsonRecord, flag, inner, number, text
from fetchers.http.responses import Validators

LAG: Final = timedelta(days=3)
"""A month is settled if it was read this long after its end: the site's answers are up to a day old."""

RECHECK_AFTER: Final = timedelta(days=30)
"""A settled month may still change (accuracies come later); this is how often it is checked."""

RECHECK_EMPTY_AFTER: Final = timedelta(days=1)
"""The same for a listed month that came without games, which contradicts the list."""

RECHECK_FIRST_AFTER: Final = timedelta(days=1)
"""The same for a settled month that was read only once, and may have been incomplete."""

MOST_SHORT: Final = 10
"""A month with fewer games than before is believed after this many complete answers in a row."""

LIST_EVERY: Final = timedelta(days=1)
"""How often the list of months is asked for: new games appear sooner in the current month itself."""

MOST_RECHECKS: Final = 3
"""The most settled months to ask for in one round."""

_MONTH: Final = re.compile(r"/games/(\d{4})/(0[1-9]|1[0-2])/?")


@dataclass(frozen=True, slots=True, order=True)
class Month:
    """A month in UTC; the site files games by their end."""

    year: int
    month: int

    @classmethod
    def of(cls, at: datetime) -> Self:
        utc = at.astimezone(UTC)
        return cls(utc.year, utc.month)

    @classmethod
    def from_link(cls, link: str) -> Self | None:
        """The month in an address from the list of archives."""
        match = _MONTH.search(link)
        return cls(int(match[1]), int(match[2])) if match else None

    @classmethod
    def from_name(cls, name: str) -> Self | None:
        """The month that `str` has written: ``2026/09``."""
        return cls.from_link(f"/games/{name}")

    def __str__(self) -> str:
        return f"{self.year:04}/{self.month:02}"

    @property
    def previous(self) -> "Month":
        return Month(self.year - 1, 12) if self.month == 1 else Month(self.year, self.month - 1)

    @property
    def settled_at(self) -> int:
        """When (ms) its answer is no longer missing games."""
        days = calendar.monthrange(self.year, self.month)[1]
        return milliseconds(datetime(self.year, self.month, 1, tzinfo=UTC) + timedelta(days=days) + LAG)


@dataclass(frozen=True, slots=True)
class ReadMonth:
    """What is known of a month whose answer was read to its end.

    Attributes:
        validators: Of that answer, byte for byte.
        checked: When (ms) the site last said how the month is.
        empty: It came without games although it was listed.
        gone: The site said 410; it is never asked for again.
        games: How many games it had; None if that was not noted.
        short: How many complete answers in a row had fewer.
        once: It was settled when it was first read, and has not been looked at again.
    """

    validators: Validators = Validators()  # noqa: RUF009 - frozen
    checked: int = 0
    empty: bool = False
    gone: bool = False
    games: int | None = None
    short: int = 0
    once: bool = False

    @classmethod
    def read(cls, record: JsonRecord) -> Self:
        validators = Validators(etag=text(record, "etag"), last_modified=text(record, "last_modified"))
        return cls(
            validators,
            number(record, "checked") or 0,
            flag(record, "empty"),
            flag(record, "gone"),
            number(record, "games"),
            number(record, "short") or 0,
            flag(record, "once"),
        )

    def as_dict(self) -> dict[str, object]:
        pairs: dict[str, object] = {
            "etag": self.validators.etag,
            "last_modified": self.validators.last_modified,
            "checked": self.checked,
            "empty": self.empty,
            "gone": self.gone,
            "games": self.games,
            "short": self.short,
            "once": self.once,
        }
        # A month without games is known to have none; of an older cursor nobody knows.
        return {name: value for name, value in pairs.items() if value or (name == "games" and value == 0)}

    def comes_short(self, games: int, *, listed: bool) -> bool:
        """Whether a complete answer with so many games has fewer than there must be."""
        if self.games is not None:
            return games < self.games
        return listed and not games and not self.empty and not self.gone

    def doubted(self) -> "ReadMonth":
        """The same, to be asked for again, and in full: an incomplete answer is not believed at once."""
        return replace(self, validators=Validators(), checked=0, short=self.short + 1)


class MonthProgress:
    """The months that are known, updated by each answer.

    Attributes:
        listed: The months that the site lists.
        list_validators: Of that list, byte for byte.
        list_checked: When (ms) it was last asked for.
        list_short: How many complete answers in a row had fewer months.
        counted: How many games the site counted when it listed no month for the first time.
        ailing: The months that failed in the round before.
        broke: For months whose answer broke off, after how many games.
        holes: Those of them whose answer does so each time.
    """

    def __init__(self, cursor: Cursor) -> None:
        months = inner(cursor, "months")
        self._known = {str(name): ReadMonth.read(inner(months, name)) for name in months}
        archives = inner(cursor, "list")
        names = archives.get("months")
        self.listed = {
            month
            for name in (names if isinstance(names, list) else [])
            if (month := Month.from_name(str(name)))
        }
        # Without the list itself its validators would only keep us from getting it.
        found = Validators(etag=text(archives, "etag"), last_modified=text(archives, "last_modified"))
        self.list_validators = found if self.listed else Validators()
        self.list_short = number(archives, "short") or 0
        self.list_checked = number(archives, "checked")
        self.counted = number(cursor, "counted") or 0
        ailing = cursor.get("ailing")
        self.ailing = {str(name) for name in ailing} if isinstance(ailing, list) else set()
        broke, holes = inner(cursor, "broke"), cursor.get("holes")
        self.broke = {str(name): number(broke, name) or 0 for name in broke}
        self.holes = {str(name) for name in holes} if isinstance(holes, list) else set()

    def cursor(self) -> Cursor:
        found: dict[str, object] = {
            "months": {name: known.as_dict() for name, known in sorted(self._known.items())}
        }
        found |= {"counted": self.counted} if self.counted else {}
        found |= {"ailing": sorted(self.ailing)} if self.ailing else {}
        found |= {"broke": dict(sorted(self.broke.items()))} if self.broke else {}
        found |= {"holes": sorted(self.holes)} if self.holes else {}
        return found | (
            {"list": self._list_as_dict()} if self.listed or self.list_checked is not None else {}
        )

    def wants_list(self, now: int) -> bool:
        """Whether it is time to ask for the list of months."""
        at = self.list_checked
        if at is None or self.list_short or self.counted:
            return True
        return not at <= now < at + LIST_EVERY // timedelta(milliseconds=1)

    def keep_list(self, months: set[Month], validators: Validators) -> None:
        """Note that the site has listed these months."""
        self.listed, self.list_validators, self.list_short = months, validators, 0

    def lost(self, months: set[Month]) -> set[Month]:
        """The months with games that the site listed before, and no longer lists."""
        return {
            month
            for month in self.listed - months
            if not ((known := self.known(month)) and (known.gone or known.empty))
        }

    def doubt_list(self, months: set[Month]) -> None:
        """Note a list with fewer months than before.

        The known ones stay, and the list is asked for again in full.
        """
        self.listed, self.list_validators = self.listed | months, Validators()
        self.list_short += 1

    def breaks_again(self, month: Month, games: int) -> bool:
        """Note that the answer of this month broke off after so many games.

        Whether it did so there before.
        """
        again = self.broke.get(str(month)) == games
        self.broke[str(month)] = games
        return again

    def keep_hole(self, month: Month, now: int) -> bool:
        """Note that what follows cannot be downloaded: it is tried again after a day.

        Returns whether it is new.
        """
        known = self.known(month)
        self.keep(month, ReadMonth(checked=now, games=None if known is None else known.games, once=True))
        new = str(month) not in self.holes
        self.holes.add(str(month))
        return new

    def close_hole(self, month: Month) -> bool:
        """Note that the month's answer is complete. Returns whether it had a hole."""
        self.broke.pop(str(month), None)
        had_one = str(month) in self.holes
        self.holes.discard(str(month))
        return had_one

    @property
    def has_games(self) -> bool:
        """Whether any known month has had a game."""
        return any(known.games is None or known.games for known in self._known.values() if not known.empty)

    @property
    def is_new(self) -> bool:
        """Whether the account was never asked for."""
        return not self._known and not self.listed

    def _list_as_dict(self) -> dict[str, object]:
        pairs = {"etag": self.list_validators.etag, "last_modified": self.list_validators.last_modified}
        found: dict[str, object] = {name: value for name, value in pairs.items() if value}
        found |= {"short": self.list_short} if self.list_short else {}
        found |= {} if self.list_checked is None else {"checked": self.list_checked}
        return found | {"months": [str(month) for month in sorted(self.listed)]}

    def known(self, month: Month) -> ReadMonth | None:
        return self._known.get(str(month))

    def keep(self, month: Month, known: ReadMonth) -> None:
        self._known[str(month)] = known

    def unchanged(self, month: Month, now: int) -> None:
        """Note that the month is unchanged. While it stays so, that is not worth a new cursor."""
        known = self._known[str(month)]
        if now >= month.settled_at or known.short or known.once:
            self.keep(month, replace(known, checked=now, short=0, once=False))

    def due(self, listed: set[Month], now: datetime, *, full: bool) -> list[Month]:
        """The months to ask for, oldest first; those that failed in the round before come last."""
        current = Month.of(now)
        recent = {current} if self._settled(current.previous) else {current, current.previous}
        open_months = {
            month for month in listed | recent if not ((known := self.known(month)) and known.gone)
        }
        if full:
            return self._in_order(open_months)
        urgent = {month for month in open_months if month in recent or not self._settled(month)}
        return self._in_order(urgent | self._rechecks(open_months - urgent, milliseconds(now)))

    def _in_order(self, months: set[Month]) -> list[Month]:
        return sorted(months, key=lambda month: (str(month) in self.ailing, month))

    def _settled(self, month: Month) -> bool:
        known = self.known(month)
        return known is not None and known.checked >= month.settled_at

    def _rechecks(self, months: set[Month], now: int) -> set[Month]:
        """The settled months that were not asked for longest, as many as one round may ask for."""
        by_age = sorted(
            (known.checked, month) for month in months if (known := self.known(month)) is not None
        )
        overdue = [month for _, month in by_age if self._overdue(month, now)]
        return set(overdue[:MOST_RECHECKS])

    def _overdue(self, month: Month, now: int) -> bool:
        known = self.known(month)
        if known is None:
            return False
        after = RECHECK_EMPTY_AFTER if known.empty else RECHECK_FIRST_AFTER if known.once else RECHECK_AFTER
        return now - known.checked >= after // timedelta(milliseconds=1)
