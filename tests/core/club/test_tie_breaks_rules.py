"""Tie-breaks by the rules of the day, against an independent calculation."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.points_table import PointsTables
from core.club.tie_breaks import PLAIN_WORDS, TieBreakError, codes_of, rules_on, standings
from core.club.trf import Document, OtherLine, TrfPlayer, TrfTurn
from tests.core.club import tie_break_oracle
from tests.core.club.test_tie_breaks import SOUND, report
from tests.examples import examples


@pytest.mark.parametrize(
    ("day", "rules"),
    [
        (date(2020, 1, 1), "fide-2024"),
        (date(2026, 2, 28), "fide-2024"),
        (date(2026, 3, 1), "fide-2026"),
        (None, "fide-2026"),
    ],
)
def test_the_rules_of_a_day(day, rules):
    """Those of 2026 hold for what begins on 1 March 2026 or later; without a day they are taken."""
    assert rules_on(day) == rules


def test_a_rule_that_has_changed():
    """A full-point bye in 3 rounds: in 2024 its dummy has all 3 points of the player, since 2026 1.5 at most."""
    field = report("U 2w1 3b1", "3w1 1b0 Z", "2b0 Z 1w0")
    values = {
        rules: dict(standings(field, ("BH",), rules=rules)[0].values)["BH"]
        for rules in ("fide-2024", "fide-2026")
    }
    assert values["fide-2024"] - values["fide-2026"] == 1.5


@pytest.mark.parametrize("code", ["BH/C3", "STD", "TPN", "RTNG", "BH/P"])
def test_what_only_the_newer_rules_have(code):
    """It is refused for an older tournament, with the reason."""
    assert standings(SOUND, (code,), rules="fide-2026")
    with pytest.raises(TieBreakError, match="cannot be worked out by the rules of 2024"):
        standings(SOUND, (code,), rules="fide-2024")


@pytest.mark.parametrize("code", sorted(PLAIN_WORDS))
def test_every_code_in_plain_words_can_be_used(code):
    """What is listed works, and has a number unless it only compares."""
    values = dict(standings(SOUND, (code,))[0].values)
    assert list(values) == ([] if code in {"DE", "TPN", "RTNG"} else [code])


def test_lists_of_codes():
    """Commas, blanks and small letters."""
    assert codes_of(" bh/c1, SB  de;") == ("BH/C1", "SB", "DE")
    assert codes_of("") == ()


def test_a_game_without_a_result_is_not_played_yet():
    """It counts for neither side, and is not a bye: the other rounds have the same values as without it."""
    document = report("2w1 3w1", "1b0 4w1", "4w1 1b0", "3b0 2b0")
    later = Document(
        players=tuple(
            TrfPlayer(one.number, one.name, (*one.turns, TrfTurn(5 - one.number, "w", "")), rating=one.rating)
            for one in document.players
        )
    )
    before = {one.number: (one.points, one.values) for one in standings(document, ("BH", "SB", "WIN", "BPG"))}
    after = {one.number: (one.points, one.values) for one in standings(later, ("BH", "SB", "WIN", "BPG"))}
    assert before == after


@pytest.mark.parametrize(("day", "order"), [("2026/02/20", "123"), ("2026/03/20", "213")])
def test_a_table_by_points_goes_by_the_rules_of_its_first_day(day, order):
    """Three with two points: a dummy that is limited since 2026 puts the second before the first."""
    field = report("2b0 3w+ 3b1", "1w1 U Z", "U 1b- 1w0")
    dated = Document((OtherLine("042", day),), field.players)
    table = PointsTables(dated, {one.number: str(one.number) for one in field.players}, 3)[-1]
    assert "".join(row.player for row in table.rows) == order


@st.composite
def tournaments(draw):
    """Swiss tournaments with forfeits, byes of all kinds, late entries and withdrawals."""
    count, rounds = draw(st.integers(2, 6)), draw(st.integers(1, 5))
    lines = [[] for _ in range(count)]
    for _ in range(rounds):
        order = draw(st.permutations(range(count)))
        paired = 2 * draw(st.integers(0, count // 2))
        for white, black in zip(order[:paired:2], order[1:paired:2], strict=True):
            mine, theirs = draw(st.sampled_from(["10", "01", "==", "10", "01", "==", "+-", "-+", "--"]))
            lines[white].append(TrfTurn(black + 1, "w", mine))
            lines[black].append(TrfTurn(white + 1, "b", theirs))
        for one in order[paired:]:
            lines[one].append(TrfTurn(0, "-", draw(st.sampled_from("UHZZF"))))
    players = (TrfPlayer(n, f"P{n}", tuple(turns), rating=2000 - n) for n, turns in enumerate(lines, 1))
    return Document(players=tuple(players))


@examples(150)
@given(tournaments(), st.sampled_from(["fide-2024", "fide-2026"]))
def test_values_against_an_independent_calculation(document, rules):
    """Buchholz with and without cuts, Sonneborn-Berger and progressive scores, with all that can be unplayed."""
    players = {one.number: one for one in document.players}
    capped = rules == "fide-2026"
    for place in standings(document, ("BH", "BH/C1", "BH/C2", "SB", "PS"), rules=rules):
        player = players[place.number]
        assert place.points == tie_break_oracle.own_points(player.turns)
        assert dict(place.values) == {
            "BH": tie_break_oracle.buchholz(document, player, capped=capped),
            "BH/C1": tie_break_oracle.buchholz(document, player, capped=capped, cut=1),
            "BH/C2": tie_break_oracle.buchholz(document, player, capped=capped, cut=2),
            "SB": tie_break_oracle.sonneborn_berger(document, player, capped=capped),
            "PS": tie_break_oracle.progressive(player),
        }
