"""A round over an account of any size remembers few of the games that it told."""

import json

import httpx
import pytest

from fetchers.lichess import game_round, progress
from fetchers.lichess.progress import Seen
from fetchers.lichess.records import ExportRecord, read_line
from tests.fetchers.lila import BASE, DAY, Lila, lichess, ndjson, record
from tests.fetchers.rounds import run

HOUR = DAY // 24
FEW = 30


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "MOST_REMEMBERED", FEW)
    monkeypatch.setattr(game_round, "CAPPED_FROM", FEW)


def _read(number: int, *, status: str = "resign") -> ExportRecord:
    read = read_line(_line(record(number, BASE + number * HOUR, status=status)))
    assert read is not None
    return read


def _line(game: dict[str, object]) -> bytes:
    return json.dumps(game).encode() + b"\n"


def test_a_thousand_games_are_not_remembered() -> None:
    """Only about a day of them, and those that were running before or are now."""
    seen = Seen(["game0007"])
    for number in range(1000):
        seen.add(_read(number, status="started" if number == 500 else "resign"), oldest_first=True)
        assert len(seen) <= 2 * FEW

    assert "game0999" in seen
    assert "game0500" not in seen
    assert seen.waited_for == {"game0007", "game0500"}


def test_out_of_order_all_are_remembered() -> None:
    """What comes in no order may come again from anywhere."""
    seen = Seen([])
    for number in range(100):
        seen.add(_read(number), oldest_first=False)

    assert len(seen) == 100


@pytest.mark.parametrize("cap", [None, 40, 100])
def test_every_game_is_told_once_all_the_same(cap: int | None) -> None:
    """With and without a cap."""
    site = Lila([record(number, BASE + number * HOUR) for number in range(300)], cap=cap)

    ids = run(lichess(site)).ids

    assert ids == [f"game{number:04}" for number in range(300)]


def test_a_site_that_ignores_since_is_not_asked_for_ever() -> None:
    """It tells the same games again, long forgotten ones too, and does not go on for them."""
    body = b"".join(_line(record(number, BASE + number * HOUR)) for number in range(300))
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return ndjson(body)

    done = run(lichess(answer))

    assert done.error is None
    assert len(asked) == 2
    assert {f"game{number:04}" for number in range(300)} == set(done.ids)
