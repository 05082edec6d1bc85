"""FESA grades: the scale, reading them, and what handicaps are worth."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.grades import (
    HANDICAPS,
    Grade,
    Handicap,
    at,
    lower,
    middle,
    next_step,
    place,
    rating_at,
    read_grade,
    seen_as,
    series_needed,
    upper,
)

STEPS = range(27)


@pytest.mark.parametrize(
    ("grade", "bounds", "series"),
    [
        (Grade(6, "Dan"), (2440, 2540, 2640), (None, None)),
        (Grade(5, "Dan"), (2240, 2340, 2440), (None, 10)),
        (Grade(3, "Dan"), (1920, 2000, 2080), (16, 8)),
        (Grade(1, "Dan"), (1680, 1740, 1800), (14, 7)),
        (Grade(1, "Kyu"), (1560, 1620, 1680), (14, 7)),
        (Grade(2, "Kyu"), (1460, 1510, 1560), (12, 6)),
        (Grade(5, "Kyu"), (1200, 1240, 1280), (10, 5)),
        (Grade(11, "Kyu"), (720, 760, 800), (8, 4)),
        (Grade(15, "Kyu"), (400, 440, 480), (6, 3)),
        (Grade(20, "Kyu"), (0, 40, 80), (6, 3)),
    ],
)
def test_table_of_grades(grade, bounds, series):
    """Lower bound, middle, upper bound and the lengths of series (club R12, R13)."""
    assert (lower(grade.step), middle(grade.step), upper(grade.step)) == bounds
    assert series_needed(grade.step) == series
    assert grade.rating == bounds[1]


# Every grade from 20 Kyu to 7 Dan: lower bound, middle, upper bound; games in a row that promote by lower bound and by middle.
WHOLE = """
20 Kyu    0   40   80  6  3
19 Kyu   80  120  160  6  3
18 Kyu  160  200  240  6  3
17 Kyu  240  280  320  6  3
16 Kyu  320  360  400  6  3
15 Kyu  400  440  480  6  3
14 Kyu  480  520  560  6  3
13 Kyu  560  600  640  6  3
12 Kyu  640  680  720  6  3
11 Kyu  720  760  800  8  4
10 Kyu  800  840  880  8  4
9 Kyu   880  920  960  8  4
8 Kyu   960 1000 1040  8  4
7 Kyu  1040 1080 1120 10  5
6 Kyu  1120 1160 1200 10  5
5 Kyu  1200 1240 1280 10  5
4 Kyu  1280 1320 1360 12  6
3 Kyu  1360 1410 1460 12  6
2 Kyu  1460 1510 1560 12  6
1 Kyu  1560 1620 1680 14  7
1 Dan  1680 1740 1800 14  7
2 Dan  1800 1860 1920 14  7
3 Dan  1920 2000 2080 16  8
4 Dan  2080 2160 2240 16  8
5 Dan  2240 2340 2440  - 10
6 Dan  2440 2540 2640  -  -
7 Dan  2640 2760 2880  -  -
"""


def test_the_whole_table_of_grades():
    """Every number of FESA's table, in its order (club R12, R13)."""
    rows = [line.split() for line in WHOLE.strip().splitlines()]
    assert [at(step) for step in STEPS] == [Grade(int(number), kind) for number, kind, *_ in rows]
    for step, (_, _, *bounds, by_lower, by_middle) in zip(STEPS, rows, strict=True):
        assert [lower(step), middle(step), upper(step)] == [int(bound) for bound in bounds]
        assert series_needed(step) == tuple(
            None if games == "-" else int(games) for games in (by_lower, by_middle)
        )


def test_steps_and_grades_are_the_same():
    """Each grade is at its step, and the next one a step higher; 7 Dan is the end."""
    for step in STEPS:
        assert at(step).step == step
        assert next_step(at(step)) == (step + 1 if step < 26 else None)
    assert next_step(None) == 0


def test_professionals():
    """A professional has a rating of their own and no next grade (club R15)."""
    assert [Grade(dan, "Pro").rating for dan in (1, 4, 9)] == [2540, 2630, 2780]
    assert Grade(4, "Pro").step is None
    assert next_step(Grade(4, "Pro")) is None


