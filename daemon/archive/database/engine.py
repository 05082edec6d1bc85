"""Database engines: how the connections to an archive are made, for SQLite and for PostgreSQL."""

import importlib
import os
import socket
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Final

from sqlalchemy import URL, Connection, Engine, NullPool, Pool, QueuePool, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from daemon.archive.database.driver_errors import Explain, explain_postgresql, translate
from daemon.archive.errors import ArchiveError
from daemon.archive.tables.metadata import for_postgresql
from daemon.logs import get_logger

log = get_logger(__name__)

FILE: Final = "file"
"""The key under which a SQLite connection notes its file, as `inode` gives it.

The name may go to another one.
"""

PAGE_SIZE: Final = 8192  # what imports of millions of games were measured with
_KIBIBYTES_READING: Final = (
    2 * 1024
)  # of each connection; what it has not, the system has, in one copy for all
_WAL_LIMIT: Final = 64 * 1024 * 1024
_READERS: Final = 64  # connections to a file, more than the API has threads
_READERS_OF_SERVER: Final = 16  # a server has a hundred connections for everybody


@dataclass(frozen=True, slots=True)
class Room:
    """What a writing connection to a file takes: *cache*, in kibibytes; *log*, in pages, before it goes into the file."""

    cache: int
    log: int


WRITING: Final = Room(cache=32 * 1024, log=1000)
IMPORTING: Final = Room(cache=256 * 1024, log=32_000)
"""For an import alone: a page that several transactions change goes into the file once."""

_ROOM: Final = "room"


@dataclass(frozen=True, slots=True)
class Engines:
    """One engine whose transactions write, one whose transactions cannot."""

    write: Engine
    read: Engine

    def dispose(self) -> None:
        self.read.dispose()
        self.write.dispose()


