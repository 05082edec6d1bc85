"""How quickly PGN is read, as ratios to python-chess's `read_game` in the same run.

The games are made up: random legal lines with made-up names. Each pair of measurements is taken in turns, and the
median ratio is printed. Run it as `python -m benchmarks.pgn [games]`.
"""

import io
import random
import statistics
import sys
import time
from collections.abc import Callable

import chess
import chess.pgn

from core.compiled import NATIVE, WHY_NOT
from core.game import Game
from core.pgn import reader, splitter
from core.pgn.limits import DEFAULT_LIMITS
from core.pgn.positions import read_start
from core.pgn.replay import replay, replay_slowly
from daemon.openings import book

ROUNDS = 5


def random_pgn(count: int, *, comments: bool = False, seed: int = 1) -> str:
    """Text of *count* games of about 80 plies, with clocks after every move where *comments* are wanted."""
    rng = random.Random(seed)
    return "".join(_game(rng, number, comments=comments) for number in range(count))


def _game(rng: random.Random, number: int, *, comments: bool) -> str:
    game = chess.pgn.Game(
        {
            "Event": "Benchmark",
            "Site": "Nowhere",
            "Date": f"20{number % 24 + 1:02}.01.01",
            "Round": str(number),
            "White": f"Rossi, Mario {number}",
            "Black": f"Bianchi, Anna {number}",
            "Result": "1/2-1/2",
            "WhiteElo": "2100",
            "BlackElo": "2050",
            "ECO": "A00",
        }
    )
    node: chess.pgn.GameNode = game
    board = game.board()
    for _ in range(rng.randrange(40, 120)):
        moves = list(board.legal_moves)
        if not moves:
            break
        node = node.add_variation(rng.choice(moves))
        board.push(node.move)
        if comments:
            node.comment = "[%clk 0:03:00]"
    return f"{game}\n\n"


def read_by_python_chess(text: str) -> int:
    """The peer."""
    stream = io.StringIO(text)
    return sum(1 for _ in iter(lambda: chess.pgn.read_game(stream), None))


def read_by_us(text: str) -> int:
    """Splitting, parsing, replaying, and all fields."""
    return sum(1 for _ in reader.read(text))


def read_by_python(text: str) -> int:
    """The same without the compiled core."""
    pieces = splitter.split(text.encode(), DEFAULT_LIMITS.max_bytes)
    return sum(1 for piece in pieces if reader.read_piece(piece, backend=replay) is not None)


def read_by_us_slowly(text: str) -> int:
    """The same without the quick board."""
    return sum(
        reader.read_piece(piece, backend=replay_slowly) is not None for piece in reader.split(text.encode())
    )


def split_by_us(text: str) -> int:
    """Splitting alone."""
    return sum(1 for _ in reader.split(text.encode()))


def seconds(work: Callable[[str], int], text: str, expected: int) -> float:
    """Processor time of one run."""
    start = time.process_time()
    found = work(text)
    assert found == expected, f"{work.__name__} found {found} games of {expected}"
    return time.process_time() - start


def compare(name: str, ours: Callable[[str], int], text: str, games: int) -> None:
    """Print how many times as quick as python-chess we are."""
    ratios = [seconds(read_by_python_chess, text, games) / seconds(ours, text, games) for _ in range(ROUNDS)]
    spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
    print(f"{name:<32} {statistics.median(ratios):6.2f} times as quick as read_game ({spread})")


def stages(text: str) -> None:
    """Print what the compiled core takes for each game, and Python's own share of it."""
    if NATIVE is None:
        print(f"the compiled core is not used: {WHY_NOT}")
        return
    core, pieces = NATIVE, list(reader.split(text.encode()))
    each = 1e6 / len(pieces)
    works: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "split": (
            lambda: list(reader.split(text.encode())),
            lambda: list(splitter.split(text.encode(), DEFAULT_LIMITS.max_bytes)),
        ),
        "tags and moves": (
            lambda: [core.read(piece.raw, lambda _: None, None) for piece in pieces],
            lambda: [reader.parse(piece.raw, backend=replay) for piece in pieces],
        ),
        "the whole game": (
            lambda: [reader.parse(piece.raw) for piece in pieces],
            lambda: [reader.parse(piece.raw, backend=replay) for piece in pieces],
        ),
    }
    for name, (compiled, python) in works.items():
        pairs = [(clock(python), clock(compiled)) for _ in range(ROUNDS)]
        ratio = statistics.median(slow / quick for slow, quick in pairs)
        cost = statistics.median(quick for _, quick in pairs) * each
        print(f"{name:<32} {ratio:6.2f} times as quick as Python alone ({cost:.1f} µs a game)")


def clock(work: Callable[[], object]) -> float:
    """Processor time of one run."""
    start = time.process_time()
    work()
    return time.process_time() - start


def openings(text: str) -> None:
    """Print what looking up the opening costs beside reading the game."""
    games = list(reader.read(text))
    book()
    shares = []
    for _ in range(ROUNDS):
        reading = seconds(read_by_us, text, len(games))
        start = time.process_time()
        for game in games:
            assert isinstance(game, Game)
            book().of(game)
        shares.append((time.process_time() - start) / reading)
    spread = f"{min(shares):.3f} to {max(shares):.3f}"
    print(f"{'opening by the moves':<32} {statistics.median(shares):6.3f} of reading the game ({spread})")


def main(games: int) -> None:
    """Measure and print."""
    read_start(())  # what is made once, is made before
    plain, clocks = random_pgn(games), random_pgn(games, comments=True)
    compare("read", read_by_us, plain, games)
    compare("read, with clocks", read_by_us, clocks, games)
    compare("read, without the compiled core", read_by_python, plain, games)
    compare("read, python-chess as back end", read_by_us_slowly, plain, games)
    compare("split", split_by_us, plain, games)
    stages(plain)
    openings(plain)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
