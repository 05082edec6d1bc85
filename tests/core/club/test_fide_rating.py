"""FIDE ratings: changes, first ratings, and the rules by date."""

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.fide_editions import EDITIONS, edition_on
from core.club.fide_rating import (
    HALVES,
    INITIAL,
    K_LOWERED,
    fide_change,
    fide_expected,
    fide_initial,
    fide_k,
)
from core.club.rated_games import RatedGame, rounded
from tests.core.club.rated import games

HALF = Fraction(1, 2)
scores = st.sampled_from([Fraction(0), HALF, Fraction(1)])
differences = st.integers(-1500, 1500)


@pytest.mark.parametrize(
    ("difference", "hundredths"),
    [
        (0, 50),
        (3, 50),
        (4, 51),
        (10, 51),
        (25, 53),
        (61, 58),
        (100, 64),
        (200, 76),
        (391, 91),
        (392, 92),
        (400, 92),
        (411, 92),
        (412, 93),
        (735, 99),
        (736, 100),
        (5000, 100),
        (-4, 49),
        (-100, 36),
        (-736, 0),
    ],
)
def test_expected_scores_of_the_table(difference, hundredths):
    """The table 8.1.2, not the formula."""
    assert fide_expected(difference) == Fraction(hundredths, 100)


# The last difference that is expected to score .50, .51, … .99 in FIDE's table 8.1.2; above, 1.
LAST = """
3 10 17 25 32 39 46 53 61 68 76 83 91 98 106 113 121 129 137 145 153 162 170 179 188
197 206 215 225 235 245 256 267 278 290 302 315 328 344 357 374 391 411 432 456 484 517 559 619 735
"""


def test_every_line_of_the_table():
    """Each interval of the table 8.1.2, from its first to its last difference, for both players."""
    first = 0
    for hundredths, last in enumerate([*map(int, LAST.split()), 2000], start=50):
        for difference in range(first, last + 1):
            assert fide_expected(difference) == Fraction(hundredths, 100)
            assert difference == 0 or fide_expected(-difference) == Fraction(100 - hundredths, 100)
        first = last + 1


@given(differences, differences)
def test_expected_scores_make_one_and_rise(one, other):
    """Both players' expectations make 1, and a greater difference never makes a smaller one."""
    assert fide_expected(one) + fide_expected(-one) == 1 or one == 0
    if one <= other:
        assert fide_expected(one) <= fide_expected(other)


@pytest.mark.parametrize(
    ("rating", "options", "k"),
    [
        (1800, {"games": 10}, 40),
        (1800, {"games": 30}, 20),
        (1800, {"games": 300, "age": 16}, 40),
        (2299, {"games": 300, "age": 18}, 40),
        (2300, {"games": 300, "age": 16}, 20),
        (1800, {"games": 300, "age": 19}, 20),
        (2400, {"games": 10}, 10),
        (2350, {"games": 300, "reached_2400": True}, 10),
        (2399, {"games": 300}, 20),
    ],
)
def test_k(rating, options, k):
    """40 for the new and the young, 10 once 2400 was reached, 20 for all others."""
    assert fide_k(rating, **options) == k


def test_a_change():
    """Three games, added up exactly and rounded once."""
    found = fide_change(2000, games((2000, 1), (1900, HALF), (2100, 0)), k=20)
    assert found.expected == Fraction(150, 100)
    assert (found.exact, found.after, found.unverified) == (0, 2000, ())
    assert fide_change(1800, games((1900, 1)), k=40).exact == Fraction(256, 10)


def test_differences_count_at_most_400():
    """More than 400 counts as 400, in every game."""
    assert fide_change(2000, games((1500, 1), (1000, 1)), k=20).exact == 2 * 20 * Fraction(8, 100)
    assert fide_change(2000, games((2700, 0)), k=20).exact == -20 * Fraction(8, 100)


def test_from_2650_on_differences_count_in_full():
    """For the strongest a difference over 400 counts in full, since 1 October 2025 only."""
    assert fide_change(2700, games((2000, 1)), k=10).exact == Fraction(1, 10)
    assert fide_change(2649, games((2000, 1)), k=10).exact == Fraction(8, 10)
    before = edition_on(date(2025, 9, 30))
    assert fide_change(2700, games((2000, 1)), k=10, edition=before).exact == Fraction(8, 10)


def test_before_march_2024_more_than_400_counted_as_400_once():
    """The greatest difference of the higher player is cut, the others count in full; the lower one's always are."""
    before, after = edition_on(date(2024, 2, 29)), edition_on(date(2024, 3, 1))
    two = games((1500, 1), (1000, 1))
    assert fide_change(2000, two, k=20, edition=before).exact == 20 * (Fraction(8, 100) + Fraction(4, 100))
    assert fide_change(2000, two, k=20, edition=after).exact == 20 * 2 * Fraction(8, 100)
    assert fide_change(1000, games((2000, 1), (1900, 0)), k=20, edition=before).expected == Fraction(16, 100)
    assert edition_on(date(2021, 12, 31)).capped_once is False


