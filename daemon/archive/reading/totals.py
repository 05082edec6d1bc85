"""How much the archive contains."""

from typing import Any, TypeVar

from sqlalchemy import Connection, Select, Table, func, select

from daemon.archive.reading import shapes
from daemon.archive.tables.main import files, games, players, quarantine, rounds, tellings

Item = TypeVar("Item")


def totals(connection: Connection) -> shapes.Totals:
    """The number of games, players, tellings, files and games in quarantine."""
    return {
        "games": _count(connection, games),
        "players": _count(connection, players),
        "tellings": _count(connection, tellings),
        "files": _count(connection, files),
        "quarantine": connection.scalar(select(func.count()).where(quarantine.c.telling_id.is_(None))) or 0,
    }


def last_import(connection: Connection) -> float | None:
    """When the last import ended, in seconds since 1970; None if none has."""
    ended = connection.scalar(select(func.max(rounds.c.ended_at)).where(rounds.c.kind == "import"))
    return None if ended is None else ended / 1000


def database_bytes(connection: Connection) -> int:
    """How large the database is, in bytes; of SQLite without its log."""
    if connection.dialect.name == "postgresql":
        size: int = connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar_one()
        return size
    pages, size = (
        connection.exec_driver_sql(f"PRAGMA {what}").scalar_one() for what in ("page_count", "page_size")
    )
    return int(pages) * int(size)


def _count(connection: Connection, table: Table) -> int:
    return connection.scalar(select(func.count()).select_from(table)) or 0


def with_total(
    connection: Connection, page: shapes.Page[Item], whole: Select[*tuple[Any, ...]]
) -> shapes.Page[Item]:
    """The page, with the number of items of the *whole* list."""
    number = connection.scalar(select(func.count()).select_from(whole.order_by(None).subquery())) or 0
    return {**page, "total": number}
