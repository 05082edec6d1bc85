"""What an export makes: a file, and what is to be said of it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Export:
    """A file. *notes* are what its reader would not see: letters that were written otherwise, what is to be done yet."""

    name: str
    data: bytes
    notes: tuple[str, ...] = ()
