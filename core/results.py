"""Results as people and programs write them: one table for the tag, the end of the moves, and the splitter."""

import re
from typing import Final

WHITE_WINS: Final = "1-0"
BLACK_WINS: Final = "0-1"
DRAW: Final = "1/2-1/2"
UNFINISHED: Final = "*"
USUAL: Final = frozenset({WHITE_WINS, BLACK_WINS, DRAW, UNFINISHED})

_DASH: Final = "-‐‑‒–—−:"
_HALF: Final = "(?:1/2|½|0?[.,]5)"
_FORMS: Final = {
    WHITE_WINS: re.compile(f"1[{_DASH}]0"),
    BLACK_WINS: re.compile(f"0[{_DASH}]1"),
    DRAW: re.compile(f"{_HALF}(?:[{_DASH}]{_HALF})?"),
    UNFINISHED: re.compile(r"\*"),
}
IN_TEXT: Final = "|".join(form.pattern for form in _FORMS.values())
"""A pattern of the same, without groups."""
_BYTES_DASH: Final = rb"(?:[-:\x96\x97]|\xe2\x80[\x90-\x94]|\xe2\x88\x92)"
_BYTES_HALF: Final = rb"(?:1/2|\xc2?\xbd|0?[.,]5)"
IN_BYTES: Final = rb"(?:1%(dash)s0|0%(dash)s1|%(half)s%(dash)s%(half)s|\*)" % {
    b"dash": _BYTES_DASH,
    b"half": _BYTES_HALF,
}
"""A pattern of the same in UTF-8 and cp1252, but for a half alone, which may be many other things."""
LONGEST: Final = len("0,5−0,5".encode())
"""Bytes of the longest text that `IN_BYTES` finds."""


def usual(text: str) -> str | None:
    """The usual form of a result, None if *text* (without blanks) is none.

    >>> usual("½:½")
    '1/2-1/2'
    """
    return next((result for result, form in _FORMS.items() if form.fullmatch(text)), None)
