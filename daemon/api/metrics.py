"""``/metrics``: what Prometheus watches."""

import time
from collections import Counter as Counts
from collections.abc import Callable, Iterable
from typing import Final

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from daemon.api.serving import Served, Serving
from daemon.archive.reading import shapes
from daemon.archive.reading.accounts import last_successes, list_accounts
from daemon.archive.reading.totals import rounds_by_outcome, totals

router = APIRouter(tags=["daemon"])

_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
_NOWHERE: Final = "other"


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"description": "metrics", "content": {"text/plain": {"schema": {"type": "string"}}}}},
)
def get_metrics(request: Request, _served: Served) -> Response:
    """Metrics in the text format of Prometheus."""
    measures: Measures = request.app.state.measures
    return Response(generate_latest(measures.registry), media_type=CONTENT_TYPE_LATEST)


class Measures:
    """The metrics of one app: its requests as they come, its archive when it is asked."""

    def __init__(self, serving: Callable[[], Serving]) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "gamekeeper_http_requests",
            "Requests by route and status",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "gamekeeper_http_request_duration_seconds",
            "Time from a request to the end of its answer",
            ("route",),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self.registry.register(_ArchiveCollector(serving))


class Measured:
    """Counts and times every request."""

    def __init__(self, app: ASGIApp, *, measures: Measures) -> None:
        self._app = app
        self._measures = measures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begin = time.perf_counter()
        status = 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            # Routes are few; addresses and methods that somebody made up must not make series without end.
            route = getattr(scope.get("route"), "path", _NOWHERE)
            method = scope["method"] if scope["method"] == "GET" else _NOWHERE
            self._measures.requests.labels(method, route, str(status)).inc()
            self._measures.seconds.labels(route).observe(time.perf_counter() - begin)


class _ArchiveCollector(Collector):
    def __init__(self, serving: Callable[[], Serving]) -> None:
        self._serving = serving

    def describe(self) -> Iterable[Metric]:
        """Nothing in advance: a registry must not need the archive."""
        return []

    def collect(self) -> Iterable[Metric]:
        """One look at the archive."""
        serving = self._serving()
        now_ms = serving.now_ms()
        with serving.archive.reading() as conn:
            held = totals(conn)
            accounts = list_accounts(conn, now_ms=now_ms)
            successes = last_successes(conn)
            rounds = rounds_by_outcome(conn)
        yield from _held(held)
        yield _by_state(accounts)
        yield _ages(successes, now_ms)
        outcomes = GaugeMetricFamily(
            "gamekeeper_rounds", "Syncs and imports by outcome", labels=("kind", "outcome")
        )
        for labels, number in sorted(rounds.items()):
            outcomes.add_metric(labels, number)
        yield outcomes


def _held(held: shapes.Totals) -> Iterable[Metric]:
    yield GaugeMetricFamily("gamekeeper_games", "Games in the archive", held["games"])
    yield GaugeMetricFamily("gamekeeper_players", "Players in the archive", held["players"])
    yield GaugeMetricFamily("gamekeeper_tellings", "Tellings of games", held["tellings"])
    yield GaugeMetricFamily("gamekeeper_quarantine", "Games that could not be read", held["quarantine"])


def _by_state(accounts: Iterable[shapes.Account]) -> Metric:
    states = GaugeMetricFamily("gamekeeper_accounts", "Accounts by site and state", labels=("site", "state"))
    counts = Counts((account["site"], account["state"]) for account in accounts if account["configured"])
    for labels, number in sorted(counts.items()):
        states.add_metric(labels, number)
    return states


def _ages(successes: Iterable[tuple[str, int]], now_ms: int) -> Metric:
    ages = GaugeMetricFamily(
        "gamekeeper_account_last_success_age_seconds",
        "Time since the account was last downloaded without an error",
        labels=("account",),
    )
    for account, last_success in successes:
        ages.add_metric([account], (now_ms - last_success) / 1000)
    return ages
