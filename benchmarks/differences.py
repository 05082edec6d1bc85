"""Is there one move that we read or store in another way than python-chess, and do not say so?

    python -m benchmarks.differences [PGN] [--games N] [--chess960 N] [--made] [--processes N] [--folder F]

Real games (Debian's, see `benchmarks.corpora`; those of PGN; or with --made, or without network, made up) are read by us and
by python-chess. Chess960 games are made up (`benchmarks.chess960`): from all 960 positions, and from positions in the middle
of such games, with castlings, promotions and captures en passant more often than by chance, in several spellings;
python-chess has played them, so that their moves are known. Then the files are imported, and the moves that the archive has
are compared as well. It ends with an error if a game differs and nobody complains.
"""

import argparse
import io
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final, Self

import chess
import chess.pgn
from sqlalchemy import select

from benchmarks import chess960
from benchmarks.corpora import made_corpus, real_games
from core import move_bytes
from core.compiled import WHY_NOT
from core.game import Game
from core.pgn import encodings, quick
from core.pgn.limits import DEFAULT_LIMITS
from core.pgn.reader import Piece, read_piece, split
from daemon import logs
from daemon.archive.archive import open_archive
from daemon.archive.tables.main import games, tellings
from daemon.imports.run import import_paths

TOGETHER: Final = 200
"""Games that a process reads before it answers."""
DIFFERENT: Final = "DIFFERENT"
SAME: Final = "the same"
WORSE: Final = "python-chess complains, we do not"
UNREAD: Final = "we say that it cannot be read"
LEFT: Final = "(of all: left to Python by the compiled core)"


@dataclass(frozen=True, slots=True)
class Line:
    """A game by python-chess: start, moves in UCI, and what it complains about."""

    start: str
    moves: tuple[str, ...]
    complaint: str | None = None


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


@dataclass(slots=True)
class Compared:
    """Some games: how many of each kind, a few of those worth a look, and the true moves by the places in their file."""

    counts: Counter[str] = field(default_factory=Counter)
    shown: list[str] = field(default_factory=list)
    lines: dict[int, bytes] = field(default_factory=dict)
    text: bytes = b""

    def add(self, piece: Piece, line: Line) -> None:
        """Read a piece and compare."""
        found = read_piece(piece)
        self.counts[LEFT] += quick.read(piece.raw, DEFAULT_LIMITS, piece.encoding) is None
        verdict = self._verdict(found, line) if isinstance(found, Game) else UNREAD
        self.counts[verdict] += 1
        with suppress(ValueError):
            self.lines[piece.offset] = move_bytes.pack(line.moves)
        if verdict != SAME and len(self.shown) < 3:
            why = line.complaint if isinstance(found, Game) else found.reason
            self.shown.append(f"{verdict}: {why}\n{piece.raw.decode('latin-1')[:1500]}")

    @staticmethod
    def _verdict(found: Game, line: Line) -> str:
        if line.complaint is not None:
            return WORSE
        start = (found.start or chess.STARTING_FEN).split()[:2]
        return SAME if (found.moves, start) == (line.moves, line.start.split()[:2]) else DIFFERENT

    def __iadd__(self, other: "Compared") -> Self:
        self.counts += other.counts
        self.shown = [*self.shown, *other.shown][:10]
        self.lines |= other.lines
        return self


def compare_real(some: Sequence[Piece]) -> Compared:
    """In a process of its own: these games, by both."""
    compared = Compared()
    for piece in some:
        compared.add(piece, by_python_chess(piece.raw))
    return compared


def compare_chess960(seed: int) -> Compared:
    """In a process of its own: games played there, which come back as the text of a file."""
    compared = Compared()
    for number, played in enumerate(chess960.games(seed, TOGETHER), 1):
        compared.add(Piece(played.raw, len(compared.text), number), Line(played.start, played.moves))
        compared.text += played.raw
    return compared


def all_of(
    name: str, count: int, answers: Iterable[Compared], write: Callable[[bytes], Any] | None = None
) -> Compared:
    """Add up what comes from the processes, and say how far they are."""
    whole, began, place = Compared(), time.monotonic(), 0
    for number, answer in enumerate(answers, 1):
        answer.lines = {place + at: line for at, line in answer.lines.items()}
        place += len(answer.text)
        if write is not None:
            write(answer.text)
        whole += answer
        if sys.stderr.isatty() or number % 50 == 0:
            done = min(number * TOGETHER, count)
            rate = done / (time.monotonic() - began)
            print(
                f"\r{name}: {done:,} of {count:,} games, {rate:,.0f}/s", end="", file=sys.stderr, flush=True
            )
    print(file=sys.stderr)
    return whole


