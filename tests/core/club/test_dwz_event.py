"""Tournaments rated by the rules of the DWZ."""

from datetime import date
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from core.club import dwz_event
from core.club.chess_rating_list import KnownPlayer
from core.club.dwz_event import ASSUMED_AGE, ASSUMED_INDEX
from tests.core.club.rated import contest, games

DAY = date(2026, 11, 24)


def rated(lines, *known):
    """Rate a tournament of these players, given by rating or whole."""
    players = [
        one if isinstance(one, KnownPlayer) else KnownPlayer(f"P{n}", rating=one)
        for n, one in enumerate(known, 1)
    ]
    return dwz_event.rate(contest(*lines), players, DAY)


def test_the_worked_example():
    """1500-10, 30 years old, 3 of 5 against 1600, 1400, 1550, 1480, 1700: 1526."""
    first, *_ = rated(
        ["2+ 3+ 4+ 5- 6-", "1-", "1-", "1-", "1+", "1+"],
        KnownPlayer("P1", rating=1500, index=10, born=1996),
        *(1600, 1400, 1550, 1480, 1700),
    )
    assert (first.after.rating, first.after.index, first.coefficient) == (1526, 11, 20)
    assert first.assumed == ()


def test_what_is_not_known_is_assumed():
    """Older than 25 and a settled index, each told."""
    first, _ = rated(["2+", "1-"], 1500, 1500)
    assert first.assumed == (ASSUMED_AGE, ASSUMED_INDEX)
    young, _ = rated(["2+", "1-"], KnownPlayer("P1", rating=1500, index=9, born=2010), 1500)
    assert (young.assumed, young.coefficient < first.coefficient) == ((), True)


def test_a_first_dwz_and_leftover_games():
    """Five games make the first, with index 1; before that, and with only wins, they are kept."""
    opponents = (1500, 1550, 1600, 1650, 1700)
    *_, new = rated(["6+", "6-", "6-", "6+", "6=", "1- 2+ 3+ 4- 5="], *opponents, None)
    assert (new.method, new.after.index, new.after.stored) == ("first", 1, ())
    *_, wins = rated(["6-", "6-", "6-", "6-", "6-", "1+ 2+ 3+ 4+ 5+"], *opponents, None)
    assert (wins.after.rating, len(wins.after.stored)) == (None, 5)
    assert "all 5 games are won" in wins.why[0]
    _, later = rated(["2+", "1-"], 1500, wins.after)
    assert (later.method, later.after.index) == ("first", 1)


def test_games_against_players_without_a_dwz_do_not_count():
    """Neither do they for the one who has one."""
    first, _ = rated(["2+", "1-"], 1500, None)
    assert (first.method, first.games, first.after.rating) == ("no games", 0, 1500)


def test_no_games_raise_no_index():
    """Who did not play keeps DWZ and index."""
    (only,) = rated([""], KnownPlayer("P1", rating=1500, index=4))
    assert only.after == only.before


@given(st.lists(st.tuples(st.integers(500, 2500), st.sampled_from("+=-")), min_size=1, max_size=9))
def test_the_games_make_the_change(pairs):
    """What each game brings adds up to the change before rounding."""
    lines = [" ".join(f"{n}{mark}" for n, (_, mark) in enumerate(pairs, 2))]
    lines += ["1" + {"+": "-", "-": "+", "=": "="}[mark] for _, mark in pairs]
    first = rated(lines, 1400, *(one for one, _ in pairs))[0]
    assert sum((line.change for line in first.lines), Fraction(0)) == first.exact


def test_stored_games_are_told():
    """A first DWZ says how many of its games are from before."""
    known = KnownPlayer("P2", stored=tuple(games(*[(1500, Fraction(1, 2))] * 4)))
    _, new = rated(["2+", "1-"], 1500, known)
    assert new.why[0] == "first DWZ from 5 games, 4 of them from before"
