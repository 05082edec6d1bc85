"""The way back: whatever a command did, in words that say what it was; and what was done beside it since."""

import json

import pytest
from sqlalchemy import delete, select, update

from core.club.tournament import AbsenceReason
from daemon.archive.games import whereabouts
from daemon.archive.reading.players import player
from daemon.archive.tables.club import club_events, club_steps
from daemon.club.errors import ClubError, Confirm
from daemon.club.evening import EveningSetting, Flags, set_by_hand, set_flags
from daemon.club.foundation import change_settings
from daemon.club.members import MemberEdit, NewMember, add_members, edit_member, remove_member
from daemon.club.pairing_list import pair_round
from daemon.club.presence import presence
from daemon.club.rating import apply_ratings
from daemon.club.results import BoardResult, enter, read_result
from daemon.club.undo import redo, undo
from daemon.club.views import events
from tests.daemon.club.evenings import NAMES, NOW, SLUG, evening_of, now, order, pair_all, results, start, yes
from tests.daemon.club.stepping import do_again, faults, state, take_back

ROSSI, BIANCHI, NERI, VERDI, ONEILL, MULLER, CONTI, GALLI = NAMES


def add(archive, name, rating=1000, **more):
    return add_members(archive, SLUG, [NewMember(name, rating, **more)], now_ms=NOW)[0]


def edit(archive, who, **more):
    return edit_member(archive, SLUG, who, MemberEdit(**more), now_ms=NOW)


def remove(archive, who):
    return yes(lambda version: remove_member(archive, SLUG, who, now_ms=NOW, confirmed=version))


def question(archive):
    """What undo asks."""
    with pytest.raises(Confirm) as asked:
        undo(archive, SLUG, now_ms=NOW)
    return asked.value.question


def back(archive, redo_=False):
    do = redo if redo_ else undo
    return yes(lambda version: do(archive, SLUG, now_ms=NOW, confirmed=version))


def test_a_correction_of_an_earlier_round_goes_back(archive):
    """It is asked with board, players, and both results; the tables are the ones before."""
    start(archive, 4)
    pair_all(archive)
    results(archive, "1-0", "1-0")
    pair_all(archive, "2024-05-19")
    before = state(archive)
    entry = {2: BoardResult(read_result("0-1"))}
    yes(lambda version: enter(archive, SLUG, entry, number=1, now_ms=NOW, confirmed=version))
    asked = question(archive)
    assert f"round 1, board 2, {NERI} – {VERDI}: 1-0 → 0-1" in asked
    assert f"Then: round 1, board 2, {NERI} – {VERDI}: 0-1 → 1-0." in asked
    back(archive)
    assert state(archive) == before


def test_one_command_is_one_step(archive):
    """Three results at once go at once, with the table; the question names them all."""
    start(archive, 6)
    pair_all(archive)
    before = state(archive)
    results(archive, "1-0", "0-1", "1/2")
    assert question(archive).count("no result") == 3
    assert back(archive).what == "result"
    assert state(archive) == before
    assert now(archive).current.is_untouched


def test_settings_and_facts_go_back(archive):
    """What undo says are the settings by name."""
    start(archive, 4, loss="0")
    before = state(archive)
    change_settings(archive, SLUG, {"loss": "1/6", "city": "Roma"}, now_ms=NOW)
    assert "city: Roma → -; loss: 1/6 → 0" in question(archive)
    back(archive)
    assert state(archive) == before


def test_an_edit_goes_back_with_the_player(archive):
    """The player who was dropped by it is there again, under the id that it had, and the other one is gone."""
    start(archive, 4)
    was = now(archive).members[0].player_id
    new = edit(archive, "rossi", name="Russo, Ugo", rating=1801, category="U18", handles=("lichess:u",))
    with archive.reading() as connection:
        assert player(connection, was) is None
    asked = question(archive)
    assert f"name Russo, Ugo → {ROSSI}; rating 1801 → 1800; category U18 → -" in asked
    back(archive)
    assert now(archive).members[0].player_id == was
    with archive.reading() as connection:
        assert player(connection, was)["name"] == ROSSI
        assert player(connection, new.player_id) is None
    back(archive, redo_=True)
    assert now(archive).members[0].player_id == new.player_id


