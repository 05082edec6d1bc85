"""The HTTP protocol under the API.

H11 with deadlines, and with limits for each client and for all together.
"""

import asyncio
import sys
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from daemon.api.errors import PROBLEM_JSON, problem_bytes
from daemon.api.security import HEADERS
from daemon.logs import get_logger

log = get_logger(__name__)

REQUEST_SECONDS: Final = 10.0
"""How long a client may take to send a whole request."""

READING_SECONDS: Final = 60.0
"""How long a client may leave an answer unread."""

STOP_SECONDS: Final = 5
GIVE_UP_SECONDS: Final = STOP_SECONDS - 1
"""How long an answer may go on when the server stops: then its connection is closed."""

MOST_CONNECTIONS: Final = 256
"""The most connections at once; the one that has been idle longest makes room for the next."""

MOST_PIPELINED: Final = 4
"""How many requests a client may send before it has the first answer.

Then its connection ends after the answer.
"""

MOST_BODY: Final = 65536
"""Bytes of a body that are read and thrown away, so that the client gets the answer."""

LOG_EVERY: Final = 60.0
"""Seconds between two log lines about too many connections."""


class _Crowd:
    """Logs now and then that there are too many connections."""

    def __init__(self) -> None:
        self._closed = 0
        self._not_before = 0.0

    def closed(self, now: float) -> None:
        """Note that one was closed for another; *now* is in seconds."""
        self._closed += 1
        if now >= self._not_before:
            log.warning(
                "too many connections to the API; idle ones are closed",
                most=MOST_CONNECTIONS,
                closed=self._closed,
            )
            self._not_before, self._closed = now + LOG_EVERY, 0


_crowd: Final = _Crowd()


class DeadlineProtocol(H11Protocol):
    """h11 that closes a connection whose request does not arrive, or whose answer is not read, in time."""

    request_seconds = REQUEST_SECONDS
    reading_seconds = READING_SECONDS
    _request_deadline: asyncio.TimerHandle | None = None
    _reading_deadline: asyncio.TimerHandle | None = None
    _last_deadline: asyncio.TimerHandle | None = None
    _pipelined = 0
    _body = 0
    _idle_since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's own
        """Start the first deadline."""
        super().connection_made(transport)
        self._idle_since = self.loop.time()
        self._await_request()
        if len(self.connections) > MOST_CONNECTIONS:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """Receive a request, or a part of one: the deadline runs from its first byte to its last."""
        self._await_request()
        super().data_received(data)
        self._count_body(data)
        if self.conn.their_state not in {h11.IDLE, h11.SEND_BODY}:
            self._request_came()

    def handle_events(self) -> None:
        """Begin to answer; a client that keeps asking before it has an answer is disconnected after that."""
        super().handle_events()
        if self._is_idle or self.transport.is_closing():
            return
        if self.conn.their_state is h11.DONE and self.conn.trailing_data[0]:
            self._pipelined += 1
            self.cycle.keep_alive = self.cycle.keep_alive and self._pipelined <= MOST_PIPELINED

    def _count_body(self, data: bytes) -> None:
        """Read no more than a small body, which no route uses: the connection ends with the answer."""
        if self.conn.their_state is not h11.SEND_BODY:
            self._body = 0
            return
        self._body += len(data)
        if self._body <= MOST_BODY or self.transport.is_closing():
            return
        if self._is_idle:
            self._give_up()
        else:
            self.cycle.keep_alive = False
            self.transport.pause_reading()

    def on_response_complete(self) -> None:
        """End the deadline: nobody waits for an answer now."""
        self._idle_since = self.loop.time()
        super().on_response_complete()

    @property
    def _is_idle(self) -> bool:
        # uvicorn has no cycle before the first request, whatever its annotation says.
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete

    def _make_room(self) -> None:
        """Close the connection that has been idle longest, or this one if all others are busy."""
        ours = (one for one in self.connections if isinstance(one, DeadlineProtocol))
        open_ones = [one for one in ours if not one.transport.is_closing()]  # others have had to go already
        if len(open_ones) > MOST_CONNECTIONS:
            idle = (one for one in open_ones if one._is_idle)  # noqa: SLF001 - of our own class
            min(idle, key=lambda one: one._idle_since)._give_up()  # noqa: SLF001 - as above
            _crowd.closed(self.loop.time())

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the deadlines."""
        self._request_came()
        self._answer_read()
        if self._last_deadline is not None:
            self._last_deadline.cancel()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """The server stops: an answer that is being sent may end, soon."""
        super().shutdown()
        self._last_deadline = self.loop.call_later(GIVE_UP_SECONDS, self._give_up)

    def pause_writing(self) -> None:
        """The client does not read: give it some time."""
        super().pause_writing()
        self._reading_deadline = self.loop.call_later(self.reading_seconds, self._give_up)

    def resume_writing(self) -> None:
        """The client reads again."""
        self._answer_read()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's signature
        """Answer what is not HTTP with a problem; h11 knows which status fits (431 for a head too large)."""
        status = getattr(sys.exception(), "error_status_hint", 400)
        if self.conn.our_state not in {h11.IDLE, h11.SEND_RESPONSE}:
            self._give_up()  # in the middle of another answer there is no way to say it
            return
        headers = [("Content-Type", PROBLEM_JSON), ("Connection", "close"), *HEADERS.items()]
        for event in (
            h11.Response(status_code=status, headers=headers),
            h11.Data(data=problem_bytes(status)),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _await_request(self) -> None:
        if self._request_deadline is None:
            self._request_deadline = self.loop.call_later(self.request_seconds, self._give_up)

    def _request_came(self) -> None:
        if self._request_deadline is not None:
            self._request_deadline.cancel()
            self._request_deadline = None

    def _answer_read(self) -> None:
        if self._reading_deadline is not None:
            self._reading_deadline.cancel()
            self._reading_deadline = None

    def _give_up(self) -> None:
        self.transport.abort()
