"""Publishes the progress of accounts' rounds."""

from datetime import UTC, datetime
from typing import Any, Final

from daemon.archive.games.counts import Counts
from daemon.events import News
from daemon.sync.batch import Progress
from daemon.sync.sync_round import Report

SYNC: Final = "sync"


class SyncNews:
    """Publishes the rounds of accounts: ``begun``, ``running`` after each batch, ``ended``."""

    def __init__(self, news: News) -> None:
        self._news = news

    def begun(self, account: str) -> None:
        """A round over this account begins."""
        self._publish(account, "begun", Counts())

    def running(self, now: Progress) -> None:
        """A batch is stored."""
        self._publish(now.account, "running", now.counts, seen=now.seen, expected=now.expected)

    def ended(self, report: Report) -> None:
        """A round is over."""
        due = datetime.fromtimestamp(int(report.due_at), UTC).isoformat().replace("+00:00", "Z")
        end = {"outcome": report.outcome.value, "error": report.error, "next_due": due}
        self._publish(report.account, "ended", report.counts, **end)

    def _publish(self, account: str, state: str, counts: Counts, **more: Any) -> None:
        always = {"seen": counts.read, "expected": None, "outcome": None, "error": None, "next_due": None}
        self._news.publish(
            SYNC, {"account": account, "state": state, "counts": counts.by_name(), **always, **more}
        )
