"""Games to be searched for near doubles again, because something changed that matters for them."""

from collections.abc import Collection, Iterable
from typing import Final

from sqlalchemy import Connection, delete, select

from daemon.archive.database import settings
from daemon.archive.database.bulk import chunks, insert_into, insert_rows
from daemon.archive.tables.edits import doubles_due
from daemon.archive.tables.main import games, players
from daemon.archive.tables.main import settings as settings_table

LAST: Final = "doubles_looked_at"
"""Setting: the last game, in the order of intake, that was looked at."""


def due(connection: Connection, game_ids: Iterable[int]) -> None:
    """Queue those of these games that were looked at before; the others are known by their ids."""
    numbers = set(game_ids)
    if numbers:
        last = last_looked_at(connection)
        queued = [{"game_id": number} for number in sorted(numbers) if number <= last]
        insert_rows(connection, doubles_due, queued, ignore=True)


def due_games_of(connection: Connection, digests: Collection[bytes]) -> None:
    """Queue all games of these players, by the digests of their keys."""
    insert = insert_into(connection.dialect, doubles_due)
    for some in chunks(list(digests)):
        them = select(players.c.id).where(players.c.digest.in_(some))
        for column in (games.c.white_id, games.c.black_id):
            theirs = select(games.c.id).where(column.in_(them))
            connection.execute(insert.from_select(["game_id"], theirs).on_conflict_do_nothing())


def all_due(connection: Connection) -> None:
    """Queue all games, oldest first."""
    connection.execute(delete(settings_table).where(settings_table.c.name == LAST))


def last_looked_at(connection: Connection) -> int:
    """The last game, in the order of intake, that was looked at; 0 if none was."""
    return int(settings.get(connection, LAST) or 0)
