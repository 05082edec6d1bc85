"""Tables for people: fitted to a terminal; elsewhere plain aligned lines with whole values."""

import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

import click
from rich.cells import cell_len

from daemon.cli import colours
from daemon.cli.columns import GAP, CellValue, Column, Shown, fit, wanted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

_NARROWEST: Final = 20
"""The least width that is assumed for a terminal, whatever it reports."""

TableColumns = Sequence[Column | str]


def print_table(columns: TableColumns, rows: Sequence[Sequence[CellValue]], *, heading: bool = True) -> None:
    """Print *rows* under the titles of *columns*; numbers are aligned right. *heading*.

    Print the titles, too.
    """
    click.echo(table(columns, rows, heading=heading), nl=False)


def table(columns: TableColumns, rows: Sequence[Sequence[CellValue]], *, heading: bool = True) -> str:
    """The table for standard output, with a final line end.

    On a terminal that is too narrow columns are dropped in their order (`Column` says which), and texts are
    cut with "…"; if that is not enough, each row is a list of named values.
    """
    if sys.stdout.isatty():
        return _drawn(columns, rows, heading=heading)
    cells = [[_full(cell) for cell in row] for row in rows]
    titles = [column.title.upper() for column in _columns(columns)]
    lines = _aligned([titles, *cells] if heading else cells, _to_right(rows, len(columns)))
    return "".join(f"{line}\n" for line in lines)


def _drawn(columns: TableColumns, rows: Sequence[Sequence[CellValue]], *, heading: bool) -> str:
    of = _columns(columns)
    texts = [[_short(cell, column) for cell, column in zip(row, of, strict=True)] for row in rows]
    widths = [wanted(column, [row[at].plain for row in texts]) for at, column in enumerate(of)]
    console = _console()
    given = fit(widths, console.width)
    with console.capture() as captured:
        if given is None:
            _print_records(console, of, texts)
        else:
            console.print(_table(of, texts, given, _to_right(rows, len(of)), heading=heading))
    return "".join(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def fitting(columns: TableColumns, rows: Sequence[Sequence[CellValue]]) -> int:
    """How many of the columns, from the first on, fit the terminal side by side; all if there is no terminal.

    All are counted whole, except those that say how much of them is enough (`Column.least`).
    """
    if not sys.stdout.isatty():
        return len(columns)
    of = _columns(columns)
    widths = [wanted(column, [_short(row[at], column).plain for row in rows]) for at, column in enumerate(of)]
    cells = [
        one.whole if column.least is None else min(one.whole, one.least)
        for column, one in zip(of, widths, strict=True)
    ]
    room, count = _console().width, 0
    while count < len(of) and sum(one + GAP for one in cells[: count + 1]) - GAP <= room:
        count += 1
    return count


def print_facts(facts: Iterable[tuple[str, CellValue]]) -> None:
    """Print named values, one a line; None is left out."""
    on_terminal = sys.stdout.isatty()
    shown = [
        (name, _short(value).plain if on_terminal else _full(value))
        for name, value in facts
        if _is_known(value)
    ]
    width = max((len(name) for name, _ in shown), default=0)
    for name, value in shown:
        click.echo(f"{name:<{width}}  {value}")


def printable(text: str) -> str:
    """*text* without control characters: what others wrote must not steer the terminal."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


def _is_known(cell: CellValue) -> bool:
    return (cell.full if isinstance(cell, Shown) else cell) is not None


def _full(cell: CellValue) -> str:
    value = cell.full if isinstance(cell, Shown) else cell
    return "-" if value is None else printable(str(value))


def _short(cell: CellValue, column: Column | None = None) -> "Text":
    from rich.text import Text

    short = cell.short if isinstance(cell, Shown) else None
    text = printable(short) if short is not None else _full(cell)
    style = cell.style if isinstance(cell, Shown) else None
    if style is None and column is not None and column.style is not None:
        style = column.style(text)
    # Text: a "[" in a name is not markup.
    wraps = column is not None and column.wraps
    return Text(text, style=style or "", no_wrap=not wraps, overflow="fold" if wraps else "ellipsis")


def _columns(columns: TableColumns) -> list[Column]:
    return [Column(one) if isinstance(one, str) else one for one in columns]


def _to_right(rows: Sequence[Sequence[CellValue]], count: int) -> list[bool]:
    """Which columns contain only numbers."""
    values = [[cell.full if isinstance(cell, Shown) else cell for cell in row] for row in rows]
    return [
        any(row[at] is not None for row in values) and all(isinstance(row[at], int | None) for row in values)
        for at in range(count)
    ]


def _console() -> "Console":
    from rich.console import Console

    width = max(shutil.get_terminal_size().columns, _NARROWEST)
    painted = colours.wanted(sys.stdout)
    return Console(
        file=sys.stdout, width=width, force_terminal=painted, no_color=not painted, highlight=False
    )


def _table(
    columns: Sequence[Column],
    texts: "Sequence[Sequence[Text]]",
    given: dict[int, int],
    right: Sequence[bool],
    *,
    heading: bool,
) -> "Table":
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, show_header=heading, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold")
    given = {at: width for at, width in given.items() if width}
    for at, width in given.items():
        title = Text(columns[at].title, no_wrap=True, overflow="ellipsis")
        drawn.add_column(title, justify="right" if right[at] else "left", width=width)
    for row in texts:
        drawn.add_row(*(row[at] for at in given))
    return drawn


def _print_records(console: "Console", columns: Sequence[Column], texts: "Sequence[Sequence[Text]]") -> None:
    """Each row as lines ``title value``, in full: long values go on in further lines."""
    from rich.table import Table
    from rich.text import Text

    names = max(cell_len(column.title) for column in columns)
    for row in texts:
        grid = Table(box=None, show_header=False, pad_edge=False, padding=(0, GAP, 0, 0))
        grid.add_column(width=names, no_wrap=True)
        grid.add_column(overflow="fold")
        for column, text in zip(columns, row, strict=True):
            if text.plain != "-":
                grid.add_row(Text(column.title, style="bold"), Text(text.plain, style=text.style))
        console.print(grid)
        console.print()


def _aligned(lines: Sequence[Sequence[str]], right: Sequence[bool]) -> Iterator[str]:
    widths = [max(cell_len(line[at]) for line in lines) for at in range(len(right))]
    for line in lines:
        padded = (_pad(*cell) for cell in zip(line, widths, right, strict=True))
        yield "  ".join(padded).rstrip()


def _pad(cell: str, width: int, to_right: bool) -> str:
    blanks = " " * (width - cell_len(cell))
    return blanks + cell if to_right else cell + blanks
