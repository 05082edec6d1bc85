"""Rows counted for SQLite's planner, so that it plans for an archive that will grow."""

from typing import Final

from sqlalchemy import Connection

_ROWS_COUNTED: Final = 400
"""Rows of an index that are looked at for its statistics, as SQLite advises."""

_ALL_TABLES: Final = 0x10002
"""Flag of `PRAGMA optimize`.

Count what has changed much, also in tables that this connection has not used.
"""

FEWEST: Final = 100_000
"""The fewest rows that the planner believes a table to have, a hundred times what one IN list asks for.

Below that it would rather walk through a small table than look things up, and keep to that plan while an import or a
first download makes the table large: counts are as old as the connection.
"""


def count_rows(connection: Connection) -> None:
    """Count what has changed much since it was counted last."""
    connection.exec_driver_sql(f"PRAGMA analysis_limit={_ROWS_COUNTED}")
    connection.exec_driver_sql(f"PRAGMA optimize={_ALL_TABLES}")
    counted = connection.exec_driver_sql("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'").scalar()
    if counted:
        # The first word of `stat` is the number of rows; how many of them have one key comes after it.
        connection.exec_driver_sql(
            "UPDATE sqlite_stat1 SET stat = ? || substr(stat, instr(stat || ' ', ' ')) WHERE CAST(stat AS INTEGER) < ?",
            (str(FEWEST), FEWEST),
        )
        connection.exec_driver_sql("ANALYZE sqlite_schema")  # reads the counts again, and counts nothing
