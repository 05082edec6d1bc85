"""Which columns of a table fit a terminal, and how wide each of them is: pure, in cells of the terminal."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len

GAP: Final = 2
"""Cells between two columns."""
_UNCUT: Final = 24
"""Cells of a moment or of a usual account: a column of such words is not cut."""
_NOTHING: Final = {"-", "0", ""}
_SAYS_NOTHING: Final = 100
_LEAST: Final = 10
"""Cells that every column of a text gets."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A value that a terminal shows otherwise than a pipe gets it. None: as the pipe gets it.

    Attributes:
        full: the whole value: for pipes and files.
        short: what a terminal shows of it: "in 31 min", "lichess".
        style: rich's name of its colour.
    """

    full: str | int | None
    short: str | None = None
    style: str | None = None


CellValue = Shown | str | int | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        title: what stands above it.
        leaves: which columns leave first where a terminal is too narrow: those of the highest number; one of 0 stays.
        least: cells that it keeps, whatever is cut from it; None: what its texts want: short words are not cut.
        wraps: its texts are sentences: what does not fit goes on in further lines instead of being cut.
        style: the colour of a text, by rich's name.
    """

    title: str
    leaves: int = 0
    least: int | None = None
    wraps: bool = False
    style: Callable[[str], str | None] | None = None


@dataclass(frozen=True, slots=True)
class Width:
    """What a column has to have, and what it would like to have."""

    leaves: int
    least: int
    whole: int


def wanted(column: Column, texts: Sequence[str]) -> Width:
    """The widths that *column* asks for when it has these texts. One that says nothing leaves before the others."""
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
    """The columns that fit into *room* cells, by their place, with the cells that each of them gets.

    Those that leave first leave one after the other, until what is left has its least; then the narrowest grow until
    they are whole. None where not even those fit that always stay.
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
