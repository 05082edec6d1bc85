"""How tables fit on paper: the size of the letters, and which columns are side by side. Pure."""

import itertools
import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

PaperFormat = Literal["a4", "letter"]
_MILLIMETRES: Final[dict[PaperFormat, tuple[int, int]]] = {"a4": (210, 297), "letter": (216, 279)}
MARGIN: Final = 10
"""Millimetres at each side."""
FOOT: Final = 4
"""Millimetres more at the bottom, for the number of the page."""
_POINTS: Final = 72 / 25.4
SIZES: Final = (10, 9, 8, 7)
"""Sizes of letters in points, best first; a table is divided rather than set in the last one."""
_PADDING: Final = 0.75
"""Ems beside the text of a cell, with its line: as in style.css."""

_WIDE: Final = frozenset("mwMW½%…")
_NARROW: Final = frozenset(" .,:;'’!|()[]/-ijltfrIJ")


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet."""

    format: PaperFormat = "a4"
    landscape: bool = True

    @property
    def css(self) -> str:
        """The size as CSS has it."""
        return (
            f"{'A4' if self.format == 'a4' else self.format} {'landscape' if self.landscape else 'portrait'}"
        )

    def room(self, points: int) -> float:
        """Ems from margin to margin in letters of that size."""
        return (self._sides[0] - 2 * MARGIN) * _POINTS / points

    def height(self, points: int) -> float:
        """The same from top to bottom."""
        return (self._sides[1] - 2 * MARGIN - FOOT) * _POINTS / points

    @property
    def _sides(self) -> tuple[int, int]:
        short, long = _MILLIMETRES[self.format]
        return (long, short) if self.landscape else (short, long)


@dataclass(frozen=True, slots=True)
class Layout:
    """The size of the letters in points, and the columns of each part of the table: from, to."""

    points: int
    parts: tuple[tuple[int, int], ...]


def em(text: str) -> float:
    """How wide a text is in ems at most: reckoned with DejaVu Sans Bold, one of the widest that browsers have."""
    return sum(_letter(sign) for sign in text)


def _letter(sign: str) -> float:
    if unicodedata.combining(sign):
        return 0
    if unicodedata.east_asian_width(sign) in "WF" or sign in _WIDE:
        return 1.1
    if sign in _NARROW:
        return 0.5
    return 0.86 if sign.isupper() or sign in "+=−×" else 0.72


def column(texts: Iterable[str], least: float = 0, most: float = 1000) -> float:
    """The ems of a column with these texts; beyond *most* they wrap."""
    return min(max([least, *map(em, texts)]), most) + _PADDING


def words(texts: Iterable[str]) -> list[str]:
    """The words of texts that may wrap at blanks."""
    return [word for text in texts for word in text.split()]


def laid_out(fixed: float, groups: Sequence[Sequence[float]], paper: Paper) -> Layout:
    """How a table is divided so that no column is lost.

    Args:
        fixed: The ems of the columns that every part begins with.
        groups: The ems of the other columns; if not all fit side by side, no part has columns of two groups.
        paper: What it is printed on.
    """
    whole = sum(map(sum, groups))
    count = sum(map(len, groups))
    for points in SIZES[:-1]:
        if fixed + whole <= paper.room(points):
            return Layout(points, ((0, count),))
    # As few parts as can be, and then the largest letters.
    layouts = [_parted(fixed, groups, points, paper) for points in SIZES]
    return min(layouts, key=lambda one: len(one.parts))


def _parted(fixed: float, groups: Sequence[Sequence[float]], points: int, paper: Paper) -> Layout:
    parts: list[tuple[int, int]] = []
    begin = 0
    for group in groups:
        parts += [(begin + one, begin + end) for one, end in _split(group, paper.room(points) - fixed)]
        begin += len(group)
    return Layout(points, tuple(parts))


def _split(widths: Sequence[float], room: float) -> list[tuple[int, int]]:
    """As few stretches as fit into *room*, about equally many columns in each."""
    count = len(widths)
    for parts in range(1, count + 1):
        ends = [count * part // parts for part in range(parts + 1)]
        stretches = list(itertools.pairwise(ends))
        if all(sum(widths[begin:end]) <= room for begin, end in stretches):
            return stretches
    return [(at, at + 1) for at in range(count)]


_WALL: Final = (16, 14, 12, 10)
_ROW: Final = 2.0
_LINE: Final = 1.35
"""Ems of a row with one line, and of each further line: as in style.css."""


def wall_size(names: Sequence[tuple[str, str]], others: float, below: str, paper: Paper) -> int:
    """The largest size of letters in which a list of boards fits one page, else the smallest that it is set in.

    Args:
        names: White and Black of each board.
        others: The ems of the other columns.
        below: What stands below the list.
        paper: What it is printed on.
    """
    for longest in (1, 1000):  # rather smaller letters than names that wrap
        for points in _WALL:
            room = (paper.room(points) - others) / 2 - _PADDING
            boards = [max(math.ceil(em(one) / room) for one in pair) for pair in names]
            lines = sum(_ROW + _LINE * (count - 1) for count in boards)
            foot = _LINE * math.ceil(em(below) / paper.room(points))
            if lines + foot + 3 * _ROW <= paper.height(points) and max(boards, default=1) <= longest:
                return points
    return _WALL[-1]
