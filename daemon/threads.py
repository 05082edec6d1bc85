"""Threads that work in the background for as long as the program runs."""

import time
from collections.abc import Callable
from threading import Event, Thread
from typing import Final

from daemon.archive.errors import ArchiveError
from daemon.logs import get_logger

log = get_logger(__name__)

AGAIN_AFTER: Final = 60.0
"""Seconds after which work that broke off is started again."""

LOOK_EVERY: Final = 60.0
"""Seconds between two looks whether there is something to do."""

_STOP_EVERY: Final = 10.0
"""Seconds after which a wait to be woken looks whether all is to end."""


class KeptThread:
    """A thread whose work is started again when it ends by itself, which is logged.

    Args:
        name: Of the thread, in the log.
        work: Runs until the event that it gets is set.
        stop: That event; None: one of its own.
        again_after: Seconds between the end of the work and its next beginning.
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
        """Whether the thread runs."""
        return self._thread.is_alive()

    def _run(self) -> None:
        while not self.stop.is_set():
            try:
                self._work(self.stop)
            except BaseException:  # nobody waits for this thread: whatever ends its work is said here
                log.exception(
                    "background work failed; it is started again; please report this", thread=self._name
                )
            else:
                if not self.stop.is_set():
                    log.error("background work ended by itself; it is started again", thread=self._name)
            self.stop.wait(self._again_after)


class Periodic(KeptThread):
    """A thread that looks again and again whether there is something to do, and does some of it.

    Args:
        name: of the thread, in the log.
        look: does some of the work; True if there is more to do.
        failed: a sentence for the log when the archive could not be used; the next look is after *LOOK_EVERY*.
        every: seconds between two looks when there is nothing left to do; None: then there are no more looks.
        rest: how many times as long as a look took the next one waits, if something is left to do.

    While it rests others get to write, and the API to answer: all threads share one interpreter.
    """

    def __init__(
        self,
        name: str,
        look: Callable[[], bool],
        *,
        failed: str,
        every: float | None = LOOK_EVERY,
        rest: float = 1.0,
    ) -> None:
        super().__init__(name, lambda stop: repeat(self._pause_after_look, stop))
        self._look = look
        self._failed = failed
        self._every = every
        self._rest = rest

    def _pause_after_look(self) -> float | None:
        began = time.monotonic()
        try:
            more = self._look()
        except ArchiveError as error:
            log.warning(self._failed, error=str(error))
            return LOOK_EVERY
        return (time.monotonic() - began) * self._rest if more else self._every


def repeat(look: Callable[[], float | None], stop: Event, wake: Event | None = None) -> None:
    """Look until *stop* is set, each time after as many seconds as the look before said (None: no more of them).

    *wake* lets the next look come at once; it is cleared by each wait.
    """
    while not stop.is_set():
        pause = look()
        if wake is None:
            stop.wait(pause)
        else:
            _wait(wake, stop, pause)
            wake.clear()


def _wait(wake: Event, stop: Event, seconds: float | None) -> None:
    """Wait until *wake* or *stop* is set, or for so many seconds."""
    end = None if seconds is None else time.monotonic() + seconds
    while not stop.is_set():
        left = _STOP_EVERY if end is None else end - time.monotonic()
        if left <= 0 or wake.wait(min(left, _STOP_EVERY)):
            return
