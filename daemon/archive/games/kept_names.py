"""Names that a later download leaves out: the game keeps the players who were named before."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, and_, or_, select

from core.game import Game
from core.players import is_nameless, still_named
from daemon.archive.database.bulk import chunks
from daemon.archive.games import source_games
from daemon.archive.games.prepared import Prepared, prepare
from daemon.archive.tables.main import tellings

_TellingId = tuple[str, str]
_NameRow = Row[*tuple[Any, ...]]


def name_again(connection: Connection, downloads: Sequence[Prepared]) -> list[Prepared]:
    """These downloads, with any names that they leave out taken from the tellings that they replace.

    A broadcast that has lost its players' names for a minute must not make other games of all its boards.
    """
    nameless = {_id(one.game): one.game for one in downloads if is_partly_nameless(one.game)}
    before = _before(connection, nameless) if nameless else {}
    return [
        prepare(still_named(one.game, before[_id(one.game)])) if _id(one.game) in before else one
        for one in downloads
    ]


def is_partly_nameless(game: Game) -> bool:
    """Whether a source does not say who played."""
    return is_nameless(game.white) or is_nameless(game.black)


def told_before(connection: Connection, found: Iterable[_NameRow]) -> dict[int, Game]:
    """What these tellings (id, game_id, told_key) were when they came, by their ids."""
    rows = list(found)
    plain = source_games.from_rows(connection, [row.game_id for row in rows if row.told_key is None])
    apart = source_games.load(connection, [row.told_key for row in rows if row.told_key is not None])
    kept = {
        row.id: plain.get(row.game_id) if row.told_key is None else apart.get(row.told_key) for row in rows
    }
    return {number: one.game for number, one in kept.items() if one is not None}


def _before(connection: Connection, ids: Iterable[_TellingId]) -> Mapping[_TellingId, Game]:
    columns = (tellings.c.id, tellings.c.game_id, tellings.c.told_key, tellings.c.site, tellings.c.native_id)
    found: list[_NameRow] = []
    for some in chunks(list(ids)):
        same = or_(
            *(and_(tellings.c.site == site, tellings.c.native_id == native_id) for site, native_id in some)
        )
        found += connection.execute(select(*columns).where(tellings.c.download, same))
    games = told_before(connection, found)
    return {(row.site, row.native_id): games[row.id] for row in found if row.id in games}


def _id(game: Game) -> _TellingId:
    return game.source or "", game.native_id or ""
