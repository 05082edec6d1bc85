"""Promotions in published tables against club R13 and R14."""

import pytest

from core.club.fesa_table import read
from core.club.fesa_table_checks import check
from core.club.fesa_table_grades import check as check_grades
from tests.core.club.test_fesa_table import EVENTS, made_up, text_of_numbers

TABLE = """\
Open of Nowhere : 2025-04-19
Nr Name          Nat  Grade  ELO    1   Pts  +/-
 1 Rossi X       IT  {grade} {elo}{star} 2+   1  {change}
 2 Neri X        IT  2 Kyu  1500  1-   0   +0
{promotion}
"""


def found(grade, elo, change, promotion=None):
    """What is found on one player: (is it an error, what)."""
    star = "*" if change is None else ""
    sentence = f"Promoting Rossi X to {promotion}" if promotion else ""
    data = TABLE.format(
        grade=grade or "", elo=elo, star=star, change=change or "", promotion=sentence
    ).encode()
    one = next((one for one in check_grades(read(data)) if one.player == "1 Rossi X"), None)
    return one and (not one.note, one.message)


def test_a_promotion_that_the_rules_make_is_passed_over():
    """From the upper bound of the next grade on it comes at once: 1 Dan ends at 1800."""
    assert found("1 Kyu", 1795, "+10", "1 Dan") is None
    assert found("1 Kyu", 1600, "+10") is None


def test_a_promotion_that_the_numbers_do_not_allow():
    """Below the lower bound of a grade nothing promotes to it, whatever there was before."""
    assert found("5 Dan", 2390, "+20", "6 Dan") == (
        True,
        "promoted to 6 Dan, which 2390 → 2410 does not allow; 6 Dan begins at 2440",
    )
    assert found("1 Dan", 1850, "+20", "4 Dan")[0]


def test_a_promotion_to_a_grade_that_the_player_has():
    """No grade is given twice, and none is removed."""
    said = "promoted to 1 Kyu, though they have 1 Dan already"
    assert found("1 Dan", 1750, "+20", "1 Kyu") == (True, said)
    assert found("1 Dan", 1750, "+20", "1 Dan")[0]


def test_a_missing_promotion():
    """Even with few games, who has the upper bound of the grade above the next one is promoted."""
    assert found("14 Kyu", 2300, "+40") == (True, "not promoted, though 2300 → 2340 makes 3 Dan at least")


def test_a_promotion_that_stops_too_early():
    """Who has to be 3 Dan at least is not promoted to 5 Kyu only."""
    assert found("14 Kyu", 2300, "+40", "5 Kyu") == (
        True,
        "promoted to 5 Kyu, though 2300 → 2340 makes 3 Dan",
    )


def test_what_needs_games_from_earlier_events_is_a_note():
    """One game at 1750 completes a series for 1 Dan only if there were others before; the table does not tell."""
    why = "with games above the bounds of that grade in earlier events, which the table does not tell"
    assert found("1 Kyu", 1745, "+5", "1 Dan") == (False, f"promoted to 1 Dan: right only {why}")
    # Below the lower bound of 1 Dan, 1680, a series is broken off: there can be none.
    assert found("1 Kyu", 1660, "+25", "1 Dan")[0]


def test_a_promotion_that_only_few_games_excuse_is_a_note():
    """1805 makes 1 Dan of an established 1 Kyu; with fewer than 18 games before it does not."""
    assert found("1 Kyu", 1795, "+10") == (
        False,
        "not promoted to 1 Dan: right only with fewer than 18 rated games before, which the table does not tell",
    )


def test_newcomers():
    """Rated by performance there is a grade from nine games on, and only one that the rating allows."""
    assert found(None, 1500, None) is None
    assert found(None, 1500, None, "4 Kyu") == (
        False,
        "promoted to 4 Kyu: right only with 9 rated games or more",
    )
    assert found(None, 1500, None, "3 Dan")[0]


def test_a_promotion_of_somebody_who_did_not_play():
    """A note with the name."""
    data = text_of_numbers() + b"Promoting Nobody X to 3 Kyu\n"
    assert [one.message for one in check(data) if "Nobody" in one.message] == [
        "Nobody X is promoted to 3 Kyu and has no row"
    ]


@pytest.mark.parametrize("grade", ["8 Dan", "25 Kyu", "99 Dan"])
def test_grades_that_do_not_exist(grade):
    """They are errors with their line, in a row and in a promotion."""
    data = TABLE.format(
        grade=grade, elo=1500, star="", change="+10", promotion=f"Promoting Neri X to {grade}"
    )
    assert [(one.rule, one.line, one.player) for one in check(data.encode()) if one.rule == "R12"] == [
        ("R12", 3, "1 Rossi X"),
        ("R12", 5, "Neri X"),
    ]


def test_our_numbers_are_good():
    """Every promotion of our table can be; one needs games from before."""
    assert [one.player for one in check(text_of_numbers()) if not one.note] == []


@pytest.mark.parametrize("event", EVENTS)
def test_whole_tables_are_good(event):
    """No promotion of a table that the oracle rated contradicts the rules, and none needs what the table does not tell."""
    _, data = made_up(event)
    assert check_grades(read(data)) == []


@pytest.mark.parametrize("event", EVENTS)
def test_every_promotion_is_needed(event):
    """Where a promotion of a whole table is left out, that is said of just this player."""
    _, data = made_up(event)
    lines = data.decode().splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line.startswith("Promoting "):
            without = "".join([*lines[:number], *lines[number + 1 :]]).encode()
            [one] = check_grades(read(without))
            assert line.split()[1] in (one.player or "")
