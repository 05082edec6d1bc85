"""Broadcasts, studies, groups and boards in the shapes of several years."""

import pytest

from tests.fetchers.conftest import Build
from tests.fetchers.rounds import Followed, Round, follow
from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Emulator
from tests.fetchers.site_emulator.events import Part
from tests.site_files import file_of

PGN = {"Content-Type": "application/x-chess-pgn"}
JSON = {"Content-Type": "application/json; charset=utf-8"}


def _round(sites: Emulator, build: Build, round_id: str, payload: str) -> Round:
    sites.world.events.add_broadcast(id="Broadca1")
    sites.world.events.add_round("Broadca1", id=round_id, state="finished")
    sites.replay(LICHESS, "/api/broadcast/Broadca1.pgn", file_of(payload), PGN)
    return follow(build(LICHESS), Followed("broadcast", "Broadca1"))


def test_a_round_of_2026(sites: Emulator, build: Build) -> None:
    """Two boards that are being played, with FIDE ids, under the ids of their addresses."""
    told = _round(sites, build, "Rd4Rd4Rd", "lichess/broadcast_round.pgn")

    assert told.error is None
    assert told.ids == ["broadcast/Rd4Rd4Rd/Gm4Gm4Gm", "broadcast/Rd4Rd4Rd/Gm5Gm5Gm"]
    assert [game.event for game in told.games] == ["Spring Invitational"] * 2
    assert told.games[0].white.fide_id == "123"
    assert not any(game.online for game in told.games)


@pytest.mark.parametrize("round_id", ["Rd1Rd1Rd", "Rd2Rd2Rd", "Rd3Rd3Rd"])
def test_empty_boards_of_2026(sites: Emulator, build: Build, round_id: str) -> None:
    """A board without White, Black and Round (sites trap 21)."""
    whole = file_of("lichess/broadcast_all_rounds.pgn")
    [board] = [game + b"\n\n\n" for game in whole.split(b"\n\n\n") if round_id.encode() in game]
    sites.world.events.add_broadcast(id="Broadca1")
    sites.world.events.add_round("Broadca1", id=round_id)
    sites.replay(LICHESS, "/api/broadcast/Broadca1.pgn", board, PGN)

    told = follow(build(LICHESS), Followed("broadcast", "Broadca1"))

    assert [reason for _, reason in told.left_out] == ["empty board"]
    assert (told.games, told.unread, told.error) == ([], [], None)


def test_a_round_of_april_2025(sites: Emulator, build: Build) -> None:
    """Eight boards of a broadcast whose addresses are still those of a study."""
    told = _round(sites, build, "Brd2Brd2", "lichess/broadcast_2025.pgn")

    assert len(set(told.ids)) == len(told.ids) == 8
    assert all(game.white.name and not game.online for game in told.games)
    assert all((game.native_id or "").startswith("broadcast/Brd2Brd2/") for game in told.games)


def test_a_study_of_2026(sites: Emulator, build: Build) -> None:
    """Chapters with comments and variations; dates that nobody knows."""
    sites.replay(LICHESS, "/api/study/coachBBB.pgn", file_of("lichess/study.pgn"), PGN)

    told = follow(build(LICHESS), Followed("study", "coachBBB"))

    assert told.error is None
    assert told.ids == [
        f"study/coachBBB/{key}" for key in ("ch000001", "ch000002", "ch000003", "ch000004", "ch000006")
    ]
    assert [step.native_id for step in told.unread] == ["study/coachBBB/ch000005"], (
        "its FEN is not a position"
    )
    assert not any(game.date.known or game.online for game in told.games)


@pytest.mark.parametrize(
    ("path", "payload", "count"),
    [
        ("/pub/tournament/coppa/1/1", "chesscom/group_2020.json", 12),
        ("/pub/match/10000/1", "chesscom/board_2020.json", 2),
        ("/pub/match/10000/1", "chesscom/live_board_2020.json", 2),
    ],
)
def test_chesscom_of_2020(sites: Emulator, build: Build, path: str, payload: str, count: int) -> None:
    """Groups and boards hold games as months do."""
    sites.replay(CHESSCOM, path, file_of(payload), JSON)
    sites.world.events.add_tournament("coppa", [[[]]])
    sites.world.events.add_club("circolo")
    sites.world.events.add_match("circolo", [[]])
    sites.world.events.change_match("10000", boards=(Part(),))
    event = Followed("tournament", "coppa") if "tournament" in path else Followed("club", "circolo")

    told = follow(build(CHESSCOM), event)

    assert told.error is None
    assert len(set(told.ids)) == len(told.games) == count
    assert all(game.online and game.native_id for game in told.games)