@pytest.mark.parametrize(
    ("text", "grade"),
    [
        ("2 Dan", Grade(2, "Dan")),
        ("14 Kyu", Grade(14, "Kyu")),
        ("2dan", Grade(2, "Dan")),
        ("3k", Grade(3, "Kyu")),
        (" 1  KYU", Grade(1, "Kyu")),
        ("4 Pro", Grade(4, "Pro")),
        ("", None),
        ("Dan", None),
        ("2 Danger", None),
    ],
)
def test_grades_are_read(text, grade):
    """A number and Dan, Kyu or Pro."""
    assert read_grade(text) == grade
    assert grade is None or read_grade(str(grade)) == grade


@pytest.mark.parametrize("text", ["8 Dan", "0 Dan", "21 Kyu", "10 Pro"])
def test_grades_that_do_not_exist(text):
    """A grade off the scale is refused with its bounds."""
    with pytest.raises(ValueError, match="there is no grade"):
        read_grade(text)


# --- the scale


def test_the_scale_at_its_bounds():
    """15 Kyu begins at 0, 1 Kyu at 14, 1 Dan at 15."""
    assert [place(rating) for rating in (400, 1560, 1680, 2640)] == [0.0, 14.0, 15.0, 21.0]
    assert place(440) == 0.5


@given(st.integers(1, 3200))
def test_the_scale_is_its_own_inverse(rating):
    """The rating at the place of a rating is this rating."""
    assert rating_at(place(rating)) == rating


@given(st.floats(1, 3200), st.floats(1, 3200))
def test_the_scale_rises(one, other):
    """A higher rating has a higher place."""
    assert (place(one) < place(other)) == (one < other) or abs(one - other) < 1e-9


def test_below_the_scale_the_rating_is_one():
    """Below 20 Kyu there is nothing but 1."""
    assert rating_at(-5.1) == 1
    assert rating_at(-100) == 1


# --- handicaps

SEEN = {
    # code: worth, then what 2005 and 1500 are seen as, and what they add to the opponent
    "m": (0.2, 1973, 1480, 32, 20),
    "l": (0.6, 1912, 1440, 93, 60),
    "b": (1.5, 1804, 1352, 201, 148),
    "r": (2.1, 1732, 1304, 273, 196),
    "rl": (2.7, 1660, 1256, 345, 244),
    "2p": (3.6, 1553, 1184, 452, 316),
    "4p": (5.0, 1413, 1072, 592, 428),
    "5p": (6.5, 1282, 952, 723, 548),
    "6p": (8.0, 1162, 832, 843, 668),
}


@pytest.mark.parametrize("code", HANDICAPS)
def test_what_handicaps_are_worth(code):
    """Both sides of every handicap, from two ratings (club R11)."""
    worth, *wanted = SEEN[code]
    got, gave = Handicap(code, received=True), Handicap(code, received=False)
    found = [seen_as(2005, 1000, got), seen_as(1500, 1000, got)]
    found += [seen_as(1000, 2005, gave) - 1000, seen_as(1000, 1500, gave) - 1000]
    assert HANDICAPS[code] == worth
    assert found == wanted


def test_every_handicap_has_its_numbers():
    """There are no others than those of the table."""
    assert set(HANDICAPS) == set(SEEN)


def test_worked_handicap_games():
    """2005 gives four pieces to 400: 992 and 1413; 1486 gives a rook to 1183: 1376."""
    assert seen_as(400, 2005, Handicap("4p", received=False)) == 992
    assert seen_as(2005, 400, Handicap("4p", received=True)) == 1413
    assert seen_as(1183, 1486, Handicap("r", received=False)) == 1376


@given(st.integers(1, 3000), st.integers(1, 3000), st.sampled_from(sorted(HANDICAPS)))
def test_a_handicap_is_a_burden(opponent, my, code):
    """The giver's opponent counts as stronger, the receiver's as not stronger than the receiver."""
    assert seen_as(opponent, my, Handicap(code, received=False)) >= max(400, opponent)
    assert seen_as(opponent, my, Handicap(code, received=True)) <= max(400, opponent)


def test_the_weakest_opponent():
    """Below 400 an opponent counts as 400 (club R5)."""
    assert seen_as(1, 1500, None) == 400
