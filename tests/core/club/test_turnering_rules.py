"""The club T1 to T9 for turnering.txt: what each finds, where, and what it does not find."""

import pytest

from core.club.turnering import check
from tests.core.club.turnering_findings import GOOD, HEAD, found, rules


def test_a_good_file_has_no_findings():
    """A good file has neither errors nor notes."""
    assert found(GOOD) == []


# --- club T1, T2


@pytest.mark.parametrize(
    "head", ["", "[Open, Town, Country]\n", "Open\n2024-01-06\n", "Open, Town [2024-01-06]\n"]
)
def test_t1_two_header_lines(head):
    """Name and date have to be in the first two brackets."""
    assert "T1" in rules(GOOD, head=head)


def test_t1_a_date_is_no_name():
    """Where the name is forgotten, the date is taken for it."""
    assert {"T1", "T2"} <= rules(GOOD, head="[2024-01-06]\n[Time control: 30min + 30sec]\n")


def test_t1_an_empty_name():
    """Brackets with nothing in them are not a name."""
    assert ("T1", 1, None, False) in found(GOOD, head="[ ]\n[2024-01-06]\n")


def test_the_header_of_the_document_is_good():
    """FESA's own example, as a word processor writes it: notes on its typographic signs, and nothing else."""
    head = "[13. New Year’s Open, Town, Country]\n[2024-01-06 – 2024-01-07]\n[Time control: 20min + 40sec]\n"
    for encoding in ("utf-8", "utf-8-sig", "cp1252"):
        notes = found(GOOD, head=f"{head}Nr Name Nat 1 2 MMSS Pts\n", encoding=encoding)
        assert {(rule, note) for rule, _, _, note in notes} == {("T12", True)}


def test_t1_a_comment_with_brackets_is_a_header_line_for_fesa():
    """FESA's program takes the first two brackets of the file, even those of a comment."""
    assert "T1" in rules(GOOD, head="; [draft]\n" + HEAD)
    assert rules(GOOD + "; [end]\n") == set()


def test_t1_more_header_lines():
    """Time control and column names may follow, or stand between the two."""
    assert rules(GOOD, head=HEAD + "[Time control: 30min + 30sec]\nNr Name Nat 1 2 Pts\n\n") == set()
    assert rules(GOOD, head="[Open]\nNr Name 1 2\n[2024-01-06]\n") == set()


@pytest.mark.parametrize(
    "text", ["6.1.2024", "2024-02-30", "2024-1-6", "2024-01-07 - 2024-01-06", "2024-01-06/07", "", "20240106"]
)
def test_t2_no_date(text):
    """What is not a date or a range of days is an error in the line of the date."""
    assert ("T2", 2, None, False) in found(GOOD, head=f"[Open]\n[{text}]\n")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2024-13-45", "not a day of the calendar"),
        ("2023-02-29", "not a day of the calendar"),
        ("2024-01-07 - 2024-01-06", "it ends 2024-01-06, before it begins 2024-01-07"),
        ("6 January", "is not a date"),
    ],
)
def test_t2_says_what_is_wrong(text, why):
    """A day that the calendar does not have, and an end before the start, are told as such."""
    findings = check(f"[Open]\n[{text}]\n{GOOD}".encode())
    assert [(one.rule, one.line) for one in findings] == [("T2", 2)]
    assert why in findings[0].message


@pytest.mark.parametrize(
    "name",
    ["Open, 2024-01-05 - 2024-01-07", "Open, 2024-02-30 - 2024-01-06", "Open (2024-01-08 - 2024-01-06)"],
)
def test_t2_days_in_the_name_that_contradict(name):
    """A range in the first line that is not that of the second is a note."""
    assert found(GOOD, head=f"[{name}]\n[2024-01-06]\n") == [("T2", 1, None, True)]


@pytest.mark.parametrize("dash", ["–", "—", "−", "‑"])
def test_t2_a_range_with_a_typographic_dash(dash):
    """The document's own form, an en dash between the days, is good; the letter is a note."""
    notes = found(GOOD, head=f"[Open]\n[2024-01-06 {dash} 2024-01-07]\n", encoding="utf-8")
    assert notes == [("T12", None, None, True), ("T12", 2, None, True)]


@pytest.mark.parametrize(
    "text", ["2024-01-06", "2024-01-06 - 2024-01-07", " 2024-01-06 ", "2024-01-06-2024-01-07"]
)
def test_t2_dates(text):
    """The last day, or a range, is good."""
    assert found(GOOD, head=f"[Open]\n[{text}]\n") == []


# --- club T3, T4


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("1 [A][a][0+]\n3 [B][b][0-]\n", [4]),
        ("2 [A][a][0+]\n3 [B][b][0-]\n", [3, 4]),
        ("0 [A][a][0+]\n", [3]),
        ("1 [A][a][2+]\n1 [B][b][1-]\n", [4]),
        ("X [A][a][0+]\n", [3]),
        ("[A][a][0+]\n", [3]),
        ("1. [A][a][0+]\n", [3]),
    ],
)
def test_t3_numbers(text, lines):
    """Players are numbered 1, 2, 3 in the order of the file."""
    assert [line for rule, line, *_ in found(text) if rule == "T3"] == lines


