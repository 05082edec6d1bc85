"""An evening: who is there, what is set by hand, the pairing list, results, the table, and the way back."""

from fractions import Fraction

import pytest
from sqlalchemy import select

from core.club.tournament import AbsenceReason
from daemon.archive.tables.club import club_events
from daemon.club.errors import ClubError, Confirm
from daemon.club.evening import EveningSetting, Flags, set_by_hand, set_flags
from daemon.club.foundation import NewTournament, advice, change_settings, found, read_settings
from daemon.club.pairing_list import pair_round
from daemon.club.results import BoardResult, enter, read_result
from daemon.club.season import read_season
from daemon.club.short_names import slug_of
from daemon.club.undo import undo
from daemon.club.views import events, round_, standings
from tests.daemon.club.evenings import (
    NAMES,
    NOW,
    SLUG,
    evening_of,
    now,
    order,
    pair_all,
    results,
    start,
    yes,
)

ROSSI, BIANCHI, NERI, VERDI, ONEILL, MULLER, CONTI, GALLI = NAMES


def flag(archive, **flags):
    return set_flags(archive, SLUG, Flags(**flags), now_ms=NOW)


def by_hand(archive, **setting):
    return set_by_hand(archive, SLUG, EveningSetting(**setting), now_ms=NOW)


def step_back(archive):
    return yes(lambda version: undo(archive, SLUG, now_ms=NOW, confirmed=version))


def enter_one(archive, board, text, confirmed=None, number=None):
    entries = {board: BoardResult(read_result(text))}
    return enter(archive, SLUG, entries, number=number, now_ms=NOW, confirmed=confirmed)


# --- founding


@pytest.mark.parametrize(
    ("short", "slug"),
    [
        ("VM 2026", "vm-2026"),
        ("Ü-60 «A»", "u-60-a"),
        ("../../etc/passwd", "etc-passwd"),
        ("A/B\\C:D", "a-b-c-d"),
    ],
)
def test_a_short_name_becomes_part_of_file_names(short, slug):
    """Only letters, digits and hyphens are left."""
    assert slug_of(short) == slug


@pytest.mark.parametrize("short", ["", "…", "x" * 81, "?"])
def test_a_short_name_must_leave_something(short):
    """And not too much."""
    with pytest.raises(ClubError, match="short name"):
        slug_of(short)


@pytest.mark.parametrize("typed", ["VM26", "vm26", " Vm26 "])
def test_a_tournament_is_found_as_it_stands_on_paper(archive, typed):
    """Capitals and blanks do not matter, as they do not when it is created."""
    found(archive, NewTournament("Championship", "VM26"), now_ms=NOW)
    with archive.reading() as connection:
        assert read_season(connection, typed).tournament.slug == "vm26"
        with pytest.raises(ClubError, match=r'there is no tournament "\?"'):
            read_season(connection, "?")


def test_a_tournament_is_there_once(archive):
    """A second one of the same short name is refused; so is one without a name."""
    start(archive, 0)
    with pytest.raises(ClubError, match='"vm26" already'):
        found(archive, NewTournament("Another", "vm26"), now_ms=NOW)
    with pytest.raises(ClubError, match="needs a name"):
        found(archive, NewTournament(" ", "x"), now_ms=NOW)


def test_all_wrong_settings_are_told():
    """Of the table and of the pairing, and names of none."""
    with pytest.raises(ClubError, match=r"ratio must be.*; rematch_min_gap cannot be 'x'"):
        read_settings({"ratio": "1", "rematch_min_gap": "x"})
    with pytest.raises(ClubError, match=r'no setting "wrong"') as refused:
        read_settings({"wrong": "1", "rounds": "9"})
    assert 'no setting "rounds"; did you mean last_rounds or planned_rounds?' in str(refused.value)


def test_settings_are_stored_and_changed(archive):
    """Every one of them, exactly; in a running tournament after a question."""
    start(archive, 4, bye="2/3", planned_rounds="9", rematch_min_gap="5")
    assert now(archive).settings.bye.denominator == 3
    assert now(archive).pairing_settings.rematch_min_gap == 5
    assert change_settings(archive, SLUG, {"city": "Roma", "loss": "1/6"}, now_ms=NOW) == [
        "city: - → Roma",
        "loss: 0 → 1/6",
    ]
    pair_all(archive)
    assert change_settings(archive, SLUG, {"city": "Torino"}, now_ms=NOW) == ["city: Roma → Torino"]
    with pytest.raises(Confirm, match="All tables are made again"):
        change_settings(archive, SLUG, {"loss": "0"}, now_ms=NOW)
    yes(lambda version: change_settings(archive, SLUG, {"loss": "0"}, now_ms=NOW, confirmed=version))
    season = now(archive)
    assert (season.settings.loss, season.settings.planned_rounds, season.tournament.city) == (0, 9, "Torino")
    assert change_settings(archive, SLUG, {"loss": "0"}, now_ms=NOW) == []


