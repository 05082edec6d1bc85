"""Ids in addresses."""

from typing import Annotated, Final

from fastapi import HTTPException, Path

GREATEST: Final = 2**63 - 1
"""The greatest number that both databases hold."""

Id = Annotated[int, Path(ge=1, le=GREATEST)]


def missing(what: str) -> HTTPException:
    """The answer where there is no such thing."""
    return HTTPException(404, f"There is no {what}.")