def test_t3_zero_is_no_number():
    """A player 0 cannot be told from no opponent."""
    assert rules("0 [A][a][0+]\n") == {"T3"}


def test_t4_as_many_results_in_each_row():
    """A row with fewer or more results than the others is an error."""
    assert found("1 [A][a][2+ 0-]\n2 [B][b][1-]\n3 [C][c][0- 0-]\n") == [("T4", 4, None, False)]
    assert "T4" in rules("1 [A][a][2+ 0-]\n2 [B][b][1-]\n")


def test_t5_a_round_that_the_opponent_lacks():
    """Where the opponent's row is too short, the missing cell is an error, too."""
    assert found("1 [A][a][0- 2+]\n2 [B][b][0-]\n3 [C][c][0- 0-]\n") == [
        ("T5", 3, 2, False),
        ("T4", 4, None, False),
    ]


def test_one_fault_is_told_once():
    """An opponent's cell that cannot be read is not told a second time in the row of the player."""
    assert found("1 [A][a][2+ 0-]\n2 [B][b][1x 0-]\n") == [("grammar", 4, 1, False)]


def test_t4_no_results():
    """An empty bracket is an error, and only once."""
    assert [one for one in found("1 [A][a][]\n2 [B][b][0-]\n") if not one[3]] == [("T4", 3, None, False)]


# --- club T5 to T9


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("1 [A][a][9+]\n2 [B][b][0-]\n", [3]),
        ("1 [A][a][1+]\n2 [B][b][0-]\n", [3]),
        ("1 [A][a][2+]\n2 [B][b][0+]\n", [3]),
        ("1 [A][a][2+]\n2 [B][b][3-]\n3 [C][c][2+]\n", [3]),
        ("1 [A][a][2+]\n2 [B][b][0#]\n3 [C][c][0-]\n", [3]),
        ("1 [A][a][2+]\n2 [B][b][3-]\n3 [C][c][1+]\n", [3, 4, 5]),
        ("1 [A][a][999999999+]\n2 [B][b][0-]\n", [3]),
    ],
)
def test_t5_opponents(text, lines):
    """The opponent exists, is another, and names this player in that round."""
    assert [(line, turn) for rule, line, turn, _ in found(text) if rule == "T5"] == [
        (line, 1) for line in lines
    ]


@pytest.mark.parametrize(("mine", "theirs"), [("+", "+"), ("-", "-"), ("=", "+"), ("=", "-")])
def test_t6_marks_that_do_not_fit(mine, theirs):
    """Plus needs a minus, equal an equal; both lines are named."""
    assert found(f"1 [A][a][2{mine}]\n2 [B][b][1{theirs}]\n") == [("T6", 3, 1, False), ("T6", 4, 1, False)]


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [("(-2p)", ""), ("", "(+2p)"), ("(-2p)", "(-2p)"), ("(+2p)", "(+2p)"), ("(-2p)", "(+4p)")],
)
def test_t7_handicaps_that_do_not_fit(mine, theirs):
    """One gave it, the other received the same."""
    assert rules(f"1 [A][a][2+{mine}]\n2 [B][b][1-{theirs}]\n") == {"T7"}


@pytest.mark.parametrize("code", ["m", "l", "b", "r", "rl", "2p", "4p", "5p", "6p", "RL", "2P"])
def test_t7_handicaps(code):
    """All codes are good, in small letters or capitals."""
    assert found(f"1 [A][a][2+(-{code})]\n2 [B][b][1-(+{code})]\n") == []


@pytest.mark.parametrize("code", ["z", "3p", "rr", "lance"])
def test_t7_unknown_handicaps(code):
    """Other codes are errors in both lines."""
    assert found(f"1 [A][a][2+(-{code})]\n2 [B][b][1-(+{code})]\n") == [
        ("T7", 3, 1, False),
        ("T7", 4, 1, False),
    ]


def test_t7_no_handicap_without_a_game():
    """A round without a game has no handicap."""
    assert rules("1 [A][a][0+(-2p)]\n") == {"T7"}


@pytest.mark.parametrize("cell", ["2#", "2*", "0*"])
def test_t8_games_not_played_have_no_opponent(cell):
    """A game that was not played is 0+, 0=, 0- or 0#, and nothing else."""
    assert "T8" in rules(f"1 [A][a][{cell} 0-]\n2 [B][b][0+ 0-]\n")


def test_t8_not_played():
    """All four ways are good."""
    assert found("1 [A][a][0+ 0= 0- 0#]\n") == []


def test_t9_several_free_points_in_a_round():
    """A bye and opponents of players who did not come may all have 0+."""
    assert found("1 [A][a][0+ 0-]\n2 [B][b][0+ 0-]\n3 [C][c][0+ 0-]\n") == []
