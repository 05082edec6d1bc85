"""Spellings of the name of a player with a FIDE id that an edit has added or removed."""

from collections.abc import Sequence

from sqlalchemy import Connection, and_, delete, exists, select

from daemon.archive.database.bulk import chunks
from daemon.archive.games.cache import KnownIds
from daemon.archive.games.prepared import digest
from daemon.archive.tables.main import games, player_names, players

_SIDES = ((games.c.white_id, games.c.white_name), (games.c.black_id, games.c.black_name))


class Spellings:
    """The spellings of the players of some games before the games are written again."""

    def __init__(self, connection: Connection, game_ids: Sequence[int]) -> None:
        self._connection = connection
        self._written: set[tuple[int, str]] = set()
        for some in chunks(game_ids):
            for player_id, name in _SIDES:
                its = select(player_id, name).join(players, players.c.id == player_id)
                found = connection.execute(its.where(games.c.id.in_(some), players.c.fide_id.is_not(None)))
                self._written.update((number, text) for number, text in found)

    def forget_unwritten(self, known: KnownIds) -> None:
        """Forget those that are no longer used anywhere."""
        for number, text in self._written:
            if not self._is_written(number, text):
                value = digest(text.encode())
                its = and_(player_names.c.player_id == number, player_names.c.digest == value)
                self._connection.execute(delete(player_names).where(its))
                known.names.discard((number, value))

    def _is_written(self, number: int, text: str) -> bool:
        # One question a colour: each is answered by its index.
        return any(
            self._connection.scalar(select(exists().where(player_id == number, name == text)))
            for player_id, name in _SIDES
        )
