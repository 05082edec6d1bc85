"""Annotators' signs beside moves, which say nothing about the moves: one table.

They are skipped, alone or directly after a move: marks, evaluations, the signs of the Chess Informant as they
are in Unicode, and the letters that programs write for them. What is not here is not movetext.
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
"""Every sign, after dashes, fractions and double marks have been made plain."""

_ANY: Final = "|".join(re.escape(sign) for sign in sorted(SIGNS, key=len, reverse=True))
AFTER_MOVE: Final = rf"(?>(?:[!?]++|{_ANY}){{0,16}})"
"""A pattern of the signs directly after a move, longest first; it is possessive, which keeps time linear."""
# A number that begins with 0 may be a castling that somebody wrote without its hyphens.
_ALONE = re.compile(rf"(?!\Z){AFTER_MOVE}|[1-9]\d*+")


def is_sign(word: str) -> bool:
    """Whether *word* consists of signs only, or is a number without its dot."""
    return _ALONE.fullmatch(word) is not None
