"""Ids in paths."""

from typing import Annotated, Final

from fastapi import HTTPException, Path

from daemon.archive.reading.search.asked_values import WholeNumber

GREATEST: Final = 2**63 - 1
"""The greatest number that both databases can store."""

MOST: Final = 2**31 - 1
"""The greatest number that a counter in both databases can store."""

IdParameter = Annotated[int, WholeNumber(1, GREATEST), Path(description="the id of the list that it is in")]
TellingNumber = Annotated[
    int, WholeNumber(1, MOST), Path(description="the number of the telling within its game")
]


def missing(what: str) -> HTTPException:
    """The answer if there is no such thing."""
    return HTTPException(404, f"There is no {what}.")
