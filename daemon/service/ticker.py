"""The clockwork: APScheduler only ticks. What is due is in the archive."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from apscheduler.schedulers.background import BackgroundScheduler

from daemon.logs import get_logger

log = get_logger(__name__)

EVERY: Final = 15.0
"""Seconds between two ticks."""

JUMP: Final = 2.0
"""Seconds by which the wall clock may drift from the monotonic one before we call it a jump."""


class _Scheduler(BackgroundScheduler):  # type: ignore[misc] # it has no types
    @property
    def alive(self) -> bool:
        """Whether its thread runs."""
        return self._thread is not None and self._thread.is_alive()


class Ticker:
    """Calls *tick* at once and then every *every* seconds, whatever happens to the wall clock.

    APScheduler plans by the wall clock: set back by an hour, it would be silent for an hour. `guard`, called
    every few seconds from the main thread, notices a jump (also a resume after suspend) and plans again.
    """

    def __init__(
        self,
        tick: Callable[[], None],
        *,
        every: float = EVERY,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tick = tick
        self._every = every
        self._wall = wall
        self._monotonic = monotonic
        self._offset = wall() - monotonic()
        self._scheduler = _Scheduler(timezone=UTC)

    def start(self) -> None:
        """Start ticking; the first tick comes at once."""
        self._scheduler.add_job(
            self._tick,
            "interval",
            seconds=self._every,
            id="tick",
            next_run_time=datetime.now(UTC),
            max_instances=1,
            coalesce=True,
            misfire_grace_time=None,
        )
        self._scheduler.start()

    def guard(self) -> float:
        """Plan again if the wall clock jumped. Returns by how many seconds it did, negative if backwards.

        Else 0.

        A scheduler whose thread has ended is started again.
        """
        if self.running and not self._scheduler.alive:
            log.error("background work ended by itself; it is started again", thread="ticker")
            self._scheduler = _Scheduler(timezone=UTC)
            self.start()
        offset = self._wall() - self._monotonic()
        jump = offset - self._offset
        if abs(jump) <= JUMP:
            return 0.0
        self._offset = offset
        self.now()
        return jump

    def now(self) -> None:
        """Tick at once, and every interval from now on."""
        self._scheduler.modify_job("tick", next_run_time=datetime.now(UTC))

    @property
    def running(self) -> bool:
        """Whether it was started, and not stopped."""
        return bool(self._scheduler.running)

    def stop(self) -> None:
        """Stop ticking; a tick that runs is waited for."""
        self._scheduler.shutdown(wait=True)
