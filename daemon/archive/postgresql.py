"""An archive on a PostgreSQL server."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from sqlalchemy import Connection, make_url, text
from sqlalchemy.exc import ArgumentError

from daemon.archive.base import UNHEARD, Archive, BuildReport
from daemon.archive.database.engine import postgresql_engines
from daemon.archive.database.schema import Schema, needs_upgrade, upgrade, version
from daemon.archive.errors import AlreadyRunning, ArchiveError, DatabaseUnreachable
from daemon.logs import get_logger

log = get_logger(__name__)

_WRITERS: Final = 0x67616D65  # "game": the advisory lock of a transaction that writes
_DAEMON: Final = 0x6B656570  # "keep": the advisory lock of the daemon
_IMPORTS: Final = 0x696D706F  # "impo": the advisory lock that imports share
_HOLDER: Final = """
    SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = :key AND l.objsubid = 1
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


class ServerArchive(Archive):
    """An archive on a PostgreSQL server."""

    def __init__(self, url: str, *, busy_ms: int, schema: Schema) -> None:
        try:
            parsed = make_url(url)
        except (ArgumentError, ValueError) as error:
            raise ArchiveError(
                "the database URL cannot be read; write it like postgresql+psycopg://user@host/name"
            ) from error
        if parsed.drivername not in {"postgresql", "postgresql+psycopg"}:
            raise ArchiveError(
                f"no database of the kind {parsed.drivername}; write postgresql+psycopg://user@host/name, or leave "
                "`database` out for SQLite"
            )
        parsed = parsed.set(drivername="postgresql+psycopg")
        where = parsed.render_as_string(hide_password=True)
        super().__init__(where, postgresql_engines(parsed, busy_ms=busy_ms), busy_ms=busy_ms, schema=schema)
        self._claim: Connection | None = None

    def claim(self) -> None:
        if self._claim is not None and not self._still_held(self._claim):
            self._claim.close()
            self._claim = None
        if self._claim is None:
            connection = self._engines.read.connect()
            if not connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": _DAEMON}):
                holder = connection.scalar(text(_HOLDER), {"key": _DAEMON}) or "unknown"
                connection.close()
                raise AlreadyRunning(
                    f"another gamekeeper works on {self.where} already ({holder}); stop it first"
                )
            # The lock is the session's; no transaction stays open under it.
            connection.rollback()
            self._claim = connection

    def _still_held(self, connection: Connection) -> bool:
        """False for a connection that the server has cut."""
        try:
            held = connection.scalar(text(_HOLDER + " AND a.pid = pg_backend_pid()"), {"key": _DAEMON})
            connection.rollback()
        except DatabaseUnreachable:
            return False
        return held is not None

    def release(self) -> None:
        connection, self._claim = self._claim, None
        if connection is not None:
            # Cut by the server, it holds nothing any more.
            with suppress(DatabaseUnreachable), connection:
                connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _DAEMON})

    @contextmanager
    def importing(
        self,
        *,
        alone: bool = False,  # noqa: ARG002 - the server has its own memory
        games: int = 0,  # noqa: ARG002 - and keeps its indexes
        new_files: bool = False,  # noqa: ARG002
        report: BuildReport = UNHEARD,  # noqa: ARG002
    ) -> Iterator[None]:
        with self._engines.read.connect() as connection:
            connection.execute(text("SELECT pg_advisory_lock_shared(:key)"), {"key": _IMPORTS})
            # The lock is the session's; no transaction stays open under it.
            connection.rollback()
            try:
                yield
            finally:
                with suppress(DatabaseUnreachable):  # cut by the server, it holds nothing any more
                    connection.execute(text("SELECT pg_advisory_unlock_shared(:key)"), {"key": _IMPORTS})
                    connection.rollback()

    @contextmanager
    def no_imports(self) -> Iterator[bool]:
        with self._engines.read.connect() as connection:
            nobody = connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": _IMPORTS})
            connection.rollback()
            try:
                yield bool(nobody)
            finally:
                if nobody:
                    connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _IMPORTS})
                    connection.rollback()

    def close(self) -> None:
        self.release()
        super().close()

    def _lock_out_writers(self, connection: Connection) -> None:
        # SET takes no parameters; an int is safe.
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = {int(self._busy_ms)}")
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _WRITERS})
        connection.exec_driver_sql("SET LOCAL lock_timeout = 0")

    def _migrate_schema(self) -> bool:
        with self.reading() as connection:
            encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
            if encoding != "UTF8":
                what = f"the database {self.where} is encoded in {encoding}, and must be in UTF8"
                raise ArchiveError(f"{what}; make one with `createdb --encoding=UTF8 --template=template0`")
            if not needs_upgrade(connection, self._schema):
                return False
        with self._our_turn(), self._engines.write.begin() as connection:
            self._lock_out_writers(connection)
            if not needs_upgrade(connection, self._schema):
                return False
            upgrade(connection, self._schema)
        log.info("archive migrated", database=self.where, schema=self._schema.head)
        return True

    def _is_made(self) -> bool:
        with self.reading() as connection:
            return version(connection) is not None

    def _back_up_before(self, what: str) -> None:
        """Nothing: a server has its own backups."""

    def optimize(self) -> None:
        """PostgreSQL does so by itself (autovacuum)."""

    def check(self, *, thorough: bool = False) -> list[str]:  # noqa: ARG002 - see `Archive`
        """Nothing: PostgreSQL checks its pages whenever it reads them."""
        return []
