"""What a game must fulfil to be found, and the quickest way to such games.

Two ways lead to a page of games. If few games fulfil a condition, its indexes give them all, to be sorted. If
many do, the games are looked at in the order of the list until the page is full. No database can know which
is better before it has counted, so the choice is made here. In a list by date there is a third way,
`by_date`: some indexes have the date, too.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

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

from daemon.archive.tables.main import LISTED, games

Condition = ColumnElement[bool]
Ids = Select[int] | CompoundSelect[int]
IsOne = Callable[[ColumnElement[int]], Condition]
"""Says whether a column refers to one of some rows, with no look at the others of them."""

FEW: Final = 4000
"""This many games are sorted more quickly than a walk through a million finds a page of games as rare."""

RARE: Final = 100
"""So few games are looked at at once: no rarer condition is worth looking for."""

DATED: Final = frozenset({"white_id", "black_id"})
_INDEXED: Final = frozenset(name for name in LISTED if name.endswith("_id"))


@dataclass(frozen=True, slots=True)
class DatedIndex:
    """An index that has games by a value, and those with one value by date and id.

    Attributes:
        column: What it begins with.
        values: Those that are asked for, or a query for them.
        also: What else a game must fulfil, so that the index can be used, or since it holds only beginnings.
    """

    column: ColumnElement[Any]
    values: Select[int] | tuple[str, ...]
    also: Condition | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """One condition on `games`.

    Attributes:
        test: Tested on one game after another; written so that no index is used.
        ids: The same as the ids of the games, by indexes, some perhaps twice; None if there is no index for
            it.
        sample: Of *ids*, more than `FEW` if there are more; found without looking at all.
        dated: Indexes with dates that find such games.
        undated: The ids of the games that none of *dated* finds, each with a sample.
        listed: *test* needs no more than the index of the list by date has.
        each: The same as *test*, for some games: it asks about each by itself, where *test* first gathers what it
            compares with. None: *test* does so, too.
    """

    test: Condition
    ids: Ids | None = None
    sample: Ids | None = None
    dated: tuple[DatedIndex, ...] = ()
    undated: tuple[tuple[Ids, Ids], ...] = ()
    listed: bool = False
    each: Condition | None = None

    @property
    def for_some(self) -> Condition:
        """What is quickest to test of some games."""
        return self.test if self.each is None else self.each

    @classmethod
    def refers(
        cls, columns: Sequence[ColumnElement[int]], to: Select[int], each: IsOne | None = None
    ) -> Self:
        """Whether one of *columns* refers to one of the rows *to*; *each* says that of one column."""
        # "+ 0" keeps the indexes out.
        test = or_(*((column + 0).in_(to) for column in columns))
        singly = None if each is None else or_(*map(each, columns))
        if not {column.key for column in columns} <= _INDEXED:
            return cls(test, each=singly)
        ids = _referring(columns, to)
        sample = _referring(columns, to.limit(FEW + 1))
        if not {column.key for column in columns} <= DATED:
            return cls(test, ids, sample, undated=((ids, sample),), listed=True, each=singly)
        dated = tuple(DatedIndex(column, to) for column in columns)
        return cls(test, ids, sample, dated=dated, listed=True, each=singly)

    @classmethod
    def indexed(cls, test: Condition, by: Condition, dated: DatedIndex | None = None) -> Self:
        """Whether it fulfils *test*; *by* is the same for an index, *dated* for one that has dates."""
        ids = select(games.c.id).where(by)
        return cls(test, ids, ids, *(((), ((ids, ids),)) if dated is None else ((dated,), ())))

    @classmethod
    def found_by(cls, test: Condition, ids: Ids) -> Self:
        """Whether it fulfils *test*; *ids* are those of the games that do."""
        return cls(test, ids, ids, undated=((ids, ids),))

    @classmethod
    def among(cls, ids: Select[int]) -> Self:
        """Whether it is one of the games with these ids."""
        return cls((games.c.id + 0).in_(ids), ids, ids, undated=((ids, ids),), listed=True)

    @classmethod
    def no(cls, wanted: Self) -> Self:
        """Whether it does not fulfil it."""
        return cls(~wanted.test, listed=wanted.listed, each=None if wanted.each is None else ~wanted.each)

    @classmethod
    def any(cls, wanted: Sequence["Wanted"]) -> "Wanted":
        """Whether it fulfils one of them. With none of them, no game does."""
        if not wanted:
            return NONE
        test = or_(*(one.test for one in wanted))
        ids = [one.ids for one in wanted if one.ids is not None]
        samples = [one.sample for one in wanted if one.sample is not None]
        listed, each = all(one.listed for one in wanted), _each(or_, wanted)
        if len(ids) < len(wanted):
            return cls(test, listed=listed, each=each)
        dated = tuple(index for one in wanted for index in one.dated)
        undated = tuple(some for one in wanted for some in one.undated)
        return cls(
            test, _together(union_all, ids), _together(union_all, samples), dated, undated, listed, each
        )

    @classmethod
    def all(cls, wanted: Sequence[Self]) -> Self:
        """Whether it fulfils all of them. There are ids only if each has some: fewer would find too much."""
        test = and_(*(one.test for one in wanted))
        ids = [one.ids for one in wanted if one.ids is not None]
        samples = [one.sample for one in wanted if one.sample is not None]
        listed, each = all(one.listed for one in wanted), _each(and_, wanted)
        if not wanted or len(ids) < len(wanted):
            return cls(test, listed=listed, each=each)
        both = _together(intersect, ids)
        return cls(test, both, samples[0], undated=((both, samples[0]),), listed=listed, each=each)


def _each(how: Callable[..., Condition], wanted: Sequence[Wanted]) -> Condition | None:
    if all(one.each is None for one in wanted):
        return None
    return how(*(one.for_some for one in wanted))


_NO_IDS: Final = select(games.c.id).where(false())
NONE: Final = Wanted(false(), _NO_IDS, _NO_IDS, undated=((_NO_IDS, _NO_IDS),), listed=True)
"""A condition that no game fulfils."""


def quickest(connection: Connection, wanted: Sequence[Wanted]) -> list[Condition]:
    """All conditions, written so that the rarest of them uses its index, if any is rare."""
    return led_by(rarest(connection, wanted), wanted)


def rarest(connection: Connection, wanted: Sequence[Wanted]) -> Wanted | None:
    """The condition that the fewest games fulfil; None if none is rare."""
    counts: dict[int, int] = {}
    for at, one in enumerate(wanted):
        if one.sample is not None:
            counts[at] = _count(connection, one.sample)
            if counts[at] <= RARE:
                break
    least = min(counts, key=counts.__getitem__, default=None)
    return None if least is None or counts[least] > FEW else wanted[least]


def led_by(leader: Wanted | None, wanted: Sequence[Wanted]) -> list[Condition]:
    """All conditions, that of the *leader* by its index."""
    if leader is None:
        return [one.test for one in wanted]
    assert leader.ids is not None
    return [games.c.id.in_(leader.ids), *(one.test for one in wanted if one is not leader)]


def count_games(connection: Connection, wanted: Wanted) -> int:
    """How many games fulfil it, which asks for players or for ids alone.

    Each index counts the games that none before it has; those with dates do so without a look at the games.
    """
    assert wanted.ids is not None
    counted: list[Condition] = []
    count = 0
    for index in wanted.dated:
        also = [] if index.also is None else [index.also]
        new = [] if not counted else [~or_(*counted)]
        its = select(func.count()).where(index.column.in_(index.values), *also, *new)
        count += connection.scalar(its) or 0
        # "+ 0" keeps the indexes out.
        counted.append(and_((index.column + 0).in_(index.values), *also))
    if not wanted.undated:
        return count
    others = _together(union_all, [ids for ids, _ in wanted.undated])
    its = select(func.count(games.c.id.distinct())).where(games.c.id.in_(others))
    return count + (connection.scalar(its.where(~or_(false(), *counted))) or 0)


def _count(connection: Connection, sample: Ids) -> int:
    """How many there are, at most `FEW` and one."""
    some = select(sample.subquery().c[0]).limit(FEW + 1)
    return connection.scalar(select(func.count()).select_from(some.subquery())) or 0


def _referring(columns: Sequence[ColumnElement[int]], to: Select[int]) -> CompoundSelect[int]:
    return union_all(*(select(games.c.id).where(column.in_(to)) for column in columns))


def _together(how: Callable[..., CompoundSelect[int]], ids: Sequence[Ids]) -> CompoundSelect[int]:
    # Each in a subquery of its own: SQLite nests no compound selects.
    return how(*(select(one.subquery().c[0]) for one in ids))
