"""Threads that work in the background for as long as the program runs."""

from collections.abc import Callable
from threading import Event, Thread
from typing import Final

import structlog

log = structlog.get_logger(__name__)

AGAIN_AFTER: Final = 60.0
"""Seconds after which work that broke off is begun again."""


class KeptThread:
    """A thread whose work is begun again when it ends by itself, which is said in the log.

    Args:
        name: of the thread, in the log.
        work: runs until the event that it gets is set.
        stop: that event; None: one of its own.
        again_after: seconds between the end of the work and its next beginning.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[Event], None],
        *,
        stop: Event | None = None,
        again_after: float = AGAIN_AFTER,
    ) -> None:
        self.stop = stop or Event()
        self._name = name
        self._work = work
        self._again_after = again_after
        self._thread = Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin the work."""
        self._thread.start()

    def close(self) -> None:
        """Let the work end, and wait for it."""
        self.stop.set()
        if self._thread.ident is not None:
            self._thread.join()

    @property
    def alive(self) -> bool:
        """Does the thread run?"""
        return self._thread.is_alive()

    def _run(self) -> None:
        while not self.stop.is_set():
            try:
                self._work(self.stop)
            except BaseException:  # nobody waits for this thread: whatever ends its work is said here
                log.exception(
                    "background work broke off, it is begun again; please report this", thread=self._name
                )
            else:
                if not self.stop.is_set():
                    log.error("background work ended by itself, it is begun again", thread=self._name)
            self.stop.wait(self._again_after)
