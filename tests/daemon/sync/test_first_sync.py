"""The first sync of a very large account: killed in the middle it goes on where it was, and its progress is told."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from daemon.archive.archive import open_archive
from daemon.sync.batch import BATCH, Progress
from fetchers.lichess.progress import OVERLAP_MS
from tests.daemon.installation import Installation
from tests.daemon.sync_rig import Bench
from tests.fetchers.site_emulator.emulator import LICHESS, Emulator, Request

pytestmark = pytest.mark.slow

GAMES = 2000
HOURS = 2
OVERLAP = OVERLAP_MS // 3_600_000 // HOURS
"""Games that a round asks for again because it begins a day before the newest one."""
ME = "lichess:mrossi90"
FEWER = 600
OTHER = "lichess:bianchil"
BEGIN = datetime(2024, 1, 1, tzinfo=UTC)
KILLED = Path(__file__).parents[1] / "killed.py"


@pytest.fixture(scope="module")
def sites() -> Iterator[Emulator]:
    """One account with very many games, another one with some."""
    with Emulator(seed=7) as sites:
        sites.world.add_player(LICHESS, "mrossi90")
        sites.world.add_many(LICHESS, "mrossi90", GAMES, at=BEGIN, hours=HOURS)
        sites.world.add_player(LICHESS, "BianchiL")
        sites.world.add_many(LICHESS, "BianchiL", FEWER, at=BEGIN, hours=HOURS)
        yield sites


def _stored(place: Installation) -> int:
    with open_archive(place.folder / "data" / "gamekeeper.sqlite") as archive:
        archive.migrate()
        assert archive.check() == []
    return int(place.json("status")["archive"]["games"])


def _asked(request: Request) -> int:
    """How many of the games lie in what this request asks for."""
    since = int(request.query.get("since", "0"))
    begin = int(BEGIN.timestamp() * 1000)
    return sum(begin + number * HOURS * 3_600_000 > since for number in range(GAMES))


@pytest.mark.slow
def test_killed_twice_it_goes_on_where_it_was(tmp_path: Path, sites: Emulator) -> None:
    """After kill -9 only the last batch and a day's overlap are asked for again; at the end all is there once."""
    place = Installation(tmp_path, sites)
    place.configure(mine=[ME])

    for commits in (7, 8):
        command = [sys.executable, str(KILLED), "commit", str(commits), "0", "--", "sync"]
        ended = subprocess.run(
            [*command, "--config", str(place.file)], capture_output=True, timeout=120, check=False
        )
        assert ended.returncode == -signal.SIGKILL
        before = _stored(place)
        assert 0 < before < GAMES
        sites.clear_log()

    account = place.json("sync", "--account", ME)["items"][0]
    first = next(one for one in sites.requests if one.path.startswith("/api/games/"))

    assert _asked(first) <= GAMES - before + OVERLAP + BATCH
    assert account["new"] == GAMES - before
    assert account["read"] <= GAMES - before + OVERLAP + BATCH
    assert _stored(place) == GAMES
    assert sites.violations == []


def test_progress_counts_what_a_broken_off_round_has_brought(bench: Bench) -> None:
    """All games as the site counts them; a first sync that goes on begins with what is there."""
    bench.sites.fault(LICHESS, "/api/games/", kind="cut", after=0.5)
    bench.run(OTHER)
    broken, bench.progress = bench.progress, []
    stored = bench.games()

    bench.run(OTHER)

    assert broken[0] == Progress(OTHER, 0, broken[0].counts, FEWER)
    assert [one.seen for one in broken] == sorted(one.seen for one in broken)
    assert 0 < stored < FEWER
    assert bench.progress[0] == Progress(OTHER, stored, broken[0].counts, FEWER)
    assert FEWER <= bench.progress[-1].seen <= FEWER + OVERLAP + 2
    assert bench.games() == FEWER


def test_full_counts_from_the_beginning(bench: Bench) -> None:
    """--full asks for everything again, and says of how much."""
    bench.run(OTHER)
    bench.progress.clear()

    bench.run(OTHER, full=True)

    assert (bench.progress[0].seen, bench.progress[-1].seen) == (0, FEWER)
    assert {one.expected for one in bench.progress} == {FEWER}


def test_a_usual_round_tells_no_estimate(bench: Bench) -> None:
    """What is new since the last time does not belong to all games."""
    bench.run(OTHER)
    bench.progress.clear()
    bench.now += 8 * 86400

    bench.run(OTHER)

    assert bench.progress
    assert {one.expected for one in bench.progress} == {None}


@pytest.fixture
def bench(tmp_path: Path, sqlite_path: Path, sites: Emulator) -> Iterator[Bench]:
    """Rounds over the large account, in an archive of their own."""
    with open_archive(sqlite_path) as archive:
        yield Bench(archive, sites)
