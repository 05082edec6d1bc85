"""A site that fails on one account, month or event, and answers all others: only that one waits."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from daemon.archive.archive import open_archive
from daemon.archive.schedule import gates
from daemon.config.configured import ConfiguredAccount
from daemon.sync.pacing import DAY, MINUTE, RoundEnd
from tests.daemon.shown import Shown, Worker
from tests.daemon.sync_rig import EVERY, Bench
from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Emulator

HANDLES = ["aaron", "berta", "carla", "dario"]
ILL = {"kind": "status", "code": 500}
SITES = (LICHESS, CHESSCOM)
EXPORT = {LICHESS: "/api/games/user/{}", CHESSCOM: "/pub/player/{}/games"}


@pytest.fixture
def bench(sqlite_path: Path) -> Iterator[Bench]:
    """Four players on each site, each with one game against somebody who is not followed."""
    with open_archive(sqlite_path) as archive, Emulator(seed=21) as sites:
        bench = Bench(archive, sites)
        for site in SITES:
            for day, handle in enumerate(HANDLES, start=1):
                sites.world.add_game(
                    site, handle, f"foe{day}", at=datetime(2026, 11, day, 18, tzinfo=UTC), plies=4
                )
        yield bench


def _follow(bench: Bench, site: str) -> list[str]:
    bench.configure(*(ConfiguredAccount(site, name, name, mine=False, every=EVERY) for name in HANDLES))
    return [f"{site}:{name}" for name in HANDLES]


def _gate(bench: Bench, site: str) -> str:
    with bench.archive.reading() as connection:
        return gates.gate(connection, site).state


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize(
    "ill", [{"kind": "status", "code": 500}, {"kind": "status", "code": 503}, {"kind": "refuse"}]
)
def test_the_neighbours_of_an_ill_account_are_asked(bench: Bench, site: str, ill: dict[str, Any]) -> None:
    """One account fails for a day, from its profile on: all others have their games within the first tick."""
    keys = _follow(bench, site)
    bench.sites.fault(site, account="aaron", times=None, **ill)
    with Worker(bench, site) as worker:
        worker.tick()
        assert bench.games() == 3
        assert _gate(bench, site) == "ok"
        ends = bench.now + DAY
        while bench.now < ends:
            bench.now += 15 * MINUTE
            worker.tick()
            assert _gate(bench, site) == "ok"
        states = {key: (bench.account(key).state, bench.account(key).failures > 0) for key in keys}
        bench.sites.clear_faults()
        bench.now += 7 * 3600
        worker.tick()

    assert not bench.sites.violations
    assert states == {keys[0]: ("new", True)} | dict.fromkeys(keys[1:], ("active", False))
    assert bench.games() == 4
    assert bench.account(keys[0]).failures == 0


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("refused", [{"kind": "html", "code": 403}, {"kind": "status", "code": 401}])
def test_an_account_that_is_refused_blocks_nobody_else(
    bench: Bench, site: str, refused: dict[str, Any]
) -> None:
    """A 403 or 401 about one account alone is not a word on our User-Agent or token: the others are asked."""
    (key, *_) = _follow(bench, site)
    bench.sites.fault(site, account="aaron", times=None, **refused)
    with Worker(bench, site) as worker:
        worker.tick()
        assert bench.games() == 3
        assert _gate(bench, site) == "ok"
        assert bench.account(key).state == "new"
        bench.sites.clear_faults()
        bench.now += DAY
        worker.tick()

    assert not bench.sites.violations
    assert bench.games() == 4


@pytest.mark.parametrize("site", SITES)
def test_what_is_ill_is_said_with_the_account(bench: Bench, site: str) -> None:
    """The account's error says what the site answers, and that it answers others; the site is well."""
    (key, *_) = _follow(bench, site)
    bench.sites.fault(site, account="aaron", times=None, kind="status", code=500)

    report = bench.run(key)

    shown = Shown(bench.archive)
    assert report.outcome is RoundEnd.FAILED
    assert report.due_at == bench.now + MINUTE
    assert "answers 500; " in (shown.account(key, bench.now)["error"] or "")
    assert shown.site(site, bench.now)["state"] == "ok"


