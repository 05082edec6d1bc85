"""What annotators write beside moves and what says nothing about them: one table of text signs.

They are passed over, alone or directly behind a move: marks, evaluations, the signs of the Chess Informant as they are
in Unicode, and the letters that programs write for them. What is not here is not movetext.
"""

import re
from typing import Final

_MARKS: Final = ("!", "?")
_CHECKS: Final = ("+", "#", "†", "‡", "ch", "ch.", "dbl", "dbl.", "mate")
_EN_PASSANT: Final = ("ep", "ep.", "e.p", "e.p.")
_EVALUATIONS: Final = (
    *("=", "~", "~=", "=~", "±", "∓", "⩲", "⩱", "∞", "=∞", "∞=", "=/∞", "∞/=", "⯹", "⯺", "≈", "≅", "≌"),
    *("+-", "-+", "+/-", "-/+", "+/=", "=/+", "+=", "=+", "+--", "--+", "++-", "-++", "++--", "--++"),
)
_INFORMANT: Final = tuple("→↑⇑⇒⇗↗⇆⇄↔⇔⟳⟲↻↺□⬜◻▢△∆Δ▽∇⌓⊕⊙⨀☉⊥⟂⊞⊡○◯✕⟪⟫≪≫«»‖∥⌊⌋∟⁑◆◇★☆♦")
_LETTERS: Final = (
    "N",
    "TN",
    "D",
    "RR",
    "||",
    "_|_",
    "_|",
    "|_",
    "<=>",
    "=>",
    "->",
    "/\\",
    "^",
    "<<",
    ">>",
)
SIGNS: Final = (*_MARKS, *_CHECKS, *_EN_PASSANT, *_EVALUATIONS, *_INFORMANT, *_LETTERS)
"""Every sign, as it is after dashes, fractions and double marks have got their plain form."""

_ANY: Final = "|".join(re.escape(sign) for sign in sorted(SIGNS, key=len, reverse=True))
BEHIND: Final = rf"(?>(?:[!?]++|{_ANY}){{0,16}})"
"""A pattern of the signs directly behind a move, the longest first; it gives none back, which keeps time linear."""
# A number that begins with 0 may be a castling that somebody wrote without its hyphens.
_ALONE = re.compile(rf"(?!\Z){BEHIND}|[1-9]\d*+")


def is_sign(word: str) -> bool:
    """Is *word* nothing but signs, or a number without its dot?"""
    return _ALONE.fullmatch(word) is not None
