"""What holds for both emulated sites and for the world that they share."""

import io
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import chess.pgn
import httpx
import pytest

from tests.fetchers.site_emulator.asking import NDJSON, Asker, asking
from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Emulator, World, sample_world

ROOT = Path(__file__).parents[3]
MARCH = datetime(2024, 3, 10, 12, tzinfo=UTC)


@pytest.fixture(name="ask")
def _ask() -> Iterator[Asker]:
    with asking() as asker:
        yield asker


def test_a_game_of_two_tracked_players_is_one_game(ask: Asker) -> None:
    """It is told for either, word for word the same."""
    ask.world.add_game(LICHESS, "mrossi90", "BianchiL")
    ask.world.add_game(CHESSCOM, "rossi-mario", "bianchil", at=MARCH)
    ours, theirs = (ask.lichess(f"/api/games/user/{name}", **NDJSON) for name in ("mrossi90", "bianchil"))
    assert ours.content == theirs.content
    ours, theirs = (ask.chesscom(f"{name}/games/2024/03") for name in ("rossi-mario", "bianchil"))
    assert ours.content == theirs.content


def test_a_site_may_suddenly_tell_of_no_game(ask: Asker) -> None:
    """200 with nothing in it, although there were games yesterday."""
    ask.world.add_game(LICHESS, "mrossi90", "BianchiL")
    ask.world.withhold(LICHESS, "mrossi90")
    answer = ask.lichess("/api/games/user/mrossi90", **NDJSON)
    assert (answer.status_code, answer.content) == (200, b"")


def test_every_made_up_game_is_legal() -> None:
    """python-chess reads both sites' PGN of the sample world without a fault, moves and all."""
    world = sample_world(seed=3, games=10)
    emulator = Emulator(world)
    with emulator:
        texts = [emulator.lichess_export(game) for game in world.games(LICHESS)]
        texts += [
            emulator.chesscom_export(game) for game in world.games(CHESSCOM) if game.variant != "bughouse"
        ]
    games = [chess.pgn.read_game(io.StringIO(text)) for text in texts]
    assert len(games) == 2 * 10 + 16 + 13 - 1
    assert [game.errors for game in games if game.errors] == []


def test_the_same_seed_makes_the_same_world() -> None:
    """To the letter, so that a failure can be seen again."""
    one, two = sample_world(seed=5, games=3), sample_world(seed=5, games=3)
    assert one.games(LICHESS) + one.games(CHESSCOM) == two.games(LICHESS) + two.games(CHESSCOM)
    assert one.games(LICHESS) != sample_world(seed=6, games=3).games(LICHESS)


def test_a_world_refuses_words_of_the_other_site() -> None:
    """So that no test speaks of a game that could not be."""
    with pytest.raises(ValueError, match="chesscom has no status 'mate'"):
        World().add_game(CHESSCOM, "rossi-mario", "BianchiL", status="mate")


def test_it_runs_alone() -> None:
    """`python -m tests.fetchers.site_emulator` prints where it listens, answers, and ends on a signal."""
    command = [sys.executable, "-m", "tests.fetchers.site_emulator", "--games", "3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            shown = "".join(iter(process.stdout.readline, "Ctrl-C ends it.\n"))
            settings = tomllib.loads(shown.split("# for the configuration:\n", 1)[1])
            base = settings["sites"]["lichess"]["base_url"]
            handle = settings["me"]["aliases"][0].removeprefix("lichess:")
            answer = httpx.get(f"{base}/api/user/{handle}", headers={"User-Agent": "curl"})
            assert answer.json()["username"] == "mrossi90"
        finally:
            process.terminate()
        rest = process.stdout.read()
    assert process.returncode == 0
    assert rest == "requests: 1\nbroken at lichess: no contact in the User-Agent (/api/user/mrossi90)\n"
