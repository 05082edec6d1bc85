"""Dates as people type them on a command line, also with the day first: ``12.05.2024``."""

import re
from typing import Final

_DAY_FIRST: Final = re.compile(r"\s*(?:(\d{1,2})\.)?(\d{1,2})\.(\d{4})\s*", re.ASCII)


def year_first(text: str) -> str:
    """``2024.05.12`` for ``12.05.2024``, ``2024.05`` for ``5.2024``; any other text unchanged.

    Only dots mean that the day is first: ``05/12/2024`` is another day in other countries.
    """
    match = _DAY_FIRST.fullmatch(text)
    if match is None:
        return text
    day, month, year = match.groups()
    return f"{year}.{month:0>2}" + (f".{day:0>2}" if day else "")
