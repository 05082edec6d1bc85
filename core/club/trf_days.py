"""Dates in tournament reports: YYYY/MM/DD by the rules, and what programs write instead."""

import re
from datetime import date
from typing import Final

from core.club.trf import Document

_FORMS: Final = (
    (re.compile(r"(\d{4})([-./])(\d\d?)\2(\d\d?)", re.ASCII), (1, 3, 4)),
    (re.compile(r"(\d\d)(/)(\d\d)/(\d\d)", re.ASCII), (1, 3, 4)),
    (re.compile(r"(\d\d?)(\.)(\d\d?)\.(\d{4})", re.ASCII), (4, 3, 1)),
)
"""Patterns, and their groups of year, month and day."""
_OTHER: Final = re.compile(r"\d\d[-/]\d\d[-/]\d{4}", re.ASCII)
"""Day and month, or month and day."""
_YEAR_ONLY: Final = re.compile(r"\d{4}(?:[-./]00[-./]00)?", re.ASCII)
FIRST_DAY: Final = 87
"""The column of the first date in a 132 line, counted from the fifth column."""
DAY_WIDTH: Final = 10
_CENTURY: Final = 2000


def read_day(text: str) -> date | None:
    """The day; None if it is not a date, or could be two."""
    for pattern, groups in _FORMS:
        found = pattern.fullmatch(text.strip())
        if found:
            year, month, day = (int(found[group]) for group in groups)
            try:
                return date(year if len(found[groups[0]]) == 4 else year + _CENTURY, month, day)
            except ValueError:
                return None
    return None


def is_like_a_day(text: str) -> bool:
    """Whether it is meant as a date in digits, existing or not."""
    text = text.strip()
    return bool(_OTHER.fullmatch(text)) or any(pattern.fullmatch(text) for pattern, _ in _FORMS)


def is_partial(text: str) -> bool:
    """Whether it is a year alone, with or without zeros for the rest."""
    return bool(_YEAR_ONLY.fullmatch(text.strip()))


def round_days(document: Document) -> dict[int, str]:
    """The texts of the dates of the rounds (132), by round.

    They are aligned in columns of ten characters from column 92 on; if not, they belong to the rounds in
    order.
    """
    found: list[tuple[int, str]] = []
    for field in document.fields:
        if field.code == "132":
            found += [(one.start(), one[0]) for one in re.finditer(r"\S+", field.text)]
    places = [divmod(start - FIRST_DAY, DAY_WIDTH) for start, _ in found]
    aligned = all(place >= 0 and not rest for place, rest in places)
    if not aligned or len({place for place, _ in places}) < len(places):
        places = [(place, 0) for place in range(len(found))]
    return {place + 1: text for (place, _), (_, text) in zip(places, found, strict=True)}


def days_of(document: Document) -> list[date]:
    """The days that a report names: of its rounds (132), else of its beginning and end (042, 052)."""
    rounds = [day for text in round_days(document).values() if (day := read_day(text)) is not None]
    return rounds or [day for text in document.texts("042", "052") if (day := read_day(text)) is not None]
