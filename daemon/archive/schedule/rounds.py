"""The history of syncs and imports."""

from datetime import timedelta
from typing import Final

from sqlalchemy import Connection, and_, delete, select, update

from daemon.archive.database import new_ids
from daemon.archive.games.counts import Counts
from daemon.archive.games.quarantine import storable
from daemon.archive.tables.main import rounds
from daemon.archive.tables.words import RoundKind, RoundOutcome

KEPT_MS: Final = timedelta(days=30) // timedelta(milliseconds=1)
"""How long a round that was done and brought nothing is kept."""


def begin_round(
    connection: Connection, kind: RoundKind, source: str, account_id: int | None, now_ms: int
) -> int:
    """Note that a sync of an account, or an import of a path, begins. Returns its id."""
    (number,) = new_ids.take(connection, rounds)
    connection.execute(
        rounds.insert().values(
            id=number, kind=kind, source=storable(source), account_id=account_id, started_at=now_ms
        )
    )
    return number


def add_counts(connection: Connection, round_id: int, counts: Counts) -> None:
    """Add the counts of a batch that was stored."""
    grown = {name: rounds.c[name] + count for name, count in counts.by_name().items()}
    connection.execute(update(rounds).where(rounds.c.id == round_id).values(grown))


def end_round(
    connection: Connection, round_id: int, outcome: RoundOutcome, error: str | None, now_ms: int
) -> None:
    """Note that the round is over. *error* is one sentence."""
    ended = {"outcome": outcome, "error": storable(error), "ended_at": now_ms}
    connection.execute(update(rounds).where(rounds.c.id == round_id).values(ended))


def last_error(connection: Connection, source: str) -> str | None:
    """What was wrong with the last import of this source, None if nothing was."""
    its = select(rounds.c.error).where(rounds.c.kind == "import", rounds.c.source == storable(source))
    error: str | None = connection.scalar(its.order_by(rounds.c.id.desc()).limit(1))
    return error


def forget_uneventful(connection: Connection, now_ms: int) -> int:
    """Delete old rounds that were done and brought nothing; returns how many.

    Thousands of accounts make millions a month.
    """
    brought = (rounds.c[name] for name in ("new", "added", "refreshed", "collapsed", "quarantined"))
    uneventful = and_(
        rounds.c.outcome == "done", rounds.c.error.is_(None), *(count == 0 for count in brought)
    )
    old = rounds.c.ended_at < now_ms - KEPT_MS
    return connection.execute(delete(rounds).where(uneventful, old)).rowcount


def end_left_over(connection: Connection, now_ms: int, *, imports: bool) -> int:
    """End the rounds of programs that were killed; returns how many. Only while no other daemon runs.

    *imports* too only while none runs, see `Archive.no_imports`.
    """
    ended = {"outcome": "stopped", "error": "the program ended before the round did", "ended_at": now_ms}
    kinds = ("sync", "import") if imports else ("sync",)
    left_over = rounds.c.outcome.is_(None) & rounds.c.kind.in_(kinds)
    return connection.execute(update(rounds).where(left_over).values(ended)).rowcount
