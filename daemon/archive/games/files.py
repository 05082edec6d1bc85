"""Files that games were imported from."""

import os
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, select, update

from daemon.archive.database import new_ids
from daemon.archive.games.prepared import digest
from daemon.archive.tables.main import files
from daemon.paths import shown


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file as it was at its last complete import; None everywhere before the first one.

    *content* is a digest (16 bytes) of the whole file, *imported_at* milliseconds since 1970.
    """

    id: int
    path: str
    size: int | None
    modified_ns: int | None
    content: bytes | None
    imported_at: int | None
    encoding: str | None = None


def file_row(connection: Connection, path: str | Path) -> FileRow:
    """The row of the file with this path; made if there is none (so only inside `Archive.writing`)."""
    found = find_file(connection, path)
    if found is not None:
        return found
    (number,) = new_ids.take(connection, files)
    connection.execute(files.insert().values(id=number, digest=_digest(path), path=shown(path)))
    return FileRow(number, shown(path), None, None, None, None)


def find_file(connection: Connection, path: str | Path) -> FileRow | None:
    """The row of the file with this path, None if no import ever began."""
    found = select(
        files.c.id,
        files.c.path,
        files.c.size,
        files.c.modified_ns,
        files.c.content,
        files.c.imported_at,
        files.c.encoding,
    )
    row = connection.execute(found.where(files.c.digest == _digest(path))).first()
    return None if row is None else FileRow(*row)


def record_file(
    connection: Connection, file_id: int, *, size: int, modified_ns: int, content: bytes, now_ms: int
) -> None:
    """Note that the file was imported to its end, as it was then."""
    values = {"size": size, "modified_ns": modified_ns, "content": content, "imported_at": now_ms}
    connection.execute(update(files).where(files.c.id == file_id).values(values))


def note_encoding(connection: Connection, file_id: int, encoding: str) -> None:
    """Note that, as the user says, this file is in *encoding*, until they say another.

    It has to be read again.
    """
    unread = {"size": None, "modified_ns": None, "content": None}
    connection.execute(update(files).where(files.c.id == file_id).values(encoding=encoding, **unread))


def path_of(connection: Connection, file_id: int) -> str:
    """The path of this file."""
    path: str = connection.execute(select(files.c.path).where(files.c.id == file_id)).scalar_one()
    return path


def _digest(path: str | Path) -> bytes:
    return digest(os.fsencode(path))