def inode(path: Path) -> tuple[int, int] | None:
    """What distinguishes the file *path* from every other, whatever their names; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def has_wal_reset_bug(version: tuple[int, ...]) -> bool:
    """Whether this SQLite can destroy a WAL database when a checkpoint and a commit meet.

    3.7.0 to 3.51.2, except the corrected 3.44.6 and 3.50.7 and what followed on those lines. Source:
    https://sqlite.org/wal.html, "The WAL-reset bug".
    """
    mended = (3, 44, 6) <= version < (3, 45) or (3, 50, 7) <= version < (3, 51)
    return (3, 7) <= version < (3, 51, 3) and not mended


def sqlite_driver() -> ModuleType:
    """The interpreter's sqlite3, or pysqlite3 if the interpreter's SQLite has the WAL-reset bug."""
    if not has_wal_reset_bug(sqlite3.sqlite_version_info):
        return sqlite3
    try:
        driver = importlib.import_module("pysqlite3.dbapi2")
    except ImportError:
        log.warning(
            "this SQLite can damage a database; install pysqlite3 or a newer Python",
            sqlite=sqlite3.sqlite_version,
        )
        return sqlite3
    _adapt_quickly(driver)
    return driver


def _adapt_quickly(driver: ModuleType) -> None:
    """Give the types that pysqlite3 looks up for every value an adapter each, which changes nothing.

    It stores them without one too, after two look-ups that fail: a row of `games` takes half as long with these. They are
    functions in C, since one in Python would take longer than what it saves.
    """
    driver.register_adapter(type(None), {}.get)  # None of what is in no dict
    driver.register_adapter(bytes, bytes)
    driver.register_adapter(bool, int)


def sqlite_engine(
    path: Path,
    explain: Explain,
    *,
    reading: bool = False,
    foreign_keys: bool = True,
    pool: type[Pool] = NullPool,
    busy_ms: int,
) -> Engine:
    """An engine on an existing file (none is ever made here).

    Its transactions begin with BEGIN IMMEDIATE unless *reading*.
    """
    driver = sqlite_driver()
    address = f"{path.absolute().as_uri()}?mode={'ro' if reading else 'rw'}"

    def connect() -> DBAPIConnection:
        # The pool hands a connection to one thread at a time. isolation_level=None: the driver begins nothing.
        connection: DBAPIConnection = driver.connect(
            address, uri=True, timeout=busy_ms / 1000, isolation_level=None, check_same_thread=False
        )
        return connection

    size = {"pool_size": 4 if reading else 1, "max_overflow": _READERS if reading else 0}
    sized = {} if pool is NullPool else size | {"pool_timeout": busy_ms / 1000}
    engine = create_engine("sqlite+pysqlite://", module=driver, creator=connect, poolclass=pool, **sized)
    translate(engine, explain)
    _prepare_sqlite(engine, path, reading=reading, foreign_keys=foreign_keys)
    begin = "BEGIN" if reading else "BEGIN IMMEDIATE"
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


def _prepare_sqlite(engine: Engine, path: Path, *, reading: bool, foreign_keys: bool) -> None:
    """Give every new connection its settings, and note which file it is to (`FILE`).

    WAL and FULL: measured with simulated power cuts, no commit is lost. No mmap: a disk error would be a
    signal.
    """
    pragmas = [
        f"foreign_keys={'ON' if foreign_keys else 'OFF'}",
        f"cache_size=-{_KIBIBYTES_READING if reading else WRITING.cache}",
        "mmap_size=0",
        "trusted_schema=OFF",
    ]
    if not reading:
        # page_size counts only while the file is empty.
        pragmas[:0] = [f"page_size={PAGE_SIZE}", "journal_mode=WAL"]
        pragmas += ["synchronous=FULL", f"journal_size_limit={_WAL_LIMIT}"]

    @event.listens_for(engine, "connect")
    def _prepare(connection: DBAPIConnection, entry: ConnectionPoolEntry) -> None:
        entry.info[FILE] = inode(path)
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()


def resize(connection: Connection, room: Room) -> None:
    """Give a writing connection this room, if it has another one."""
    if connection.info.get(_ROOM, WRITING) != room:
        connection.exec_driver_sql(f"PRAGMA cache_size=-{room.cache}")
        connection.exec_driver_sql(f"PRAGMA wal_autocheckpoint={room.log}")
        connection.info[_ROOM] = room


def sqlite_engines(path: Path, explain: Explain, *, busy_ms: int) -> Engines:
    """One writing connection, many reading ones that cannot write."""
    return Engines(
        write=sqlite_engine(path, explain, pool=QueuePool, busy_ms=busy_ms),
        read=sqlite_engine(path, explain, pool=QueuePool, reading=True, busy_ms=busy_ms),
    )


def postgresql_engines(url: URL, *, busy_ms: int) -> Engines:
    """Writing in READ COMMITTED under a lock of our own; reading in one snapshot, like SQLite.

    Raises:
        ArchiveError: psycopg is not installed.
    """
    make = _postgresql_maker(url)
    for_postgresql()
    return Engines(
        write=make(isolation_level="READ COMMITTED", pool_size=2, max_overflow=2),
        read=make(
            isolation_level="REPEATABLE READ",
            execution_options={"postgresql_readonly": True},
            pool_size=4,
            max_overflow=_READERS_OF_SERVER,
            pool_timeout=busy_ms / 1000,
        ),
    )


def _postgresql_maker(url: URL) -> Callable[..., Engine]:
    where = url.render_as_string(hide_password=True)
    arguments = {
        "application_name": f"gamekeeper {socket.gethostname()}:{os.getpid()}"[:63],
        "connect_timeout": 10,
        "client_encoding": "utf8",
        # A server that vanished without a word is noticed within a minute.
        "keepalives_idle": 30,
        "keepalives_interval": 10,
        "keepalives_count": 3,
    }

    def make(**options: object) -> Engine:
        try:
            # paramstyle: so that rows can be sent as tuples, see `daemon.archive.database.bulk`.
            engine = create_engine(
                url, paramstyle="format", pool_pre_ping=True, connect_args=arguments, **options
            )
        except ImportError as error:
            what = (
                "PostgreSQL needs psycopg, which is not installed; run pip install 'gamekeeper[postgresql]'"
            )
            raise ArchiveError(what) from error
        translate(engine, explain_postgresql(where))
        return engine

    return make
