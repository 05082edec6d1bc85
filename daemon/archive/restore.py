"""Puts a backup in the place of an archive's file.

The backup is copied, checked and brought to our schema beside the archive first; then names are changed. The
old archive stays under another name, whatever state it is in.
"""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import func, select

from daemon.archive.database import backup_names, settings
from daemon.archive.database.copy import copy_database
from daemon.archive.database.driver_errors import explain_sqlite
from daemon.archive.database.engine import sqlite_driver
from daemon.archive.database.files import give_name, logs_of, move_aside, remove_database, sync_file
from daemon.archive.database.schema import CURRENT, Schema, version
from daemon.archive.errors import AlreadyRunning, ArchiveError, BadCopy, Damaged, NotReadable
from daemon.archive.lock import no_daemon
from daemon.archive.sqlite import RESTORED, FileArchive
from daemon.archive.tables.main import games
from daemon.logs import get_logger

log = get_logger(__name__)

_BUSY_MS: Final = 5_000


@dataclass(frozen=True, slots=True)
class ReadyCopy:
    """A copy of a backup that is ready to take the archive's place.

    Attributes:
        path: Where it is.
        schema: The schema that the backup had.
        games: How many it contains.
    """

    path: Path
    schema: str
    games: int


class _Copy(FileArchive):
    """An archive that was copied from a backup: it needs no further backup before it is migrated."""

    def _back_up_before(self, what: str) -> Path | None:  # noqa: ARG002 - see `Archive`
        return None

    def no_imports(self) -> AbstractContextManager[bool]:
        """Nobody else knows of it."""
        return nullcontext(True)


@contextmanager
def prepared(
    archive: FileArchive, backup: Path, *, schema: Schema = CURRENT, name: str | None = None
) -> Iterator[ReadyCopy]:
    """A copy of *backup* beside *archive*, checked and with our schema; it is deleted unless it is switched to.

    *name*: of the backup if it is itself a copy with another name; it is noted in what is restored.

    Raises:
        NotReadable: there is no such file.
        Damaged: it is damaged, or not a database.
        SchemaTooNew: a newer gamekeeper wrote it.
        ArchiveError: it is not an archive, or there is no room for the copy.
    """
    _refuse_what_is_none(archive.path, backup)
    copy = archive.path.with_name(archive.path.name + ".restored")
    archive.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    remove_database(copy)  # a restore that was killed
    try:
        _copy(backup, copy)
        yield _brought_up(copy, backup, schema, name or backup.name)
    finally:
        remove_database(copy)


def _refuse_what_is_none(path: Path, backup: Path) -> None:
    try:
        with backup.open("rb") as file:
            head = file.read(16)
        same = path.exists() and backup.samefile(path)
    except OSError as error:
        raise NotReadable(f"{backup} cannot be read: {error.strerror}; name another file") from error
    if same:
        raise ArchiveError(f"{backup} is the archive itself; name a backup of it")
    if head != b"SQLite format 3\0":
        raise Damaged(f"{backup} is not an SQLite database, so no backup of an archive; name another file")


def _copy(backup: Path, copy: Path) -> None:
    try:
        copy_database(backup, copy, explain_sqlite(str(backup), lambda: "; name an older backup"))
    except BadCopy as error:
        raise Damaged(f"{backup} is damaged; name an older backup") from error


def _brought_up(copy: Path, backup: Path, schema: Schema, name: str) -> ReadyCopy:
    with _Copy(copy, busy_ms=_BUSY_MS, schema=schema) as archive:
        with archive.reading() as connection:
            before = version(connection)
            astray = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if before is None:
            raise ArchiveError(f"{backup} is not an archive of gamekeeper; name a backup of one")
        if astray is not None:
            raise Damaged(f"{backup} is damaged: rows of {astray[0]} point nowhere; name an older backup")
        archive.migrate()
        with archive.writing() as connection:
            settings.put(connection, RESTORED, name)
            count = connection.scalar(select(func.count()).select_from(games)) or 0
    _into_one_file(copy)
    return ReadyCopy(copy, before, count)


def _into_one_file(path: Path) -> None:
    """Write the log into the file: a name can be given to one file at a time."""
    with closing(sqlite_driver().connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode=DELETE")
    sync_file(path)


@contextmanager
def to_ourselves(archive: FileArchive, folder: Path) -> Iterator[None]:
    """Keep daemons and imports from *archive* and from the data folder *folder* as long as the block lasts.

    Raises:
        AlreadyRunning: one of them runs.
    """
    with ExitStack() as stack:
        stack.enter_context(no_daemon(folder))
        if not stack.enter_context(archive.no_imports()):
            raise AlreadyRunning(f"an import into {archive.where} is running; let it end first, or stop it")
        yield


def switch(archive: FileArchive, ready: ReadyCopy) -> Path | None:
    """Give the prepared copy the archive's name; returns the path of the replaced archive, if there was one.

    Whenever the process is killed, there is a whole archive under the name, or none at all: then the replaced
    one is the newest backup that the next start names.

    Raises:
        Damaged: what is under the name afterwards is not what was prepared.
    """
    archive.close()
    path = archive.path
    aside = _kept(path)
    give_name(ready.path, path)
    _look_again(archive, ready, aside)
    for gone in backup_names.prune_before(path):
        log.info("older copy removed", path=str(gone))
    return aside


def _kept(path: Path) -> Path | None:
    """Rename the database *path*, with its logs and whatever state it is in; None if there is none."""
    aside = path.with_name(backup_names.before_name(path, "restore"))
    if not path.exists():
        return None  # logs that were left alone go aside when the name is given
    with suppress(sqlite_driver().Error), closing(sqlite_driver().connect(path)) as connection:
        # A damaged archive, or one that somebody reads, keeps its log: that goes with it.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    if logs_of(path):
        move_aside(path, aside)
        return aside
    try:
        os.link(path, aside)
    except OSError:
        # A file system without hard links, or another reason that renaming may not have.
        path.rename(aside)
    return aside


def _look_again(archive: FileArchive, ready: ReadyCopy, aside: Path | None) -> None:
    """Check, under the archive's own name, that it is whole and is what was prepared."""
    try:
        with archive:
            faults = archive.check()
            with archive.reading() as connection:
                count = connection.scalar(select(func.count()).select_from(games))
    except ArchiveError as error:
        faults, count = [str(error)], None
    if faults or count != ready.games:
        found = faults[0] if faults else f"the number of its games is {count} instead of {ready.games}"
        kept = "" if aside is None else f". The archive before is kept as {aside}"
        raise Damaged(
            f"{archive.path} is not what was restored ({found}); restore it again on a sound disk{kept}"
        )