def test_a_wait_that_is_ordered_for_one_account_is_kept_by_it(bench: Bench) -> None:
    """503 with a Retry-After for one account: that account waits so long."""
    (key, *_) = _follow(bench, LICHESS)
    bench.sites.fault(
        LICHESS, account="aaron", times=None, kind="status", code=503, headers={"Retry-After": "1200"}
    )

    assert bench.run(key).due_at == bench.now + 1200
    assert _gate(bench, LICHESS) == "ok"


@pytest.mark.parametrize("site", SITES)
def test_two_accounts_in_a_row_close_the_site(bench: Bench, site: str) -> None:
    """Downloads that fail for everybody are the site's fault, though it answers other questions: nobody else is asked."""
    _follow(bench, site)
    for handle in HANDLES:
        bench.sites.fault(site, EXPORT[site].format(handle), times=None, kind="status", code=500)
    with Worker(bench, site) as worker:
        worker.tick()

    asked = {part for one in bench.sites.requests for part in one.path.split("/") if part in HANDLES}
    assert len(asked) == 2
    assert _gate(bench, site) == "down"


@pytest.mark.parametrize("site", SITES)
def test_a_site_that_answers_nobody_is_closed_at_once(bench: Bench, site: str) -> None:
    """One account fails, and the question about nobody, too."""
    (key, *_) = _follow(bench, site)
    bench.sites.fault(site, times=None, kind="status", code=502)

    assert bench.run(key).outcome is RoundEnd.DOWN
    assert bench.account(key).failures == 0
    assert _gate(bench, site) == "down"


@pytest.mark.parametrize("site", SITES)
def test_a_profile_that_cannot_be_had_keeps_no_game_back(bench: Bench, site: str) -> None:
    """Only the profile fails: the games come, what is missing is said, and the profile is asked for again."""
    profile = {LICHESS: "/api/user/aaron", CHESSCOM: "/pub/player/aaron"}[site]
    (key, *_) = _follow(bench, site)
    bench.sites.fault(site, profile, times=3, kind="status", code=500)

    first, second = bench.run(key), bench.run(key)

    assert (first.outcome, first.counts.new) == (RoundEnd.DONE, 1)
    assert "answers 500" in (first.error or "")
    assert (second.outcome, second.error) == (RoundEnd.DONE, None)
    assert bench.account(key).looked_at is not None


def test_a_glance_that_fails_leaves_everybody_to_their_rounds(bench: Bench) -> None:
    """The list of hundreds answers 500 and all else is well: each account is asked by itself, and the site is open."""
    keys = _follow(bench, LICHESS)
    for key in keys:
        bench.run(key)
    bench.sites.fault(LICHESS, "/api/users", times=3, kind="status", code=500)
    bench.now += 2 * EVERY
    with Worker(bench, LICHESS) as worker:
        worker.tick()

    assert _gate(bench, LICHESS) == "ok"
    assert all(bench.account(key).due_at > bench.now * 1000 for key in keys)


def test_an_event_that_fails_is_alone_with_it(bench: Bench) -> None:
    """A study that answers 500: the site is well, the accounts are asked."""
    study = bench.sites.world.events.add_study("Finali")
    event = f"lichess:study/{study.id}"
    bench.account(event)
    (key, *_) = _follow(bench, LICHESS)
    bench.sites.fault(LICHESS, f"/api/study/{study.id}", times=None, kind="status", code=500)

    assert bench.run(event).outcome is RoundEnd.FAILED
    assert bench.run(key).counts.new == 1
    assert _gate(bench, LICHESS) == "ok"


@pytest.mark.parametrize("kind", ["status", "refuse"])
def test_months_that_fail_hide_no_other_month(bench: Bench, kind: Any) -> None:
    """Two months in a row fail for days: the round ends there, and the next one begins with the others."""
    world = bench.sites.world
    for month in (3, 4, 5, 6):
        world.add_game(CHESSCOM, "aaron", "foe1", at=datetime(2026, month, 2, tzinfo=UTC), plies=4)
    for failing in ("2026/03", "2026/04"):
        bench.sites.fault(CHESSCOM, f"/pub/player/aaron/games/{failing}", times=None, kind=kind)
    (key, *_) = _follow(bench, CHESSCOM)

    first = bench.run(key)
    bench.now += MINUTE
    second = bench.run(key)

    assert (first.outcome, second.outcome) == (RoundEnd.FAILED, RoundEnd.FAILED)
    assert bench.games() == 3
    bench.sites.clear_faults()
    bench.now += MINUTE
    assert bench.run(key).outcome is RoundEnd.DONE
    assert bench.games() == 5
