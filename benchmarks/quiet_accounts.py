"""What does an account cost in which nothing happens? Requests, and CPU time of our side.

    python -m benchmarks.quiet_accounts [ACCOUNTS …] [--folder F]

The emulated sites run in a process of their own. All accounts have been downloaded before; then all fall due
together, and the real worker of the site goes through them. The last column is what counts: the cost of an account
among so many, as a share of its cost among the number before. (One lichess account bears a whole request alone.)
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Event

from sqlalchemy import select, update

from daemon import logs
from daemon.archive.archive import Archive, open_archive
from daemon.archive.schedule import accounts
from daemon.archive.tables.main import accounts as table
from daemon.config.configured import ConfiguredAccount
from daemon.sync.site_lock import site_lock
from daemon.sync.worker import SiteWorker
from fetchers.base import Fetcher
from fetchers.registry import build
from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Emulator, World

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC).timestamp()
EVERY = 1800
GAMES = 4
MONTHS = 150
"""Months in a cursor of chess.com: an account of twelve years, 20 KB."""
_QUICKLY = 200
"""How many times as fast as ours the site's clock runs: lichess bears so many glances in ten minutes of it."""
_AT_LEAST = 30
"""Accounts that are looked at in one measurement, in several rounds where there are fewer."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one quiet account cost in one round."""

    requests: float
    cpu_ms: float


def handle(number: int) -> str:
    """The handle of an account."""
    return f"rossi{number}"


def serve(site: str, count: int) -> None:
    """Be the emulated site; each line of the standard input asks for the number of requests since the last one."""
    world = World(seed=1)
    for number in range(count):
        world.add_player(site, handle(number))
        world.add_many(site, handle(number), GAMES, at=datetime(2026, 9, 1, tzinfo=UTC), hours=24)
    with Emulator(world) as sites:
        began = time.monotonic()
        sites.clock = lambda: NOW + _QUICKLY * (time.monotonic() - began)
        print(sites.lichess_url if site == LICHESS else sites.chesscom_url, flush=True)
        for _ in sys.stdin:
            assert not sites.violations, sites.violations
            print(len(sites.requests), flush=True)
            sites.clear_log()


class Served:
    """The emulated site in its process."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._asked, self._answers = process.stdin, process.stdout
        self.url = self._answers.readline().strip()

    def requests(self) -> int:
        """How many there were since the last time."""
        self._asked.write("\n")
        self._asked.flush()
        return int(self._answers.readline())


@contextmanager
def served(site: str, count: int) -> Iterator[Served]:
    """An emulated site in another process."""
    command = [sys.executable, "-m", "benchmarks.quiet_accounts", "--serve", site, str(count)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Served(process)
        finally:
            process.communicate()


class Place:
    """An archive with so many accounts of a site, and the worker that asks it. The clock stands still by itself."""

    def __init__(self, folder: Path, archive: Archive, site: str, fetcher: Fetcher) -> None:
        self.now = NOW
        self._archive = archive
        self._site = site
        lock = partial(site_lock, folder, site)
        self._worker = SiteWorker(site, archive, fetcher, lock=lock, stop=Event(), clock=lambda: self.now)

    def configure(self, count: int) -> None:
        """Let the archive have these accounts."""
        self._archive.migrate()
        wanted = [
            ConfiguredAccount(self._site, handle(number), handle(number), mine=False, every=EVERY)
            for number in range(count)
        ]
        with self._archive.writing() as connection:
            accounts.sync_accounts(connection, wanted)

    def lengthen_cursors(self) -> None:
        """Give chess.com's cursors the months of many years, which are settled and need no request."""
        with self._archive.writing() as connection:
            rows = connection.execute(select(table.c.id, table.c.cursor)).all()
            for number, text in rows:
                cursor = json.loads(text)
                months = [f"{2010 + n // 12}/{n % 12 + 1:02}" for n in range(MONTHS)]
                known = {"etag": f'W/"{"0" * 32}"', "last_modified": "x" * 36, "checked": int(NOW * 1000)}
                cursor["months"] = dict.fromkeys(months, known) | cursor["months"]
                cursor["list"]["months"] = [*months, *cursor["list"]["months"]]
                changed = {"cursor": json.dumps(cursor)}
                connection.execute(update(table).where(table.c.id == number).values(changed))

    def work(self) -> float:
        """One pass over all that are due; seconds of CPU."""
        begun = time.process_time()
        self._worker.poke()
        assert self._worker._work is not None  # noqa: SLF001 - the end of the pass is nobody else's business
        self._worker._work.result()  # noqa: SLF001 - as above
        spent = time.process_time() - begun
        with self._archive.reading() as connection:
            rows = accounts.all_accounts(connection)
        if any(row.error or row.last_success != int(self.now * 1000) for row in rows):
            raise SystemExit("not all accounts were asked, or not without errors")
        return spent


def measure(folder: Path, site: str, count: int) -> Cost:
    """What one of *count* quiet accounts costs."""
    with (
        served(site, count) as emulated,
        open_archive(folder / f"{site}-{count}.sqlite") as archive,
        closing(build(site, contact="a@example.org", version="1", base_url=emulated.url)) as fetcher,
    ):
        place = Place(folder, archive, site, fetcher)
        place.configure(count)
        place.work()
        if site == CHESSCOM:
            place.lengthen_cursors()
        place.now += 2 * EVERY
        place.work()  # lichess has not counted games yet, chess.com gives the empty month
        emulated.requests()
        passes = -(-_AT_LEAST // count)
        spent = 0.0
        for _ in range(passes):
            place.now += 2 * EVERY
            spent += place.work()
        return Cost(emulated.requests() / count / passes, spent / count / passes * 1000)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("accounts", nargs="*", type=int, default=[1, 300, 3000])
    parser.add_argument("--folder", type=Path, help="where the databases go (a temporary folder)")
    parser.add_argument("--serve", nargs=2, metavar=("SITE", "ACCOUNTS"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve[0], int(options.serve[1]))
        return
    logs.configure()
    print(f"{'':10}{'accounts':>9}{'requests':>10}{'CPU ms':>9}{'ratio':>8}   for each account")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        for site in (LICHESS, CHESSCOM):
            before: Cost | None = None
            for count in options.accounts:
                cost = measure(Path(folder), site, count)
                ratio = f"{cost.cpu_ms / before.cpu_ms:8.2f}" if before else ""
                print(f"{site:10}{count:9,}{cost.requests:10.3f}{cost.cpu_ms:9.2f}{ratio}", flush=True)
                before = cost


if __name__ == "__main__":
    main()
