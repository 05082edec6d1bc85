"""What python-chess reads in games, kept in the cache: it takes milliseconds a game, and is the same each time.

The files lie beside the corpora (`benchmarks.corpora`), with the version of python-chess in their names. What an interrupted run
has found is kept, and the next one goes on from there.
"""

import io
import pickle
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

import chess
import chess.pgn

from benchmarks import chess960
from benchmarks.corpora import cache
from core import move_bytes
from core.pgn import encodings

TOGETHER: Final = 200
"""Games that a process reads before it answers."""
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Line:
    """A game by python-chess: start, moves in UCI, and what it complains about."""

    start: str
    moves: tuple[str, ...]
    complaint: str | None = None

    @property
    def packed(self) -> bytes | None:
        """The moves as the archive has them; None where python-chess has none."""
        return None if self.complaint else move_bytes.pack(self.moves)


class _Visitor(chess.pgn.BaseVisitor[Line]):
    """Notes the main line alone."""

    def __init__(self) -> None:
        self._start: str | None = None
        self._steps = True
        self._moves: list[str] = []
        self._complaint: str | None = None

    def visit_board(self, board: chess.Board) -> None:
        if self._start is None:
            self._start = board.fen()
            self._steps = chess960.castles_as_usual(board)

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        self._moves.append(board.uci(move, chess960=not self._steps))

    def begin_variation(self) -> chess.pgn.SkipType:
        return chess.pgn.SKIP

    def handle_error(self, error: Exception) -> None:
        self._complaint = self._complaint or f"{type(error).__name__}: {error}"

    def result(self) -> Line:
        return Line(self._start or "", tuple(self._moves), self._complaint)


def by_python_chess(raw: bytes) -> Line:
    """Read one game. A blank line would end it there: those among its moves are taken out."""
    text = encodings.decode(raw).lstrip("\ufeff")
    lines = [line for line in text.splitlines() if line.strip()]
    header = next((n for n, line in enumerate(lines) if not line.startswith("[")), len(lines))
    stream = io.StringIO("\n".join([*lines[:header], "", *lines[header:], ""]))
    return chess.pgn.read_game(stream, Visitor=_Visitor) or Line("", ())


def digest(raw: bytes) -> bytes:
    """By which a game is known again."""
    return blake2b(raw, digest_size=12).digest()


def lines_of(games: Iterable[bytes], name: str, count: int, pool: Any) -> dict[bytes, Line]:
    """What python-chess reads in these games, by their digests."""
    file = cache() / f"{name}-by-python-chess-{chess.__version__}.pickle"
    known = {key: line for some in _kept(file) for key, line in some}
    missing = (raw for raw in games if digest(raw) not in known)
    for found in _noted(
        file, pool.imap(_read, chunks(missing, TOGETHER)), f"python-chess: {name}", count - len(known)
    ):
        known.update(found)
    return known


def _read(some: Sequence[bytes]) -> list[tuple[bytes, Line]]:
    return [(digest(raw), by_python_chess(raw)) for raw in some]


def played(seed: int, count: int, pool: Any) -> Iterator[chess960.Played]:
    """About so many games of Chess960 that python-chess has played."""
    file = cache() / f"chess960-{seed}-by-python-chess-{chess.__version__}.pickle"
    wanted = -(-count // TOGETHER)
    kept = 0
    for some in islice(_kept(file), wanted):
        kept += 1
        yield from some
    seeds = range(seed * 1_000_000 + kept, seed * 1_000_000 + wanted)
    for some in _noted(file, pool.imap(_play, seeds), "python-chess: Chess960", len(seeds) * TOGETHER):
        yield from some


def _play(seed: int) -> list[chess960.Played]:
    return list(chess960.games(seed, TOGETHER))


def _kept(file: Path) -> Iterator[Any]:
    """What is in the cache. What was cut off at its end is taken off."""
    if not file.exists():
        return
    with file.open("r+b") as stream:
        end = 0
        while True:
            try:
                some = pickle.load(stream)
            except (EOFError, pickle.UnpicklingError):
                stream.truncate(end)
                return
            end = stream.tell()
            yield some


def _noted(file: Path, answers: Iterable[_T], what: str, count: int) -> Iterator[_T]:
    """The answers, which are put into the cache; progress is printed."""
    for answer in progress(answers, what, count):
        with file.open("ab") as stream:
            pickle.dump(answer, stream, pickle.HIGHEST_PROTOCOL)
        yield answer


def progress(answers: Iterable[_T], what: str, count: int) -> Iterator[_T]:
    """Print how far they are, of so many games."""
    began = time.monotonic()
    for number, answer in enumerate(answers, 1):
        if sys.stderr.isatty() or number % 25 == 0:
            done = min(number * TOGETHER, count)
            rate = done / (time.monotonic() - began)
            print(
                f"\r{what}: {done:,} of {count:,} games, {rate:,.0f}/s", end="", file=sys.stderr, flush=True
            )
        yield answer
    print("\r" + " " * 70 + "\r", end="", file=sys.stderr, flush=True)


def chunks(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """Some at a time."""
    rest = iter(items)
    while some := list(islice(rest, size)):
        yield some
