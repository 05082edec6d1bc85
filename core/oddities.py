"""What can be odd about a game that could be read: a small, stable vocabulary, with a sentence for each.

The codes are stored, used as filters (``odd=no-end``) and shown to users: a code keeps its meaning for ever.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Odd(StrEnum):
    """The code of an oddity."""

    NO_END = "no-end"
    RESULT_DIFFERS = "result-differs"
    UNUSUAL_RESULT = "unusual-result"
    REPEATED_TAG = "repeated-tag"
    TAG_CASE = "tag-case"
    TAG_FORM = "tag-form"
    QUOTES = "quotes"
    SAME_FIDE_ID = "same-fide-id"
    SAME_NAME = "same-name"
    NOT_A_FIDE_ID = "not-a-fide-id"
    NOT_A_DATE = "not-a-date"
    NOT_A_RATING = "not-a-rating"
    UNKNOWN_BYTES = "unknown-bytes"
    FROM_RECORD = "from-record"
    RESULT_FORM = "result-form"


SENTENCES: Final[Mapping[Odd, str]] = MappingProxyType(
    {
        Odd.NO_END: "The moves have no end marker: the game may have been cut off.",
        Odd.RESULT_DIFFERS: "The tag Result and the end of the moves differ ({}); the tag counts.",
        Odd.UNUSUAL_RESULT: "The result is not a usual one ({}); it equals only itself.",
        Odd.REPEATED_TAG: "A tag is given twice ({}); the first one counts.",
        Odd.TAG_CASE: "The name of a tag is written with other capitals ({}); it is read as the usual one.",
        Odd.TAG_FORM: "A tag is not written as PGN wants it ({}).",
        Odd.QUOTES: "A tag is written with typographic quotes ({}); they are read as usual ones.",
        Odd.SAME_FIDE_ID: "White and Black have the same FIDE id ({}).",
        Odd.SAME_NAME: "White and Black have the same name ({}).",
        Odd.NOT_A_FIDE_ID: "A tag for a FIDE id has something else ({}); the name decides who it is.",
        Odd.NOT_A_DATE: "The tag Date is not a date with the year first ({}); it equals only itself.",
        Odd.NOT_A_RATING: "A tag for a rating has something else ({}).",
        Odd.UNKNOWN_BYTES: "Some letters cannot be read without knowing the encoding ({}).",
        Odd.FROM_RECORD: "Something was taken from the site's record, since the PGN does not say it ({}).",
        Odd.RESULT_FORM: "The result after the moves is not written as PGN wants it ({}); it is read as the usual one.",
    }
)
"""What users read; ``{}`` is replaced by the detail."""


def general(code: Odd) -> str:
    """The sentence without the detail of a single game."""
    return SENTENCES[code].replace(" ({})", "")


@dataclass(frozen=True, slots=True, order=True)
class Oddity:
    """One oddity of a game.

    Attributes:
        code: Which one.
        detail: What it is about, as in the game: the name of a tag, a value, or both; "" for `Odd.NO_END`.
    """

    code: Odd
    detail: str = ""

    def __str__(self) -> str:
        return SENTENCES[self.code].format(self.detail)
