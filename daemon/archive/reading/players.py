"""Players: found by the rule of the documents, in the order of its suggestions; one by its id."""

from typing import Any

from sqlalchemy import Connection, Row, Select, and_, case, false, func, literal, or_, select, tuple_
from sqlalchemy.sql.elements import ColumnElement

from core.search import starts_with, typed
from daemon.archive.reading import cursors, shapes
from daemon.archive.reading.words import begins, players_found
from daemon.archive.tables import games, players

_KIND = "players"


def find_players(
    conn: Connection, query: str | None, *, limit: int, cursor: str | None = None
) -> shapes.Page[shapes.Player]:
    """A page of the players that *query* finds, in the order of suggestions (RULES R33); of all for None.

    Raises:
        BadCursor: *cursor* is not from this list.
    """
    rank = _rank(query)
    order = _order(conn, rank)
    found = select(*_COLUMNS).order_by(*order).limit(limit + 1)
    if query is not None:
        found = found.where(players.c.id.in_(players_found(query)))
    if cursor is not None:
        last = _place(conn, order, cursors.read(_KIND, cursor))
        found = found.where(tuple_(*order) > tuple_(*(literal(value) for value in last)))
    rows = conn.execute(found).all()
    items = [_player(row) for row in rows[:limit]]
    return {"items": items, "next": cursors.write(_KIND, items[-1]["id"]) if len(rows) > limit else None}


def player(conn: Connection, player_id: int) -> shapes.Player | None:
    """The player with this id, None if there is none."""
    row = conn.execute(select(*_COLUMNS).where(players.c.id == player_id)).one_or_none()
    return None if row is None else _player(row)


def _rank(query: str | None) -> ColumnElement[int]:
    """0 for the names that start with everything typed, 1 for the others."""
    words = typed(query or "")
    if not words:
        return literal(0)
    # Hyphens are only in the sort texts of nicknames, and blanks only in the others: the two cannot be mixed up.
    beginnings = {starts_with(words, nickname=True), starts_with(words, nickname=False)}
    starts = or_(false(), *(begins(players.c.folded, beginning) for beginning in sorted(beginnings)))
    return case((starts, 0), else_=1)


def _order(conn: Connection, rank: ColumnElement[int]) -> tuple[ColumnElement[int] | ColumnElement[str], ...]:
    name = players.c.name
    # The other columns are in code point order on both databases, see tables.py.
    by_code_points = name.collate("C") if conn.dialect.name == "postgresql" else name
    return rank, players.c.folded, by_code_points, players.c.id


def _place(
    conn: Connection, order: tuple[ColumnElement[int] | ColumnElement[str], ...], player_id: int
) -> Row[*tuple[Any, ...]]:
    row: Row[*tuple[Any, ...]] | None
    row = conn.execute(select(*order).where(players.c.id == player_id)).one_or_none()
    if row is None:
        raise cursors.BadCursor("this cursor is not from this list")
    return row


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