def test_the_number_of_rounds_is_judged(archive):
    """A warning where it does not fit the field (club P16)."""
    assert "20 rounds for 8 players may be too many" in advice(start(archive, 8, planned_rounds="20"))[0]
    yes(
        lambda version: change_settings(archive, SLUG, {"planned_rounds": "5"}, now_ms=NOW, confirmed=version)
    )
    assert advice(now(archive)) == []


# --- before the pairing


def test_the_first_round_goes_by_rating(archive):
    """Neighbours in the order of ratings; the list is stored with its reasons and its day (club P1, P2)."""
    start(archive, 4)
    assert pair_all(archive) == [(ROSSI, BIANCHI), (NERI, VERDI)]
    shown = round_(now(archive), 1)
    assert (shown["state"], shown["day"], shown["boards"]) == ("paired", "2024-05-12", 2)
    assert shown["pairings"][0]["why"].startswith("places 1 and 2 of 4")


def test_who_is_absent_is_not_paired_and_keeps_his_place(archive):
    """Neither paired nor given the bye; they stay in the table and may return (club P3)."""
    start(archive, 5)
    boards = pair_all(archive, away={"rossi": AbsenceReason.EXCUSED, "bianchi": AbsenceReason.UNEXCUSED})
    assert boards == [(NERI, VERDI)]
    absences = {one["member"]["name"]: one["reason"] for one in round_(now(archive), 1)["absences"]}
    assert absences == {ROSSI: "excused", BIANCHI: "unexcused", ONEILL: "bye"}
    results(archive, "1-0")
    assert set(order(archive)) == set(NAMES[:5])
    assert ROSSI in {name for board in pair_all(archive, "2024-05-19") for name in board}


def test_only_these_are_there(archive):
    """All others get the reason for the rest; flags set before are replaced."""
    start(archive, 4)
    flag(archive, away={"verdi": AbsenceReason.CLUB})
    row = flag(archive, only=["rossi", "verdi"], rest=AbsenceReason.UNEXCUSED)
    labels = now(archive).labels
    assert {labels[member]: reason for member, reason in row.absences.items()} == {
        BIANCHI: "unexcused",
        NERI: "unexcused",
    }


def test_pairs_by_hand_come_first_and_stay(archive):
    """Set before the rest is paired, with the colours that were wished (club P4)."""
    start(archive, 6)
    by_hand(archive, pairs=[("verdi", "rossi")], first_white=True)
    boards = pair_all(archive)
    assert (VERDI, ROSSI) in boards
    assert [one["by_hand"] for one in round_(now(archive), 1)["pairings"]].count(True) == 1


def test_who_is_absent_cannot_be_paired_by_hand(archive):
    """Only players without the absent flag can be chosen (club P4)."""
    start(archive, 4)
    flag(archive, away={"rossi": AbsenceReason.EXCUSED})
    with pytest.raises(ClubError, match=f"{ROSSI} is flagged absent"):
        by_hand(archive, pairs=[("rossi", "neri")])


def test_who_is_paired_by_hand_cannot_be_flagged(archive):
    """Not before that pairing is undone (club P5)."""
    start(archive, 4)
    by_hand(archive, pairs=[("rossi", "neri")])
    with pytest.raises(ClubError, match="remove that pairing first"):
        flag(archive, away={"neri": AbsenceReason.EXCUSED})
    with pytest.raises(ClubError, match="not paired by hand"):
        by_hand(archive, remove=[("rossi", "verdi")])
    by_hand(archive, remove=[("neri", "rossi")])
    flag(archive, away={"neri": AbsenceReason.EXCUSED})


@pytest.mark.parametrize(
    ("pairs", "why"),
    [
        ([("rossi", "neri"), ("neri", "verdi")], "set by hand twice"),
        ([("rossi", "rossi")], "set by hand twice"),
        ([("rossi", "nobody")], "has no member"),
    ],
)
def test_impossible_pairs(archive, pairs, why):
    """They are refused, and nothing is set."""
    start(archive, 4)
    with pytest.raises(ClubError, match=why):
        by_hand(archive, pairs=pairs)
    assert now(archive).open is None


