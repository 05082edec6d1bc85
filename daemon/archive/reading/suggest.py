"""Names to choose from while somebody types.

Players, and the texts of games, in the order of names R33, A34 to A36.
"""

from typing import Final, Literal, get_args

from sqlalchemy import Connection, and_, exists, false, not_, or_, select

from core.search import starts_with, typed
from daemon.archive.reading.players import find_players
from daemon.archive.reading.search.words import TEXT_COLUMNS, begins, finds_text, rarely_found, texts_found
from daemon.archive.tables.main import BEGINNING, beginning, texts

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
    return _texts(connection, _KINDS[what], query, limit)


def _texts(connection: Connection, kind: str, query: str, limit: int) -> list[str]:
    """Those that start with everything typed are beside each other in their index; all others are sorted."""
    start = starts_with(typed(query), nickname=False)
    by, starts = beginning(texts.c.folded), begins(texts.c.folded, start)
    # Of texts that start so most are found, and of frequent words many: each is looked up by itself, in the order of the texts,
    # until there are enough.
    each = finds_text(query)(texts.c.id)
    first = and_(begins(by, start[:BEGINNING]), starts, each)
    rare = rarely_found(connection, query)
    others = and_(texts.c.id.in_(texts_found(query, kind)) if rare else each, not_(starts))
    shown = texts.c.text.collate("C") if connection.dialect.name == "postgresql" else texts.c.text
    used = or_(false(), *(exists().where(column == texts.c.id) for column in TEXT_COLUMNS[kind]))
    found: list[str] = []
    for part in (first, others):
        its = select(texts.c.text).where(texts.c.kind == kind, part, used).order_by(by, texts.c.folded, shown)
        found += connection.scalars(its.limit(limit - len(found))) if len(found) < limit else ()
    return found


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
