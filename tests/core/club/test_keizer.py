"""Value numbers, settings and what a table tells; the numbers themselves are in the examples and the oracle."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.keizer import standings
from core.club.keizer_settings import KeizerSettings
from core.club.ranks import final_ranking
from core.club.setting_texts import as_texts, from_texts
from core.club.start_order import ladder, top_value
from core.club.tournament import Competitor, GameResult
from tests.core.club.keizer_examples import PLAIN
from tests.core.club.notation import evenings, field, points
from tests.core.club.random_tournaments import tournament


@pytest.mark.parametrize(
    ("players", "rounding", "top"),
    [
        (8, "half_even", 10),
        (8, "half_up", 11),
        (8, "floor", 10),
        (6, "half_even", 8),
        (6, "half_up", 8),
        (6, "floor", 7),
        (16, "half_even", 22),
        (9, "floor", 12),
        (1, "half_even", 0),
    ],
)
def test_top_value_by_ratio(players, rounding, top):
    """The highest value number for a ratio of three, with the three ways to round (club K3)."""
    assert top_value(players, KeizerSettings(rounding=rounding)) == top


def test_value_numbers_fall_by_the_step():
    """From the first place down, each value number is one step less (club K1)."""
    rules = KeizerSettings(base=Fraction(50), step=Fraction(3, 2))
    assert ladder(4, rules) == (50, Fraction(97, 2), 47, Fraction(91, 2))


def test_a_base_too_small_for_the_field_is_refused():
    """Value numbers below nothing do not make a table; the message says what to do."""
    with pytest.raises(ValueError, match="raise base"):
        ladder(12, KeizerSettings(base=Fraction(10)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"valuation": "often"}, "valuation must be one of fixpoint, lagged, frozen"),
        ({"loss": Fraction(3, 2)}, "loss must be from 0 to 1"),
        ({"bye": Fraction(50)}, "bye must be from 0 to 3, not 50"),
        ({"bye_points": Fraction(-1)}, "bye_points must be at least 0"),
        ({"last_rounds": -1}, "last_rounds must be at least 0"),
        ({"forfeit_win_of": "nobody"}, "forfeit_win_of must be one of opponent, own"),
        ({"ratio": Fraction(1)}, "ratio must be more than 1"),
        ({"step": Fraction(0)}, "step must be more than 0"),
        ({"base": Fraction(-1)}, "base must be more than 0"),
        ({"planned_rounds": 0}, "planned_rounds must be at least 1"),
        ({"bonus_early": 0}, "bonus_early must be at least 1"),
        ({"paid_absences": -1}, "paid_absences must be at least 0"),
    ],
)
def test_impossible_settings_are_refused(change, message):
    """Each setting says what it allows."""
    with pytest.raises(ValueError, match=message):
        KeizerSettings(**change)


def test_all_that_is_wrong_is_said_at_once():
    """Nobody has to try again and again."""
    with pytest.raises(ValueError, match=r"step must .*; ties must .*; bye must "):
        KeizerSettings(ties="dice", bye=Fraction(4), step=Fraction(0))


@given(st.integers(0, 5000))
def test_settings_survive_being_stored(number):
    """Settings as texts and back are the same settings, whatever they are (club V1)."""
    rules = tournament(number)[2]
    assert from_texts(KeizerSettings, as_texts(rules)) == rules


def test_settings_as_typed():
    """A director types a few of them; the others keep their default."""
    typed = {"base": "50", "bye": "2/3", "excused": "0.35", "halved_absences": "Yes", "paid_absences": ""}
    assert from_texts(KeizerSettings, typed) == KeizerSettings(
        base=Fraction(50), bye=Fraction(2, 3), excused=Fraction(7, 20), halved_absences=True
    )


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("bye", "½", Fraction(1, 2)),
        ("bye", "0,35", Fraction(7, 20)),
        ("bye", "35%", Fraction(7, 20)),
        ("base", "none", None),
        ("base", "-", None),
        ("paid_absences", "None", None),
        ("valuation", "Lagged", "lagged"),
        ("halved_absences", "on", True),
    ],
)
def test_values_as_people_write_them(name, typed, value):
    """Signs, commas, per cent, and words for nothing."""
    assert getattr(from_texts(KeizerSettings, {name: typed}), name) == value


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (
            {"base": "many"},
            "base cannot be 'many': it must be a number such as 2, 1/2 or 0.5, more than 0, or \"none\"",
        ),
        ({"bye": "1/0"}, "bye cannot be '1/0'"),
        ({"bye": "1e-9999999999"}, "bye cannot be"),
        ({"planned_rounds": "7.5"}, "planned_rounds cannot be '7.5': it must be a whole number, at least 1"),
        ({"halved_absences": "perhaps"}, "halved_absences cannot be 'perhaps': it must be yes or no"),
        ({"colour": "red"}, "there is no setting colour"),
        ({"loss": "2"}, "loss must be"),
    ],
)
def test_wrong_texts_are_refused(typed, message):
    """What cannot be read or is not allowed is named."""
    with pytest.raises(ValueError, match=message):
        from_texts(KeizerSettings, typed)


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ("current", [4, 4, 4]),
        ("start", [4, 4, 4]),
        ("none", [0, 0, 0]),
        ("fading", [4, Fraction(16, 5), Fraction(12, 5)]),
    ],
)
def test_own_value(own, expected):
    """The own value is added once to each table: as it is, as it was, not at all, or a fifth less each round (club K5)."""
    rules = replace(PLAIN, base=Fraction(4), own_value=own)
    tables = standings(field(2), evenings("1:2+\n1:2+"), rules)
    assert [table.rows[0].own for table in tables] == expected
    assert [row.player for table in tables for row in table.rows] == ["1", "2"] * 3


def test_own_value_has_faded_after_round_5():
    """From round 5 on nothing of it is left."""
    tables = standings(field(2), evenings("1:2=\n" * 6), replace(PLAIN, own_value="fading"))
    assert [table.rows[0].own > 0 for table in tables] == [True] * 5 + [False] * 2


@pytest.mark.parametrize(
    ("line", "white", "black"),
    [
        ("1:2+", 1, 0),
        ("1:2=", Fraction(1, 2), Fraction(1, 2)),
        ("1:2>", 1, 0),
        ("1:2<", 0, 1),
        ("1:2#", 0, 0),
        ("1:2?", 0, 0),
    ],
)
def test_what_a_game_is_worth(line, white, black):
    """Wins and draws are shares of the opponent's value; a forfeit is a win for the one present (club K4, K8)."""
    table = standings(field(2), evenings(line), PLAIN)[1]
    factors = {row.player: row.credits[0].factor for row in table.rows}
    assert factors == {"1": white, "2": black}


