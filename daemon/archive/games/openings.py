"""Openings for games stored without one, or with another edition of the book: some games at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Row, select

from core import move_bytes
from core.game import STANDARD, first_tag
from core.openings import Opening, of_page
from core.pgn.reader import read_header
from core.sites import SITES
from daemon.archive.database import settings
from daemon.archive.database.bulk import ColumnValues, update_rows
from daemon.archive.games.cache import KnownIds
from daemon.archive.games.compression import PackedError, decompress
from daemon.archive.games.game_rows import first_tellings
from daemon.archive.games.named import KindAndText
from daemon.archive.games.texts import text_ids
from daemon.archive.tables.main import games
from daemon.openings import book, edition

TOGETHER: Final = 500
"""How many games are looked at in one transaction."""

_SETTING: Final = "openings"
"""The edition of the book that games were looked up in, and the last of them in the order of intake, or ``done``."""
_DONE: Final = "done"

_GAMES: Final = select(
    games.c.id,
    games.c.variant,
    games.c.start,
    games.c.moves,
    games.c.eco,
    games.c.opening_id,
    games.c.derived_eco,
    games.c.derived_opening_id,
)
_OpeningRow = Row[*tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class _OpeningFields:
    """What a game's row is to say: *source_name* as its source has it, the rest derived; None is nothing."""

    row: _OpeningRow
    source_name: str | None
    eco: str | None
    name: str | None


def is_done(connection: Connection) -> bool:
    """Whether every game has been looked up in this edition of the book."""
    return settings.get(connection, _SETTING) == f"{edition()} {_DONE}"


def derive(connection: Connection, known: KnownIds) -> bool:
    """Look up some more games; returns whether there are more."""
    state = settings.get(connection, _SETTING) or ""
    last = state.removeprefix(f"{edition()} ")
    if last == _DONE:
        return False
    # Another edition begins at the first game.
    after = int(last) if last.isascii() and last.isdecimal() and last != state else 0
    page = connection.execute(_GAMES.where(games.c.id > after).order_by(games.c.id).limit(TOGETHER)).all()
    _write(connection, known, list(_openings(connection, page)))
    settings.put(connection, _SETTING, f"{edition()} {page[-1].id if page else _DONE}")
    return bool(page)


def _openings(connection: Connection, page: Sequence[_OpeningRow]) -> Iterator[_OpeningFields]:
    pages = _pages(connection, [row.id for row in page if row.opening_id is None])
    for row in page:
        named = pages.get(row.id)
        asked = row.variant == STANDARD and not row.start and (row.eco is None or row.opening_id is None)
        found = _in_book(row.moves) if asked else None
        eco = None if found is None or row.eco is not None else found.eco
        name = None if found is None or row.opening_id is not None or named is not None else found.name
        yield _OpeningFields(row, named, eco, name)


def _in_book(moves: bytes) -> Opening | None:
    try:
        return book().find(move_bytes.unpack(moves[: 2 * book().deepest]))
    except (ValueError, LookupError):
        return None  # they are damaged; `gamekeeper verify` tells of it


def _pages(connection: Connection, game_ids: Sequence[int]) -> dict[int, str]:
    """The openings whose pages the tags of downloads name, by game; edited games are left out."""
    found: dict[int, str] = {}
    for row in connection.execute(first_tellings(game_ids)):
        site = SITES.get(row.site)
        tag = site.opening_tag if site else None
        if tag is not None and row.told_key is None:
            name = _page(row.pgn, tag)
            if name is not None:
                found[row.game_id] = name
    return found


def _page(packed: bytes, tag: str) -> str | None:
    try:
        return of_page(first_tag(read_header(decompress(packed)), tag))
    except PackedError:
        return None  # it is damaged; `gamekeeper verify` tells of it


def _write(connection: Connection, known: KnownIds, found: Sequence[_OpeningFields]) -> None:
    names: list[KindAndText] = [
        ("opening", text) for one in found for text in (one.source_name, one.name) if text is not None
    ]
    ids = text_ids(connection, known, names)
    known.trim()
    rows: list[ColumnValues] = []
    for one in found:
        named = one.row.opening_id if one.source_name is None else ids["opening", one.source_name]
        derived = None if one.name is None else ids["opening", one.name]
        now = (named, one.eco, derived)
        if now != (one.row.opening_id, one.row.derived_eco, one.row.derived_opening_id):
            names_of = ("opening_id", "derived_eco", "derived_opening_id")
            rows.append({"id": one.row.id, **dict(zip(names_of, now, strict=True))})
    update_rows(connection, games, rows)
