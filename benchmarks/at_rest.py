"""What does a daemon cost that has nothing to do? Its share of one core, as the kernel counts it for each thread.

    python -m benchmarks.at_rest [ACCOUNTS …] [--seconds N] [--folder F]

A real `gamekeeper run`, whose accounts all have been asked and are due hours later, with a folder that it watches; then
again while all of them are asked once, and the emulated sites, in a process of their own, answer that nothing is new.
From both follows what it costs when every account is asked once in its interval.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import delete, func, select, update

from benchmarks.quiet_accounts import EVERY, Place, Served, handle, served
from daemon import clock, logs
from daemon.archive.archive import open_archive
from daemon.archive.database import settings
from daemon.archive.edits import double_search
from daemon.archive.games.doubles_due import LAST
from daemon.archive.schedule.accounts import all_accounts
from daemon.archive.tables.edits import doubles_due
from daemon.archive.tables.main import accounts as table
from daemon.archive.tables.main import games
from daemon.client import Client, ClientError
from daemon.config import Config
from daemon.service.wiring import configure_archive
from fetchers.registry import build
from tests.daemon.installation import free_port
from tests.fetchers.site_emulator.emulator import LICHESS

HOURS = 6
MANY = 100
"""So many accounts are asked often enough to be watched."""
SETTLING = 20.0
"""Seconds after the start before anything is measured: the first looks at the archive and the folder."""


@dataclass(frozen=True, slots=True)
class Rest:
    """What the process spent: seconds of CPU, bytes of its memory (all, and without pages of files), and switches a second."""

    cpu: float
    resident: int
    private: int
    switches: float


class Daemon:
    """A `gamekeeper run` that we started."""

    def __init__(self, process: "subprocess.Popen[bytes]", url: str) -> None:
        self.pid = process.pid
        self.url = url

    def cpu(self) -> float:
        """Seconds of CPU that all of its threads have had."""
        return sum(int(path.read_text().split()[0]) for path in self._tasks("schedstat")) / 1e9

    def switches(self) -> int:
        """How often its threads have gone to sleep."""
        return sum(_number(path.read_text(), "voluntary_ctxt_switches:") for path in self._tasks("status"))

    def _tasks(self, name: str) -> Iterator[Path]:
        return Path(f"/proc/{self.pid}/task").glob(f"*/{name}")

    def memory(self) -> tuple[int, int]:
        """Bytes that are resident, and those of them which are nobody else's file."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return _number(status, "VmRSS:") << 10, _number(status, "RssAnon:") << 10

    def peak(self) -> int:
        """The most bytes that were ever resident."""
        return _number(Path(f"/proc/{self.pid}/status").read_text(), "VmHWM:") << 10

    def rest(self, seconds: float) -> Rest:
        """Watch it for so long."""
        cpu, switches = self.cpu(), self.switches()
        time.sleep(seconds)
        return Rest(self.cpu() - cpu, *self.memory(), (self.switches() - switches) / seconds)


def _number(status: str, name: str) -> int:
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(name))


@contextmanager
def running(config: Path) -> Iterator[Daemon]:
    """The daemon of this configuration, from its first answer on."""
    command = [
        sys.executable,
        "-c",
        "from daemon.cli import main; main()",
        "-q",
        "run",
        "--config",
        str(config),
    ]
    url = f"http://{Config.load(config).api.listen}"
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            while not _answers(url):
                assert process.poll() is None, "the daemon ended"
                time.sleep(0.1)
            yield Daemon(process, url)
        finally:
            process.terminate()


def _answers(url: str) -> bool:
    try:
        with Client(url) as client:
            return client.health()["status"] == "ok"
    except ClientError:
        return False


