"""Many rows in one statement: the way in for whatever comes by the thousand."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Dialect, Table, func, select
from sqlalchemy.dialects import postgresql, sqlite

Row = tuple[Any, ...]
"""The values of a table's columns, in the order of `Table.columns`."""

CHUNK: Final = 1000
"""Values in one IN list: far below the limits of both databases."""

_Item = TypeVar("_Item")


def chunks(items: Sequence[_Item], size: int = CHUNK) -> Iterator[Sequence[_Item]]:
    """The items in pieces of *size*, none for no items."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def insert_rows(connection: Connection, table: Table, rows: Sequence[Row], *, ignore: bool = False) -> None:
    """Insert whole rows; *ignore* leaves out those whose key is there already.

    The rows go to the driver as they are: SQLAlchemy's part of the work is done once per statement, not per row.
    """
    if rows:
        connection.exec_driver_sql(_statement(connection.dialect, table, ignore=ignore), list(rows))


@lru_cache(maxsize=64)
def _statement(dialect: Dialect, table: Table, *, ignore: bool) -> str:
    statement = sqlite.insert(table) if dialect.name == "sqlite" else postgresql.insert(table)
    compiled = (statement.on_conflict_do_nothing() if ignore else statement).compile(dialect=dialect)
    if list(compiled.positiontup or ()) != [column.name for column in table.columns]:
        raise AssertionError(f"{table.name}: the values must go in the order of the columns")
    return str(compiled)


def next_id(connection: Connection, table: Table) -> int:
    """The id that the table's next row gets. Only inside `Archive.writing`, where nobody else gives ids."""
    highest: int | None = connection.scalar(select(func.max(table.c.id)))
    return (highest or 0) + 1
