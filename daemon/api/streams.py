"""Answers of any length: made piece by piece as the client reads, a few at a time."""

from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing
from typing import Final

import anyio
from anyio.to_thread import run_sync
from fastapi import Response
from starlette.types import Receive, Scope, Send

from daemon.api.errors import problem, problem_response
from daemon.api.security import IS_HEAD

BUSY_SECONDS: Final = 5
"""The Retry-After seconds when all places are taken."""

Pieces = AsyncGenerator[bytes, None]


class StreamPlaces:
    """How many answers may be sent at once. Used only by the server's one thread."""

    def __init__(self, number: int, what: str) -> None:
        self.number = number
        self.what = what
        self.taken = 0


class Stream(Response):
    """Pieces of bytes, the first of them made before the head is sent.

    An error until then is answered as a problem.

    A later error breaks the connection off, so that nobody takes half an answer for the whole.

    Args:
        begin: Makes the pieces; called once a place is free, in the server's thread.
        places: The places that these answers share.
    """

    def __init__(
        self,
        begin: Callable[[], Pieces],
        *,
        places: StreamPlaces,
        media_type: str,
        headers: Mapping[str, str],
    ) -> None:
        super().__init__(None, 200, headers, media_type)
        del self.headers["content-length"]
        self._begin = begin
        self._places = places

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope.get(IS_HEAD):
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await send({"type": "http.response.body", "body": b""})
        elif self._places.taken >= self._places.number:
            await self._refuse()(scope, receive, send)
        else:
            self._places.taken += 1
            try:
                await self._answer(receive, send)
            finally:
                self._places.taken -= 1

    def _refuse(self) -> Response:
        what = f"{self._places.number} {self._places.what} are on their way already; ask again when one has ended."
        return problem_response(problem(503, what), {"Retry-After": str(BUSY_SECONDS)})

    async def _answer(self, receive: Receive, send: Send) -> None:
        """Send the pieces until they end or the client goes (the server reports that also when it stops)."""
        failures: list[Exception] = []

        async def answer() -> None:
            try:
                async with aclosing(self._begin()) as pieces:
                    await self._send(pieces, send)
            except Exception as error:  # noqa: BLE001 - raised below: the group would wrap it
                failures.append(error)
            group.cancel_scope.cancel()

        async with anyio.create_task_group() as group:
            group.start_soon(answer)
            while (await receive())["type"] != "http.disconnect":
                pass
            group.cancel_scope.cancel()
        if failures:
            raise failures[0]

    async def _send(self, pieces: Pieces, send: Send) -> None:
        first = await anext(pieces, b"")
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": first, "more_body": True})
        async for piece in pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def in_threads(pieces: Iterator[bytes]) -> Pieces:
    """Pieces made by blocking work, each in a thread when it is its turn."""
    while (piece := await run_sync(next, pieces, None)) is not None:
        yield piece
