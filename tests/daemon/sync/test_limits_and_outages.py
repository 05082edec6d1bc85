"""Rate limits, outages and schedules, by the tick of the clock: what users of other tools reported."""

import threading
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from core.players import Profile
from daemon.api.app import create_app
from daemon.archive.archive import open_archive
from daemon.archive.schedule import accounts
from daemon.config.configured import ConfiguredAccount
from daemon.sync.pacing import DAY, HOUR, MINUTE, RoundEnd
from daemon.sync.site_lock import site_lock
from tests.daemon.installation import Installation, free_port
from tests.daemon.shown import Shown, Worker
from tests.daemon.sync_rig import EVERY, Bench
from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Emulator

pytestmark = pytest.mark.slow

LI, CC = "lichess:mrossi90", "chesscom:mrossi90"
NOVEMBER = datetime(2026, 11, 5, 18, tzinfo=UTC)


@pytest.fixture
def bench(sqlite_path: Path) -> Iterator[Bench]:
    """An empty archive, and both sites with two players and a game."""
    with open_archive(sqlite_path) as archive, Emulator(seed=16) as sites:
        for site in (LICHESS, CHESSCOM):
            sites.world.add_game(site, "mrossi90", "BianchiL", at=NOVEMBER)
        yield Bench(archive, sites)


def _follow(bench: Bench, site: str, number: int, every: int = EVERY) -> list[str]:
    """So many accounts of the site, all due; each has played a game."""
    handles = [f"player{one}" for one in range(number)]
    for handle in handles:
        bench.sites.world.add_game(site, handle, "BianchiL", at=NOVEMBER)
    bench.configure(*(ConfiguredAccount(site, one, one, mine=False, every=every) for one in handles))
    return [f"{site}:{one}" for one in handles]


def _moments(bench: Bench, site: str) -> list[float]:
    """When the site was asked, each moment once."""
    return sorted({one.started for one in bench.sites.requests if one.site == site})


def test_a_429_without_retry_after(bench: Bench) -> None:
    """With a tick every 15 seconds the next request comes sixty seconds later, not sooner."""
    bench.account(LI)
    bench.sites.fault(LICHESS, kind="rate_limit", times=1)
    with Worker(bench, LICHESS) as lichess:
        for _ in range(8):
            lichess.tick()
            bench.now += 15

    first, second = _moments(bench, LICHESS)
    assert second - first == 60
    assert not bench.sites.violations


@pytest.mark.parametrize(
    ("retry_after", "body", "seconds"),
    [
        (None, b'{"error":"Too many requests","ratelimit":{"key":"api","seconds":86398}}', 86398),
        ("300", b"", 300),
    ],
)
def test_the_site_says_how_long(
    bench: Bench, shown: Shown, retry_after: str | None, body: bytes, seconds: int
) -> None:
    """By its body or its header: so long nobody of that site is asked, `status` says until when, the other site goes on."""
    began = bench.now
    bench.account(LI), bench.account(CC)
    bench.sites.fault(LICHESS, kind="rate_limit", retry_after=retry_after, body=body, times=1)
    with Worker(bench, LICHESS) as lichess, Worker(bench, CHESSCOM) as chesscom:
        lichess.tick()
        chesscom.tick()
        until = shown.account(LI, bench.now)["until"]
        for wait in (seconds / 2, seconds / 2 - 5, 10):
            bench.now += wait
            lichess.tick()

    assert bench.account(CC).state == bench.account(LI).state == "active"
    assert until == datetime.fromtimestamp(began + seconds, UTC).isoformat().replace("+00:00", "Z")
    assert [moment - began for moment in _moments(bench, LICHESS)] == [0, seconds + 5]


def test_forty_accounts_at_once(bench: Bench) -> None:
    """All due in the same second, three times: one after the other, and never a 429."""
    _follow(bench, CHESSCOM, 40)
    _follow(bench, LICHESS, 40)
    with Worker(bench, LICHESS) as lichess, Worker(bench, CHESSCOM) as chesscom:
        for _ in range(3):
            lichess.poke()
            chesscom.tick()
            lichess.wait()
            bench.now += 2 * EVERY

    assert not bench.sites.violations
    assert {one.status for one in bench.sites.requests} <= {200, 304}
    assert bench.games() == 80


def test_a_page_instead_of_an_account(bench: Bench, shown: Shown) -> None:
    """404 with a web page: we are refused, nobody is closed; who asks, and how to reach them, was said."""
    bench.sites.fault(LICHESS, kind="html", code=404, times=None)

    assert bench.run(LI).outcome is RoundEnd.BLOCKED
    assert bench.account(LI).state == "new"
    assert shown.account(LI, bench.now)["state"] == "blocked"
    agents = {one.headers["user-agent"] for one in bench.sites.requests}
    assert agents == {"gamekeeper/1 (+contact: tests@example.org)"}


