"""gamekeeper club rate: tournaments of ours and files, by each system."""

import csv
import json
import re
from pathlib import Path

import pytest
from click.testing import Result

from tests.daemon.cli.club_commands import Run, director

MEMBERS = """name,rating
"Rossi, Mario",1850
"Bianchi, Laura",1790
"Neri, Anna",1420
"Verdi, Gino",1360
"""
REPORT = """\
012 Open
042 2026/02/20
052 2026/02/22
001    1      Rossi, Mario                      1850 ITA     1234567 1990        1.5    1  0002 w 1  0003 b =
001    2      Bianchi, Laura                    1790 ITA             2009        0.0    3  0001 b 0  0000 - Z
001    3      Neri, Anna                             ITA                         0.5    2  0000 - Z  0001 w =
"""


@pytest.fixture(name="run")
def _run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    return director(tmp_path, monkeypatch, {"members.csv": MEMBERS, "open.trf": REPORT})


@pytest.fixture(name="club")
def _club(run: Run) -> Run:
    """The same with a tournament of four, two rounds of which are complete."""
    run("new", "Club", "--short", "vm26")
    run("members", "import", "vm26", "members.csv")
    for day, results in (("2026-11-03", ("1", "1-0", "2", "1/2")), ("2026-11-10", ("1", "1-0f", "2", "0-1"))):
        run("pair", "vm26", "--date", day)
        run("result", "vm26", *results)
    return run


def rated(result: Result) -> dict[str, dict[str, object]]:
    """The players of a rating by their names."""
    return {one["name"]: one for one in json.loads(result.stdout)["players"]}


def test_a_tournament_of_ours_by_fide(club: Run) -> None:
    """The rules of its last day, each player with K and change; what was assumed is said, and a forfeit is not rated."""
    text = club("rate", "vm26", "--fide", "--details").stdout
    assert text.startswith("Club: FIDE's rating regulations B.02 as of 2025-10-01, on 2026-11-10\n")
    assert "round 1: 1 against Bianchi, Laura (1790), difference +60, expected 0.58: +8.40" in text
    assert "assumed, as it is not known: 30 rated games or more before (all)" in text
    assert "no list: the ratings of the tournament are taken for official ones" in text
    assert "note: 1 game ended by forfeit and is not rated" in text
    assert "1360 is below 1400: counts as unrated" in text


def test_estimates_are_no_ratings(club: Run) -> None:
    """Who is named with --unrated has none: the games of the others against them do not count."""
    found = rated(club("rate", "vm26", "--fide", "--unrated", "bianchi", "--unrated", "#3", "--json"))
    assert {name: one["before"] for name, one in found.items() if one["before"]} == {
        "Rossi, Mario": 1850,
        "Verdi, Gino": 1360,
    }
    assert found["Rossi, Mario"]["games"] == 0
    assert 'no member "nobody"' in club("rate", "vm26", "--fide", "--unrated", "nobody", code=1).stderr


def test_a_tournament_of_ours_by_dwz_and_fesa(club: Run) -> None:
    """Each by its own rules; without a list FESA's players are taken as established, which is said."""
    dwz = json.loads(club("rate", "vm26", "--dwz", "--json", "--details").stdout)
    assert dwz["players"][0]["rated_games"][0]["expected"] == 0.584
    assert "E 27" in dwz["players"][0]["why"]
    fesa = club("rate", "vm26", "--fesa", "--details").stdout
    assert "no list: the members' ratings are taken for established ones" in fesa
    assert "1 against no. 2 Bianchi Laura, counted as" in fesa


def test_games_with_a_handicap(club: Run) -> None:
    """No rating of chess counts them; FESA's does, by its table: who gave a rook plays against somebody stronger."""
    before = rated(club("rate", "vm26", "--fide", "--json"))
    club("handicap", "vm26", "--round", "1", "1", "r")
    text = club("rate", "vm26", "--fide").stdout
    assert "note: 1 game had a handicap and is not rated" in text
    after = rated(club("rate", "vm26", "--fide", "--json"))
    assert [after[one]["games"] for one in before] == [
        int(str(one["games"])) - (name in {"Rossi, Mario", "Bianchi, Laura"}) for name, one in before.items()
    ]
    lines = club("rate", "vm26", "--fesa", "--details").stdout.splitlines()
    line = next(one for one in lines if "against no. 2 Bianchi Laura" in one)
    assert float(line.split("counted as ")[1].split(":")[0]) > 1850


