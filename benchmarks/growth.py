"""Does a game cost more in a large archive than in a small one: time to store it, and bytes written for it?

    python -m benchmarks.growth [GAMES] [--batch N] [--folder F]

Prepared games go into one file, as many in a transaction as an import has. The first GAMES of them are measured, and the
second half of ten times as many. Compare the ratios, not the times. The bytes are those that the process gives to the kernel,
log and file, until everything is in the file.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from benchmarks.intake import club_games
from daemon.archive.archive import Archive, open_archive
from daemon.archive.database.bulk import chunks
from daemon.archive.games.files import file_row
from daemon.archive.games.prepared import Prepared, prepare
from daemon.archive.take_in import FilePiece, IntakeBatch, Telling, take_in_together
from daemon.imports.store import LARGE, STEP

TIMES = 10
"""How many times as large the large archive is."""


@dataclass(frozen=True)
class Cost:
    """What it took to store so many games: seconds of this process, and bytes written."""

    games: int
    seconds: float
    written: int

    @property
    def each(self) -> float:
        """Seconds for one game."""
        return self.seconds / self.games

    @property
    def bytes_each(self) -> float:
        """Bytes written for one game."""
        return self.written / self.games

    def __str__(self) -> str:
        return f"{self.each * 1e6:7.0f} us, {self.bytes_each / 1000:7.2f} KB written per game"


def written() -> int:
    """Bytes that this process has given to the kernel so far, to be written."""
    lines = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    return int(dict(line.split(": ") for line in lines)["wchar"])


def stored(path: Path, games: Iterator[Prepared], count: int, most: int) -> Cost:
    """Take in so many of these games, *most* in a transaction."""
    seconds, before = 0.0, written()
    with open_archive(path) as archive:
        archive.migrate()
        with archive.importing(alone=True):
            for start in range(0, count, most):
                some = list(islice(games, min(most, count - start)))
                begun = time.process_time()
                store(archive, some, start)
                seconds += time.process_time() - begun
        begun = time.process_time()
        archive.optimize()
    return Cost(count, seconds + time.process_time() - begun, written() - before)


def store(archive: Archive, games: list[Prepared], start: int) -> None:
    """Take these in as an import does."""
    with archive.writing() as connection:
        file = file_row(connection, f"{start}.pgn")
    batches = (
        IntakeBatch(tellings=[Telling(one, FilePiece(file.id, n)) for n, one in enumerate(some)], now_ms=0)
        for some in chunks(games, STEP)
    )
    take_in_together(archive, batches)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="?", type=int, default=20_000)
    parser.add_argument("--batch", type=int, default=LARGE.games, help="games in a transaction")
    parser.add_argument("--folder", type=Path, help="where the archive goes (a temporary folder)")
    options = parser.parse_args()
    games = (prepare(game) for game in club_games(options.games * TIMES))
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        path = Path(folder) / "archive.sqlite"
        small = stored(path, games, options.games, options.batch)
        print(f"the first {options.games:9,}: {small}", flush=True)
        stored(path, games, options.games * (TIMES // 2 - 1), options.batch)
        large = stored(path, games, options.games * TIMES // 2, options.batch)
        size = path.stat().st_size / options.games / TIMES
    print(f"up to     {options.games * TIMES:9,}: {large}; {size / 1000:.2f} KB kept")
    print(
        f"ratio (large/small): time {large.each / small.each:.2f}, bytes {large.bytes_each / small.bytes_each:.2f}"
    )


if __name__ == "__main__":
    main()
