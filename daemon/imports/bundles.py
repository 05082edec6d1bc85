"""Games that go to a parser together, and the line in which everything keeps its place."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeVar

from core.pgn.reader import Cut, Piece
from daemon.archive.games.packed_games import PackedRun
from daemon.archive.games.packed_places import PackedPlaces
from daemon.imports.outcomes import Outcome

Other = TypeVar("Other")
"""What passes through between the games, in its place."""

_GAMES: Final = 256
_BYTES: Final = 128 * 1024


@dataclass(frozen=True, slots=True)
class Parsed:
    """A piece of a file and what it says."""

    piece: Piece
    outcome: Outcome

    @property
    def size(self) -> int:
        """Its bytes."""
        return len(self.piece.raw)


@dataclass(frozen=True, slots=True)
class ParsedRun:
    """Games that were parsed and packed: all of *cuts*. *places*: what the run refers to."""

    cuts: list[Cut]
    run: PackedRun
    places: PackedPlaces

    @property
    def size(self) -> int:
        """Their bytes."""
        return sum(len(cut.raw) for cut in self.cuts)

    def pieces(self) -> Iterator[Piece]:
        """Each game by itself, as it was before it was parsed."""
        return (piece for cut in self.cuts for piece in cut.pieces())


AnyParsed = Parsed | ParsedRun


@dataclass(slots=True)
class Bundle:
    """Some games in their order; what the first ones say is known.

    Attributes:
        parsed: What the first games say.
        games: How many were put in.
        size: Their bytes.
        careful: A parser died of it: each game is answered alone, so that the next death tells which one it is.
    """

    parsed: list[AnyParsed] = field(default_factory=list)
    games: int = 0
    size: int = 0
    careful: bool = False
    _cuts: deque[Cut] = field(default_factory=deque)
    _at: int = 0
    """How many games of the first cut are done."""

    def add(self, cut: Cut) -> None:
        """Put more in."""
        self._cuts.append(cut)
        self.games += len(cut)
        self.size += len(cut.raw)

    @property
    def full(self) -> bool:
        """Whether it is worth sending."""
        return self.games >= _GAMES or self.size >= _BYTES

    @property
    def done(self) -> bool:
        """Whether it is known what every game says."""
        return not self._cuts

    def rest(self) -> list[Cut]:
        """The games of which it is not known."""
        return [cut.part(0 if n else self._at, len(cut)) for n, cut in enumerate(self._cuts)]

    def say(self, outcomes: Iterable[Outcome]) -> None:
        """Note what the next games say, one by one."""
        self.parsed += [Parsed(self.next_piece(), outcome) for outcome in outcomes]

    def next_piece(self) -> Piece:
        """Take the next game of which it is not known."""
        piece = self._cuts[0].piece(self._at)
        self._pass(1)
        return piece

    def next_cuts(self, games: int) -> list[Cut]:
        """Take so many of them."""
        taken: list[Cut] = []
        while games:
            end = min(len(self._cuts[0]), self._at + games)
            taken.append(self._cuts[0].part(self._at, end))
            games -= len(taken[-1])
            self._pass(len(taken[-1]))
        return taken

    def _pass(self, games: int) -> None:
        self._at += games
        if self._at == len(self._cuts[0]):
            self._cuts.popleft()
            self._at = 0


def bundled(entries: Iterable[Cut | Other]) -> Iterator[Bundle | Other]:
    """Put the games among *entries* into bundles; the others end one, and keep their places."""
    bundle = Bundle()
    for entry in entries:
        if isinstance(entry, Cut):
            bundle.add(entry)
            if not bundle.full:
                continue
        if bundle.games:
            yield bundle
            bundle = Bundle()
        if not isinstance(entry, Cut):
            yield entry
    if bundle.games:
        yield bundle


def taken_from(line: "deque[Bundle | Other]") -> Iterator[AnyParsed | Other]:
    """Take from the front of the line what is done."""
    while line:
        first = line[0]
        if isinstance(first, Bundle):
            if not first.done:
                return
            yield from first.parsed
        else:
            yield first
        line.popleft()