def test_two_members_of_one_name_in_fesas_list(club: Run) -> None:
    """The list has one of them: the other is to be told apart; a grade of the tournament is not a rating."""
    club("members", "add", "vm26", "Rossi, Mario", "1300", "--fide-id", "77")
    Path("list.csv").write_text("name,rating,games,grade,bonus\nRossi Mario,1700,40,1 Kyu,100\n")
    said = club("rate", "vm26", "--fesa", "--list", "list.csv", code=1).stderr
    assert 'would both be "Rossi Mario" of the list' in said
    assert "--spelled" in said


def test_a_system_has_to_be_named(club: Run) -> None:
    """A tournament of ours, or a TRF, can be rated by more than one."""
    assert "Say --fide, --dwz or --fesa" in club("rate", "vm26", code=2).stderr
    assert "Say --fide, --dwz or --fesa" in club("rate", "open.trf", code=2).stderr


def test_a_report_with_its_own_facts(run: Run) -> None:
    """Years of birth are in it, and its last day decides the rules: 17 years old is K 40."""
    found = rated(run("rate", "open.trf", "--fide", "--json"))
    assert found["Bianchi, Laura"]["coefficient"] == 40
    assert (found["Rossi, Mario"]["games"], found["Neri, Anna"]["method"]) == (1, "unrated")
    assert json.loads(run("rate", "open.trf", "--fide", "--json").stdout)["date"] == "2026-02-22"
    old = json.loads(run("rate", "open.trf", "--fide", "--json", "--date", "2023-05-01").stdout)
    assert "2022-01-01" in old["rules"]
    assert any("from memory" in note for note in old["notes"])


def test_a_dwz_is_shown_with_its_index(run: Run) -> None:
    """As everybody writes it, "1850-9", and one more afterwards; the list for the next tournament has both."""
    Path("list.csv").write_text('name,dwz,born\n"Rossi, Mario",1850-9,1990\n"Bianchi, Laura",1790,2009\n')
    text = run("rate", "open.trf", "--dwz", "--list", "list.csv", "--write", "next.csv").stdout
    assert "1850-9" in text
    assert re.search(r"18\d\d-10", text)
    assert "assumed, as it is not known: index 6 or more (Bianchi, Laura)" in text
    assert ",10," in Path("next.csv").read_text()


def test_files_of_the_wrong_kind(run: Run) -> None:
    """Each says which system fits; one that is not there is said, too."""
    Path("t.txt").write_text("[Open]\n[2024-01-06]\n1 [Rossi][Mario][2+]\n2 [Neri][Anna][1-]\n")
    assert "rate it with --fesa" in run("rate", "t.txt", "--fide", code=1).stderr
    assert (
        "--fide or --dwz rate it" in run("rate", "open.trf", "--fesa", "--list", "members.csv", code=1).stderr
    )
    assert "there is no file nothing.trf" in run("rate", "nothing.trf", "--fide", code=1).stderr
    assert 'no tournament "nothing"' in run("rate", "nothing", "--fide", code=1).stderr
    assert "--fesa needs --list" in run("rate", "t.txt", code=2).stderr
    Path("bad.trf").write_text(REPORT.replace("0001 b 0", "0001 b 1"))
    assert "correct the file first" in run("rate", "bad.trf", "--fide", code=1).stderr


def test_the_list_for_the_next_tournament(run: Run) -> None:
    """It is written once, read again, and carries the games of who is unrated yet."""
    run("rate", "open.trf", "--fide", "--write", "next.csv")
    found = {one["name"]: one for one in csv.DictReader(Path("next.csv").read_text("utf-8-sig").splitlines())}
    assert (found["Neri, Anna"]["rating"], found["Neri, Anna"]["stored"]) == ("", "(1850 0.5)")
    assert found["Bianchi, Laura"]["born"] == "2009"
    assert "--force overwrites it" in run("rate", "open.trf", "--fide", "--write", "next.csv", code=1).stderr
    again = rated(run("rate", "open.trf", "--fide", "--list", "next.csv", "--json"))
    assert again["Rossi, Mario"]["before"] == int(found["Rossi, Mario"]["rating"])
    assert again["Neri, Anna"]["why"] == ["unrated: 2 of 5 games against rated opponents"]


