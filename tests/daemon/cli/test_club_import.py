"""gamekeeper club import: what it shows, asks and writes."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from daemon.cli import main
from tests.core.club.trf_files import SMALL

CONFIG = '[daemon]\ndata_dir = "data"\ncontact = "test@example.org"\n[me]\nfirst_name = "Mario"\nlast_name = "Rossi"\n'


@pytest.fixture(name="run")
def _run(tmp_path, monkeypatch):
    """Run a club command in a folder with a configuration and the small report, open.trf."""
    monkeypatch.chdir(tmp_path)
    Path("gamekeeper.toml").write_text(CONFIG)
    Path("open.trf").write_bytes(SMALL.encode())
    return lambda *args, **more: CliRunner().invoke(main, ["club", *args], **more)


def test_what_would_be_founded_is_shown_before(run):
    """Name, place, days, counts, system and notes; a no or --dry-run writes nothing."""
    shown = run("import", "open.trf", "--dry-run").stdout.splitlines()
    assert shown[0] == "Open of Nowhere, Nowhere, ITA, 2026-01-15 to 2026-01-16"
    assert shown[1] == "5 players, 2 rounds, 4 games, 3 rounds planned; table: by points"
    assert "note: teams are kept in the file and not shown" in shown
    assert run("import", "open.trf", input="n\n").exit_code == 1
    assert "no tournament yet" in run("list").stderr


def test_a_file_becomes_a_tournament_and_the_file_again(run):
    """Named after the file; standings without value numbers; the export is the file."""
    founded = run("import", "open.trf", input="y\n")
    assert founded.exit_code == 0
    assert founded.stdout.endswith("open is created; its table: gamekeeper club standings open\n")
    table = run("standings", "open", "--details").stdout
    assert table.splitlines()[1].split()[:5] == ["RANK", "NO.", "NAME", "RATING", "POINTS"]
    assert "VALUE" not in table.splitlines()[1]
    assert "round 2 half-point bye" in table
    assert "round 1 loss against no. 1 Rossi, Mario 0 points" in table
    exported = run("export", "trf", "open", "-o", "again.trf")
    assert exported.exit_code == 0
    assert Path("again.trf").read_bytes() == SMALL.encode()
    assert (
        "Open of Nowhere is imported from open.trf: 5 players, 2 rounds, 4 games" in run("log", "open").stdout
    )


def test_as_json(run):
    """The plan with --dry-run, else the tournament."""
    planned = json.loads(run("import", "open.trf", "--dry-run", "--json").stdout)
    assert (planned["kind"], planned["players"], planned["rounds"], planned["games"]) == ("points", 5, 2, 4)
    founded = json.loads(run("import", "open.trf", "--short", "Open 26", "--yes", "--json").stdout)
    assert (founded["slug"], founded["kind"], founded["rounds_complete"]) == ("open-26", "points", 2)
    assert founded["members"][4]["rating"] is None


def test_from_standard_input(run):
    """It needs a short name."""
    assert "--short" in run("import", "-", "--yes", input=SMALL).stderr
    assert run("import", "-", "--short", "piped", "--yes", input=SMALL).exit_code == 0


def test_pages_of_a_table_by_points(run):
    """Cross table, HTML and CSV are made of it as of any other; a turnering.txt, too."""
    run("import", "open.trf", "--yes")
    for kind in ("html", "csv"):
        assert run("export", kind, "open").exit_code == 0, kind
    assert run("crosstable", "open").exit_code == 0
    assert run("export", "csv", "open", "--pairings").exit_code == 0
    assert run("members", "list", "open").exit_code == 0
    assert run("settings", "open").exit_code == 0
