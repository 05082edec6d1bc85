"""Games that follow each other in a stream, as one text: so a large file is cut without an object for each game."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.pgn.splitter import Piece


@dataclass(frozen=True, slots=True)
class Cut:
    """Some games, in one text.

    Attributes:
        raw: The bytes of all of them.
        ends: Where each of them ends in *raw*; the next one begins there.
        offset: Where the first begins in the stream, in bytes.
        number: Its number among the pieces of the stream, from 1.
        encoding: Of all of them, as in `Piece`.
        too_large: As in `Piece`; such a game is alone.
        cut_off: Likewise.
    """

    raw: bytes
    ends: tuple[int, ...]
    offset: int
    number: int
    encoding: str | None = None
    too_large: bool = False
    cut_off: bool = False

    @classmethod
    def of(cls, piece: Piece) -> "Cut":
        """One game alone."""
        ends = (len(piece.raw),)
        return cls(
            piece.raw, ends, piece.offset, piece.number, piece.encoding, piece.too_large, piece.cut_off
        )

    def __len__(self) -> int:
        """How many games these are."""
        return len(self.ends)

    @property
    def plain(self) -> bool:
        """Whether nothing is known of these games but their bytes."""
        return self.encoding is None and not self.too_large and not self.cut_off

    def raws(self) -> Iterator[bytes]:
        """The bytes of each game."""
        raw, begin = self.raw, 0
        for end in self.ends:
            yield raw[begin:end]
            begin = end

    def offsets(self) -> list[int]:
        """Where each game begins in the stream."""
        offset = self.offset
        return [offset, *(offset + end for end in self.ends[:-1])]

    def piece(self, index: int) -> Piece:
        """One of the games."""
        begin = self.ends[index - 1] if index else 0
        raw = self.raw[begin : self.ends[index]]
        place, number = self.offset + begin, self.number + index
        return Piece(raw, place, number, self.too_large, self.cut_off, self.encoding)

    def pieces(self) -> Iterator[Piece]:
        """Each game by itself."""
        return map(self.piece, range(len(self.ends)))

    def part(self, first: int, end: int) -> "Cut":
        """The games from number *first* (from 0) on, up to the one before *end*; at least one."""
        if (first, end) == (0, len(self.ends)):
            return self
        begin = self.ends[first - 1] if first else 0
        ends = tuple(one - begin for one in self.ends[first:end])
        raw = self.raw[begin : begin + ends[-1]]
        place, number = self.offset + begin, self.number + first
        return Cut(raw, ends, place, number, self.encoding, self.too_large, self.cut_off)
