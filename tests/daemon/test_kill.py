"""kill -9 in the middle of a sync or an import, inside the commit too: nothing stored is lost, nothing is there twice.

`KILLS=200 pytest tests/daemon/test_kill.py` (or `make faults`) kills more often; `SEED` repeats a run.
"""

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from daemon.archive.archive import open_archive
from tests.daemon.installation import Installation
from tests.fetchers.site_emulator.emulator import Emulator

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("KILLS", "5"))
SEED = int(os.environ.get("SEED", "20261130"))
GAMES = 300
PROGRAM = Path(__file__).with_name("killed.py")


@pytest.fixture(scope="module")
def sites() -> Iterator[Emulator]:
    """Two accounts on each site that share some of their games."""
    with Emulator(seed=11) as sites:
        start = datetime(2026, 8, 1, 12, tzinfo=UTC)
        for site in ("lichess", "chesscom"):
            for handle in ("mrossi90", "BianchiL", "Verdi_G"):
                sites.world.add_player(site, handle)
            for number in range(GAMES // 2):
                opponent = "BianchiL" if number % 3 else "Verdi_G"
                sites.world.add_game(
                    site, "mrossi90", opponent, at=start + timedelta(hours=3 * number), plies=12
                )
        yield sites


def _native_ids(place: Installation) -> list[tuple[str, str]]:
    """Site and native id of every download in the archive, with repetitions if there are any."""
    items = place.json("games")["items"]
    return [(telling["site"], telling["native_id"]) for game in items for telling in game["tellings"]]


def _there(sites: Emulator) -> set[tuple[str, str]]:
    return {(site, game.id) for site in ("lichess", "chesscom") for game in sites.world.games(site)}


def _kill(place: Installation, rng: random.Random, *arguments: str, commits: int = 14) -> int:
    if rng.random() < 0.5:
        point = ["commit", str(rng.randint(1, commits)), str(rng.randint(0, 3000))]
    else:
        point = ["time", str(rng.randint(1_000, 900_000)), "0"]
    command = [sys.executable, str(PROGRAM), *point, "--", *arguments, "--config", str(place.file)]
    return subprocess.run(command, capture_output=True, timeout=120, check=False, cwd=Path.cwd()).returncode


def test_killed_syncs_lose_nothing_and_the_next_one_completes(
    tmp_path: Path, sites: Emulator, where: str
) -> None:
    """After each kill the database is sound and has all that it had; at the end it has just the sites' games."""
    place = Installation(tmp_path, sites)
    database = where if "://" in where else None
    accounts = [f"{site}:{handle}" for site in ("lichess", "chesscom") for handle in ("mrossi90", "BianchiL")]
    place.configure(mine=accounts, database=database)
    rng = random.Random(f"{SEED} {database is None}")
    stored: set[tuple[str, str]] = set()
    killed = 0

    for _ in range(KILLS):
        killed += _kill(place, rng, "sync") == -signal.SIGKILL
        with open_archive(database or place.folder / "data" / "gamekeeper.sqlite") as archive:
            archive.migrate()
            assert archive.check() == []
        now = _native_ids(place)
        assert len(now) == len(set(now)), f"seed {SEED}: a game twice"
        assert stored <= set(now), f"seed {SEED}: a stored game is gone"
        stored = set(now)

    ended = place.run("sync")
    final = _native_ids(place)
    assert ended.returncode == 0, ended.stderr
    print(f"{killed} of {KILLS} kills came in time")
    assert killed, "no kill came in time: the test proves nothing"
    assert sorted(final) == sorted(_there(sites)), f"seed {SEED}"
    assert place.json("status")["archive"]["games"] == GAMES // 2 * 2


def _pgn(count: int) -> str:
    tags = '[Event "Open"]\n[Date "2024.05.12"]\n[Round "{0}"]\n[White "Rossi, M{0}"]\n[Black "Neri, A{1}"]\n[Result "1-0"]\n'
    return "\n".join(f"{tags.format(n, n % 97)}\n1. e4 e5 2. Nf3 Nc6 1-0\n" for n in range(count))


def test_killed_imports_lose_nothing_and_the_next_one_completes(
    tmp_path: Path, sites: Emulator, where: str
) -> None:
    """All games are in one large transaction: after a kill all of them are there, or none; at the end each once."""
    place = Installation(tmp_path, sites)
    database = where if "://" in where else None
    place.configure(mine=[], database=database)
    file = tmp_path / "games.pgn"
    rng = random.Random(f"{SEED} import {database is None}")
    games = killed = stored = 0

    for _ in range(KILLS):
        if stored == games:
            games += 700
            file.write_text(_pgn(games))
        killed += _kill(place, rng, "import", str(file), commits=5) == -signal.SIGKILL
        with open_archive(database or place.folder / "data" / "gamekeeper.sqlite") as archive:
            archive.migrate()
            assert archive.check() == []
        before, stored = stored, place.json("status")["archive"]["games"]
        assert stored in {before, games}, f"seed {SEED}: part of a transaction"

    ended = place.run("import", str(file))
    assert ended.returncode == 0, ended.stderr
    print(f"{killed} of {KILLS} kills came in time")
    assert killed, "no kill came in time: the test proves nothing"
    status = place.json("status")["archive"]
    assert (status["games"], status["tellings"]) == (games, games), f"seed {SEED}"