def test_the_bye_can_be_given(archive):
    """Where the number is odd; it can be undone, and its player cannot be flagged meanwhile."""
    start(archive, 5)
    by_hand(archive, bye="rossi")
    with pytest.raises(ClubError, match="is to have the bye"):
        flag(archive, away={"rossi": AbsenceReason.EXCUSED})
    pair_all(archive)
    assert now(archive).current.absences == {now(archive).find("rossi").id: "bye"}
    step_back(archive)
    by_hand(archive, bye="")
    pair_all(archive)
    assert now(archive).current.absences == {now(archive).find("neill").id: "bye"}


def test_a_bye_for_an_even_number_is_refused_at_the_pairing(archive):
    """Only then it is known who is there."""
    start(archive, 4)
    by_hand(archive, bye="rossi")
    with pytest.raises(ClubError, match="an even number is present"):
        pair_all(archive)


def test_one_alone_has_the_bye(archive):
    """The round is there all the same, and its table is final at once: after a question, as it may be a slip."""
    start(archive, 3)
    with pytest.raises(Confirm, match="Only one is there: round 1 has no game"):
        pair_all(archive, only=["neri"])
    assert now(archive).listed == ()
    yes(lambda version: pair_round(archive, SLUG, now_ms=NOW, confirmed=version))
    assert len(now(archive).complete) == 1
    assert now(archive).complete[0].absences[now(archive).find("neri").id] == "bye"


def test_nobody_is_there(archive):
    """Then there is no round."""
    start(archive, 2)
    with pytest.raises(ClubError, match="nobody is present"):
        pair_all(archive, away={"rossi": AbsenceReason.EXCUSED, "bianchi": AbsenceReason.EXCUSED})


# --- the pairing list


def test_a_list_is_replaced_only_when_that_is_confirmed(archive):
    """And what it replaced is in the log."""
    start(archive, 4)
    pair_all(archive)
    with pytest.raises(Confirm, match="Round 1 is paired already"):
        pair_round(archive, SLUG, evening_of(), now_ms=NOW)
    yes(lambda version: pair_round(archive, SLUG, None, now_ms=NOW, confirmed=version))
    assert now(archive).current.day == "2024-05-12"
    with archive.reading() as connection:
        last = connection.execute(select(club_events).order_by(club_events.c.n.desc())).first()
    assert last.told == "round 1 is paired again (2 boards)"
    assert ROSSI in last.before


def test_a_list_with_results_is_not_replaced(archive):
    """It stays, and it is asked whether the game without a result stays open for the next one."""
    start(archive, 4)
    pair_all(archive)
    enter_one(archive, 1, "1-0")
    with pytest.raises(
        Confirm,
        match=f"being played: board 2, {NERI} – {VERDI} has no result. Leave it open, and pair round 2",
    ):
        pair_all(archive)


def test_while_a_round_is_played_nothing_is_set_for_the_next(archive):
    """Neither flags nor pairs."""
    start(archive, 4)
    pair_all(archive)
    for do in (
        lambda: flag(archive, away={"rossi": AbsenceReason.EXCUSED}),
        lambda: by_hand(archive, bye="rossi"),
    ):
        with pytest.raises(ClubError, match="round 1 is being played and has no result"):
            do()


def test_more_rounds_than_planned(archive):
    """They can be played, and the list says so (club P19)."""
    start(archive, 4, planned_rounds="1", rematch_min_gap="1")
    for week in range(3):
        pair_all(archive, f"2024-05-{12 + week}")
        results(archive, "1-0", "0-1")
    season = now(archive)
    assert len(season.tables) == 4
    assert "round 3 is beyond the planned 1" in season.rounds[2].notes
    assert season.tables[1].held
    assert not season.tables[3].held


# --- results


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("1-0", "1-0"),
        ("0:1", "0-1"),
        ("½", "1/2"),
        ("1/2-1/2", "1/2"),
        ("remis", "1/2"),
        ("1–0", "1-0"),
        ("+-", "+-"),
        ("1-0F", "+-"),
        ("0-1f", "-+"),
        ("0-0f", "--"),
        ("-/-", "--"),
    ],
)
def test_results_as_people_write_them(text, result):
    """Also those that begin with a sign, by letters."""
    assert read_result(text).value == result


@pytest.mark.parametrize("text", ["", "2-0", "*", "1-1", "won"])
def test_no_results(text):
    """What is none is told with the forms there are."""
    with pytest.raises(ClubError, match="1-0, 0-1, 1/2"):
        read_result(text)


def test_the_table_stands_with_the_last_result(archive):
    """Not before."""
    start(archive, 4)
    pair_all(archive)
    enter_one(archive, 2, "1-0")
    assert now(archive).complete == ()
    enter_one(archive, 1, "0-1")
    assert standings(now(archive))["round"] == 1
    assert order(archive)[0] == BIANCHI