def test_a_loss_is_worth_a_share_but_not_a_forfeit():
    """A loss at the board can be worth something, staying away from it is not (club K8)."""
    rules = replace(PLAIN, loss=Fraction(1, 6))
    for line, factor in (("1:2-", Fraction(1, 6)), ("1:2<", 0), ("1:2#", 0)):
        table = standings(field(2), evenings(line), rules)[1]
        assert {row.player: row.credits[0].factor for row in table.rows}["1"] == factor


def test_withdrawn_players_are_gone_from_all_rounds():
    """The others have the ranks and values, in earlier rounds as well; a win against them is own value (club K9)."""
    players = [*field(3), Competitor("9", 1234, withdrawn=3)]
    table = standings(players, evenings("1:9+ 2:3=\n9:2= 1:3-"), replace(PLAIN, base=Fraction(3)))[1]
    assert table.withdrawn == ("9",)
    assert sorted(row.value for row in table.rows) == [1, 2, 3]
    credit = next(row for row in table.rows if row.player == "1").credits[0]
    assert (credit.opponent, credit.value, credit.factor) == ("9", 3, Fraction(3, 4))


def test_withdrawn_players_can_be_kept():
    """Where a club keeps them, they stay in the ranking and get no further points."""
    players = [*field(3), Competitor("9", 1234, withdrawn=2)]
    table = standings(players, evenings("1:9- 2:3=\n1:3-\n1:2="), replace(PLAIN, withdrawn="kept"))[-1]
    row = next(row for row in table.rows if row.player == "9")
    assert table.withdrawn == ()
    assert [credit.kind for credit in row.credits] == ["win"]