def test_a_site_that_suddenly_refuses_everybody(bench: Bench, shown: Shown) -> None:
    """403 for all: an error of the site, told with it; no account is gone, and not each of them runs into it."""
    keys = _follow(bench, CHESSCOM, 3)
    with Worker(bench, CHESSCOM) as chesscom:
        chesscom.tick()
        bench.now += 2 * EVERY
        bench.sites.clear_log()
        bench.sites.fault(CHESSCOM, kind="html", code=403, times=None)
        chesscom.tick()

    # One question about an account, and one about nobody.
    assert len(bench.sites.requests) == 2
    assert {bench.account(key).state for key in keys} == {"active"}
    assert shown.site(CHESSCOM, bench.now)["state"] == "blocked"


def test_one_404_closes_nobody(bench: Bench) -> None:
    """404 once, 200 later: the account was active all the time."""
    bench.run(LI)
    json = {"Content-Type": "application/json"}
    bench.sites.fault(
        LICHESS, "/api/games", kind="status", code=404, body=b'{"error":"Not found"}', headers=json
    )
    states = []
    for _ in range(2):
        bench.now += HOUR
        bench.run(LI)
        states.append(bench.account(LI).state)

    assert states == ["active", "active"]


def test_capitals_in_a_handle(bench: Bench, shown: Shown) -> None:
    """The address is in lower case, the site need not redirect, what was typed is shown; nobody is nobody."""
    bench.sites.world.add_player(CHESSCOM, "Neri")

    assert bench.run("chesscom:NERI").outcome is RoundEnd.DONE
    assert bench.run("chesscom:NoBody").outcome is RoundEnd.NOT_FOUND
    assert {one.status for one in bench.sites.requests} == {200, 404}
    assert all(one.path == one.path.lower() for one in bench.sites.requests)
    assert shown.account("chesscom:nobody", bench.now)["name"] == "NoBody"


def test_a_site_that_is_down_for_days(bench: Bench, shown: Shown) -> None:
    """503 for two days: asked twice an hour at most, `status` says since when, and then everything is caught up."""
    began = bench.now
    bench.run(LI)
    bench.sites.fault(LICHESS, kind="status", code=503, times=None)
    with Worker(bench, LICHESS) as lichess:
        while bench.now < began + 2 * DAY:
            bench.now += 5 * MINUTE
            lichess.tick()
        state = shown.site(LICHESS, bench.now)
        tries = len(_moments(bench, LICHESS))
        bench.sites.clear_faults()
        bench.sites.world.add_game(
            LICHESS, "mrossi90", "BianchiL", at=datetime.fromtimestamp(began + DAY, UTC)
        )
        for _ in range(7):
            bench.now += 5 * MINUTE
            lichess.tick()

    assert state["state"] == "down"
    assert datetime.fromisoformat(state["since"] or "").timestamp() < began + HOUR
    assert tries < 2 * 48 + 12
    assert (bench.games(), shown.site(LICHESS, bench.now)["state"]) == (2, "ok")


def test_no_network_for_a_day(sqlite_path: Path) -> None:
    """Nobody listens at either address for a day; half an hour after the network is back everything is there."""
    ports: Any = {"lichess_port": free_port(), "chesscom_port": free_port()}
    with open_archive(sqlite_path) as archive:
        with Emulator(seed=17, **ports) as sites:
            world = sites.world
            for site in (LICHESS, CHESSCOM):
                world.add_game(site, "mrossi90", "BianchiL", at=NOVEMBER)
            bench = Bench(archive, sites)
            bench.run(LI), bench.run(CC)
        with Worker(bench, LICHESS) as lichess, Worker(bench, CHESSCOM) as chesscom:
            for _ in range(4 * 24):
                bench.now += 15 * MINUTE
                lichess.tick()
                chesscom.tick()
            down = {Shown(archive).site(site, bench.now)["state"] for site in (LICHESS, CHESSCOM)}
            blamed = {bench.account(key).failures for key in (LI, CC)}
            with Emulator(world, **ports) as sites:
                sites.clock = lambda: bench.now
                for site in (LICHESS, CHESSCOM):
                    yesterday = datetime.fromtimestamp(bench.now - DAY / 2, UTC)
                    world.add_game(site, "mrossi90", "BianchiL", at=yesterday)
                for _ in range(3):
                    bench.now += 15 * MINUTE
                    lichess.tick()
                    chesscom.tick()
                violations = sites.violations

        assert (down, blamed) == ({"down"}, {0})
        assert bench.games() == 4
        assert {Shown(archive).site(site, bench.now)["state"] for site in (LICHESS, CHESSCOM)} == {"ok"}
        assert not violations


