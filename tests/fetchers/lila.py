"""A lila server without a network, whose manners can be chosen: caps, order, bounds, cuts."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from fetchers import registry
from fetchers.base import Fetcher
from fetchers.http.responses import AnswerLimits
from fetchers.lichess import game_round

DAY = 24 * 3600 * 1000
BASE = 1_700_000_000_000


def record(number: int, created_at: int = BASE, *, status: str = "resign", **more: Any) -> dict[str, object]:
    """A game as lichess tells it: Rossi against Bianchi, one ply, won by White."""
    native_id = f"game{number:04}"
    result = "*" if status in {"started", "created", "aborted"} else "1-0"
    pgn = (
        f'[Event "rated blitz game"]\n[Site "https://lichess.org/{native_id}"]\n[Date "2023.11.14"]\n[Round "-"]\n'
        f'[White "mrossi90"]\n[Black "BianchiL"]\n[Result "{result}"]\n[GameId "{native_id}"]\n'
        f'[UTCDate "2023.11.14"]\n[UTCTime "22:13:20"]\n[WhiteElo "1500"]\n[BlackElo "1480"]\n[Variant "Standard"]\n'
        f'[TimeControl "180+2"]\n[ECO "B00"]\n[Termination "Normal"]\n\n1. e4 {result}\n\n\n'
    )
    fields: dict[str, object] = {
        "id": native_id,
        "rated": True,
        "variant": "standard",
        "speed": "blitz",
        "perf": "blitz",
        "createdAt": created_at,
        "lastMoveAt": created_at + 60_000,
        "status": status,
        "source": "pool",
        "players": {
            "white": {"user": {"name": "mrossi90", "id": "mrossi90"}, "rating": 1500},
            "black": {"user": {"name": "BianchiL", "id": "bianchil"}, "rating": 1480},
        },
        "moves": "e4",
        "pgn": pgn,
        "clock": {"initial": 180, "increment": 2, "totalTime": 260},
    }
    return fields | more


@contextmanager
def small_caps() -> Iterator[None]:
    """Let answers of any size look as if the site might have capped them: a thousand games take long."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(game_round, "CAPPED_FROM", 1)
        yield


@dataclass
class Lila:
    """The games of one account.

    Attributes:
        cap: so many games at most in one answer.
        descending: newest first, whatever was asked for.
        exclusive: `since` and `until` leave out a game of that very start.
        keep_alive: between the games come empty objects, as after every 70 s of silence on lishogi.
        cuts: for each answer to come, after how many bytes it breaks off.
    """

    games: list[dict[str, object]] = field(default_factory=list)
    cap: int | None = None
    descending: bool = False
    exclusive: bool = False
    keep_alive: bool = False
    cuts: list[int] = field(default_factory=list)
    asked: list[Mapping[str, str]] = field(default_factory=list)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        params = dict(request.url.params)
        self.asked.append(params)
        games = [game for game in self.games if self._within(_start(game), params)]
        games.sort(key=_start, reverse=self.descending)
        silence = b"{}\n" if self.keep_alive else b""
        body = b"".join(silence + json.dumps(game).encode() + b"\n" for game in games[: self.cap])
        if self.cuts and (cut := self.cuts.pop(0)) < len(body):
            body = body[:cut].removesuffix(b"\n").removesuffix(b"}")  # a cut between two lines cannot be seen
        return ndjson(body)

    def _within(self, start: int, params: Mapping[str, str]) -> bool:
        since, until = int(params.get("since", 0)), int(params.get("until", 10**15))
        return since < start < until if self.exclusive else since <= start < until


def _start(game: Mapping[str, object]) -> int:
    start = game["createdAt"]
    assert isinstance(start, int)
    return start


def ndjson(body: bytes) -> httpx.Response:
    return httpx.Response(
        200, headers={"Content-Type": "application/x-ndjson"}, stream=httpx.ByteStream(body)
    )


def lines(*records: object) -> httpx.Response:
    """An answer with these records."""
    return ndjson(b"".join(json.dumps(fields).encode() + b"\n" for fields in records))


def answering(*responses: httpx.Response) -> Callable[[httpx.Request], httpx.Response]:
    """One answer after the other, then empty ones."""
    queue: Sequence[httpx.Response] = list(responses)
    rest = iter(queue)
    return lambda _: next(rest, None) or ndjson(b"")


def lichess(handler: Callable[[httpx.Request], httpx.Response]) -> Fetcher:
    """The fetcher on such a server."""
    return registry.build(
        "lichess",
        contact="rossi@example.org",
        version="0.1",
        transport=httpx.MockTransport(handler),
        limits=AnswerLimits(retry_wait_s=0),
    )
