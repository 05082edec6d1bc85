"""Parts of a list of games by date, as conditions that an index with dates can use."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Select, literal, tuple_
from sqlalchemy.sql.elements import ColumnElement

from daemon.archive.reading.search.dates import DateRange
from daemon.archive.reading.search.plan import Condition
from daemon.archive.tables.main import games

UNKNOWN_YEAR: Final = "?"
"""After every digit, so that dates without a year would come first in the order of their texts."""

DatePlace = tuple[int, str, int]
"""The place of a game: the part of the list (1: dates without a year), its date, its id."""


@dataclass(frozen=True, slots=True)
class DateStretch:
    """Games that follow each other in a list by date.

    Attributes:
        part: That of their places.
        first: The first date; "": there is none before.
        below: The first date after the last one; None: there is none.
        after: Date and id of the game before them in the list, None: their first one is that of the bounds.
        until: Date and id of the last of them in the list, None: it is that of the bounds.
    """

    part: int
    first: str
    below: str | None
    descending: bool
    after: tuple[str, int] | None = None
    until: tuple[str, int] | None = None

    def conditions(self, date: ColumnElement[str] = games.c.date) -> list[Condition]:
        """What a game must fulfil to be one of them, with one bound on each side and no more.

        SQLite goes by the first one that it finds in a statement.
        """
        place = tuple_(date, games.c.id)
        above, under = (self.until, self.after) if self.descending else (self.after, self.until)
        lower = [date >= self.first] if self.first else []
        upper = [] if self.below is None else [date < self.below]
        if above is not None:
            lower = [place >= _literal(above) if self.descending else place > _literal(above)]
        if under is not None:
            upper = [place < _literal(under) if self.descending else place <= _literal(under)]
        return [*lower, *upper]

    def ordered(self, found: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
        """The games of a query in the order of the list."""
        columns: tuple[ColumnElement[Any], ...] = (games.c.date, games.c.id)
        return found.order_by(*(column.desc() if self.descending else column for column in columns))


def _literal(place: tuple[str, int]) -> Any:
    return tuple_(*map(literal, place))


def stretches(dates: DateRange, *, descending: bool, after: DatePlace | None) -> Sequence[DateStretch]:
    """The parts of the list of these dates, or what is left of them after a place."""
    found = [DateStretch(0, dates.first, dates.below, descending)]
    if dates.below is None:
        found = [DateStretch(0, "", UNKNOWN_YEAR, descending), DateStretch(1, UNKNOWN_YEAR, None, descending)]
    if after is None:
        return found
    part, date, game_id = after
    left = [one for one in found if one.part >= part]
    return [replace(one, after=(date, game_id)) if one.part == part else one for one in left]
