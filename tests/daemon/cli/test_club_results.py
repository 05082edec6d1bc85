"""gamekeeper club check and club rate: what they print, and how they end."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from daemon.cli import main
from tests.core.club.club_data import DATA, FIRST_EVENT, rows_of
from tests.core.club.trf_files import SMALL

GOOD = "[Open, Town, Country]\n[2024-01-06]\n1 [Rossi][Mario][2+ 0-]\n2 [Bianchi][Anna][1- 0+]\n"
BAD = GOOD.replace("1- ", "1+ ")
LIST = "name,rating,games,grade,bonus\nRossi Mario,1500,40,4 Kyu,100\nBianchi Anna,1600,40,1 Kyu,100\n"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a club command in an empty folder; files come as name=text."""
    monkeypatch.chdir(tmp_path)

    def call(*args, stdin=None, **files):
        for name, text in files.items():
            data = text if isinstance(text, bytes) else text.encode("iso-8859-1")
            Path(name).write_bytes(data)
        return CliRunner().invoke(main, ["club", *args], input=stdin)

    return call


# --- check


def test_a_good_file_is_ok(run):
    """Exit 0; what is late is a note before the "ok"."""
    result = run("check", "good", good=GOOD)
    *notes, last = result.stdout.splitlines()
    assert (result.exit_code, last) == (0, "ok")
    assert all("note T16" in line for line in notes)


def test_a_bad_file(run):
    """Exit 1, one line for each finding, with file, line, player, round, rule and mend."""
    result = run("check", "bad", bad=BAD)
    assert result.exit_code == 1
    lines = [line for line in result.stdout.splitlines() if "note" not in line]
    assert len(lines) == 2
    assert lines[0].startswith("bad: line 3, player 1 Rossi Mario, round 1, error T6: ")
    assert "ok" not in result.stdout.splitlines()


@pytest.mark.parametrize(("text", "ok"), [(GOOD, True), (BAD, False)])
def test_findings_as_json(run, text, ok):
    """--json tells whether it is good, and each finding in its parts."""
    result = run("check", "--json", "file", file=text)
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["ok"], answer["kind"]) == (0 if ok else 1, ok, "turnering")
    levels = {(one["level"], one["rule"]) for one in answer["findings"]}
    assert levels == {("note", "T16")} | (set() if ok else {("error", "T6")})


def test_names_are_compared_with_a_list(run):
    """With --list an unknown name is an error that suggests a known one."""
    assert run("check", "good", "--list", "list", good=GOOD, list=LIST).exit_code == 0
    result = run("check", "good", "--list", "list", good=GOOD.replace("Rossi", "Rosi"), list=LIST)
    assert result.exit_code == 1
    assert 'did you mean "Rossi Mario"' in result.stdout


def test_tournament_reports(run):
    """A TRF is known by its lines, and checked as one."""
    result = run("check", "report", report=SMALL.encode())
    assert (result.exit_code, result.stdout) == (0, "ok\n")
    result = run("check", "report", report=SMALL.replace("0002 w 1", "0002 w 0").encode())
    assert result.exit_code == 1
    assert "report: line 16, player 1 Rossi, Mario, round 1, error TRF: " in result.stdout


def test_published_tables(run):
    """A table that FESA published is checked by working its changes out again."""
    text = "Open : 2024-04-20\nNr Name Nat Grade ELO 1 Pts +/-\n1 Rossi IT 2 Dan 1862 2+ 1 {}\n2 Bianchi FR 1 Dan 1862 1- 0 -12\n"
    assert run("check", "--json", "table", table=text.format("+12")).exit_code == 0
    result = run("check", "table", table=text.format("+15"))
    assert result.exit_code == 1
    assert "error R5: the results do not make the change +15" in result.stdout


def test_standard_input(run):
    """A hyphen is standard input."""
    assert run("check", "-", stdin=GOOD.encode()).exit_code == 0
    assert run("check", "-", stdin=b"").exit_code == 1


@pytest.mark.parametrize("data", [b"", b"\0" * 1000, bytes(range(256)), b"[" * 1000])
def test_what_is_no_results_file(run, data):
    """Exit 1 with findings, never a traceback."""
    result = run("check", "file", file=data)
    assert result.exit_code == 1
    assert "error" in result.stdout


def test_a_file_that_is_not_there(run):
    """Wrong use: exit 2."""
    assert run("check", "nothing").exit_code == 2
    assert run("check").exit_code == 2


# --- rate


