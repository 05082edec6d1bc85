"""What a game must fulfil to be found, and the quickest way to such games.

Two ways lead to a page of games. If few games fulfil a condition, its indexes give them all, to be sorted. If
many do, the games are looked at in the order of the list until the page is full. No database can know which
is better before it has counted, so the choice is made here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Self

from sqlalchemy import (
    CompoundSelect,
    Connection,
    Select,
    and_,
    false,
    func,
    intersect,
    or_,
    select,
    union_all,
)
from sqlalchemy.sql.elements import ColumnElement

from daemon.archive.tables.main import games

Condition = ColumnElement[bool]
Ids = Select[int] | CompoundSelect[int]

FEW: Final = 4000
"""This many games are sorted more quickly than a walk through a million finds a page of games as rare."""

_RARE: Final = 100
"""So few games are looked at at once: no rarer condition is worth looking for."""

_INDEXED: Final = frozenset(
    {
        "white_id",
        "black_id",
        "event_id",
        "site_id",
        "opening_id",
        "derived_opening_id",
        "white_team_id",
        "black_team_id",
    }
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """One condition on `games`.

    Attributes:
        test: Tested on one game after another; written so that no index is used.
        ids: The same as the ids of the games, by indexes, some perhaps twice; None if there is no index for
            it.
        sample: Of *ids*, more than `FEW` if there are more; found without looking at all.
    """

    test: Condition
    ids: Ids | None = None
    sample: Ids | None = None

    @classmethod
    def refers(cls, columns: Sequence[ColumnElement[int]], to: Select[int]) -> Self:
        """Whether one of *columns* refers to one of the rows *to*."""
        # "+ 0" keeps the indexes out.
        test = or_(*((column + 0).in_(to) for column in columns))
        if not {column.key for column in columns} <= _INDEXED:
            return cls(test)
        return cls(test, _referring(columns, to), _referring(columns, to.limit(FEW + 1)))

    @classmethod
    def indexed(cls, test: Condition, by: Condition) -> Self:
        """Whether it fulfils *test*; *by* is the same for an index."""
        ids = select(games.c.id).where(by)
        return cls(test, ids, ids)

    @classmethod
    def among(cls, ids: Select[int]) -> Self:
        """Whether it is one of the games with these ids."""
        return cls((games.c.id + 0).in_(ids), ids, ids)

    @classmethod
    def any(cls, wanted: Sequence["Wanted"]) -> "Wanted":
        """Whether it fulfils one of them. With none of them, no game does."""
        if not wanted:
            return NONE
        test = or_(*(one.test for one in wanted))
        ids = [one.ids for one in wanted if one.ids is not None]
        samples = [one.sample for one in wanted if one.sample is not None]
        if len(ids) < len(wanted):
            return cls(test)
        return cls(test, _together(union_all, ids), _together(union_all, samples))

    @classmethod
    def all(cls, wanted: Sequence[Self]) -> Self:
        """Whether it fulfils all of them. There are ids only if each has some: fewer would find too much."""
        test = and_(*(one.test for one in wanted))
        ids = [one.ids for one in wanted if one.ids is not None]
        samples = [one.sample for one in wanted if one.sample is not None]
        if not wanted or len(ids) < len(wanted):
            return cls(test)
        return cls(test, _together(intersect, ids), samples[0])


_NO_IDS: Final = select(games.c.id).where(false())
NONE: Final = Wanted(false(), _NO_IDS, _NO_IDS)
"""A condition that no game fulfils."""


def quickest(connection: Connection, wanted: Sequence[Wanted]) -> list[Condition]:
    """All conditions, written so that the rarest of them uses its index, if any is rare."""
    counts: dict[int, int] = {}
    for at, one in enumerate(wanted):
        if one.sample is not None:
            counts[at] = _count(connection, one.sample)
            if counts[at] <= _RARE:
                break
    rarest = min(counts, key=counts.__getitem__, default=None)
    if rarest is None or counts[rarest] > FEW:
        return [one.test for one in wanted]
    leader = wanted[rarest]
    others = [one.test for one in wanted if one is not leader]
    assert leader.ids is not None
    return [games.c.id.in_(leader.ids), *others]


def count_ids(connection: Connection, ids: Ids) -> int:
    """How many games there are among *ids*."""
    return connection.scalar(select(func.count(ids.subquery().c[0].distinct()))) or 0


def _count(connection: Connection, sample: Ids) -> int:
    """How many there are, at most `FEW` and one."""
    some = select(sample.subquery().c[0]).limit(FEW + 1)
    return connection.scalar(select(func.count()).select_from(some.subquery())) or 0


def _referring(columns: Sequence[ColumnElement[int]], to: Select[int]) -> CompoundSelect[int]:
    return union_all(*(select(games.c.id).where(column.in_(to)) for column in columns))


def _together(how: Callable[..., CompoundSelect[int]], ids: Sequence[Ids]) -> CompoundSelect[int]:
    # Each in a subquery of its own: SQLite nests no compound selects.
    return how(*(select(one.subquery().c[0]) for one in ids))