def test_two_workers_and_one_account(bench: Bench, tmp_path: Path) -> None:
    """Two programs on one archive tick at the same time, again and again: the account is asked once per interval."""
    bench.account(CC)
    lock = partial(site_lock, tmp_path, CHESSCOM)
    with Worker(bench, CHESSCOM, lock) as one, Worker(bench, CHESSCOM, lock) as other:
        for _ in range(5):
            for worker in (one, other):
                worker.poke()
            for worker in (one, other):
                worker.wait()
            bench.now += MINUTE

    asked = Counter(request.path for request in bench.sites.requests)
    assert asked["/pub/player/mrossi90/games/archives"] == 1
    assert not bench.sites.violations


def test_the_last_success_is_told(bench: Bench, shown: Shown) -> None:
    """After a success and three failures the API tells when it last worked, when it was last tried, and why it fails."""
    bench.run(LI)
    worked = shown.account(LI, bench.now)["last_success"]
    bench.sites.fault(LICHESS, "/api/games", kind="cut", after=0.2, times=None)
    for _ in range(3):
        bench.now += HOUR
        bench.run(LI)
    with TestClient(create_app(bench.archive, Profile(), version="1"), base_url="http://127.0.0.1") as client:
        (account,) = client.get("/api/v1/status").json()["accounts"]

    assert worked
    assert account["last_success"] == worked
    assert account["last_attempt"] > worked
    assert (account["failures"], bool(account["error"])) == (3, True)


@pytest.mark.parametrize("every", [300, 1800, 86400])
def test_the_spread_is_a_share_of_the_interval(bench: Bench, every: int) -> None:
    """An account with an interval of five minutes is never an hour late: a tenth of its own interval at most."""
    keys = _follow(bench, LICHESS, 5, every)

    with Worker(bench, LICHESS) as lichess:
        lichess.tick()

    waits = [row.due_at / 1000 - bench.now for row in _rows(bench) if row.key in keys]
    assert len(waits) == 5
    assert all(every <= wait <= 1.1 * every for wait in waits)


def _rows(bench: Bench) -> list[accounts.AccountRow]:
    with bench.archive.reading() as connection:
        return accounts.all_accounts(connection)


def test_accounts_that_were_added_together(bench: Bench) -> None:
    """Fifty accounts, first asked in the same second, are not due in the same second any more, nor after a restart."""
    keys = _follow(bench, LICHESS, 50)
    with Worker(bench, LICHESS) as lichess:
        lichess.tick()

    seconds = Counter(row.due_at // 1000 for row in _rows(bench) if row.key in keys)
    assert len(seconds) > 30
    assert max(seconds.values()) < 5
    bench.configure()  # as a restart and a reload do
    assert Counter(row.due_at // 1000 for row in _rows(bench) if row.key in keys) == seconds


def test_readers_never_meet_a_locked_database(bench: Bench) -> None:
    """While a transaction writes, and stays open, the API answers at once with what was there before."""
    bench.run(LI)
    with TestClient(create_app(bench.archive, Profile(), version="1"), base_url="http://127.0.0.1") as client:
        with bench.archive.writing() as connection:
            row = next(iter(accounts.all_accounts(connection)))
            accounts.set_state(connection, row.id, "closed", 0)
            during = [client.get(path) for path in ("/api/v1/games", "/api/v1/status")]
        after = client.get("/api/v1/status")

    assert [answer.status_code for answer in during] == [200] * 2
    states = [answer.json()["accounts"][0]["state"] for answer in (during[1], after)]
    assert states == ["active", "closed"]


def test_a_second_daemon(tmp_path: Path) -> None:
    """It says who has the archive, in one sentence, and exits; the first one goes on."""
    place = Installation(tmp_path)
    place.configure()
    with place.daemon() as first:
        second = place.run("run")
        health = place.get("health")

    assert (second.returncode, bool(health)) == (78, True)
    assert f"pid {first.pid}" in second.stderr
    assert "Traceback" not in second.stderr


def test_a_round_that_lasts_longer_than_the_interval(bench: Bench) -> None:
    """The site is silent in mid-answer for two intervals: however often the clock ticks, there is one round."""
    bench.account(CC)
    bench.sites.fault(CHESSCOM, kind="stall", after=5)
    with Worker(bench, CHESSCOM) as chesscom:
        chesscom.poke()
        asked = threading.Event()
        while not bench.sites.requests:
            asked.wait(0.01)
        for _ in range(8):
            bench.now += EVERY / 4
            chesscom.poke()
        during = len(bench.sites.requests)
        bench.stop.set()
        chesscom.wait()

    assert during == 1
    assert not bench.sites.violations
