"""The interface of every archive, whichever database holds it."""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Final, Self

from sqlalchemy import Connection as Connection  # noqa: PLC0414 - the type of what `reading` and `writing` give, for other rooms
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from daemon.archive.database import key_version, settings
from daemon.archive.database.engine import Engines
from daemon.archive.database.schema import Schema, needs_upgrade, require
from daemon.archive.errors import ArchiveBusy, KeysChanged, SchemaTooOld
from daemon.archive.games.cache import REVOKED, KnownIds
from daemon.logs import get_logger

log = get_logger(__name__)

BuildReport = Callable[[int, int], None]
"""Hears how many indexes are built, and of how many."""

UNHEARD: Final[BuildReport] = lambda _done, _total: None  # noqa: E731 - a value, where others are given


class Archive(ABC):
    """One archive, for one process. Threads may share it: they read side by side and write one after another.

    Attributes:
        where: Path or URL without its password, for messages.
        known: Ids that the writing side remembers between batches; touched only inside `writing`.
    """

    def __init__(self, where: str, engines: Engines, *, busy_ms: int, schema: Schema) -> None:
        self.where = where
        self.known = KnownIds()
        self._engines = engines
        self._busy_ms = busy_ms
        self._schema = schema
        self._turn = threading.Lock()
        self._writer: int | None = None
        self._revoked: str | None = None

    @property
    def dialect(self) -> str:
        """``sqlite`` or ``postgresql``."""
        return self._engines.write.dialect.name

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction that writes; nobody else writes meanwhile.

        It is stored when the block ends without an error.

        Raises:
            ArchiveBusy: another process wrote for too long.
            SchemaTooOld, SchemaTooNew: the archive has another schema than this program.
            KeysChanged: its keys were made again by other rules, while we ran.
            ArchiveError: whatever else is wrong, see `daemon.archive.errors`; nothing was stored.
        """
        with self._writing() as connection:
            stored = settings.get_all(connection, key_version.VERSION, key_version.MADE_WITH, REVOKED)
            key_version.require(stored)
            if stored.get(REVOKED) != self._revoked:
                self.known.forget()
                self._revoked = stored.get(REVOKED)
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """Like `writing`, whatever rules the keys were made by."""
        with self._our_turn(), self._engines.write.begin() as connection:
            self._lock_out_writers(connection)
            require(connection, self._schema)
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One transaction that sees the archive as it is at its first query, and cannot write."""
        try:
            connection = self._engines.read.connect()
        except NoConnectionFree as error:
            raise ArchiveBusy(f"too many readers of {self.where} at once; try again") from error
        with connection:
            yield connection

    @contextmanager
    def _our_turn(self) -> Iterator[None]:
        if self._writer == threading.get_ident():
            raise RuntimeError(
                "writing() inside writing(): the inner block would wait for the outer one for ever"
            )
        if not self._turn.acquire(timeout=self._busy_ms / 1000):
            raise ArchiveBusy(f"another thread keeps writing to {self.where}; try again when it is done")
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
        """Make the archive if there is none; bring an older one to our schema and our keys.

        True if any of this was done. A file is copied before it is changed. Whatever happens to the process,
        the archive is as it was or as it should be.

        Raises:
            SchemaTooNew: a newer gamekeeper wrote it.
            Damaged: there is a file, but no archive in it. It is never replaced.
            MigrationFailed: the old schema is still there.
        """
        migrated = self._migrate_schema()
        self.complete_indexes()
        with self.reading() as connection:
            confirmed = key_version.are_confirmed(connection)
        return migrated if confirmed else self._confirm_keys() or migrated

    def require_readable(self, *, keys_of_ours: bool = False) -> None:
        """Check that the archive has our schema, so that it can be read unchanged. A missing one is made.

        Keys by other rules matter only if the keys themselves are read: *keys_of_ours*.

        Raises:
            SchemaTooOld: it would have to be migrated, which a reader does not do.
            SchemaTooNew: a newer gamekeeper wrote it.
            KeysChanged: its keys are by other rules.
        """
        if not self._is_made():
            self.migrate()
        with self.reading() as connection:
            if needs_upgrade(connection, self._schema):
                raise SchemaTooOld(
                    f"{self.where} is the archive of an older gamekeeper, and reading does not change it; whatever writes "
                    "brings it to this version (`gamekeeper sync`, `import`, `backup`, or the daemon when it is restarted)"
                )
            if keys_of_ours and key_version.made_by_others(connection) is not None:
                raise KeysChanged(
                    f"players and games in {self.where} were recognised by other rules; whatever writes brings them to "
                    "ours (`gamekeeper backup`, or the daemon when it is restarted)"
                )

    @abstractmethod
    def _is_made(self) -> bool:
        """Whether there is an archive."""

    def _confirm_keys(self) -> bool:
        """Check that all keys are made by our rules; True if they had to be made again."""
        with self._writing() as connection:
            others = key_version.made_by_others(connection)
            if others is not None:
                self._rekey(connection, others)
            key_version.confirm(connection)
        return others is not None

    def _rekey(self, connection: Connection, others: str) -> None:
        from daemon.archive.rekey.run import rekey

        log.warning(
            "players and games were recognised by other rules; all are looked at again, which may take minutes",
            archive=self.where,
            before=others,
        )
        backup = self._back_up_before("keys")
        started = time.monotonic()
        done = rekey(connection)
        seconds = round(time.monotonic() - started, 1)
        log.warning("players and games are recognised again", seconds=seconds, backup=backup, **asdict(done))

    @contextmanager
    def repairing(self) -> Iterator[Connection]:
        """Like `writing`, for repairs of what is stored: a file is copied before."""
        with self.writing() as connection:
            self._back_up_before("verify")
            yield connection

    @abstractmethod
    def _back_up_before(self, what: str) -> Path | None:
        """Copy the archive as it is, beside it; None if that is up to the owner of the database."""

    @abstractmethod
    def _migrate_schema(self) -> bool:
        """`migrate` without the keys."""

    @abstractmethod
    def check(self, *, thorough: bool = False) -> list[str]:
        """What the database itself finds wrong in its pages; empty if nothing. Reads everything.

        30 s a gigabyte.

        *thorough*: also check that the indexes agree with the tables.
        """

    @abstractmethod
    def optimize(self) -> None:
        """Let the database count its rows, so that it finds the quickest plans. Takes a moment at most."""

    @abstractmethod
    def claim(self) -> None:
        """Become the daemon of this archive, or remain it. Called by `daemon.archive.lock`.

        Raises:
            AlreadyRunning: another process is.
        """

    def require_claimed(self) -> None:  # noqa: B027 - a server has no file that could go
        """If this process is the daemon of the archive, check that the archive is still there. Cheap.

        A look at its file.

        Raises:
            Gone: it is not.
        """

    @abstractmethod
    def release(self) -> None:
        """Stop being its daemon."""

    @abstractmethod
    def importing(
        self, *, alone: bool = False, games: int = 0, new_files: bool = False, report: BuildReport = UNHEARD
    ) -> AbstractContextManager[None]:
        """Let others know that an import runs, as long as the block lasts or its process lives.

        *alone*: this process does nothing else, and may take memory for it. *games*: so many may come that are new, and
        no daemon works on the archive; *new_files*: it knows none of their files. Before a large number a file loses the indexes that intake does not need; after
        the block they are built, of which *report* hears.
        """

    def lacks_indexes(self) -> bool:
        """Whether an import has left out indexes that are not built yet: answers are right, and come slowly."""
        return False

    def complete_indexes(self, report: BuildReport = UNHEARD) -> bool:  # noqa: ARG002 - only files do without
        """Build the indexes that are missing, unless an import runs, which will; True if any was built.

        What keeps them from being built is logged: the next one who opens the archive to write tries again.
        """
        return False

    @abstractmethod
    def no_imports(self) -> AbstractContextManager[bool]:
        """Whether no import runs, in any process. If so, none begins before the block ends."""

    def close(self) -> None:
        """Close all connections. The archive may be used again: they are opened when needed."""
        self._engines.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
