"""Tie-breaks of tournament reports."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.tie_breaks import TieBreakError, standings
from core.club.trf import Document, TrfPlayer, TrfTurn
from core.club.trf_reader import read
from tests.core.club.club_data import DATA
from tests.core.club.trf_files import SMALL

POINTS = {"1": 1.0, "=": 0.5, "0": 0.0}


def report(*lines):
    """A report from lines such as "2w1 3b=": opponent, colour, result of each round."""
    players = []
    for number, line in enumerate(lines, start=1):
        turns = tuple(
            TrfTurn(int(cell[:-2]), cell[-2], cell[-1]) if cell[0].isdigit() else TrfTurn(result=cell)
            for cell in line.split()
        )
        players.append(TrfPlayer(number, f"P{number}", turns, rating=2000 - number))
    return Document(players=tuple(players))


SOUND = report("2w1 3b= 4w1", "1b0 4w1 3b=", "4w1 1w= 2w=", "3b0 2b0 1b0")


def test_a_small_tournament():
    """Order, points and values of a tournament of four, worked out by hand."""
    found = standings(SOUND, ("BH", "SB", "PS"))
    assert [(one.rank, one.number, one.points) for one in found] == [
        (1, 1, Fraction(5, 2)),
        (2, 3, 2),
        (3, 2, Fraction(3, 2)),
        (4, 4, 0),
    ]
    # Against 2, 3 and 4 with 1.5, 2 and 0 points; a win, a draw, a win; 1, 1.5 and 2.5 points by rounds.
    assert found[0].values == (("BH", 3.5), ("SB", 2.5), ("PS", 5.0))


def test_codes_are_kept_as_they_were_asked_for():
    """Any valid cut has its value under its own code."""
    values = dict(standings(SOUND, ("BH/C1", "bh/c2", "ARO"))[0].values)
    assert list(values) == ["BH/C1", "bh/c2", "ARO"]
    assert (values["BH/C1"], values["bh/c2"], values["ARO"]) == (3.5, 2.0, 1997.0)


def test_direct_encounter_compares_without_a_value():
    """Two equal players: the winner of their game is first, with no number for it."""
    tied = report("2w0 3w1", "1b1 3b0", "2w1 1b0")
    assert [one.number for one in standings(tied, ("DE",))] == [1, 2, 3]
    pair = report("2w0 3w1 4w1", "1b1 4b1 3w0", "4w1 1b0 2b1", "3b0 2w0 1b0")
    assert {one.points for one in standings(pair, ("DE",))[:3]} == {2}
    assert standings(pair, ("DE",))[0].values == ()


def test_equal_to_the_end():
    """Those who are equal in everything are in the order of the starting numbers."""
    assert [one.number for one in standings(report("2w=", "1b="), ("BH",))] == [1, 2]


def test_byes_and_forfeits():
    """A bye and a forfeit win are a point, a half-point bye half a point."""
    found = standings(report("U 2w1", "H 1b0", "4w+ Z", "3b- F"), ("BH",))
    assert {one.number: one.points for one in found} == {1: 2, 2: Fraction(1, 2), 3: 1, 4: 1}


def test_rounds_that_a_line_lacks():
    """A short line is a known absence in the rounds that it lacks."""
    assert standings(report("2w1 2b1", "1b0 1w0", "Z"), ("BH",))[-1].points == 0


@pytest.mark.parametrize(
    ("codes", "said"),
    [
        (["XX"], "XX"),
        ([""], "descriptor"),
        (["KS/P"], "KS"),
        (["BH/C99"], "C99"),
        (["EDE"], "EDE"),
        (["BH", "BH/P"], "cannot be used together"),
        (["BH", "bh"], "cannot be used together"),
        (["WON", "BH/C3"], "cannot be used together"),
    ],
)
def test_codes_that_cannot_be_used(codes, said):
    """An unknown code, or two that would share a value, are refused."""
    with pytest.raises(TieBreakError, match=said):
        standings(SOUND, codes)


@st.composite
def complete(draw):
    """Round robins in which every game was played."""
    count = draw(st.sampled_from([4, 6]))
    order = list(range(count))
    lines = [[] for _ in order]
    for _ in range(count - 1):
        for a, b in zip(order[: count // 2], reversed(order[count // 2 :]), strict=True):
            result = draw(st.sampled_from("10="))
            lines[a].append(f"{b + 1}w{result}")
            lines[b].append(f"{a + 1}b{ {'1': '0', '0': '1', '=': '='}[result] }")
        order = [order[0], order[-1], *order[1:-1]]
    return report(*map(" ".join, lines))


@given(complete())
def test_values_against_the_definition(document):
    """Where all games were played, Buchholz, Sonneborn-Berger and progressive scores follow from their definitions."""
    scores = {p.number: sum(POINTS[turn.result] for turn in p.turns) for p in document.players}
    for one in standings(document, ("BH", "SB", "PS", "WON", "BPG")):
        turns = next(p.turns for p in document.players if p.number == one.number)
        running = [sum(POINTS[turn.result] for turn in turns[: end + 1]) for end in range(len(turns))]
        assert dict(one.values) == {
            "BH": sum(scores[turn.opponent] for turn in turns),
            "SB": sum(POINTS[turn.result] * scores[turn.opponent] for turn in turns),
            "PS": sum(running),
            "WON": sum(turn.result == "1" for turn in turns),
            "BPG": sum(turn.colour == "b" for turn in turns),
        }


@given(complete())
def test_the_order_follows_the_values(document):
    """Points first, then each value in its turn, then the starting number."""
    found = standings(document, ("SB", "WON"))
    keys = [(-one.points, *(-value for _, value in one.values), one.number) for one in found]
    assert keys == sorted(keys)
    assert [one.rank for one in found] == list(range(1, len(found) + 1))


def test_forfeits_in_a_round_robin():
    """In a round robin a game won by forfeit counts as one: player 2 got a point, and player 1 beat player 2."""
    forfeited = report("2w+ 3b1", "1b- 3w1", "1w0 2b0")
    first = standings(forfeited, ("SB",), round_robin=True)[0]
    assert (first.number, first.values) == (1, (("SB", 1.0),))


@pytest.mark.parametrize(
    "code",
    [
        *[
            "WIN",
            "WON",
            "BPG",
            "BWG",
            "REP",
            "STD",
            "PTP",
            "PS",
            "TPN",
            "BH",
            "AOB",
            "FB",
            "SB",
            "KS",
            "ARO",
            "TPR",
            "APRO",
            "APPO",
            "RTNG",
            "DE",
        ]
    ],
)
def test_every_code_for_single_players(code):
    """All of FIDE's codes for single players can be used."""
    assert len(standings(SOUND, (code,))) == 4


@pytest.mark.parametrize(
    "code", ["BH/C1", "BH/C3", "BH/M1", "BH/P", "KS/L+1", "SB/C1", "TPN/R", "FB/C1", "PS/C1"]
)
def test_codes_with_modifiers(code):
    """Cuts, medians and options can be used."""
    assert len(standings(SOUND, ("DE", code))) == 4


def test_a_small_report_from_a_file():
    """A report that was read is ranked as its own rank column says."""
    found = standings(read(SMALL.encode()).document)
    assert {one.number: one.points for one in found} == {
        1: Fraction(3, 2),
        2: Fraction(1, 2),
        3: 0,
        4: Fraction(3, 2),
        5: 2,
    }


@pytest.mark.parametrize("name", ["next_round", "large_CR_line_ends", "site_export"])
def test_points_of_whole_reports(name):
    """The points of whole reports are those of their players' lines."""
    document = read((DATA / f"{name}.trf").read_bytes()).document
    points = {one.number: one.points for one in standings(document)}
    assert points == {player.number: player.points for player in document.players}
