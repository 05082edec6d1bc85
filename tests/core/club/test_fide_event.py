"""Tournaments rated by FIDE's rules."""

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club import fide_event
from core.club.chess_rating_list import ChessList, KnownPlayer
from core.club.fide_event import ASSUMED_AGE, ASSUMED_GAMES, ASSUMED_PEAK, NO_POINT, STORED
from core.club.rating_outcomes import OPPONENT_UNRATED, known_players
from tests.core.club.rated import contest, games

DAY = date(2026, 11, 24)
HALF = Fraction(1, 2)


def rated(lines, *known, day=DAY):
    """Rate a tournament of these players, given by rating or whole."""
    players = [
        one if isinstance(one, KnownPlayer) else KnownPlayer(f"P{n}", rating=one)
        for n, one in enumerate(known, 1)
    ]
    return fide_event.rate(contest(*lines), players, day)


def test_each_game_and_all_together():
    """Two games of a 1850 with K 20, worked out by hand: +60 is 0.58, +430 counts as +400, which is 0.92."""
    first, *_ = rated(["2+ 3-", "1-", "1+"], 1850, 1790, 1420)
    assert [(one.difference, one.expected, one.change) for one in first.lines] == [
        (60, Fraction(58, 100), Fraction(84, 10)),
        (400, Fraction(92, 100), Fraction(-184, 10)),
    ]
    assert first.lines[1].why == "+430 counts as +400"
    assert (first.games, first.score, first.expected) == (2, 1, Fraction(150, 100))
    assert (first.exact, first.change, first.after.rating, first.why) == (-10, -10, 1840, ("K 20",))


@pytest.mark.parametrize(
    ("known", "k", "assumed"),
    [
        (KnownPlayer("P1", rating=1800, games=10), 40, ()),
        (KnownPlayer("P1", rating=1800, games=50, born=2008), 40, ()),
        (KnownPlayer("P1", rating=1800, games=50, born=2007), 20, ()),
        (KnownPlayer("P1", rating=1800), 20, (ASSUMED_GAMES, ASSUMED_AGE)),
        (KnownPlayer("P1", rating=1800, games=50), 20, (ASSUMED_AGE,)),
        (KnownPlayer("P1", rating=1800, born=1990), 20, (ASSUMED_GAMES,)),
        (KnownPlayer("P1", rating=2350, games=50), 20, (ASSUMED_PEAK,)),
        (KnownPlayer("P1", rating=2350, highest=2400), 10, ()),
        (KnownPlayer("P1", rating=2350, games=50, highest=2399), 20, ()),
        (KnownPlayer("P1", rating=2450), 10, ()),
        (KnownPlayer("P1", rating=1800, k=40), 40, ()),
    ],
)
def test_k_and_what_was_assumed_for_it(known, k, assumed):
    """K by games, age and peak; only what could have changed it is told as assumed."""
    first, _ = rated(["2+", "1-"], known, 1800)
    assert (first.coefficient, first.assumed) == (k, assumed)


def test_many_games_lower_k():
    """K 40 and eighteen games are more than 700: K is 38 then, and the line says why."""
    first, _ = rated(
        [" ".join(["2="] * 18), " ".join(["1="] * 18)], KnownPlayer("P1", rating=1500, games=0), 1500
    )
    assert (first.coefficient, first.why) == (38, ("K 38, for 18 games × 40 are more than 700",))


def test_games_against_unrated_players_count_for_nobody_but_the_unrated():
    """They change no rating; for the unrated player they count towards the first one."""
    first, second = rated(["2+", "1-"], 1800, None)
    assert (first.method, first.games, first.after.rating) == ("no games", 0, 1800)
    assert first.lines[0].why == OPPONENT_UNRATED
    assert (second.method, second.games) == ("unrated", 1)


@pytest.mark.parametrize(("day", "method"), [(date(2024, 2, 29), "change"), (date(2024, 3, 1), "unrated")])
def test_a_player_below_the_floor_is_unrated(day, method):
    """1399 is not a rating since March 2024, and was one before."""
    first, second = rated(["2=", "1="], 1399, 1500, day=day)
    assert first.method == method
    assert (second.games == 0) == (method == "unrated")
    if method == "unrated":
        assert first.why[0] == "1399 is below 1400: counts as unrated"


def test_falling_below_the_floor():
    """Who falls below 1400 has no rating from then on; the change is still told."""
    first, _ = rated(["2- 2-", "1+ 1+"], 1405, 1500)
    assert (first.after.rating, first.change_by) == (None, -15)
    assert first.why == ("K 20", "1390 is below 1400: unrated from now on")


def test_a_first_rating():
    """Five games against rated opponents and two draws against 1800."""
    *_, new = rated(["6-"] * 5 + ["1+ 2+ 3= 4- 5-"], 1700, 1750, 1800, 1850, 1900, None)
    assert (new.method, new.after.rating, new.after.games) == ("first", 1800, 5)
    assert new.why[0] == "first rating from 5 games"
    assert new.after.stored == ()


def test_games_are_stored_for_a_first_rating():
    """Too few games are kept for the next tournament, and count there."""
    *_, new = rated(["4=", "4=", "4=", "1= 2= 3="], 1800, 1800, 1800, None)
    assert (new.method, len(new.after.stored)) == ("unrated", 3)
    *_, again = rated(["3=", "3=", "1= 2="], 1800, 1800, new.after)
    assert (again.after.rating, again.games) == (1800, 2)
    assert again.why[0] == "first rating from 5 games, 3 of them from before"
    assert STORED in again.unverified


def test_a_first_tournament_without_a_point_does_not_count():
    """Its games are not stored; with a point from before they count."""
    lines = ["2+", "1-"]
    assert rated(lines, 1800, None)[1].after.stored == ()
    assert rated(lines, 1800, None)[1].why == (NO_POINT,)
    later = rated(lines, 1800, KnownPlayer("P2", stored=tuple(games((1700, HALF)))))[1]
    assert later.after.stored == tuple(games((1700, HALF), (1800, 0)))


def test_a_player_without_games():
    """Nothing changes."""
    (only,) = rated([""], 1800)
    assert (only.method, only.after, only.change) == ("no games", only.before, 0)


def test_what_is_kept_for_the_next_tournament():
    """Games are counted; the highest rating is raised; a K that was given is worked out from now on."""
    first, _ = rated(
        ["2+", "1-"], KnownPlayer("P1", rating=2395, games=29, born=1990, highest=2395, k=20), 2400
    )
    assert (first.after.games, first.after.rating, first.after.highest, first.after.k) == (
        30,
        2405,
        2405,
        None,
    )


def test_a_list_decides_who_is_rated():
    """Who is not in a list of ratings has none; one without ratings only adds to what the tournament says."""
    field = contest("2+", "1-")
    listed = ChessList((KnownPlayer("P1", rating=1900, born=2000),), with_ratings=True)
    assert [one.rating for one in known_players(field, listed)] == [1900, None]


@given(
    st.lists(st.tuples(st.integers(1400, 2800), st.sampled_from("+=-")), min_size=1, max_size=9),
    st.integers(1400, 2800),
)
def test_the_games_make_the_change(pairs, rating):
    """What each game brings adds up to the change before rounding, and no game brings more than K."""
    lines = [" ".join(f"{n}{mark}" for n, (_, mark) in enumerate(pairs, 2))]
    lines += ["1" + {"+": "-", "-": "+", "=": "="}[mark] for _, mark in pairs]
    first = rated(lines, rating, *(one for one, _ in pairs))[0]
    assert sum(line.change for line in first.lines) == first.exact
    assert all(abs(line.change) <= first.coefficient for line in first.lines)
