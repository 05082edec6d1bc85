"""An archive in one SQLite file."""

import stat
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from daemon.archive.base import UNHEARD, Archive, BuildReport
from daemon.archive.database import backup_names, identity, indexes, settings
from daemon.archive.database.bulk import next_id
from daemon.archive.database.copy import copy_connection, copy_database
from daemon.archive.database.driver_errors import explain_sqlite
from daemon.archive.database.engine import (
    FILE,
    IMPORTING,
    WRITING,
    inode,
    resize,
    sqlite_engine,
    sqlite_engines,
)
from daemon.archive.database.files import give_name, logs_of, new_file
from daemon.archive.database.filesystem import folder_to_ourselves, refuse_network, shared_lock, sole_lock
from daemon.archive.database.row_counts import count_rows
from daemon.archive.database.schema import Schema, needs_upgrade, upgrade
from daemon.archive.errors import ArchiveError, ArchiveGone, Damaged, NotReadable
from daemon.archive.tables.main import games
from daemon.logs import get_logger

log = get_logger(__name__)


RESTORED: Final = "restored_from"
"""The setting with the name of the backup that the archive was restored from."""


class FileArchive(Archive):
    """An archive in one SQLite file, *path*; its backups are in *backup_folder*, or in the usual one."""

    def __init__(
        self, path: Path, *, busy_ms: int, schema: Schema, backup_folder: Path | None = None
    ) -> None:
        self.path = path.expanduser()
        self._backup_folder = backup_folder
        self._claimed: tuple[int, int] | None = None
        self._room = WRITING
        refuse_network(self.path)
        self._explain = explain_sqlite(str(self.path), self._advice)
        engines = sqlite_engines(self.path, self._explain, busy_ms=busy_ms)
        super().__init__(str(self.path), engines, busy_ms=busy_ms, schema=schema)

    def _lock_out_writers(self, connection: Connection) -> None:
        """BEGIN IMMEDIATE has done it; only check that the file still has the name, and set what the writer may take."""
        self._require(connection.info.get(FILE))
        resize(connection, self._room)

    def claim(self) -> None:
        """The lock in the data folder is enough, as long as the file there is still this one.

        Raises:
            Gone: it was deleted, or another file has its name.
        """
        if self._claimed is None:
            self._claimed = inode(self.path)
        self._require(self._claimed)

    def require_claimed(self) -> None:
        if self._claimed is not None:
            self._require(self._claimed)

    def release(self) -> None:
        """See `claim`."""
        self._claimed = None

    def _require(self, file: tuple[int, int] | None) -> None:
        """Check that *file* is what is at `path`."""
        there = inode(self.path)
        if there is None or file is None:
            raise ArchiveGone(
                f"{self.path} was deleted or moved away while it was in use; it is not written to any more"
            )
        if there != file:
            raise ArchiveGone(
                f"{self.path} is another file than before: the archive in use was moved away or deleted, and is not "
                "written to any more; start again to use the one that is there now"
            )

    def close(self) -> None:
        self._save_deleted()
        super().close()

    def _save_deleted(self) -> None:
        """Give the file that we still have open, and that has lost its name, a name."""
        for engine in (self._engines.write, self._engines.read):
            if not engine.pool.checkedin():  # type: ignore[attr-defined] # a QueuePool, see `sqlite_engines`
                continue
            with closing(engine.raw_connection()) as connection:
                file = connection.info.get(FILE)
                if file is not None and file != inode(self.path) and identity.is_deleted(file):
                    self._save(connection.driver_connection)
                    return

    def _save(self, reader: object) -> None:
        target = self.path.with_name(backup_names.before_name(self.path, "deleted"))
        try:
            copy_connection(reader, target, explain_sqlite(str(self.path), lambda: ""))
        except ArchiveError as error:
            log.error("the deleted archive could not be saved", path=str(self.path), error=str(error))  # noqa: TRY400 - logged whole
        else:
            log.error("the archive was deleted; what it held is saved", copy=str(target))

    @contextmanager
    def importing(
        self, *, alone: bool = False, games: int = 0, new_files: bool = False, report: BuildReport = UNHEARD
    ) -> Iterator[None]:
        self._room = IMPORTING if alone else WRITING
        try:
            with shared_lock(self._imports):
                if alone:
                    self._drop_indexes(games, new_files=new_files)
                yield
        except Exception:
            self._complete_indexes(report, log.info)
            raise
        else:
            self._complete_indexes(report, log.info)
        finally:
            self._room = WRITING

    def _drop_indexes(self, to_come: int, *, new_files: bool) -> None:
        """Drop what intake does not need, if the import of so many games is quicker without."""
        # With all that reads games: only an import needs it.
        from daemon.archive.edits.overlay import anything_edited

        with self.reading() as connection:
            if anything_edited(connection) or not indexes.pays(to_come, next_id(connection, games) - 1):
                return
        with self.writing() as connection:
            dropped = indexes.drop(connection, new_files=new_files)
        log.info("indexes are left out until the import ends", indexes=dropped, games_to_come=to_come)

    def lacks_indexes(self) -> bool:
        with self.reading() as connection:
            return bool(indexes.missing(connection))

    def complete_indexes(self, report: BuildReport = UNHEARD) -> bool:
        return self._complete_indexes(report, log.warning)

    def _complete_indexes(self, report: BuildReport, say: Callable[..., None]) -> bool:
        if not self.lacks_indexes():
            return False
        try:
            with self.no_imports() as none:
                return none and self._build_indexes(report, say)
        except ArchiveError as error:
            log.warning("indexes could not be built; the next one who writes tries again", error=str(error))
            return False

    def _build_indexes(self, report: BuildReport, say: Callable[..., None]) -> bool:
        """Build what is missing, each index in a transaction of its own."""
        with self.reading() as connection:
            names = indexes.missing(connection)
        say("building the indexes that an import has left out", archive=self.where, indexes=len(names))
        started = time.monotonic()
        for done, name in enumerate(names):
            report(done, len(names))
            self._build_index(name)
        self.optimize()
        say("the indexes are built", indexes=len(names), seconds=round(time.monotonic() - started, 1))
        return bool(names)

    def _build_index(self, name: str) -> None:
        try:
            with self._writing() as connection:
                indexes.build(connection, name)
        except IntegrityError as error:
            what = f"{name} of {self.where} cannot be built: what has to be unique is there twice"
            raise Damaged(f"{what}; please report this") from error

    def no_imports(self) -> AbstractContextManager[bool]:
        return sole_lock(self._imports)

    @property
    def _imports(self) -> Path:
        """The file that imports lock."""
        return self.path.with_name(self.path.name + ".imports")

    def _advice(self) -> str:
        newest = self.newest_backup()
        if newest is None:
            return ". There is no backup beside it; `gamekeeper restore FILE` takes one from elsewhere"
        return f". The newest backup is {newest}: `gamekeeper restore {newest}` brings it back"

    def newest_backup(self) -> Path | None:
        """The newest backup, or copy made before a change, in the usual places."""
        folders = [] if self._backup_folder is None else [self._backup_folder]
        return backup_names.newest(self.path, folders, self._is_ours)

    def _is_ours(self, backup: Path) -> bool:
        """Whether this backup was made of the archive here. One without a mark counts as ours."""
        marked = backup_names.mark_of(self.path, backup)
        return marked is None or marked == backup_names.mark(self.path, identity.of_copy(backup) or "")

    def saved_copies(self) -> list[Path]:
        """Copies of an archive that was deleted in use, unless this one was restored from one of them or from later."""
        with self.reading() as connection:
            restored = settings.get(connection, RESTORED)
        since = backup_names.made_at(Path(restored or ""))
        return [
            path for path in backup_names.copies_of_deleted(self.path) if backup_names.made_at(path) > since
        ]

    def shelf(self, folder: Path) -> backup_names.BackupShelf:
        """The backups of this archive in *folder*.

        Raises:
            ArchiveError: the archive has no id yet, and cannot be given one.
        """
        with self.reading() as connection:
            own = settings.get(connection, identity.ARCHIVE_ID)
        if own is None:
            with self._writing() as connection:
                own = identity.give(connection)
        return backup_names.BackupShelf(folder, self.path, backup_names.mark(self.path, own))

    def backups(self) -> list[Path]:
        """The copies beside the archive that were made before it was changed, oldest first."""
        return backup_names.copies_before(self.path)

    def _migrate_schema(self) -> bool:
        size = self._size()
        if size is None:
            return self._make()
        if size == 0:
            raise Damaged(f"{self.path} is empty, and no archive ever is{self._advice()}")
        with self.reading() as connection:
            if not needs_upgrade(connection, self._schema):
                return False
        return self._upgrade()

    def _is_made(self) -> bool:
        return bool(self._size())  # an empty file is reported by `migrate`

    def _size(self) -> int | None:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        except OSError as error:
            what = f"{self.path} cannot be used ({error.strerror}); see that this user may use its folder"
            raise NotReadable(what) from error
        if not stat.S_ISREG(found.st_mode):
            raise NotReadable(f"{self.path} is not a file; move it away, or choose another data_dir")
        return found.st_size

    def _make(self) -> bool:
        """Build a whole archive beside, then give it its name: nobody ever finds half an archive."""
        with folder_to_ourselves(self.path.parent):
            if inode(self.path) is not None:
                return False
            self._refuse_gone()
            unfinished = self.path.with_name(self.path.name + ".new")
            new_file(unfinished)
            engine = sqlite_engine(unfinished, self._explain, busy_ms=self._busy_ms)
            with engine.begin() as connection:
                upgrade(connection, self._schema)
                identity.give(connection)
            engine.dispose()
            give_name(unfinished, self.path)
        log.info("archive made", path=str(self.path), schema=self._schema.head)
        return True

    def _refuse_gone(self) -> None:
        """Refuse to make an archive where one was.

        That would hide the loss, and play an old log into the new file.

        Raises:
            Gone: a log or a backup of one is there.
        """
        logs, newest = logs_of(self.path), self.newest_backup()
        if not logs and newest is None:
            return
        left = f"{logs[0].name} is still beside it" if logs else "there are backups of it"
        found = newest or "FILE"
        none = "" if newest else " (there is no backup where they usually are)"
        remedy = "move the logs and backups away, or choose another data_dir"
        raise ArchiveGone(
            f"the archive {self.path} is gone, though {left}. `gamekeeper restore {found}` brings it back{none}; "
            f"to begin with an empty one, {remedy}"
        )

    def _upgrade(self) -> bool:
        """Migrate. The backup is made after BEGIN IMMEDIATE: it is exactly what the migration starts from.

        Foreign keys are off, since a table that is altered is copied, and dropping the old one would cascade.
        """
        self.close()
        engine = sqlite_engine(self.path, self._explain, foreign_keys=False, busy_ms=self._busy_ms)
        with engine.begin() as connection:
            if not needs_upgrade(connection, self._schema):
                return False  # another process was quicker
            backup = self._back_up_before(self._schema.head)
            indexes.build_noted(connection)
            upgrade(connection, self._schema)
            identity.give(connection)  # older programs gave none, and what only reads cannot
        log.info("archive migrated", path=str(self.path), schema=self._schema.head, backup=str(backup))
        return True

    def _back_up_before(self, what: str) -> Path | None:
        made = self.backup(self.path.with_name(backup_names.before_name(self.path, what)))
        for gone in backup_names.prune_before(self.path):
            log.info("older copy removed", path=str(gone))
        return made

    def backup(self, target: Path, *, stop: Callable[[], bool] = lambda: False) -> Path:
        """Copy the archive as it is now to *target*, whole and checked or not at all; others may go on writing.

        Raises:
            DiskFull: there is no room for the copy.
            ReadOnly: no file can be made there.
            BadCopy: what was written is not what is in the archive.
            Stopped: *stop* said so.
        """
        explain = explain_sqlite(f"the copy {target} of {self.path}", self._advice)
        copy_database(self.path, target, explain, stop=stop)
        return target

    def optimize(self) -> None:
        with self.writing() as connection:
            count_rows(connection)

    def check(self, *, thorough: bool = False) -> list[str]:
        with self.reading() as connection:
            pragma = "PRAGMA integrity_check" if thorough else "PRAGMA quick_check"
            found = connection.exec_driver_sql(pragma).scalars().all()
        faults = [] if found == ["ok"] else [str(line) for line in found]
        return [*faults, *self._missing_indexes()] if thorough else faults

    def _missing_indexes(self) -> list[str]:
        """The faults that are indexes which nobody is about to build."""
        with self.reading() as connection:
            names = indexes.missing(connection)
        if not names:
            return []
        with self.no_imports() as none:
            return [f"{indexes.MISSING} {name}" for name in names] if none else []
