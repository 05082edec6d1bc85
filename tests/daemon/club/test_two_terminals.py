"""Two terminals at once: each command works on the tournament as it stands, and a question is for what it was asked of."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from core.club.tournament import AbsenceReason, GameResult
from daemon.archive.archive import open_archive
from daemon.club.errors import ClubError, Confirm
from daemon.club.evening import Flags, set_flags
from daemon.club.pairing_list import pair_round
from daemon.club.results import BoardResult, enter, read_result
from daemon.club.undo import undo
from daemon.club.views import events
from tests.daemon.club.evenings import NAMES, NOW, SLUG, evening_of, now, pair_all, start
from tests.daemon.club.stepping import faults, take_back


def enter_one(archive, board, text, confirmed=None):
    return enter(archive, SLUG, {board: BoardResult(read_result(text))}, now_ms=NOW, confirmed=confirmed)


def test_results_from_two_terminals_are_all_kept(where, archive):
    """The second one waits; every result is a step of its own, and the last one makes the table final."""
    start(archive, 8)
    pair_all(archive)

    def terminal(boards):
        with open_archive(where, busy_ms=30_000) as mine:
            for board in boards:
                enter_one(mine, board, "1-0")

    with ThreadPoolExecutor(2) as both:
        for ended in [both.submit(terminal, boards) for boards in ((1, 3), (2, 4))]:
            ended.result()
    season = now(archive)
    assert [one.result for one in season.complete[0].pairings] == ["1-0"] * 4
    with archive.reading() as connection:
        numbers = [one["n"] for one in events(connection, season)]
    assert numbers == list(range(len(numbers), 0, -1))
    for _ in range(4):
        take_back(archive)
    assert now(archive).current.is_untouched


def test_a_yes_counts_only_for_what_was_asked(where, archive):
    """Between question and answer the other terminal enters a result: it is asked again, of that one, and nothing is lost."""
    start(archive, 4)
    pair_all(archive)
    with pytest.raises(Confirm, match="the pairing list of round 1") as asked:
        undo(archive, SLUG, now_ms=NOW)
    with open_archive(where) as other:
        enter_one(other, 1, "1-0")
    with pytest.raises(Confirm, match="1-0 → no result") as again:
        undo(archive, SLUG, now_ms=NOW, confirmed=asked.value.version)
    assert now(archive).current.pairings[0].result == "1-0"
    undo(archive, SLUG, now_ms=NOW, confirmed=again.value.version)
    assert now(archive).current.is_untouched


def test_both_replace_a_result(where, archive):
    """The second is asked about the first one's result, not about the one that it had seen."""
    start(archive, 4)
    pair_all(archive)
    enter_one(archive, 1, "1-0")
    with pytest.raises(Confirm, match="1-0 by 1/2") as asked:
        enter_one(archive, 1, "1/2")
    with open_archive(where) as other:
        enter_one(other, 1, "0-1", confirmed=now(other).version)
    with pytest.raises(Confirm, match="0-1 by 1/2"):
        enter_one(archive, 1, "1/2", confirmed=asked.value.version)


def test_a_result_for_two_players_is_not_entered_for_others(where, archive):
    """The list was made again meanwhile: what was found for a board of the old one is refused."""
    start(archive, 4)
    pair_all(archive)
    board = now(archive).current.pairings[0]
    with open_archive(where) as other:
        take_back(other)
        set_flags(other, SLUG, Flags(away={"rossi": AbsenceReason.EXCUSED}), now_ms=NOW)
        pair_round(other, SLUG, evening_of(), now_ms=NOW)
    entry = BoardResult(GameResult.WHITE, players=frozenset((board.white, board.black)))
    with pytest.raises(ClubError, match="other players are now at board 1 of round 1"):
        enter(archive, SLUG, {1: entry}, now_ms=NOW)
    assert faults(now(archive)) == []
    assert NAMES[0] not in {now(archive).labels[one.white] for one in now(archive).current.pairings}
