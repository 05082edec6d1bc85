"""The indexes that a large import does without: dropped before its first game, built after its last.

Kept up game by game, each of some twenty indexes has other pages written for each transaction; built at the end, each
is sorted and written once. What intake looks things up by stays, and so does all that must be unique; readers get the same
answers meanwhile, more slowly.

Dropping is one transaction, which also notes in `settings` how to make each. Each is built in one of its own, so that it is
there, whatever happens to the process before the next one is. What is missing is seen in the schema itself. SQLite alone.
"""

import json
from collections.abc import Iterator
from typing import Final

from sqlalchemy import Connection, Index
from sqlalchemy.schema import CreateIndex

from daemon.archive.database import settings
from daemon.archive.database.new_ids import first_free
from daemon.archive.database.schema import CURRENT, version
from daemon.archive.tables.main import files, games, metadata, tellings

DROPPED: Final = "indexes_dropped"
"""The setting with the statements that make the indexes that were dropped, by their names, as JSON."""

FIRST_BY_GAME: Final = "files_by_game"
"""The setting with the id of the first file whose tellings are found by their games as long as `_BY_FILE` is missing."""

_BY_FILE: Final = "uq_tellings_file"
"""The index that tellings of a file are found by; random as digests are, it has a page written for nearly each game."""

MISSING: Final = "missing index"
"""What a fault begins with that is an index which the archive should have."""

_OF_INTAKE: Final = frozenset({"ix_tellings_told_key"})
"""Indexes that need not be unique, and that intake looks things up by."""

FEWEST: Final = 100_000
"""Fewer games than this cost more to sort afterwards than their indexes cost to keep up."""


def pays(games_to_come: int, games_stored: int) -> bool:
    """Whether an import of so many games is quicker without these indexes, though it has to sort those of all games after it.

    Measured (`benchmarks.growth`): to keep them up costs 12 µs a game among 200,000 and 34 µs among a million, to build
    them 10 µs for each game of the archive.
    """
    return games_to_come >= max(FEWEST, games_stored)


def droppable(*, new_files: bool = False) -> list[Index]:
    """The indexes of games and tellings that intake neither needs nor has to keep unique.

    *new_files*: it reads only files that the archive does not know. Then each of their tellings is found by its game: what
    has the same bytes has the same key.
    """
    its = (index for table in (games, tellings) for index in table.indexes)
    further = {_BY_FILE} if new_files else set()
    kept = (one for one in its if (one.unique or one.name in _OF_INTAKE) and one.name not in further)
    return sorted({*games.indexes, *tellings.indexes}.difference(kept), key=_name)


def drop(connection: Connection, *, new_files: bool = False) -> int:
    """Drop them, and note how they are made; returns how many."""
    names = {_name(index) for index in droppable(new_files=new_files)}
    if new_files and first_by_game(connection) is None:
        settings.put(connection, FIRST_BY_GAME, str(first_free(connection, files)))
    made = {name: statement for name, statement in _present(connection).items() if name in names}
    settings.put(connection, DROPPED, json.dumps(_noted(connection) | made))
    for name in made:
        connection.exec_driver_sql(f'DROP INDEX "{name}"')
    return len(made)


def first_by_game(connection: Connection) -> int | None:
    """From which file on tellings are found by their games, while the index of files and digests is missing."""
    noted = settings.get(connection, FIRST_BY_GAME)
    return None if noted is None else int(noted)


def missing(connection: Connection) -> list[str]:
    """The names of the indexes that were dropped, or that the tables of this program have and the archive has not."""
    ours = version(connection) == CURRENT.head
    wanted = {_name(index) for index in _all()} if ours else _noted(connection).keys()
    return sorted(wanted - _present(connection).keys())


def build(connection: Connection, name: str) -> None:
    """Build an index that is missing, as it was before it was dropped or as the tables say."""
    noted = _noted(connection)
    statement = noted.pop(name, None) or _statement(connection, name)
    if name not in _present(connection):  # another process may have been quicker
        connection.exec_driver_sql(statement)
    if name == _BY_FILE:
        settings.drop(connection, FIRST_BY_GAME)
    if noted:
        settings.put(connection, DROPPED, json.dumps(noted))
    else:
        settings.drop(connection, DROPPED)


def build_noted(connection: Connection) -> None:
    """Build all that were dropped, whatever schema the archive has: a migration expects them."""
    for name in sorted(_noted(connection)):
        build(connection, name)


def _noted(connection: Connection) -> dict[str, str]:
    found: dict[str, str] = json.loads(settings.get(connection, DROPPED) or "{}")
    return found


def _present(connection: Connection) -> dict[str, str]:
    """The indexes that a statement made, by their names, with it."""
    found = connection.exec_driver_sql(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
    )
    return {row.name: row.sql for row in found}


def _statement(connection: Connection, name: str) -> str:
    index = next(one for one in _all() if _name(one) == name)
    return str(CreateIndex(index).compile(dialect=connection.dialect))


def _all() -> Iterator[Index]:
    return (index for table in metadata.tables.values() for index in table.indexes)


def _name(index: Index) -> str:
    return str(index.name)