def test_who_was_removed_comes_back(archive):
    """As the same member, with flags; the player is there again."""
    start(archive, 4)
    set_flags(archive, SLUG, Flags(away={"verdi": AbsenceReason.CLUB}), now_ms=NOW)
    before = state(archive)
    gone = remove(archive, "verdi")
    with archive.reading() as connection:
        assert player(connection, gone.player_id) is None
    back(archive)
    assert state(archive) == before


def test_who_was_added_stays_and_plays_in_the_round_that_is_next_then(archive):
    """Added while a list stood, from the next round on; the list is undone: in that round, shown and paired."""
    start(archive, 4)
    pair_all(archive)
    assert add(archive, "Ferri, Elio", 1500).joined == 2
    assert "Ferri, Elio, added since, plays from round 1 on" in question(archive)
    back(archive)
    assert now(archive).find("ferri").joined == 1
    set_flags(archive, SLUG, Flags(away={"rossi": AbsenceReason.EXCUSED}), now_ms=NOW)
    assert "Ferri, Elio" in {name for board in pair_all(archive) for name in board}


def test_who_was_added_stays_when_a_list_goes_comes_and_goes_again(archive):
    """Undo, redo and undo move the round from which they play, and nothing else."""
    start(archive, 4)
    pair_all(archive)
    add(archive, "Ferri, Elio", 1250)
    with_list = state(archive)
    back(archive)
    without = state(archive)
    for _ in range(2):
        back(archive, redo_=True)
        assert state(archive) == with_list
        back(archive)
        assert state(archive) == without
    assert now(archive).find("ferri").joined == 1


def test_who_was_added_plays_in_a_list_that_is_made_again(archive):
    """It is said in the question; and undo gives the list and the round of joining before back."""
    start(archive, 4)
    pair_all(archive)
    add(archive, "Ferri, Elio", 1500)
    before = state(archive)
    with pytest.raises(Confirm, match="Ferri, Elio, added since, can play in it"):
        pair_round(archive, SLUG, evening_of(), now_ms=NOW)
    yes(lambda version: pair_round(archive, SLUG, None, now_ms=NOW, confirmed=version))
    assert now(archive).find("ferri").joined == 1
    assert faults(now(archive)) == []
    back(archive)
    assert state(archive) == before


def test_who_withdrew_is_there_again_before_the_round_is_taken_back(archive):
    """A withdrawal is a step of its own: what `present` shows is who is paired."""
    start(archive, 4)
    pair_all(archive)
    edit(archive, "rossi", withdrawn=True)
    assert "not withdrawn from round 2 any more" in question(archive)
    back(archive)
    back(archive)
    shown = {one.member.name for one in presence(now(archive)).states if one.reason is None}
    assert shown == {name for board in pair_all(archive) for name in board} == set(NAMES[:4])


def test_a_rating_that_is_taken_by_now_comes_back_as_the_nearest_free_one(archive):
    """It is said, and the step before can be undone all the same."""
    start(archive, 2)
    set_flags(archive, SLUG, Flags(away={"rossi": AbsenceReason.CLUB}), now_ms=NOW)
    edit(archive, "rossi", rating=1900)
    add(archive, "Ferri, Elio", 1800)
    assert "the rating is 1799, since 1800 is somebody else's by now" in question(archive)
    back(archive)
    assert [one.rating for one in now(archive).members] == [1799, 1750, 1800]
    back(archive)
    assert now(archive).open is None


def test_several_ratings_that_come_back_stay_apart(archive):
    """The nearest free one is free beside all others of the step, too."""
    start(archive, [NewMember(ROSSI, 1500), NewMember(BIANCHI, 1499)])
    wanted = {ROSSI: 1600, BIANCHI: 1700}
    yes(lambda version: apply_ratings(archive, SLUG, wanted, now_ms=NOW, confirmed=version))
    add(archive, "Ferri, Elio", 1500)
    back(archive)
    assert [one.rating for one in now(archive).members] == [1501, 1499, 1500]


def test_a_rating_comes_back_beside_its_like_where_a_lot_decides(archive):
    """Ratings may be equal there: those of a new list, too."""
    start(archive, [NewMember(ROSSI, 1500), NewMember(BIANCHI, 1400)], start_order="lot")
    wanted = {ROSSI: 1600, BIANCHI: 1600}
    yes(lambda version: apply_ratings(archive, SLUG, wanted, now_ms=NOW, confirmed=version))
    add(archive, "Ferri, Elio", 1500)
    back(archive)
    assert [one.rating for one in now(archive).members] == [1500, 1400, 1500]


