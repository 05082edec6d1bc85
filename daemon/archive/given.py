"""Ids of games and players: what an address stands for is never another one later, whatever was taken away."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import Connection, Table

from daemon.archive import settings
from daemon.archive.bulk import next_id
from daemon.archive.tables import games, players

_LAST: Final = {games.name: "last_game_id", players.name: "last_player_id"}
"""Settings: the highest id whose row was taken away."""


def first_free(connection: Connection, table: Table) -> int:
    """The id that the next game or player gets. Only inside `Archive.writing`, where nobody else gives ids."""
    return max(next_id(connection, table), _last(connection, table) + 1)


def note(connection: Connection, table: Table, ids: Collection[int]) -> None:
    """Remember that these ids were given; their rows are taken away."""
    if ids:
        highest = max(_last(connection, table), *ids)
        settings.put(connection, _LAST[table.name], str(highest))


def _last(connection: Connection, table: Table) -> int:
    return int(settings.get(connection, _LAST[table.name]) or 0)
