"""Counters of the running daemon, for Prometheus.

The archive's own numbers are read on request (`api/metrics.py`).

docs/metrics.md lists every metric; a test compares both.
"""

import platform
import time
from pathlib import Path
from typing import Final

import prometheus_client
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
)

from daemon.events import LiveEvent
from daemon.paths import shown

# When a series began is nothing that anybody watches, and doubles what is read each time.
prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call] # it has no types

_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
_NO_ANSWER: Final = "none"


class Measures:
    """The metrics of one daemon, in a *registry* of their own. Any thread may count."""

    def __init__(self) -> None:
        self.registry: Final = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        self._build = self._gauge(
            "build_info", "Always 1; the labels say what runs", "version", "python", "database"
        )
        self._http = self._counter(
            "http_requests", "Requests to the API by route and status", "method", "route", "status"
        )
        self._http_seconds = Histogram(
            "gamekeeper_http_request_duration_seconds",
            "Time from a request to the end of its answer",
            ("route",),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        answers = "Requests to the sites by the status of the answer; none where no answer came"
        self._site_requests = self._counter("site_requests", answers, "site", "status")
        ends = "Syncs of this daemon, and imports of its folders, by how they ended"
        self._rounds = self._counter("rounds", ends, "kind", "outcome")
        looks = "Looks through a watched folder by how they ended"
        self._folder_looks = self._counter("folder_looks", looks, "folder", "outcome")
        looked = "When a watched folder was last looked through to its end"
        self._folder_looked = self._gauge("folder_last_look_timestamp_seconds", looked, "folder")

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"gamekeeper_{name}", text, labels, registry=self.registry)

    def _gauge(self, name: str, text: str, *labels: str) -> Gauge:
        return Gauge(f"gamekeeper_{name}", text, labels, registry=self.registry)

    def runs(self, version: str, database: str) -> None:
        """Note the version of gamekeeper and the kind of database."""
        self._build.labels(version, platform.python_version(), database).set(1)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Note that the API has answered."""
        self._http.labels(method, route, str(status)).inc()
        self._http_seconds.labels(route).observe(seconds)

    def asked_site(self, site: str, status: int | None) -> None:
        """Note a request to a site; *status* of its answer, None if none came."""
        self._site_requests.labels(site, _NO_ANSWER if status is None else str(status)).inc()

    def looked_through(self, folder: Path, *, whole: bool) -> None:
        """Note that a folder was looked through, to its end or not."""
        self._folder_looks.labels(shown(folder), "done" if whole else "failed").inc()
        if whole:
            self._folder_looked.labels(shown(folder)).set(time.time())

    def heard(self, event: LiveEvent) -> None:
        """Note an event of the daemon (`daemon.events`)."""
        if event.kind in {"sync", "import"} and event.data["state"] == "ended":
            self._rounds.labels(event.kind, event.data.get("outcome") or "done").inc()
