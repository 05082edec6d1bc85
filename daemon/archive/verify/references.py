"""Finds rows that refer to missing rows, and numbers that were given twice."""

from collections.abc import Iterator
from typing import Final

from sqlalchemy import ColumnElement, Connection, ForeignKeyConstraint, Table, and_, exists, func, select

from core.plurals import count_of
from daemon.archive.tables.main import (
    dossier_accounts,
    player_names,
    player_words,
    telling_accounts,
    telling_ids,
    tellings,
    text_words,
)
from daemon.archive.tables.metadata import metadata
from daemon.archive.verify.findings import Finding, Repair

LINKS: Final = (
    player_words,
    text_words,
    player_names,
    telling_ids,
    telling_accounts,
    dossier_accounts,
)
"""Tables whose rows only link others: one that refers to nothing can be deleted."""

_MOST_SHOWN: Final = 20
"""The most findings of one kind that are reported one by one."""


def references() -> Iterator[tuple[Table, ForeignKeyConstraint]]:
    """Every foreign key with the table that has it."""
    for table in metadata.sorted_tables:
        for key in sorted(table.foreign_key_constraints, key=lambda key: str(key.name)):
            yield table, key


def astray(key: ForeignKeyConstraint) -> ColumnElement[bool]:
    """The condition for rows that refer to nothing by this key."""
    target = key.referred_table.alias("target")
    pairs = [(element.parent, target.c[element.column.name]) for element in key.elements]
    known = and_(*(own.is_not(None) for own, _ in pairs))
    return and_(known, ~exists().where(*(own == other for own, other in pairs)))


def dangling(connection: Connection) -> Iterator[Finding]:
    """Rows that refer to missing rows."""
    for table, key in references():
        condition = astray(key)
        count = connection.scalar(select(func.count()).select_from(table).where(condition)) or 0
        if not count:
            continue
        repair: Repair | None = "links" if table in LINKS else None
        names = ", ".join(key.column_keys)
        shown = list(table.primary_key.columns)
        columns = [*shown, *(column for column in key.columns if column not in shown)]
        for row in connection.execute(select(*columns).where(condition).limit(_MOST_SHOWN)):
            own = " ".join(str(value) for value in row[: len(shown)])
            values = ", ".join(f"{name} {row._mapping[table.c[name]]}" for name in key.column_keys)  # noqa: SLF001 - SQLAlchemy's public name for it
            yield Finding(f"{table.name} {own}", f"its {values} is not in {key.referred_table.name}", repair)
        if count > _MOST_SHOWN:
            rows = count_of(count - _MOST_SHOWN, "more row")
            more = f"{rows} whose {names} is not in {key.referred_table.name}"
            yield Finding(table.name, more, repair)


ELSEWHERE: Final = exists().where(
    tellings.c.id == telling_accounts.c.telling_id, tellings.c.game_id != telling_accounts.c.game_id
)
"""The condition for accounts whose download is a telling of another game than is noted with them."""


def elsewhere(connection: Connection) -> Iterator[Finding]:
    """Accounts with another game than that of the download that they led to."""
    count = connection.scalar(select(func.count()).select_from(telling_accounts).where(ELSEWHERE)) or 0
    if count:
        rows = count_of(count, "row")
        yield Finding("telling_accounts", f"{rows} with another game than that of the telling", "links")


def given_twice(connection: Connection) -> Iterator[Finding]:
    """Tellings of one game with one number."""
    found = (
        select(tellings.c.game_id, tellings.c.n, func.count().label("count"))
        .group_by(tellings.c.game_id, tellings.c.n)
        .having(func.count() > 1)
        .limit(_MOST_SHOWN)
    )
    for row in connection.execute(found):
        yield Finding(f"game {row.game_id}", f"{row.count} of its tellings have the number {row.n}")
