"""The orders of the list of games; each page begins after a place, not after a game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, FromClause, Select, and_, func, literal, or_, select, true

from daemon.archive.reading import cursors
from daemon.archive.reading.search.by_date import DateSearch
from daemon.archive.reading.search.dates import DateRange
from daemon.archive.reading.search.plan import Condition, Wanted, count_games, led_by, quickest, rarest
from daemon.archive.reading.search.runs import (
    EVERY,
    From,
    ListRun,
    Runs,
    by_code,
    by_event,
    by_length,
    by_player,
)
from daemon.archive.reading.search.sorts import NEWEST, SortWord
from daemon.archive.reading.search.stretches import UNKNOWN_YEAR, stretches
from daemon.archive.tables.main import HIGHER_RATING, RATED, games, players, texts

OrderPlace = tuple[int, int | str, int]
"""The place of a game: the part of the order, the value that it is sorted by there, and its id."""

KeyAndId = tuple[int | str, int]


@dataclass(frozen=True, slots=True)
class OrderPart:
    """Games that come together: those that fulfil a condition, by *key* (None: there is none) and id.

    *runs*: parts of them that follow each other, each read by itself.
    """

    condition: Condition
    key: ColumnElement[Any] | None = None
    runs: Runs | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """An order: its *parts* follow each other. *of* is the type of the keys."""

    parts: Sequence[OrderPart]
    of: type[int] | type[str]
    source: FromClause = games


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a game."""

    wanted: Sequence[Wanted]
    dates: DateRange

    def count(self, connection: Connection) -> int:
        """How many games fulfil it: one condition alone is counted in its indexes."""
        if len(self.wanted) == 1 and self.wanted[0].ids is not None and not self.dates.conditions:
            return count_games(connection, self.wanted[0])
        tests = [*quickest(connection, self.wanted), *self.dates.conditions]
        return connection.scalar(select(func.count()).select_from(games).where(*tests)) or 0


def order_by(sort: SortWord) -> Order:
    """The order of this name."""
    return _ORDERS[sort.removeprefix("-")]


def walk(
    connection: Connection, asked: Asked, sort: SortWord, limit: int, cursor: str | None
) -> Iterator[OrderPlace]:
    """The places of the first *limit* games that are asked for, after the cursor's.

    Raises:
        BadCursor: *cursor* is not from this list, or not as it is sorted now.
    """
    order, descending = order_by(sort), sort.startswith("-")
    begin, last = (0, None) if cursor is None else _read(sort, order, cursor)
    if order is _BY_DATE:
        after = None if last is None else (begin, str(last[0]), last[1])
        parts = stretches(asked.dates, descending=descending, after=after)
        yield from DateSearch(connection, asked.wanted, asked.dates, parts, limit).places() if parts else ()
        return
    leader = rarest(connection, asked.wanted)
    conditions = [*led_by(leader, asked.wanted), *asked.dates.conditions]
    left = limit
    for number, part in enumerate(order.parts[begin:], begin):
        before = last if number == begin else None
        place = From(None if before is None else before[0], descending)
        for run in [EVERY] if part.runs is None or leader else part.runs(connection, place):
            found = _in_run(order, part, run, before, descending=descending).where(*conditions)
            for value, game_id in connection.execute(found.limit(left)):
                left -= 1
                yield number, value, game_id
            if not left:
                return


def _in_run(
    order: Order, part: OrderPart, run: ListRun, before: KeyAndId | None, *, descending: bool
) -> Select[*tuple[Any, ...]]:
    """The keys and ids of a run, in order, *before* being that of the game before them in the list."""
    # Where all games of the run have one key, their ids are all that the order needs.
    key = part.key if run.key is None else None
    value = order.of() if part.key is None else run.key
    its = select(literal(value) if key is None else key, games.c.id).select_from(order.source)
    its = its.where(part.condition, run.condition)
    if before is not None and (run.key is None or run.key == before[0]):
        its = its.where(_after(key, before, descending=descending))
    by: list[ColumnElement[Any]] = [games.c.id] if key is None else [key, games.c.id]
    return its.order_by(*(column.desc() if descending else column for column in by))


def write(sort: SortWord, place: OrderPlace) -> str:
    """The cursor after this place."""
    return cursors.write(_kind(sort), *place)


def _read(sort: SortWord, order: Order, cursor: str) -> tuple[int, KeyAndId]:
    number, key, game_id = cursors.read(_kind(sort), cursor, int, order.of, int)
    if int(number) >= len(order.parts):
        raise cursors.BadCursor("this cursor is not from this list")
    return int(number), (key, int(game_id))


def _kind(sort: SortWord) -> str:
    return "games" if sort == NEWEST else f"games by {sort}"


def _after(key: ColumnElement[Any] | None, last: KeyAndId, *, descending: bool) -> ColumnElement[bool]:
    """Whether a game comes after the last one, which has this key and this id."""
    at, game_id = last
    next_id = games.c.id < game_id if descending else games.c.id > game_id
    if key is None:
        return next_id
    beyond, not_before = (key < at, key <= at) if descending else (key > at, key >= at)
    # The first half lets the index start at the key, which "or" alone would not.
    return and_(not_before, or_(beyond, and_(key == at, next_id)))


def _text(column: ColumnElement[str]) -> ColumnElement[str]:
    return func.substr(column, 1, cursors.TEXT)


def _by_player(column: ColumnElement[int]) -> Order:
    one = players.alias("sorted_by")
    key = _text(one.c.folded)
    part = OrderPart(true(), key, by_player(column, key))
    return Order([part], str, games.join(one, one.c.id == column))


def _by_event() -> Order:
    one = texts.alias("sorted_by")
    key = _text(one.c.folded)
    source = games.outerjoin(one, one.c.id == games.c.event_id)
    return Order((OrderPart(key.is_not(None), key, by_event(key)), OrderPart(key.is_(None))), str, source)


def _by_code() -> Order:
    key = _text(games.c.eco)
    return Order((OrderPart(games.c.eco.is_not(None), key, by_code), OrderPart(games.c.eco.is_(None))), str)


_BY_DATE: Final = Order(
    (
        OrderPart(games.c.date < UNKNOWN_YEAR, games.c.date),
        OrderPart(games.c.date >= UNKNOWN_YEAR, games.c.date),
    ),
    str,
)
_ORDERS: Final = {
    "date": _BY_DATE,
    "id": Order([OrderPart(true())], int),
    "white": _by_player(games.c.white_id),
    "black": _by_player(games.c.black_id),
    "rating": Order((OrderPart(and_(RATED), HIGHER_RATING), OrderPart(HIGHER_RATING.is_(None))), int),
    "plies": Order([OrderPart(true(), games.c.ply_count, by_length)], int),
    "event": _by_event(),
    "eco": _by_code(),
}