def configure(folder: Path, count: int, url: str) -> Path:
    """Write a configuration with *count* accounts of lichess, and a folder of games."""
    (folder / "games").mkdir(parents=True)
    named = ", ".join(f'"lichess:{handle(number)}"' for number in range(count))
    path = folder / "gamekeeper.toml"
    path.write_text(
        f'[daemon]\ncontact = "me@example.org"\ndata_dir = "{folder}/data"\n'
        f'[api]\nlisten = "127.0.0.1:{free_port()}"\n'
        f'[sites.lichess]\nbase_url = "{url}"\n'
        f'[[pgn]]\npath = "{folder}/games"\n'
        + (f'[[dossier]]\nname = "All of them"\naccounts = [{named}]\n' if count else "")
    )
    return path


def prepare(config: Config, url: str) -> None:
    """Make the archive: all accounts have been asked twice, and nothing is left to be done with their games."""
    config.data_dir.mkdir()
    with (
        open_archive(config.database_url()) as archive,
        closing(build(LICHESS, contact="a@example.org", version="1", base_url=url)) as fetcher,
    ):
        place = Place(config.data_dir, archive, LICHESS, fetcher)
        place.configure(len(config.accounts()))
        place.work()
        place.now += 2 * EVERY
        place.work()  # lichess counts games only now
        configure_archive(archive, config)  # with the dossier, for which all games are looked at again
        with (
            archive.writing() as connection
        ):  # as if all had been: these games are so much alike that it takes minutes
            double_search.look(connection, 1)
            connection.execute(delete(doubles_due))
            settings.put(connection, LAST, str(connection.scalar(select(func.max(games.c.id)))))


def plan(config: Config, *, after: float, within: float) -> None:
    """Let all accounts be due *after* so many seconds, one after another *within* so many."""
    with open_archive(config.database_url()) as archive, archive.writing() as connection:
        rows = all_accounts(connection)
        for number, row in enumerate(rows):
            due = clock.now_ms() + int((after + within * number / len(rows)) * 1000)
            connection.execute(update(table).where(table.c.id == row.id).values(due_at=due))


ASKED: Final = "all asked once"
INTERVAL: Final = 6 * 3600
"""Seconds: the usual interval of a dossier's accounts."""


def measure(folder: Path, count: int, seconds: float) -> Iterator[tuple[str, Rest]]:
    """Watch a daemon with *count* accounts, due hours later; then all of them in the time that is measured."""
    with served(LICHESS, count) as site:
        path = configure(folder, count, site.url)
        config = Config.load(path)
        prepare(config, site.url)
        plan(config, after=HOURS * 3600, within=HOURS * 3600)
        yield "nothing due", _watched(path, site, seconds, asked=False)
        if count >= MANY:
            plan(config, after=2 * SETTLING, within=seconds / 2)
            yield ASKED, _watched(path, site, seconds, asked=True)


def _watched(path: Path, site: Served, seconds: float, *, asked: bool) -> Rest:
    with running(path) as daemon:
        time.sleep(SETTLING)
        site.requests()
        rest = daemon.rest(seconds)
    assert bool(site.requests()) == asked, "the rounds were not as wanted"
    return rest


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("accounts", nargs="*", type=int, default=[2, 3000])
    parser.add_argument("--seconds", type=float, default=180.0)
    parser.add_argument("--folder", type=Path, help="where the databases go (a temporary folder)")
    options = parser.parse_args()
    logs.configure()
    print(f"{'accounts':>8}  {'':14}{'CPU %':>8}{'wakes/s':>9}{'MB':>6}{'own MB':>8}")
    for count in options.accounts:
        idle = 0.0
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            for what, rest in measure(Path(folder), count, options.seconds):
                share = 100 * rest.cpu / options.seconds
                memory = f"{rest.resident / 1e6:6.0f}{rest.private / 1e6:8.0f}"
                print(f"{count:8,}  {what:14}{share:8.3f}{rest.switches:9.1f}{memory}", flush=True)
                if what == ASKED:
                    usual = idle + (share - idle) * options.seconds / INTERVAL
                    print(f"{'':10}{'asked in turn':14}{usual:8.3f}  each once in {INTERVAL / 3600:g} hours")
                idle = share


if __name__ == "__main__":
    main()
