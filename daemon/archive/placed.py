"""Which tellings in files have been met in an import."""

from typing import Final

_BITS: Final = 8


class Placed:
    """Tellings whose places are settled by what was read of their files so far; a bit for each of the archive.

    A file may hold the same game twice: its first place is the one that counts.
    """

    def __init__(self) -> None:
        self._bits = bytearray()

    def add(self, telling_id: int) -> bool:
        """Note it; False if it was noted before."""
        at, bit = telling_id // _BITS, 1 << telling_id % _BITS
        if at >= len(self._bits):
            self._bits.extend(bytes(at + 1 + at // 4 - len(self._bits)))
        noted = bool(self._bits[at] & bit)
        self._bits[at] |= bit
        return not noted
