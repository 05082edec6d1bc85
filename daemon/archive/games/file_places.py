"""The tellings in files that an import has met, and where they were before."""

from array import array
from collections.abc import Callable, Iterable
from typing import Final

_BITS: Final = 8
_UNMOVED: Final = -1


class Placed:
    """Tellings whose places are settled by what was read of their files so far; a bit for each of the archive.

    A file may contain the same game twice: its first place is the one that counts.
    """

    def __init__(self) -> None:
        self._bits = bytearray()
        self._moved = array("q")

    def add(self, telling_id: int) -> bool:
        """Note it; False if it was noted before."""
        at, bit = telling_id // _BITS, 1 << telling_id % _BITS
        if at >= len(self._bits):
            self._bits.extend(bytes(at + 1 + at // 4 - len(self._bits)))
        noted = bool(self._bits[at] & bit)
        self._bits[at] |= bit
        return not noted

    def add_new(self, telling_ids: Iterable[int]) -> None:
        """Note tellings that are new."""
        for number in telling_ids:
            self.add(number)

    def add_all(self, telling_ids: "array[int]") -> None:
        """Note these tellings; mostly each one has the next id."""
        if not telling_ids:
            return
        first, end = telling_ids[0], telling_ids[-1] + 1
        if end - first != len(telling_ids) or telling_ids != array("q", range(first, end)):
            self.add_new(telling_ids)
            return
        whole = range(-(-first // _BITS), end // _BITS)
        self.add(end - 1)  # makes room
        if not whole:
            self.add_new(range(first, end))
            return
        self.add_new((*range(first, whole.start * _BITS), *range(whole.stop * _BITS, end)))
        self._bits[whole.start : whole.stop] = b"\xff" * len(whole)

    def has_all(self, first: int, end: int) -> bool:
        """Whether all tellings from the id *first* on were noted, up to the one before *end*."""
        bits = int.from_bytes(self._bits[first // _BITS : -(-end // _BITS)], "little") >> first % _BITS
        return bits & (1 << end - first) - 1 == (1 << end - first) - 1

    def __contains__(self, telling_id: int) -> bool:
        """Whether it was noted."""
        at = telling_id // _BITS
        return at < len(self._bits) and bool(self._bits[at] & 1 << telling_id % _BITS)

    def moved(self, telling_id: int, place: int | None) -> None:
        """Note that it is now at *place*."""
        if place is not None:
            self._moved.extend((telling_id, place))

    def noted(self) -> tuple[bytes, int]:
        """What is noted so far, for `forget_since`."""
        return bytes(self._bits), len(self._moved)

    def forget_since(self, noted: tuple[bytes, int]) -> None:
        """Note no more than that: what came after it was not stored."""
        bits, moved = noted
        self._bits[:] = bits
        del self._moved[moved:]

    def places_before(self) -> Callable[[int, int], int]:
        """Says where a telling was before, by its id and its place of now."""
        ids = self._moved[::2]
        first = min(ids, default=0)
        before = array("q", [_UNMOVED]) * (max(ids, default=-1) + 1 - first)
        for number, place in zip(ids, self._moved[1::2], strict=True):
            before[number - first] = place

        def place_before(number: int, now: int) -> int:
            at = number - first
            place = before[at] if 0 <= at < len(before) else _UNMOVED
            return now if place == _UNMOVED else place

        return place_before
