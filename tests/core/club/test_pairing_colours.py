"""Who has white, club P6 to P9 one after the other."""

import pytest

from core.club.pairing_colours import colours
from core.club.pairing_history import History
from tests.core.club.notation import evenings


def white(text, better="1", other="2"):
    """Who has white after these rounds, and why."""
    sides = colours(better, other, History.of(evenings(text)))
    assert {sides.white, sides.black} == {better, other}
    return sides.white, sides.why


@pytest.mark.parametrize(
    ("text", "expected", "why"),
    [
        ("1:2+\n2:3+\n2:3+\n1:3+", "2", "reversed against their game in round 1"),
        ("1:2+\n2:1+\n3:1+\n2:3+", "1", "reversed against their game in round 2"),
        ("1:3+ 4:2+", "2", "2 had white in 0 of 1 game, 1 had white in 1 of 1 game"),
        ("3:1+ 2:4+", "1", "1 had white in 0 of 1 game, 2 had white in 1 of 1 game"),
        ("1:3+\n4:1+", "1", "equal shares of white; only 1 had black in the last round"),
        ("1:3+ 4:2+\n3:1+ 2:4+", "1", "equal shares of white; only 1 had black in the last round"),
        ("1:3+ 2:4+\n3:1+ 4:2+", "1", "nothing decides between them; 1 is higher"),
        ("\n", "1", "nothing decides between them; 1 is higher"),
    ],
)
def test_the_rules_in_order(text, expected, why):
    """A rematch reverses the last game, then the smaller share of whites, then black in the last round, then the place."""
    assert white(text) == (expected, why)


def test_reversal_comes_before_shares():
    """The one who had white the first time has black, though they had less white in all (club P6 over club P7)."""
    assert white("1:2+\n3:1+\n4:1+ 2:3+")[0] == "2"


def test_no_games_count_as_half():
    """A newcomer has white against one with more than half, and black against one with less (club P7)."""
    assert white("1:3+")[0] == "2"
    assert white("3:1+")[0] == "1"
    assert "2 has no games yet, which counts as a half" in white("3:1+")[1]


@pytest.mark.parametrize("last", ["1e", "1b", "3:1>", "3:1<"])
def test_no_black_without_a_game_in_the_last_round(last):
    """Absent, bye and forfeit in the last round do not count as black (club P8, K8)."""
    sides = white(f"1:3+ 2:4+\n3:1+ 4:2+\n{last} 2e")
    assert sides == ("1", "nothing decides between them; 1 is higher")


def test_black_in_the_last_round_goes_before_the_place():
    """The lower placed has white where only they had black in the last round (club P8 over club P9)."""
    assert white("3:1+ 2:4+\n1:3+ 4:2+")[0] == "2"


def test_the_better_placed_is_who_stands_higher_now():
    """The place decides, not the name or the order of entry (club P9)."""
    assert white("\n", better="9", other="1")[0] == "9"
