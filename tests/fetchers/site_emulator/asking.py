"""Asks the emulated sites over plain HTTP, for the emulator's own tests."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import httpx

from tests.fetchers.site_emulator.emulator import Emulator, World

NDJSON: Final = {"Accept": "application/x-ndjson"}
_POLITE: Final = {"User-Agent": "tests (+contact: rossi@example.org)"}


class Asker:
    """A client with good manners, and the sites that it asks."""

    def __init__(self, sites: Emulator, client: httpx.Client) -> None:
        self.sites = sites
        self.client = client

    @property
    def world(self) -> World:
        """The world of the sites."""
        return self.sites.world

    def lichess(self, path: str, **headers: str) -> httpx.Response:
        """Ask lichess for a path."""
        return self.client.get(self.sites.lichess_url + path, headers=headers)

    def games(self, query: str = "", handle: str = "mrossi90") -> list[dict[str, Any]]:
        """The games that lichess tells of a user."""
        answer = self.lichess(f"/api/games/user/{handle}?{query}", **NDJSON)
        assert answer.status_code == 200
        return [json.loads(line) for line in answer.text.splitlines()]

    def ids(self, query: str = "", handle: str = "mrossi90") -> list[str]:
        """The ids of the games that lichess tells of a user, in order."""
        return [game["id"] for game in self.games(query, handle)]

    def chesscom(self, path: str, **headers: str) -> httpx.Response:
        """Ask chess.com for a path below /player."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.get(f"{self.sites.chesscom_url}/player/{path}", headers=named)

    def month(self, path: str = "rossi-mario/games/2024/03") -> list[dict[str, Any]]:
        """The games that chess.com tells of a month."""
        games: list[dict[str, Any]] = self.chesscom(path).json()["games"]
        return games


@contextmanager
def asking(seed: int = 1) -> Iterator[Asker]:
    """Both sites over an empty world, and a client."""
    with Emulator(seed=seed) as sites, httpx.Client(headers=_POLITE, timeout=30) as client:
        yield Asker(sites, client)
