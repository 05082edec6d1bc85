"""Publishes the progress of an import."""

import time
from collections.abc import Callable
from typing import Any, Final

from daemon.events import News
from daemon.imports.run import ImportProgress, Summary

IMPORT: Final = "import"

_EVERY: Final = 1.0
"""Seconds between two events of one import."""


class ImportNews:
    """Publishes one import: ``running`` now and then, ``ended`` if anything was read."""

    def __init__(self, news: News, source: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._news = news
        self._source = source
        self._clock = clock
        self._not_before = 0.0

    def running(self, now: ImportProgress) -> None:
        """Some more is read, or stored."""
        if self._clock() >= self._not_before:
            self._not_before = self._clock() + _EVERY
            self._publish("running", file=now.part, bytes=now.done, of_bytes=now.total, games=now.games)

    def ended(self, summary: Summary) -> None:
        """All of it is read, or it was stopped."""
        if summary.read or summary.problems:
            self._publish("ended", games=summary.read, counts=summary.by_name())

    def _publish(self, state: str, **more: Any) -> None:
        always = {"file": None, "bytes": None, "of_bytes": None, "counts": None}
        self._news.publish(IMPORT, {"source": self._source, "state": state, **always, **more})
