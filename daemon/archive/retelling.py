"""A game whose first telling has turned out to be another game is told by the next one."""

import zlib
from collections.abc import Iterable

from sqlalchemy import Connection, select

from core import pgn
from core.game import Unreadable
from daemon.archive.tables import tellings
from daemon.archive.tellings import Changes, StoredGame
from daemon.preparing import Prepared, RefusedError, prepare


def retell(connection: Connection, changes: Changes) -> None:
    """Let the rows of these games be written as their first remaining telling tells them."""
    for game in _left_behind(changes):
        first = min(game.tellings.values(), key=lambda telling: telling.n)
        told = first.prepared or _read_again(connection, first.id)
        # Its key is the game's, as it was when the telling joined; only newer rules of reading could differ.
        if told is not None and told.key == game.key:
            game.prepared = told
            changes.games[game.id] = game


def _left_behind(changes: Changes) -> Iterable[StoredGame]:
    return [game for game in changes.retold.values() if not game.gone]


def _read_again(connection: Connection, telling_id: int) -> Prepared | None:
    found = select(tellings.c.pgn).where(tellings.c.id == telling_id)
    told = pgn.parse(zlib.decompress(connection.execute(found).scalar_one()))
    try:
        return None if isinstance(told, Unreadable) else prepare(told)
    except RefusedError:
        return None
