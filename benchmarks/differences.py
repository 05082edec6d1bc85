"""Is there one move that we read or store in another way than python-chess, and do not say so?

    python -m benchmarks.differences [PGN] [--games N] [--chess960 N] [--made] [--processes N] [--folder F]

Real games (Debian's, see `benchmarks.corpora`; those of PGN; or with --made, or without network, made up) are read by us and
by python-chess. Chess960 games are made up (`benchmarks.chess960`): from all 960 positions, and from positions in the middle
of such games, with castlings, promotions and captures en passant more often than by chance, in several spellings;
python-chess has played them, so that their moves are known. Then the files are imported, and the moves that the archive has
are compared as well. It ends with an error if a game differs and nobody complains. What python-chess says is kept
(`benchmarks.reference`), so that a second run takes a minute.
"""

import argparse
import multiprocessing
import os
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

import chess
from sqlalchemy import select

from benchmarks.corpora import made_corpus, real_games
from benchmarks.reference import Line, digest, lines_of, played
from core.compiled import WHY_NOT
from core.game import Game
from core.pgn import quick
from core.pgn.limits import DEFAULT_LIMITS
from core.pgn.reader import Piece, read_piece, split
from daemon import logs
from daemon.archive.archive import open_archive
from daemon.archive.tables.main import games, tellings
from daemon.imports.run import import_paths

DIFFERENT: Final = "DIFFERENT"
SAME: Final = "the same"
WORSE: Final = "python-chess complains, we do not"
UNREAD: Final = "we say that it cannot be read"
LEFT: Final = "(of all: left to Python by the compiled core)"


@dataclass(slots=True)
class Compared:
    """Some games: how many of each kind, a few of those worth a look, and the true moves by the places in their file."""

    counts: Counter[str] = field(default_factory=Counter)
    shown: list[str] = field(default_factory=list)
    lines: dict[int, bytes | None] = field(default_factory=dict)

    def add(self, piece: Piece, line: Line) -> None:
        """Read a piece and compare."""
        found = read_piece(piece)
        self.counts[LEFT] += quick.read(piece.raw, DEFAULT_LIMITS, piece.encoding) is None
        verdict = self._verdict(found, line) if isinstance(found, Game) else UNREAD
        self.counts[verdict] += 1
        self.lines[piece.offset] = line.packed
        if verdict != SAME and len(self.shown) < 10:
            why = line.complaint if isinstance(found, Game) else found.reason
            self.shown.append(f"{verdict}: {why}\n{piece.raw.decode('latin-1')[:1500]}")

    @staticmethod
    def _verdict(found: Game, line: Line) -> str:
        if line.complaint is not None:
            return WORSE
        start = (found.start or chess.STARTING_FEN).split()[:2]
        return SAME if (found.moves, start) == (line.moves, line.start.split()[:2]) else DIFFERENT


def compared(path: Path, lines: Mapping[bytes, Line]) -> Compared:
    """Read all games of a file."""
    found = Compared()
    with path.open("rb") as file:
        for piece in split(file):
            found.add(piece, lines[digest(piece.raw)])
    return found


def stored(path: Path, lines: Mapping[int, bytes | None]) -> Counter[str]:
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
                if moves == lines.get(place):
                    counts[SAME] += 1
                elif lines.get(place, b"") is not None:
                    counts["another telling has other moves" if n > 1 else DIFFERENT] += 1
    counts["the same bytes again"] = summary.unchanged
    counts[UNREAD] = summary.quarantined
    counts["read"] = summary.read
    return counts


def report(name: str, found: Compared, in_archive: Counter[str], *, shown: bool) -> int:
    """Print what was found; how many games are wrong."""
    read = sum(count for verdict, count in found.counts.items() if verdict != LEFT)
    print(f"{name}: {read:,} games")
    for where, counts in (("read", found.counts), ("stored", in_archive)):
        print(
            f"    {where + ':':8}"
            + ", ".join(f"{verdict} {count:,}" for verdict, count in sorted(counts.items()))
        )
    if shown or found.counts[DIFFERENT]:
        print(*found.shown, sep=f"\n{'-' * 20}\n")
    lost = abs(in_archive["read"] - read) + abs(in_archive[UNREAD] - found.counts[UNREAD])
    return found.counts[DIFFERENT] + in_archive[DIFFERENT] + lost


def real(options: argparse.Namespace, pool: Any, folder: Path) -> int:
    """Compare real games."""
    path = options.pgn or (None if options.made else real_games())
    path = path or made_corpus(options.games, folder).path
    copy = folder / "real.pgn"
    with path.open("rb") as file, copy.open("wb") as target:
        for piece in islice(split(file), options.games):
            target.write(piece.raw)
    with copy.open("rb") as file:
        lines = lines_of((piece.raw for piece in split(file)), path.stem, options.games, pool)
    found = compared(copy, lines)
    return report("real games", found, stored(copy, found.lines), shown=options.show)


def random_chess960(options: argparse.Namespace, pool: Any, folder: Path) -> int:
    """Compare Chess960 games."""
    path, lines = folder / "chess960.pgn", dict[bytes, Line]()
    with path.open("wb") as file:
        for game in played(options.seed, options.chess960, pool):
            file.write(game.raw)
            lines[digest(game.raw)] = Line(game.start, game.moves)
    found = compared(path, lines)
    return report("Chess960 games", found, stored(path, found.lines), shown=options.show)


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
