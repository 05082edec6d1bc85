"""What does a parsed game cost on its way from a parser process, and what is prepared of it, beside reading it?

    python -m benchmarks.outcomes [GAMES] [--pgn FILE]

All in one process, in turns: reading, preparing, and packing, pickling and unpacking bundles of 64 games. The last lines
compare packed games (`daemon.archive.games.packed_games`), of a packer that is new and of one that knows all names,
with what a parser process does for the ordinary intake.
"""

import argparse
import pickle
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.pgn import random_pgn
from core.game import Game
from core.pgn.reader import Piece, read_piece, split
from daemon.archive.games.packed_games import Packer
from daemon.archive.games.prepared import Prepared, prepare
from daemon.imports.outcomes import small, whole
from daemon.imports.parser_process import parse_one

ROUNDS = 5
BUNDLE = 64


def seconds(work: Callable[[], object]) -> float:
    """Processor time of one run."""
    start = time.process_time()
    work()
    return time.process_time() - start


def sent(pieces: list[Piece], prepared: list[Prepared]) -> int:
    """Send them to ourselves, in bundles; returns how many bytes that takes."""
    size = 0
    for start in range(0, len(pieces), BUNDLE):
        some = [small(one) for one in prepared[start : start + BUNDLE]]
        message = pickle.dumps(some, pickle.HIGHEST_PROTOCOL)
        back = [whole(*pair) for pair in zip(pickle.loads(message), pieces[start:], strict=False)]
        assert back[-1] == prepared[start : start + BUNDLE][-1], "what comes back differs"
        size += len(message)
    return size


def ordinary(pieces: list[Piece]) -> None:
    """What a parser process does where games are not packed."""
    for piece in pieces:
        small(parse_one(piece))


def packed(pieces: list[Piece], packer: Packer) -> None:
    """Pack them, in bundles."""
    for start in range(0, len(pieces), BUNDLE):
        packer.pack(pieces[start : start + BUNDLE])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="?", type=int, default=1_000)
    parser.add_argument("--pgn", type=Path, help="the games of this file instead of made-up ones")
    given = parser.parse_args()
    text = given.pgn.read_bytes() if given.pgn else random_pgn(given.games).encode()
    pieces = list(split(text))
    games = [game for game in map(read_piece, pieces) if isinstance(game, Game)]
    prepared = list(map(prepare, games))
    preparing: list[float] = []
    sending: list[float] = []
    packing: list[float] = []
    again: list[float] = []
    for _ in range(ROUNDS):
        reading = seconds(lambda: list(map(read_piece, pieces)))
        preparing.append(seconds(lambda: list(map(prepare, games))) / reading)
        sending.append(seconds(lambda: sent(pieces, prepared)) / reading)
        packer, whole_way = Packer(parse_one), seconds(lambda: ordinary(pieces))
        for ratios in (packing, again):
            ratios.append(seconds(partial(packed, pieces, packer)) / whole_way)
    for what, ratios in (
        ("preparing / reading", preparing),
        ("sending / reading", sending),
        ("packing / ordinary", packing),
        ("packing again / ordinary", again),
    ):
        print(f"{what:<24} {statistics.median(ratios):6.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
    print(f"{'ordinary, µs a game':<24} {whole_way / len(pieces) * 1e6:6.1f}")
    print(f"{'bytes sent per game':<24} {sent(pieces, prepared) / len(pieces):6.0f}")


if __name__ == "__main__":
    main()
