"""How much the archive holds, and how the rounds went."""

from sqlalchemy import Connection, Table, func, select

from daemon.archive.reading import shapes
from daemon.archive.tables import files, games, players, quarantine, rounds, tellings


def totals(conn: Connection) -> shapes.Totals:
    """The number of games, players, tellings, files and games in quarantine."""
    return {
        "games": _count(conn, games),
        "players": _count(conn, players),
        "tellings": _count(conn, tellings),
        "files": _count(conn, files),
        "quarantine": conn.scalar(select(func.count()).where(quarantine.c.telling_id.is_(None))) or 0,
    }


def rounds_by_outcome(conn: Connection) -> dict[tuple[str, str], int]:
    """How many rounds of each kind (sync, import) ended in which way; ``running`` is one that has not."""
    counts = select(rounds.c.kind, rounds.c.outcome, func.count()).group_by(rounds.c.kind, rounds.c.outcome)
    return {(kind, outcome or "running"): number for kind, outcome, number in conn.execute(counts)}


def _count(conn: Connection, table: Table) -> int:
    return conn.scalar(select(func.count()).select_from(table)) or 0