@pytest.mark.parametrize(
    ("day", "floor", "hypothetical"),
    [
        (date(1999, 1, 1), 1000, False),
        (date(2024, 2, 29), 1000, False),
        (date(2024, 3, 1), 1400, True),
        (None, 1400, True),
    ],
)
def test_the_rules_of_a_day(day, floor, hypothetical):
    """The floor and first ratings are those of the day; without a day the newest."""
    found = edition_on(day)
    assert (found.floor, found.hypothetical) == (floor, hypothetical)
    assert list(EDITIONS) == sorted(EDITIONS, key=lambda one: one.since)


@pytest.mark.parametrize(
    ("number", "wanted"), [("2.5", 3), ("-2.5", -3), ("1.5", 2), ("0.49", 0), ("-0.5", -1)]
)
def test_halves_go_away_from_zero(number, wanted):
    """Unlike Python's own rounding."""
    assert rounded(Fraction(number)) == wanted


def test_a_rounded_half_is_told():
    """A change that ends in a half is marked: how it is rounded could not be verified."""
    found = fide_change(2400, games((2400, 1), (2400, HALF), (2393, HALF), (2400, HALF)), k=10)
    assert found.exact == Fraction(49, 10)
    half = fide_change(1500, games((1500, 1), (1500, 1), (1500, HALF)), k=5)
    assert (half.exact, half.after, half.unverified) == (5, 1505, ())
    half = fide_change(1500, games((1500, 1)), k=5)
    assert (half.exact, half.after, half.unverified) == (Fraction(5, 2), 1503, (HALVES,))


def test_many_games_lower_k():
    """K times the number of games is at most 700; marked as unverified."""
    found = fide_change(1500, games(*[(1500, HALF)] * 20), k=40)
    assert (found.coefficient, found.unverified) == (35, (K_LOWERED,))
    assert fide_change(1500, games(*[(1500, HALF)] * 17), k=40).coefficient == 40


def test_no_games_change_nothing():
    """No game, no change, no remark."""
    assert fide_change(1500, [], k=40).after == 1500


@given(st.integers(1400, 2649), st.lists(st.builds(RatedGame, st.integers(1400, 2800), scores), max_size=10))
def test_a_change_is_the_sum_of_its_games(rating, played):
    """The exact change is the sum of the changes of the games."""
    single = [fide_change(rating, [game], k=20).exact for game in played]
    assert fide_change(rating, played, k=20).exact == sum(single, Fraction(0))


def test_initial_ratings():
    """Two draws against 1800 are added; the result is marked as unverified."""
    even = fide_initial(games(*[(1800, HALF)] * 5))
    assert (even.rating, even.unverified) == (1800, (INITIAL,))
    highest = fide_initial(games(*[(2700, 1)] * 9))
    assert highest.rating == 2200
    assert highest.how.endswith(", at most 2200")
    four_of_five = fide_initial(games((1600, 1), (1700, 1), (1800, 1), (1900, 1), (2000, 0)))
    assert four_of_five.rating == 1800 + 158
    assert four_of_five.how == "with two draws against 1800 5 of 7, 71 %: 1800 +158 = 1958"


def test_first_ratings_before_march_2024():
    """The average of the opponents, and 20 points for each half point above a half score."""
    before = edition_on(date(2023, 5, 1))
    found = fide_initial(games(*[(1500, 1)] * 4, (1500, 0)), before)
    assert found.rating == 1500 + 60
    assert fide_initial(games(*[(1200, 0)] * 4, (1200, 1)), before).rating is None
    assert fide_initial(games(*[(1300, 0)] * 4, (1300, 1)), before).rating == 1300 - 240


@pytest.mark.parametrize(
    ("played", "reason"),
    [
        (games(*[(1800, 1)] * 4), "4 of 5 games"),
        (games(*[(1800, 0)] * 5), "no point"),
        (games(*[(1400, 0)] * 5, (1400, HALF)), "is below 1400"),
    ],
)
def test_no_initial_rating_yet(played, reason):
    """Too few games, no point, or too low: no rating, and the reason."""
    found = fide_initial(played)
    assert found.rating is None
    assert reason in found.reason


@pytest.mark.parametrize("score", [Fraction(2), Fraction(-1), Fraction(1, 3)])
def test_scores(score):
    """A game is worth 1, 1/2 or 0."""
    with pytest.raises(ValueError, match="a game is worth"):
        RatedGame(1500, score)
