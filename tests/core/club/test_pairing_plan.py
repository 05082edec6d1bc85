"""Who plays whom where a club has wishes beyond the table: round 1, how often two meet, groups."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.manual_pairs import Manual, ManualPairs
from core.club.pairing import pair
from core.club.pairing_plan import PairingPlan, drawn, halves
from core.club.pairing_settings import PairingSettings
from tests.core.club.notation import evenings
from tests.examples import examples


def met(pairing):
    """The pairs of a pairing list, as sets."""
    return {frozenset((board.white, board.black)) for board in pairing.boards}


def pairs(text):
    """Pairs as sets: "1:2 3:4"."""
    return {frozenset(one.split(":")) for one in text.split()}


def names(count):
    """The ids of so many players."""
    return [str(number) for number in range(1, count + 1)]


def test_the_upper_half_plays_the_lower_half_in_round_1():
    """1–5, 2–6, 3–7, 4–8; from round 2 on by the table."""
    rules = PairingSettings(first_round="halves")
    first = pair(names(8), [], settings=rules)
    assert met(first) == pairs("1:5 2:6 3:7 4:8")
    assert first.boards[0].why == "upper half against lower half: places 1 and 5 of 8 present"
    assert met(pair(names(8), evenings("1:5+ 2:6+ 3:7+ 4:8+"), settings=rules)) == pairs("1:2 3:4 5:6 7:8")


@pytest.mark.parametrize(("bye", "expected"), [(None, "1:4 2:5 3:6"), ("2", "1:5 3:6 4:7")])
def test_halves_of_an_odd_number(bye, expected):
    """The lowest has the bye, or whom the director wants; the halves are of the others."""
    found = pair(names(7), [], settings=PairingSettings(first_round="halves"), by_hand=ManualPairs(bye=bye))
    assert met(found) == pairs(expected)
    assert found.bye.player == (bye or "7")


def test_round_1_by_lot():
    """Another word is another lot; the same word gives the same pairs, whatever the order of the table."""
    rules = PairingSettings(first_round="random")
    lots = [pair(names(10), [], settings=rules, plan=PairingPlan(lot=str(lot))) for lot in range(20)]
    assert len({frozenset(met(one)) for one in lots}) > 15
    turned = pair(names(10)[::-1], [], settings=rules, plan=PairingPlan(lot="3"))
    assert met(turned) == met(lots[3])
    assert {board.why for board in turned.boards} == {"drawn by lot"}


def test_a_bye_by_lot():
    """With an odd number the bye of round 1 is drawn too, and says so; a director's wish stands above it."""
    rules = PairingSettings(first_round="random")
    byes = {
        pair(names(5), [], settings=rules, plan=PairingPlan(lot=str(lot))).bye.player for lot in range(40)
    }
    assert byes == set(names(5))
    assert pair(names(5), [], settings=rules).bye.why.endswith("has the bye by lot")
    assert pair(names(5), [], settings=rules, by_hand=ManualPairs(bye="2")).bye.player == "2"


def test_lots_do_not_depend_on_the_order():
    """A lot is of the names and the word alone, and stays what it is from one Python to the next."""
    assert drawn("x", names(6)) == drawn("x", names(6)[::-1])
    assert drawn("vm26", ["Rossi", "Neri", "Verdi", "Conti"]) == ["Neri", "Rossi", "Verdi", "Conti"]


def test_halves():
    """Upper and lower half by turns; who is over comes last."""
    assert halves(list("abcdef")) == list("adbecf")
    assert halves(list("abcde")) == list("acbde")
    assert halves([]) == []


SIX = "1:2+ 3:4+ 5:6+\n1:3+ 2:5+ 4:6+"


def test_two_meet_at_most_so_often():
    """After one meeting each, somebody new is found for all, however far away."""
    rules = PairingSettings(max_meetings=1, rematch_min_gap=0)
    found = met(pair(names(6), evenings(SIX), settings=rules))
    assert not found & pairs("1:2 3:4 5:6 1:3 2:5 4:6")


