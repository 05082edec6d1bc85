"""The clockwork ticks at once, goes on, and survives a clock that is set back."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import structlog

from daemon.service.ticker import Ticker


class Clock:
    """A pair of clocks of which the wall clock can be set."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.step = 0.0

    def wall(self) -> float:
        return 1_700_000_000 + self.seconds + self.step

    def monotonic(self) -> float:
        return self.seconds


@contextmanager
def _ticking(ticker: Ticker) -> Iterator[None]:
    ticker.start()
    try:
        yield
    finally:
        ticker.stop()


def test_the_first_tick_comes_at_once() -> None:
    """At start nobody waits for an interval."""
    ticked = threading.Event()

    with _ticking(Ticker(ticked.set, every=3600)):
        assert ticked.wait(10)


def test_it_goes_on_ticking() -> None:
    """Tick follows tick."""
    ticks = threading.Semaphore(0)

    with _ticking(Ticker(ticks.release, every=0.05)):
        assert all(ticks.acquire(timeout=10) for _ in range(3))


def test_a_jump_of_the_clock_is_noticed_once_and_ticks_at_once() -> None:
    """A wall clock set back by an hour makes one new plan, not silence for an hour."""
    ticks = threading.Semaphore(0)
    clock = Clock()
    ticker = Ticker(ticks.release, every=3600, wall=clock.wall, monotonic=clock.monotonic)

    with _ticking(ticker):
        assert ticks.acquire(timeout=10)
        clock.seconds += 60
        assert not ticker.guard()
        clock.step = -3600
        assert ticker.guard()
        assert ticks.acquire(timeout=10)
        assert not ticker.guard()


# That its thread ends so is what is tested.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_clockwork_that_has_ended_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the guard, and said; it ticks as before."""
    ticks = threading.Semaphore(0)
    ticker = Ticker(ticks.release, every=0.05)
    with _ticking(ticker), structlog.testing.capture_logs() as logged:
        assert ticks.acquire(timeout=60)
        with monkeypatch.context() as broken:
            broken.setattr("apscheduler.schedulers.base.BaseScheduler._process_jobs", _end_thread)
            end = time.monotonic() + 60
            while not logged:
                assert time.monotonic() < end
                ticker.guard()
        while ticks.acquire(blocking=False):
            pass
        end = time.monotonic() + 60
        while not ticks.acquire(timeout=0.1):
            assert time.monotonic() < end
            ticker.guard()
    assert {one["log_level"] for one in logged if one.get("thread") == "ticker"} == {"error"}


def _end_thread(_: object) -> None:
    raise SystemExit
