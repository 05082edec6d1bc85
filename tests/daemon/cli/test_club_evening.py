"""gamekeeper club: a director's evening at the keyboard."""

import json
import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from pydantic import TypeAdapter

from core.game import PartialDate
from daemon.archive.archive import open_archive
from daemon.archive.reading import shapes
from daemon.club import shapes as club_shapes
from tests.daemon.cli.club_commands import Run, director
from tests.daemon.seeding import downloaded, follow, online

MEMBERS = """name,rating,category,handles
"Rossi, Mario",1800,,lichess:mrossi90
"Bianchi, Laura",1750,U18,lichess:laurabianchi
"Neri, Anna",1700,,
"Verdi, Gino",1650,U18,
"O'Neill, Zoë",1600,,
"""


@pytest.fixture(name="run")
def _run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    return director(tmp_path, monkeypatch, {"members.csv": MEMBERS})


@pytest.fixture(name="club")
def _club(run: Run) -> Run:
    """The same with a tournament of five."""
    run("new", "Club", "championship", "--short", "VM 26", "--rounds", "3")
    run("members", "import", "vm-26", "members.csv")
    return run


def of(result: Result, shape: Any) -> Any:
    """What was printed as JSON, of the API's shape."""
    value = json.loads(result.stdout)
    TypeAdapter(shape).validate_python(value, strict=True)
    return value


def test_founding(run: Run) -> None:
    """The next step is told; the list shows it; a second one is refused."""
    assert "there is no tournament yet" in run("list").stderr
    assert "gamekeeper club members add vm26 NAME RATING" in run("new", "Club", "--short", "vm26").stdout
    assert "vm26" in run("list").stdout
    assert of(run("list", "--json"), shapes.Page[club_shapes.Tournament])["items"][0]["name"] == "Club"
    assert "already" in run("new", "Club", "--short", "vm26", code=1).stderr
    one = of(run("new", "B", "--set", "bye=2/3", "--json"), club_shapes.WholeTournament)
    assert one["settings"]["bye"] == "2/3"
    assert "SETTING=VALUE" in run("new", "C", "--set", "bye", code=2).stderr
    assert "must be from 0 to 3" in run("new", "C", "--set", "bye=20", code=1).stderr


def test_no_such_tournament(run: Run) -> None:
    """Every command says so, and how to find those there are."""
    for command in ("standings", "pair", "present", "undo", "log", "collect", "result", "crosstable"):
        assert 'no tournament "x"; `gamekeeper club list`' in run(command, "x", code=1).stderr


def test_members(club: Run) -> None:
    """Listed by rating; a doubtful rating is refused; edited, withdrawn, removed."""
    rows = club("members", "list", "vm-26").stdout.splitlines()
    assert rows[1].split()[1:4] == ["Rossi,", "Mario", "1800"]
    added = club("members", "add", "vm-26", "Conti, Paola", "1800", code=1)
    assert "1799 is free" in added.stderr
    found = of(
        club("members", "add", "vm-26", "Conti, Paola", "1500", "--category", "U18", "--json"),
        shapes.Page[club_shapes.Member],
    )
    assert found["items"][0]["category"] == "U18"
    changed = club("player", "edit", "vm-26", "conti", "--rating", "1510", "--handle", "lichess:pc", "--json")
    assert of(changed, club_shapes.Member)["handles"] == ["lichess:pc"]
    assert club("player", "edit", "vm-26", "conti", "--return").stdout == "nothing has changed\n"
    assert "withdrawn  1" in club("player", "edit", "vm-26", "conti", "--withdraw").stdout
    assert "say what is to change" in club("player", "edit", "vm-26", "conti", code=2).stderr
    assert "Aborted" in club("player", "remove", "vm-26", "conti", code=1, answer="n\n").stderr
    assert club("player", "remove", "vm-26", "conti", answer="y\n").stdout.endswith(
        "Conti, Paola is removed\n"
    )
    assert len(of(club("members", "list", "vm-26", "--json"), shapes.Page[club_shapes.Member])["items"]) == 5


