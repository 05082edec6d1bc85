"""The tables of all commands on terminals of 60, 80 and 120 columns, and in a pipe."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from rich.cells import cell_len

from daemon.archive.archive import Archive
from daemon.archive.games.counts import Counts
from daemon.archive.games.quarantine import QuarantineItem, put
from daemon.cli.columns import Column, Shown
from daemon.cli.output import print_table
from tests.daemon.cli.conftest import configured, filling, runner
from tests.daemon.cli.terminal import Terminal, plain
from tests.daemon.made_up import RUY, otb
from tests.daemon.seeding import NOW, downloaded, fill, follow, online

Run = Callable[..., Result]
LONG = "Österreichische Vereinsmeisterschaft der Senioren und Veteranen, Gruppe B"
MEMBERS = """name,rating,category,handles
"Rossi, Mario",1800,,lichess:mrossi90
"Bianchi-Ferraresi, Laura Maria",1750,U18,lichess:laurabianchi
"Neri, Anna",1700,,
"O'Neill, Zoë",1600,,
"""
TABLES = {
    ("search", "a"): "ID",
    ("games",): "WHITE",
    ("games", "--mine"): "OUTCOME",
    ("status",): "NEXT DUE",
    ("dossier", "list"): "SLUG",
    ("dossier", "show", "giulia-bianchi"): "OUTCOME",
    ("dossier", "check", "--offline"): "STATE",
    ("quarantine", "list"): "REASON",
    ("edits",): "BEFORE",
    ("doubles",): "REASON",
    ("doubles", "show", "1"): "TOLD BY",
    ("club", "list"): "TOURNAMENT",
    ("club", "members", "list", "vm"): "NOTE",
    ("club", "standings", "vm"): "POINTS",
    ("club", "crosstable", "vm"): "NAME",
    ("club", "log", "vm"): "COMMAND",
    ("club", "result", "vm"): "BOARD",
}
"""Commands that print a table, and a title of it in a pipe."""


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation with something to show in every table, long names among it: these tests read it."""
    folder = tmp_path_factory.mktemp("full")
    path = configured(folder)
    run = runner(path)
    with filling(path) as archive:
        accounts = follow(archive, ["lichess:mrossi90", "lichess:gbianchi"])
        game = online(
            "mrossi90", "GBianchi", "longone1", event=LONG, time_class="blitz", moves=("d2d4", "d7d5")
        )
        downloaded(archive, accounts["lichess:mrossi90"], [game])
        file = filled_file(archive, folder / "a" / "long" / "way" / "down" / "club-championship-2024.pgn")
        reason = f"illegal move 'e5' in {LONG}"
        with archive.writing() as connection:
            put(connection, [QuarantineItem(source=file, raw=b"1. e5 1-0\n", reason=reason)], NOW)
    run("edit", "game", "2", "--event", LONG)
    (folder / "members.csv").write_text(MEMBERS)
    run("club", "new", LONG, "--short", "vm", "--rounds", "3")
    run("club", "members", "import", "vm", str(folder / "members.csv"))
    run("club", "pair", "vm")
    run("club", "result", "vm", "1", "1-0", "2", "1/2")
    return path


@pytest.fixture(name="run", scope="module")
def _run(config: Path) -> Run:
    return runner(config)


def filled_file(archive: Archive, path: Path) -> str:
    """Two games in a file that differ in their last move alone."""
    fill(archive, [otb(), otb(moves=f"{RUY} a6")], str(path))
    return str(path)


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_every_table_fits(config: Path, terminal: Terminal, columns: int) -> None:
    """No line is wider than the terminal, whatever is in the archive."""
    terminal.resize(columns)
    for command in TABLES:
        printed = terminal.run("--config", str(config), *command)
        assert printed, (command, terminal.errors)
        # Where the archive is has to stay in one piece: the terminal breaks that line.
        lines = [line for line in printed.splitlines() if not line.startswith("archive ")]
        widest = max(lines, key=cell_len)
        assert cell_len(widest) <= columns, f"{command}: {widest!r}"
        assert len(printed.splitlines()) > 1, command


def test_a_pipe_gets_all_columns(run: Run) -> None:
    """In a pipe nothing is cut, no column is missing, and nothing is coloured."""
    for command, title in TABLES.items():
        printed = run(*command).stdout
        assert title in printed, command
        assert "…" not in printed
        assert "\x1b" not in printed
    assert LONG in run("games").stdout
    assert "https://lichess.example/longone1" in run("games").stdout
    assert "club-championship-2024.pgn" in run("quarantine", "list").stdout


