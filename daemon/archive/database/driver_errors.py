"""Turns what a database driver reports into the errors of `daemon.archive.errors`."""

from collections.abc import Callable
from typing import Final

from sqlalchemy import Engine, event
from sqlalchemy.engine import ExceptionContext

from daemon.archive.errors import (
    ArchiveBusy,
    ArchiveError,
    Damaged,
    DatabaseUnreachable,
    DiskError,
    DiskFull,
    NotReadable,
    ReadOnly,
)

Explain = Callable[[BaseException], ArchiveError | None]

# https://sqlite.org/rescode.html, primary codes: the low byte. What is wrong, and what to do.
_SQLITE: Final[dict[int, tuple[type[ArchiveError], str, str]]] = {
    3: (NotReadable, "no permission to use {where}", "give this user the right to"),
    5: (ArchiveBusy, "another process keeps writing to {where}", "try again when it is done"),
    6: (ArchiveBusy, "another connection keeps a table of {where} locked", "try again when it is done"),
    8: (
        ReadOnly,
        "{where} cannot be written to",
        "give this user the right to, or mount the disk for writing",
    ),
    10: (
        DiskError,
        "the system refused to read or write {where}: a quota, a limit or the disk itself",
        "nothing stored before is lost; look at the disk, then try again",
    ),
    11: (Damaged, "{where} is damaged", ""),
    13: (DiskFull, "no room left for {where}", "nothing stored before is lost; make room, then try again"),
    14: (
        NotReadable,
        "{where} cannot be opened",
        "see that its folder is there and that this user may use it",
    ),
    26: (Damaged, "{where} is not an SQLite database", ""),
}

# The driver's `backup` tells no code, only what sqlite3_errstr says of it.
_CODES: Final = {
    "database is locked": 5,
    "attempt to write a readonly database": 8,
    "disk I/O error": 10,
    "database disk image is malformed": 11,
    "database or disk is full": 13,
    "unable to open database file": 14,
    "file is not a database": 26,
}

# https://www.postgresql.org/docs/current/errcodes-appendix.html
_POSTGRESQL: Final[dict[str, tuple[type[ArchiveError], str, str]]] = {
    "53100": (DiskFull, "the server of {where} has no room left", "make room there, then try again"),
    "25006": (ReadOnly, "{where} cannot be written to", "name the primary server, not a copy of it"),
    "42501": (
        ReadOnly,
        "no permission for a table of {where}",
        "GRANT its user the rights, or let it own them",
    ),
    "55P03": (ArchiveBusy, "another process keeps writing to {where}", "try again when it is done"),
    "40P01": (ArchiveBusy, "two processes wait for each other in {where}", "try again"),
    "40001": (ArchiveBusy, "two processes changed the same rows of {where}", "try again"),
    "XX001": (Damaged, "{where} is damaged", "restore a backup of the database"),
    "XX002": (Damaged, "an index of {where} is damaged", "REINDEX the database"),
}
_POSTGRESQL_AWAY: Final = (
    "08",
    "57P",
    "53300",
    "28",
    "3D000",
)  # connection, shutdown, too many, login, no database


def explain_sqlite(where: str, advice: Callable[[], str]) -> Explain:
    """Errors of SQLite by their result codes.

    *advice* is added if a file is damaged (which backups there are).
    """

    def explain(error: BaseException) -> ArchiveError | None:
        code = getattr(error, "sqlite_errorcode", None) or _CODES.get(str(error))
        if not isinstance(code, int):
            return None
        kind, sentence, remedy = _SQLITE.get(code & 0xFF, (None, "", ""))
        if kind is None:
            return None
        more = advice() if kind is Damaged else f"; {remedy}"
        return kind(f"{sentence.format(where=where)} ({error}){more}")

    return explain


def explain_postgresql(where: str) -> Explain:
    """Errors of psycopg by their SQLSTATE; a cut connection has none."""

    def explain(error: BaseException) -> ArchiveError | None:
        state = getattr(error, "sqlstate", None)
        text = " ".join(str(error).split())
        if state in _POSTGRESQL:
            kind, sentence, remedy = _POSTGRESQL[state]
            return kind(f"{sentence.format(where=where)} ({text}); {remedy}")
        cut = state is None and type(error).__name__ == "OperationalError"
        if cut or (state or "").startswith(_POSTGRESQL_AWAY):
            return DatabaseUnreachable(
                f"{where} does not answer ({text}); see that the server runs and the URL is right"
            )
        return None

    return explain


def translate(engine: Engine, explain: Explain) -> None:
    """Let *engine* raise our errors if *explain* knows one; what it does not know is a fault of ours."""

    @event.listens_for(engine, "handle_error")
    def _handle(context: ExceptionContext) -> ArchiveError | None:
        # A connection that fails the pool's own test is simply replaced.
        return None if context.is_pre_ping else explain(context.original_exception)
