"""Rows packed into bytes, so that SQLite takes thousands of them without a Python object for each value.

A record is its length, four bytes, and its values one after another: a byte for the type, then ``N`` nothing;
``i`` a number, eight bytes; ``t`` a text and ``b`` bytes, each after its length, four bytes; ``r`` a reference: the
number of a map, one byte, and a place in it, four bytes. A reference is for the number at that place of the map, which
only the statement that reads the records knows. All are little-endian. Records follow each other without a gap.

SQLite reads them by an extension of our own in C (`native/packed_rows.c`), built when the program is installed, as the
compiled core is. It is a table-valued function that a statement selects from: `FUNCTION`.
"""

import os
from array import array
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from struct import Struct
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from core.compiled import NEVER

if TYPE_CHECKING:
    from sqlalchemy import Connection

FUNCTION: Final = "packed_rows(:records, :n0, :n1, :n2, :n3, :m0, :m1)"
"""In SQL: a row for each record. Columns: ``c0`` … ``c47``, its values; ``a0`` … ``a3``, its numbers; ``number``, its place."""

_BUILT: Final = Path(__file__).with_name("_packed_rows.ext")
_SOURCES: Final = Path(__file__).with_name("native")
_ENTRY: Final = "sqlite3_packedrows_init"
_LOADED: Final = "packed rows"
"""The key under which a connection notes that it has the extension."""

Numbers: TypeAlias = "array[int]"
"""Of the type code ``q``."""


@dataclass(frozen=True, slots=True)
class PackedRows:
    """Records, and what a statement has to know to read them.

    Attributes:
        records: One after another.
        numbers: Up to four arrays, each with a number for every record. One whose number in the first array is 0 is left out.
        maps: Up to two arrays, in which the references of the records are looked up. None is to a place with 0.
    """

    records: bytes
    numbers: Sequence[Numbers] = ()
    maps: Sequence[Numbers] = ()

    @property
    def arguments(self) -> dict[str, object]:
        """The parameters of `FUNCTION`."""
        given = {f"n{place}": numbers for place, numbers in enumerate(self.numbers)}
        given.update({f"m{place}": numbers for place, numbers in enumerate(self.maps)})
        return {"records": self.records} | dict.fromkeys(_ARRAYS) | given


_ARRAYS: Final = ("n0", "n1", "n2", "n3", "m0", "m1")

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


@lru_cache(maxsize=1)
def why_not() -> str | None:
    """Why SQLite cannot take packed rows here; None if it can."""
    if os.environ.get("GAMEKEEPER_COMPILED") == NEVER:
        return f"GAMEKEEPER_COMPILED says {NEVER}"
    if not _BUILT.exists():
        return "packed rows were not compiled when gamekeeper was installed"
    if _older_than_sources():
        return "packed rows are older than their sources: install the program again (make setup)"
    from daemon.archive.database.engine import sqlite_driver

    driver = sqlite_driver()
    with closing(driver.connect(":memory:")) as connection:
        try:
            _load(connection)
        except (driver.Error, AttributeError) as error:  # some Pythons are built without extensions of SQLite
            return str(error)
    return None


def available() -> bool:
    """Whether SQLite can take packed rows here."""
    return why_not() is None


def load(connection: "Connection") -> None:
    """Let statements of this connection to a file use `FUNCTION`, if they cannot yet. Only where it is `available`."""
    if not connection.info.get(_LOADED):
        _load(connection.connection.driver_connection)
        connection.info[_LOADED] = True


def insert(
    connection: "Connection", statement: str, rows: PackedRows, values: Sequence[int | str | None] = ()
) -> int:
    """Run an INSERT once for each record; returns how often that was.

    Its parameters are the columns of `FUNCTION`, as ``:c0`` and ``:a0``, and *values*, as ``:p0`` and ``:p1``. It is quicker
    than INSERT … SELECT, for which SQLite keeps a copy of every page that it changes. For want of these copies an error leaves
    the rows before it: the transaction has to be rolled back then.
    """
    load(connection)
    others = {f"p{place}": value for place, value in enumerate(values)}
    given = {"statement": statement, "p0": None, "p1": None} | rows.arguments | others
    done: int = connection.exec_driver_sql(_INSERT, given).scalar_one()
    return done


_INSERT: Final = (
    "SELECT done FROM packed_insert(:statement, :records, :n0, :n1, :n2, :n3, :m0, :m1, :p0, :p1)"
)


def _older_than_sources() -> bool:
    """Whether the sources beside it have changed since it was built, as in a checkout that was updated."""
    return max((file.stat().st_mtime for file in _SOURCES.glob("*")), default=0.0) > _BUILT.stat().st_mtime


def _load(connection: Any) -> None:
    """Load the extension into a connection of the driver; no other can be loaded afterwards."""
    connection.enable_load_extension(True)
    try:
        connection.execute("SELECT load_extension(?, ?)", (str(_BUILT), _ENTRY)).fetchone()
    finally:
        connection.enable_load_extension(False)
