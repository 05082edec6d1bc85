"""Opening an archive."""

from pathlib import Path
from typing import Final

from daemon.archive.base import Archive, Connection
from daemon.archive.database.schema import CURRENT, Schema
from daemon.archive.postgresql import ServerArchive
from daemon.archive.sqlite import FileArchive

__all__ = ["BUSY_MS", "Archive", "Connection", "open_archive"]

BUSY_MS: Final = 30_000
"""How long a writer waits for another one: an import leaves gaps between batches, but not fair ones."""


def open_archive(
    where: str | Path,
    *,
    busy_ms: int = BUSY_MS,
    schema: Schema = CURRENT,
    backup_folder: Path | None = None,
) -> Archive:
    """The archive at *where*: a SQLite file, or a URL ``postgresql+psycopg://…``. Nothing is read or made yet.

    *backup_folder* is where backups of a file are, if not in the folder ``backups`` beside it.

    Raises:
        NetworkFolder: the file would be on a network file system.
        ArchiveError: the URL is not supported, or psycopg is missing.
    """
    if isinstance(where, Path) or "://" not in where:
        return FileArchive(Path(where), busy_ms=busy_ms, schema=schema, backup_folder=backup_folder)
    return ServerArchive(where, busy_ms=busy_ms, schema=schema)
