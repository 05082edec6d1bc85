"""The table of a group within a tournament, and who moves between groups."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.groups import group_table, moved
from tests.core.club.notation import evenings


def test_only_first_games_within_the_group_count():
    """Games against others and second meetings are not in the table of the group; a forfeited one is."""
    rounds = evenings("1:2+ 3:9+\n2:3= 1:9-\n2:1+ 9:3-\n1:3< 2:9+")
    rows = group_table(["1", "2", "3"], rounds)
    assert [(row.player, row.points, row.games, row.wins) for row in rows] == [
        ("3", Fraction(3, 2), 2, 1),
        ("1", 1, 2, 1),
        ("2", Fraction(1, 2), 2, 0),
    ]


def test_sonneborn_berger_decides():
    """With equal points the one who beat the better ones is first; then wins, then the order given."""
    rows = group_table(["1", "2", "3", "4"], evenings("1:4+ 2:3+\n3:1+ 4:2+\n1:2= 3:4="))
    assert [(row.player, row.points, row.berger) for row in rows] == [
        ("1", Fraction(3, 2), Fraction(9, 4)),
        ("2", Fraction(3, 2), Fraction(9, 4)),
        ("3", Fraction(3, 2), Fraction(9, 4)),
        ("4", Fraction(3, 2), Fraction(9, 4)),
    ]
    rows = group_table(["1", "2", "3"], evenings("1:3+\n2:1+\n3:2="))
    assert [row.player for row in rows] == ["2", "1", "3"]


def test_without_games():
    """Before the first game everybody has nothing, in the order given; an open game is none."""
    assert [row.player for row in group_table(["b", "a"], evenings("a:b?"))] == ["b", "a"]
    assert group_table([], []) == ()


def test_who_has_not_played_comes_last():
    """After those who lost all their games, the first in the order given is first."""
    rows = group_table(["1", "2", "3"], evenings("2:3+"))
    assert [row.player for row in rows] == ["2", "3", "1"]


def test_up_and_down():
    """One goes up from each level and one goes down; the rest stay."""
    levels = {"A": ["1", "2", "3"], "B": ["4", "5", "6"], None: ["7", "8"]}
    assert moved(levels, 1) == {
        "1": "A",
        "2": "A",
        "4": "A",
        "3": "B",
        "5": "B",
        "7": "B",
        "6": None,
        "8": None,
    }
    assert moved(levels, 0) == {one: name for name, players in levels.items() for one in players}


def test_nobody_moves_where_there_is_one_level():
    """A tournament without groups has nobody to move, and says so."""
    with pytest.raises(ValueError, match="no two groups"):
        moved({None: ["1", "2"]}, 1)


@given(st.lists(st.integers(0, 6), min_size=2, max_size=5), st.integers(0, 5))
def test_groups_keep_their_sizes_and_nobody_jumps(sizes, number):
    """Whatever the sizes: each level is as large as before, and everybody is at most one level from where they were."""
    levels = {name: [f"{name}{n}" for n in range(size)] for name, size in enumerate(sizes)}
    found = moved(levels, number)
    assert [sum(level == name for level in found.values()) for name in levels] == sizes
    assert all(abs(found[one] - int(one[0])) <= 1 for one in found)
