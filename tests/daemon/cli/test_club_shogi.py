"""A shogi club's evening with the commands: members, handicaps, FESA's files, reminders."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from daemon.cli import main

CONFIG = '[daemon]\ndata_dir = "data"\ncontact = "test@example.org"\n[me]\nfirst_name = "Mario"\nlast_name = "Rossi"\n'
MEMBERS = """\
name,rating,fide_id,nat,grade,mms,spelled,new
春野 一郎,1900,4711,JPN,3 Dan,2,,
"Wałęga, Ewa",1500,,PL,,1,,
"Neri, Anna",1300,,IT,,,,yes
"""
LIST = "name,rating,fesa_id\nHaruno Ichiro,1900,4711\nWalega Ewa,1510,\n"


@pytest.fixture(name="run")
def _run(tmp_path, monkeypatch):
    """Run a club command in a folder with a configuration, members and a rating list."""
    monkeypatch.chdir(tmp_path)
    Path("gamekeeper.toml").write_text(CONFIG)
    Path("members.csv").write_text(MEMBERS)
    Path("list.csv").write_text(LIST)
    return lambda *args, **more: CliRunner().invoke(main, ["club", *args], **more)


@pytest.fixture(name="open_")
def _open(run):
    """The same with a tournament of one round, which is played."""
    run("new", "Open", "--short", "open", "--rounds", "1")
    assert run("members", "import", "open", "members.csv").exit_code == 0
    run("present", "open", "--excused", "neri")
    run("pair", "open", "--date", "2024-05-12")
    assert run("result", "open", "1", "1-0").exit_code == 0
    return run


def test_members_are_listed_with_what_there_is(run):
    """Nation, grade, MacMahon points, spelling; a column only where somebody has it; who is not in the list is named."""
    run("new", "Open", "--short", "open")
    shown = run("members", "import", "open", "members.csv", "--list", "list.csv", env={"COLUMNS": "200"})
    assert shown.exit_code == 0
    head = shown.stdout.splitlines()[0]
    assert all(title in head for title in ("NATION", "GRADE", "MACMAHON", "IN FESA'S LIST", "RATED"))
    assert "Haruno Ichiro" in shown.stdout
    assert "not in the rating list" not in shown.output
    run("new", "Chess", "--short", "chess")
    run("members", "add", "chess", "Verdi, Gino", "1500")
    assert "NATION" not in run("members", "list", "chess").stdout


def test_wrong_facts_are_refused_with_their_line(run):
    """Nothing is added then."""
    run("new", "Open", "--short", "open")
    Path("members.csv").write_text(MEMBERS.replace("JPN", "XX"))
    refused = run("members", "import", "open", "members.csv")
    assert refused.exit_code == 1
    assert "line 2" in refused.stderr
    assert '"XX" is not the code of a country' in refused.stderr
    assert "there are no members" in run("members", "list", "open").stderr


def test_a_handicap_is_shown_exported_and_taken_back(open_):
    """In the list of the boards, in the CSV, in FESA's file; one undo takes it back."""
    shown = open_("handicap", "open", "1", "2p")
    assert "2p by 春野 一郎" in shown.stdout
    open_("export", "csv", "open", "--pairings")
    assert "handicap,given_by" in Path("open-pairings-1.csv").read_text("utf-8-sig")
    open_("export", "html", "open")
    assert "2p by no. 1" in Path("open-round-1.html").read_text("utf-8")
    open_("export", "turnering", "open", "--list", "list.csv")
    assert b"[2+(-2p)][2]" in Path("open-turnering.txt").read_bytes()
    undone = open_("undo", "open", "--yes")
    assert "spelled" in undone.output or "handicap" in undone.output
    open_("undo", "open", "--yes")
    assert "2p" not in open_("result", "open").stdout


def test_handicaps_that_cannot_be(open_):
    """A board without a code, unknown codes and boards, a board twice."""
    for words in (("1",), ("1", "3p"), ("x", "2p"), ("1", "2p", "1", "4p"), ("9", "2p")):
        assert open_("handicap", "open", *words).exit_code in {1, 2}
    assert "HANDICAP" not in open_("result", "open").stdout


def test_an_export_says_what_to_do(open_):
    """Without the list the spelling is asked for; with it the file is written, checked and remembered."""
    refused = open_("export", "turnering", "open")
    assert refused.exit_code == 1
    assert 'gamekeeper club player edit open 1 --spelled "Last, First"' in refused.stderr
    assert not Path("open-turnering.txt").exists()
    assert open_("export", "turnering", "open", "--list", "list.csv").exit_code == 0
    assert open_("check", "open-turnering.txt", "--list", "list.csv").stdout.endswith("ok\n")
    assert open_("export", "turnering", "open", "--force").exit_code == 0


def test_an_import_spells_names_as_the_list_does(run):
    """Where the list has the only name of the same words; who is not in it is named."""
    Path("open.txt").write_text("[Open]\n[2024-05-12]\n1 [Wałęga][Ewa][2+]\n2 [Nobody][Ugo][1-]\n")
    founded = run("import", "open.txt", "--list", "list.csv", "--yes")
    assert founded.exit_code == 0
    assert "no. 2 Nobody, Ugo is not in the rating list" in founded.stderr
    run("player", "edit", "open", "2", "--new")
    assert run("export", "turnering", "open", "-o", "again.txt").exit_code == 0
    assert Path("again.txt").read_text().splitlines()[3:] == [
        "1 [Walega][Ewa][2+] 1",
        "2 N [Nobody][Ugo][1-] 0",
    ]


def test_reminders_of_what_fesa_wants(run):
    """When it is created, when the day is said, when the first and the last round are paired; never without --fesa."""
    assert (
        "announce it two weeks before"
        in run("new", "Open", "--short", "open", "--fesa", "--rounds", "2").stderr
    )
    assert "had to be announced by 2024-04-28" in run("settings", "open", "--set", "begins=2024-05-12").stderr
    assert "begins is a day" in run("settings", "open", "--set", "begins=2024-13-45").stderr
    run("members", "add", "open", "Verdi, Gino", "1500")
    run("members", "add", "open", "Neri, Anna", "1400")
    assert "announced by 2024-05-05" in run("pair", "open", "--date", "2024-05-19").stderr
    run("result", "open", "1", "1-0")
    assert "send the results in by 2024-06-09" in run("pair", "open", "--date", "2024-05-26").stderr
    assert "FESA" not in run("new", "Chess", "--short", "chess").output