def test_where_all_have_met_one_meets_again_with_a_note():
    """An evening goes on: the rule gives way, and a note says which."""
    rules = PairingSettings(max_meetings=1, rematch_min_gap=1)
    found = pair(names(2), evenings("1:2+\n1e 2e\n1e 2e"), settings=rules)
    (note,) = found.notes
    assert "more than 1 time, since not everybody could be paired otherwise" in note


def test_once_in_each_half():
    """Six rounds: two who met in round 1 do not meet in round 3, but may in round 4."""
    rules = PairingSettings(once_per_half=True, rematch_min_gap=1, max_rank_shift=0)
    plan = PairingPlan(planned_rounds=6)
    first = "1:2+ 3:4+\n1:3+ 2:4+"
    assert met(pair(names(4), evenings(first), settings=rules, plan=plan)) == pairs("1:4 2:3")
    three = evenings(first + "\n1:4+ 2:3+")
    assert met(pair(names(4), three, settings=rules, plan=plan)) == pairs("1:2 3:4")
    again = evenings("1:2+ 3e 4e\n1e 2e 3:4+")
    (note,) = pair(["1", "2"], again, settings=rules, plan=plan).notes
    assert "twice in one half of the season" in note


def test_a_pair_by_hand_that_breaks_a_rule_is_noted():
    """The director decides, and is told which rule it breaks."""
    found = pair(
        names(4),
        evenings("1:2+ 3:4+\n1e 2e 3e 4e\n1e 2e 3e 4e"),
        settings=PairingSettings(max_meetings=1),
        by_hand=ManualPairs((Manual("1", "2"),)),
    )
    assert "1 and 2 are set by hand and meet again more than 1 time, after round 1" in found.notes


GROUP = PairingPlan(groups={"1": "A", "4": "A", "7": "A", "8": "A"})


def test_members_of_a_group_meet_first():
    """Four of eight are a group: they meet each other, the others are paired around them, and the board says so."""
    found = pair(names(8), [], plan=GROUP)
    assert {one for one in met(found) if one <= set("1478")} == pairs("1:4 7:8")
    assert found.boards[0].why == "places 1 and 4 of 8 present; both of group A, who meet each other first"
    assert met(pair(names(8), [], plan=GROUP, settings=PairingSettings(groups="apart"))) == pairs(
        "1:2 3:4 5:6 7:8"
    )


def test_a_group_meets_each_other_once_in_as_few_rounds_as_it_takes():
    """Four members of a group have all met after three rounds; then they are paired as everybody."""
    rounds = []
    for _ in range(3):
        found = pair(names(8), rounds, plan=GROUP)
        rounds += evenings(" ".join(f"{board.white}:{board.black}=" for board in found.boards))
    seen = {frozenset((game.white, game.black)) for each in rounds for game in each.games}
    assert {frozenset(one) for one in combinations("1478", 2)} <= seen
    assert "group" not in " ".join(board.why for board in pair(names(8), rounds, plan=GROUP).boards)


@examples(30, deadline=None)
@given(st.integers(2, 9), st.data())
def test_everybody_is_paired_whatever_the_wishes(count, data):
    """With any of the wishes and any groups: all who are there play once or have the only bye, for nine rounds."""
    settings = PairingSettings(
        rematch_min_gap=data.draw(st.integers(0, 4)),
        max_meetings=data.draw(st.sampled_from([None, 1, 2])),
        once_per_half=data.draw(st.booleans()),
        first_round=data.draw(st.sampled_from(["table", "halves", "random"])),
    )
    ids = names(count)
    groups = {one: group for one in ids if (group := data.draw(st.sampled_from(["A", "B", None])))}
    plan = PairingPlan(planned_rounds=data.draw(st.integers(1, 9)), lot="x", groups=groups)
    rounds = []
    for _ in range(5):
        away = data.draw(st.sets(st.sampled_from(ids), max_size=count - 1))
        order = data.draw(st.permutations(ids))
        found = pair(order, rounds, absent=away, settings=settings, plan=plan)
        playing = [side for board in found.boards for side in (board.white, board.black)]
        free = [found.bye.player] if found.bye else []
        assert sorted(playing + free) == sorted(set(ids) - away)
        rounds += evenings(
            " ".join([*(f"{b.white}:{b.black}+" for b in found.boards), *(f"{one}b" for one in free)])
        )