def test_an_evening(club: Run) -> None:
    """Flags, a pair by hand, the pairing with its reasons, results, the table, the next pairing, the way back."""
    assert "round 1: 4 of 5 are there" in club("present", "vm-26", "--excused", "neill").stdout
    club("pair", "vm-26", "--manual", "neri", "rossi", "--first-white")
    refused = club("present", "vm-26", "--unexcused", "rossi", code=1)
    assert "remove that pairing first" in refused.stderr

    paired = club("pair", "vm-26", "--date", "2026-11-03").stdout
    assert "round 1, 2026-11-03" in paired
    assert "Neri, Anna – Rossi, Mario: set by hand" in paired
    assert "set by hand; set by hand" not in paired
    assert "Bianchi, Laura – Verdi, Gino: places" in paired

    assert "Replace its pairing list? [y/N]" in club("pair", "vm-26", code=1, answer="\n").stderr
    again = of(club("pair", "vm-26", "--yes", "--json"), club_shapes.ClubRound)
    assert again["day"] == "2026-11-03"

    assert "1/2" in club("result", "vm-26", "2", "1/2").stdout
    assert (
        "board 1, Neri, Anna – Rossi, Mario is not played"
        in club("standings", "vm-26", "--round", "1").stdout
    )
    assert "there is no table after round 2" in club("standings", "vm-26", "--round", "2", code=1).stderr
    assert "the table after round 1 is complete" in club("result", "vm-26", "1", "0-1").stdout
    table = of(club("standings", "vm-26", "--json"), club_shapes.Standings)
    assert table["items"][0]["member"]["name"] == "Rossi, Mario"
    printed = club("standings", "vm-26", "--details").stdout
    assert printed.splitlines()[0] == "after round 1"
    assert "Rossi, Mario: own value" in printed
    young = club("standings", "vm-26", "--category", "u18").stdout.splitlines()[2:]
    assert [line.split()[:2] for line in young if "note:" not in line] == [["1", "2"], ["2", "3"]]
    assert "note: ranked at the end: players with at least 2 of 3 games" in young
    nobody = club("standings", "vm-26", "--category", "U8", code=1).stderr
    assert 'nobody is in the category "U8": there are U18' in nobody
    assert "1b1" in club("crosstable", "vm-26").stdout
    of(club("crosstable", "vm-26", "--json"), club_shapes.CrossTable)

    assert "round 2" in club("pair", "vm-26", "--date", "2026-11-10").stdout
    assert "Aborted" in club("undo", "vm-26", code=1, answer="n\n").stderr
    assert "the pairing list of round 2 (2 boards) is removed" in club("undo", "vm-26", answer="y\n").stdout
    shown = club("undo", "vm-26", "--show").stdout
    assert (
        "board 1, Neri, Anna – Rossi, Mario: 0-1 → no result; the table after round 1 is no longer valid"
        in shown
    )
    assert json.loads(club("undo", "vm-26", "--yes", "--json").stdout)["undone"] == "result"
    assert "no result yet: board 1" in club("result", "vm-26").stdout
    log = of(club("log", "vm-26", "--json"), shapes.Page[club_shapes.Event])["items"]
    assert (log[0]["what"], log[0]["undone"], log[1]["what"]) == ("undo", False, "undo")
    assert [one["undone"] for one in log if one["what"] == "table"] == [True]
    assert "(undone) round 1, board 1" in " ".join(club("log", "vm-26").stdout.split())
    assert json.loads(club("undo", "vm-26", "--redo", "--yes", "--json").stdout)["redone"] == "result"
    assert "the table after round 1 is complete" in club("result", "vm-26").stdout


def test_results_at_the_keyboard(club: Run) -> None:
    """Several at once; forfeits by letters; a mistake is asked about; nonsense is refused."""
    club("pair", "vm-26", "--date", "2026-11-03")
    assert "round 1" in club("result", "vm-26").stdout
    shown = of(club("result", "vm-26", "1", "1-0f", "2", "1-0", "--json"), club_shapes.ClubRound)
    assert [board["result"] for board in shown["pairings"]] == ["+-", "1-0"]
    assert "replace board 2" in club("result", "vm-26", "2", "0-1", code=1, answer="n\n").stderr
    club("result", "vm-26", "2", "0-1", "--yes")
    club("result", "vm-26", "--round", "1", "2", "-+", "--yes")
    assert "after each board" in club("result", "vm-26", "2", code=2).stderr
    assert "not a board" in club("result", "vm-26", "x", "1-0", code=2).stderr
    assert "twice" in club("result", "vm-26", "1", "1-0", "01", "0-1", code=2).stderr
    assert "not a result" in club("result", "vm-26", "1", "2-0", code=1).stderr
    assert "not paired" in club("result", "vm-26", "--round", "9", code=1).stderr


