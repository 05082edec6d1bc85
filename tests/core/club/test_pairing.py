"""Who plays whom: the rules club P2 to P14 on small evenings, where the right answer can be seen."""

from collections import Counter

import pytest

from core.club.manual_pairs import Manual, ManualPairs, advice_on_rounds, why_not_absent, why_not_removed
from core.club.pairing import CannotPair, pair
from core.club.pairing_settings import PairingSettings
from core.club.setting_texts import as_texts, from_texts
from core.club.tournament import AbsenceReason, Away
from tests.core.club.notation import evenings

BETWEEN = PairingSettings(rematch_reading="between")


def boards(pairing):
    """The boards as "white-black"."""
    return [f"{board.white}-{board.black}" for board in pairing.boards]


def met(pairing):
    """Who plays whom, whatever the colours."""
    return {frozenset((board.white, board.black)) for board in pairing.boards}


def pairs(text):
    """The pairs "1-2 3-4" in the same form."""
    return {frozenset(word.split("-")) for word in text.split()}


def test_first_round_from_the_top():
    """One plays two, three plays four; the better placed has white where nothing else speaks (club P2, P9)."""
    pairing = pair("123456", ())
    assert boards(pairing) == ["1-2", "3-4", "5-6"]
    assert pairing.bye is None
    assert pairing.notes == ()


def test_absent_players_are_left_out():
    """Who is flagged absent is neither paired nor given the bye; the others close up (club P3)."""
    pairing = pair("1234567", (), absent=["2", "7"])
    assert boards(pairing) == ["1-3", "4-5"]
    assert pairing.bye.player == "6"


def test_who_was_absent_returns():
    """A player who comes back is paired by their place in the table like anybody else."""
    assert met(pair("1234", evenings("1:2+ 3e 4e"), settings=PairingSettings())) == pairs("1-3 2-4")


def test_neighbours_who_just_met_take_the_next_ones():
    """Who met in the last round does not meet again; the nearest others do (club P10)."""
    pairing = pair("1234", evenings("1:2+ 3:4+"))
    assert met(pairing) == pairs("1-3 2-4")
    assert any("2 (met in round 1, not again so soon)" in board.why for board in pairing.boards)


@pytest.mark.parametrize(
    ("settings", "earliest"),
    [
        (PairingSettings(), 4),
        (BETWEEN, 5),
        (PairingSettings(rematch_min_gap=1), 2),
        (PairingSettings(rematch_min_gap=0), 2),
    ],
)
def test_earliest_rematch(settings, earliest):
    """Two readings of "after three rounds": three rounds later, or with three rounds in between (club P10)."""
    for played in range(1, 6):
        rounds = evenings("1:2+\n" + "1e 2e\n" * (played - 1))
        pairing = pair("12", rounds, settings=settings)
        early = any("earlier than allowed" in note for note in pairing.notes)
        assert early is (played + 1 < earliest)


def test_other_opponents_are_tried_before_a_rematch():
    """A rematch of neighbours gives way to others a few places off, though it would be allowed (club P11)."""
    rounds = evenings("1:2+ 3:4+\n1e\n2e\n3e")
    assert met(pair("1234", rounds)) == pairs("1-3 2-4")


@pytest.mark.parametrize(("shift", "expected"), [(5, "1-6 2-3 4-5"), (4, "1-2 3-4 5-6")])
def test_a_rematch_is_taken_before_somebody_too_far_away(shift, expected):
    """Where only a player five places off is new to the first, *max_rank_shift* decides (club P11)."""
    rounds = evenings("1:2+\n1:3+\n1:4+\n1:5+\n1e\n1e\n1e")
    pairing = pair("123456", rounds, settings=PairingSettings(max_rank_shift=shift))
    assert met(pairing) == pairs(expected)
    assert any("others would be too far away" in board.why for board in pairing.boards) is (shift == 4)


def test_far_opponents_by_the_shift():
    """A first meeting up to *max_rank_shift* places off beats a rematch of neighbours, one place more does not."""
    for shift in range(2, 7):
        settings = PairingSettings(max_rank_shift=shift)
        again = 1 + settings.rematch_cost(1)
        assert shift**2 < again < (shift + 1) ** 2


def test_each_further_meeting_weighs_more():
    """Of two rematches the one of players who met less often is taken (club P12)."""
    all_once = "1:2+ 3:4+\n1:3+ 2:4+\n1:4+ 2:3+\n1e\n2e\n3e\n4e"
    assert met(pair("1234", evenings(all_once))) == pairs("1-2 3-4")
    again = "1:2+\n1e\n1e\n1e\n" + all_once
    assert met(pair("1234", evenings(again))) == pairs("1-3 2-4")


