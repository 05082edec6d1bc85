"""doubles: what a user is shown, asked and told."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from pydantic import TypeAdapter

from core.game import Side
from daemon.archive.archive import open_archive
from daemon.archive.reading import shapes
from daemon.cli import main
from tests.daemon.made_up import RUY, lichess, otb
from tests.daemon.seeding import downloaded, fill, follow

Run = Callable[..., Result]


@pytest.fixture(name="run")
def _run(tmp_path: Path, sqlite_template: Path) -> Run:
    """The command over an archive with two pairs that may be one, one of them by a site's id."""
    path = tmp_path / "gamekeeper.toml"
    path.write_text('[daemon]\ndata_dir = "data"\ncontact = "test@example.org"\n')
    (tmp_path / "data").mkdir()
    with open_archive(shutil.copy(sqlite_template, tmp_path / "data" / "gamekeeper.sqlite")) as archive:
        account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
        downloaded(archive, account, [lichess()])
        named = replace(lichess(), white=Side(name="Rossi, Mario"), online=False)
        fill(archive, [named, otb(), otb(moves=f"{RUY} a6")])

    def run(*arguments: str, code: int = 0, typed: str = "") -> Result:
        result = CliRunner().invoke(main, ["--config", str(path), *arguments], input=typed)
        assert result.exit_code == code, result.output
        return result

    return run


def of(result: Result) -> Any:
    return json.loads(result.stdout)


def test_the_list(run: Run) -> None:
    """Pairs are listed with the reason, without a command of their own to look for them."""
    lines = run("doubles").stdout.splitlines()
    assert [line.split()[:4] for line in lines] == [
        ["ID", "KIND", "GAME", "OTHER"],
        ["2", "beginning", "3", "4"],
        ["1", "native_id", "1", "2"],
    ]
    assert "5 plies" in lines[1]
    found = of(run("--json", "doubles"))
    TypeAdapter(shapes.Page[shapes.Double]).validate_python(found, strict=True)
    assert of(run("doubles", "list", "--kind", "date", "--json")) == {"items": [], "next": None}
    assert run("doubles", "list", "--kind", "date").stderr == "no possible duplicates\n"


def test_one_pair(run: Run) -> None:
    """Both games are shown, with who tells them."""
    run("doubles")
    shown = run("doubles", "show", "1").stdout
    assert "Both are the game abcdefgh of lichess." in shown
    assert "club.pgn" in shown
    assert of(run("doubles", "show", "1", "--json"))["game"]["id"] == 1
    assert "no pair 9" in run("doubles", "show", "9", code=2).stderr


def test_answers(run: Run) -> None:
    """Each answer says how it is undone; what is decided is asked no more."""
    run("doubles")
    assert run("doubles", "same", "2").stdout == "noted; undo with: gamekeeper edits undo 1\n"
    assert of(run("doubles", "different", "1", "--json")) == {"edits": [2]}
    assert run("doubles").stderr == "no possible duplicates\n"
    text = run("edits").stdout
    assert "games 1 and 2 are different" in text
    assert "games 3 and 4 are same" in text
    run("edits", "undo", "1", "2")
    assert len(of(run("--json", "doubles"))["items"]) == 2
    assert "gamekeeper doubles" in run("doubles", "same", "9", code=1).stderr


def test_all_that_a_site_names(run: Run) -> None:
    """All games of files that name a download's id are accepted at once, after a yes."""
    assert len(of(run("--json", "games"))["items"]) == 4
    run("doubles", "accept-native", code=1, typed="n\n")
    assert len(of(run("--json", "games"))["items"]) == 4
    assert run("doubles", "accept-native", "--yes").stdout == "noted; undo with: gamekeeper edits undo 1\n"
    assert len(of(run("--json", "games"))["items"]) == 3
    assert of(run("--json", "doubles", "accept-native", "--yes")) == {"edits": []}
