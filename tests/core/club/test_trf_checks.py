"""Contradictions of tournament reports."""

import pytest

from core.club.trf_checks import check, possible_points
from core.club.trf_reader import read
from tests.core.club.trf_files import LEAN, SMALL


def found(*changes, text=SMALL):
    """The findings after some texts were replaced: line, round, note."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return [(one.line, one.round, one.note) for one in check(text.encode())]


def test_a_good_report_has_no_findings():
    """Nothing is wrong with it."""
    assert found() == []


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        # Who plays whom.
        ([("0002 w 1", "0009 w 1")], [(16, 1), (17, 1)]),
        ([("0002 w 1", "0001 w 1")], [(16, 1), (17, 1)]),
        ([("0000 - H", "0003 w H")], [(17, 2)]),
        ([("0001 b 0", "0000 - Z")], [(16, 1)]),
        ([("0001 w =", "")], [(16, 2), (19, None)]),
        # Results and colours.
        ([("0001 b 0", "0001 b 1"), ("0.5    4", "1.5    4")], [(16, 1)]),
        ([("0001 b 0", "0001 b -")], [(16, 1)]),
        ([("0001 b 0", "0001 b  ")], [(16, 1)]),
        ([("0001 b 0", "0001 w 0")], [(16, 1)]),
        # Points, numbers.
        ([("1.5    2", "2.5    2")], [(16, None)]),
        ([("001    5 ", "001    4 ")], [(18, 2), (20, None), (20, 2), (22, None)]),
        ([("001    5 ", "001    0 "), ("0005 b 0", "0000 - Z")], [(20, None), (20, 2), (22, None)]),
    ],
)
def test_contradictions(changes, where):
    """Each contradiction is an error with line and round."""
    assert sorted({(line, turn or 0) for line, turn, note in found(*changes) if not note}) == sorted(
        (line, turn or 0) for line, turn in where
    )


@pytest.mark.parametrize(
    ("mine", "theirs"), [("+", "-"), ("-", "+"), ("-", "-"), ("W", "L"), ("D", "D"), ("=", "="), (" ", " ")]
)
def test_results_that_fit(mine, theirs):
    """Forfeits, games of less than a move, and games without a result fit to each other."""
    changes = [("0002 w 1", f"0002 w {mine}"), ("0001 b 0", f"0001 b {theirs}")]
    blank_points = [(" 1.5    2", "        2"), (" 0.5    4", "        4")]
    assert found(*changes, *blank_points) == []


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ([("012 Open of Nowhere\n", "")], None),
        ([("062 5", "062 7")], 6),
        ([("XXR 3", "XXR 1")], None),
        ([("042 2026/01/15", "042 2026-01-15")], 4),
        ([("052 2026/01/16", "052 some day")], 5),
        ([("1975/06/25", "yesterday ")], 17),
    ],
)
def test_notes(changes, line):
    """What only looks odd is a note."""
    assert found(*changes) == [(line, None, True)]


@pytest.mark.parametrize("birth", ["1975.06.25", "25/06/1975", "1975-06-25", "1975      ", "1975/00/00"])
def test_dates_of_birth_in_other_forms(birth):
    """Dates with dots, bars or hyphens are known forms."""
    assert found(("1975/06/25", birth)) == []


def test_no_players():
    """A report without players is an error."""
    assert found(text="012 Open\n") == [(None, None, False)]


def test_a_bye_by_the_program_counts_as_one_or_nothing():
    """Programs disagree on U: both sums are good; a second U in a round is a note."""
    document = read(LEAN.encode()).document
    assert possible_points(document.players[1], document.values) == {0, 1}
    assert found(("1.0  ", "0.0  "), text=LEAN) == []
    assert found(("1.0  ", "0.5  "), text=LEAN) == [(3, None, False)]
    assert found(("        H         -", "        U         -"), text=LEAN) == [
        (5, None, False),
        (5, 1, True),
    ]


def test_other_point_systems():
    """162 changes the sums; points under rules of their own (299) are not judged."""
    assert (16, None, False) in found(("XXR 3", "162  W 3.0    D 1.0"))
    assert (
        found(
            ("XXR 3", "162  W 3.0    D 1.0"),
            ("1.5    2", "4.0    2"),
            ("0.5    4", "1.0    4"),
            ("1.5    3", "4.0    3"),
            ("2.0    1", "6.0    1"),
        )
        == []
    )
    assert found(("XXR 3", "299 W"), ("1.5    2", "9.5    2")) == []


def test_a_round_in_which_only_some_have_played():
    """The report may have byes for a round that is not paired yet."""
    assert found(("0000 - H", "0000 - H  0000 - Z")) == []


@pytest.mark.parametrize("wrong", ["11/01/1987 ", "ITA 1234567", "12345-7    ", "１２３４５６７    "])
def test_what_is_not_a_fide_id(wrong):
    """A date or a federation in the id's columns is an error of that line, not an id."""
    assert found(("1234567    ", wrong)) == [(16, None, False)]


def test_two_players_with_one_fide_id():
    """The later one is told of, with the earlier one's name; leading zeros make no other id, and 0 is not one."""
    assert found(("2345678", "1234567")) == [(17, None, False)]
    assert found(("2345678", "0001234567"[-7:])) == [(17, None, False)]
    zeros = SMALL.replace("1234567", "0000000").replace("2345678", "0000000")
    assert found(text=zeros) == []


def test_a_round_that_only_some_players_have():
    """Beyond the planned rounds, or with a game in it, it is an error of the first who has it."""
    beyond = "0002 w 1  0004 b =  0000 - Z  0000 - Z"
    assert (16, 4, False) in found(("0002 w 1  0004 b =", beyond))
    games = [
        ("0002 w 1  0004 b =", "0002 w 1  0004 b =  0002 w  "),
        ("0001 b 0  0000 - H", "0001 b 0  0000 - H  0001 b  "),
    ]
    assert (16, 3, False) in found(*games)


def test_a_withdrawn_player_has_fewer_rounds():
    """One short line is not a superfluous round of all others."""
    assert (
        found(
            ("0000 - F  0003 w 1", "0000 - F"),
            ("0004 b 0  0005 b 0", "0004 b 0  0000 - Z"),
            ("2.0    1", "1.0    1"),
        )
        == []
    )
