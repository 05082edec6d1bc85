"""Finds the line and column of a byte in a game's text, as editors count them."""

import re
from dataclasses import dataclass
from typing import Final

from core.pgn.encodings import before, decode, shown

_LINE_END: Final = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a text. *line* and *column* (in characters) count from 1."""

    line: int
    column: int


def lines(raw: bytes, encoding: str | None = None) -> list[str]:
    """The lines of a game without their ends, decoded as its reader decodes them (`core.pgn.encodings`)."""
    return [shown(line) for line in _LINE_END.split(decode(raw, encoding).removeprefix("\ufeff"))]


def spot(raw: bytes, position: int, encoding: str | None = None) -> Spot:
    """The place of the byte at *position* in *raw*; the end, if it is beyond it."""
    text = before(raw, position, encoding).removeprefix("\ufeff")
    *ended, last = _LINE_END.split(text)
    return Spot(len(ended) + 1, len(shown(last)) + 1)
