"""What every archive can do, whichever database holds it."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from daemon.archive import keys
from daemon.archive import schema as schemas
from daemon.archive.engine import Engines
from daemon.archive.errors import ArchiveBusy
from daemon.archive.known import Known
from daemon.archive.schema import Schema

log = structlog.get_logger(__name__)


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

    def migrate(self) -> bool:
        """Make the archive if there is none, bring an older one to our schema; True if anything was done.

        Raises:
            SchemaTooNew: a newer gamekeeper wrote it.
            Damaged: there is a file, but no archive in it. It is never replaced.
            MigrationFailed: the old schema is still there.
        """
        migrated = self._migrate_schema()
        with self.reading() as connection:
            confirmed = keys.are_confirmed(connection)
        if not confirmed:
            self._confirm_keys()
        return migrated

    def _confirm_keys(self) -> None:
        with self.writing() as connection:
            differing = keys.confirm(connection)
        if differing is not None:
            stored, current = differing
            log.warning(
                "players in this archive are known by other rules than ours: some may appear twice from now on",
                archive=self.where,
                made_by=stored,
                ours=current,
            )

    @abstractmethod
    def _migrate_schema(self) -> bool:
        """`migrate` but for the keys."""

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
