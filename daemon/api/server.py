"""The server under the API: uvicorn in a thread of its own, on sockets that we bind, with deadlines.

uvicorn's default parser takes headers without end and waits for slow clients for ever; `DeadlineProtocol` does not.
"""

import asyncio
import resource
import socket
import threading
import time
from contextlib import suppress
from email.utils import formatdate
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp
from uvicorn.server import ServerState

from daemon.api.protocol import STOP_SECONDS, DeadlineProtocol
from daemon.api.sockets import BACKLOG, ListenError, bind
from daemon.config.values import Listen
from daemon.logs import get_logger

log = get_logger(__name__)

MAX_HEAD: Final = 16384

MOST_FILES: Final = 4096
"""The number of open files that the process asks for, if it may have so many: 1,024 are soon taken."""


class _State(ServerState):
    """What uvicorn's connections share; it dates an answer when it is sent."""

    def __init__(self) -> None:
        self._dated = 0
        self._headers: list[tuple[bytes, bytes]] = []
        super().__init__()

    @property
    def default_headers(self) -> list[tuple[bytes, bytes]]:
        """The headers of every answer, with the time now."""
        now = int(time.time())
        if now != self._dated:
            self._headers = [(b"date", formatdate(now, usegmt=True).encode())]
            self._dated = now
        return self._headers

    @default_headers.setter
    def default_headers(self, _: list[tuple[bytes, bytes]]) -> None:
        """Uvicorn begins with none."""


class _Uvicorn(uvicorn.Server):
    """A uvicorn server that reports when it listens, and sleeps until there is something to do.

    uvicorn's own looks ten times a second whether it is to end, and makes the date of all answers: more than half of
    what a daemon costs that has nothing to do.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.server_state = _State()
        self.listening = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopped = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and report it."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        self.listening.set()

    async def main_loop(self) -> None:
        """Serve until `stop` is called."""
        await self._stopped.wait()
        await asyncio.sleep(0)  # a connection that has come just now gets its protocol, else nobody closes it

    def stop(self) -> None:
        """Let it end, from any thread; it may have ended."""
        self.should_exit = True
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._stopped.set)


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
            backlog=BACKLOG,
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
        _allow_more_files()
        self._sockets = bind(self._listen, has_token=self._has_token)
        self._addresses = [bound.getsockname() for bound in self._sockets]
        self._thread.start()
        self._uvicorn.listening.wait()
        if self._failure is not None:
            raise ListenError(f"the API did not start: {self._failure}") from self._failure
        log.info("the API answers", address=str(self._listen))

    def stop(self) -> None:
        """Answer what has been asked, for some seconds at most, and close. May be called twice."""
        self._uvicorn.stop()
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS * 2)
        if self._listen.socket is not None:
            self._listen.socket.unlink(missing_ok=True)

    def _run(self) -> None:
        try:
            self._uvicorn.run(self._sockets)
        except BaseException as error:
            # A thread has nobody above it: start() raises it, and the log has the rest.
            self._failure = error
            log.exception("the API stopped")
        finally:
            self._uvicorn.listening.set()


def _allow_more_files() -> None:
    """Raise the limit of open files as far as allowed, so that idle clients do not block the archive."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