def test_by_hand(club: Run) -> None:
    """Set, shown, undone."""
    shown = club("pair", "vm-26", "--manual", "rossi", "verdi", "--bye", "neri").stdout
    assert "by hand: no. 1 Rossi, Mario – no. 4 Verdi, Gino" in shown
    assert "by hand: bye no. 3 Neri, Anna" in shown
    shown = of(
        club("pair", "vm-26", "--remove", "verdi", "rossi", "--bye", "-", "--json"), club_shapes.ClubRound
    )
    assert (shown["by_hand"], shown["bye_by_hand"]) == ([], None)


def test_who_is_there(club: Run) -> None:
    """Named or not; each reason."""
    found = json.loads(
        club("present", "vm-26", "--only", "rossi", "--only", "neri", "--rest-unexcused", "--json").stdout
    )
    assert [one["name"] for one in found["present"]] == ["Rossi, Mario", "Neri, Anna"]
    assert {one["reason"] for one in found["absent"]} == {"unexcused"}
    shown = club("present", "vm-26", "--here", "verdi", "--club-duty", "bianchi").stdout
    assert "round 1: 3 of 5 are there" in shown
    assert shown == club("present", "vm-26").stdout


def test_settings(club: Run) -> None:
    """Shown, changed, asked about once a round is paired."""
    assert "planned_rounds" in club("settings", "vm-26").stdout
    assert "loss: 0 → 1/6" in club("settings", "vm-26", "--set", "loss=1/6").stderr
    club("pair", "vm-26")
    assert (
        "All tables are made again"
        in club("settings", "vm-26", "--set", "loss=0", code=1, answer="n\n").stderr
    )
    one = of(club("settings", "vm-26", "--set", "loss=0", "--yes", "--json"), club_shapes.WholeTournament)
    assert one["settings"]["loss"] == "0"


@pytest.fixture(name="online_evening")
def _online_evening(club: Run) -> Run:
    """Round 1 with Rossi – Bianchi, who have played on lichess that evening."""
    club("present", "vm-26", "--only", "rossi", "--only", "bianchi", "--only", "neri", "--only", "verdi")
    club("pair", "vm-26", "--date", "2026-11-03", "--from", "19:30", "--to", "23:00")
    at_eight = datetime(2026, 11, 3, 20, 0).astimezone()
    with open_archive(Path("data/gamekeeper.sqlite")) as archive:
        account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
        game = online(
            "mrossi90", "LauraBianchi", "abcdefgh", started_at=at_eight, time_class="blitz", result="0-1"
        )
        downloaded(archive, account, [replace(game, date=PartialDate.parse("2026.11.03"))])
    return club


def test_collecting(online_evening: Run) -> None:
    """Shown, asked, entered; the board without a game is told, and the exit code says that it is left."""
    shown = online_evening("collect", "vm-26", code=1, answer="n\n")
    assert "mrossi90 – LauraBianchi" in shown.stdout
    assert "Enter this result? [y/N]" in shown.stderr
    assert (
        of(online_evening("result", "vm-26", "--json"), club_shapes.ClubRound)["pairings"][0]["result"]
        is None
    )
    found = json.loads(online_evening("collect", "vm-26", "--json", code=1).stdout)
    assert (found["entered"], found["proposals"][0]["result"]) == (False, "0-1")
    done = online_evening("collect", "vm-26", "--yes", code=1).stdout
    assert "board 2, Neri, Anna – Verdi, Gino: the archive has no game" in done
    board = of(online_evening("result", "vm-26", "--json"), club_shapes.ClubRound)["pairings"][0]
    assert (board["result"], board["game_id"]) == ("0-1", 1)


def test_collecting_elsewhere(online_evening: Run) -> None:
    """Another time, class or event finds nothing, or is refused."""
    for options in (("--from", "21:00"), ("--time-class", "rapid"), ("--date", "2026-11-04")):
        assert "--take" not in online_evening("collect", "vm-26", *options, code=1).stdout
        assert of(online_evening("result", "vm-26", "--json"), club_shapes.ClubRound)["results"] == 0
    assert "follows no" in online_evening("collect", "vm-26", "--event", "lichess:arena/x", code=1).stderr
    assert "two numbers" in online_evening("collect", "vm-26", "--take", "x", code=2).stderr
    assert "not a game of board 2" in online_evening("collect", "vm-26", "--take", "2=1", code=1).stderr


