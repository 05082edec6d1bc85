"""The clockwork ticks at once, goes on, and survives a clock that is set back."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from daemon.ticker import Ticker


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
