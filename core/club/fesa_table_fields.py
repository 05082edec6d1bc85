"""Checks the other fields of a published table: days, numbers, names, nations, both sides of each game."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from core.club.crosstable import Crosstable, CrosstableRow
from core.club.days import read_published
from core.club.findings import FileFinding
from core.club.turnering_checks import alike, columns, contradictions, nations
from core.plurals import count_of


def check_fields(table: Crosstable, days: str) -> Iterator[FileFinding]:
    """All findings on these fields.

    Args:
        table: The table.
        days: Its days as written: "2024-08-02/04".
    """
    days_read = read_published(days) if days else "the days are missing"
    if isinstance(days_read, str):
        mend = 'write "Name : 2024-08-02/04" above the table'
        yield FileFinding("T2", days_read, mend, note=not days)
    if not table.rows:
        yield FileFinding("grammar", "there are no players", "write a line for each, as FESA does")
    yield from _numbers(table)
    yield from _names(table)
    yield from alike(table)
    yield from nations(table)
    yield from columns(table)
    yield from _games(table)


def _numbers(table: Crosstable) -> Iterator[FileFinding]:
    """1, 2, 3…; "=" instead of a number is read as 0."""
    for wanted, row in enumerate(table.rows, start=1):
        if row.number not in (0, wanted):
            message = f"the players are numbered 1, 2, 3…: this one is number {wanted} in the table"
            yield FileFinding("T3", message, f"write {wanted}", row.line, row.label)


def _names(table: Crosstable) -> Iterator[FileFinding]:
    counts = Counter(row.name for row in table.rows)
    for row in table.rows:
        if counts[row.name] > 1:
            message = f"{counts[row.name]} players have this name"
            yield FileFinding("T11", message, "FESA tells players apart by name", row.line, row.label)


def _games(table: Crosstable) -> Iterator[FileFinding]:
    """Checks both sides of each game, and that each row has as many results."""
    counts = Counter(len(row.cells) for row in table.rows)
    usual = max(counts, key=lambda width: (counts[width], width), default=0)
    for row in table.rows:
        if len(row.cells) != usual:
            message = f"{count_of(len(row.cells), 'result')}, but the other rows have {usual}"
            yield FileFinding("T4", message, "write 0- for a round without a game", row.line, row.label)
    yield from contradictions(replace(table, rows=tuple(_numbered(table))))


def _numbered(table: Crosstable) -> Iterator[CrosstableRow]:
    for place, row in enumerate(table.rows, start=1):
        yield row if row.number else replace(row, number=place)
