"""Two spellings that may be one person: an initial, a letter written another way, one letter that differs.

For people to decide. Recognition never asks here: different words are different people (names R12).
"""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Final, Literal

from core.names import classify, words

Likeness = Literal["initial", "transliteration", "spelling"]

_SHORTEST: Final = 4
"""The least letters of the longer of two words that differ in one: too many shorter ones are other names."""

_WRITTEN_OUT: Final = str.maketrans(
    {
        "ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe",
        "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Å": "Aa", "Ø": "Oe",
    }
)  # fmt: skip
"""Letters that are written as two where they are missing; `core.names` folds the others so (ß, æ, œ, þ)."""


def likeness(one: str, other: str) -> Likeness | None:
    """How these two names of different players may be one person's; None if nothing suggests it.

    At least one of them is a person's name, by the rule for nicknames: with handles every character counts.
    """
    kinds = {classify(one), classify(other)}
    if "person" not in kinds or "unknown" in kinds:
        return None
    left, right = words(one), words(other)
    if _written_out(one, left) & _written_out(other, right):
        return "transliteration"
    return _by_one_word(left, right)


def _written_out(name: str, plain: Sequence[str]) -> set[tuple[str, ...]]:
    """The words in any order, folded, and also with letters written out as two."""
    # An accent may stand apart from its letter.
    composed = unicodedata.normalize("NFC", name)
    return {tuple(sorted(plain)), tuple(sorted(words(composed.translate(_WRITTEN_OUT))))}


def _by_one_word(left: Sequence[str], right: Sequence[str]) -> Likeness | None:
    """Compares the words that the two do not share: initials, or one that differs by a letter."""
    both = Counter(left) & Counter(right)
    mine, theirs = sorted((Counter(left) - both).elements()), sorted((Counter(right) - both).elements())
    if len(mine) != len(theirs) or not mine:
        return None
    if any(len(word) > 1 for word in both) and _are_initials(mine, theirs):
        return "initial"
    if len(mine) == 1 and _one_letter_apart(mine[0], theirs[0]):
        return "spelling"
    return None


def _are_initials(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether of each two words, sorted, one is the first letter of the other."""
    return all(
        min(len(one), len(other)) == 1 and one[0] == other[0] for one, other in zip(mine, theirs, strict=True)
    )


def _one_letter_apart(one: str, other: str) -> bool:
    """Whether one letter more, less or different makes one of the other, or two swapped letters."""
    shorter, longer = sorted((one, other), key=len)
    if len(longer) < _SHORTEST or len(longer) - len(shorter) > 1 or not (one + other).isalpha():
        return False
    at = next(
        (at for at, pair in enumerate(zip(shorter, longer, strict=False)) if pair[0] != pair[1]), len(shorter)
    )
    if len(shorter) < len(longer):
        return shorter[at:] == longer[at + 1 :]
    swapped = shorter[at : at + 2] == longer[at : at + 2][::-1] and shorter[at + 2 :] == longer[at + 2 :]
    return swapped or shorter[at + 1 :] == longer[at + 1 :]
