"""Ids in addresses."""

from typing import Annotated, Final

from fastapi import HTTPException, Path

GREATEST: Final = 2**63 - 1
"""The greatest number that both databases hold."""

MOST: Final = 2**31 - 1
"""The greatest number that a counter of both databases holds."""

Id = Annotated[int, Path(ge=1, le=GREATEST, description="the id of the list that it is in")]
Number = Annotated[int, Path(ge=1, le=MOST, description="the number of the telling within its game")]


def missing(what: str) -> HTTPException:
    """The answer where there is no such thing."""
    return HTTPException(404, f"There is no {what}.")
