"""Dates and times in requests, checked against the calendar; the patterns say exactly what is accepted."""

import re
from datetime import UTC, datetime
from typing import Final

from core.game import PartialDate

_YEAR: Final = r"(000[1-9]|00[1-9]\d|0[1-9]\d{2}|[1-9]\d{3})"
_LEAP_YEAR: Final = (
    r"(\d{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)"  # 0000 is not a year
)
_MONTH_AND_DAY: Final = r"(0?[13578]|1[02])[./-](0?[1-9]|[12]\d|3[01])|(0?[469]|11)[./-](0?[1-9]|[12]\d|30)|0?2[./-](0?[1-9]|1\d|2[0-8])"
_LEAP_DAY: Final = r"[./-]0?2[./-]29"
_UNKNOWN: Final = r"(00?|\?\??)"
DATE_PATTERN: Final = (
    rf"^({_YEAR}([./-]({_MONTH_AND_DAY}|(0?[1-9]|1[0-2])([./-]{_UNKNOWN})?|{_UNKNOWN}([./-]{_UNKNOWN})?))?"
    rf"|{_LEAP_YEAR}{_LEAP_DAY})$"
).replace(r"\d", "[0-9]")
"""A day, month or year: year first, parts separated by ``.``, ``-`` or ``/``.

Unknown ones are ``??`` or left out.
"""

_DAY: Final = (
    rf"({_YEAR}-((0[13578]|1[02])-(0[1-9]|[12]\d|3[01])|(0[469]|11)-(0[1-9]|[12]\d|30)|02-(0[1-9]|1\d|2[0-8]))"
    rf"|{_LEAP_YEAR}-02-29)"
)
_CLOCK: Final = r"([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?"
_ZONE: Final = r"([Zz]|[+ -]([01]\d|2[0-3]):[0-5]\d)"
MOMENT_PATTERN: Final = rf"^((0|[1-9]\d{{0,17}})|{_DAY}([Tt]{_CLOCK}{_ZONE})?)$".replace(r"\d", "[0-9]")
"""The id of a game, an RFC 3339 date and time, or a date (in UTC).

A ``+`` that became a blank in a URL counts.
"""


def read_date(text: str) -> PartialDate:
    """A date that was asked for: ``2024``, ``2024-05`` or ``2024-05-12``, also with dots.

    Raises:
        ValueError: it is not one, or not in the calendar.
    """
    date = PartialDate.parse(text)
    if date.year is None or date.text is not None or (date.month is None and date.day is not None):
        raise ValueError(f"{text!r} is not a date: write 2024-05-12, 2024-05 or 2024")
    if re.fullmatch(DATE_PATTERN, text) is None:
        if date.day is not None:
            raise ValueError(f"{text!r} is not in the calendar: that month has no day {date.day}")
        raise ValueError(f"{text!r} is not a date: write 2024-05-12, 2024-05 or 2024")
    return date


def read_moment(text: str) -> int | datetime:
    """The id of a game, or a moment in UTC: ``29``, ``2024-05-12T10:00:00Z``, ``2024-05-12``.

    Raises:
        ValueError: it is neither.
    """
    if re.fullmatch(MOMENT_PATTERN, text) is None:
        raise ValueError(
            f"{text!r} is neither a time nor the id of a game: write 2024-05-12T10:00:00Z, 2024-05-12 or 29"
        )
    if text.isdigit():
        return int(text)
    if len(text) == len("2024-05-12"):
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    return datetime.fromisoformat(text.upper().replace(" ", "+"))
