"""Answers in the shapes of the sites': what the readers of records make of each."""

import json
from collections.abc import Iterator

from core.game import Game
from fetchers.base import LeftOut, Step, Unread
from fetchers.chesscom.records import read_game
from fetchers.lichess.records import read_line
from tests.site_files import file_of, json_of


def months() -> Iterator[dict[str, object]]:
    """All games of chess.com, of today and of 2020."""
    for name in ("daily", "coach", "odds", "month", "bughouse", "month_2020"):
        yield from json_of(f"chesscom/{name}.json")["games"]


def lichess(name: str) -> Step:
    record = read_line(file_of(f"lichess/{name}"))
    assert record is not None
    return record.step("https://lichess.org")


def test_every_game_of_chesscom_is_read() -> None:
    """Bughouse is left out, the one record without PGN kept aside; all others agree with their record."""
    games = left_out = unread = 0
    for record in months():
        step = read_game(record)
        if isinstance(step, LeftOut):
            assert record["rules"] == "bughouse"
            left_out += 1
        elif isinstance(step, Unread):
            assert "pgn" not in record, step.unreadable.reason
            unread += 1
        else:
            assert isinstance(step, Game)
            _agrees(step, record)
            games += 1
    assert (games, left_out, unread) == (25, 3, 1)


def _agrees(game: Game, record: dict[str, object]) -> None:
    white = record["white"]
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


def test_the_coach_is_no_daily_game() -> None:
    """Its address is that of another one."""
    (record,) = json_of("chesscom/coach.json")["games"]
    step = read_game(record)

    assert isinstance(step, Game)
    assert str(step.native_id).startswith("coach/")


def test_a_game_against_the_engine() -> None:
    """From a position, without a clock."""
    step = lichess("from_position.json")

    assert isinstance(step, Game)
    assert (step.black.name, step.ply_count, step.time_class) == (
        "lichess AI level 8",
        29,
        None,
    )
    assert step.start_fen is not None


def test_an_import() -> None:
    """Started for ever, with a date in another form, and no id in its Site."""
    step = lichess("import.json")

    assert isinstance(step, Game)
    assert (step.native_id, step.result) == ("Im1Im2Im", "*")
    assert step.date.text == "5/15/2024, 9:52:47 PM"


def test_a_game_with_drops() -> None:
    """51 plies and 52 clocks."""
    step = lichess("crazyhouse.json")

    assert isinstance(step, Game)
    assert (step.variant, step.ply_count) == ("crazyhouse", 51)


def test_records_without_pgn_are_kept_whole() -> None:
    """As the site's app gets them: nothing is lost."""
    for raw in file_of("lichess/without_pgn.ndjson").splitlines():
        record = read_line(raw)
        assert record is None or isinstance(record.step("https://lichess.org"), Unread | LeftOut)


def test_a_stream() -> None:
    """Every line is a game, with the players that the record names."""
    lines = file_of("lichess/user_games.ndjson").splitlines()
    for raw in filter(None, lines):
        record = read_line(raw)
        fields = json.loads(raw)

        assert record is not None
        assert record.native_id == fields["id"]
        step = record.step("https://lichess.org")
        if isinstance(step, Game):
            assert step.white.name == fields["players"]["white"]["user"]["name"]
        else:
            assert isinstance(step, Unread)
            assert "pgn" not in fields
