"""The archive as the program holds it: transactions, migration, backup, check."""

import os
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, Self

import structlog
from sqlalchemy import Connection, make_url, text
from sqlalchemy.exc import ArgumentError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from daemon.archive import schema as schemas
from daemon.archive.engine import Engines, postgresql_engines, sqlite_driver, sqlite_engine, sqlite_engines
from daemon.archive.errors import AlreadyRunning, ArchiveBusy, ArchiveError, Damaged, Unreachable
from daemon.archive.faults import explain_sqlite
from daemon.archive.known import Known
from daemon.archive.places import folder_to_ourselves, new_file, refuse_network
from daemon.archive.schema import CURRENT, Schema

log = structlog.get_logger(__name__)

FILE_NAME: Final = "gamekeeper.sqlite"
"""The archive's file in the data folder."""

BUSY_MS: Final = 30_000
"""How long a writer waits for another one: an import's batches leave gaps, but no fair ones."""

Transaction = Connection
"""What `Archive.writing` and `Archive.reading` hand out, for those who pass it on and know no SQLAlchemy."""

_WRITERS: Final = 0x67616D65  # "game": the advisory lock of a transaction that writes
_DAEMON: Final = 0x6B656570  # "keep": the advisory lock of the daemon
_HOLDER: Final = """
    SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = :key AND l.objsubid = 1
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


def open_archive(where: str | Path, *, busy_ms: int = BUSY_MS, schema: Schema = CURRENT) -> "Archive":
    """The archive at *where*: a SQLite file, or a URL ``postgresql+psycopg://…``. Nothing is read or made yet.

    Raises:
        NetworkFolder: the file would lie on a network file system.
        ArchiveError: the URL is none of ours, or psycopg is missing.
    """
    if isinstance(where, Path) or "://" not in where:
        return FileArchive(Path(where), busy_ms=busy_ms, schema=schema)
    return ServerArchive(where, busy_ms=busy_ms, schema=schema)


class Archive(ABC):
    """One archive, for one process. Threads may share it: they read side by side and write one after another.

    Attributes:
        where: path or URL without its password, for messages.
        known: ids that the writing side remembers between batches; touched only inside `writing`.
    """

    def __init__(self, where: str, engines: Engines, *, busy_ms: int, schema: Schema) -> None:
        self.where = where
        self.known = Known()
        self._engines = engines
        self._busy_ms = busy_ms
        self._schema = schema
        self._turn = threading.Lock()
        self._writer: int | None = None

    @property
    def dialect(self) -> str:
        """``sqlite`` or ``postgresql``."""
        return self._engines.write.dialect.name

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction that writes; nobody else writes meanwhile. It is stored when the block ends without an error.

        Raises:
            ArchiveBusy: another process wrote for too long.
            SchemaTooOld, SchemaTooNew: the archive has another schema than this program.
            ArchiveError: whatever else is wrong, see `daemon.archive.errors`; nothing was stored.
        """
        with self._our_turn(), self._engines.write.begin() as connection:
            self._lock_out_writers(connection)
            schemas.require(connection, self._schema)
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One transaction that sees the archive as it is at its first query, and cannot write."""
        try:
            connection = self._engines.read.connect()
        except NoConnectionFree as error:
            raise ArchiveBusy(f"too many readers of {self.where} at once") from error
        with connection:
            yield connection

    @contextmanager
    def _our_turn(self) -> Iterator[None]:
        if self._writer == threading.get_ident():
            raise RuntimeError(
                "writing() inside writing(): the inner block would wait for the outer one for ever"
            )
        if not self._turn.acquire(timeout=self._busy_ms / 1000):
            raise ArchiveBusy(f"another thread keeps writing to {self.where}")
        self._writer = threading.get_ident()
        try:
            yield
        except BaseException:
            # Whatever was rolled back, or was not committed: what was remembered of it does not exist.
            self.known.forget()
            raise
        finally:
            self._writer = None
            self._turn.release()

    @abstractmethod
    def _lock_out_writers(self, connection: Connection) -> None:
        """Wait until no other process writes."""

    @abstractmethod
    def migrate(self) -> bool:
        """Make the archive if there is none, bring an older one to our schema; True if anything was done.

        Raises:
            SchemaTooNew: a newer gamekeeper wrote it.
            Damaged: there is a file, but no archive in it. It is never replaced.
            MigrationFailed: the old schema is still there.
        """

    @abstractmethod
    def check(self) -> list[str]:
        """What the database itself finds wrong in its pages; empty if nothing. Reads everything: 30 s a gigabyte."""

    @abstractmethod
    def claim(self) -> None:
        """Be the daemon of this archive, or go on being it. Called by `daemon.archive.lock`.

        Raises:
            AlreadyRunning: another process is.
        """

    @abstractmethod
    def release(self) -> None:
        """Be its daemon no longer."""

    def close(self) -> None:
        """Close all connections. The archive may be used again: they are opened when needed."""
        self._engines.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


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

    def _advice(self) -> str:
        backups = self.backups()
        return f". The newest backup is {backups[-1]}" if backups else ". There is no backup beside it"

    def backups(self) -> list[Path]:
        """The backups beside the archive, oldest first."""
        return sorted(
            self.path.parent.glob(f"{self.path.name}.before-*"), key=lambda path: path.stat().st_mtime
        )

    def migrate(self) -> bool:
        if not self.path.exists():
            return self._make()
        if self.path.stat().st_size == 0:
            raise Damaged(f"{self.path} is empty, and no archive ever is{self._advice()}")
        with self.reading() as connection:
            if not schemas.needs_upgrade(connection, self._schema):
                return False
        return self._upgrade()

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
            stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
            backup = self.backup(self.path.with_name(f"{self.path.name}.before-{self._schema.head}.{stamp}"))
            schemas.upgrade(connection, self._schema)
        log.info("archive migrated", path=str(self.path), schema=self._schema.head, backup=str(backup))
        return True

    def backup(self, target: Path) -> Path:
        """Copy the archive as it is now to *target*, whole or not at all; others may go on writing.

        Raises:
            DiskFull: there is no room for the copy.
            ReadOnly: no file can be made there.
        """
        unfinished = target.with_name(target.name + ".part")
        new_file(unfinished)
        driver = sqlite_driver()
        try:
            with (
                closing(driver.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True)) as source,
                closing(driver.connect(unfinished)) as copy,
            ):
                source.backup(copy)
            with unfinished.open("rb") as file:
                os.fsync(file.fileno())
        except driver.Error as error:
            unfinished.unlink()
            raise self._explain(error) or ArchiveError(f"no backup could be made: {error}") from error
        unfinished.replace(target)
        return target

    def check(self) -> list[str]:
        with self.reading() as connection:
            found = connection.exec_driver_sql("PRAGMA quick_check").scalars().all()
        return [] if found == ["ok"] else [str(line) for line in found]


class ServerArchive(Archive):
    """An archive on a PostgreSQL server."""

    def __init__(self, url: str, *, busy_ms: int, schema: Schema) -> None:
        try:
            parsed = make_url(url)
        except ArgumentError as error:
            raise ArchiveError(
                "the database URL cannot be read; it looks like postgresql+psycopg://user@host/name"
            ) from error
        if parsed.drivername not in {"postgresql", "postgresql+psycopg"}:
            raise ArchiveError(
                f"no database of the kind {parsed.drivername}; there are SQLite and postgresql+psycopg://"
            )
        parsed = parsed.set(drivername="postgresql+psycopg")
        where = parsed.render_as_string(hide_password=True)
        super().__init__(where, postgresql_engines(parsed), busy_ms=busy_ms, schema=schema)
        self._claim: Connection | None = None

    def claim(self) -> None:
        if self._claim is None or not self._still_held(self._claim):
            self.release()
            connection = self._engines.read.connect()
            if not connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": _DAEMON}):
                holder = connection.scalar(text(_HOLDER), {"key": _DAEMON}) or "unknown"
                connection.close()
                raise AlreadyRunning(f"another gamekeeper works on {self.where} already ({holder})")
            # The lock is the session's; no transaction stays open behind it.
            connection.rollback()
            self._claim = connection

    def _still_held(self, connection: Connection) -> bool:
        """A connection that the server has cut holds nothing any more."""
        try:
            held = connection.scalar(text(_HOLDER + " AND a.pid = pg_backend_pid()"), {"key": _DAEMON})
            connection.rollback()
        except Unreachable:
            return False
        return held is not None

    def release(self) -> None:
        if self._claim is not None:
            # The pool would keep the session, and with it the lock.
            self._claim.invalidate()
            self._claim.close()
            self._claim = None

    def close(self) -> None:
        self.release()
        super().close()

    def _lock_out_writers(self, connection: Connection) -> None:
        # SET takes no parameters; an int is safe.
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = {int(self._busy_ms)}")
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _WRITERS})
        connection.exec_driver_sql("SET LOCAL lock_timeout = 0")

    def migrate(self) -> bool:
        with self.reading() as connection:
            encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
            if encoding != "UTF8":
                raise ArchiveError(f"the database {self.where} is encoded in {encoding}; it must be UTF8")
            if not schemas.needs_upgrade(connection, self._schema):
                return False
        with self._our_turn(), self._engines.write.begin() as connection:
            self._lock_out_writers(connection)
            if not schemas.needs_upgrade(connection, self._schema):
                return False
            schemas.upgrade(connection, self._schema)
        log.info("archive migrated", database=self.where, schema=self._schema.head)
        return True

    def check(self) -> list[str]:
        """PostgreSQL checks its pages whenever it reads them; there is nothing to ask for here."""
        return []