def test_rematch_costs_grow():
    """Each meeting more costs more, and strangers cost nothing extra."""
    costs = [PairingSettings().rematch_cost(meetings) for meetings in range(5)]
    assert costs[0] == 0
    assert costs == sorted(set(costs))


def test_the_last_two_are_not_stranded():
    """From the top down 1-2 3-4 would leave two who just met; the whole is solved at once (club P14)."""
    pairing = pair("123456", evenings("5:6+ 1e 2e 3e 4e"))
    assert met(pairing) == pairs("1-2 3-5 4-6")
    assert pairing.notes == ()


def test_ties_keep_the_top_together():
    """Of equally good pairings the one with the closer boards at the top is taken."""
    assert met(pair("123456", evenings("3:4+ 1e 2e 5e 6e"))) == pairs("1-2 3-5 4-6")


def test_p10_gives_way_where_not_all_could_be_paired():
    """Two who are alone play again, and the note says why and when they met."""
    pairing = pair("12", evenings("1:2+"))
    assert boards(pairing) == ["2-1"]
    (note,) = pairing.notes
    assert note.startswith("1 and 2: meeting number 2, the last was in round 1: earlier than allowed")


def test_as_few_early_rematches_as_possible():
    """Where some must meet too early, the others do not, and those do whose game is longer ago."""
    rounds = evenings("1:2+ 3:4+\n1:3+ 2:4+\n1:4+ 2:3+")
    settings = PairingSettings(rematch_min_gap=4)
    pairing = pair("1234", rounds, settings=settings)
    assert met(pairing) == pairs("1-2 3-4")
    assert len(pairing.notes) == 2


def test_manual_pairings_stay_as_set():
    """What a director sets is kept, colours too where they set them; the rest is paired as usual (club P4)."""
    hand = ManualPairs((Manual("1", "6", white="6"), Manual("3", "2")))
    pairing = pair("123456", (), by_hand=hand)
    assert boards(pairing) == ["6-1", "2-3", "4-5"]
    assert [board.by_hand for board in pairing.boards] == [True, True, False]


def test_everything_by_hand():
    """All pairings may be manual."""
    hand = ManualPairs((Manual("1", "4"), Manual("2", "3")))
    assert boards(pair("1234", (), by_hand=hand)) == ["1-4", "2-3"]


def test_a_manual_rematch_is_kept_but_told():
    """A director may let two meet too early; a note says so, and the colours are reversed."""
    pairing = pair("12", evenings("1:2+"), by_hand=ManualPairs((Manual("1", "2"),)))
    assert boards(pairing) == ["2-1"]
    assert pairing.notes == ("1 and 2 are set by hand and meet again earlier than allowed, after round 1",)


@pytest.mark.parametrize(
    ("hand", "message"),
    [
        (ManualPairs((Manual("1", "5"),)), "5 is flagged absent"),
        (ManualPairs((Manual("1", "9"),)), "9 is not a player"),
        (ManualPairs((Manual("1", "2"), Manual("2", "3"))), "2 is set by hand twice"),
        (ManualPairs((Manual("1", "1"),)), "1 is set by hand twice"),
        (ManualPairs((Manual("1", "2", white="3"),)), "3 cannot have white"),
        (ManualPairs(bye="5"), "5 is flagged absent"),
        (ManualPairs((Manual("1", "2"),), bye="1"), "1 is set by hand twice"),
        (ManualPairs(bye="4"), "4 cannot have the bye: an even number is present"),
    ],
)
def test_impossible_settings_by_hand(hand, message):
    """What cannot be set is refused with its reason."""
    with pytest.raises(CannotPair, match=message):
        pair("12345", (), absent=["5"], by_hand=hand)


def test_nobody_is_present():
    """Without anybody there is no round, and that is said."""
    with pytest.raises(CannotPair, match="nobody is present"):
        pair("12", (), absent=["1", "2"])


def test_one_alone_has_the_bye():
    """A single player present does not lose the round: they have the bye."""
    pairing = pair("12", (), absent=["1"])
    assert pairing.boards == ()
    assert pairing.bye.player == "2"


def test_bye_for_the_lowest():
    """The lowest placed of those with the fewest byes has it, and the reason is told (club P13)."""
    assert pair("12345", ()).bye.player == "5"
    pairing = pair("12345", evenings("1:2+ 3:4+ 5b"))
    assert pairing.bye.player == "4"
    assert pairing.bye.why == "4 is lowest of those with the fewest byes (0)"


