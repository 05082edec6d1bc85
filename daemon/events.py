"""What happens in this daemon, for listeners: kept for a while in memory, never waited for."""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from daemon import clock
from daemon.paths import storable

KEPT: Final = 1000
"""Events that are kept for clients that reconnect, or read slowly."""


@dataclass(frozen=True, slots=True)
class LiveEvent:
    """Something that happened. *number* counts the events of this daemon from 1 on."""

    number: int
    kind: str
    data: Mapping[str, Any]


class News:
    """The events of one daemon. Any thread may publish; listeners are woken, and read when they like.

    Args:
        heard: Called with each event by the publisher. It must not wait for anything.

    Attributes:
        run: Distinguishes the events of this daemon from those of one before; milliseconds since 1970.
        closed: Nothing will happen any more.
    """

    def __init__(
        self,
        *,
        kept: int = KEPT,
        run: int | None = None,
        heard: Callable[[LiveEvent], None] = lambda _: None,
    ) -> None:
        self.run = clock.now_ms() if run is None else run
        self.closed = False
        self._heard = heard
        self._lock = threading.Lock()
        self._events: deque[LiveEvent] = deque(maxlen=kept)
        self._last = 0
        self._wakers: set[Callable[[], None]] = set()

    @property
    def last(self) -> int:
        """The number of the last event, 0 before the first."""
        return self._last

    def publish(self, kind: str, data: Mapping[str, Any]) -> None:
        """Keep an event and wake listeners; *data* is JSON and never changes."""
        text = storable(data)  # an event that cannot be sent would stop every listener for good
        with self._lock:
            self._last += 1
            event = LiveEvent(self._last, kind, text)
            self._events.append(event)
        self._heard(event)
        self._wake()

    def after(self, number: int) -> list[LiveEvent]:
        """The events after that number which are still kept."""
        with self._lock:
            return [event for event in self._events if event.number > number]

    def close(self) -> None:
        """Let all listeners come to their end."""
        self.closed = True
        self._wake()

    @contextmanager
    def woken(self, wake: Callable[[], None]) -> Iterator[None]:
        """Have *wake* called, from any thread, after each event and at the end. It must not wait for anything."""
        with self._lock:
            self._wakers.add(wake)
        try:
            yield
        finally:
            with self._lock:
                self._wakers.discard(wake)

    def _wake(self) -> None:
        # Under the lock: nobody is woken who has gone.
        with self._lock:
            for wake in self._wakers:
                wake()
