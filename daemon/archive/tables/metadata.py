"""What all tables of the archive share."""

from typing import Any, Final

from sqlalchemy import ColumnElement, Index, MetaData, TextClause

metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

_WHERE: Final = "where"


def partial_index(
    name: str,
    *columns: str | ColumnElement[Any],
    where: TextClause | ColumnElement[bool],
    unique: bool = False,
) -> Index:
    """An index of the rows for which *where* is true. PostgreSQL hears of it from `for_postgresql` alone."""
    return Index(name, *columns, unique=unique, sqlite_where=where, info={_WHERE: where})


def for_postgresql() -> None:
    """Let PostgreSQL have partial indexes, too. Its dialect takes long to load, and few archives need it."""
    for table in metadata.tables.values():
        for index in table.indexes:
            if _WHERE in index.info:
                index.dialect_kwargs["postgresql_where"] = index.info[_WHERE]
