"""Games that go to a parser together, and the line in which everything keeps its place."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeVar

from core.pgn.reader import Piece
from daemon.imports.outcomes import Outcome

Other = TypeVar("Other")
"""What passes through between the games, in its place."""

_GAMES: Final = 64
_BYTES: Final = 128 * 1024


@dataclass(frozen=True, slots=True)
class Parsed:
    """A piece of a file and what it says."""

    piece: Piece
    outcome: Outcome


@dataclass(slots=True)
class Bundle:
    """Some games in their order, and the outcomes of the first ones.

    Attributes:
        careful: A parser died of it: each game is answered alone, so that the next death tells which one it is.
    """

    pieces: list[Piece] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    size: int = 0
    careful: bool = False

    def add(self, piece: Piece) -> None:
        """Put one more in."""
        self.pieces.append(piece)
        self.size += len(piece.raw)

    @property
    def full(self) -> bool:
        """Whether it is worth sending."""
        return len(self.pieces) >= _GAMES or self.size >= _BYTES

    @property
    def done(self) -> bool:
        """Whether every game has its outcome."""
        return len(self.outcomes) == len(self.pieces)

    @property
    def open(self) -> list[Piece]:
        """Those without an outcome."""
        return self.pieces[len(self.outcomes) :]

    def parsed(self) -> Iterator[Parsed]:
        """All of them, when it is done."""
        return (Parsed(piece, outcome) for piece, outcome in zip(self.pieces, self.outcomes, strict=True))


def bundled(entries: Iterable[Piece | Other]) -> Iterator[Bundle | Other]:
    """Put the pieces among *entries* into bundles; the others end one, and keep their places."""
    bundle = Bundle()
    for entry in entries:
        if isinstance(entry, Piece):
            bundle.add(entry)
            if not bundle.full:
                continue
        if bundle.pieces:
            yield bundle
            bundle = Bundle()
        if not isinstance(entry, Piece):
            yield entry
    if bundle.pieces:
        yield bundle


def taken_from(line: "deque[Bundle | Other]") -> Iterator[Parsed | Other]:
    """Take from the front of the line what is done."""
    while line:
        first = line[0]
        if isinstance(first, Bundle):
            if not first.done:
                return
            yield from first.parsed()
        else:
            yield first
        line.popleft()
