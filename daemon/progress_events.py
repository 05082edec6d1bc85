"""How far rounds and imports are, told to whoever listens."""

import time
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final

from daemon.archive.schedule.rounds import Counts
from daemon.events import News
from daemon.imports.run import Progress as ImportProgress
from daemon.imports.run import Summary
from daemon.sync.batch import Progress
from daemon.sync.sync_round import Report

SYNC: Final = "sync"
IMPORT: Final = "import"

_EVERY: Final = 1.0
"""Seconds between two events of one import."""


class SyncNews:
    """Tells of the rounds of accounts: ``begun``, ``running`` after each batch, ``ended``."""

    def __init__(self, news: News) -> None:
        self._news = news

    def begun(self, account: str) -> None:
        """A round over this account begins."""
        self._tell(account, "begun", Counts())

    def running(self, now: Progress) -> None:
        """A batch is stored."""
        self._tell(now.account, "running", now.counts, seen=now.seen, expected=now.expected)

    def ended(self, report: Report) -> None:
        """A round is over."""
        due = datetime.fromtimestamp(int(report.due_at), UTC).isoformat().replace("+00:00", "Z")
        told = {"outcome": report.outcome.value, "error": report.error, "next_due": due}
        self._tell(report.account, "ended", report.counts, **told)

    def _tell(self, account: str, state: str, counts: Counts, **more: Any) -> None:
        always = {"seen": counts.read, "expected": None, "outcome": None, "error": None, "next_due": None}
        self._news.publish(
            SYNC, {"account": account, "state": state, "counts": _counts(counts), **always, **more}
        )


class ImportNews:
    """Tells of one import: ``running`` now and then, ``ended`` if anything was read."""

    def __init__(self, news: News, source: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._news = news
        self._source = source
        self._clock = clock
        self._not_before = 0.0

    def running(self, now: ImportProgress) -> None:
        """Some more is read, or stored."""
        if self._clock() >= self._not_before:
            self._not_before = self._clock() + _EVERY
            told = {"file": now.part, "bytes": now.done, "of_bytes": now.total, "games": now.games}
            self._tell("running", **told)

    def ended(self, summary: Summary) -> None:
        """All of it is read, or it was stopped."""
        if summary.read or summary.problems:
            self._tell("ended", games=summary.read, counts=_counts(summary))

    def _tell(self, state: str, **more: Any) -> None:
        always = {"file": None, "bytes": None, "of_bytes": None, "counts": None}
        self._news.publish(IMPORT, {"source": self._source, "state": state, **always, **more})


def _counts(counts: Counts) -> dict[str, int]:
    return {name: number for name, number in asdict(counts).items() if name in _COUNTS}


_COUNTS: Final = frozenset(asdict(Counts()))
