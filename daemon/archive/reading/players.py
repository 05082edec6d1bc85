"""Players: searched in the order of suggestions, or one by its id."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    Select,
    and_,
    case,
    false,
    func,
    literal,
    not_,
    or_,
    select,
    tuple_,
)
from sqlalchemy.sql.elements import ColumnElement

from core.search import TypedWord, starts_with, typed
from daemon.archive.reading import cursors, shapes
from daemon.archive.reading.search.words import begins, finds_player, players_found
from daemon.archive.reading.totals import with_total
from daemon.archive.tables.main import games, players

_KIND = "players"
_TYPES = (str, str, int)  # of the order, after the rank that a query gives


def find_players(
    connection: Connection, query: str | None, *, limit: int, cursor: str | None = None, total: bool = False
) -> shapes.Page[shapes.Player]:
    """A page of the players that *query* finds, in the order of suggestions (names R33); of all for None.

    Raises:
        BadCursor: *cursor* is not from this list.
    """
    order = _order(connection, query)
    found = select(*order)
    if cursor is not None:
        last = cursors.read(_KIND, cursor, *([int] if len(order) == len(_TYPES) + 1 else []), *_TYPES)
        found = found.where(tuple_(*order) > tuple_(*map(literal, last)))
    places: list[tuple[Any, ...]] = []
    for part in _parts(query):
        its = found.where(part).order_by(*order[-len(_TYPES) :]).limit(limit + 1 - len(places))
        places += map(tuple, connection.execute(its)) if len(places) <= limit else ()
    items = _by_id(connection, [place[-1] for place in places[:limit]])
    after = cursors.write(_KIND, *places[limit - 1]) if len(places) > limit else None
    page: shapes.Page[shapes.Player] = {"items": items, "next": after}
    return with_total(connection, page, select(players.c.id).where(_wanted(query))) if total else page


def player(connection: Connection, player_id: int) -> shapes.Player | None:
    """The player with this id, None if there is none."""
    return next(iter(_by_id(connection, [player_id])), None)


def _by_id(connection: Connection, ids: Sequence[int]) -> list[shapes.Player]:
    """The players with these ids, in their order. Games are counted only here, not for all that are found."""
    rows = {row.id: row for row in connection.execute(select(*_COLUMNS).where(players.c.id.in_(ids)))}
    return [_player(rows[player_id]) for player_id in ids if player_id in rows]


def _order(connection: Connection, query: str | None) -> tuple[ColumnElement[int] | ColumnElement[str], ...]:
    """The order of suggestions; without a word it is that of the index."""
    name = func.substr(players.c.name, 1, cursors.TEXT)
    # The other columns are in code point order on both databases, see tables/main.py.
    by_code_points = name.collate("C") if connection.dialect.name == "postgresql" else name
    rank = _rank(typed(query or ""))
    return (*([] if rank is None else [rank]), players.c.folded, by_code_points, players.c.id)


def _rank(words: Sequence[TypedWord]) -> ColumnElement[int] | None:
    """0 for the names that start with everything typed, 1 for the others."""
    return case((_starts(words), 0), else_=1) if words else None


def _starts(words: Sequence[TypedWord]) -> ColumnElement[bool]:
    # Hyphens are only in the sort texts of nicknames, and blanks only in the others: the two cannot be mixed up.
    beginnings = {starts_with(words, nickname=True), starts_with(words, nickname=False)}
    return or_(false(), *(begins(players.c.folded, beginning) for beginning in sorted(beginnings)))


def _parts(query: str | None) -> Sequence[ColumnElement[bool]]:
    """The parts of the list: names that start with everything typed are first, and beside each other in their index."""
    words = typed(query or "")
    if query is None or not words:
        return [_wanted(query)]
    # Most names that start so are found: each is looked up by itself, in their order, until there are enough.
    first = and_(finds_player(query)(players.c.id), _starts(words))
    return [first, and_(_wanted(query), not_(_starts(words)))]


def _wanted(query: str | None) -> ColumnElement[bool]:
    # All of them are said so that SQLite goes by the index.
    return players.c.folded >= "" if query is None else players.c.id.in_(players_found(query))


def _games_of(player: ColumnElement[bool]) -> Select[int]:
    return select(func.count()).select_from(games).where(player)


def _count() -> ColumnElement[int]:
    """How many games a player has: with White, and with Black against somebody else."""
    white = _games_of(games.c.white_id == players.c.id).scalar_subquery()
    black = _games_of(
        and_(games.c.black_id == players.c.id, games.c.white_id != players.c.id)
    ).scalar_subquery()
    return (white + black).label("games")


_COLUMNS = (
    players.c.id,
    players.c.name,
    players.c.kind,
    players.c.fide_id,
    players.c.verbatim,
    _count(),
)


def _player(row: Row[*tuple[Any, ...]]) -> shapes.Player:
    return {
        "id": row.id,
        "name": row.name,
        "kind": row.kind,
        "fide_id": row.fide_id,
        "verbatim": row.verbatim,
        "games": row.games,
    }
