"""The state of everything."""

from collections.abc import Sequence

from sqlalchemy import Connection

from daemon.archive.reading import shapes
from daemon.archive.reading.accounts import list_accounts, list_events, list_sites
from daemon.archive.reading.rounds import import_errors
from daemon.archive.reading.totals import totals


def status(
    connection: Connection, *, version: str, running: bool | None, now_ms: int, errors: Sequence[str] = ()
) -> shapes.Status:
    """The archive's totals, and each site and account."""
    return {
        "version": version,
        "running": running,
        "archive": totals(connection),
        "sites": list_sites(connection, now_ms=now_ms),
        "accounts": list_accounts(connection, now_ms=now_ms),
        "events": list_events(connection, now_ms=now_ms),
        "errors": [*errors, *import_errors(connection, now_ms)],
    }
