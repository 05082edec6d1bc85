"""Where something lies in the text of a game: line and column, as editors count them."""

import re
from dataclasses import dataclass
from typing import Final

from core.pgn import decode

_LINE_END: Final = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a text. *line* and *column* (in characters) count from 1."""

    line: int
    column: int


def lines(raw: bytes) -> list[str]:
    """The lines of a game without their ends, as its reader takes the bytes for text."""
    return _LINE_END.split(decode(raw)[0].removeprefix("\ufeff"))


def spot(raw: bytes, position: int) -> Spot:
    """The place of the byte at *position* in *raw*; the end, where it lies behind it."""
    encoding = decode(raw)[1]
    # Only line ends and lengths count here, and cp1252 has a character for each byte, as Latin-1 has.
    before = raw[:position].decode(encoding if encoding == "utf-8" else "latin-1", "ignore")
    before = before.removeprefix("\ufeff")
    ends = list(_LINE_END.finditer(before))
    return Spot(len(ends) + 1, len(before) - (ends[-1].end() if ends else 0) + 1)
