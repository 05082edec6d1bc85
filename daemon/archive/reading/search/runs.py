"""Sorted lists run by run: the games of a few players, events or codes, which come before all others.

No index of games has names, so that a list of all games by a name would be sorted whole for its first page. The index of the
names says whose games come first; of these alone the page is read.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, func, select, true

from daemon.archive.reading import cursors
from daemon.archive.reading.search.plan import Condition
from daemon.archive.reading.search.values import known_values, one_of
from daemon.archive.reading.search.words import AFTER_LETTERS, begins
from daemon.archive.tables.main import (
    BEGINNING,
    LONG,
    LONGEST_USUAL,
    SHORT,
    SHORTEST_USUAL,
    beginning,
    games,
    players,
    texts,
)

FIRST: Final = 50
"""So many names are read at first; then four times as many, and so on."""

MANY: Final = 1_000
"""A name with so many games is a run of its own."""

MOST: Final = 1_000
"""Rather than more names together all others are one run: too few of the games before fulfil the other conditions."""

Key = int | str


@dataclass(frozen=True, slots=True)
class From:
    """Where a list goes on: at this key (None: at its beginning), down or up."""

    key: Key | None
    descending: bool


@dataclass(frozen=True, slots=True)
class ListRun:
    """Some games of a list, which follow each other in it; with one *key*, if it is known that they have the same."""

    condition: Condition
    key: Key | None = None


EVERY: Final = ListRun(true())
"""All games together."""

Runs = Callable[[Connection, From], Iterator[ListRun]]
"""Parts a list in its order; all games that come from the place on are in one of the runs."""


@dataclass(frozen=True, slots=True)
class NameRuns:
    """Games by the name of what a column refers to.

    Attributes:
        column: What refers to it.
        names: All names, as ``folded``, and their ``id``.
        by: The beginning of the name, which has an index.
        key: The name in the list.
        length: Of so many characters the list and the index are both in order.
    """

    column: ColumnElement[int]
    names: Select[Any]
    by: ColumnElement[str]
    key: ColumnElement[str]
    length: int

    def __call__(self, connection: Connection, place: From) -> Iterator[ListRun]:
        """The games of a few names, of more, of all others."""
        left = [] if place.key is None else [self._not_before(str(place.key), place)]
        most = FIRST
        while True:
            its = self.names.where(*left).order_by(self.by.desc() if place.descending else self.by)
            some = connection.execute(its.limit(most)).all()
            if len(some) < most:
                yield from self._of(connection, some)
                return
            last = self._sorted(some[-1])
            yield from self._of(connection, [row for row in some if self._sorted(row) != last])
            yield from self._of(connection, connection.execute(self.names.where(self._is(last))).all())
            left = [self._beyond(last, place)]
            most *= 4
            if most > MOST:
                yield ListRun(self._after(last, place))
                return

    def _of(self, connection: Connection, some: Sequence[Row[Any]]) -> Iterator[ListRun]:
        """Those of these names: one with many games by itself, the others between two such together."""
        many = self._often(connection, [row.id for row in some]) if some else set()
        together: list[int] = []
        for _, same in groupby(some, self._sorted):
            alike = list(same)
            if len(alike) > 1 or alike[0].id not in many:
                together += [row.id for row in alike]
                continue
            if together:
                yield ListRun(one_of(connection, self.column, together))
            together = []
            yield ListRun(self.column == alike[0].id, alike[0].folded[: cursors.TEXT])
        if together:
            yield ListRun(one_of(connection, self.column, together))

    def _often(self, connection: Connection, ids: Sequence[int]) -> set[int]:
        """Those of these ids with many games."""
        own_id = self.names.selected_columns["id"]
        often = select(games.c.id).where(self.column == own_id).limit(1).offset(MANY - 1).exists()
        return set(connection.scalars(select(own_id).where(one_of(connection, own_id, ids), often)))

    def _sorted(self, row: Row[Any]) -> str:
        name: str = row.folded
        return name[: self.length]

    def _not_before(self, name: str, place: From) -> Condition:
        """Those from this name on; before it, too, such as are the same as far as the list is sorted by them."""
        begin = name[: self.length]
        return self.by < begin + AFTER_LETTERS if place.descending else self.by >= begin

    def _is(self, name: str) -> Condition:
        return self.by == name if len(name) < self.length else begins(self.by, name)

    def _beyond(self, name: str, place: From) -> Condition:
        if place.descending:
            return self.by < name
        return self.by > name if len(name) < self.length else self.by >= name + AFTER_LETTERS

    def _after(self, name: str, place: From) -> Condition:
        key = func.substr(self.key, 1, self.length)
        return key < name if place.descending else key > name


def by_player(column: ColumnElement[int], key: ColumnElement[str]) -> Runs:
    """Games by the name of the player with a colour."""
    its = select(players.c.folded, players.c.id)
    return NameRuns(column, its, players.c.folded, key, cursors.TEXT)


def by_event(key: ColumnElement[str]) -> Runs:
    """Games by their event."""
    its = select(texts.c.folded, texts.c.id).where(texts.c.kind == "event")
    return NameRuns(games.c.event_id, its, beginning(texts.c.folded), key, BEGINNING)


def by_code(connection: Connection, place: From) -> Iterator[ListRun]:
    """Games by their ECO code, the games of one after those of another."""
    codes = {text[:BEGINNING] for text in known_values(connection, games.c.eco)}
    begin = None if place.key is None else str(place.key)[:BEGINNING]
    for code in sorted(codes, reverse=place.descending):
        if begin is None or (code <= begin if place.descending else code >= begin):
            its = games.c.eco.is_not(None) & (beginning(games.c.eco) == code)
            yield ListRun(its, code if len(code) < BEGINNING else None)


def by_length(_connection: Connection, place: From) -> Iterator[ListRun]:
    """Games by their half moves: the longest ones have an index, and the shortest."""
    plies, key = games.c.ply_count, place.key
    if place.descending:
        if key is None or int(key) > LONGEST_USUAL:
            yield ListRun(and_(LONG))
        yield ListRun(plies <= LONGEST_USUAL)
    else:
        if key is None or int(key) < SHORTEST_USUAL:
            yield ListRun(and_(SHORT))
        yield ListRun(plies >= SHORTEST_USUAL)
