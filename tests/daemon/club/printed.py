"""What is on the pages of a PDF, and where: read with pypdf."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pypdf import PageObject, PdfReader

Matrix = Sequence[float]
Colour = tuple[float, ...]
BLACK: Colour = (0.0, 0.0, 0.0)


@dataclass
class Printed:
    """A page: points from its left and lower edge.

    Attributes:
        texts: x, y, size of the letters, and the text.
        grounds: x from and to of every filled rectangle: grounds and lines.
        inks: the luminances of letters, 0 is black.
        papers: the luminances of grounds that are larger than a line.
    """

    width: float
    height: float
    texts: list[tuple[float, float, float, str]] = field(default_factory=list)
    grounds: list[tuple[float, float]] = field(default_factory=list)
    inks: set[float] = field(default_factory=set)
    papers: set[float] = field(default_factory=set)

    @property
    def squeezed(self) -> str:
        """All of its text in the order in which it was drawn, without blanks and ligatures."""
        return squeezed("".join(text for *_, text in self.texts))


def squeezed(text: str) -> str:
    """Without blanks, ligatures taken apart."""
    return "".join(unicodedata.normalize("NFKC", text).split())


def read(path: Path) -> list[Printed]:
    """The pages of a PDF."""
    return [_Reading(page).printed for page in PdfReader(path).pages]


class _Reading:
    """Follows the operators of a page: the colour that is set, the rectangle before it is filled."""

    def __init__(self, page: PageObject) -> None:
        self.printed = Printed(float(page.mediabox.width), float(page.mediabox.height))
        self._colour = BLACK
        self._saved: list[Colour] = []
        self._rectangle: tuple[float, ...] | None = None
        page.extract_text(visitor_operand_before=self._operator, visitor_text=self._text)

    def _operator(self, operator: bytes, values: Any, cm: Matrix, _tm: Matrix) -> None:
        if operator in {b"rg", b"g"}:
            self._colour = tuple(map(float, values)) * (3 if operator == b"g" else 1)
        elif operator == b"q":
            self._saved.append(self._colour)
        elif operator == b"Q":
            self._colour = self._saved.pop()
        elif operator == b"re":
            x, _, width, height = (float(value) for value in values)
            edges = sorted((cm[0] * x + cm[4], cm[0] * (x + width) + cm[4]))
            self._rectangle = (*edges, abs(cm[3] * height))
        elif operator == b"f" and self._rectangle is not None:
            begin, end, tall = self._rectangle
            self.printed.grounds.append((begin, end))
            if min(end - begin, tall) > 3:
                self.printed.papers.add(_luminance(self._colour))
        elif operator in {b"Tj", b"TJ"}:
            self.printed.inks.add(_luminance(self._colour))

    def _text(self, text: str, cm: Matrix, tm: Matrix, _font: Any, size: float) -> None:
        if text.strip():
            x = cm[0] * tm[4] + cm[2] * tm[5] + cm[4]
            y = cm[1] * tm[4] + cm[3] * tm[5] + cm[5]
            self.printed.texts.append((x, y, abs(size * cm[3]), text))


def _luminance(colour: Colour) -> float:
    """Of a colour as WCAG reckons it, 0 black to 1 white."""
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in colour]
    return sum(share * one for share, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
