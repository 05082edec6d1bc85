"""Columns with few different values: each value is compared by the rules of `core`, not by SQL.

No database folds as `core.names.fold` does: SQLite's `upper` knows ASCII only, PostgreSQL's follows its
locale.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from sqlalchemy import BigInteger, Connection, and_, cast, func, select
from sqlalchemy.sql.elements import ColumnElement

from daemon.archive.reading.search.plan import NONE, Condition, DatedIndex, Wanted
from daemon.archive.tables.main import BEGINNING, beginning, games

DATED_TEXTS: Final = frozenset({"eco", "derived_eco"})
"""The columns whose index has dates."""


def known_values(connection: Connection, column: ColumnElement[str]) -> list[str]:
    """Every value of a column of `games`, each once; step by step along the index of its beginnings."""
    beginnings = _beginnings(connection, column)
    whole = [text for text in beginnings if len(text) < BEGINNING]
    cut = [text for text in beginnings if len(text) >= BEGINNING]
    if cut:
        its = select(column).distinct().where(column.is_not(None), one_of(connection, beginning(column), cut))
        whole += connection.scalars(its)
    return whole


def _beginnings(connection: Connection, column: ColumnElement[str]) -> list[str]:
    indexed = beginning(column)
    first = select(func.min(indexed).label("value")).select_from(games).where(column.is_not(None))
    steps = first.cte("steps", recursive=True)
    above = select(func.min(indexed)).where(column.is_not(None), indexed > steps.c.value).scalar_subquery()
    steps = steps.union_all(select(above).where(steps.c.value.is_not(None)))
    return list(connection.scalars(select(steps.c.value).where(steps.c.value.is_not(None))))


def having(connection: Connection, column: ColumnElement[str], values: Sequence[str]) -> Wanted:
    """Whether the game has one of these values of a column that is indexed by its beginnings."""
    if not values:
        return NONE
    beginnings = list(dict.fromkeys(text[:BEGINNING] for text in values))
    test = one_of(connection, column, values)
    # A value that its beginning shows whole needs no second look.
    known = (
        column.is_not(None)
        if all(len(text) < BEGINNING for text in values)
        else and_(column.is_not(None), test)
    )
    dated = DatedIndex(beginning(column), tuple(beginnings), known) if column.key in DATED_TEXTS else None
    return Wanted.indexed(test, and_(known, one_of(connection, beginning(column), beginnings)), dated)


def matching(connection: Connection, column: ColumnElement[str], matches: Callable[[str], bool]) -> Wanted:
    """Whether the game has a value of this column that *matches*."""
    return having(connection, column, [text for text in known_values(connection, column) if matches(text)])


def one_of(connection: Connection, column: ColumnElement[Any], values: Sequence[str | int]) -> Condition:
    """Whether *column* is one of *values*.

    They are one parameter, since both databases limit how many there are.
    """
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects.postgresql import JSONB  # takes long to load

        elements = func.jsonb_array_elements_text(cast(list(values), JSONB)).table_valued("value")
        if values and isinstance(values[0], int):
            return column.in_(select(cast(elements.c.value, BigInteger)))
    else:
        elements = func.json_each(json.dumps(list(values))).table_valued("value")
    return column.in_(select(elements.c.value))
