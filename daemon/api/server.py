"""The server under the API: uvicorn in a thread of its own, on sockets that we bind, with deadlines.

uvicorn's default parser takes headers without end and waits for slow clients for ever; h11 with a deadline does not.
"""

import asyncio
import socket
import sys
import threading
from typing import Any, Final

import h11
import structlog
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from daemon.api.errors import PROBLEM_JSON, problem_bytes
from daemon.api.listening import ListenError, bind
from daemon.api.security import HEADERS
from daemon.config.values import Listen

log = structlog.get_logger(__name__)

REQUEST_SECONDS: Final = 10.0
"""How long a client may take to send a whole request."""

READING_SECONDS: Final = 60.0
"""How long a client may leave an answer unread."""

MAX_HEAD: Final = 16384
STOP_SECONDS: Final = 5
GIVE_UP_SECONDS: Final = STOP_SECONDS - 1
"""How long an answer may go on when the server stops: then its connection is closed, so that nothing has to be killed."""


class DeadlineProtocol(H11Protocol):
    """h11 that closes a connection whose request does not arrive, or whose answer is not read, in time."""

    request_seconds = REQUEST_SECONDS
    reading_seconds = READING_SECONDS
    _request_deadline: asyncio.TimerHandle | None = None
    _reading_deadline: asyncio.TimerHandle | None = None
    _last_deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's own
        """Start the first deadline."""
        super().connection_made(transport)
        self._await_request()

    def data_received(self, data: bytes) -> None:
        """A request, or a piece of one: the deadline runs from its first byte to its last."""
        self._await_request()
        super().data_received(data)
        if self.conn.their_state not in {h11.IDLE, h11.SEND_BODY}:
            self._request_came()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the deadlines."""
        self._request_came()
        self._answer_read()
        if self._last_deadline is not None:
            self._last_deadline.cancel()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """The server stops: the answer that is on its way may end, soon."""
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
        """Refuse what is no HTTP with a problem; h11 knows which status fits (431 for a head too large)."""
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


class _Uvicorn(uvicorn.Server):
    """uvicorn that says when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say so."""
        await super().startup(sockets)
        self.listening.set()


class Server:
    """The API on one or more sockets, in a thread: the main thread keeps the signals."""

    def __init__(
        self,
        app: ASGIApp,
        listen: Listen,
        *,
        has_token: bool = False,
        protocol: type[DeadlineProtocol] = DeadlineProtocol,
    ) -> None:
        self._listen = listen
        self._has_token = has_token
        self._sockets: list[socket.socket] = []
        self._addresses: list[Any] = []
        config = uvicorn.Config(
            app,
            http=protocol,
            ws="none",
            lifespan="off",
            loop="asyncio",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            h11_max_incomplete_event_size=MAX_HEAD,
            timeout_graceful_shutdown=STOP_SECONDS,
        )
        self._uvicorn = _Uvicorn(config)
        self._thread = threading.Thread(target=self._run, name="api", daemon=True)
        self._failure: BaseException | None = None

    @property
    def addresses(self) -> list[Any]:
        """Where it listens: (host, port, …) or the path of the Unix socket."""
        return list(self._addresses)

    def start(self) -> None:
        """Bind, and return when requests are answered.

        Raises:
            ListenError: the address cannot be used.
        """
        self._sockets = bind(self._listen, has_token=self._has_token)
        self._addresses = [bound.getsockname() for bound in self._sockets]
        self._thread.start()
        self._uvicorn.listening.wait()
        if self._failure is not None:
            raise ListenError(f"the API does not start: {self._failure}") from self._failure
        log.info("the API answers", address=str(self._listen))

    def stop(self) -> None:
        """Answer what has been asked, for some seconds at most, and close. May be called twice."""
        self._uvicorn.should_exit = True
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS * 2)
        if self._listen.socket is not None:
            self._listen.socket.unlink(missing_ok=True)

    def _run(self) -> None:
        try:
            self._uvicorn.run(self._sockets)
        except BaseException as error:
            # A thread has nobody above it: who waits in start() is told, and the log has the rest.
            self._failure = error
            log.exception("the API stopped")
        finally:
            self._uvicorn.listening.set()
