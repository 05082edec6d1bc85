"""Rows packed into bytes, so that SQLite takes thousands of them without a Python object for each value.

A record is its length, four bytes, and its values one after another: a byte for the type, then ``N`` nothing;
``i`` a number, eight bytes; ``t`` a text and ``b`` bytes, each after its length, four bytes; ``r`` a reference: the
number of a map, one byte, and a place in it, four bytes. A reference is for the number at that place of the map, which
only the statement that reads the records knows. All are little-endian. Records follow each other without a gap.
"""

from collections.abc import Iterable
from struct import Struct
from typing import Final

_LENGTH: Final = Struct("<I").pack
_NUMBER: Final = Struct("<cq").pack
_SIZED: Final = Struct("<cI").pack
_REFERENCE: Final = Struct("<cBI").pack


def null() -> bytes:
    """No value."""
    return b"N"


def integer(number: int | None) -> bytes:
    """A number of 64 bits with its sign, or no value."""
    return b"N" if number is None else _NUMBER(b"i", number)


def text(value: str | None) -> bytes:
    """A text, or no value."""
    if value is None:
        return b"N"
    encoded = value.encode()
    return _SIZED(b"t", len(encoded)) + encoded


def blob(value: bytes | None) -> bytes:
    """Bytes, or no value."""
    return b"N" if value is None else _SIZED(b"b", len(value)) + value


def ref(which: int, place: int | None) -> bytes:
    """The number at this place of map *which*, or no value."""
    return b"N" if place is None else _REFERENCE(b"r", which, place)


def record(values: Iterable[bytes]) -> bytes:
    """A row of these values."""
    joined = b"".join(values)
    return _LENGTH(len(joined)) + joined
