"""An archive in one SQLite file."""

import stat
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import structlog
from sqlalchemy import Connection

from daemon.archive import backups
from daemon.archive import schema as schemas
from daemon.archive.base import Archive
from daemon.archive.copying import copy_database
from daemon.archive.engine import sqlite_engine, sqlite_engines
from daemon.archive.errors import Damaged, NotReadable
from daemon.archive.faults import explain_sqlite
from daemon.archive.places import folder_to_ourselves, new_file, refuse_network, shared_lock, sole_lock
from daemon.archive.schema import Schema

log = structlog.get_logger(__name__)


class FileArchive(Archive):
    """An archive in one SQLite file, *path*."""

    def __init__(self, path: Path, *, busy_ms: int, schema: Schema) -> None:
        self.path = path.expanduser()
        refuse_network(self.path)
        self._explain = explain_sqlite(str(self.path), self._advice)
        engines = sqlite_engines(self.path, self._explain, busy_ms=busy_ms)
        super().__init__(str(self.path), engines, busy_ms=busy_ms, schema=schema)

    def _lock_out_writers(self, connection: Connection) -> None:
        """BEGIN IMMEDIATE has done it."""

    def claim(self) -> None:
        """The lock in the data folder, where the file lies, is enough."""

    def release(self) -> None:
        """See `claim`."""

    def importing(self) -> AbstractContextManager[None]:
        return shared_lock(self._imports)

    def no_imports(self) -> AbstractContextManager[bool]:
        return sole_lock(self._imports)

    @property
    def _imports(self) -> Path:
        """The file that imports lock."""
        return self.path.with_name(self.path.name + ".imports")

    def _advice(self) -> str:
        newest = backups.newest(self.path)
        if newest is None:
            return ". There is no backup beside it; `gamekeeper restore FILE` takes one from elsewhere"
        return f". The newest backup is {newest}: `gamekeeper restore {newest}` brings it back"

    def backups(self) -> list[Path]:
        """The copies beside the archive that were made before it was changed, oldest first."""
        return backups.copies_before(self.path)

    def _migrate_schema(self) -> bool:
        size = self._size()
        if size is None:
            return self._make()
        if size == 0:
            raise Damaged(f"{self.path} is empty, and no archive ever is{self._advice()}")
        with self.reading() as connection:
            if not schemas.needs_upgrade(connection, self._schema):
                return False
        return self._upgrade()

    def _size(self) -> int | None:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        except OSError as error:
            what = f"{self.path} cannot be used ({error.strerror}); see that this user may use its folder"
            raise NotReadable(what) from error
        if not stat.S_ISREG(found.st_mode):
            raise NotReadable(f"{self.path} is no file; move it away, or choose another data_dir")
        return found.st_size

    def _make(self) -> bool:
        """Build a whole archive beside, then give it its name: no half-made archive is ever found."""
        with folder_to_ourselves(self.path.parent):
            if self.path.exists():
                return False
            unfinished = self.path.with_name(self.path.name + ".new")
            new_file(unfinished)
            engine = sqlite_engine(unfinished, self._explain, busy_ms=self._busy_ms)
            with engine.begin() as connection:
                schemas.upgrade(connection, self._schema)
            engine.dispose()
            unfinished.replace(self.path)
        log.info("archive made", path=str(self.path), schema=self._schema.head)
        return True

    def _upgrade(self) -> bool:
        """The backup is made after BEGIN IMMEDIATE: it holds exactly what the migration starts from.

        Foreign keys are off, since a table that is altered is copied, and dropping the old one would cascade.
        """
        self.close()
        engine = sqlite_engine(self.path, self._explain, foreign_keys=False, busy_ms=self._busy_ms)
        with engine.begin() as connection:
            if not schemas.needs_upgrade(connection, self._schema):
                return False  # another process was quicker
            backup = self._back_up_before(self._schema.head)
            schemas.upgrade(connection, self._schema)
        log.info("archive migrated", path=str(self.path), schema=self._schema.head, backup=str(backup))
        return True

    def _back_up_before(self, what: str) -> Path | None:
        made = self.backup(self.path.with_name(backups.before_name(self.path, what)))
        for gone in backups.prune_before(self.path):
            log.info("older copy taken away", path=str(gone))
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

    def check(self, *, thorough: bool = False) -> list[str]:
        with self.reading() as connection:
            pragma = "PRAGMA integrity_check" if thorough else "PRAGMA quick_check"
            found = connection.exec_driver_sql(pragma).scalars().all()
        return [] if found == ["ok"] else [str(line) for line in found]
