"""Hands out ids. An id is never reused, so that a URL keeps its meaning."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import Connection, Table

from daemon.archive.database import settings
from daemon.archive.database.bulk import next_id
from daemon.archive.tables.main import games, players

_LAST: Final = {games.name: "last_game_id", players.name: "last_player_id"}
"""Settings: the highest id that was given, for tables with another setting than `_setting` makes."""


def first_free(connection: Connection, table: Table) -> int:
    """The id that the table's next row gets. Only inside `Archive.writing`, where nobody else gives ids.

    Code that deletes rows of such a table tells `note` their ids, unless `take` has given them.
    """
    return max(next_id(connection, table), last(connection, _setting(table)) + 1)


def take(connection: Connection, table: Table, count: int = 1) -> range:
    """Give so many ids of a table, for good. Only inside `Archive.writing`."""
    start = first_free(connection, table)
    ids = range(start, start + count)
    note(connection, table, ids)
    return ids


def note(connection: Connection, table: Table, ids: Collection[int]) -> None:
    """Note that these ids were given, whether or not they have rows."""
    if ids:
        raise_to(connection, _setting(table), max(ids))


def last(connection: Connection, setting: str) -> int:
    """The highest number that was given under this name, 0 if there is none."""
    return int(settings.get(connection, setting) or 0)


def raise_to(connection: Connection, setting: str, number: int) -> None:
    """Note that numbers up to this one were given under this name."""
    if number > last(connection, setting):
        settings.put(connection, setting, str(number))


def _setting(table: Table) -> str:
    return _LAST.get(table.name, f"last_{table.name}_id")