def test_bye_passes_over_who_is_needed():
    """Where the others could not be paired without the lowest, the next lowest has the bye."""
    pairing = pair("123", evenings("1:2+ 3e"))
    assert pairing.bye.player == "2"
    assert met(pairing) == pairs("1-3")
    assert "but for 3, without whom the others could not be paired" in pairing.bye.why


def test_second_byes_only_when_all_have_one():
    """Nobody has a second bye while somebody present has none, not even to avoid an early rematch (club P13)."""
    pairing = pair("123", evenings("1:2+ 3b\n1:3+ 2b"))
    assert pairing.bye.player == "1"
    assert pair("123", evenings("1:2+ 3b\n1:3+ 2b\n2:3+ 1b")).bye.player == "3"


def test_bye_as_the_director_wants_it():
    """A volunteer can have the bye; that others had fewer is told."""
    pairing = pair("123", evenings("1:2+ 3b"), by_hand=ManualPairs(bye="3"))
    assert pairing.bye.player == "3"
    assert any(note.startswith("3 has bye number 2 though 1, 2 had fewer") for note in pairing.notes)


def test_names_in_the_sentences():
    """The reasons are written with the names that people know."""
    pairing = pair("123", evenings("1:2+ 3e"), name={"1": "Rossi", "2": "Bianchi", "3": "Neri"}.get)
    why = "places 1 and 3 of 3 present; nearer to Rossi: Bianchi (set by hand or without a game)"
    assert pairing.boards[0].why == why
    assert "Rossi had white in 1 of 1 game" in pairing.boards[0].why_colours
    assert pairing.bye.why.startswith("Bianchi is lowest")


def test_the_evening_that_begins():
    """A pairing becomes a round without results, with the bye and the absentees."""
    pairing = pair("1234", (), absent=["2"])
    evening = pairing.evening({"2": AbsenceReason.CLUB})
    assert [(game.white, game.black, game.result) for game in evening.games] == [("1", "3", None)]
    assert set(evening.away) == {Away("4", AbsenceReason.BYE), Away("2", AbsenceReason.CLUB)}


def test_a_forfeit_is_no_meeting():
    """Who did not come to the board can be paired with the same player at once (club K8)."""
    pairing = pair("12", evenings("1:2>"))
    assert pairing.notes == ()
    assert boards(pairing) == ["1-2"]


def test_an_open_game_is_a_meeting():
    """A game that is still being played counts as met, with its colours."""
    assert met(pair("1234", evenings("1:2? 3:4?"))) == pairs("1-3 2-4")


def test_absent_flag_and_manual_pairings():
    """The flag of a manually paired player cannot be set; that of another can (club P5)."""
    assert "remove that pairing first" in why_not_absent("2", [Manual("1", "2")])
    assert why_not_absent("3", [Manual("1", "2")]) is None


def test_removing_a_player():
    """Only a player without a game can be deleted (club P17)."""
    rounds = evenings("1:2+ 3e\n1:2? 3b")
    assert "has a game in round 1" in why_not_removed("2", rounds)
    assert why_not_removed("3", rounds) is None


@pytest.mark.parametrize(
    ("players", "rounds", "word"), [(20, 9, "few"), (20, 13, None), (12, 8, None), (6, 9, "many")]
)
def test_advice_on_the_number_of_rounds(players, rounds, word):
    """Two thirds of the field is the rule of thumb; what is far from it is told (club P16)."""
    advice = advice_on_rounds(players, rounds)
    assert (advice is None) if word is None else (word in advice)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ({"rematch_min_gap": "-1"}, "rematch_min_gap must be at least 0"),
        ({"rematch_reading": "loose"}, "rematch_reading must be one of distance, between"),
        ({"repeat_factor": "0"}, "repeat_factor must be at least 1"),
        ({"shift": "1"}, "there is no setting shift"),
    ],
)
def test_wrong_pairing_settings(typed, message):
    """Settings that make no sense are refused."""
    with pytest.raises(ValueError, match=message):
        from_texts(PairingSettings, typed)


def test_pairing_settings_as_texts():
    """They are stored and read like the other settings."""
    assert from_texts(PairingSettings, as_texts(BETWEEN)) == BETWEEN


def test_boards_in_the_order_of_the_table():
    """The board of the best placed is the first, manual or not."""
    pairing = pair("12345678", (), by_hand=ManualPairs((Manual("2", "8"),)))
    firsts = [min(board.white, board.black) for board in pairing.boards]
    assert firsts == sorted(firsts)
    assert Counter(player for board in boards(pairing) for player in board.split("-")) == Counter("12345678")
