"""game, games: one game whole; how much of the list a terminal gets."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from daemon.archive.archive import Archive
from daemon.archive.reading import shapes
from tests.daemon.cli.terminal import Terminal
from tests.daemon.cli.test_reading_commands import of
from tests.daemon.installation import COMMAND, PATIENCE
from tests.daemon.made_up import lichess
from tests.daemon.seeding import downloaded, fill, follow, game_between

Run = Callable[..., Result]

OPENING = "C20 King's Pawn Game: Wayward Queen Attack (by the moves)"
PGN = b"""[Event "Open"]
[Site "Torino"]
[Date "2024.05.12"]
[Round "3"]
[White "Rossi, Mario"]
[Black "Bianchi, Giulia"]
[Result "1-0"]
[WhiteElo "2011"]
[BlackTitle "WFM"]
[ECO "C20"]
[Board "7"]

1. e4 e5 {a comment} 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0
"""


@pytest.fixture(name="played")
def _played(filled: Archive) -> int:
    """The id of a game in a file."""
    from core.pgn.reader import read

    game: Any
    [game] = read(PGN)
    fill(filled, [game], "/home/mario/chess/open.pgn")
    return 6


def test_a_game_for_people(run: Run, played: int) -> None:
    """Players, what is known, who tells of it, the moves in SAN; each once."""
    output = run("game", str(played)).stdout
    lines = output.splitlines()
    assert lines[0] == "Rossi, Mario (2011) – WFM Bianchi, Giulia  1-0"
    facts = {line.split()[0]: line.split(maxsplit=1)[1] for line in lines[2:9]}
    assert (facts["event"], facts["round"], facts["opening"], facts["Board"]) == ("Open", "3", OPENING, "7")
    assert "/home/mario/chess/open.pgn" in output
    assert lines[-1] == "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0"
    assert output.count("WFM") == 1


def test_what_is_odd_and_what_is_gone(run: Run, tmp_path: Path) -> None:
    """A telling's oddities stand below the tellings, and one that is no longer in its file says so."""
    file = tmp_path / "odd.pgn"
    file.write_text('[White "Neri, Anna"]\n[Black "Conti, Ugo"]\n[Result "1-0"]\n\n1. e4 e5 0-1\n')
    run("import", str(file))
    [found] = of(run("games", "--json", "neri"))["items"]
    output = run("game", str(found["id"])).stdout
    assert output.count("odd in telling 1: ") == 1, "each oddity once"
    assert "result-differs" in output
    file.write_text('[White "Neri, Anna"]\n[Black "Conti, Ugo"]\n[Result "1-0"]\n\n1. d4 d5 1-0\n')
    run("import", str(file))
    output = run("game", str(found["id"])).stdout
    assert "no longer in its file" in output
    [titles] = [line.split() for line in output.splitlines() if line.startswith("N  TOLD BY")]
    assert titles[-1] == "LEFT", "every column has a title"


def test_a_game_as_json(run: Run, played: int) -> None:
    """The API's shape of a whole game."""
    found = of(run("game", str(played), "--json"), shapes.WholeGame)
    assert (found["id"], found["tags"]["Board"]) == (played, "7")


def test_a_game_as_it_came(run: Run, played: int) -> None:
    """--pgn is the first telling byte for byte, --telling another one of it."""
    assert run("game", str(played), "--pgn").stdout_bytes.strip() == PGN.strip()
    assert run("game", str(played), "--telling", "1").stdout_bytes.strip() == PGN.strip()
    refused = run("game", str(played), "--pgn", "--telling", "2", code=2).stderr
    assert "no telling 2 (it has: 1)" in refused


def test_a_game_that_is_not_there(run: Run) -> None:
    """The message says where ids come from."""
    assert "there is no game 99 in the archive" in run("game", "99", code=2).stderr


def test_a_game_in_the_browser(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """$BROWSER gets the address of the game on its site."""
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" >{tmp_path}/asked\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    monkeypatch.setattr("webbrowser._tryorder", None)
    assert run("game", "1", "--open").stderr == "https://lichess.example/abcdefgh\n"
    assert (tmp_path / "asked").read_text() == "https://lichess.example/abcdefgh"


def test_a_browser_goes_to_pages_only(run: Run, filled: Archive) -> None:
    """What a file gives as an address may be anything: only http and https are opened."""
    fill(filled, [game_between("A b", "C d", "2020.01.01", url="file:///etc/passwd")])
    assert "no telling of it names a page" in run("game", "6", "--open", code=1).stderr


def test_moves_are_broken_into_lines(config: Path, filled: Archive, terminal: Terminal) -> None:
    """On a terminal no line is longer than it."""
    moves = ("g1f3", "g8f6", "f3g1", "f6g8") * 12
    fill(filled, [game_between("A b", "C d", "2020.01.01", moves=moves)])
    terminal.resize(60)
    lines = terminal.run("--config", str(config), "game", "6").splitlines()
    assert all(len(line) <= 60 for line in lines)
    assert lines[-1].endswith("1-0")


def many(archive: Archive, count: int) -> None:
    """So many games of one player."""
    fill(
        archive,
        [
            game_between("Neri, Anna", f"Gast, Nr{n}", f"19{n // 12:02}.{n % 12 + 1:02}.01")
            for n in range(count)
        ],
    )


def test_a_terminal_gets_fifty_games(config: Path, filled: Archive, terminal: Terminal) -> None:
    """The first ones, and a last line that says how to see more; with --limit as many as that."""
    many(filled, 60)
    arguments = ("--config", str(config), "games")
    assert len(terminal.run(*arguments).splitlines()) == 51
    assert terminal.errors == "these are the first 50: --all prints all, --limit N so many\n"
    assert len(terminal.run(*arguments, "--limit", "55").splitlines()) == 56
    assert terminal.errors == ""


def test_a_terminal_gets_all_in_a_pager(config: Path, filled: Archive) -> None:
    """--all goes through $PAGER, which counts the lines here."""
    many(filled, 60)
    ours, theirs = os.openpty()
    command: list[Any] = [COMMAND, "--config", str(config), "games", "--all"]
    environment = {**os.environ, "PAGER": "wc -l", "TERM": "xterm"}
    subprocess.run(command, stdin=theirs, stdout=theirs, env=environment, check=True, timeout=PATIENCE)
    os.close(theirs)
    with os.fdopen(ours, "rb", buffering=0) as screen:
        # The titles, 65 games, and the blank line that click puts after them.
        assert screen.read(100).split() == [b"67"]


def test_a_pipe_gets_all(run: Run, filled: Archive) -> None:
    """Without --limit nothing is left out in a pipe or as JSON."""
    many(filled, 60)
    assert len(run("games").stdout.splitlines()) == 66
    assert len(of(run("games", "--json"))["items"]) == 65
    assert len(run("games", "--all").stdout.splitlines()) == 66
    assert "exclude each other" in run("games", "--all", "--limit", "3", code=2).stderr


def test_several_ids_of_a_site(run: Run, filled: Archive) -> None:
    """A game that the site has twice, with ids of their own, says so."""
    account = follow(filled, ["lichess:mrossi90"])["lichess:mrossi90"]
    twice = [lichess(own, Date="2031.01.01") for own in ("Twice001", "Twice002")]
    one, other = (one.game_id for one in downloaded(filled, account, twice).outcomes)
    assert one == other
    assert "2 ids of lichess are this one game" in run("game", str(one)).stdout
