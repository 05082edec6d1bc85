"""Who is there in a round, and from which round to which somebody takes part."""

import pytest

from core.club.tournament import AbsenceReason
from daemon.club.errors import ClubError, Confirm
from daemon.club.evening import EveningSetting, Flags, set_by_hand, set_flags
from daemon.club.members import MemberEdit, edit_member
from daemon.club.presence import change_reasons, presence
from daemon.club.views import standings
from tests.daemon.club.evenings import NAMES, NOW, SLUG, now, pair_all, results, start, yes
from tests.daemon.club.stepping import faults, state, take_back

ROSSI, BIANCHI, NERI, VERDI, ONEILL = NAMES[:5]


def edit(archive, who, **more):
    return edit_member(archive, SLUG, who, MemberEdit(**more), now_ms=NOW)


def states(archive, number=None):
    """What is shown of each member."""
    return {one.member.name: one.words for one in presence(now(archive), number).states}


def correct(archive, number, **reasons):
    return yes(lambda version: change_reasons(archive, SLUG, number, reasons, now_ms=NOW, confirmed=version))


def test_a_round_that_is_played_is_shown_as_it_is(archive):
    """Boards, bye, reasons; not the next round, in which everybody would be there."""
    start(archive, 5)
    set_flags(
        archive, SLUG, Flags(away={"rossi": AbsenceReason.CLUB, "neri": AbsenceReason.EXCUSED}), now_ms=NOW
    )
    set_by_hand(archive, SLUG, EveningSetting(bye="verdi"), now_ms=NOW)
    assert states(archive) == {
        ROSSI: "club",
        BIANCHI: "here",
        NERI: "excused",
        VERDI: "here; by hand: the bye",
        ONEILL: "here",
    }
    pair_all(archive)
    found = presence(now(archive))
    assert (found.round, found.state) == (1, "paired")
    assert states(archive) == {
        ROSSI: "club",
        BIANCHI: "board 1",
        NERI: "excused",
        VERDI: "bye",
        ONEILL: "board 1",
    }
    results(archive, "1-0")
    assert (presence(now(archive)).round, set(states(archive).values())) == (2, {"here"})
    assert states(archive, 1)[VERDI] == "bye"
    with pytest.raises(ClubError, match="round 3 is not paired"):
        presence(now(archive), 3)


def test_only_keeps_the_reasons_that_were_flagged_before(archive):
    """Club duty stays club duty; all others who are not named are excused."""
    start(archive, 5)
    set_flags(
        archive, SLUG, Flags(away={"neri": AbsenceReason.CLUB, "verdi": AbsenceReason.CLUB}), now_ms=NOW
    )
    set_flags(archive, SLUG, Flags(only=["rossi", "verdi"]), now_ms=NOW)
    assert states(archive) == {
        ROSSI: "here",
        BIANCHI: "excused",
        NERI: "club",
        VERDI: "here",
        ONEILL: "excused",
    }


def test_why_somebody_was_absent_can_be_corrected(archive):
    """After a question; not for somebody who played or had the bye; undo takes it back."""
    start(archive, 5)
    pair_all(archive, away={"rossi": AbsenceReason.UNEXCUSED, "neri": AbsenceReason.EXCUSED})
    results(archive, "1-0")
    before = state(archive)
    with pytest.raises(Confirm, match=f"Round 1: {ROSSI} unexcused → excused"):
        change_reasons(archive, SLUG, 1, {"rossi": AbsenceReason.EXCUSED}, now_ms=NOW)
    correct(archive, 1, rossi=AbsenceReason.EXCUSED)
    rows = {one["member"]["name"]: one for one in standings(now(archive))["items"]}
    assert rows[ROSSI]["credits"][0]["kind"] == "excused"
    take_back(archive)
    assert state(archive) == before
    for who, why in {"bianchi": "was not absent", "neill": "had the bye"}.items():
        with pytest.raises(ClubError, match=why):
            correct(archive, 1, **{who: AbsenceReason.EXCUSED})
    with pytest.raises(ClubError, match="without --round"):
        correct(archive, 2, rossi=AbsenceReason.EXCUSED)


def test_the_round_of_joining_can_be_edited(archive):
    """Earlier: excused in the rounds that were played; later: not in rounds with a game or a bye."""
    start(archive, 5)
    pair_all(archive, away={"rossi": AbsenceReason.EXCUSED, "neri": AbsenceReason.EXCUSED})
    results(archive, "1-0")
    assert edit(archive, "rossi", joined=2).joined == 2
    assert ROSSI not in states(archive, 1)
    for who, why in {"bianchi": "has a game in round 1", "neill": "has the bye in round 1"}.items():
        with pytest.raises(ClubError, match=f"{why}, so takes part in it"):
            edit(archive, who, joined=2)
    edit(archive, "rossi", joined=1)
    assert states(archive, 1)[ROSSI] == "excused"
    edit(archive, "rossi", joined=4)
    assert (ROSSI in states(archive), faults(now(archive))) == (False, [])
    with pytest.raises(ClubError, match=f"{ROSSI} takes part only from round 4 on"):
        set_flags(archive, SLUG, Flags(here=["rossi"]), now_ms=NOW)


def test_the_round_of_withdrawing_can_be_edited(archive):
    """From an earlier round on, if they only were absent; from a later one; who returns was absent between."""
    start(archive, 4)
    pair_all(archive, away={"rossi": AbsenceReason.EXCUSED, "neri": AbsenceReason.EXCUSED})
    results(archive, "1-0")
    with pytest.raises(ClubError, match="has a game in round 1"):
        edit(archive, "bianchi", withdrawn=True, without=1)
    edit(archive, "rossi", withdrawn=True, without=1)
    assert ROSSI not in states(archive, 1)
    edit(archive, "bianchi", withdrawn=True, without=3)
    assert (BIANCHI in states(archive), faults(now(archive))) == (True, [])
    assert BIANCHI in now(archive).tables[-1].order
    edit(archive, "rossi", withdrawn=False)
    assert states(archive, 1)[ROSSI] == "unexcused"
    with pytest.raises(ClubError, match="cannot withdraw from round 1 on and join in round 2"):
        edit(archive, "neri", joined=2, withdrawn=True, without=1)


def test_who_is_set_by_hand_is_held(archive):
    """By a pair or the bye; it is said how to take that back."""
    start(archive, 5)
    set_by_hand(archive, SLUG, EveningSetting(pairs=[("rossi", "neri")], bye="verdi"), now_ms=NOW)
    with pytest.raises(ClubError, match=r"paired by hand in round 1: .* --remove"):
        edit(archive, "rossi", withdrawn=True)
    with pytest.raises(ClubError, match=r"is to have the bye in round 1: .* --bye"):
        edit(archive, "verdi", joined=2)


def test_an_edit_shows_in_the_list(archive):
    """A name that is given is the one that is shown, whatever name the player's games or FIDE id have."""
    start(archive, 4)
    edit(archive, "rossi", fide_id="1503014")
    edit(archive, "rossi", name="Rossi, Mario jun.")
    edit(archive, "neri", name="NERI, Anna")
    assert [one.name for one in now(archive).members][:3:2] == ["Rossi, Mario jun.", "NERI, Anna"]
    take_back(archive)
    take_back(archive)
    assert [one.name for one in now(archive).members][:3:2] == [ROSSI, NERI]