def test_who_is_the_same_person_as_one_who_comes_back_is_that_member_again(archive):
    """Removed, added again under another number, the removal undone: one member, with the old number."""
    start(archive, 3)
    remove(archive, "neri")
    add(archive, NERI, 1700, handles=("lichess:anna",))
    assert now(archive).find("neri").n == 4
    assert f"{NERI}, added since as no. 4, is no. 3 again" in question(archive)
    back(archive)
    assert [(one.n, one.name) for one in now(archive).members] == [(1, ROSSI), (2, BIANCHI), (3, NERI)]


def test_a_handle_that_is_taken_by_now_stays_with_whom_has_it(archive):
    """Which of two a game was of could not be known."""
    start(archive, [NewMember(ROSSI, 1800, handles=("lichess:m", "lichess:n"))])
    edit(archive, "rossi", handles=("lichess:x",))
    add(archive, "Ferri, Elio", 1500, handles=("lichess:M",))
    back(archive)
    assert now(archive).find("rossi").handles == ("lichess:n",)


def test_what_cannot_be_taken_back_says_why(archive):
    """A base that is too small for the members of today; nothing is changed."""
    start(archive, 2, base="3")
    change_settings(archive, SLUG, {"base": "30"}, now_ms=NOW)
    for place in range(4):
        add(archive, f"Ferri, Elio {place}", 1000 + place)
    before = state(archive)
    with pytest.raises(ClubError, match="cannot be undone: no table can be made"):
        undo(archive, SLUG, now_ms=NOW)
    assert state(archive) == before


def test_steps_are_done_again_in_their_order(archive):
    """As many as were undone; not after something else was done, members added included."""
    start(archive, 4)
    pair_all(archive)
    results(archive, "1-0", "1-0")
    before = state(archive)
    take_back(archive)
    take_back(archive)
    do_again(archive)
    assert now(archive).current.is_untouched
    do_again(archive)
    assert state(archive) == before
    with pytest.raises(ClubError, match="nothing to redo"):
        do_again(archive)
    take_back(archive)
    add(archive, "Ferri, Elio", 1500)
    with pytest.raises(ClubError, match="nothing to redo"):
        do_again(archive)


def test_an_undone_step_is_marked_in_the_log(archive):
    """It stays there, what undid it is above it, and a result that was replaced is beside the new one."""
    start(archive, 2)
    pair_all(archive)
    results(archive, "1-0")
    results(archive, "0-1")
    take_back(archive)
    with archive.reading() as connection:
        logged = [(one["what"], one["undone"], one["told"]) for one in events(connection, now(archive))]
    assert logged[0][:2] == ("undo", False)
    assert logged[1] == ("result", True, f"round 1, board 1, {ROSSI} – {BIANCHI}: 1-0 → 0-1")
    assert logged[3] == ("result", False, f"round 1, board 1, {ROSSI} – {BIANCHI}: 1-0")


def test_a_tournament_that_is_older_than_the_steps(archive):
    """Its last flags, list or table are undone; what was done since comes first; all of it can be done again."""
    start(archive, 4)
    pair_all(archive)
    results(archive, "1-0", "1/2")
    forget_steps(archive)
    before = state(archive)
    set_flags(archive, SLUG, Flags(away={"neri": AbsenceReason.CLUB}), now_ms=NOW)
    assert [back(archive).what for _ in range(3)] == ["present", "table", "pair"]
    assert [one.state for one in now(archive).rounds] == ["open"]
    with pytest.raises(ClubError, match="nothing to undo"):
        undo(archive, SLUG, now_ms=NOW)
    do_again(archive)
    assert now(archive).current.has_all_results
    with pytest.raises(Confirm, match="has all its results, but its table was undone"):
        pair_all(archive, "2024-05-19")
    do_again(archive)
    assert state(archive) == before
    assert order(archive)[0] == ROSSI


def forget_steps(archive):
    """Let the tournament be one that is older than the steps."""
    with archive.writing() as connection:
        connection.execute(delete(club_steps))
        connection.execute(update(club_events).values(step=None))


