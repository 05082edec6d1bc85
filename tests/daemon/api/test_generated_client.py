"""A client that a generator makes of the description: nothing of it is lost, and it lists games from a running API."""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from fastapi import FastAPI

from daemon.api.server import Server
from daemon.config.values import Listen


@pytest.fixture
def where(sqlite_path: Path) -> str:
    """Only on SQLite: what is tested here does not know the database."""
    return str(sqlite_path)


@pytest.fixture
def made(app: FastAPI, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of the client's package, and that nothing was left out of it."""
    described, settings = tmp_path / "openapi.json", tmp_path / "settings.json"
    described.write_text(json.dumps(app.openapi()))
    settings.write_text(json.dumps({"post_hooks": []}))  # they would format it
    ended = subprocess.run(
        [
            *(
                sys.executable,
                "-m",
                "openapi_python_client",
                "generate",
                "--meta",
                "none",
                "--fail-on-warning",
            ),
            *("--path", described, "--config", settings, "--output-path", tmp_path / "made_client"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, "WARNING" in ended.stdout) == (0, False), ended.stdout + ended.stderr
    monkeypatch.syspath_prepend(tmp_path)
    yield "made_client"
    for name in [name for name in sys.modules if name.partition(".")[0] == "made_client"]:
        del sys.modules[name]


@pytest.fixture
def address(app: FastAPI) -> Iterator[str]:
    """A running server over the small archive."""
    server = Server(app, Listen("127.0.0.1", 0))
    server.start()
    yield f"http://127.0.0.1:{server.addresses[0][1]}"
    server.stop()


@pytest.mark.slow
def test_it_lists_games(made: str, address: str) -> None:
    """Every list has its items, with times and fixed words as such; filters are asked for by their types."""

    def part(name: str) -> ModuleType:
        return importlib.import_module(f"{made}.{name}")

    models: Any = part("models")
    with part("client").Client(address) as client:
        page = part("api.games.list_games").sync(
            client=client, time_class=models.TimeClass.BLITZ, result=models.ResultAsked.VALUE_0
        )
        assert (type(page), page.items, page.next_) == (models.GamePage, [], None)
        page = part("api.games.list_games").sync(client=client, limit=2, source=models.Source.LICHESS)
        [game] = page.items
        assert (game.white.name, game.result, game.variant) == (
            "mrossi90",
            models.Result.VALUE_0,
            models.Variant.STANDARD,
        )
        assert game.tellings[0].fetched_at.isoformat() == "2024-05-12T10:00:00+00:00"
        assert part("api.games.get_game").sync(game.id, client=client).moves == "e2e4 e7e5"
        assert (
            part("api.games.get_game_pgn").sync(game.id, client=client).payload.read().startswith(b"[Event")
        )
        assert [
            one.name for one in part("api.players.list_players").sync(client=client, q="ros mar").items
        ] == ["Rossi, Mario"]
        assert part("api.me.list_my_games").sync(client=client).items[0].mine.value == "white"
        assert part("api.daemon.list_syncs").sync(client=client).items[0].outcome == models.RoundOutcome.DONE
        assert part("api.dossiers.list_dossiers").sync(client=client).items[0].slug == "giulia-bianchi"
        assert part("api.quarantine.list_quarantine").sync(client=client).items[0].first_seen.year == 2024
        assert part("api.games.get_game").sync(99, client=client).detail == "There is no game 99."
