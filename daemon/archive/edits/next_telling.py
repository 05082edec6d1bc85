"""A game whose first telling has turned out to be another game is shown by its next telling."""

from collections.abc import Iterable

from sqlalchemy import Connection

from daemon.archive.edits.overlay import Overlays
from daemon.archive.games import source_games
from daemon.archive.games.changes import Changes, StoredGame, StoredTelling
from daemon.archive.games.prepared import Prepared
from daemon.archive.games.reread import read_again


def retell(connection: Connection, changes: Changes) -> None:
    """Write the rows of these games again, from their first remaining telling."""
    for game in _remaining(changes):
        first = min(game.tellings.values(), key=lambda telling: telling.n)
        source_game = first.prepared or _read_again(connection, first)
        # Its key is the game's, as it was when the telling joined; only newer rules of reading could differ.
        if source_game is not None and source_game.key == game.key:
            game.prepared = source_game
            changes.games[game.id] = game


def _remaining(changes: Changes) -> Iterable[StoredGame]:
    return [game for game in changes.lost_first.values() if not game.gone]


def _read_again(connection: Connection, telling: StoredTelling) -> Prepared | None:
    if telling.told_key is not None:
        kept = source_games.load(connection, [telling.told_key])[telling.told_key]
        return Overlays(connection, [kept.key]).lay(kept.prepared())
    ((_, source_game),) = read_again(connection, [telling.id])
    return source_game
