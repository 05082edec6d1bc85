"""Dates with unknown parts, and whether a game may lie between two of them.

A game's date is stored as ``2024.05.??``. Its unknown parts may be anything, so that it is found wherever it may
lie; only a date without a year lies nowhere.
"""

from sqlalchemy import and_, or_

from core.game import PartialDate
from daemon.archive.reading.wanted import Condition
from daemon.archive.reading.words import begins
from daemon.archive.tables import games

_BEHIND_YEARS = ":"  # the sign behind the digits, before the letters and the question mark


def read_date(text: str) -> PartialDate:
    """A date that was asked for: ``2024``, ``2024-05`` or ``2024-05-12``, also with dots.

    Raises:
        ValueError: it is none.
    """
    date = PartialDate.parse(text)
    if date.text is not None or date.year is None or (date.month is None and date.day is not None):
        raise ValueError(f"{text!r} is no date: write 2024-05-12, 2024-05 or 2024")
    return date


def from_date(date: PartialDate) -> Condition:
    """May the game lie on or behind the first day that *date* names?"""
    first = f"{date.year:04}.{date.month or 0:02}.{date.day or 0:02}"
    # "?" is behind every digit: an unknown part counts as its last possible value.
    return and_(games.c.date >= first, _has_year())


def to_date(date: PartialDate) -> Condition:
    """May the game lie on or before the last day that *date* names?"""
    year = f"{date.year:04}"
    last = f"{year}.{date.month or 99:02}.{date.day or 99:02}"
    unknown_day = f"{last[:8]}??"
    return and_(
        or_(games.c.date <= last, games.c.date == unknown_day, begins(games.c.date, f"{year}.??.")),
        _has_year(),
    )


def _has_year() -> Condition:
    return and_(games.c.date < _BEHIND_YEARS, games.c.date.like("____.__.__"))
