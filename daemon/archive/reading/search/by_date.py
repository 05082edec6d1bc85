"""The games of a list by date, newest or oldest first, by the way that looks at the fewest games.

1. A condition that few games fulfil gives all of them.
2. Else, where an index has the games that fulfil a condition in the order of the list (those of a player), these are
   read until the page is full. Of several such conditions that with the fewest games leads.
3. Else the first games of the list are looked at, whichever they are. If they do not fill the page, the condition that
   the fewest games fulfil gives all of these, unless they are too many.
4. Else one game of the list after another is looked at.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import Connection, Select, and_, case, false, func, literal, or_, select, union_all
from sqlalchemy.sql.elements import ColumnElement

from daemon.archive.reading.search import plan
from daemon.archive.reading.search.dates import DateRange
from daemon.archive.reading.search.plan import Condition, DatedIndex, Ids, Wanted
from daemon.archive.reading.search.stretches import UNKNOWN_YEAR, DatePlace, DateStretch
from daemon.archive.reading.search.values import one_of
from daemon.archive.tables.main import games

MANY: Final = 100_000
"""More games than these are not all looked at because one condition finds them."""

MANY_UNDATED: Final = 20_000
"""The same where no index has their dates: each is looked up."""

LOOKED_AT_SINGLY: Final = 5_000
"""So many games of the list are tested each by itself, before what they are compared with is gathered."""

LOOKED_AT: Final = 2_000
"""So many games of the list are looked at before that."""

LOOKED_AT_LISTED: Final = 50_000
"""The same where the index of the list alone says whether a game is found."""

BESIDE: Final = 25_000
"""The ids of no more games are gathered to spare looks at the games that another condition finds."""

FEW_BESIDE: Final = 2_000
"""So few games are looked at rather than ids gathered."""

SINGLY: Final = 8
"""Of no more values an index is read value by value, each in the order of the list."""

_VALUES: Final = 4_000
"""Of more values the games are not counted: there are many."""

_PART: Final = case((games.c.date < UNKNOWN_YEAR, 0), else_=1)


@dataclass(frozen=True, slots=True)
class DateSearch:
    """A search for the first *limit* games of *left*, the stretches of the list, that fulfil *wanted* and *dates*."""

    connection: Connection
    wanted: Sequence[Wanted]
    dates: DateRange
    left: Sequence[DateStretch]
    limit: int
    _values: dict[int, Sequence[int | str]] = field(default_factory=dict)

    def places(self) -> list[DatePlace]:
        """The places of the games."""
        leader = self._few() or self._in_order()
        return self._walked() if leader is None else self._led_by(leader, self.left, self.limit)

    def _few(self) -> Wanted | None:
        """The condition that few games fulfil, the rarest of these; None if there is none."""
        counts: dict[int, int] = {}
        for at, one in enumerate(self.wanted):
            if one.ids is not None:
                counts[at] = self._count(one, plan.FEW + 1)
                if counts[at] <= plan.RARE:
                    break
        rarest = min(counts, key=counts.__getitem__, default=None)
        return None if rarest is None or counts[rarest] > plan.FEW else self.wanted[rarest]

    def _in_order(self) -> Wanted | None:
        """The condition whose games indexes have in the order of the list, that with the fewest of them."""
        able = [
            one for one in self.wanted if one.dated and not one.undated and all(map(self._singly, one.dated))
        ]
        return able[0] if len(able) == 1 else self._rarest(able)

    def _singly(self, index: DatedIndex) -> bool:
        return len(self._values_of(index)) <= SINGLY

    def _rarest(self, able: Iterable[Wanted]) -> Wanted | None:
        """The one that the fewest games fulfil, but too many: None."""
        counts = [(self._count(one, MANY_UNDATED if one.undated else MANY), one) for one in able]
        least, rarest = min(counts, key=itemgetter(0), default=(0, None))
        return rarest if rarest is not None and least < (MANY_UNDATED if rarest.undated else MANY) else None

    def _count(self, one: Wanted, most: int) -> int:
        """How many games fulfil it, some perhaps counted twice; *most* if there are no fewer."""
        count = 0
        for index in one.dated:
            values = self._values_of(index)
            if len(values) > _VALUES:
                return most
            its = select(literal(1)).where(*self._among(index, values), *self.dates.bounds)
            count += self._limited(its, most - count)
        for _, sample in one.undated:
            count += self._limited(select(sample.subquery().c[0]), most - count)
        return count

    def _limited(self, found: Select[Any], most: int) -> int:
        counted = select(func.count()).select_from(found.limit(most).subquery())
        return (self.connection.scalar(counted) or 0) if most > 0 else 0

    def _values_of(self, index: DatedIndex) -> Sequence[int | str]:
        """Its values, one more than are counted if there are more."""
        if isinstance(index.values, tuple):
            return index.values
        if id(index) not in self._values:
            some = index.values.limit(_VALUES + 1)
            self._values[id(index)] = list(dict.fromkeys(self.connection.scalars(some)))
        return self._values[id(index)]

    def _among(self, index: DatedIndex, values: Sequence[int | str]) -> list[Condition]:
        if not values:
            return [false()]
        its = index.column == values[0] if len(values) == 1 else one_of(self.connection, index.column, values)
        return [its, *([] if index.also is None else [index.also])]

    def _led_by(self, leader: Wanted, left: Sequence[DateStretch], limit: int) -> list[DatePlace]:
        """The first games that fulfil the leader and all else."""
        tests = [self._beside(leader, one) for one in self.wanted if one is not leader]
        found = {place for ids, _ in leader.undated for place in self._of_ids(ids, tests, left, limit)}
        for stretch in left:
            for index in leader.dated:
                found.update(self._of_index(index, tests, stretch, limit))
            if len(found) >= limit:
                break
        descending = left[0].descending
        return sorted(
            sorted(found, key=lambda place: place[1:], reverse=descending), key=lambda place: place[0]
        )[:limit]

    def _beside(self, leader: Wanted, one: Wanted) -> Condition:
        """The condition, by its index if that takes less than a look at the games of the leader.

        The index of a player has the other player, too.
        """
        players_only = all(index.column.key in plan.DATED for index in (*leader.dated, *one.dated))
        if one.ids is None or (players_only and not one.undated):
            return one.test
        if self._count(leader, FEW_BESIDE) < FEW_BESIDE or self._count(one, BESIDE) >= BESIDE:
            return one.test
        its = [
            select(games.c.id).where(*self._among(index, self._values_of(index)), *self.dates.bounds)
            for index in one.dated
        ]
        others = [select(ids.subquery().c[0]) for ids, _ in one.undated]
        return games.c.id.in_(union_all(*its, *others))

    def _of_ids(
        self, ids: Ids, tests: Sequence[Condition], left: Sequence[DateStretch], limit: int
    ) -> Iterator[DatePlace]:
        """The first of the games with these ids, of all stretches at once, since all of them are looked at."""
        no_index: ColumnElement[str] = games.c.date.concat("")
        within = or_(*(and_(*one.conditions(no_index)) for one in left))
        found = select(_PART, games.c.date, games.c.id).where(
            games.c.id.in_(ids), within, *tests, *self.dates.tests
        )
        for row in self.connection.execute(left[0].ordered(found.order_by(_PART)).limit(limit)):
            yield row[0], row[1], row[2]

    def _of_index(
        self, index: DatedIndex, tests: Sequence[Condition], stretch: DateStretch, limit: int
    ) -> Iterator[DatePlace]:
        """The first of the games that the index has, in this stretch."""
        values = self._values_of(index)
        each: list[list[Condition]]
        if len(values) > SINGLY:
            each = [self._among(index, values)]
        else:
            each = [self._among(index, [value]) for value in values]
        for its in each:
            yield from self._read(stretch, [*its, *tests], limit)

    def _read(self, stretch: DateStretch, tests: Sequence[Condition], limit: int) -> Iterator[DatePlace]:
        """The first games of a stretch that fulfil these conditions."""
        its = select(games.c.date, games.c.id).where(*stretch.conditions(), *tests, *self.dates.tests)
        for row in self.connection.execute(stretch.ordered(its).limit(limit)):
            yield stretch.part, row[0], row[1]

    def _walked(self) -> list[DatePlace]:
        """The first games that fulfil everything, of all games."""
        tests = [one.test for one in self.wanted]
        able = [one for one in self.wanted if one.ids is not None]
        found: list[DatePlace] = []
        left = list(self.left)
        for number, its in self._looks() if able else ():
            looked_at, left = self._divided(left, number)
            for stretch in looked_at:
                found += self._read(stretch, its, self.limit - len(found))
            if not left or len(found) == self.limit:
                return found
        leader = self._rarest(able)
        if leader is not None:
            return found + self._led_by(leader, left, self.limit - len(found))
        for stretch in left:
            found += self._read(stretch, tests, self.limit - len(found))
        return found

    def _looks(self) -> Iterator[tuple[int, list[Condition]]]:
        """How many games are looked at, and by which tests, look after look."""
        listed = all(one.listed for one in self.wanted)
        if any(one.each is not None for one in self.wanted):
            number = LOOKED_AT_SINGLY if listed else min(LOOKED_AT_SINGLY, LOOKED_AT)
            yield number, [one.for_some for one in self.wanted]
        if listed or all(one.each is None for one in self.wanted):
            yield LOOKED_AT_LISTED if listed else LOOKED_AT, [one.test for one in self.wanted]

    def _divided(
        self, left: Sequence[DateStretch], number: int
    ) -> tuple[list[DateStretch], list[DateStretch]]:
        """The first so many games of the list, and all others."""
        first, *others = left
        its = select(games.c.date, games.c.id).where(*first.conditions())
        last = self.connection.execute(first.ordered(its).offset(number - 1).limit(1)).one_or_none()
        if last is None:
            return [first], others
        place = (last[0], last[1])
        return [replace(first, until=place)], [replace(first, after=place), *others]
