"""What does a parsed game cost on its way from a parser process, and what is prepared of it, beside reading it?

    python -m benchmarks.outcomes [GAMES]

All in one process, in turns: reading, preparing, and packing, pickling and unpacking bundles of 64 games.
"""

import argparse
import pickle
import statistics
import time
from collections.abc import Callable

from benchmarks.pgn import random_pgn
from core.game import Game
from core.pgn.reader import Piece, read_piece, split
from daemon.archive.games.prepared import Prepared, prepare
from daemon.imports.outcomes import small, whole

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


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="?", type=int, default=1_000)
    pieces = list(split(random_pgn(parser.parse_args().games).encode()))
    games = [game for game in map(read_piece, pieces) if isinstance(game, Game)]
    prepared = list(map(prepare, games))
    preparing, sending = [], []
    for _ in range(ROUNDS):
        reading = seconds(lambda: list(map(read_piece, pieces)))
        preparing.append(seconds(lambda: list(map(prepare, games))) / reading)
        sending.append(seconds(lambda: sent(pieces, prepared)) / reading)
    for what, ratios in (("preparing / reading", preparing), ("sending / reading", sending)):
        print(f"{what:<20} {statistics.median(ratios):6.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
    print(f"{'bytes sent per game':<20} {sent(pieces, prepared) / len(pieces):6.0f}")


if __name__ == "__main__":
    main()