def test_who_was_added_to_an_older_list_plays_when_it_is_taken_back(archive):
    """As in a list with a step: undone or made again, it has everybody."""
    start(archive, 4)
    pair_all(archive)
    add(archive, "Ferri, Elio", 1250)
    forget_steps(archive)
    add(archive, "Nuovi, Nino", 1200)
    paired = yes(lambda version: pair_round(archive, SLUG, now_ms=NOW, confirmed=version))
    assert len(paired.pairings) == 3
    back(archive)
    assert len(now(archive).current.pairings) == 2
    assert "Nuovi, Nino, added since, plays from round 1 on" in back(archive).sentence
    assert [one.reason for one in presence(now(archive)).states] == [None] * 6


def test_a_list_that_is_made_again_with_the_same_pairs_is_a_step(archive):
    """The undo after it leaves the list, and what was done between the two."""
    start(archive, 4)
    pair_all(archive)
    edit(archive, "rossi", category="U18")
    before = state(archive)
    yes(lambda version: pair_round(archive, SLUG, evening_of(), now_ms=NOW, confirmed=version))
    assert "paired again" in question(archive)
    back(archive)
    assert state(archive) == before


def test_a_step_keeps_only_what_changed(archive):
    """One flag is one row: a tournament of years does not grow by itself with each command."""
    start(archive, 8)
    set_flags(archive, SLUG, Flags(away={"neri": AbsenceReason.CLUB}), now_ms=NOW)
    set_flags(archive, SLUG, Flags(away={"neri": AbsenceReason.EXCUSED}), now_ms=NOW)
    with archive.reading() as connection:
        rows = connection.scalars(select(club_steps.c.rows).order_by(club_steps.c.n)).all()
    assert [one["table"] for one in json.loads(rows[0])] == ["club_rounds", "club_absences"]
    (change,) = json.loads(rows[1])
    assert (change["before"], change["after"]) == ({"reason": "club"}, {"reason": "excused"})


def test_what_is_not_noted_is_not_changed(archive):
    """A change without a word in the log is a fault of the program, and nothing of it is stored."""
    from daemon.archive.club import tournaments
    from daemon.club.change import changing

    start(archive, 2)
    with pytest.raises(RuntimeError, match="has to be noted"), changing(archive, SLUG, NOW) as change:
        tournaments.change_member(change.connection, change.season.members[0].id, {"rating": 1})
    assert now(archive).members[0].rating == 1800


def test_pairs_by_hand_go_back_one_by_one(archive):
    """With the one who has White, as the question says."""
    start(archive, 6)
    set_by_hand(archive, SLUG, EveningSetting(pairs=[("rossi", "neri")], first_white=True), now_ms=NOW)
    set_by_hand(archive, SLUG, EveningSetting(pairs=[("bianchi", "verdi")]), now_ms=NOW)
    assert question(archive).endswith(f"Then: round 1, by hand: {ROSSI} (White) – {NERI}.")
    back(archive)
    assert len(now(archive).open.by_hand) == 1
    back(archive)
    assert now(archive).open is None


def test_a_result_comes_back_with_the_game_that_told_it(archive):
    """Also where that game has gone into another one since."""
    start(archive, 2)
    pair_all(archive)
    enter(archive, SLUG, {1: BoardResult(read_result("1-0"), game_id=7)}, now_ms=NOW)
    results(archive, "0-1")
    assert now(archive).complete[0].pairings[0].game_id is None
    with archive.writing() as connection:
        whereabouts.follow(connection, {70: 71, 7: 9})
    back(archive)
    assert (now(archive).complete[0].pairings[0].result, now(archive).complete[0].pairings[0].game_id) == (
        "1-0",
        9,
    )


def test_much_is_told_line_by_line(archive):
    """The results of an evening: one line each, what was done and how it is before it; a few are one sentence."""
    start(archive, 8)
    pair_all(archive)
    results(archive, "1-0", "0-1", "1/2")
    assert question(archive).startswith("Undo the last step: round 1, board 1")
    take_back(archive)
    results(archive, "1-0", "0-1", "1/2", "1-0")
    lines = question(archive).split("\n")
    assert (lines[0], lines[6], lines[-1]) == ("The last step is:", "Before it:", "Undo it?")
    assert all(line.startswith("  ") for line in (*lines[1:6], *lines[7:-1]))
    take_back(archive)
    with pytest.raises(Confirm, match=r"^What was undone:\n  round 1, board 1.*\n  round 1, board 2"):
        redo(archive, SLUG, now_ms=NOW)
