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
    followed = _round(sites, build, "Rd4Rd4Rd", "lichess/broadcast_round.pgn")

    assert followed.error is None
    assert followed.ids == ["broadcast/Rd4Rd4Rd/Gm4Gm4Gm", "broadcast/Rd4Rd4Rd/Gm5Gm5Gm"]
    assert [game.event for game in followed.games] == ["Spring Invitational"] * 2
    assert followed.games[0].white.fide_id == "123"
    assert not any(game.online for game in followed.games)


@pytest.mark.parametrize("round_id", ["Rd1Rd1Rd", "Rd2Rd2Rd", "Rd3Rd3Rd"])
def test_empty_boards_of_2026(sites: Emulator, build: Build, round_id: str) -> None:
    """A board without White, Black and Round (sites trap 21)."""
    whole = file_of("lichess/broadcast_all_rounds.pgn")
    [board] = [game + b"\n\n\n" for game in whole.split(b"\n\n\n") if round_id.encode() in game]
    sites.world.events.add_broadcast(id="Broadca1")
    sites.world.events.add_round("Broadca1", id=round_id)
    sites.replay(LICHESS, "/api/broadcast/Broadca1.pgn", board, PGN)

    followed = follow(build(LICHESS), Followed("broadcast", "Broadca1"))

    assert [reason for _, reason in followed.left_out] == ["empty board"]
    assert (followed.games, followed.unread, followed.error) == ([], [], None)


def test_a_round_of_april_2025(sites: Emulator, build: Build) -> None:
    """Eight boards of a broadcast whose addresses are still those of a study."""
    followed = _round(sites, build, "Brd2Brd2", "lichess/broadcast_2025.pgn")

    assert len(set(followed.ids)) == len(followed.ids) == 8
    assert all(game.white.name and not game.online for game in followed.games)
    assert all((game.native_id or "").startswith("broadcast/Brd2Brd2/") for game in followed.games)


def test_a_study_of_2026(sites: Emulator, build: Build) -> None:
    """Chapters with comments and variations; dates that nobody knows."""
    sites.replay(LICHESS, "/api/study/coachBBB.pgn", file_of("lichess/study.pgn"), PGN)

    followed = follow(build(LICHESS), Followed("study", "coachBBB"))

    assert followed.error is None
    assert followed.ids == [
        f"study/coachBBB/{key}" for key in ("ch000001", "ch000002", "ch000003", "ch000004", "ch000006")
    ]
    assert [step.native_id for step in followed.unread] == ["study/coachBBB/ch000005"], (
        "its FEN is not a position"
    )
    assert not any(game.date.known or game.online for game in followed.games)


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

    followed = follow(build(CHESSCOM), event)

    assert followed.error is None
    assert len(set(followed.ids)) == len(followed.games) == count
    assert all(game.online and game.native_id for game in followed.games)
