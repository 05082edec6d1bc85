"""How small and how quickly games are stored, against zlib; and the dictionaries that they are stored with.

    python -m benchmarks.dictionary [GAMES] [--file PGN]   measure on games made up, or on a file of games
    python -m benchmarks.dictionary --check                make the dictionaries again, and compare
    python -m benchmarks.dictionary --write FOLDER         make them and write them there

Never write others over those of the program: archives hold games that can be read with these alone. Better ones
are further files with further numbers in `daemon.archive.games.compression`.
"""

import argparse
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from pathlib import Path

from benchmarks.dictionary_games import made_games
from core.pgn.reader import split
from daemon.archive.games import compression
from daemon.archive.games.compression import DICTIONARIES, compress, decompress

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SAMPLES = 1_000
SIZE = 64 << 10
ROUNDS = 5

BOOK = "6100d4989eddb49d"
"""The edition of the book of openings whose lines the samples begin with."""
DIGEST = "090f93cf9810ebf2"
"""Of the samples."""
TRAINED_BY = "1.5.7"
"""The zstd that made these dictionaries of them; another one may make others."""


def samples() -> list[bytes]:
    """The games that the dictionaries are trained on."""
    return list(made_games(SAMPLES))


def digest(games: Iterable[bytes]) -> str:
    """What these games are recognised by."""
    return blake2b(b"\0".join(games), digest_size=8).hexdigest()


def trained(games: Sequence[bytes]) -> dict[int, bytes]:
    """The dictionaries of these games by their numbers."""
    kinds = {
        1: [game for game in games if b"[%" not in game],
        2: [game for game in games if b"[%" in game],
    }
    return {number: _trained(number, some) for number, some in kinds.items()}


def _trained(number: int, games: Sequence[bytes]) -> bytes:
    content = zstd.train_dict(games, SIZE).dict_content
    # The library names it by chance, in four bytes of every frame; our numbers take one.
    return content[:4] + number.to_bytes(4, "little") + content[8:]


def measured(pack: Callable[[bytes], bytes], games: Sequence[bytes]) -> tuple[float, float]:
    """Microseconds of this process, and bytes, per game."""
    start = time.process_time()
    size = sum(len(pack(game)) for game in games)
    return (time.process_time() - start) / len(games) * 1e6, size / len(games)


def compare(name: str, games: Sequence[bytes]) -> None:
    """Print a line on these games: the best of some rounds, in turns."""
    packed, old = list(map(compress, games)), list(map(zlib.compress, games))
    assert list(map(decompress, packed)) == list(games)
    ways: list[tuple[Callable[[bytes], bytes], Sequence[bytes]]] = [
        (compress, games),
        (zlib.compress, games),
        (decompress, packed),
        (zlib.decompress, old),
    ]
    rounds = [[measured(work, data) for work, data in ways] for _ in range(ROUNDS)]
    now, before, unpack, unpack_before = (min(each[at][0] for each in rounds) for at in range(len(ways)))
    size, size_before = rounds[0][0][1], rounds[0][1][1]
    print(
        f"{name:<16}{sum(map(len, games)) / len(games):7.0f}{size_before:9.0f}{size:7.0f}{size / size_before:7.2f}"
        f"{before:9.1f}{now:7.1f}{now / before:7.2f}{unpack_before:10.1f}{unpack:7.1f}"
    )


def check() -> int:
    """Whether the dictionaries of the program are those that the samples give."""
    games = samples()
    print(f"samples: {digest(games)}, expected {DIGEST}")
    differing = [
        DICTIONARIES[number]
        for number, content in trained(games).items()
        if content != compression.dictionary(number).dict_content
    ]
    print(f"zstd {zstd.zstd_version}: {'the same dictionaries' if not differing else f'others: {differing}'}")
    return 1 if differing else 0


def write(folder: Path) -> None:
    """Write the dictionaries, and what to write in this module."""
    games = samples()
    for number, content in trained(games).items():
        (folder / DICTIONARIES[number]).write_bytes(content)
    print(f"samples {digest(games)}, zstd {zstd.zstd_version}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="?", type=int, default=1_000)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", type=Path, metavar="FOLDER")
    given = parser.parse_args()
    if given.write:
        write(given.write)
    elif given.check:
        sys.exit(check())
    else:
        print("                  bytes, of zlib,    now  ratio µs zlib    now  ratio unpack µs    now")
        made = list(made_games(given.games, seed=2))
        compare("made up, plain", [game for game in made if b"[%" not in game])
        compare("made up, clocks", [game for game in made if b"[%" in game])
        if given.file:
            with given.file.open("rb") as source:
                compare(
                    given.file.name[:15],
                    [piece.raw for _, piece in zip(range(given.games), split(source), strict=False)],
                )


if __name__ == "__main__":
    main()
