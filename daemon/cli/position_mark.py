"""A text for the terminal with one position marked."""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len

from core.pgn.text_positions import Spot

_CUT: Final = "…"


def visible(text: str) -> str:
    """*text* with its control characters made visible: ``␀``, ``␉``, ``<U+202E>``."""
    return "".join(_seen(sign) for sign in text)


def _seen(sign: str) -> str:
    if sign.isprintable():
        return sign
    code = ord(sign)
    if code < 32:
        return chr(0x2400 + code)
    if code == 127:
        return "\u2421"
    return sign if unicodedata.category(sign) == "Zs" else f"<U+{code:04X}>"


def marked(lines: Sequence[str], spot: Spot | None, width: int) -> Iterator[str]:
    """The numbered lines; below that of *spot* a caret at its column, and that line cut to *width* cells."""
    digits = len(str(len(lines)))
    for number, line in enumerate(lines, 1):
        if spot is None or number != spot.line:
            yield f"{number:>{digits}} | {visible(line)}".rstrip()
        else:
            shown, blanks = _around(line, spot.column - 1, max(width - digits - 3, 20))
            yield f"{number:>{digits}} | {shown}"
            yield f"{'':{digits}} | {' ' * blanks}^"


def _around(line: str, at: int, room: int) -> tuple[str, int]:
    """The part of *line* around the character *at* that fits in *room* cells, and the cells before it."""
    start, end = 0, len(line)
    if cell_len(visible(line[: 2 * room])) > room:
        # A sign may take two cells, and a control character more: half of the room is for what is before.
        start, end = max(0, at - room // 2), min(len(line), at + room // 2)
        while start < at and cell_len(visible(line[start:at])) > room // 2 - 1:
            start += 1
        while end > at + 1 and cell_len(visible(line[at:end])) > room // 2 - 1:
            end -= 1
    before = (_CUT if start else "") + visible(line[start:at])
    return before + visible(line[at:end]) + (_CUT if end < len(line) else ""), cell_len(before)
