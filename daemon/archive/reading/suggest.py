"""Names to choose from while somebody types.

Players, and the texts of games, in the order of names R33, A34 to A36.
"""

from typing import Final, Literal, get_args

from sqlalchemy import Connection, case, exists, or_, select
from sqlalchemy.sql.elements import ColumnElement

from core.search import starts_with, typed
from daemon.archive.reading.players import find_players
from daemon.archive.reading.search.words import TEXT_COLUMNS, begins, texts_found
from daemon.archive.tables.main import texts

SuggestionKind = Literal["players", "events", "sites", "teams", "openings"]
WHAT: Final = get_args(SuggestionKind)

_KINDS: Final = {"events": "event", "sites": "site", "teams": "team", "openings": "opening"}


def choices(connection: Connection, what: SuggestionKind, query: str, *, limit: int) -> list[str]:
    """The names that *query* finds, first those that start with everything typed.

    None for a query without a word.
    """
    words = typed(query)
    if not words:
        return []
    if what == "players":
        return _players(connection, query, limit)
    kind = _KINDS[what]
    starts = begins(texts.c.folded, starts_with(words, nickname=False))
    shown = texts.c.text.collate("C") if connection.dialect.name == "postgresql" else texts.c.text
    used: list[ColumnElement[bool]] = [exists().where(column == texts.c.id) for column in TEXT_COLUMNS[kind]]
    found = (
        select(texts.c.text)
        .where(texts.c.id.in_(texts_found(query, kind)), or_(*used))
        .order_by(case((starts, 0), else_=1), texts.c.folded, shown)
        .limit(limit)
    )
    return list(connection.scalars(found))


def _players(connection: Connection, query: str, limit: int) -> list[str]:
    """Each name once, even if several players are shown by it."""
    names: dict[str, None] = {}
    cursor: str | None = None
    while len(names) < limit:
        page = find_players(connection, query, limit=limit, cursor=cursor)
        names.update(dict.fromkeys(one["name"] for one in page["items"]))
        cursor = page["next"]
        if cursor is None:
            break
    return list(names)[:limit]