def test_exports(club: Run) -> None:
    """Files named after the short name; what exists is kept unless forced."""
    club("pair", "vm-26", "--date", "2026-11-03")
    club("result", "vm-26", "1", "1-0", "2", "1/2")
    names = {"html": "vm-26-round-1.html", "csv": "vm-26-standings-1.csv", "trf": "vm-26.trf"}
    for kind, name in {**names, "turnering": "vm-26-turnering.txt"}.items():
        assert club("export", kind, "vm-26").stdout == f"{name}\n"
        Path(name).write_text("mine")
        assert f"{name} exists; --force overwrites it" in club("export", kind, "vm-26", code=1).stderr
        assert Path(name).read_text() == "mine"
        club("export", kind, "vm-26", "--force")
        assert Path(name).stat().st_size > 100
    assert club("export", "csv", "vm-26", "--pairings").stdout == "vm-26-pairings-1.csv\n"
    assert "ok" in club("check", "vm-26-turnering.txt").stdout
    assert "ok" in club("check", "vm-26.trf").stdout
    assert not list(Path().glob(".*.part"))


def test_exports_elsewhere(club: Run, tmp_path: Path) -> None:
    """To a folder, a file, or standard output."""
    (tmp_path / "out").mkdir()
    assert club("export", "csv", "vm-26", "-o", "out").stdout == "out/vm-26-standings-0.csv\n"
    answer = json.loads(club("export", "csv", "vm-26", "-o", "x.csv", "--json").stdout)
    assert answer["file"] == "x.csv"
    assert "Rossi, Mario" in club("export", "csv", "vm-26", "-o", "-").stdout
    assert "no round is complete" in club("export", "trf", "vm-26", code=1).stderr
    assert "the folder no is not there" in club("export", "csv", "vm-26", "-o", "no/x.csv", code=1).stderr


def test_names_do_not_steer_the_terminal(club: Run) -> None:
    """Control characters of a name are not printed."""
    club("members", "add", "vm-26", "Evil \x1b[31m, Name", "900")
    club("pair", "vm-26")
    for command in (("members", "list"), ("pair",), ("standings",), ("log",), ("result",)):
        assert "\x1b" not in club(*command, "vm-26", *(("--yes",) if command == ("pair",) else ())).output


@pytest.fixture(name="namesakes")
def _namesakes(run: Run) -> Run:
    """Two called Meier, Hans, and two others, after a round: Meier beat Meier."""
    run("new", "Club", "--short", "vm26")
    run("members", "add", "vm26", "Meier, Hans", "1800")
    run("members", "add", "vm26", "MEIER, Hans", "1700", "--fide-id", "999001234")
    run("members", "add", "vm26", "Neri, Anna", "1600")
    run("members", "add", "vm26", "Verdi, Gino", "1500")
    run("pair", "vm26", "--manual", "1", "2", "--first-white")
    run("pair", "vm26", "--manual", "no. 3", "#4", "--first-white")
    run("pair", "vm26", "--date", "2026-11-03")
    run("result", "vm26", "1", "1-0", "2", "0-1")
    return run


def test_namesakes_are_told_apart_in_every_list(namesakes: Run) -> None:
    """The number is a column of each list, and is beside each of the two names."""
    for command in (
        ("members", "list", "vm26"),
        ("present", "vm26"),
        ("result", "vm26"),
        ("standings", "vm26"),
        ("crosstable", "vm26"),
        ("rate", "vm26", "--fide"),
        ("export", "csv", "vm26", "-o", "-"),
        ("export", "csv", "vm26", "--pairings", "-o", "-"),
    ):
        shown = namesakes(*command).stdout
        assert re.search(r"\bno\b", shown, re.IGNORECASE), command
        assert "Meier, Hans (no. 1)" in shown, command
        assert "Meier, Hans (no. 2)" in shown, command
    details = namesakes("standings", "vm26", "--details").stdout
    assert re.search(r"no\. 1 Meier, Hans: own value .* win against no\. 2 Meier, Hans", details)
    fesa = namesakes("rate", "vm26", "--fesa", "--details").stdout
    assert re.search(
        r"^no\. 2 Meier Hans.*\n +0 against no\. 1 Meier Hans, ", fesa, re.MULTILINE | re.IGNORECASE
    )
    assert {line.split()[0] for line in fesa.splitlines() if " meier hans  " in line.lower()} == {"1", "2"}
    log = namesakes("log", "vm26").stdout
    assert "Meier, Hans (no. 1) – " in log
    refused = namesakes("player", "edit", "vm26", "meier", "--withdraw", code=1).stderr
    assert "no. 1 Meier, Hans (1800); no. 2 Meier, Hans (1700): say which one by the number" in refused


