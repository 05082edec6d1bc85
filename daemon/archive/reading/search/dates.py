"""Dates with unknown parts, and whether a game may lie between two of them.

A game's date is stored as ``2024.05.??``. Its unknown parts may be anything, so that it is found wherever it
may lie; only a date without a year lies nowhere.
"""

from sqlalchemy import and_, false, or_

from core.game import PartialDate
from daemon.archive.reading.search.plan import Condition
from daemon.archive.reading.search.words import begins
from daemon.archive.tables.main import games

_AFTER_UNKNOWN = "@"  # the sign after the question mark
_AFTER_YEARS = ":"  # the sign after the digits, before the letters and the question mark


def from_date(date: PartialDate) -> Condition:
    """Whether the game may be of the first day that *date* names, or later."""
    first = f"{date.year:04}.{date.month or 0:02}.{date.day or 0:02}"
    # "?" comes after every digit: an unknown part counts as its last possible value.
    return and_(games.c.date >= first, _has_year())


def to_date(date: PartialDate) -> Condition:
    """Whether the game may be of the last day that *date* names, or earlier."""
    year = f"{date.year:04}"
    last = f"{year}.{date.month or 99:02}.{date.day or 99:02}"
    unknown_day = f"{last[:8]}??"
    return and_(
        games.c.date < f"{year}.{_AFTER_UNKNOWN}",  # so far only, says the index
        or_(games.c.date <= last, games.c.date == unknown_day, begins(games.c.date, f"{year}.??.")),
        _has_year(),
    )


def between(since: PartialDate, until: PartialDate) -> list[Condition]:
    """Whether one and the same day can be on or after the first of *since* and on or before the last of *until*.

    Both ends alone would find the 15th of an unknown month in a range from the 16th to the 20th of a month.
    """
    first = (since.year or 0, since.month or 0, since.day or 0)
    last = (until.year or 0, until.month or 99, until.day or 99)
    if first > last:
        return [false()]
    days = ((year, day) for year in {first[0], last[0]} for day in range(1, 32))
    never = [
        f"{year:04}.??.{day:02}"
        for year, day in days
        if not any(first <= (year, month, day) <= last for month in range(1, 13))
    ]
    return [from_date(since), to_date(until), games.c.date.not_in(never)]


def _has_year() -> Condition:
    return and_(games.c.date < _AFTER_YEARS, games.c.date.like("____.__.__"))
