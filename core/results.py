"""Results as people and programs write them.

One table for the tag, the end of the moves, and the splitter.
"""

import re
from dataclasses import dataclass
from typing import Final

from core.blanks import BLANK

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
"""A pattern of the same in UTF-8 and cp1252, except a half alone, which may mean many other things."""
LONGEST: Final = len("0,5−0,5".encode())
"""Bytes of the longest text that `IN_BYTES` finds."""


def usual(text: str) -> str | None:
    """The usual form of a result, None if *text* (without blanks) is not one.

    >>> usual("½:½")
    '1/2-1/2'
    """
    if text in USUAL:
        return text
    return next((result for result, form in _FORMS.items() if form.fullmatch(text)), None)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A result at the end of a text as people write it, not as PGN does: "1 - 0", "1-0 FF", "+:-".

    Attributes:
        result: The usual form.
        begin: Where it begins in the text.
        end: Where it ends, its remark included.
        remark: What follows it, "" if nothing does.
    """

    result: str
    begin: int
    end: int
    remark: str


_GAP: Final = f"[{BLANK}]{{0,3}}"
_APART: Final = f"(?:[{BLANK}]{{1,3}}|{_GAP}:{_GAP})"
"""Between the signs of a game that was not played: without it they are an annotator's evaluation."""
_SPOKEN: Final = re.compile(
    rf"(?:(?<=[{BLANK}.}})])|\A)"
    rf"(?:(?P<white>1{_GAP}[{_DASH}]{_GAP}0|\+{_APART}[-–−])"
    rf"|(?P<black>0{_GAP}[{_DASH}]{_GAP}1|[-–−]{_APART}\+)"
    rf"|(?P<draw>{_HALF}(?:{_GAP}[{_DASH}]{_GAP}{_HALF})?))"
    rf"(?:(?:[.,/]|[{BLANK}])[{BLANK}]*(?P<remark>(?=[^\W\d_]|\()[^\d{{}}\[\];$%*_]{{1,60}}?)|\.)?[{BLANK}]*\Z"
)
_BY_GROUP: Final = {"white": WHITE_WINS, "black": BLACK_WINS, "draw": DRAW}
_LONGEST_SPOKEN: Final = 120


def spoken(text: str) -> Spoken | None:
    """The result in words and signs at the end of *text*; None if there is none.

    >>> spoken("1. f3 e5 2. g4 Qh4# 0 - 1 (mate)").result
    '0-1'
    """
    found = _SPOKEN.search(text, max(0, len(text) - _LONGEST_SPOKEN))
    if found is None:
        return None
    group = next(name for name in _BY_GROUP if found[name] is not None)
    end = max(found.end(group), found.end("remark"))
    return Spoken(_BY_GROUP[group], found.start(group), end, found["remark"] or "")
