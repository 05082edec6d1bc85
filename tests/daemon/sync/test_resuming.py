"""Clocks that jump, processes that sleep: everything goes on by itself."""

import signal
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from daemon.archive.archive import open_archive
from daemon.archive.errors import DiskFull
from daemon.archive.schedule import accounts
from daemon.sync.pacing import DAY, HOUR, MINUTE
from daemon.sync.worker import heal_schedule
from tests.daemon.installation import Installation
from tests.daemon.shown import Worker
from tests.daemon.sync_rig import EVERY, Bench
from tests.fetchers.site_emulator.emulator import LICHESS, Emulator

ME = "lichess:mrossi90"
NOVEMBER = datetime(2026, 11, 5, 18, tzinfo=UTC)


@pytest.fixture
def bench(sqlite_path: Path) -> Iterator[Bench]:
    """An account on lichess, downloaded a moment ago."""
    with open_archive(sqlite_path) as archive, Emulator(seed=18) as sites:
        sites.world.add_game(LICHESS, "mrossi90", "BianchiL", at=NOVEMBER)
        bench = Bench(archive, sites)
        bench.run(ME)
        sites.clear_log()
        yield bench


def _ticks_until_asked(bench: Bench, lichess: Worker, most: float) -> float:
    """Tick every minute until the site is asked; after how many seconds that was."""
    began = bench.now
    while not bench.sites.requests:
        assert bench.now - began <= most, "nobody asks any more"
        bench.now += MINUTE
        lichess.tick()
    return bench.now - began


def _jump(bench: Bench, seconds: float) -> None:
    """The wall clock jumps, and the daemon's main loop notices."""
    bench.now += seconds
    heal_schedule(bench.archive, lambda: bench.now)


def test_a_clock_set_forward_asks_once(bench: Bench) -> None:
    """By an hour: what falls due is asked once, and then after its interval as ever."""
    with Worker(bench, LICHESS) as lichess:
        _jump(bench, HOUR)
        for _ in range(20):
            lichess.tick()
            bench.now += MINUTE
        at_once = len(bench.sites.requests)
        bench.sites.clear_log()

        assert at_once == 1
        assert _ticks_until_asked(bench, lichess, 2 * EVERY) <= 1.1 * EVERY


@pytest.mark.parametrize("jump", [-10 * MINUTE, -HOUR, -20 * HOUR, -40 * DAY])
def test_a_clock_set_back_delays_nothing(bench: Bench, jump: float) -> None:
    """The next round comes after the interval, as ever; set back by more than any plan lasts it comes at once."""
    with Worker(bench, LICHESS) as lichess:
        _jump(bench, jump)
        waited = _ticks_until_asked(bench, lichess, 2 * DAY)

    assert waited <= 1.1 * EVERY + MINUTE


def test_the_jump_that_was_seen_counts_where_no_round_shows_it(bench: Bench) -> None:
    """The last round is twenty minutes old when the clock is set back by fifteen: what was due in ten is due in ten."""
    bench.now += 20 * MINUTE
    due_in = bench.account(ME).due_at / 1000 - bench.now
    bench.now -= 15 * MINUTE

    heal_schedule(bench.archive, lambda: bench.now, back=15 * MINUTE)

    assert bench.account(ME).due_at / 1000 - bench.now == pytest.approx(due_in)


@pytest.mark.parametrize("jump", [HOUR, -HOUR, -40 * DAY])
def test_a_site_that_asked_to_wait_while_the_clock_jumped(bench: Bench, jump: float) -> None:
    """The wait of a 429 ends when it would have ended."""
    bench.sites.fault(LICHESS, kind="rate_limit")
    bench.run(ME)
    bench.sites.clear_log()
    with Worker(bench, LICHESS) as lichess:
        _jump(bench, jump)
        waited = _ticks_until_asked(bench, lichess, 2 * DAY)

    assert waited <= 2 * MINUTE


def test_a_pause_after_a_full_disk_ends_though_the_clock_was_set_back(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The archive could not be written, and then the clock went back by an hour: the next tick asks."""
    with Worker(bench, LICHESS) as lichess:
        bench.now += 2 * EVERY
        with monkeypatch.context() as patched:
            patched.setattr(bench.archive, "writing", _full)
            lichess.tick()
        bench.now -= HOUR
        heal_schedule(bench.archive, lambda: bench.now)
        bench.now += 1.2 * EVERY
        lichess.tick()

    assert [one.path for one in bench.sites.requests] == ["/api/users"] * 2


def _full() -> None:
    raise DiskFull("no room")


def test_a_jump_there_and_back_changes_nothing(bench: Bench) -> None:
    """An hour forward and an hour back before anything was asked: the account is due when it was."""
    with bench.archive.reading() as connection:
        (before,) = accounts.all_accounts(connection)
    for jump in (HOUR, -HOUR):
        _jump(bench, jump)
    with bench.archive.reading() as connection:
        (after,) = accounts.all_accounts(connection)

    assert after.due_at == before.due_at


def test_a_daemon_that_sleeps_goes_on(tmp_path: Path) -> None:
    """Stopped (SIGSTOP) in the middle of a download and woken seconds later: all games come, and then new ones."""
    with Emulator(seed=19) as sites:
        for number in range(60):
            sites.world.add_game(LICHESS, "mrossi90", "BianchiL", at=NOVEMBER - timedelta(days=number))
        sites.pace(40)
        place = Installation(tmp_path, sites)
        place.configure(extra=f'[[dossier]]\nname = "Mario Rossi"\naccounts = ["{ME}"]\nevery = "1s"\n')
        with place.daemon() as process:
            place.until(lambda: any(one.path.startswith("/api/games/") for one in sites.requests))
            process.send_signal(signal.SIGSTOP)
            time.sleep(2)  # that is what is tested: a process that does not run for a while
            process.send_signal(signal.SIGCONT)
            place.until(lambda: _games(place) == 60)
            sites.world.add_game(LICHESS, "mrossi90", "BianchiL", at=datetime.now(UTC))
            place.until(lambda: _games(place) == 61)
            (account,) = place.get("status")["accounts"]

    assert (account["state"], account["failures"]) == ("active", 0)
    assert not sites.violations
    assert "Traceback" not in place.log.read_text()


def _games(place: Installation) -> int:
    status = place.get("status")
    return 0 if status is None else int(status["archive"]["games"])
