"""Answers in the shapes of the sites': what the readers of records make of each."""

import json
from collections.abc import Iterator

from fetchers.base import LeftOut, Step, Told, Unread
from fetchers.chesscom.records import read_game
from fetchers.lichess.records import read_line
from tests.site_files import file_of, json_of


def months() -> Iterator[dict[str, object]]:
    """All games of chess.com, of today and of 2020."""
    for name in ("daily", "coach", "odds", "month", "bughouse", "month_2020"):
        yield from json_of(f"chesscom/{name}.json")["games"]


def lichess(name: str) -> Step:
    line = read_line(file_of(f"lichess/{name}"), "https://lichess.org")
    assert line is not None
    return line.step


def test_every_game_of_chesscom_is_read() -> None:
    """Bughouse is left out, the one record without PGN kept aside; all others agree with their record."""
    told = left_out = unread = 0
    for record in months():
        step = read_game(record)
        if isinstance(step, LeftOut):
            assert record["rules"] == "bughouse"
            left_out += 1
        elif isinstance(step, Unread):
            assert "pgn" not in record, step.unreadable.reason
            unread += 1
        else:
            assert isinstance(step, Told)
            _agrees(step, record)
            told += 1
    assert (told, left_out, unread) == (25, 3, 1)


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


def test_the_coach_is_no_daily_game() -> None:
    """Its address is that of another one."""
    (record,) = json_of("chesscom/coach.json")["games"]
    step = read_game(record)

    assert isinstance(step, Told)
    assert str(step.game.native_id).startswith("coach/")


def test_a_game_against_the_engine() -> None:
    """From a position, without a clock."""
    step = lichess("from_position.json")

    assert isinstance(step, Told)
    assert (step.game.black.name, step.game.ply_count, step.game.time_class) == (
        "lichess AI level 8",
        29,
        None,
    )
    assert step.game.start_fen is not None


def test_an_import() -> None:
    """Started for ever, with a date in another form, and no id in its Site."""
    step = lichess("import.json")

    assert isinstance(step, Told)
    assert (step.game.native_id, step.game.result) == ("Im1Im2Im", "*")
    assert step.game.date.text == "5/15/2024, 9:52:47 PM"


def test_a_game_with_drops() -> None:
    """51 plies and 52 clocks."""
    step = lichess("crazyhouse.json")

    assert isinstance(step, Told)
    assert (step.game.variant, step.game.ply_count) == ("crazyhouse", 51)


def test_records_without_pgn_are_kept_whole() -> None:
    """As the site's app gets them: nothing is lost."""
    for raw in file_of("lichess/without_pgn.ndjson").splitlines():
        line = read_line(raw, "https://lichess.org")
        assert line is None or isinstance(line.step, Unread | LeftOut)


def test_a_stream() -> None:
    """Every line is a game, with the players that the record names."""
    lines = file_of("lichess/user_games.ndjson").splitlines()
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
