"""The days of a tournament as results files write them: one day, or first and last."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

_DAY: Final = r"\d{4}-\d\d-\d\d"
_TO: Final = r"[ \t]*[-‐‑‒–—―−][ \t]*"
_RANGE: Final = re.compile(rf"({_DAY})(?:{_TO}({_DAY}))?")
_IN_HEADING: Final = re.compile(rf",?[ \t(]*({_DAY}){_TO}({_DAY})\)?[ \t]*$")
_PUBLISHED: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:/(?:(?:(\d{4})-)?(\d\d)-)?(\d\d))?")
_LONGEST: Final = 60


@dataclass(frozen=True, slots=True)
class Days:
    """The first and the last day, which may be the same."""

    first: date
    last: date


def read_range(text: str) -> Days | str:
    """Read "2024-01-06", or "2024-01-06 - 2024-01-07" with any dash; if wrong, a sentence says how."""
    shown = text.strip()
    found = _RANGE.fullmatch(shown[: _LONGEST + 1])
    if found is None:
        return f'"{shown[:_LONGEST]}" is not a date'
    return read_days(found[1], found[2] or found[1])


def in_heading(name: str) -> re.Match[str] | None:
    """The range of days at the end of a name; groups 1 and 2 are the days."""
    return _IN_HEADING.search(name, max(0, len(name) - _LONGEST))


def read_days(first: str, last: str) -> Days | str:
    """The days from two texts, or a sentence on what is wrong with them."""
    days: list[date] = []
    for text in (first, last):
        try:
            days.append(date.fromisoformat(text))
        except ValueError:
            return f'"{text}" is not a day of the calendar'
    if days[1] < days[0]:
        return f"it ends {last}, before it begins {first}"
    return Days(days[0], days[1])


def read_published(text: str) -> Days | str:
    """Read days as FESA publishes them.

    Such as "2024-04-20", "2024-04-20/21", "2024-08-31/09-01", "2024-12-31/2025-01-01".
    """
    found = _PUBLISHED.fullmatch(text.strip())
    if found is None:
        return f'"{text.strip()[:_LONGEST]}" is not a date'
    year, month, day, last_year, last_month, last_day = found.groups()
    first = f"{year}-{month}-{day}"
    last = f"{last_year or year}-{last_month or month}-{last_day or day}"
    return read_days(first, last)
