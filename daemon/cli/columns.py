"""Which columns of a table fit a terminal, and how wide each is: pure, in cells of the terminal."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len

GAP: Final = 2
"""Cells between two columns."""
_UNCUT: Final = 24
"""Cells of a time or of a usual account: columns of such words are not cut."""
_NOTHING: Final = {"-", "0", ""}
_SAYS_NOTHING: Final = 100
_LEAST: Final = 10
"""The least number of cells of a column of texts."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A value that a terminal shows otherwise than a pipe. None: as the pipe.

    Attributes:
        full: The whole value: for pipes and files.
        short: What a terminal shows of it: "in 31 min", "lichess".
        style: Rich's name of its colour.
    """

    full: str | int | None
    short: str | None = None
    style: str | None = None


CellValue = Shown | str | int | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        title: The text above it.
        leaves: Which columns are dropped first if a terminal is too narrow: those of the highest number; one
            of 0 stays.
        least: Cells that it keeps, whatever is cut from it; None: what its texts want: short words are not
            cut.
        wraps: Its texts are sentences: what does not fit goes on in further lines instead of being cut.
        style: The colour of a text, by rich's name.
    """

    title: str
    leaves: int = 0
    least: int | None = None
    wraps: bool = False
    style: Callable[[str], str | None] | None = None


@dataclass(frozen=True, slots=True)
class Width:
    """The width that a column needs, and the width that it would like."""

    leaves: int
    least: int
    whole: int


def wanted(column: Column, texts: Sequence[str]) -> Width:
    """The widths of *column* with these texts. An empty one is dropped before the others."""
    whole = max(map(cell_len, (column.title, *texts)))
    least = column.least
    if least is None:
        least = whole if all(" " not in text and cell_len(text) <= _UNCUT for text in texts) else _LEAST
    leaves = column.leaves
    if leaves and all(text in _NOTHING for text in texts):
        if not column.title:
            return Width(leaves, 0, 0)
        leaves += _SAYS_NOTHING
    return Width(leaves, max(min(least, whole), min(cell_len(column.title), _LEAST)), whole)


def fit(widths: Sequence[Width], room: int) -> dict[int, int] | None:
    """The columns that fit into *room* cells, by their index, with the cells that each of them gets.

    Columns are dropped one after another until the rest has its least width; then the narrowest grow until
    they are whole. None if not even those fit that always stay.
    """
    staying = list(range(len(widths)))
    while sum(widths[at].least + GAP for at in staying) - GAP > room:
        first = max(staying, key=lambda at: (widths[at].leaves, at))
        if not widths[first].leaves:
            return None
        staying.remove(first)
    given = {at: widths[at].least for at in staying}
    left = room - sum(cells + GAP for cells in given.values()) + GAP
    while left > 0 and (growing := [at for at in staying if given[at] < widths[at].whole]):
        given[min(growing, key=given.__getitem__)] += 1
        left -= 1
    return given
