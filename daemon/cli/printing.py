"""Tables for people: drawn on a terminal, plain aligned lines elsewhere."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import click
from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

Cell = str | int | None

_SHORT: Final = 24
"""Signs of a moment or of a usual account."""
_NARROW: Final = 12
"""Signs that every column of a text gets."""
_ENDLESS: Final = 10_000


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
    table = Table(box=SIMPLE_HEAD if heading else None, show_header=heading, pad_edge=False)
    for at, (title, to_right) in enumerate(zip(titles, right, strict=True)):
        column = [row[at] for row in cells]
        longest = max(map(cell_len, (title, *column)))
        least = longest if all(map(_is_short, column)) else min(longest, _NARROW)
        table.add_column(title, justify="right" if to_right else "left", overflow="fold", min_width=least)
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))  # Text: a "[" in a name is no markup
    console = Console()
    least = Measurement.get(console, console.options.update(max_width=_ENDLESS), table).minimum
    # Where not even that fits, the terminal goes on in its next line: better than columns of two letters.
    Console(width=max(least, console.width)).print(table)


def _is_short(cell: str) -> bool:
    """Is it a date, a result, an account: better never divided?"""
    return " " not in cell and cell_len(cell) <= _SHORT


def _aligned(lines: Sequence[Sequence[str]], right: Sequence[bool]) -> Iterator[str]:
    widths = [max(cell_len(line[at]) for line in lines) for at in range(len(right))]
    for line in lines:
        padded = (_pad(*cell) for cell in zip(line, widths, right, strict=True))
        yield "  ".join(padded).rstrip()


def _pad(cell: str, width: int, to_right: bool) -> str:
    blanks = " " * (width - cell_len(cell))
    return blanks + cell if to_right else cell + blanks
