"""Does a game cost more in a large archive than in a small one: time to store it, and bytes written for it?

    python -m benchmarks.growth [GAMES] [--times N] [--batch N] [--folder F]

Prepared games go into a new file as a large import by command brings them: GAMES of them, and N times as many; indexes that only
readers need are built at the end, where that pays. Then a tenth of GAMES go into each, as small imports bring them. Compare the
ratios, not the times. The time is that of the processor, building included; the bytes are those that the process gives to the
kernel, log and file, until everything is in the file.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Self

from benchmarks.intake import club_games
from daemon.archive.archive import Archive, open_archive
from daemon.archive.database.bulk import chunks
from daemon.archive.games.files import file_row
from daemon.archive.games.prepared import Prepared, prepare
from daemon.archive.take_in import FilePiece, IntakeBatch, Telling, take_in_together
from daemon.imports.store import LARGE, STEP

TIMES = 10
"""How many times as large the large archive is."""
MORE = 10
"""The part of the games that comes after the large import, by small ones."""


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
        return f"{self.each * 1e6:7.1f} us, {self.bytes_each / 1000:7.2f} KB written per game"


class Meter:
    """Sums up what the process takes while it is on."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.written = 0

    def __enter__(self) -> Self:
        self._seconds, self._written = time.process_time(), written()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds += time.process_time() - self._seconds
        self.written += written() - self._written


def written() -> int:
    """Bytes that this process has given to the kernel so far, to be written."""
    lines = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    return int(dict(line.split(": ") for line in lines)["wchar"])


def stored(path: Path, games: Iterator[Prepared], count: int, most: int, *, large: bool) -> Cost:
    """Take in so many of these games, *most* in a transaction; the cost of the last tenth is printed on the way."""
    meter, last, in_last = Meter(), Meter(), 0
    with open_archive(path) as archive:
        archive.migrate()
        importing = archive.importing(alone=True, games=count if large else 0)
        importing.__enter__()
        for start in range(0, count, most):
            some = list(islice(games, min(most, count - start)))
            at_last = start >= count * 9 // 10
            in_last += len(some) * at_last
            with meter, last if at_last else Meter():
                store(archive, some, f"{path.name} {start}")
        with meter:
            importing.__exit__(None, None, None)
            archive.optimize()
    with meter, open_archive(path) as archive, archive.writing() as connection:
        connection.exec_driver_sql("SELECT 1")  # the last to close it has written its log into it
    if in_last and large:
        tenth = Cost(in_last, last.seconds, last.written)
        print(f"    the last {in_last:,} of {count:,}, without building: {tenth}", flush=True)
    return Cost(count, meter.seconds, meter.written)


def store(archive: Archive, games: list[Prepared], path: str) -> None:
    """Take these in as an import does."""
    with archive.writing() as connection:
        file = file_row(connection, path)
    batches = (
        IntakeBatch(tellings=[Telling(one, FilePiece(file.id, n)) for n, one in enumerate(some)], now_ms=0)
        for some in chunks(games, STEP)
    )
    take_in_together(archive, batches)


def compare(name: str, small: Cost, large: Cost) -> None:
    """Print how the cost grows."""
    print(
        f"{name}: rate {small.each / large.each:.2f} of that in the small one, bytes {large.bytes_each / small.bytes_each:.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="?", type=int, default=20_000)
    parser.add_argument(
        "--times", type=int, default=TIMES, help="how many times as large the large archive is"
    )
    parser.add_argument(
        "--batch", type=int, default=LARGE.games, help="games in a transaction of a large import"
    )
    parser.add_argument("--folder", type=Path, help="where the archives go (a temporary folder)")
    options = parser.parse_args()
    found: list[tuple[Cost, Cost]] = []
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        for count in (options.games, options.games * options.times):
            games = (prepare(game) for game in club_games(count + options.games // MORE))
            path = Path(folder) / f"{count}.sqlite"
            whole = stored(path, games, count, options.batch, large=True)
            kept = path.stat().st_size / count
            more = stored(path, games, options.games // MORE, min(STEP, options.games // MORE), large=False)
            print(
                f"the first {count:9,}: {whole}; {kept / 1000:.2f} KB kept\nthen {more.games:14,}: {more}",
                flush=True,
            )
            found.append((whole, more))
            path.unlink()
    for name, small, large in zip(("large imports", "small ones after it"), *found, strict=True):
        compare(name, small, large)
    print(f"peak of memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main()
