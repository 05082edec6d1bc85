"""An import of a few games as a large one, which writes down how far it is: run as a program by `test_power_cut.py`.

    python tests/daemon/marked_import.py ARCHIVE PGN MARKS

After each transaction a line goes to the file MARKS: how many games and tellings are stored, and how many indexes are there.
"""

import os
import sys

from sqlalchemy import Engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry, Pool

from daemon.archive import sqlite
from daemon.archive.archive import open_archive
from daemon.archive.database.engine import Room
from daemon.imports.run import import_paths
from tests.daemon.killed import let_few_be_many

STATE = (
    "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM tellings), "
    "(SELECT count(*) FROM sqlite_schema WHERE type = 'index')"
)


def mark_in(path: str) -> None:
    """Write the state of the archive into this file after each transaction that was stored."""
    marks = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)

    @event.listens_for(Pool, "checkin")
    def _mark(connection: DBAPIConnection, entry: ConnectionPoolEntry) -> None:
        if entry.info.pop("written", False):
            cursor = connection.cursor()
            cursor.execute(STATE)
            os.write(marks, (" ".join(map(str, cursor.fetchone() or ())) + "\n").encode())
            cursor.close()

    @event.listens_for(Engine, "commit")
    def _commit(connection: object) -> None:
        connection.info["written"] = True  # type: ignore[attr-defined]


if __name__ == "__main__":
    let_few_be_many()
    # Little of either, so that pages go into the log and into the file while the import runs.
    sqlite.IMPORTING = Room(cache=512, log=150)  # type: ignore[misc, attr-defined]
    where, pgn, marks = sys.argv[1:]
    mark_in(marks)
    with open_archive(where) as archive:
        print(import_paths(archive, [pgn], parsers=1))
