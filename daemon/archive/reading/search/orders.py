"""The orders of the list of games; each page begins after a place, not after a game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, FromClause, Select, and_, case, func, or_, select, true

from daemon.archive.reading import cursors
from daemon.archive.reading.search.by_date import DateSearch
from daemon.archive.reading.search.dates import DateRange
from daemon.archive.reading.search.plan import Condition, Wanted, quickest
from daemon.archive.reading.search.sorts import NEWEST, SortWord
from daemon.archive.reading.search.stretches import UNKNOWN_YEAR, stretches
from daemon.archive.tables.main import games, players, texts

OrderPlace = tuple[int, int | str, int]
"""The place of a game: the part of the order, the value that it is sorted by there, and its id."""


@dataclass(frozen=True, slots=True)
class OrderPart:
    """Games that come together: those that fulfil a condition, by *key* (None: there is none) and id."""

    condition: Condition
    key: ColumnElement[Any] | None = None


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

    def conditions(self, connection: Connection) -> list[Condition]:
        """All of it, the rarest by its index, if it is rare."""
        return [*quickest(connection, self.wanted), *self.dates.conditions]


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
    conditions = asked.conditions(connection)
    left = limit
    for number, part in enumerate(order.parts[begin:], begin):
        key = part.key
        columns = [games.c.id] if key is None else [games.c.id, key]
        found = select(*columns).select_from(order.source).where(*conditions, part.condition)
        if number == begin and last is not None:
            found = found.where(_after(key, last, descending=descending))
        for row in connection.execute(_ordered(found, key, descending=descending).limit(left)):
            left -= 1
            yield number, order.of() if key is None else row[1], row[0]
        if not left:
            return


def write(sort: SortWord, place: OrderPlace) -> str:
    """The cursor after this place."""
    return cursors.write(_kind(sort), *place)


def _read(sort: SortWord, order: Order, cursor: str) -> tuple[int, tuple[int | str, int]]:
    number, key, game_id = cursors.read(_kind(sort), cursor, int, order.of, int)
    if int(number) >= len(order.parts):
        raise cursors.BadCursor("this cursor is not from this list")
    return int(number), (key, int(game_id))


def _kind(sort: SortWord) -> str:
    return "games" if sort == NEWEST else f"games by {sort}"


def _ordered(
    found: Select[*tuple[Any, ...]], key: ColumnElement[Any] | None, *, descending: bool
) -> Select[*tuple[Any, ...]]:
    columns: list[ColumnElement[Any]] = [games.c.id] if key is None else [key, games.c.id]
    return found.order_by(*(column.desc() if descending else column for column in columns))


def _after(
    key: ColumnElement[Any] | None, last: tuple[int | str, int], *, descending: bool
) -> ColumnElement[bool]:
    """Whether a game comes after the last one, which has this key and this id."""
    at, game_id = last
    next_id = games.c.id < game_id if descending else games.c.id > game_id
    if key is None:
        return next_id
    beyond, not_before = (key < at, key <= at) if descending else (key > at, key >= at)
    # The first half lets the index start at the key, which "or" alone would not.
    return and_(not_before, or_(beyond, and_(key == at, next_id)))


def _known_first(key: ColumnElement[Any]) -> tuple[OrderPart, OrderPart]:
    """First the games that have the key, then the others."""
    return OrderPart(key.is_not(None), key), OrderPart(key.is_(None))


def _text(column: ColumnElement[str]) -> ColumnElement[str]:
    return func.substr(column, 1, cursors.TEXT)


def _by_player(column: ColumnElement[int]) -> Order:
    one = players.alias("sorted_by")
    return Order([OrderPart(true(), _text(one.c.folded))], str, games.join(one, one.c.id == column))


def _by_event() -> Order:
    one = texts.alias("sorted_by")
    source = games.outerjoin(one, one.c.id == games.c.event_id)
    return Order(_known_first(_text(one.c.folded)), str, source)


_HIGHER: Final[ColumnElement[int]] = case(
    (games.c.white_rating >= func.coalesce(games.c.black_rating, -1), games.c.white_rating),
    else_=games.c.black_rating,
)
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
    "rating": Order(_known_first(_HIGHER), int),
    "plies": Order([OrderPart(true(), games.c.ply_count)], int),
    "event": _by_event(),
    "eco": Order(_known_first(_text(games.c.eco)), str),
}
