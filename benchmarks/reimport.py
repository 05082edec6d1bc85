"""What does a file cost that has grown by one game, or has not changed, against its first import and against splitting it?

    python -m benchmarks.reimport [GAMES] [--database URL]

All of it in one process, one after another, with one parser; compare the ratios, not the numbers.
"""

import argparse
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.pgn import random_pgn, split_by_us
from daemon import logs
from daemon.archive.archive import Archive, open_archive
from daemon.imports.run import Summary, import_paths

DIFFERENT = 500
"""Games that are made up; the others are these with other names, since making up takes longer than reading."""


def text_of(games: int) -> str:
    """PGN of about so many games, no two the same."""
    block = random_pgn(min(games, DIFFERENT))
    return "".join(block.replace('"Rossi, ', f'"Rossi{copy}, ') for copy in range(-(-games // DIFFERENT)))


@dataclass(frozen=True)
class Timed:
    """An import, how many seconds it took, and for how many of them this process (without its parsers) worked."""

    seconds: float
    own: float
    summary: Summary

    def __str__(self) -> str:
        summary = self.summary
        speed = f"{summary.read / self.seconds:9,.0f} games/s, {summary.read / self.own:9,.0f} per second of our own work"
        return f"{self.seconds:8.2f} s {speed} (new {summary.new:,}, unchanged {summary.unchanged:,})"


def timed(archive: Archive, path: Path, *, again: bool = False) -> Timed:
    """Import the file."""
    started, own = time.perf_counter(), time.process_time()
    summary = import_paths(archive, [path], parsers=1, again=again)
    return Timed(time.perf_counter() - started, time.process_time() - own, summary)


def check_results(first: Summary, unchanged: Summary, grown: Summary, moved: Summary, again: Summary) -> None:
    """Raise SystemExit unless every game is new once, and known ever after."""
    right = (
        first.new == first.read > 0,
        unchanged.files_unchanged == 1,
        (grown.new, grown.read) == (1, first.read + 1),
        (moved.new, moved.read) == (1, first.read + 2),
        (again.new, again.read) == (0, first.read + 2),
    )
    if not all(right):
        raise SystemExit(f"a wrong result: {first} {unchanged} {grown} {moved} {again}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="?", type=int, default=25_000)
    parser.add_argument("--database", help="import into this empty PostgreSQL database instead")
    options = parser.parse_args()
    logs.configure()
    text, more = text_of(options.games), random_pgn(2, seed=2).split("[Event ")[1:]
    appended, put_before = (f"[Event {game}" for game in more)
    started = time.process_time()
    split_by_us(text)
    splitting = time.process_time() - started
    with (
        tempfile.TemporaryDirectory() as folder,
        open_archive(options.database or Path(folder) / "archive.sqlite") as archive,
    ):
        archive.migrate()
        path = Path(folder) / "games.pgn"
        path.write_text(text)
        first = timed(archive, path)
        unchanged = timed(archive, path)
        path.write_text(text + appended)
        grown = timed(archive, path)
        path.write_text(put_before + text + appended)
        moved = timed(archive, path)
        again = timed(archive, path, again=True)
    check_results(*(one.summary for one in (first, unchanged, grown, moved, again)))
    print(f"first import:       {first}")
    print(f"unchanged:          {unchanged}")
    print(f"one game appended:  {grown}")
    print(f"one put before:     {moved}")
    print(f"--again:            {again}")
    print(f"ratio (first import / one game appended): {first.seconds / grown.seconds:.1f}")
    print(f"ratio (splitting / our own work for one game appended):    {splitting / grown.own:.2f}")


if __name__ == "__main__":
    main()