def test_ratings_before_and_after(run):
    """Each player's rating and grade, before and after."""
    result = run("rate", "good", "--list", "list", good=GOOD, list=LIST)
    assert result.exit_code == 0
    rows = [line.split() for line in result.stdout.splitlines()]
    assert rows[1][:9] == ["1", "Rossi", "Mario", "1500", "40+1", "1", "0.38", "+17", "1517"]
    assert rows[2][:9] == ["2", "Bianchi", "Anna", "1600", "40+1", "0", "0.62", "-15", "1585"]
    assert "4 Kyu" in result.stdout
    assert result.stdout.splitlines()[-2].startswith("unverified: ")
    assert result.stdout.splitlines()[-1] == "FESA's next list is that of 2024-06-01"


def test_ratings_as_json(run):
    """The same in its parts, with all that the next list needs."""
    answer = json.loads(run("rate", "--json", "good", "--list", "list", good=GOOD, list=LIST).stdout)
    first = answer["players"][0]
    assert first["before"] == {"rating": 1500, "grade": "4 Kyu", "games": 40}
    assert first["after"] == {"rating": 1517, "grade": "3 Kyu", "games": 41}
    assert (first["name"], first["change"], first["status"]) == ("Rossi Mario", 17, "established")
    assert (answer["tournament"], answer["date"], answer["settled"]) == (
        "Open, Town, Country",
        "2024-01-06",
        True,
    )


def test_new_players_are_told(run):
    """Who is not in the list is rated as new, has no grade yet, and the output says both."""
    only = "name,rating,games\nRossi Mario,1500,40\n"
    result = run("rate", "good", "--list", "list", good=GOOD, list=only)
    assert result.exit_code == 0
    assert "not in the list: rated as new" in result.stdout
    assert "no grade yet: 1 of 9 rated games" in result.stdout


def test_a_whole_first_event(run):
    """Seventeen new players with recognised grades come out as published."""
    rows = [line.split() for line in FIRST_EVENT.strip().splitlines()]
    text = "[Open]\n[2016-04-29]\n" + "".join(
        f"{n} [{r[0]}][][{' '.join(r[3:6])}]\n" for n, r in enumerate(rows, 1)
    )
    ratings = "name,rating,prior_grade\n" + "".join(f"{r[0]},0,{r[1]} {r[2]}\n" for r in rows)
    answer = json.loads(run("rate", "--json", "file", "--list", "list", file=text, list=ratings).stdout)
    assert [one["after"]["rating"] for one in answer["players"]] == [int(row[6]) for row in rows]


def test_a_bad_file_is_not_rated(run):
    """The findings, and exit 1."""
    result = run("rate", "bad", "--list", "list", bad=BAD, list=LIST)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "error T6" in result.stderr
    assert "correct the file first" in result.stderr


@pytest.mark.parametrize(
    ("file", "ratings", "said"),
    [
        (GOOD, "nothing", "first line has to name the columns"),
        (GOOD, "name,rating\nA,x\n", "line 2"),
        (SMALL, LIST, "is a FIDE tournament report"),
        ("Open\nNr Name Nat ELO 1 Pts\n", LIST, "rated already"),
    ],
)
def test_what_cannot_be_rated(run, file, ratings, said):
    """Another kind of file, or a list that is none: exit 1 and the reason."""
    result = run("rate", "file", "--fesa", "--list", "list", file=file.encode(), list=ratings)
    assert result.exit_code == 1
    assert said in result.stderr


def test_the_list_is_needed(run):
    """Without --list it is wrong use."""
    assert run("rate", "good", good=GOOD).exit_code == 2


@pytest.mark.parametrize("event", ["first_event", "sample"])
def test_events_from_files(run, event):
    """A results file and its rating list as they are give the published ratings."""
    table, ratings = DATA / f"{event}_turnering.txt", DATA / f"{event}_list.csv"
    answer = json.loads(run("rate", "--json", str(table), "--list", str(ratings)).stdout)
    assert {one["name"]: one["after"]["rating"] for one in answer["players"]} == {
        row["name"]: int(row["elo_post"]) for row in rows_of(f"{event}_list.csv")
    }


# --- the group


def test_help_of_the_group(run):
    """The commands are listed, and a wrong one is answered with a similar one."""
    result = run("--help")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in ("check", "rate"))
    wrong = run("chek")
    assert (wrong.exit_code, "check" in wrong.stderr) == (2, True)


def test_help_loads_nothing_heavy():
    """--help of the group loads no rating code and no tie-break library."""
    code = (
        "import sys; from click.testing import CliRunner; from daemon.cli import main; "
        "assert CliRunner().invoke(main, ['club', '--help']).exit_code == 0; "
        "print(sorted(name for name in sys.modules if name.startswith(('core.club', 'tiebreak_core'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
