"""The tellings of a file in the order of their places: a file that is read again mostly has the same games in the same order.

So most games of a large file are recognised by comparing, without a look into the archive for each.
"""

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final, TypeVarTuple

from sqlalchemy import Connection, Select, func, select

from daemon.archive.tables.files import left_tellings
from daemon.archive.tables.main import IN_FILE, tellings

_DIGEST: Final = 16
_TOGETHER: Final = 10_000
_SPREAD: Final = 4
"""Of so many rows of the archive one at least is the file's where they are read one after another."""

_Ts = TypeVarTuple("_Ts")

_ROWS: Final = select(tellings.c.id, tellings.c.place, tellings.c.digest).where(
    tellings.c.place.is_not(None), tellings.c.encoding.is_(None)
)
"""Those read as UTF-8: of others it depends on the file's encoding of now whether they are the same."""


class FileOrder:
    """The tellings of one file, by their places, and how far among them the file has been compared."""

    def __init__(self) -> None:
        self._ids = array("q")
        self._places = array("q")
        self._digests = b""
        self._at = 0

    @classmethod
    def of(cls, connection: Connection, file_id: int) -> "FileOrder":
        """Those of this file, but for those that have left it."""
        left = select(left_tellings.c.telling_id).join(tellings).where(IN_FILE, tellings.c.file_id == file_id)
        away = set(connection.scalars(left))
        order = cls()
        digests = bytearray()
        for some in connection.execute(in_order_of_ids(connection, file_id, _ROWS)).partitions(_TOGETHER):
            here = [row for row in some if row[0] not in away] if away else some
            ids, places, values = zip(*here, strict=True) if here else ((), (), ())
            order._ids.extend(ids)
            order._places.extend(places)
            digests += b"".join(values)
        order._digests = bytes(digests)
        order._sort()
        return order

    def _sort(self) -> None:
        places = self._places
        if all(map(int.__le__, places, memoryview(places)[1:])):
            return
        turns = sorted(range(len(places)), key=places.__getitem__)
        self._places = array("q", (places[turn] for turn in turns))
        self._ids = array("q", (self._ids[turn] for turn in turns))
        self._digests = b"".join(self._digests[_DIGEST * turn : _DIGEST * (turn + 1)] for turn in turns)

    def unmoved(self, places: Sequence[int], digests: Sequence[bytes]) -> "array[int] | None":
        """The ids of the next tellings, if these pieces are exactly those, where they were before."""
        begin, end = self._at, self._at + len(digests)
        if self._places[begin:end] != array("q", places):
            return None
        if self._digests[_DIGEST * begin : _DIGEST * end] != b"".join(digests):
            return None
        self._at = end
        return self._ids[begin:end]

    def near(self, digests: Sequence[bytes]) -> list[tuple[int, int] | None]:
        """The id and the place of the telling of each of these pieces, of those that come next; None for others."""
        begin = self._at
        end = min(begin + 2 * len(digests) + 1, len(self._ids))
        next_ones = {self._digests[_DIGEST * at : _DIGEST * (at + 1)]: at for at in range(begin, end)}
        found = [next_ones.get(one) for one in digests]
        last = next((at for at in reversed(found) if at is not None), None)
        self._at = self._at if last is None else last + 1
        return [None if at is None else (self._ids[at], self._places[at]) for at in found]

    def go_on_after(self, place: int) -> None:
        """Compare with what was after this place, since the file goes on so."""
        self._at = bisect_right(self._places, place)


def in_order_of_ids(connection: Connection, file_id: int, its: Select[*_Ts]) -> Select[*_Ts]:
    """Reads the tellings of this file by *its*: mostly they came together, and lie so in the archive."""
    bounds = select(func.count(), func.min(tellings.c.id), func.max(tellings.c.id))
    count, first, last = connection.execute(bounds.where(IN_FILE, tellings.c.file_id == file_id)).one()
    if not count or last - first > _SPREAD * count:
        return its.where(IN_FILE, tellings.c.file_id == file_id)
    # A sum, so that the index by digest is not used: in its order they lie anywhere.
    return its.where(IN_FILE, tellings.c.id.between(first, last), tellings.c.file_id + 0 == file_id)