def test_who_is_not_in_the_list(run: Run) -> None:
    """They are named, and unrated; two of one name cannot be told apart without an id."""
    Path("list.csv").write_text('name,rating\n"Rossi, Mario",1900\n')
    text = run("rate", "open.trf", "--fide", "--list", "list.csv").stdout
    assert "not in the list, so unrated: Bianchi, Laura; Neri, Anna" in text
    Path("list.csv").write_text('name,rating\n"Neri, Anna",1900\n"Neri, Anna",1500\n')
    assert "is in the list 2 times" in run("rate", "open.trf", "--fide", "--list", "list.csv", code=1).stderr


def test_fesas_list_remembers_what_the_next_event_needs(run: Run) -> None:
    """Bonus games, stored results and games towards the next grade; who did not play stays; what is unknown stays so."""
    Path("t.txt").write_text(
        "[Open]\n[2024-01-06]\n1 [Rossi][Mario][2+ 3+]\n2 [Neri][Anna][1- 0+]\n3 [Verdi][][0+ 1-]\n"
    )
    Path("list.csv").write_text(
        "name,rating,games,grade,bonus\nRossi Mario,1700,40,1 Kyu,99\nNeri Anna,1500,30,2 Kyu,\nConti,900,50,9 Kyu,7\n"
    )
    run("rate", "t.txt", "--list", "list.csv", "--write", "next.csv")
    found = {one["name"]: one for one in csv.DictReader(Path("next.csv").read_text("utf-8-sig").splitlines())}
    assert (found["Rossi Mario"]["bonus"], found["Rossi Mario"]["games"]) == ("100", "42")
    assert int(found["Rossi Mario"]["above_lower"]) > 0
    assert (found["Neri Anna"]["bonus"], found["Neri Anna"]["games"]) == ("", "31")
    assert found["Verdi"]["stored"].endswith(" 0)")
    assert (found["Conti"]["rating"], found["Conti"]["bonus"]) == ("900", "7")
    run("rate", "t.txt", "--list", "next.csv", "--write", "later.csv")
    assert len(Path("later.csv").read_text().splitlines()) == 5


def test_new_ratings_are_taken_over(club: Run) -> None:
    """After a question, in one step that the log tells; a director who rates it again is warned."""
    before = rated(club("rate", "vm26", "--fide", "--json"))
    assert (
        "All tables are made again" in club("rate", "vm26", "--fide", "--apply", code=1, answer="n\n").stderr
    )
    club("rate", "vm26", "--fide", "--apply", "--yes")
    members = {
        one["name"]: one["rating"]
        for one in json.loads(club("members", "list", "vm26", "--json").stdout)["items"]
    }
    assert members["Rossi, Mario"] == before["Rossi, Mario"]["after"]
    assert members["Verdi, Gino"] == 1360
    assert "Rossi, Mario 1850 → " in club("log", "vm26").stdout
    assert "new ratings were taken over into this tournament" in club("rate", "vm26", "--fide").stdout
    club("undo", "vm26", "--yes")
    again = club("rate", "vm26", "--fide", "--json")
    assert rated(again) == before
    assert "taken over" not in again.stdout
    assert "not for a file" in club("rate", "open.trf", "--fide", "--apply", "--yes", code=2).stderr


def test_equal_new_ratings_are_explained(club: Run) -> None:
    """Nothing is changed where two would be equal; --spread gives the lower one the next free rating."""
    Path("list.csv").write_text(
        'name,rating,k\n"Rossi, Mario",1500,10\n"Bianchi, Laura",1513,10\n"Neri, Anna",1700,10\n"Verdi, Gino",1708,10\n'
    )
    found = rated(club("rate", "vm26", "--fide", "--list", "list.csv", "--json"))
    after = sorted(int(str(one["after"])) for one in found.values())
    assert len(set(after)) < 4, after
    refused = club("rate", "vm26", "--fide", "--list", "list.csv", "--apply", "--yes", code=1).stderr
    assert "would both have" in refused
    assert "--spread" in refused
    club("rate", "vm26", "--fide", "--list", "list.csv", "--apply", "--spread", "--yes")
    members = json.loads(club("members", "list", "vm26", "--json").stdout)["items"]
    assert len({one["rating"] for one in members}) == 4
