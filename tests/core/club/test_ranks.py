"""Who of a table has a rank (club P15), where those stand who have not played, and what the table says of it."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.keizer import standings
from core.club.keizer_settings import KeizerSettings
from core.club.ranks import final_ranking, notes, ranked
from core.club.start_order import StartField
from tests.core.club.notation import evenings, field
from tests.core.club.random_tournaments import tournament
from tests.examples import examples

RULES = KeizerSettings(planned_rounds=3)


def _ranks(text, count=4, rules=RULES):
    return [row.player for row in ranked(standings(field(count), evenings(text), rules)[-1], rules)]


@pytest.mark.parametrize(
    ("planned", "needed"), [(1, 1), (2, 2), (3, 2), (5, 4), (7, 5), (8, 6), (9, 6), (10, 7), (11, 8)]
)
def test_two_thirds_of_the_planned_rounds(planned, needed):
    """Without a number it is two thirds of the planned rounds, rounded up."""
    assert KeizerSettings(planned_rounds=planned).games_needed == needed
    assert KeizerSettings(planned_rounds=planned, minimum_games=0).games_needed == 0


def test_who_has_not_played_has_no_rank():
    """Neither by the bonus, nor by a bye, a forfeit or a game still to be played: only games at the board count."""
    assert _ranks("1:2+ 3e 4b") == ["1", "2"]
    assert _ranks("1:2+ 3:4>") == ["1", "2"]
    assert _ranks("1:2+ 3:4?") == ["1", "2"]


def test_nobody_without_a_game_is_ranked_at_the_end():
    """Not even where no number of games is asked for."""
    rules = replace(RULES, minimum_games=0)
    assert _ranks("1:2+ 4e\n1:3+ 4e\n2:3+ 4e", rules=rules) == ["1", "2", "3"]


def test_before_round_1_the_start_order_is_the_ranking():
    """The list before the first round numbers everybody."""
    assert [row.player for row in ranked(standings(field(4), [], RULES)[0], RULES)] == ["1", "2", "3", "4"]


def test_two_thirds_are_asked_for_only_at_the_end():
    """After two of three rounds one game is enough, after the third it takes two."""
    text = "1:2+ 3:4+\n1:3+ 2e 4e"
    assert set(_ranks(text)) == {"1", "2", "3", "4"}
    assert set(_ranks(f"{text}\n1:3+ 2e 4e")) == {"1", "3"}


def test_who_has_not_played_stands_by_rating():
    """Between winners with more points and losers with fewer, wherever the bonus would put them, until they play."""
    table = standings(field(6), evenings("1:3+ 2:5+ 4e 6e"), RULES)[-1]
    assert table.order.index("4") == 3
    assert table.order.index("6") == 5
    assert {row.player: row.next_value for row in table.rows if not row.counted} == {
        "4": table.rows[3].next_value,
        "6": table.rows[5].next_value,
    }
    after = standings(field(6), evenings("1:3+ 2:5+ 4e 6e\n6:1+ 2:4+ 3e 5e"), RULES)[-1]
    assert after.order.index("6") < after.order.index("4")


def test_by_points_they_stand_where_the_bonus_puts_them():
    """With the bonus of earlier versions the weakest, without a game, stands above somebody who has lost."""
    by_points = replace(RULES, newcomers="points", bonus_spread=Fraction(0))
    text = "1:2+ 3:4+ 5:6+ 7e"
    assert standings(field(7), evenings(text), RULES)[-1].order[-1] == "7"
    assert standings(field(7), evenings(text), by_points)[-1].order[-1] != "7"


@examples(60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_newcomers_stand_by_rating_in_every_table(seed):
    """In any tournament: who has no counted game yet has the place of their rating, all others go by points."""
    players, rounds, settings = tournament(seed)
    settings = replace(settings, newcomers="rating")
    for table in standings(players, rounds, settings)[1:]:
        its = StartField.of([next(p for p in players if p.id == i) for i in sorted(table.order)], settings)
        by_rating = [its.ids[number] for number in its.by_rating]
        for place, row in enumerate(table.rows):
            if not row.counted:
                assert by_rating[place] == row.player
        played = [row.points for row in table.rows if row.counted]
        assert played == sorted(played, reverse=True)


@examples(60, deadline=None)
@given(seed=st.integers(0, 10**6), newcomers=st.sampled_from(["rating", "points"]))
def test_no_table_ranks_anybody_without_a_game(seed, newcomers):
    """Whatever the settings, after any round."""
    players, rounds, settings = tournament(seed)
    settings = replace(settings, newcomers=newcomers)
    for table in standings(players, rounds, settings)[1:]:
        assert all(row.counted for row in ranked(table, settings))
        assert all(row.counted for row in final_ranking(table, 0)[0])


def test_what_the_table_says():
    """How many games it takes, who has none, and for whom it is too late; at the end only what holds."""
    rules = KeizerSettings(planned_rounds=4)
    tables = standings(field(4), evenings("1:2+ 3e 4e\n1:3+ 2e 4e\n1:2+ 3e 4e\n1:3+ 2e 4e"), rules)
    assert notes(tables[0], rules) == ()
    assert notes(tables[1], rules) == (
        "ranked at the end: players with at least 3 of 4 games",
        "players who have not played yet have no rank, and are placed where the rating puts them",
    )
    assert notes(tables[2], rules)[-1] == "too few rounds are left to be ranked at the end for 4"
    assert notes(tables[4], rules) == (
        "ranked: players with at least 3 of 4 games",
        "players who have not played have no rank",
    )


def test_a_share_by_rating_needs_no_ratings():
    """Where an order is given and nobody has a rating, the order is taken for it."""
    players = [replace(player, rating=None, seed=number) for number, player in enumerate(field(3), start=1)]
    table = standings(players, evenings("1e 2e 3e"), RULES)[-1]
    assert [row.player for row in table.rows] == ["1", "2", "3"]
    assert [row.credits[0].factor for row in table.rows] == [Fraction(3, 4), Fraction(1, 2), Fraction(1, 4)]
