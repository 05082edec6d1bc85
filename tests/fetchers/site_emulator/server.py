"""One site as a real HTTP server on loopback, with a thread for each connection."""

import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Protocol

from tests.fetchers.site_emulator.answers import Answer, Asked, whole
from tests.fetchers.site_emulator.faults import Fault, Faults
from tests.fetchers.site_emulator.log import Entry, Log
from tests.fetchers.site_emulator.wire import Wire

_REPLACED = {"status", "rate_limit", "html", "redirect"}
_HTML = b"<!DOCTYPE html>\n<html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>\n"


Connection = socket.socket | tuple[bytes, socket.socket]
"""socketserver's type; the second form is for datagrams, which there are none of."""


class Site(Protocol):
    """The routes of one site."""

    def takes_slot(self, asked: Asked) -> bool:
        """Does this request count for the limit?"""
        ...

    def answer(self, asked: Asked) -> Answer:
        """The answer to one request."""
        ...


class SiteServer(ThreadingHTTPServer):
    """Serves one site until it is stopped; then closes all its connections and ends all its threads."""

    daemon_threads = False
    block_on_close = True
    request_queue_size = 64

    def __init__(
        self,
        name: str,
        port: int,
        site: Site,
        slots: int,
        too_many: Callable[[], Answer],
        log: Log,
        faults: Faults,
    ) -> None:
        self.name = name
        self.site = site
        self.slots = slots
        self.too_many = too_many
        self.log = log
        self.faults = faults
        self.replays: dict[str, Answer] = {}
        self.poison: set[bytes] = set()
        self.pace: float | None = None
        self.verbose = False
        self.errors: list[BaseException] = []
        self.stopping = Event()
        self.aborted: set[Connection] = set()
        self._open: set[Connection] = set()
        self._guard = Lock()
        super().__init__(("127.0.0.1", port), Handler)
        self._thread = Thread(
            target=self.serve_forever, kwargs={"poll_interval": 0.05}, name=f"emulated-{name}"
        )

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server_address[1])

    def start(self) -> None:
        """Begin to serve."""
        self._thread.start()

    def stop(self) -> None:
        """Close every connection, end every thread."""
        self.stopping.set()
        self.shutdown()
        self._thread.join()
        with self._guard:
            for connection in self._open:
                _shut(connection)
        self.server_close()

    def get_request(self) -> tuple[socket.socket, object]:
        """Accept a connection, and remember it."""
        connection, address = super().get_request()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self._guard:
            self._open.add(connection)
        return connection, address

    def shutdown_request(self, request: Connection) -> None:
        """Close a connection; with RST, if that was asked for."""
        if request in self.aborted:
            self.aborted.discard(request)
            self.close_request(request)
        else:
            super().shutdown_request(request)

    def close_request(self, request: Connection) -> None:
        """Close a connection, and forget it."""
        with self._guard:
            self._open.discard(request)
        super().close_request(request)

    def handle_error(self, request: object, client_address: object) -> None:
        """Keep an error of the emulator itself; `Emulator` raises it at its end."""
        error = sys.exception()
        if error is not None and not isinstance(error, ConnectionError):
            self.errors.append(error)


def _shut(connection: Connection) -> None:
    assert isinstance(connection, socket.socket), "see Connection"
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # the client was quicker


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server: SiteServer

    def do_GET(self) -> None:
        """Answer one request."""
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length else b""
        asked = Asked.of(self.command, self.path, self.headers.items(), body)
        entry, others = self.server.log.begin(self.server.name, asked, self.connection)
        try:
            self._answer(asked, entry, others)
        except ConnectionError:
            self.close_connection = True  # the client has gone: nothing to tell it
        finally:
            entry.end()

    do_POST = do_HEAD = do_GET  # noqa: N815 - the names that http.server looks for

    def _answer(self, asked: Asked, entry: Entry, others: list[Entry]) -> None:
        server = self.server
        wire = Wire(
            self.connection, server.stopping, gzip=_takes_gzip(asked), done=entry.end, clock=server.log.now
        )
        wire.pace = server.pace
        wire.close = self.close_connection
        busy = (
            server.site.takes_slot(asked)
            and sum(server.site.takes_slot(o.asked) for o in others) >= server.slots
        )
        fault = None if busy else server.faults.take(server.name, asked.path)
        answer = server.too_many() if busy else self._answer_to(asked, fault)
        if fault is None and server.poison and answer.status == HTTPStatus.OK:
            answer, fault = _poisoned(answer, server.poison)
        entry.status = answer.status
        if answer.status == 429:
            server.log.limited(server.name, asked, dict(answer.headers).get("Retry-After"))
        try:
            if fault is None or fault.kind in _REPLACED:
                wire.send(answer)
            else:
                wire.send_with(fault, answer)
        finally:
            self.close_connection = self.close_connection or wire.close
            if wire.abort:
                server.aborted.add(self.connection)

    def _answer_to(self, asked: Asked, fault: Fault | None) -> Answer:
        if fault is not None and fault.kind in _REPLACED:
            return _replacement(fault, self.server.too_many())
        return self.server.replays.get(asked.path) or self.server.site.answer(asked)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as in the base class
        """Nothing: the log is for asking."""


def _poisoned(answer: Answer, poison: set[bytes]) -> tuple[Answer, Fault | None]:
    """The answer as it can be told: it breaks off at the first game that cannot be written."""
    body = b"".join(answer.chunks)
    places = [place for place in map(body.find, poison) if place >= 0]
    fault = Fault(kind="cut", after=min(places)) if places else None
    return replace(answer, chunks=(body,)), fault


def _takes_gzip(asked: Asked) -> bool:
    return "gzip" in asked.header("accept-encoding")


def _replacement(fault: Fault, too_many: Answer) -> Answer:
    headers = dict(fault.headers)
    match fault.kind:
        case "rate_limit":
            wait = {} if fault.retry_after is None else {"Retry-After": fault.retry_after}
            body = fault.body or b"".join(too_many.chunks)
            return _answer(429, headers | wait, body, dict(too_many.headers)["Content-Type"])
        case "html":
            return _answer(fault.code or 200, headers, fault.body or _HTML, "text/html; charset=UTF-8")
        case "redirect":
            return _answer(fault.code or 302, headers | {"Location": fault.location}, fault.body, "text/html")
    return _answer(fault.code or 500, headers, fault.body, "application/json")


def _answer(status: int, headers: Mapping[str, str], body: bytes, content_type: str) -> Answer:
    rest = tuple((name, value) for name, value in headers.items() if name.lower() != "content-type")
    kind = next((value for name, value in headers.items() if name.lower() == "content-type"), content_type)
    return whole(status, kind, body, *rest)
