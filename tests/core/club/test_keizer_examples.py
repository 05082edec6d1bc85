"""Every worked example of the club rules comes out to the last number."""

from dataclasses import replace
from fractions import Fraction

import pytest

from core.club.keizer import standings
from core.club.tournament import Competitor
from tests.core.club import keizer_examples
from tests.core.club.keizer_oracle import CHESSPAIRING, FREEKEIZER, Oracle, half_points
from tests.core.club.keizer_sums import faults
from tests.core.club.notation import evenings, field


def _lines(table):
    return [(row.player, row.points) for row in table.rows]


@pytest.mark.parametrize("number", range(1, 6))
def test_e1_table_after_each_round(number):
    """Draws, byes, absences, club duty, a forfeit and a withdrawn player, lagged: the published tables."""
    table = standings(keizer_examples.E1_PLAYERS, keizer_examples.E1_ROUNDS, keizer_examples.E1_SETTINGS)[
        number
    ]
    assert _lines(table) == keizer_examples.as_table(keizer_examples.E1_TABLES[number - 1])
    assert table.withdrawn == ("12",)


def test_e1_every_credit():
    """What the program stored for every single game and absence is the credit in our last table."""
    table = standings(keizer_examples.E1_PLAYERS, keizer_examples.E1_ROUNDS, keizer_examples.E1_SETTINGS)[-1]
    for number, line in enumerate(keizer_examples.E1_CREDITS, start=1):
        credits_ = {row.player: c.points for row in table.rows for c in row.credits if c.round == number}
        assert credits_ == dict(keizer_examples.as_table(line))


def test_e1_values_before_and_after():
    """The value number used and the one that goes with the place are those that the program stored."""
    table = standings(keizer_examples.E1_PLAYERS, keizer_examples.E1_ROUNDS, keizer_examples.E1_SETTINGS)[-1]
    assert [(row.player, row.value, row.next_value) for row in table.rows] == [
        ("3", 10, 10),
        ("6", 8, 9),
        ("7", 6, 8),
        ("2", 7, 7),
        ("4", 9, 6),
        ("1", 5, 5),
        ("10", 3, 4),
        ("13", 4, 3),
    ]


@pytest.mark.parametrize("name", keizer_examples.ONE_ROUND)
def test_published_rounds(name):
    """The numbers that clubs published after one round, and the fixpoints computed for them (club E2, E3 and E4)."""
    count, base, line, valuation, expected = keizer_examples.ONE_ROUND[name]
    settings = replace(keizer_examples.PLAIN, base=Fraction(base), valuation=valuation)
    table = standings(keizer_examples.seeded(count), evenings(line), settings)[1]
    assert _lines(table) == keizer_examples.as_table(expected)


def test_e2_depends_on_the_start_order():
    """The same round from the order of ratings comes to rest in another table: the start order is part of the rules."""
    _, base, line, valuation, published = keizer_examples.ONE_ROUND["E2 fixpoint"]
    settings = replace(keizer_examples.PLAIN, base=Fraction(base), valuation=valuation)
    players = [
        Competitor(str(number), rating) for number, rating in enumerate(keizer_examples.E2_RATINGS, start=1)
    ]
    by_rating = _lines(standings(players, evenings(line), settings)[1])
    assert by_rating == keizer_examples.as_table(keizer_examples.E2_BY_RATING)
    assert by_rating != keizer_examples.as_table(published)


def test_e3_with_rounding_after_each_addition():
    """FreeKeizer's table of club E3 is our rule plus its rounding."""
    settings = replace(
        keizer_examples.PLAIN, base=Fraction(50), valuation="lagged", own_value="start", loss=Fraction(1, 6)
    )
    line = keizer_examples.ONE_ROUND["E3 fixpoint"][2]
    oracle = Oracle(keizer_examples.seeded(10), evenings(line), settings, FREEKEIZER)
    expected = "1:99 6:91 10:83 3:72 4:71 7:66 8:65 2:57 5:54 9:49"
    assert oracle.tables[1] == keizer_examples.as_table(expected)
    _agrees(keizer_examples.seeded(10), evenings(line), settings)


def _agrees(players, rounds, settings):
    """Our tables are the oracle's without quirks."""
    oracle = Oracle(players, rounds, settings)
    assert [_lines(table) for table in standings(players, rounds, settings)] == oracle.tables


