"""Doors to sites without a network, which answer as they are told to."""

import gzip
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import httpx

from fetchers.http.door import Door
from fetchers.http.responses import AnswerLimits

NOW = datetime(2026, 11, 30, tzinfo=UTC)
HALF = gzip.compress(b"[1]")[:-3]
Handler = Callable[[httpx.Request], httpx.Response]


class Recorder:
    """A transport that keeps the requests."""

    def __init__(self, handler: Handler) -> None:
        self.requests: list[httpx.Request] = []
        self._handler = handler

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return self._handler(request)


def door(
    handler: Handler, *, base_url: str = "https://site.example/pub/", token: str | None = None, **limits: Any
) -> Door:
    return Door(
        base_url,
        user_agent="gamekeeper/test",
        token=token,
        transport=httpx.MockTransport(handler),
        limits=AnswerLimits(retry_wait_s=0, **limits),
        today=lambda: NOW,
    )


def answers(*responses: httpx.Response | Exception) -> Recorder:
    """One answer after the other."""
    queue = iter(responses)

    def handle(_: httpx.Request) -> httpx.Response:
        response = next(queue)
        if isinstance(response, Exception):
            raise response
        return response

    return Recorder(handle)


def redirect(location: str, status: int = 301) -> httpx.Response:
    return httpx.Response(status, headers={"Location": location})
