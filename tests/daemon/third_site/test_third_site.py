"""A site is one folder among the fetchers and one entry in `core.sites`: the program does the rest."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.daemon.installation import PATIENCE, Installation
from tests.daemon.third_site.emulated_site import PlayChessSite, emulated

_ROOT = Path(__file__).parents[3]
_PROGRAM = Path(__file__).with_name("program.py")
_MOVES = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6"
ACCOUNT = "playchess:mrossi90"


def pgn(white: str, black: str, moves: str = _MOVES) -> str:
    """A game as the site writes it."""
    return f'[Event "Rated game"]\n[White "{white}"]\n[Black "{black}"]\n[Result "1-0"]\n[TimeControl "600"]\n\n{moves} 1-0\n'


class Program:
    """An installation of the program that knows the third site."""

    def __init__(self, folder: Path, url: str) -> None:
        self.installed = Installation(folder)
        self.installed.configure(
            mine=[ACCOUNT.replace("mrossi90", "MRossi90")], extra=f'[sites.playchess]\nbase_url = "{url}"\n'
        )

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """One command, to its end."""
        return subprocess.run(
            self._command(*arguments),
            capture_output=True,
            text=True,
            timeout=PATIENCE * 2,
            check=False,
            env=self._environment(),
        )

    def json(self, *arguments: str) -> Any:
        """What one command prints with --json."""
        ended = self.run(*arguments, "--json")
        assert ended.stdout, ended.stderr
        return json.loads(ended.stdout)

    @contextmanager
    def daemon(self) -> Iterator[Installation]:
        """The daemon while it runs."""
        with (
            self.installed.log.open("a") as log,
            subprocess.Popen(
                self._command("run"), stdout=log, stderr=log, env=self._environment()
            ) as process,
        ):
            try:
                self.installed.until(lambda: self.installed.get("health"))
                yield self.installed
            finally:
                process.send_signal(signal.SIGTERM)
                code = process.wait(PATIENCE)
        assert code == 0, self.installed.log.read_text()

    def _command(self, *arguments: str) -> Sequence[str | Path]:
        return [sys.executable, _PROGRAM, *arguments, "--config", self.installed.file]

    def _environment(self) -> dict[str, str]:
        return os.environ | {"PYTHONPATH": os.pathsep.join([str(_ROOT), *filter(None, sys.path)])}


@pytest.fixture(name="site")
def _site() -> PlayChessSite:
    site = PlayChessSite()
    site.games = {"1": pgn("mrossi90", "BianchiL"), "2": pgn("Verdi_G", "mrossi90", "1. d4 d5")}
    return site


def test_a_third_site(site: PlayChessSite, tmp_path: Path) -> None:
    """It is downloaded from, its games are listed as the user's, classed in its words, exported with their address, and it is left alone after a 429."""
    with emulated(site) as (url, log):
        program = Program(tmp_path, url)
        assert program.run("check-config").returncode == 0

        (synced,) = program.json("sync")["items"]
        assert (synced["account"], synced["outcome"], synced["new"]) == (ACCOUNT, "done", 2)
        site.games["3"] = pgn("mrossi90", "Neri", "1. c4 c5")
        site.games["4"] = pgn("mrossi90", "Neri", "1. c4 Ke4")
        (again,) = program.json("sync")["items"]
        assert (again["new"], again["quarantined"]) == (1, 1)

        games = program.json("games", "--source", "play.example", "--mine")["items"]
        assert sorted(game["white"]["name"] for game in games) == ["Verdi_G", "mrossi90", "mrossi90"]
        assert {game["time_class"] for game in games} == {"blitz"}
        assert program.run("export", "--output", str(tmp_path / "all.pgn")).returncode == 0
        assert '[GameUrl "https://play.example/games/3"]' in (tmp_path / "all.pgn").read_text()

        site.busy = True
        (refused,) = program.json("sync")["items"]
        asked = len(log.requests)
        (waiting,) = program.json("sync")["items"]
        assert (refused["outcome"], waiting["outcome"]) == ("rate_limited", "rate_limited")
        assert len(log.requests) == asked
        assert log.violations == []


def test_a_daemon_with_a_third_site(site: PlayChessSite, tmp_path: Path) -> None:
    """It asks the site when it is due and shows it in its API, with its accounts, its state and its games."""
    with emulated(site) as (url, _):
        program = Program(tmp_path, url)
        with program.daemon() as daemon:
            account = daemon.until(lambda: _asked(daemon.get("status")))
            assert (account["account"], account["site"], account["state"]) == (ACCOUNT, "playchess", "active")
            assert (account["every"], account["games"], account["mine"]) == (7200, 2, True)
            assert account["next_due"] > account["last_success"]
            assert [one["site"] for one in daemon.get("status")["sites"]] == ["playchess"]
            assert len(daemon.get("games?source=playchess")["items"]) == 2
            assert {game["mine"] for game in daemon.get("me/games")["items"]} == {"white", "black"}


def _asked(status: Any) -> Any:
    """The only account, once it was asked."""
    (account,) = status["accounts"]
    return account if account["last_success"] else None


@pytest.mark.parametrize(
    ("extra", "problem"),
    [
        ("every = 10", "every"),
        ('every = "10s"', "every is too short for the public playchess"),
        ('tokn_file = "x"', "did you mean token_file?"),
    ],
)
def test_a_third_sites_configuration(tmp_path: Path, extra: str, problem: str) -> None:
    """Its table has the keys of every site's, and mistakes in it are found with their line."""
    program = Program(tmp_path, "http://127.0.0.1:1")
    text = program.installed.file.read_text()
    program.installed.file.write_text(text.replace('base_url = "http://127.0.0.1:1"\n\n', f"{extra}\n"))
    ended = program.run("check-config")
    assert ended.returncode == 78
    assert problem in ended.stderr + ended.stdout
    line = 1 + program.installed.file.read_text().splitlines().index(extra)
    assert f"gamekeeper.toml:{line}:" in ended.stderr + ended.stdout


def test_a_third_sites_pages(tmp_path: Path) -> None:
    """The address of an account's page names the account; the site's name is offered for one that is misspelt."""
    program = Program(tmp_path, "http://127.0.0.1:1")
    text = program.installed.file.read_text()
    program.installed.file.write_text(
        text.replace("playchess:MRossi90", "https://play.example/players/MRossi90")
    )
    assert program.run("check-config").returncode == 0
    program.installed.file.write_text(text.replace("playchess:MRossi90", "playches:MRossi90"))
    assert "did you mean playchess?" in program.run("check-config").stderr
