"""Connections are kept: a quiet account must not cost three handshakes."""

from datetime import UTC, datetime

import httpx
import pytest

from fetchers.errors import Incomplete
from fetchers.http.door import Door
from tests.fetchers.conftest import Build
from tests.fetchers.event_cases import EVENT_CASES
from tests.fetchers.http_doubles import Recorder
from tests.fetchers.rounds import follow, run
from tests.fetchers.site_emulator.emulator import CHESSCOM, Emulator
from tests.fetchers.site_emulator.server import SiteServer


@pytest.fixture
def accepted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The name of the site for each connection that it accepts."""
    names: list[str] = []
    accept = SiteServer.get_request

    def counted(server: SiteServer) -> object:
        got = accept(server)
        names.append(server.name)
        return got

    monkeypatch.setattr(SiteServer, "get_request", counted)
    return names


def test_unchanged_answers_keep_the_connection(sites: Emulator, build: Build, accepted: list[str]) -> None:
    """All rounds over an account go over one connection, those that bring nothing but 304 as well."""
    sites.world.add_player(CHESSCOM, "rossi-mario")
    sites.world.add_game(CHESSCOM, "rossi-mario", "BianchiL", at=datetime(2026, 10, 5, tzinfo=UTC))
    fetcher = build(CHESSCOM)
    cursor = run(fetcher, "rossi-mario").cursor
    for _ in range(3):
        cursor = run(fetcher, "rossi-mario", cursor=cursor).cursor

    assert [one.status for one in sites.requests].count(304) >= 6
    assert accepted == [CHESSCOM]


def test_heads_keep_the_connection(sites: Emulator, build: Build, accepted: list[str]) -> None:
    """Whether a study has changed is asked by HEAD."""
    case = next(case for case in EVENT_CASES if case.kind == "study")
    case.fill(sites, 3)
    fetcher = build(case.site)
    cursor = follow(fetcher, case.event).cursor
    for _ in range(3):
        cursor = follow(fetcher, case.event, cursor).cursor

    assert [one.method for one in sites.requests].count("HEAD") >= 3
    assert len(accepted) == 1


def test_nothing_is_asked_once_we_want_to_stop() -> None:
    """A round that is being stopped does not begin another request only to hang up."""
    site = Recorder(lambda _: httpx.Response(200, json=1))
    asking = Door(
        "https://site.example", user_agent="x", transport=httpx.MockTransport(site), stop=lambda: True
    )

    with pytest.raises(Incomplete, match="stopped"):
        asking.json("a")
    assert site.requests == []
