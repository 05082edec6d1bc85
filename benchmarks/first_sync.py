"""The first sync of a lichess account with very many games: how quickly, and in how much memory?

    python -m benchmarks.first_sync [GAMES …] [--folder F]

The emulated lichess runs unthrottled in a process of its own, and `gamekeeper sync` in another one. The real site
sends 60 games a second to somebody who asks for their own games, 20 to others. Memory is the peak of the sync's
process; a second run with nothing new shows what the program needs by itself.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tests.fetchers.site_emulator.emulator import LICHESS, Emulator, World

OF_LICHESS = 60
"""Games a second that lichess allows at most."""
ME = "mrossi90"
BEGIN = datetime(2014, 1, 1, tzinfo=UTC)

CONFIGURATION = """
[daemon]
data_dir = "{folder}"
contact = "benchmark@example.org"
[api]
listen = "127.0.0.1:1"
[me]
first_name = "Mario"
last_name = "Rossi"
aliases = ["lichess:mrossi90"]
[sites.lichess]
base_url = "{url}"
"""


@dataclass(frozen=True, slots=True)
class Spent:
    """What one run of a command took."""

    seconds: float
    cpu_seconds: float
    peak_mib: float


def serve(games: int) -> None:
    """Be the emulated lichess with so many games of one account, until the standard input ends."""
    world = World(seed=1)
    world.add_player(LICHESS, ME)
    world.add_many(LICHESS, ME, games, at=BEGIN)
    with Emulator(world) as sites:
        print(sites.lichess_url, flush=True)
        sys.stdin.read()


@contextmanager
def served(games: int) -> Iterator[str]:
    """The address of an emulated lichess in another process."""
    command = [sys.executable, "-m", "benchmarks.first_sync", "--serve", str(games)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.communicate()


def run(arguments: Sequence[str]) -> Spent:
    """Run the program to its end.

    Raises:
        SystemExit: it did not end well.
    """
    started = time.perf_counter()
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    printed = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode:
        raise SystemExit(printed)
    seconds = time.perf_counter() - started
    return Spent(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", type=int, default=[10_000, 50_000, 100_000])
    parser.add_argument("--folder", type=Path, help="where the databases go (a temporary folder)")
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        serve(options.serve)
        return
    gamekeeper = str(Path(sys.executable).with_name("gamekeeper"))
    print(f"{'games':>9}{'games/s':>10}{'of lichess':>12}{'CPU ms/game':>13}{'peak MiB':>10}{'idle MiB':>10}")
    for games in options.games:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder, served(games) as url:
            file = Path(folder) / "gamekeeper.toml"
            file.write_text(CONFIGURATION.format(folder=folder, url=url))
            first, again = (run([gamekeeper, "sync", "--config", str(file)]) for _ in range(2))
        rate = games / first.seconds
        print(
            f"{games:9,}{rate:10,.0f}{rate / OF_LICHESS:11.1f}x{first.cpu_seconds / games * 1000:13.2f}"
            f"{first.peak_mib:10.0f}{again.peak_mib:10.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
