"""What has been taken in from a folder or a file."""

from collections.abc import Iterable

from sqlalchemy import Connection, func, or_, select
from typing_extensions import TypedDict

from daemon.archive.reading.times import rfc3339
from daemon.archive.tables.main import files


class FolderRead(TypedDict):
    """A folder of the configuration: *files* of it are in the archive, the last one since *last_read*."""

    path: str
    files: int
    last_read: str | None


def folders_read(connection: Connection, paths: Iterable[str]) -> list[FolderRead]:
    """What was taken in from each of these folders or files, packed files in them included."""
    return [_read(connection, path) for path in paths]


def _read(connection: Connection, path: str) -> FolderRead:
    below = f"{path.rstrip('/')}/"
    inside = or_(files.c.path == path, func.substr(files.c.path, 1, len(below)) == below)
    count, last = connection.execute(select(func.count(), func.max(files.c.imported_at)).where(inside)).one()
    return {"path": path, "files": count, "last_read": rfc3339(last)}
