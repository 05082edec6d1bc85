"""What a round is worth in each of the ways that clubs have, to the last fraction, and where it comes from."""

from dataclasses import replace
from fractions import Fraction

import pytest

from core.club.keizer import standings
from core.club.keizer_settings import KeizerSettings
from core.club.setting_texts import from_texts
from tests.core.club.keizer_examples import PLAIN
from tests.core.club.keizer_sums import faults
from tests.core.club.notation import evenings, field

# Four players with the value numbers 40, 39, 38, 37: lagged, so that those of the first round are the ratings'.
RULES = replace(PLAIN, valuation="lagged", base=Fraction(40), planned_rounds=4)


def credit(player, line, *, at=-1, players=4, terms=(), **texts):
    """The credit of a player in the last of these evenings, with the settings as a director types them."""
    typed = from_texts(KeizerSettings, texts)
    rules = replace(RULES, **{name: getattr(typed, name) for name in texts})
    people = [replace(one, terms=terms) if one.id == player else one for one in field(players)]
    table = standings(people, evenings(line), rules)[at]
    assert faults(table, rules) == []
    (row,) = [row for row in table.rows if row.player == player]
    return row.credits[-1]


@pytest.mark.parametrize(
    ("line", "player", "texts", "kind", "points"),
    [
        ("1w 2d 3l", "1", {"external_win": "7/6"}, "external win", 40 * Fraction(7, 6)),
        ("1w 2d 3l", "2", {"external_draw": "5/6"}, "external draw", 39 * Fraction(5, 6)),
        ("1w 2d 3l", "3", {"external_loss": "3/6"}, "external loss", 19),
        ("1w 2d 3l", "3", {}, "external loss", 0),
        ("1s", "1", {}, "short notice", 40 * Fraction(1, 6)),
        ("1s", "1", {"short_notice_points": "7.5"}, "short notice", Fraction(15, 2)),
        ("1e", "1", {"excused": "3/2"}, "excused", 60),
        ("1e", "1", {"excused_points": "15"}, "excused", 15),
        ("1e", "1", {"excused_points": "15", "absence": "bonus"}, "excused", 15),
        (
            "1e",
            "1",
            {"last_rounds": "4", "last_rounds_share": "1/4"},
            "excused, in the last rounds",
            40 * Fraction(1, 12),
        ),
        ("1c", "1", {"last_rounds": "4", "last_rounds_share": "0"}, "club", 40 * Fraction(2, 3)),
        ("1u", "1", {"unexcused_points": "3"}, "unexcused", 3),
        ("1c", "1", {"club_duty_points": "20"}, "club", 20),
        ("1b", "1", {"bye": "7/6"}, "bye", 40 * Fraction(7, 6)),
        ("1b", "1", {"bye_points": "20"}, "bye", 20),
        ("1:2-", "1", {"loss": "3/4"}, "loss", 39 * Fraction(3, 4)),
        ("1:2-", "1", {"loss_points": "5"}, "loss", 5),
        ("1:2=", "1", {"draw": "3/4"}, "draw", 39 * Fraction(3, 4)),
        ("1:2>", "1", {"forfeit_win": "2/3"}, "forfeit win", 26),
        ("1:2>", "1", {"forfeit_win": "3/4", "forfeit_win_of": "own"}, "forfeit win", 30),
        ("1:2#", "1", {"double_forfeit": "1/4"}, "double forfeit", 10),
        ("1:2#", "1", {"forfeit_loss": "1/3"}, "forfeit loss", 13),
        ("1:2#", "1", {"forfeit_loss": "1/3", "double_forfeit": "0"}, "double forfeit", 0),
    ],
)
def test_a_round_is_worth_what_the_setting_says(line, player, texts, kind, points):
    """Each kind of round with each setting for it; the kind says what the points are for."""
    found = credit(player, line, **texts)
    assert (found.kind, found.points) == (kind, points)


def test_absences_weigh_less_only_in_the_last_planned_rounds():
    """Of four rounds the last two count a half; the third planned-beyond one does so too."""
    four = "\n".join(["1e"] * 5)
    worth = [
        credit("1", "\n".join(four.split("\n")[:n]), last_rounds="2", excused="1", base="40").factor
        for n in range(1, 6)
    ]
    assert worth == [1, 1, Fraction(1, 2), Fraction(1, 2), Fraction(1, 2)]


def test_a_member_can_have_their_own_terms():
    """A shift worker's absences are worth more, and more of them are paid; those of the others are not."""
    terms = (("excused", Fraction(1, 2)), ("paid_absences", None))
    assert credit("1", "1e 2e\n1e 2e", terms=terms, paid_absences="1").points == 20
    assert credit("2", "1e 2e\n1e 2e", paid_absences="1").points == 0


def test_points_for_rounds_before_joining():
    """Who comes in round 3 has the fixed points for both rounds before; nothing is taken from the limit for them."""
    people = [*field(3), replace(field(4)[3], joined=3)]
    rules = replace(RULES, late_entry_points=Fraction(12), paid_absences=1)
    table = standings(people, evenings("1:2+\n1:2-\n1:2+ 3e 4e"), rules)[-1]
    (row,) = [row for row in table.rows if row.player == "4"]
    assert [(one.kind, one.points) for one in row.credits] == [
        ("not joined", 12),
        ("not joined", 12),
        ("excused", row.value * Fraction(1, 3)),
    ]


@pytest.mark.parametrize(("counts", "games"), [("no", 1), ("yes", 3)])
def test_games_elsewhere_count_for_the_ranking_where_the_club_wants_it(counts, games):
    """One game at the board and two elsewhere are three games for the final ranking, or one."""
    rules = replace(RULES, external_counts=counts == "yes")
    table = standings(field(4), evenings("1:2+\n1w\n1l"), rules)[-1]
    (row,) = [row for row in table.rows if row.player == "1"]
    assert (row.games, row.counted) == (1, games)


def test_a_forfeit_of_the_own_value_says_whose_it_is():
    """The credit names the opponent and whose value number counts."""
    own = credit("1", "1:2>", forfeit_win="3/4", forfeit_win_of="own")
    usual = credit("1", "1:2>")
    assert (own.opponent, own.of, own.value) == ("2", "1", 40)
    assert (usual.opponent, usual.of, usual.value) == ("2", "2", 39)


def test_a_credit_says_all_that_it_is_made_of():
    """An early bonus tells how much of the value is by rating and which that is; what makes it less is in the kind."""
    rules = replace(KeizerSettings(), valuation="lagged", base=Fraction(40), planned_rounds=7)
    table = standings(field(4), evenings("1e 2:3+\n1:2- 3:4+\n1e 2:4+"), rules)[-1]
    (row,) = [row for row in table.rows if row.player == "1"]
    found = row.credits[-1]
    assert (found.rating_share, found.rating_value) == (Fraction(1, 3), 40)
    assert found.value == Fraction(1, 3) * 40 + Fraction(2, 3) * row.value
    last = credit("1", "1e\n1e", halved_absences="yes", last_rounds="3", base="40")
    assert last.kind == "excused, absence 2, in the last rounds"