def test_a_result_is_replaced_only_when_that_is_confirmed(archive):
    """The same once more changes nothing and is not asked."""
    start(archive, 4)
    pair_all(archive)
    enter_one(archive, 1, "1-0")
    version = now(archive).version
    enter_one(archive, 1, "1-0")
    assert now(archive).version == version
    with pytest.raises(Confirm, match=f"replace board 1, {ROSSI} – {BIANCHI} 1-0 by 0-1"):
        enter_one(archive, 1, "0-1")
    enter_one(archive, 1, "0-1", confirmed=version)
    assert now(archive).current.pairings[0].result == "0-1"


def test_an_old_result_is_corrected(archive):
    """All tables from then on are made again, pairings stay as they were played (club §A7, trap 7)."""
    start(archive, 4)
    pair_all(archive)
    results(archive, "1-0", "1-0")
    second = pair_all(archive, "2024-05-19")
    results(archive, "1/2", "1/2")
    before = standings(now(archive), 1)
    yes(lambda version: enter_one(archive, 1, "0-1", confirmed=version, number=1))
    season = now(archive)
    assert standings(season, 1) != before
    assert [
        (season.labels[one.white], season.labels[one.black]) for one in season.rounds[1].pairings
    ] == second
    assert len(season.complete) == 2


def test_no_such_board(archive):
    """Neither board nor round."""
    start(archive, 4)
    with pytest.raises(ClubError, match="no round is paired"):
        enter_one(archive, 1, "1-0")
    pair_all(archive)
    with pytest.raises(ClubError, match="no board 3: it has 2"):
        enter_one(archive, 3, "1-0")
    with pytest.raises(ClubError, match="round 2 is not paired"):
        enter_one(archive, 1, "1-0", number=2)


def test_forfeits_count_but_are_no_meeting(archive):
    """The one who came has the value, no game is counted, and they can meet again at once (club K8)."""
    start(archive, 2)
    pair_all(archive)
    results(archive, "1-0f")
    rows = {one["member"]["name"]: one for one in standings(now(archive))["items"]}
    assert rows[ROSSI]["played"] == rows[BIANCHI]["played"] == 0
    assert rows[ROSSI]["credits"][0]["kind"] == "forfeit win"
    pair_all(archive, "2024-05-13")
    assert now(archive).current.notes == ()


def test_who_has_too_few_games_has_no_rank_at_the_end(archive):
    """Only after the planned rounds; they stay listed. Who has not played has none at any time (club P15)."""
    start(archive, 3, planned_rounds="2", minimum_games="2", rematch_min_gap="0")
    pair_all(archive, away={"neri": AbsenceReason.EXCUSED})
    results(archive, "1-0")
    assert [one["rank"] for one in standings(now(archive), 0)["items"]] == [1, 2, 3], "the start order"
    first = standings(now(archive))
    assert {one["member"]["name"]: one["rank"] for one in first["items"]} == {
        ROSSI: 1,
        BIANCHI: 2,
        NERI: None,
    }
    pair_all(archive, "2024-05-13", away={"bianchi": AbsenceReason.EXCUSED})
    results(archive, "1-0")
    found = standings(now(archive))
    assert found["final"]
    assert {one["member"]["name"] for one in found["items"] if one["rank"] is None} == {BIANCHI, NERI}
    assert [one["place"] for one in found["items"]] == [1, 2, 3]


def test_value_before_the_round(archive):
    """The table tells the value numbers that it was made with, and every credit adds up."""
    start(archive, 6, valuation="lagged")
    pair_all(archive)
    results(archive, "1-0", "0-1", "1/2")
    for row in standings(now(archive))["items"]:
        credits_ = [Fraction(one["value"]) * Fraction(one["factor"]) for one in row["credits"]]
        assert Fraction(row["own"]) + sum(credits_) == Fraction(row["exact"])
    first = {one["member"]["name"]: one["value"] for one in standings(now(archive))["items"]}
    assert [first[name] for name in NAMES[:6]] == sorted(first.values(), key=Fraction, reverse=True)


# --- the way back


