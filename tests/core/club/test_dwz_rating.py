"""The DWZ: changes and first ratings."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.dwz_rating import FASTER, FIRST, SLOWER, dwz_change, dwz_expected, first_dwz
from tests.core.club.rated import games

HALF = Fraction(1, 2)
differences = st.integers(-1500, 1500)


def test_worked_dwz_examples():
    """The two worked examples of C4."""
    first = games((1600, 1), (1400, 1), (1550, 1), (1480, 0), (1700, 0))
    assert dwz_change(1500, first, age=30, index=10).after == 1526
    second = games((1300, HALF), (1250, 0), (1400, 0))
    assert dwz_change(1200, second, age=15, index=4).after == 1161


@pytest.mark.parametrize(
    ("difference", "thousandths"), [(0, 500), (100, 638), (-100, 362), (200, 760), (1000, 1000)]
)
def test_dwz_expected_scores(difference, thousandths):
    """Three digits of the normal distribution."""
    assert dwz_expected(difference) == Fraction(thousandths, 1000)


@given(differences)
def test_dwz_expected_scores_make_one(difference):
    """Both players' expectations make 1."""
    assert dwz_expected(difference) + dwz_expected(-difference) == 1


@pytest.mark.parametrize(
    ("rating", "age", "index", "score", "coefficient"),
    [
        (1500, 30, 10, 1, 20),
        (1500, 23, 10, 1, 15),
        (1500, 18, 10, 1, 8),
        (1500, 18, 10, 0, 10),
        (1500, 30, 3, 1, 15),
        (1500, 30, 1, 1, 5),
        (2400, 30, 10, 1, 30),
        (800, 30, 10, 0, 42),
        (800, 30, 10, 1, 15),
        (100, 30, 10, 0, 150),
        (700, 10, 10, 1, 5),
    ],
)
def test_dwz_coefficients(rating, age, index, score, coefficient):
    """Age, strength, index, acceleration and braking."""
    assert dwz_change(rating, games((rating, score)), age=age, index=index).coefficient == coefficient


def test_unverified_dwz_rules_are_told():
    """Where sources differ, the result says so."""
    assert FASTER in dwz_change(1500, games((1500, 0)), age=18, index=9).unverified
    assert SLOWER in dwz_change(1200, games((1200, 0)), age=40, index=9).unverified
    assert not {FASTER, SLOWER} & set(dwz_change(1500, games((1500, 0)), age=40, index=9).unverified)


@given(st.integers(100, 2800), st.integers(5, 90), st.integers(1, 50), st.integers(100, 2800))
def test_a_dwz_win_never_costs(rating, age, index, opponent):
    """A win does not lower a DWZ, a loss does not raise it."""
    assert dwz_change(rating, games((opponent, 1)), age=age, index=index).after >= rating
    assert dwz_change(rating, games((opponent, 0)), age=age, index=index).after <= rating


def test_the_index_limits_the_coefficient():
    """Up to 5 for each tournament; an index of 0 counts as 1."""
    found = [dwz_change(1500, games((1500, 1)), age=30, index=index).coefficient for index in (0, 1, 2, 4, 9)]
    assert found == [5, 5, 10, 20, 20]


def test_a_first_dwz():
    """3.5 of 5 against 1346 on average: not the average and what 70 % are worth (1491), but where both scores agree."""
    found = first_dwz(games((1300, 1), (1540, HALF), (1200, 0), (1290, 1), (1400, 1)))
    assert (found.rating, found.unverified) == (1505, (FIRST,))
    assert found.how == "3.5 of 5 were to be expected at 1505"
    assert first_dwz(games(*[(1600, HALF)] * 5)).rating == 1600


def test_a_low_first_dwz_is_drawn_up():
    """A performance below 800 makes 700 and an eighth of it."""
    found = first_dwz(games(*[(700, HALF)] * 6))
    assert found.rating == 788
    assert "700 + 700 / 8 = 788" in found.how


@pytest.mark.parametrize(
    ("played", "reason"),
    [
        (games(*[(1500, HALF)] * 4), "4 of 5 games"),
        (games(*[(1500, 1)] * 5), "all 5 games are won"),
        (games(*[(1500, 0)] * 6), "all 6 games are lost"),
        ([], "0 of 5 games"),
    ],
)
def test_no_first_dwz_yet(played, reason):
    """Too few games, only wins or only losses: none yet, and why."""
    found = first_dwz(played)
    assert found.rating is None
    assert reason in found.reason


@given(st.lists(st.tuples(st.integers(500, 2500), st.sampled_from([0, HALF, 1])), min_size=5, max_size=9))
def test_a_first_dwz_is_what_the_score_says(pairs):
    """At a first DWZ from 800 on the expected scores make the score, but for what rounding takes."""
    played = games(*pairs)
    found = first_dwz(played)
    if found.rating is not None and found.rating >= 801:
        expected = sum(dwz_expected(found.rating - game.opponent) for game in played)
        assert abs(expected - sum(game.score for game in played)) < Fraction(len(played), 100)


def test_no_games_change_nothing():
    """No game, no change, no remark."""
    found = dwz_change(1500, [], age=30, index=3)
    assert (found.after, found.unverified) == (1500, ())
