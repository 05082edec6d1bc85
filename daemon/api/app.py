"""The app: puts routes, errors and guards together."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from ipaddress import ip_address
from typing import Final

from fastapi import Depends, FastAPI
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from core.players import Profile
from daemon import clock
from daemon.api import (
    dossiers,
    doubles,
    edits,
    events,
    exports,
    games,
    health,
    me,
    metrics,
    openapi,
    players,
    quarantine,
    suggest,
    tournaments,
)
from daemon.api.context import RouteContext
from daemon.api.errors import Problems, add_handlers
from daemon.api.events import Stories
from daemon.api.metrics import ArchiveCollector, Measured
from daemon.api.openapi import Described
from daemon.api.parameters import refuse_unknown
from daemon.api.security import LOOPBACK_HOSTS, Guard, HeadAsGet, SecurityHeaders
from daemon.archive.archive import Archive
from daemon.counters import Measures
from daemon.events import News


def create_app(  # noqa: PLR0913 - what it serves, by name
    archive: Archive,
    profile: Profile,
    *,
    version: str,
    hosts: Sequence[str] = (),
    token: str | None = None,
    origins: Sequence[str] = (),
    news: News | None = None,
    measures: Measures | None = None,
    last_backup: Callable[[], float | None] = lambda: None,
    now_ms: Callable[[], int] = clock.now_ms,
    errors: Callable[[], Sequence[str]] = tuple,
) -> FastAPI:
    """The read API over *archive* for the user of *profile*.

    Args:
        archive: is read only, and stays the caller's to close.
        profile: who the user is; `set_profile` exchanges it.
        version: of the program.
        hosts: names or addresses in the Host header that are answered besides those of this machine; with
            ``0.0.0.0`` or ``::`` among them and a token, every name is: who bears the token is not a foreign page.
        token: what every request but that for ``/health`` has to bear; None asks for none.
        origins: of web pages of the user's own that may ask: ``http://localhost:3000``.
        news: what happens in this daemon; streams end when they are closed. None: nothing does.
        measures: what is counted in this daemon.
        last_backup: when the newest one was made, seconds since 1970; None where there is none.
        now_ms: the clock, milliseconds since 1970.
        errors: what is wrong in the data folder, one sentence each, for ``/status``.
    """
    serving = RouteContext(archive=archive, profile=profile, version=version, now_ms=now_ms, errors=errors)
    measures = measures or Measures()
    measures.runs(version, archive.dialect)
    measures.registry.register(ArchiveCollector(lambda: app.state.serving, last_backup))
    app = _described(version, _middleware(measures, hosts, token, origins))
    app.needs_token = token is not None
    _give_state(app, serving, measures, news or News())
    add_handlers(app)
    for module in _ROUTES:
        app.include_router(module.router)
    return app


def _described(version: str, middleware: list[Middleware]) -> Described:
    """The app as it describes itself, without its routes."""
    return Described(
        title="gamekeeper",
        version=version,
        description=openapi.DESCRIPTION,
        openapi_url=None,  # `openapi` serves it, with an ETag; FastAPI's pages would load scripts from elsewhere
        redirect_slashes=False,
        responses=openapi.RESPONSES,
        generate_unique_id_function=openapi.operation_id,
        middleware=middleware,
        dependencies=[Depends(refuse_unknown)],
    )


_ROUTES: Final = (
    *(health, players, suggest, games, me, dossiers, tournaments, doubles, edits, quarantine),
    *(exports, events, metrics, openapi),
)
"""In the order of the OpenAPI description."""


def _give_state(app: FastAPI, serving: RouteContext, measures: Measures, news: News) -> None:
    """Give the routes what they use."""
    app.state.serving = serving
    app.state.measures = measures
    app.state.news = news
    app.state.stories = Stories(lambda: app.state.serving, news)
    app.state.exports = exports.places()


def set_profile(app: FastAPI, profile: Profile) -> None:
    """Let *app* answer for another user from now on, because the configuration was read again."""
    app.state.serving = replace(app.state.serving, profile=profile)


def _middleware(
    measures: Measures, hosts: Sequence[str], token: str | None, origins: Sequence[str]
) -> list[Middleware]:
    """From the outside in: what an inner one refuses is also counted, secured and answered as a problem."""
    return [
        Middleware(HeadAsGet),
        Middleware(Measured, measures=measures),
        Middleware(SecurityHeaders),
        Middleware(Problems),
        Middleware(
            TrustedHostMiddleware,
            allowed_hosts=[*LOOPBACK_HOSTS, *_as_asked(hosts, any_name=token is not None)],
            www_redirect=False,
        ),
        *([_cross_origin(origins)] if origins else []),
        Middleware(Guard, token=token, origins=origins),
    ]


def _cross_origin(origins: Sequence[str]) -> Middleware:
    """What browsers must be told before a page of *origins* may read an answer.

    They first ask without the token.
    """
    return Middleware(
        CORSMiddleware,
        allow_origins=list(origins),
        allow_methods=["GET", "HEAD"],
        allow_headers=["Authorization", "If-None-Match", "Last-Event-ID"],
        allow_private_network=True,  # of the page's network and this machine, as the user wants it
        expose_headers=["ETag", "Link", "Retry-After", "Content-Disposition"],
    )


def _as_asked(hosts: Sequence[str], *, any_name: bool) -> Iterator[str]:
    """The hosts as they are written in the Host header."""
    for host in hosts:
        try:
            address = ip_address(host)
        except ValueError:
            yield host
            continue
        if address.is_unspecified and any_name:
            yield "*"  # it listens at every address of this machine, and nobody knows all their names
        yield f"[{host}]" if address.version == 6 else host
