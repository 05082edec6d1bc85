"""A record of lichess's export as a game."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.game import Game
from fetchers.base import LeftOut, Step, Unread
from fetchers.errors import BadAnswer
from fetchers.lichess.records import ExportRecord, read_line
from tests.fetchers.lila import BASE, record

SITE_URL = "https://lichess.org"


def read(fields: dict[str, Any]) -> ExportRecord:
    read = read_line(json.dumps(fields).encode() + b"\n")
    assert read is not None
    return read


def step_of(fields: dict[str, Any]) -> Step:
    return read(fields).step(SITE_URL)


def game(fields: dict[str, Any]) -> Game:
    step = step_of(fields)
    assert isinstance(step, Game), step
    return step


def test_times_are_those_of_the_record() -> None:
    """`createdAt` and `lastMoveAt`, milliseconds, UTC; the PGN has the start to the second and no end."""
    found = game(record(1, BASE + 123))

    assert found.started_at == datetime(2023, 11, 14, 22, 13, 20, 123_000, tzinfo=UTC)
    assert found.ended_at == datetime(2023, 11, 14, 22, 14, 20, 123_000, tzinfo=UTC)


def test_ids_keep_their_case() -> None:
    """Lower-cased they would be other games (sites trap 23)."""
    assert read(record(1, id="aBcDeF12")).native_id == "aBcDeF12"


def test_a_private_id_of_twelve_is_cut_to_eight() -> None:
    """It is a player's own link to the game, and not to be shown."""
    found = game(record(1, id="aBcDeF12wxyz"))

    assert found.native_id == "aBcDeF12"
    assert found.url == "https://lichess.org/aBcDeF12"


def test_the_address_is_the_one_in_the_pgn() -> None:
    """Also when another address of the same site was asked."""
    step = read(record(1)).step("http://127.0.0.1:8080")

    assert isinstance(step, Game)
    assert step.url == "https://lichess.org/game0001"


@pytest.mark.parametrize(
    ("fields", "time_class"),
    [
        ({"speed": "blitz"}, "blitz"),
        ({"speed": "ultraBullet"}, "ultraBullet"),
        ({"speed": "blitz", "perf": "crazyhouse"}, "blitz"),
        ({"speed": "correspondence", "clock": None, "daysPerTurn": 3}, "correspondence"),
        ({"speed": "correspondence", "clock": None}, None),
        ({"speed": None}, None),
    ],
)
def test_time_class(fields: dict[str, Any], time_class: str | None) -> None:
    """The speed, never `perf`; without days per turn nothing is correspondence (sites traps 13, 17)."""
    assert game(record(1, **fields)).time_class == time_class


@pytest.mark.parametrize("status", ["created", "started"])
def test_a_game_that_is_being_played(status: str) -> None:
    """It is left out for now, and must be asked for again."""
    it = read(record(1, status=status))

    assert it.step(SITE_URL) == LeftOut("game0001", "running")
    assert it.running


@pytest.mark.parametrize("source", ["import", "importlive"])
def test_an_import_is_started_for_ever(source: str) -> None:
    """It will never finish; it is a game as it is, and nobody waits for it (sites trap 18)."""
    it = read(record(1, status="started", source=source))

    assert isinstance(it.step(SITE_URL), Game)
    assert not it.running


@pytest.mark.parametrize(
    "status",
    [
        "mate",
        "resign",
        "outoftime",
        "timeout",
        "draw",
        "noStart",
        "cheat",
        "unknownFinish",
        "variantEnd",
        "new",
    ],
)
def test_all_other_states_are_games(status: str) -> None:
    """Also states that the site may invent: the PGN tells the result (sites trap 11)."""
    assert game(record(1, status=status)).result == "1-0"


@pytest.mark.parametrize(
    "players",
    [
        {"white": {"aiLevel": 3}, "black": {}},
        {"white": {"name": "Kasparov (2795)"}, "black": None},
        {"white": {"userId": "mrossi90"}},
        None,
        [],
    ],
)
def test_players_may_be_told_in_any_way(players: Any) -> None:
    """Engines, strangers, imports, the schema of 2017: the PGN names them."""
    found = game(record(1, players=players))

    assert (found.white.name, found.black.name) == ("mrossi90", "BianchiL")


@pytest.mark.parametrize("clocks", [[18003, 18003, 17900], [], None, "x"])
def test_clocks_may_be_longer_than_the_moves(clocks: Any) -> None:
    """Nothing is taken from them (sites trap 14)."""
    assert game(record(1, clocks=clocks)).ply_count == 1


def test_a_record_without_pgn_is_kept_whole() -> None:
    """A server that does not know `pgnInJson`: nothing is guessed, nothing is lost."""
    step = step_of(record(1, pgn=None))

    assert isinstance(step, Unread)
    assert step.native_id == "game0001"
    assert json.loads(step.unreadable.raw)["moves"] == "e4"


@pytest.mark.parametrize("line", [b"", b"\n", b" \r\n", b"{}", b"{}\n"])
def test_nothing_is_nothing(line: bytes) -> None:
    """Empty lines and keep-alives (sites trap 65)."""
    assert read_line(line) is None


@pytest.mark.parametrize(
    "line", [b"<html>", b"  <!DOCTYPE html>", b'{"error":"No such token"}', b'[Event "rated blitz game"]\n']
)
def test_what_is_no_stream_of_games(line: bytes) -> None:
    """A page, an error message or PGN where games in JSON should be."""
    with pytest.raises(BadAnswer):
        read_line(line)


def test_two_lines_of_one_game_have_one_key() -> None:
    """Also when something about the players has changed (sites trap 25)."""
    assert read(record(1)).key == read(record(1, players={})).key
    assert read(record(1)).key != read(record(2)).key


@given(
    st.dictionaries(
        st.sampled_from([*record(1), "winner", "initialFen"]),
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text()
        | st.lists(st.integers())
        | st.dictionaries(st.text(), st.text()),
    )
)
def test_any_fields_give_a_step(odd: dict[str, Any]) -> None:
    """Whatever kind of value is in whatever field, nothing is raised."""
    assert isinstance(step_of(record(1) | odd), Game | Unread | LeftOut)
