"""Games that are played later: the evening goes on without them, lists name them, and they count when they are entered."""

from datetime import date

import pytest

from core.club.trf_reader import read as read_trf
from daemon.club.errors import ClubError, Confirm
from daemon.club.evening import Flags, set_flags
from daemon.club.files import pairings_csv, report, turnering
from daemon.club.pairing_list import pair_round
from daemon.club.results import enter, read_entry
from daemon.club.views import cross_table, round_, rounds, standings
from daemon.club.web_page import html
from tests.daemon.club.evenings import NAMES, NOW, SLUG, evening_of, now, pair_all, results, start, yes
from tests.daemon.club.stepping import state, take_back

ROSSI, BIANCHI, NERI, VERDI = NAMES[:4]


def result(archive, board, text, number=None, until=None):
    entries = {board: read_entry(text, until)}
    return yes(lambda version: enter(archive, SLUG, entries, number=number, now_ms=NOW, confirmed=version))


def evening(archive, *texts):
    pair_all(archive)
    for board, text in enumerate(texts, start=1):
        result(archive, board, text)


@pytest.mark.parametrize("text", ["postponed", "Postponed", "adjourned", " verlegt "])
def test_postponed_as_people_write_it(text):
    """In words; on a day, if that is known."""
    assert read_entry(text).result is None
    assert read_entry(text, date(2024, 6, 1)).until == date(2024, 6, 1)
    with pytest.raises(ClubError, match="or postponed where they play on another day"):
        read_entry("later")


def test_the_table_stands_without_a_postponed_game(archive):
    """It is worth nothing so far to either, is not a game at the board, and the table says so."""
    start(archive, 4)
    evening(archive, "1-0")
    result(archive, 2, "postponed", until=date(2024, 6, 1))
    assert [one.state for one in now(archive).rounds] == ["complete"]
    found = standings(now(archive))
    open_ = f"round 1, board 2, {NERI} – {VERDI} is not played yet, and worth nothing so far"
    assert found["notes"][-1] == f"{open_} (postponed to 2024-06-01)"
    rows = {one["member"]["name"]: one for one in found["items"]}
    assert [(rows[name]["credits"][0]["kind"], rows[name]["played"]) for name in (NERI, VERDI)] == [
        ("open", 0)
    ] * 2
    assert rounds(now(archive))[0]["postponed"] == 1
    board = round_(now(archive), 1)["pairings"][1]
    assert (board["result"], board["postponed"], board["postponed_to"]) == (None, True, "2024-06-01")


def test_a_postponed_game_counts_when_it_is_entered(archive):
    """Two rounds later, without a question; all tables from then on are those of a tournament that knew it at once."""
    start(archive, 4, rematch_min_gap="0")
    evening(archive, "1-0", "postponed")
    evening(archive, "1-0", "1/2")
    evening(archive, "0-1", "1-0")
    enter(archive, SLUG, {2: read_entry("0-1")}, number=1, now_ms=NOW)
    season = now(archive)
    assert season.open_games == ()
    assert not season.rounds[0].pairings[1].postponed
    assert "not played yet" not in " ".join(standings(season)["notes"])
    kinds = {one["member"]["name"]: one["credits"][0]["kind"] for one in standings(season)["items"]}
    assert (kinds[NERI], kinds[VERDI]) == ("loss", "win")
    take_back(archive)
    assert len(now(archive).open_games) == 1


def test_the_next_round_can_be_paired_with_a_missing_result(archive):
    """After a question that names board and players; the other results count, and the two are not paired again."""
    start(archive, 6)
    evening(archive, "1-0", "1-0")
    open_ = f"board 3, {NAMES[4]} – {NAMES[5]} has no result. Leave it open, and pair round 2"
    with pytest.raises(Confirm, match=open_):
        pair_round(archive, SLUG, evening_of("2024-05-19"), now_ms=NOW)
    with pytest.raises(Confirm, match="Leave it open, and set this for round 2"):
        set_flags(archive, SLUG, Flags(here=["rossi"]), now_ms=NOW)
    before = state(archive)
    yes(lambda version: pair_round(archive, SLUG, evening_of("2024-05-19"), now_ms=NOW, confirmed=version))
    season = now(archive)
    assert [one.state for one in season.rounds] == ["complete", "paired"]
    pairs = [{season.labels[one.white], season.labels[one.black]} for one in season.rounds[1].pairings]
    assert {NAMES[4], NAMES[5]} not in pairs
    take_back(archive)
    assert state(archive) == before


def test_the_table_so_far_of_the_round_that_is_played(archive):
    """The results that are there can be seen before the last one is; the table is not final."""
    start(archive, 4, planned_rounds="1")
    evening(archive, "0-1")
    assert standings(now(archive))["round"] == 0
    found = standings(now(archive), 1)
    assert (found["items"][0]["member"]["name"], found["final"]) == (BIANCHI, False)
    assert found["notes"][-1].startswith(f"round 1, board 2, {NERI} – {VERDI} is not played yet")
    assert cross_table(now(archive), 1)["round"] == 1
    assert standings(now(archive), 2) is None


def test_a_result_can_give_way_to_a_postponed_game(archive):
    """After a question; the table stays without it."""
    start(archive, 4)
    evening(archive, "1-0", "1-0")
    with pytest.raises(Confirm, match=f"replace board 2, {NERI} – {VERDI} 1-0 by postponed"):
        enter(archive, SLUG, {2: read_entry("postponed")}, now_ms=NOW)
    result(archive, 2, "postponed")
    assert [(one.state, len(one.open_games)) for one in now(archive).rounds] == [("complete", 1)]


def test_files_with_open_games(archive):
    """TRF, CSV and the page have the two without a result and say so; FESA's file is refused, with what to do."""
    start(archive, 4)
    evening(archive, "1-0", "postponed")
    with pytest.raises(ClubError, match=r"(?s)all games have a result.*result vm26 --round 1 2 RESULT"):
        turnering(now(archive))
    notes = (f"round 1, board 2, {NERI} – {VERDI} has no result yet, and is written without one",)
    assert report(now(archive)).notes == pairings_csv(now(archive)).notes == notes
    players = read_trf(report(now(archive)).data).document.players
    assert [(turn.opponent, turn.result) for turn in players[2].turns] == [(4, "")]
    assert "is not played yet" in html(now(archive)).decode()
    results(archive, "1-0", "0-0f", number=1)
    assert turnering(now(archive)).data


def test_open_games_can_all_be_postponed(archive):
    """Then the table of the round is final at once, and the next evening is paired."""
    start(archive, 4)
    evening(archive, "postponed", "postponed")
    assert len(pair_all(archive, "2024-05-19")) == 2


def test_no_game_is_postponed_to_a_day_before_its_round(archive):
    """That is a slip: it is refused with both days, and the same day is not."""
    start(archive, 4)
    pair_all(archive, day="2024-05-12")
    with pytest.raises(ClubError, match="2024-05-11 is before round 1, which was on 2024-05-12"):
        result(archive, 1, "postponed", until=date(2024, 5, 11))
    result(archive, 1, "postponed", until=date(2024, 5, 12))
    assert now(archive).rounds[0].pairings[0].postponed