def chunks(pieces: Iterator[Piece]) -> Iterator[list[Piece]]:
    """Some at a time."""
    while some := list(islice(pieces, TOGETHER)):
        yield some


def stored(path: Path, compared: Compared) -> Counter[str]:
    """Import the file; how many games have their own moves in the archive."""
    counts: Counter[str] = Counter()
    with (
        tempfile.TemporaryDirectory(dir=path.parent) as folder,
        open_archive(Path(folder) / "archive.sqlite") as archive,
    ):
        archive.migrate()
        summary = import_paths(archive, [path])
        joined = select(tellings.c.place, games.c.moves, tellings.c.n).join(
            games, games.c.id == tellings.c.game_id
        )
        with archive.reading() as connection:
            for place, moves, n in connection.execute(joined):
                if moves == compared.lines.get(place):
                    counts[SAME] += 1
                elif place in compared.lines:
                    counts["another telling has other moves" if n > 1 else DIFFERENT] += 1
    counts["the same bytes again"] = summary.unchanged
    counts[UNREAD] = summary.quarantined
    counts["read"] = summary.read
    return counts


def report(name: str, compared: Compared, in_archive: Counter[str], *, shown: bool) -> int:
    """Print what was found; how many games are wrong."""
    read = sum(count for verdict, count in compared.counts.items() if verdict != LEFT)
    print(f"{name}: {read:,} games")
    for where, counts in (("read", compared.counts), ("stored", in_archive)):
        print(
            f"    {where + ':':8} "
            + ", ".join(f"{verdict} {count:,}" for verdict, count in sorted(counts.items()))
        )
    if shown or compared.counts[DIFFERENT]:
        print(*compared.shown, sep="\n" + "-" * 20 + "\n")
    lost = abs(in_archive["read"] - read) + abs(in_archive[UNREAD] - compared.counts[UNREAD])
    return compared.counts[DIFFERENT] + in_archive[DIFFERENT] + lost


def real(options: argparse.Namespace, pool: Any, folder: Path) -> int:
    """Compare real games."""
    path = options.pgn or (None if options.made else real_games())
    path = path or made_corpus(options.games, folder).path
    copy = folder / "real.pgn"
    with path.open("rb") as file, copy.open("wb") as target:
        for piece in islice(split(file), options.games):
            target.write(piece.raw)
    with copy.open("rb") as file:
        answers = pool.imap(compare_real, chunks(split(file)))
        compared = all_of("real games", options.games, answers)
    return report("real games", compared, stored(copy, compared), shown=options.show)


def random_chess960(options: argparse.Namespace, pool: Any, folder: Path) -> int:
    """Compare Chess960 games."""
    path = folder / "chess960.pgn"
    seeds = range(options.seed * 1_000_000, options.seed * 1_000_000 + -(-options.chess960 // TOGETHER))
    with path.open("wb") as file:
        compared = all_of("Chess960 games", options.chess960, pool.imap(compare_chess960, seeds), file.write)
    return report("Chess960 games", compared, stored(path, compared), shown=options.show)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pgn", nargs="?", type=Path, help="games to read")
    parser.add_argument("--games", type=int, default=150_000, help="real games, at most")
    parser.add_argument("--chess960", type=int, default=100_000, help="games of Chess960, about")
    parser.add_argument("--made", action="store_true", help="games that are made up instead of real ones")
    parser.add_argument("--seed", type=int, default=1, help="of the games of Chess960")
    parser.add_argument("--processes", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--folder", type=Path, help="where files and archives go (a temporary folder)")
    parser.add_argument("--show", action="store_true", help="some of the games that are not simply the same")
    options = parser.parse_args()
    logs.configure()
    if WHY_NOT is not None:
        print(f"the compiled core is not used: {WHY_NOT}")
    with (
        tempfile.TemporaryDirectory(dir=options.folder) as folder,
        multiprocessing.get_context("spawn").Pool(options.processes) as pool,
    ):
        wrong = [work(options, pool, Path(folder)) for work in (real, random_chess960)]
    if any(wrong):
        raise SystemExit(f"{sum(wrong)} games are wrong")


if __name__ == "__main__":
    main()
