"""Tables for people: drawn on a terminal, plain aligned lines elsewhere."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import click
from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

Cell = str | int | None

_SHORT: Final = 10
"""Cells: a date."""


def print_table(titles: Sequence[str], rows: Sequence[Sequence[Cell]], *, heading: bool = True) -> None:
    """Print *rows* under *titles*; numbers stand to the right. *heading*: print the titles, too."""
    cells = [[_shown(cell) for cell in row] for row in rows]
    right = [
        any(row[at] is not None for row in rows) and all(isinstance(row[at], int | None) for row in rows)
        for at in range(len(titles))
    ]
    if sys.stdout.isatty():
        _draw(titles, cells, right, heading=heading)
        return
    for line in _aligned([[title.upper() for title in titles], *cells] if heading else cells, right):
        click.echo(line)


def print_facts(facts: Iterable[tuple[str, Cell]]) -> None:
    """Print named values, one a line."""
    known = [(name, _shown(value)) for name, value in facts if value is not None]
    width = max((len(name) for name, _ in known), default=0)
    for name, value in known:
        click.echo(f"{name:<{width}}  {value}")


def printable(text: str) -> str:
    """*text* without control characters: what others wrote must not steer the terminal."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


def _shown(cell: Cell) -> str:
    return "-" if cell is None else printable(str(cell))


def _draw(
    titles: Sequence[str], cells: Sequence[Sequence[str]], right: Sequence[bool], *, heading: bool
) -> None:
    table = Table(box=SIMPLE_HEAD if heading else None, show_header=heading)
    for at, (title, to_right) in enumerate(zip(titles, right, strict=True)):
        whole = all(_is_short(row[at]) for row in cells)
        table.add_column(title, justify="right" if to_right else "left", overflow="fold", no_wrap=whole)
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))  # Text: a "[" in a name is no markup
    Console().print(table)


def _is_short(cell: str) -> bool:
    """Is it a date, a result, an id: better never divided?"""
    return " " not in cell and cell_len(cell) <= _SHORT


def _aligned(lines: Sequence[Sequence[str]], right: Sequence[bool]) -> Iterator[str]:
    widths = [max(cell_len(line[at]) for line in lines) for at in range(len(right))]
    for line in lines:
        padded = (_pad(*cell) for cell in zip(line, widths, right, strict=True))
        yield "  ".join(padded).rstrip()


def _pad(cell: str, width: int, to_right: bool) -> str:
    blanks = " " * (width - cell_len(cell))
    return blanks + cell if to_right else cell + blanks
