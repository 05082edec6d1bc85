"""The made-up site playchess on loopback, with the servers of the other sites' emulator."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.fetchers.site_emulator.answers import Answer, Asked, whole
from tests.fetchers.site_emulator.faults import Faults
from tests.fetchers.site_emulator.log import Log
from tests.fetchers.site_emulator.server import SiteServer


class PlayChessSite:
    """Its routes; *games* are PGN by their ids. *busy*: it answers 429."""

    def __init__(self) -> None:
        self.games: dict[str, str] = {}
        self.busy = False

    def takes_slot(self, asked: Asked) -> bool:
        """Every request does: the site wants one at a time."""
        return True

    def answer(self, asked: Asked) -> Answer:
        """See `tests.fetchers.site_emulator.server.Site`."""
        if self.busy:
            return too_many()
        match asked.segments:
            case ("players", name):
                return _json(200, {"name": name.replace("rossi", "Rossi")})
            case ("players", _, "games"):
                games = [{"id": native_id, "pgn": pgn} for native_id, pgn in self.games.items()]
                return _json(200, {"games": games})
            case _:
                return _json(404, {"error": "no such page"})


def too_many() -> Answer:
    """What it says to a second request at once."""
    return whole(429, "application/json", b'{"error": "slower, please"}', ("Retry-After", "300"))


def _json(status: int, content: object) -> Answer:
    return whole(status, "application/json", json.dumps(content).encode())


@contextmanager
def emulated(site: PlayChessSite) -> Iterator[tuple[str, Log]]:
    """The site while it is served: its base URL, and what it was asked."""
    log = Log(lambda: time.time)
    server = SiteServer("playchess", 0, site, 1, too_many, log, Faults())
    server.start()
    try:
        yield f"http://127.0.0.1:{server.port}", log
    finally:
        server.stop()
    assert server.errors == []