@pytest.mark.parametrize(("ties", "order"), [("start", "a b c"), ("rating", "c a b"), ("name", "b c a")])
def test_equal_points(ties, order):
    """Who stands first with equal points is a setting (club K11)."""
    players = [
        Competitor("a", 1500, "rossi", seed=1),
        Competitor("b", 1400, "Bianchi", seed=2),
        Competitor("c", 1600, "Neri", seed=3),
    ]
    table = standings(players, evenings("au bu cu"), replace(PLAIN, own_value="none", ties=ties))[1]
    assert table.order == tuple(order.split())


def test_a_newcomer_changes_every_value():
    """One player more raises the top value of all rounds, also of those before they joined."""
    rounds = evenings("1:2+ 3:4+")
    before = standings(field(4), rounds, PLAIN)[1]
    after = standings([*field(4), Competitor("9", 1234, joined=2)], rounds, PLAIN)[1]
    assert before.rows[0].value == 4
    assert after.rows[0].value == 6


def test_final_ranking_needs_enough_games():
    """Who has too few games at the board is listed outside; their results still count for opponents (club P15)."""
    table = standings(field(4), evenings("1:2+ 3:4-\n1:3> 2:4="), PLAIN)[-1]
    inside, outside = final_ranking(table, 2)
    assert {row.player for row in inside} == {"2", "4"}
    assert {row.player for row in outside} == {"1", "3"}
    assert [row.rank for row in inside] == sorted(row.rank for row in inside)


def test_table_before_the_first_round():
    """Table 0 is the start order with everybody's start value, whatever the rules."""
    table = standings(field(3), (), PLAIN)[0]
    assert points(table) == {"1": 3, "2": 2, "3": 1}
    assert (table.round, table.held, table.note) == (0, False, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1:2+ 1e", "round 1: 1 is in it 2 times"),
        ("1:1+", "round 1: 1 is in it 2 times"),
        ("\n1:8+", "round 2: 8 is not a player"),
        ("1:3+", "round 1: 3 joins only in round 2"),
        ("1:2+\n1:2+\n4:2+", "round 3: 4 has withdrawn in round 3"),
    ],
)
def test_impossible_rounds_are_refused(text, message):
    """Every player once a round, and only while they take part."""
    players = [*field(2), Competitor("3", 1300, joined=2), Competitor("4", 1200, withdrawn=3)]
    rounds = [evenings(line or "1:2+")[0] for line in text.split("\n")]
    with pytest.raises(ValueError, match=message):
        standings(players, rounds, PLAIN)


@pytest.mark.parametrize(
    ("players", "message"),
    [
        ([Competitor("1", 1500), Competitor("2", 1500)], "two players have the rating 1500"),
        ([Competitor("1", 1500), Competitor("2")], "2 has no rating: estimate one"),
        ([Competitor("1", 1500), Competitor("1", 1400)], "two players have the id 1"),
        ([Competitor("1", seed=1), Competitor("2", seed=1)], "two players have the seed 1"),
        (
            [Competitor("1", 1500, seed=1), Competitor("2", 1400)],
            "2 has no seed: either all players have one or none",
        ),
    ],
)
def test_unclear_start_orders_are_refused(players, message):
    """Ratings are unique and everybody has one, unless everybody has a seed (club P1)."""
    with pytest.raises(ValueError, match=message):
        standings(players, ())


def test_seeds_decide_before_ratings():
    """With a seed for everybody, ratings may be equal or missing."""
    players = [Competitor("1", 1500, seed=2), Competitor("2", 1500, seed=1), Competitor("3", seed=3)]
    assert standings(players, ())[0].order == ("2", "1", "3")


def test_nobody_at_all():
    """A tournament without players has empty tables."""
    assert standings((), evenings(" \n")) == standings((), evenings(" \n"))
    assert standings((), ())[0].rows == ()


@pytest.mark.parametrize("result", GameResult)
def test_half_points_of_both_sides(result):
    """A game gives two half points in all, but none when nobody came."""
    total = result.points(white=True) + result.points(white=False)
    assert total == (0 if result is GameResult.BOTH_ABSENT else 2)
