"""Recorded broadcasts, studies, groups and boards, as the sites sent them."""

from pathlib import Path

import pytest

from tests.fetchers.conftest import Build
from tests.fetchers.rounds import Followed, Round, follow
from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Emulator
from tests.fetchers.site_emulator.events import Part

PAYLOADS = Path(__file__).parents[3] / "shared" / "sites" / "payloads"
PGN = {"Content-Type": "application/x-chess-pgn"}
JSON = {"Content-Type": "application/json; charset=utf-8"}


def _recorded(path: str) -> bytes:
    if not (PAYLOADS / path).exists():
        pytest.skip("the recorded answers are not here")
    return (PAYLOADS / path).read_bytes()


def _round(sites: Emulator, build: Build, round_id: str, payload: str) -> Round:
    sites.world.events.add_broadcast(id="Broadca1")
    sites.world.events.add_round("Broadca1", id=round_id, state="finished")
    sites.replay(LICHESS, "/api/broadcast/Broadca1.pgn", _recorded(payload), PGN)
    return follow(build(LICHESS), Followed("broadcast", "Broadca1"))


def test_a_round_of_2026(sites: Emulator, build: Build) -> None:
    """Two boards that are being played, with FIDE ids, under the ids of their addresses."""
    told = _round(sites, build, "4Yuk2i2H", "lichess/openapi_examples/broadcasts-exportOneRoundAsPgn.pgn")

    assert told.error is None
    assert told.ids == ["broadcast/4Yuk2i2H/5rsW2cRb", "broadcast/4Yuk2i2H/YjQbXprq"]
    assert [game.event for game in told.games] == ["Knight Invitational"] * 2
    assert told.games[0].white.fide_id == "123"
    assert not any(game.online for game in told.games)


@pytest.mark.parametrize("round_id", ["pk5fmYTD", "jjBfMLR5", "B1DKh5a1"])
def test_empty_boards_of_2026(sites: Emulator, build: Build, round_id: str) -> None:
    """Trap 21: a board without White, Black and Round."""
    whole = _recorded("lichess/openapi_examples/broadcasts-exportAllRoundsAsPgn.pgn")
    [board] = [game + b"\n\n\n" for game in whole.split(b"\n\n\n") if round_id.encode() in game]
    sites.world.events.add_broadcast(id="Broadca1")
    sites.world.events.add_round("Broadca1", id=round_id)
    sites.replay(LICHESS, "/api/broadcast/Broadca1.pgn", board, PGN)

    told = follow(build(LICHESS), Followed("broadcast", "Broadca1"))

    assert [reason for _, reason in told.left_out] == ["empty board"]
    assert (told.games, told.unread, told.error) == ([], [], None)


def test_a_round_of_april_2025(sites: Emulator, build: Build) -> None:
    """Thirty boards of a broadcast whose addresses are still those of a study."""
    told = _round(sites, build, "gfXgh34J", "broadcast_study/lichess_broadcast_xvii-memorial_excerpt.pgn")

    assert len(set(told.ids)) == len(told.ids) >= 5
    assert all(game.white.name and not game.online for game in told.games)
    assert all((game.native_id or "").startswith("broadcast/gfXgh34J/") for game in told.games)


def test_a_study_of_2026(sites: Emulator, build: Build) -> None:
    """Chapters with comments and variations; dates that nobody knows."""
    sites.replay(LICHESS, "/api/study/coachAAAA.pgn", _recorded("broadcast_study/coach-study.pgn"), PGN)

    told = follow(build(LICHESS), Followed("study", "coachAAAA"))

    assert told.error is None
    assert told.ids == [
        f"study/coachAAAA/{key}" for key in ("gc000001", "alm00002", "jin00003", "blitz004", "mast006")
    ]
    assert [step.native_id for step in told.unread] == ["study/coachAAAA/endg005"], (
        "its FEN is not a position"
    )
    assert not any(game.date.known or game.online for game in told.games)


@pytest.mark.parametrize(
    ("path", "payload", "count"),
    [
        ("/pub/tournament/coppa/1/1", "chesscom/migwel_2020/RoundGroupWhiteBlackObject.json", 20),
        ("/pub/match/10000/1", "chesscom/migwel_2020/Board.json", 2),
        ("/pub/match/10000/1", "chesscom/migwel_2020/LiveBoard.json", 2),
    ],
)
def test_chesscom_of_2020(sites: Emulator, build: Build, path: str, payload: str, count: int) -> None:
    """Groups and boards hold games as months do."""
    sites.replay(CHESSCOM, path, _recorded(payload), JSON)
    sites.world.events.add_tournament("coppa", [[[]]])
    sites.world.events.add_club("circolo")
    sites.world.events.add_match("circolo", [[]])
    sites.world.events.change_match("10000", boards=(Part(),))
    event = Followed("tournament", "coppa") if "tournament" in path else Followed("club", "circolo")

    told = follow(build(CHESSCOM), event)

    assert told.error is None
    assert len(set(told.ids)) == len(told.games) == count
    assert all(game.online and game.native_id for game in told.games)
