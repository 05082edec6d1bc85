"""FESA promotions: by rating, by series, provisional, and looked ahead."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.grades import Grade, at, upper
from core.club.promotion import NEWCOMER, NO_SERIES, GradeStanding, Series, after_event
from tests.core.club.club_data import standing


def test_upper_bound_promotes_at_once():
    """An established player who reaches the upper bound of the next grade has it, and the next again (club R13)."""
    after = after_event(standing("5 Kyu"), before=1300, after=1360, games=1, total=100)
    assert after.grade == Grade(4, "Kyu")
    jump = after_event(standing("5 Kyu"), before=1300, after=1700, games=1, total=100)
    assert jump.grade == Grade(1, "Kyu")


def test_games_above_the_middle_promote():
    """For 4 Kyu six games in a row above the middle are enough."""
    five = after_event(standing("5 Kyu"), before=1330, after=1330, games=5, total=100)
    assert five == GradeStanding(Grade(5, "Kyu"), Series(5, 5, middle_seen=True))
    assert after_event(five, before=1330, after=1330, games=1, total=101).grade == Grade(4, "Kyu")


def test_games_above_the_lower_bound_promote_with_one_above_the_middle():
    """For 4 Kyu twelve games above the lower bound are enough, one of them above the middle."""
    eleven = standing("5 Kyu", 11, 0, middle_seen=True)
    assert after_event(eleven, before=1300, after=1300, games=1, total=100).grade == Grade(4, "Kyu")
    never_above = standing("5 Kyu", 11)
    after = after_event(never_above, before=1300, after=1300, games=1, total=100)
    assert after == standing("5 Kyu", 12)


def test_a_game_below_the_middle_ends_the_row_above_it():
    """Below the middle the row above it begins again, the games above the lower bound go on."""
    after = after_event(
        standing("5 Kyu", 3, 3, middle_seen=True), before=1300, after=1300, games=1, total=100
    )
    assert after.series == Series(4, 0, middle_seen=True)


def test_a_game_below_the_lower_bound_ends_both():
    """Below the lower bound of the next grade all begins again."""
    after = after_event(
        standing("5 Kyu", 9, 3, middle_seen=True), before=1279, after=1279, games=1, total=100
    )
    assert after.series == NO_SERIES


def test_a_series_that_losing_cannot_stop():
    """A player who would be promoted even if they lost every game from now on is promoted now (club R13)."""
    nearly = standing("5 Kyu", 10, 0, middle_seen=True)
    assert after_event(nearly, before=1355, after=1355, games=1, total=100).grade == Grade(4, "Kyu")
    assert after_event(nearly, before=1290, after=1290, games=1, total=100).grade == Grade(5, "Kyu")


def test_the_rating_changes_evenly_over_the_games():
    """Of four games from 1270 to 1310 the last three are played above 1280."""
    after = after_event(standing("5 Kyu"), before=1270, after=1310, games=4, total=100)
    assert after.series == Series(4, 0)
    lower = after_event(standing("5 Kyu"), before=1260, after=1300, games=4, total=100)
    assert lower.series == Series(3, 0)


def test_provisional_players_need_a_grade_more():
    """From 9 to 17 games only the upper bound of the grade above the next one promotes (club R14)."""
    assert after_event(standing("5 Kyu"), before=1400, after=1459, games=3, total=14).grade == Grade(5, "Kyu")
    assert after_event(standing("5 Kyu"), before=1400, after=1460, games=3, total=14).grade == Grade(4, "Kyu")


def test_an_unrated_player_has_no_grade():
    """With fewer than nine games nobody is promoted; with the ninth they are."""
    assert after_event(NEWCOMER, before=None, after=2337, games=8, total=8).grade is None
    assert after_event(NEWCOMER, before=None, after=2337, games=9, total=9).grade == Grade(3, "Dan")


def test_becoming_established_inside_an_event():
    """The games up to the seventeenth are judged as provisional, the later ones as established."""
    after = after_event(standing("4 Kyu"), before=1524, after=1520, games=6, total=18)
    assert after.grade == Grade(3, "Kyu")
    assert after_event(standing("4 Kyu"), before=1524, after=1520, games=6, total=17).grade == Grade(4, "Kyu")


@pytest.mark.parametrize("grade", [Grade(7, "Dan"), Grade(5, "Pro")])
def test_the_end_of_the_scale(grade):
    """7 Dan and professionals are not promoted."""
    assert after_event(GradeStanding(grade), before=3500, after=3500, games=20, total=100).grade == grade


steps = st.integers(0, 26)


@given(steps, st.integers(1, 3000), st.integers(1, 3000), st.integers(1, 20), st.integers(0, 60))
def test_nobody_is_demoted(step, before, after, games, earlier):
    """A grade is never lost, and no promotion goes beyond what the highest rating is worth."""
    found = after_event(
        GradeStanding(at(step)), before=before, after=after, games=games, total=earlier + games
    )
    assert found.grade.step >= step
    if found.grade.step > step:
        assert max(before, after) >= upper(found.grade.step - 1)


@given(steps, st.integers(1, 3000), st.integers(1, 9), st.integers(1, 9))
def test_two_events_at_one_rating_are_like_one(step, rating, first, second):
    """The series goes on over events: at one rating, two events promote as one does that has their games."""
    begun = GradeStanding(at(step))
    once = after_event(begun, before=rating, after=rating, games=first + second, total=200)
    half = after_event(begun, before=rating, after=rating, games=first, total=200 - second)
    twice = after_event(half, before=rating, after=rating, games=second, total=200)
    if half.grade == begun.grade:
        assert twice == once


@given(st.integers(0, 3000))
def test_series_count_one_game(rating):
    """One game adds at most one to each count."""
    series = Series(3, 2, middle_seen=True).with_game(Fraction(rating), 10)
    assert series.above_lower in (0, 4)
    assert series.above_middle in (0, 3)
