"""Answers that were recorded from the sites, where they are at hand; they belong to others and are not kept here."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from fetchers.base import LeftOut, Step, Told, Unread
from fetchers.chesscom_records import read_game
from fetchers.lichess_records import read_line

PAYLOADS = Path(__file__).parents[3] / "shared" / "sites" / "payloads"

pytestmark = pytest.mark.skipif(not PAYLOADS.is_dir(), reason="the recorded answers are not at hand")


def months() -> Iterator[dict[str, object]]:
    """All recorded chess.com games."""
    recorded = (PAYLOADS / "chesscom").glob("month_*.json")
    for path in (*recorded, PAYLOADS / "chesscom" / "migwel_2020" / "PastGamesInMonth.json"):
        yield from json.loads(path.read_bytes())["games"]


def lichess(name: str) -> Step:
    line = read_line((PAYLOADS / "lichess" / name).read_bytes(), "https://lichess.org")
    assert line is not None
    return line.step


def test_every_recorded_game_of_chesscom_is_read() -> None:
    """Bughouse is left out, the one record without PGN kept aside; all others agree with their record."""
    count = 0
    for record in months():
        step = read_game(record)
        if isinstance(step, LeftOut):
            assert record["rules"] == "bughouse"
        elif isinstance(step, Unread):
            assert "pgn" not in record, step.unreadable.reason
        else:
            assert isinstance(step, Told)
            _agrees(step, record)
            count += 1
    assert count > 250


def _agrees(step: Told, record: dict[str, object]) -> None:
    game, white = step.game, record["white"]
    assert isinstance(white, dict)
    assert game.white.name == white["username"]
    assert game.white.rating == white["rating"]
    assert (game.result == "1-0") == (white["result"] == "win")
    assert game.native_id is not None
    assert game.native_id.split("/")[1] in str(record["url"])
    assert game.ended_at is not None
    assert game.ended_at.timestamp() == record["end_time"]
    assert game.started_at is not None
    assert game.started_at <= game.ended_at
    assert (game.oddities, game.online) == ((), True)


def test_the_recorded_coach_is_no_daily_game() -> None:
    """Its address is that of another one."""
    (record,) = json.loads((PAYLOADS / "chesscom" / "month_2026-09_play_vs_coach.json").read_bytes())["games"]
    step = read_game(record)

    assert isinstance(step, Told)
    assert str(step.game.native_id).startswith("coach/")


def test_a_recorded_game_against_the_engine() -> None:
    """From a position, without a clock."""
    step = lichess("game_4S1PZUvW_fromposition_vs_ai.json")

    assert isinstance(step, Told)
    assert (step.game.black.name, step.game.ply_count, step.game.time_class) == (
        "lichess AI level 8",
        13,
        None,
    )
    assert step.game.start_fen is not None


def test_a_recorded_import() -> None:
    """Started for ever, with a date in another form, and no id in its Site."""
    step = lichess("game_4pSpQGR7_import_started.json")

    assert isinstance(step, Told)
    assert (step.game.native_id, step.game.result) == ("4pSpQGR7", "*")
    assert step.game.date.text == "1/12/2018, 9:52:47 PM"


def test_a_recorded_game_with_drops() -> None:
    """51 plies and 52 clocks."""
    step = lichess("game_6kcoXS0y_crazyhouse.json")

    assert isinstance(step, Told)
    assert (step.game.variant, step.game.ply_count) == ("crazyhouse", 51)


def test_recorded_records_without_pgn_are_kept_whole() -> None:
    """As the site's app gets them: nothing is lost."""
    for raw in (PAYLOADS / "lichess" / "mobile_games.ndjson").read_bytes().splitlines():
        line = read_line(raw, "https://lichess.org")
        assert line is None or isinstance(line.step, Unread | LeftOut)


def test_a_recorded_stream() -> None:
    """Every line is a game, with the players that the record names."""
    lines = (PAYLOADS / "lichess" / "lichesssharp" / "user_games.ndjson").read_bytes().splitlines()
    for raw in filter(None, lines):
        line = read_line(raw, "https://lichess.org")
        record = json.loads(raw)

        assert line is not None
        assert isinstance(line.step, Told | Unread)
        assert line.native_id == record["id"]
        if isinstance(line.step, Told):
            assert line.step.game.white.name == record["players"]["white"]["user"]["name"]
        else:
            assert "pgn" not in record