def test_times_in_a_pipe_are_whole(run: Run) -> None:
    """RFC 3339 in UTC, as the API has them; a terminal says how far away they are."""
    assert "Z  member" in run("club", "log", "vm").stdout


def test_a_terminal_says_how_far_away_a_time_is(config: Path, terminal: Terminal) -> None:
    """What was just done was done now."""
    assert " now " in terminal.run("--config", str(config), "club", "log", "vm")


def test_columns_leave_in_their_order(config: Path, terminal: Terminal) -> None:
    """Of games the site leaves last, the time class first; players and results stay."""
    terminal.resize(60)
    titles = terminal.run("--config", str(config), "games", "--mine").splitlines()[0].split()
    assert titles[:5] == ["id", "date", "white", "black", "result"]
    assert "class" not in titles
    terminal.resize(200)
    assert "time class" in terminal.run("--config", str(config), "games", "--mine")


def test_a_very_narrow_terminal_gets_records(config: Path, terminal: Terminal) -> None:
    """Where not even the columns that stay have room, each row is a list of named values, and nothing is cut."""
    terminal.resize(30)
    lines = terminal.run("--config", str(config), "games").splitlines()
    assert "white" in lines[2].split()
    assert all(cell_len(line) <= 30 for line in lines)
    assert "Senioren und" in "\n".join(lines)


def test_what_others_wrote_is_no_markup(config: Path, terminal: Terminal) -> None:
    """A bracket in a name is shown, a control sequence steers nothing."""
    terminal.resize(200)
    text = terminal.run("--config", str(config), "games")
    assert "[bold]Verdi, Luca" in text
    assert "\x1b[31m" not in text


def test_colours(monkeypatch: pytest.MonkeyPatch, config: Path) -> None:
    """What went well is green and what did not is red; with NO_COLOR, or in a pipe, nothing is."""
    arguments = ("--config", str(config), "games", "--mine")
    coloured = Terminal(monkeypatch, 120, colours=True).run(*arguments)
    assert "\x1b[32mwon" in coloured
    bare = Terminal(monkeypatch, 120).run(*arguments)
    assert "\x1b" not in bare
    assert bare.split() == plain(coloured).split()


def test_a_terminal_shows_what_is_short(terminal: Terminal) -> None:
    """A value may have a short form for the terminal; a sentence goes on in further lines instead of being cut."""
    sentence = "the site did not answer, and will be asked again in an hour or so"
    rows = [(Shown("https://lichess.org/abcdefgh", "lichess"), sentence)]
    terminal.resize(40)
    printed = terminal.shows(lambda: print_table(("site", Column("why", wraps=True)), rows))
    assert "https" not in printed
    assert " ".join(printed.split()).removeprefix("site why lichess ") == sentence


def test_the_table_of_a_sync_fits(terminal: Terminal) -> None:
    """What is zero for every account leaves first."""
    from daemon.cli.sync import print_reports
    from daemon.sync.pacing import RoundEnd
    from daemon.sync.sync_round import Report

    counts = dataclasses.replace(Counts(), read=12_345, new=12_000, unchanged=345)
    report = Report("chesscom:a-rather-long-handle", RoundEnd.DONE, counts, None, 0.0)
    for columns in (60, 80, 120):
        terminal.resize(columns)
        lines = terminal.shows(lambda: print_reports([report])).splitlines()
        assert all(cell_len(line) <= columns for line in lines), lines
        assert "12345" in lines[1]
    assert "quarantined" in lines[0]


def test_ids_that_became_one_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    """After the table: which accounts brought games that are equal to others of their site, and how many."""
    from daemon.cli.context import Context
    from daemon.cli.sync import _print_reports
    from daemon.sync.pacing import RoundEnd
    from daemon.sync.sync_round import Report

    reports = [
        Report(
            "chesscom:rossi-mario", RoundEnd.DONE, Counts(read=90, new=36, added=54, collapsed=54), None, 0
        ),
        Report("lichess:mrossi90", RoundEnd.DONE, Counts(read=1, new=1), None, 0),
        Report("lichess:gbianchi", RoundEnd.DONE, Counts(read=1, added=1, collapsed=1), None, 0),
    ]
    _print_reports(Context(), reports)
    output = capsys.readouterr().out
    assert "chesscom:rossi-mario: 54 games are equal to another one of the site" in output
    assert "lichess:gbianchi: 1 game is equal" in output
    assert output.count("with another id") == 2
