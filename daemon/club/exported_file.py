"""The result of an export: a file, and notes on it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Export:
    """A file. *notes* are what its reader would not see.

    Letters that were replaced, what is still to be done.
    """

    name: str
    data: bytes
    notes: tuple[str, ...] = ()
