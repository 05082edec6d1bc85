"""The gate of each site: whether it may be asked, and how often it has refused in a row."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import timedelta
from typing import Final

from sqlalchemy import Connection, select, update

from daemon.archive.games.quarantine import storable
from daemon.archive.tables.main import sites


@dataclass(frozen=True, slots=True)
class GateRow:
    """A site as a whole: no request before *not_before*. *state*: ok, rate_limited, blocked, down.

    *failures*: refusals in a row; of a site that is ok, the limits (429) that it set lately.
    """

    site: str
    state: str = "ok"
    since: int | None = None
    not_before: int = 0
    failures: int = 0
    error: str | None = None

    def refusals(self, state: str, now_ms: int) -> int:
        """The number of refusals in a row, of this *state*, with one more."""
        if self.state != "ok":
            return self.failures + 1
        lately = now_ms - (self.since or 0) < LIMIT_REMEMBERED_MS
        return 1 + (self.failures if state == "rate_limited" and lately else 0)


LIMIT_REMEMBERED_MS: Final = timedelta(hours=2) // timedelta(milliseconds=1)
"""How long after a site was open again a 429 counts as one more in a row: waits grow up to an hour."""


def gate(connection: Connection, site: str) -> GateRow:
    """Whether the site may be asked. A site that was never asked is open."""
    found = select(*(sites.c[field.name] for field in fields(GateRow))).where(sites.c.site == site)
    row = connection.execute(found).first()
    return GateRow(site) if row is None else GateRow(*row)


def close_gate(
    connection: Connection, site: str, state: str, not_before: int, error: str, now_ms: int
) -> None:
    """Ask the site for nothing before *not_before*: it is rate_limited, blocked or down.

    An earlier wait is not cut.
    """
    now = gate(connection, site)
    values = {
        "state": state,
        "since": now.since if now.state == state else now_ms,
        "not_before": max(not_before, now.not_before),
        "failures": now.refusals(state, now_ms),
        "error": storable(error),
    }
    _put_gate(connection, site, values)


def open_gate(connection: Connection, site: str, now_ms: int) -> None:
    """Note that the site has answered: it may be asked at once.

    A limit may be that of a day, and let other requests pass: how often it was met is forgotten only after a
    while.
    """
    now = gate(connection, site)
    if now.state != "ok":
        met = now.failures if now.state == "rate_limited" else 0
        values = {"state": "ok", "since": now_ms, "not_before": 0, "failures": met, "error": None}
        _put_gate(connection, site, values)


def _put_gate(connection: Connection, site: str, values: Mapping[str, object]) -> None:
    if not connection.execute(update(sites).where(sites.c.site == site).values(values)).rowcount:
        connection.execute(sites.insert().values(site=site, **values))