@pytest.mark.parametrize("name", keizer_examples.E5_SETTINGS)
def test_e5_after_each_round(name):
    """Two programs, six settings, seven rounds: their tables are the oracle's with their rounding, ours the oracle's without."""
    settings = keizer_examples.E5_SETTINGS[name]
    quirks = FREEKEIZER if name == "FreeKeizer" else CHESSPAIRING
    oracle = Oracle(keizer_examples.E5_PLAYERS, keizer_examples.E5_ROUNDS, settings, quirks)
    for number, line in enumerate(keizer_examples.E5_TABLES[name], start=1):
        computed = oracle.tables[number]
        if oracle.cycles[number] == 2:
            # Here the program rounds the mean as well.
            computed = [(player, half_points(points, Fraction(1), 0)) for player, points in computed]
            computed.sort(key=lambda one: (-one[1], int(one[0])))
        assert sorted(computed) == sorted(keizer_examples.as_table(line))
        # Equal points are in FreeKeizer's list as its sorting leaves them.
        assert computed == keizer_examples.as_table(line) or quirks is FREEKEIZER
    _agrees(keizer_examples.E5_PLAYERS, keizer_examples.E5_ROUNDS, settings)


def test_e5_without_rounding_stays_near():
    """Exact numbers differ from the rounded ones by what rounding can do, in the last table under half a point."""
    table = standings(
        keizer_examples.E5_PLAYERS, keizer_examples.E5_ROUNDS, keizer_examples.E5_SETTINGS["fixpoint"]
    )[-1]
    published = dict(keizer_examples.as_table(keizer_examples.E5_TABLES["fixpoint"][-1]))
    assert max(abs(row.points - published[row.player]) for row in table.rows) < Fraction(1, 2)
    assert list(published) == list(table.order)


@pytest.mark.parametrize("valuation", ["fixpoint", "lagged", "frozen"])
def test_e6_after_each_round(valuation):
    """Full attendance: fixpoint and frozen as one program computed them, lagged as another's rule has it."""
    tables = standings(
        keizer_examples.E6_PLAYERS,
        keizer_examples.E6_ROUNDS,
        replace(keizer_examples.E6_BASE, valuation=valuation),
    )
    assert [_lines(table) for table in tables[1:]] == [
        keizer_examples.as_table(line) for line in keizer_examples.E6_TABLES[valuation]
    ]


def test_e6_with_rounding_after_each_addition():
    """The third column of club E6: start value, a sixth for a loss, rounded after each addition."""
    settings = replace(keizer_examples.FREEKEIZER, base=Fraction(10))
    oracle = Oracle(keizer_examples.E6_PLAYERS, keizer_examples.E6_ROUNDS, settings, FREEKEIZER)
    assert oracle.tables[1:] == [
        keizer_examples.as_table(line) for line in keizer_examples.E6_TABLES["FreeKeizer"]
    ]
    _agrees(keizer_examples.E6_PLAYERS, keizer_examples.E6_ROUNDS, settings)


@pytest.mark.parametrize("length", keizer_examples.CYCLES)
def test_cycles_are_found_and_averaged(length):
    """A ranking that never comes to rest: its length is told, and everybody has the exact mean (club V3, V4)."""
    text, means = keizer_examples.CYCLES[length]
    rounds = evenings(text.replace(" / ", "\n"))
    expected = [Fraction(mean) for mean in means.split()]
    players = field(len(expected))
    settings = replace(keizer_examples.PLAIN, base=Fraction(len(expected)))
    table = standings(players, rounds, settings)[-1]
    assert table.cycle == length
    assert f"length {length}" in table.note
    assert {row.player: row.points for row in table.rows} == {
        str(number): mean for number, mean in enumerate(expected, start=1)
    }
    assert list(table.order) == sorted(table.order, key=lambda i: (-expected[int(i) - 1], int(i)))
    assert faults(table, settings) == []


def test_at_rest_there_is_nothing_to_tell():
    """A fixpoint has no note, and its value numbers are those of its places."""
    table = standings(keizer_examples.E6_PLAYERS, keizer_examples.E6_ROUNDS, keizer_examples.E6_BASE)[-1]
    assert table.note is None
    assert all(row.value == row.next_value for row in table.rows)
