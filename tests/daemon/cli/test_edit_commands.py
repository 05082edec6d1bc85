"""edit and edits: what a user is shown, asked and told."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from pydantic import TypeAdapter

from daemon.archive.archive import open_archive
from daemon.archive.reading import shapes
from daemon.cli import main
from tests.daemon.made_up import ITALIAN, otb
from tests.daemon.seeding import fill

Run = Callable[..., Result]


@pytest.fixture(name="run")
def _run(tmp_path: Path, sqlite_template: Path) -> Run:
    """The command over an archive of four games, two of them of Rossi, M."""
    path = tmp_path / "gamekeeper.toml"
    path.write_text('[daemon]\ndata_dir = "data"\ncontact = "test@example.org"\n')
    (tmp_path / "data").mkdir()
    with open_archive(shutil.copy(sqlite_template, tmp_path / "data" / "gamekeeper.sqlite")) as archive:
        fill(
            archive,
            [
                otb("Rossi, M."),
                otb("Rossi, M.", moves=ITALIAN, Event="Open"),
                otb("Rossi, Mario"),
                otb("Verdi, Luca \x1b[31m", Event="Open"),
            ],
        )

    def run(*arguments: str, code: int = 0, typed: str = "") -> Result:
        result = CliRunner().invoke(main, ["--config", str(path), *arguments], input=typed)
        assert result.exit_code == code, result.output
        return result

    return run


def of(result: Result) -> Any:
    return json.loads(result.stdout)


def white_of(run: Run, number: int) -> str:
    found = of(run("--json", "games"))["items"]
    return next(one["white"]["name"] for one in found if one["id"] == number)


def test_a_game(run: Run) -> None:
    """Fields of a game are edited at once; what happened and the way back are told."""
    result = run("edit", "game", "2", "--date", "2024.5.13", "--white-team", "Torino", "--event", "")
    assert result.stdout.splitlines() == [
        "1 game was edited",
        "edits 1 to 3; undo with: gamekeeper edits undo 1 --batch",
    ]
    found = next(one for one in of(run("--json", "games"))["items"] if one["id"] == 2)
    assert (found["date"], found["white"]["team"], found["event"]) == ("2024.05.13", "Torino", None)
    assert run("edit", "game", "2", "--date", "2024-05-13").stdout == "nothing to change\n"


def test_games_that_become_one(run: Run) -> None:
    """That two games are one now is told, and how they come apart again."""
    lines = run("edit", "game", "1", "--white", "mario rossi").stdout.splitlines()
    assert lines == [
        "1 game was edited",
        "1 game went from Rossi, M. to Rossi, Mario",
        "game 3 became one with game 1",
        "edit 1; undo with: gamekeeper edits undo 1",
    ]
    assert len(of(run("--json", "games"))["items"]) == 3
    assert run("edits", "undo", "1").stdout == "undone: 1\n"
    assert len(of(run("--json", "games"))["items"]) == 4


def test_wrong_use(run: Run) -> None:
    """What cannot be is refused with what would do: 2 for a wrong command line, 1 for what is not there."""
    assert "one of 1-0, 0-1" in run("edit", "game", "1", "--result", "2-0", code=2).stderr
    assert "one of ultraBullet, bullet" in run("edit", "game", "1", "--time-class", "foo", code=2).stderr
    assert "--date 2024.05.12" in run("edit", "game", "1", code=2).stderr
    assert "gamekeeper games" in run("edit", "game", "9", "--event", "x", code=1).stderr
    assert "gamekeeper search" in run("edit", "player", "9", "--name", "x", code=1).stderr
    assert "--player OLD" in run("edit", "games", "--to", "x", code=2).stderr
    assert "gamekeeper edits" in run("edits", "undo", "1", code=1).stderr


def test_a_player(run: Run) -> None:
    """Another spelling is how they are shown; another player's name moves their games, and asks first."""
    assert run("edit", "player", "1", "--name", "M. Rossi").stdout.splitlines()[0] == (
        "Rossi, M. is shown as M. Rossi"
    )
    refused = run("edit", "player", "1", "--name", "Rossi, Mario", code=1, typed="n\n")
    assert "2 games will go from M. Rossi to Rossi, Mario" in refused.stdout
    assert white_of(run, 2) == "M. Rossi"
    run("edit", "player", "1", "--name", "Rossi, Mario", "--yes")
    assert white_of(run, 2) == "Rossi, Mario"


def test_many_games(run: Run) -> None:
    """What will happen is shown, and nothing is done without a yes."""
    edit = ("edit", "games", "--player", "m rossi", "--to", "Rossi, Mario")
    refused = run(*edit, code=1, typed="\n")
    assert refused.stdout.splitlines() == [
        "2 games will be edited",
        "2 games will go from Rossi, M. to Rossi, Mario",
        "game 3 will become one with game 1",
    ]
    assert len(of(run("--json", "games"))["items"]) == 4
    assert run("edits", "--json").stdout.strip() == '{\n  "items": [],\n  "next": null\n}'
    done = run(*edit, typed="y\n").stdout.splitlines()
    assert done[-1] == "edits 1 to 2; undo with: gamekeeper edits undo 1 --batch"
    assert len(of(run("--json", "games"))["items"]) == 3


def test_only_some_games(run: Run) -> None:
    """QUERY and the options of `games` say in which games; with --json and without --yes it is only shown."""
    edit = ("--json", "edit", "games", "open", "--white", "Rossi, M.", "--to", "Rossi, Marco")
    seen = of(run(*edit))
    assert (seen["preview"], seen["games"], seen["edits"]) == (True, [2], [])
    assert seen["moved"] == [{"before": "Rossi, M.", "after": "Rossi, Marco", "new": True, "games": 1}]
    assert white_of(run, 2) == "Rossi, M."
    assert of(run(*edit, "--yes"))["edits"] == [1]
    assert (white_of(run, 1), white_of(run, 2)) == ("Rossi, M.", "Rossi, Marco")
    late = ("--from", "2025", "--until", "2026")
    assert run("edit", "games", "--player", "Rossi, M.", "--to", "x", *late).stdout == "nothing to change\n"


def test_the_list(run: Run) -> None:
    """Edits are listed newest first, undone ones too; names cannot steer the terminal."""
    assert run("edits").stderr == "nothing was edited\n"
    run("edit", "game", "4", "--white", "Neri, Anna", "--round", "7")
    run("edit", "player", "2", "--name", "Gina Bianchi")
    run("edits", "undo", "2")
    found = of(run("edits", "--json"))
    TypeAdapter(shapes.Page[shapes.Edit]).validate_python(found, strict=True)
    assert [(one["id"], one["batch"], one["kind"], one["undone_at"] is None) for one in found["items"]] == [
        (3, 3, "player", True),
        (2, 1, "game", False),
        (1, 1, "game", True),
    ]
    text = run("edits", "--limit", "3").stdout
    assert "\x1b" not in text
    assert [line.split()[0] for line in text.splitlines()] == ["ID", "3", "2", "1"]
    assert "undone already" in run("edits", "undo", "2", code=1).stderr
    assert of(run("edits", "undo", "1", "--batch", "--json")) == {"undone": [1]}
