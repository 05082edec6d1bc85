"""Many rows in one statement, for all that comes by the thousand."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sqlalchemy import Column, Connection, Dialect, Select, Table, bindparam, func, select, update
from sqlalchemy import Row as Found

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

ColumnValues = dict[str, Any]
"""Values of a row by the names of their columns."""

CHUNK: Final = 1000
"""Values in one IN list, far below the limits of both databases."""

_Item = TypeVar("_Item")


def chunks(items: Sequence[_Item], size: int = CHUNK) -> Iterator[Sequence[_Item]]:
    """The items in pieces of *size*; none if there are no items."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def insert_rows(
    connection: Connection, table: Table, rows: Sequence[ColumnValues], *, ignore: bool = False
) -> None:
    """Insert rows that have a value for every column; *ignore* leaves out those whose key is there already.

    Only here they become tuples, and go to the driver so: SQLAlchemy's part of the work is done once per statement,
    not per row.
    """
    if rows:
        statement = _statement(connection.dialect, table, ignore=ignore)
        connection.exec_driver_sql(statement, list(map(_in_order(table), rows)))


@lru_cache(maxsize=64)
def _in_order(table: Table) -> Callable[[ColumnValues], tuple[Any, ...]]:
    """What makes the values of a row a tuple in the order of the table's columns."""
    names = [column.name for column in table.columns]
    # Of one name, `itemgetter` would return the value itself.
    return itemgetter(*names) if len(names) > 1 else lambda row: (row[names[0]],)


def insert_into(dialect: Dialect, table: Table) -> "sqlite.Insert | postgresql.Insert":
    """An INSERT of this dialect, which knows ON CONFLICT. Only that dialect is loaded.

    PostgreSQL's takes long.
    """
    if dialect.name == "sqlite":
        from sqlalchemy.dialects import sqlite

        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table)


@lru_cache(maxsize=64)
def _statement(dialect: Dialect, table: Table, *, ignore: bool) -> str:
    statement = insert_into(dialect, table)
    compiled = (statement.on_conflict_do_nothing() if ignore else statement).compile(dialect=dialect)
    if list(compiled.positiontup or ()) != [column.name for column in table.columns]:
        raise AssertionError(f"{table.name}: the values must go in the order of the columns")
    return str(compiled)


def update_rows(connection: Connection, table: Table, rows: Sequence[ColumnValues]) -> None:
    """Update rows by their id, all with the same columns, in one statement."""
    if rows:
        values: ColumnValues = {name: bindparam(f"new_{name}") for name in rows[0] if name != "id"}
        statement = update(table).where(table.c.id == bindparam("new_id")).values(values)
        connection.execute(statement, [{f"new_{name}": value for name, value in row.items()} for row in rows])


def pages(
    connection: Connection, statement: Select[*tuple[Any, ...]], by: Column[int], size: int = CHUNK
) -> Iterator[Sequence[Found[*tuple[Any, ...]]]]:
    """The rows of *statement* in the order of the id *by*, which it selects as ``id``, so many at a time.

    Each page is a query of its own: its rows may be changed before the next one.
    """
    last = -1
    while page := connection.execute(statement.where(by > last).order_by(by).limit(size)).all():
        yield page
        last = page[-1].id


def next_id(connection: Connection, table: Table) -> int:
    """The id that the table's next row gets. Only inside `Archive.writing`, where nobody else gives ids."""
    highest: int | None = connection.scalar(select(func.max(table.c.id)))
    return (highest or 0) + 1