def test_undo_goes_back_step_by_step(archive):
    """Every command is a step; each is undone only after a question that says what it is (club P18)."""
    start(archive, 4)
    by_hand(archive, pairs=[("rossi", "verdi")])
    pair_all(archive)
    results(archive, "1-0", "1/2")
    flag(archive, away={"neri": AbsenceReason.CLUB})

    with pytest.raises(Confirm, match=rf"Undo the last step: round 2: {NERI} here → club"):
        undo(archive, SLUG, now_ms=NOW)
    assert step_back(archive).what == "present"
    with pytest.raises(Confirm, match=rf"round 1, board 2, {BIANCHI} – {NERI}: 1/2 → no result; the table"):
        undo(archive, SLUG, now_ms=NOW)
    assert step_back(archive).what == "result"
    assert [one.result for one in now(archive).current.pairings] == [None, None]
    assert now(archive).complete == ()
    assert step_back(archive).what == "pair"
    assert len(now(archive).open.by_hand) == 1
    assert step_back(archive).what == "by hand"
    assert now(archive).rounds == ()
    with pytest.raises(ClubError, match="nothing to undo"):
        step_back(archive)
    with archive.reading() as connection:
        shown = [one["what"] for one in events(connection, now(archive))]
    assert shown.count("undo") == 4


def test_flags_that_are_cleared_are_a_step(archive):
    """Undo sets them again; a command that sets what is set already does not make a step."""
    start(archive, 2)
    flag(archive, away={"rossi": AbsenceReason.EXCUSED})
    flag(archive, here=["rossi"])
    version = now(archive).version
    flag(archive, here=["rossi", "bianchi"])
    assert now(archive).version == version
    assert step_back(archive).sentence == f"undone: round 1: {ROSSI} here → excused"
    assert now(archive).open.absences == {now(archive).find("rossi").id: "excused"}


def test_what_undo_took_back_stays_taken_back(archive):
    """Without its last result a round is being played, and neither `present` nor `pair` goes on from it unasked."""
    start(archive, 4)
    pair_all(archive)
    enter_one(archive, 1, "1-0")
    enter_one(archive, 2, "1-0")
    step_back(archive)
    assert now(archive).current.n == 1
    for do in (
        lambda: flag(archive, away={"rossi": AbsenceReason.EXCUSED}),
        lambda: by_hand(archive, bye="rossi"),
        lambda: pair_all(archive, "2024-05-19"),
    ):
        with pytest.raises(Confirm, match="Round 1 is being played: board 2"):
            do()
    assert [one.state for one in now(archive).rounds] == ["paired"]


def test_what_is_taken_back_comes_again_the_same(archive):
    """The same input gives the same pairing."""
    start(archive, 8)
    pair_all(archive)
    results(archive, "1-0", "0-1", "1/2", "1-0")
    first = pair_all(archive, "2024-05-19")
    step_back(archive)
    assert pair_all(archive, "2024-05-19") == first


@pytest.mark.parametrize(
    "flags",
    [
        {"here": ["rossi"], "away": {"rossi": AbsenceReason.EXCUSED}},
        {"only": ["#1", "neri"], "away": {"rossi": AbsenceReason.EXCUSED}},
        {"away": {"rossi": AbsenceReason.EXCUSED, "#1": AbsenceReason.CLUB}},
    ],
)
def test_nobody_is_here_and_away(archive, flags):
    """Two different things that are said of one member in one command are refused, and nothing is flagged."""
    start(archive, 3)
    with pytest.raises(ClubError, match=r"Rossi, Mario cannot be (there|excused) and (excused|club)"):
        flag(archive, **flags)
    assert not any(one.absences for one in now(archive).rounds)


def test_a_bye_for_an_even_number_says_how_it_is_taken_back(archive):
    """The command that does it is in the message."""
    start(archive, 3)
    by_hand(archive, bye="neri")
    with pytest.raises(ClubError, match=rf"even number is present.*`gamekeeper club pair {SLUG} --bye -`"):
        pair_all(archive, away={"rossi": AbsenceReason.EXCUSED})


def test_a_day_before_that_of_an_earlier_round(archive):
    """The list stands, with a note: one of the two days is a slip."""
    start(archive, 4)
    for day, noted in ((10, False), (3, True), (10, False)):
        paired = pair_round(archive, SLUG, evening_of(f"2026-11-{day:02}"), now_ms=NOW)
        assert any("is before round" in note for note in paired.notes) is noted
        enter(archive, SLUG, {board: BoardResult(read_result("1-0")) for board in (1, 2)}, now_ms=NOW)


def test_who_is_meant_by_a_slip(archive):
    """A name that nobody has is answered with those who have nearly that one."""
    start(archive, 3)
    with pytest.raises(ClubError, match=r'no member "rosi"; did you mean no. 1 Rossi, Mario\?'):
        flag(archive, here=["rosi"])
    with pytest.raises(ClubError, match=r'no member "xyz"$'):
        flag(archive, here=["xyz"])
