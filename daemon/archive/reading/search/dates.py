"""Dates with unknown parts, and whether a game may lie between two of them.

A game's date is stored as ``2024.05.??``. Its unknown parts may be anything, so that it is found wherever it
may lie; only a date without a year lies nowhere.
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import false, or_

from core.game import PartialDate
from daemon.archive.reading.search.plan import Condition
from daemon.archive.reading.search.words import begins
from daemon.archive.tables.main import games

_Day = tuple[int, int, int]
_FIRST: Final = (0, 0, 0)
_LAST: Final = (9999, 99, 99)

_AFTER_UNKNOWN = "@"  # the sign after the question mark
_AFTER_YEARS = ":"  # the sign after the digits, before the letters and the question mark


@dataclass(frozen=True, slots=True)
class DateRange:
    """The dates between two texts, of which *below* is the first one after them, that pass some tests.

    There is one bound on each side and no more: SQLite goes by the first one that it finds in a statement.
    """

    first: str = ""
    below: str | None = None
    tests: tuple[Condition, ...] = ()

    @property
    def bounds(self) -> list[Condition]:
        """What says that a game's date is between them."""
        return [] if self.below is None else [games.c.date >= self.first, games.c.date < self.below]

    @property
    def conditions(self) -> list[Condition]:
        """What a game's date must fulfil."""
        return [*self.bounds, *self.tests]


def from_date(date: PartialDate) -> DateRange:
    """The dates of which one day may be the first that *date* names, or later."""
    first = f"{date.year:04}.{date.month or 0:02}.{date.day or 0:02}"
    # "?" comes after every digit: an unknown part counts as its last possible value.
    return DateRange(first, _AFTER_YEARS, (_WITH_YEAR, _possible(_first_day(date), _LAST)))


def to_date(date: PartialDate) -> DateRange:
    """The dates of which one day may be the last that *date* names, or earlier."""
    return DateRange("", _after(date), (*_until(date), _possible(_FIRST, _last_day(date))))


def between(since: PartialDate, until: PartialDate) -> DateRange:
    """The dates of which one and the same day can be on or after *since* and on or before *until*.

    Both ends alone would find the 15th of an unknown month in a range from the 16th to the 20th of a month.
    """
    first, last = _first_day(since), _last_day(until)
    if first > last:
        return DateRange("", "", (false(),))
    return DateRange(from_date(since).first, _after(until), (*_until(until), _possible(first, last)))


def _after(date: PartialDate) -> str:
    return f"{date.year:04}.{_AFTER_UNKNOWN}"


def _until(date: PartialDate) -> tuple[Condition, Condition]:
    year = f"{date.year:04}"
    last = f"{year}.{date.month or 99:02}.{date.day or 99:02}"
    unknown_day = f"{last[:8]}??"
    may_be = or_(games.c.date <= last, games.c.date == unknown_day, begins(games.c.date, f"{year}.??."))
    return may_be, _WITH_YEAR


def _first_day(date: PartialDate) -> _Day:
    return date.year or 0, date.month or 0, date.day or 0


def _last_day(date: PartialDate) -> _Day:
    return date.year or 0, date.month or 99, date.day or 99


def _possible(first: _Day, last: _Day) -> Condition:
    """Whether some month has the day between these two, where the month is unknown."""
    days = ((year, day) for year in {first[0], last[0]} for day in range(1, 32))
    never = [
        f"{year:04}.??.{day:02}"
        for year, day in days
        if not any(first <= (year, month, day) <= last for month in range(1, 13))
    ]
    return games.c.date.not_in(never)


_WITH_YEAR: Final = games.c.date.like("____.__.__")
