"""kill -9 in the middle of a sync or an import, inside the commit too, and while indexes are dropped or built: nothing stored is lost, nothing is there twice.

`KILLS=200 pytest tests/daemon/test_kill.py` (or `make faults`) kills more often; `SEED` repeats a run.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.players import Profile
from daemon.archive.archive import open_archive
from daemon.archive.database import indexes
from daemon.archive.reading.games import find_games
from daemon.archive.reading.search.filters import GameFilters
from daemon.archive.verify.run import verify
from tests.daemon.installation import Installation
from tests.daemon.killed import FEW
from tests.fetchers.site_emulator.emulator import Emulator

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("KILLS", "5"))
SEED = int(os.environ.get("SEED", "20261130"))
GAMES = 300
PROGRAM = Path(__file__).with_name("killed.py")
LARGE = 2000
"""Games of an import that does without indexes."""
LINES = (
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6",
    "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7",
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7",
)
INTAKEN = (
    "games",
    "tellings",
    "players",
    "player_words",
    "player_names",
    "texts",
    "text_words",
    "files",
    "quarantine",
    "oddities",
)
"""Tables whose rows an import makes."""


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


def large_pgn() -> str:
    """Games with all that has an index, some twice, some that cannot be read."""
    chance = random.Random(3)
    games = []
    for n in range(LARGE):
        tags = {
            "Event": f"Open {n // 50}",
            "Site": f"https://lichess.org/{n:08}" if n % 4 == 0 else f"Town {n % 7}",
            "Date": f"{1990 + chance.randrange(30)}.{1 + n % 12:02}.{1 + n % 28:02}",
            "Round": str(n % 9),
            "White": f"Rossi, M{chance.randrange(90)}",
            "Black": f"Neri, A{chance.randrange(90)}",
            "Result": "1-0" if n % 5 else "*",
            "WhiteTitle": "GM" if n % 10 == 0 else "",
            "BlackTeam": "Torre" if n % 6 == 0 else "",
            "WhiteFideId": str(1_000_000 + n % 90) if n % 3 == 0 else "",
            "ECO": f"B{n % 100:02}" if n % 2 else "",
            "TimeControl": "300+3" if n % 4 == 0 else "",
            "Termination": "normal" if n % 4 == 0 else "",
            "Annotator": "Verdi" if n % 50 == 0 else "",
            "Variant": "Chess960" if n % 100 == 0 else "",
        }
        text = "".join(f'[{name} "{value}"]\n' for name, value in tags.items() if value)
        moves = "1. e4 Ke4" if n % 97 == 13 else chance.choice(LINES)
        games.append(f"{text}\n{moves} {tags['Result']}\n")
        if n % 41 == 0:
            games.append(games[chance.randrange(len(games))])
    return "\n".join(games)


def rows_of(path: Path) -> dict[str, list[dict[str, object]]]:
    """All rows that an import makes, but for the times."""
    with open_archive(path) as archive, archive.reading() as connection:
        return {
            name: [
                {key: value for key, value in row.items() if not key.endswith(("_at", "_ns", "seen"))}
                for row in connection.exec_driver_sql(f"SELECT * FROM {name} ORDER BY 1, 2").mappings()
            ]
            for name in INTAKEN
        }


def _imported(folder: Path, file: Path) -> Path:
    """The archive of an import that nobody killed."""
    folder.mkdir()
    place = Installation(folder)
    place.configure(mine=[])
    ended = place.run("import", str(file))
    assert "new" in ended.stdout, ended.stderr
    return place.folder / "data" / "gamekeeper.sqlite"


def _large_point(rng: random.Random, number: int) -> list[str]:
    """Each of these in turn: a commit of games or of an index, a statement that drops one, one that builds one."""
    return (
        ["COMMIT", str(rng.randint(4, 4 + LARGE // FEW)), str(rng.randint(0, 3000))],
        ["CREATE INDEX", str(rng.randint(1, 21)), str(rng.randint(0, 6000))],
        ["COMMIT", str(rng.randint(4, 40)), str(rng.randint(0, 3000))],
        ["DROP INDEX", str(rng.randint(1, 21)), str(rng.randint(0, 1000))],
    )[number % 4]


def test_killed_large_imports(tmp_path: Path) -> None:
    """Wherever one is killed that does without indexes: the archive is sound, answers, and the next import completes it.

    In the end all is as in an archive whose import nobody has killed: every row, and every index.
    """
    file = tmp_path / "games.pgn"
    file.write_text(large_pgn())
    expected = rows_of(_imported(tmp_path / "whole", file))
    assert len(expected["games"]) > LARGE * 9 // 10
    rng = random.Random(f"{SEED} large")
    killed = lacked = 0
    for number in range(KILLS):
        folder = tmp_path / str(number)
        folder.mkdir()
        place = Installation(folder)
        place.configure(mine=[])
        path = folder / "data" / "gamekeeper.sqlite"
        for _ in range(rng.randint(1, 2)):
            point = _large_point(rng, number)
            command = [
                sys.executable,
                str(PROGRAM),
                *point,
                "--",
                "import",
                str(file),
                "--config",
                str(place.file),
            ]
            ended = subprocess.run(command, capture_output=True, timeout=120, check=False)
            killed += ended.returncode == -signal.SIGKILL
            lacked += path.exists() and _sound(path, f"seed {SEED}, {point}")
        ended_well = place.run("import", str(file))
        assert "problems     0" in ended_well.stdout, ended_well.stderr
        with open_archive(path) as archive:
            assert list(verify(archive)) == [], f"seed {SEED}, {point}"
        assert rows_of(path) == expected, f"seed {SEED}, {point}"
        shutil.rmtree(folder)
    print(f"{killed} kills came in time, {lacked} times without all indexes")
    assert killed
    assert lacked


def _sound(path: Path, point: str) -> bool:
    """Check the archive as a kill has left it; True if indexes are missing, which is all that may be."""
    with open_archive(path) as archive:
        faults = [one.fault for one in verify(archive)]
        assert all(fault.startswith(indexes.MISSING) for fault in faults), (point, faults)
        with archive.reading() as connection:
            page = find_games(connection, GameFilters(event="open"), Profile(), limit=5)
    assert len(page["items"]) <= 5
    return bool(faults)
