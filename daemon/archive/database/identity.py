"""The id of an archive, given once: it distinguishes its backups from those of another archive."""

import secrets
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from daemon.archive.database import settings
from daemon.archive.database.engine import sqlite_driver

ARCHIVE_ID: Final = "archive_id"


def give(connection: Connection) -> str:
    """The archive's id; if it has none, it gets one in this transaction, which writes."""
    found = settings.get(connection, ARCHIVE_ID)
    if found is None:
        found = secrets.token_hex(8)
        settings.put(connection, ARCHIVE_ID, found)
    return found


def of_copy(path: Path) -> str | None:
    """The id of the archive that the closed file *path* is a copy of.

    None if it has none, or cannot be read.
    """
    driver = sqlite_driver()
    try:
        with closing(driver.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as reader:
            found = reader.execute("SELECT value FROM settings WHERE name = ?", (ARCHIVE_ID,)).fetchone()
    except driver.Error:
        return None
    return None if found is None else str(found[0])


def is_deleted(file: tuple[int, int]) -> bool:
    """Whether this process still has *file* open although its name is gone.

    False if there is no /proc. No file is opened for it: when a process closes a file it loses its locks on
    it, SQLite's too.
    """
    for handle in Path("/proc/self/fd").glob("*"):
        try:
            found = handle.stat()
        except OSError:
            continue
        if (found.st_dev, found.st_ino) == file and found.st_nlink == 0:
            return True
    return False
