"""``/metrics``: what Prometheus watches, from `daemon.counters` and from the archive."""

import time
from collections import Counter as Counts
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from daemon.api.context import RouteContext, Served
from daemon.archive.reading import shapes
from daemon.archive.reading.accounts import last_successes, list_accounts, list_events, list_sites
from daemon.archive.reading.totals import database_bytes, last_import, totals
from daemon.counters import Measures

router = APIRouter(tags=["daemon"])

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
            self._measures.answered(method, route, status, time.perf_counter() - begin)


class ArchiveCollector(Collector):
    """Metrics on the archive, and when the last backup was made."""

    def __init__(self, serving: Callable[[], RouteContext], last_backup: Callable[[], float | None]) -> None:
        self._serving = serving
        self._last_backup = last_backup

    def describe(self) -> Iterable[Metric]:
        """Nothing in advance: a registry must not need the archive."""
        return []

    def collect(self) -> Iterable[Metric]:
        """One look at the archive."""
        serving = self._serving()
        now_ms = serving.now_ms()
        with serving.archive.reading() as connection:
            held = totals(connection)
            accounts = [*list_accounts(connection, now_ms=now_ms), *list_events(connection, now_ms=now_ms)]
            successes = dict(last_successes(connection))
            sites = list_sites(connection, now_ms=now_ms)
            size = database_bytes(connection)
            imported = last_import(connection)
        yield from _held(held)
        yield GaugeMetricFamily("gamekeeper_database_bytes", "Size of the database", size)
        yield from _accounts([one for one in accounts if one["configured"]], successes)
        yield from _sites(sites)
        yield from _times(
            {
                "gamekeeper_last_import_timestamp_seconds": ("When the last import ended", imported),
                "gamekeeper_last_backup_timestamp_seconds": (
                    "When the newest backup was made",
                    self._last_backup(),
                ),
            }
        )


def _held(held: shapes.Totals) -> Iterable[Metric]:
    yield GaugeMetricFamily("gamekeeper_games", "Games in the archive", held["games"])
    yield GaugeMetricFamily("gamekeeper_players", "Players in the archive", held["players"])
    yield GaugeMetricFamily("gamekeeper_tellings", "Tellings of games", held["tellings"])
    yield GaugeMetricFamily("gamekeeper_files", "PGN files that were taken in", held["files"])
    yield GaugeMetricFamily("gamekeeper_quarantine", "Games that could not be read", held["quarantine"])


def _accounts(accounts: list[shapes.Account], successes: Mapping[str, int]) -> Iterable[Metric]:
    states = GaugeMetricFamily("gamekeeper_accounts", "Accounts by site and state", labels=("site", "state"))
    counts = Counts((account["site"], account["state"]) for account in accounts)
    for labels, number in sorted(counts.items()):
        states.add_metric(labels, number)
    yield states
    failures = GaugeMetricFamily(
        "gamekeeper_account_failures", "Rounds that failed since the last success", labels=("account",)
    )
    ended = GaugeMetricFamily(
        "gamekeeper_account_last_success_timestamp_seconds",
        "When the account was last downloaded without an error",
        labels=("account",),
    )
    for account in accounts:
        failures.add_metric([account["account"]], account["failures"])
        if account["account"] in successes:
            ended.add_metric([account["account"]], successes[account["account"]] / 1000)
    yield failures
    yield ended


def _sites(sites: Iterable[shapes.Site]) -> Iterable[Metric]:
    up = GaugeMetricFamily(
        "gamekeeper_site_up",
        "1 while the site can be asked, else 0: down, rate-limited, blocked",
        labels=("site",),
    )
    due = GaugeMetricFamily("gamekeeper_accounts_due", "Accounts that wait for their turn", labels=("site",))
    for site in sites:
        up.add_metric([site["site"]], site["state"] == "ok")
        due.add_metric([site["site"]], site["backlog"])
    yield up
    yield due


def _times(times: Mapping[str, tuple[str, float | None]]) -> Iterable[Metric]:
    """The times that are known; what never happened is left out."""
    for name, (what, at) in times.items():
        if at is not None:
            yield GaugeMetricFamily(name, what, at)
