"""docs/club.md: a director can do all that it says."""

import re
import shlex
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from core.club.tie_breaks import PLAIN_WORDS
from core.game import PartialDate
from daemon.archive.archive import open_archive
from daemon.cli import main
from daemon.cli.club import COMMANDS
from tests.daemon.seeding import downloaded, follow, online
from tests.docs.settings import PRESET_LINES, TABLE, presets, table

pytestmark = pytest.mark.slow

TEXT = (Path(__file__).parents[2] / "docs/club.md").read_text()
CONFIG = '[daemon]\ndata_dir = "data"\ncontact = "test@example.org"\n[me]\nfirst_name = "Mario"\nlast_name = "Rossi"\n'


def blocks(kind: str) -> list[str]:
    """The blocks of the document that are of this kind."""
    found = re.findall(r"^```(\w*)\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    return [text for its, text in found if its == kind]


def commands() -> list[list[str]]:
    """Every command of the document, in its order."""
    return [shlex.split(line) for block in blocks("") for line in block.splitlines()]


def _a_game_online() -> None:
    """What the daemon would have downloaded on the first evening."""
    began = datetime(2026, 11, 3, 20, 5).astimezone()
    game = online("mrossi90", "LauraBianchi", "abcdefgh", started_at=began, time_class="blitz")
    with open_archive(Path("data/gamekeeper.sqlite")) as archive:
        account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
        downloaded(archive, account, [replace(game, date=PartialDate.parse("2026.11.03"))])


def test_every_command_works_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after another, from the founding to the files, each without a problem; what is asked is answered with yes."""
    monkeypatch.chdir(tmp_path)
    Path("gamekeeper.toml").write_text(CONFIG)
    (members,) = blocks("csv")
    Path("members.csv").write_text(members)
    (rating_list,) = blocks("text")
    Path("rating-list.csv").write_text(rating_list)
    (report,) = blocks("trf")
    Path("open.trf").write_text(report)
    printed = ""
    for program, *arguments in commands():
        assert program == "gamekeeper"
        if "collect" in arguments:
            _a_game_online()
        result = CliRunner().invoke(main, arguments, input="y\n")
        assert result.exit_code == 0, (arguments, result.output)
        printed += result.output
    assert "mrossi90 – LauraBianchi" in printed
    assert "the table after round 1 is complete" in printed
    assert Path("vm26-round-1.html").exists()
    assert "[Haruno][Ichiro]JP 3 Dan[2+(-2p)][2] 3" in Path("shogi26-turnering.txt").read_text()
    assert printed.splitlines()[-1].split() == [
        "vm26",
        "Club",
        "championship",
        "2026",
        "8",
        "1",
        "of",
        "9",
        "round",
        "2",
    ]


def test_every_command_is_told() -> None:
    """The document names all commands of `gamekeeper club`."""
    described = {arguments[2] for arguments in commands()}
    assert described == set(COMMANDS)


def test_every_tie_break_is_told() -> None:
    """The table of tie-breaks has each code of FIDE's."""
    rows = re.findall(r"^\| (`[A-Z/0-9`, ]+`) \|", TEXT, re.MULTILINE)
    assert set(re.findall(r"`([A-Z/0-9]+)`", " ".join(rows))) == set(PLAIN_WORDS)


def test_every_setting_is_explained_with_its_usual_value() -> None:
    """The table of settings is what the settings say of themselves."""
    (found,) = TABLE.findall(TEXT)
    assert found == table(), "write it again: make commands"


def test_every_preset_is_told() -> None:
    """The kinds of clubs are those that `new --preset` takes, with their settings."""
    (found,) = PRESET_LINES.findall(TEXT)
    assert found == presets(), "write it again: make commands"