def test_the_cross_table_names_opponents_by_their_numbers(namesakes: Run) -> None:
    """Each column's head is in the column "no." of the row that it means."""
    head, *rows = (line.split() for line in namesakes("crosstable", "vm26").stdout.splitlines())
    numbers = [row[1] for row in rows]
    assert head[:3] == ["RANK", "NO.", "NAME"]
    assert head[3:] == numbers
    assert numbers != sorted(numbers)
    cells = {row[1]: dict(zip(numbers, row[-4:], strict=True)) for row in rows}
    assert (cells["1"]["2"], cells["2"]["1"], cells["3"]["4"], cells["4"]["3"]) == (
        "1w1",
        "0b1",
        "0w1",
        "1b1",
    )
    assert all(cells[n][n] == "×" for n in numbers)


def test_founding_says_how_many_games_it_takes(run: Run) -> None:
    """Two thirds of the planned rounds, another number if it is given, and one at least."""
    assert "ranked at the end: players with at least 6 of 9 games" in run("new", "A", "--rounds", "9").stdout
    assert "at least 4 of 9 games" in run("new", "B", "--rounds", "9", "--set", "minimum_games=4").stdout
    assert "at least 1 of 9 games" in run("new", "C", "--rounds", "9", "--set", "minimum_games=0").stdout
    assert "--set minimum_games=NUMBER" in run("new", "D").stdout
    said = run("settings", "a", "minimum_games").stdout
    assert "two thirds of the planned rounds" in said


def test_a_game_is_played_later(club: Run) -> None:
    """Postponed with its day, listed as open, entered with its round; the next evening asks about a missing one."""
    assert "no round is paired yet" in club("rounds", "vm-26").stderr
    club("pair", "vm-26", "--date", "2026-11-03")
    assert "round 1 is being played: 4 of 5 have a game" in club("present", "vm-26").stdout
    assert (
        "--until is for postponed games"
        in club("result", "vm-26", "1", "1-0", "--until", "2026-11-08", code=2).stderr
    )
    shown = club("result", "vm-26", "1", "postponed", "--until", "2026-11-08").stdout
    assert "postponed to 2026-11-08" in shown
    assert "no result yet: board 1, board 2" in shown
    asked = club("pair", "vm-26", code=1, answer="n\n").stderr
    assert "board 2, Neri, Anna – Verdi, Gino has no result. Leave it open, and pair round 2? [y/N]" in asked
    assert (
        "set this for round 2? [y/N]"
        in club("present", "vm-26", "--excused", "rossi", code=1, answer="n\n").stderr
    )
    assert "the table after round 1 is complete without board 1" in club("result", "vm-26", "2", "1-0").stdout
    listed = club("rounds", "vm-26").stdout
    assert "round 1, board 1, Rossi, Mario – Bianchi, Laura: postponed to 2026-11-08" in listed
    (row,) = of(club("rounds", "vm-26", "--json"), shapes.Page[club_shapes.RoundSummary])["items"]
    assert (row["state"], row["boards"], row["results"], row["postponed"]) == ("complete", 2, 1, 1)
    assert "is not played yet, and worth nothing so far (postponed" in club("standings", "vm-26").stdout
    entered = club("result", "vm-26", "--round", "1", "1", "0-1").stdout
    assert entered.endswith("the table after round 1 is complete\n")


def test_rounds_of_a_member_and_reasons(club: Run) -> None:
    """From which round to which they take part; why they were absent; what is wrong is said."""
    club("present", "vm-26", "--excused", "rossi")
    club("pair", "vm-26")
    club("result", "vm-26", "1", "1-0", "2", "1-0")
    assert "has a game in round 1" in club("player", "edit", "vm-26", "neri", "--joined", "2", code=1).stderr
    assert "--withdraw --from 3" in club("player", "edit", "vm-26", "neri", "--from", "3", code=2).stderr
    club("player", "edit", "vm-26", "neri", "--withdraw", "--from", "3")
    assert "round 2: 5 of 5 are there" in club("present", "vm-26").stdout
    shown = club("present", "vm-26", "--round", "1", "--unexcused", "rossi", answer="y\n")
    assert "Round 1: Rossi, Mario excused → unexcused?" in shown.stderr
    assert "round 1 has been played: 4 of 5 had a game" in shown.stdout
    assert "only the reasons" in club("present", "vm-26", "--round", "1", "--here", "rossi", code=2).stderr
    assert "Rossi, Mario unexcused → excused" in club("undo", "vm-26", "--show").stdout
    assert "nothing to redo" in club("undo", "vm-26", "--redo", code=1).stderr
