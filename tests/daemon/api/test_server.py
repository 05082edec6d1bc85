"""The API over real sockets: where it listens, and what hostile clients get."""

import asyncio
import http.client
import json
import os
import resource
import socket
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from email.utils import parsedate_to_datetime
from pathlib import Path

import psutil
import pytest
import structlog
from fastapi import FastAPI

from daemon.api.protocol import MOST_CONNECTIONS, DeadlineProtocol
from daemon.api.server import MAX_HEAD, Server
from daemon.api.sockets import ListenError
from daemon.config.values import Listen

Address = tuple[str, int]


@pytest.fixture
def where(sqlite_path: Path) -> str:
    """Only on SQLite: the server does not know the database."""
    return str(sqlite_path)


class Impatient(DeadlineProtocol):
    """The same deadlines, short enough for a test."""

    request_seconds = 0.3
    reading_seconds = 0.3


@contextmanager
def serving(
    app: FastAPI, listen: Listen, protocol: type[DeadlineProtocol] = DeadlineProtocol
) -> Iterator[Server]:
    server = Server(app, listen, protocol=protocol)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def address(app: FastAPI) -> Iterator[Address]:
    """The API on a free port of 127.0.0.1."""
    with serving(app, Listen("127.0.0.1", 0)) as server:
        yield server.addresses[0]


@pytest.fixture
def impatient(app: FastAPI) -> Iterator[Address]:
    """The same with short deadlines."""
    with serving(app, Listen("127.0.0.1", 0), Impatient) as server:
        yield server.addresses[0]


def ask(address: Address, path: str = "/api/v1/health", method: str = "GET") -> tuple[int, bytes]:
    with closing(http.client.HTTPConnection(*address[:2], timeout=30)) as connection:
        connection.request(method, path)
        answer = connection.getresponse()
        return answer.status, answer.read()


def exchange(address: Address, request: bytes) -> bytes:
    """All that comes back until the server closes."""
    with socket.create_connection(address, timeout=30) as connection:
        with suppress(BrokenPipeError, ConnectionResetError):  # it may have answered and closed already
            connection.sendall(request)
        return read_all(connection)


def read_all(connection: socket.socket) -> bytes:
    received = b""
    with suppress(ConnectionResetError):  # the server threw the rest away
        while block := connection.recv(65536):
            received += block
    return received


def test_answers(address: Address) -> None:
    """A request over a real connection is answered; the server does not say what it is."""
    assert ask(address) == (200, b'{"status":"ok","version":"1.2.3"}')
    raw = exchange(address, b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert b"server:" not in raw.lower()
    assert raw.startswith(b"HTTP/1.1 200")


def date_of(connection: http.client.HTTPConnection) -> str:
    connection.request("GET", "/api/v1/health")
    answer = connection.getresponse()
    answer.read()
    return answer.headers["Date"]


def test_answers_are_dated_when_they_are_sent(address: Address) -> None:
    """The Date is that of the answer, also on a connection that is kept: nothing ticks to set it."""
    with closing(http.client.HTTPConnection(*address[:2], timeout=30)) as connection:
        before = int(time.time())
        first = date_of(connection)
        while (second := date_of(connection)) == first:
            time.sleep(0.05)
        dates = [parsedate_to_datetime(text).timestamp() for text in (first, second)]
        assert before <= dates[0] < dates[1] <= time.time()


def test_a_server_at_rest_waits_for_clients_alone(app: FastAPI) -> None:
    """No timer runs while nobody asks: uvicorn's own would wake the process ten times a second."""
    loops: list[asyncio.AbstractEventLoop] = []

    async def noticed() -> None:
        loops.append(asyncio.get_running_loop())

    app.add_api_route("/noticed", noticed)
    end = time.monotonic() + 30
    with serving(app, Listen("127.0.0.1", 0)) as server:
        assert ask(server.addresses[0], "/noticed")[0] == 200
        while running := [one for one in loops[0]._scheduled if not one.cancelled()]:  # type: ignore[attr-defined]
            assert time.monotonic() < end, running
            time.sleep(0.01)  # those of the connection that was closed end with it


def test_head_has_no_body(address: Address) -> None:
    """HEAD tells the length of the body and sends none of it."""
    raw = exchange(address, b"HEAD /api/v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    head, _, body = raw.partition(b"\r\n\r\n")
    assert b"content-length: 33" in head.lower()
    assert body == b""


def test_two_requests_on_one_connection(address: Address) -> None:
    """A connection is kept, and pipelined requests are all answered."""
    one = b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    last = b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert exchange(address, one + one + last).count(b"HTTP/1.1 200") == 3


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 400),
        (b"GET /api/v1/health HTTP/1.1\r\n\r\n", 400),
        (b"nonsense\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 64 * MAX_HEAD + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: a\r\n" * 200_000 + b"\r\n", 431),
        (b"GET /" + b"a" * 64 * MAX_HEAD + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 431),
    ],
)
def test_what_is_no_request(address: Address, request_bytes: bytes, status: int) -> None:
    """What is not HTTP, or too much of it, is refused with a problem, and the next client is served."""
    head, _, body = exchange(address, request_bytes).partition(b"\r\n\r\n")
    if head:  # a client that is still sending may find the connection reset before it reads
        assert head.startswith(b"HTTP/1.1 %d " % status)
        assert b"application/problem+json" in head
        assert b"nosniff" in head
        assert json.loads(body)["status"] == status
    assert ask(address)[0] == 200


def test_a_smuggled_request_is_not_answered(address: Address) -> None:
    """With Content-Length and chunks at once, what follows is not taken for a second request."""
    raw = exchange(
        address,
        b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"0\r\n\r\nGET /api/v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n",
    )
    assert b'"items"' not in raw


def test_memory_under_a_huge_head(address: Address) -> None:
    """A head of 64 MB takes no memory to speak of."""
    ask(address)
    process = psutil.Process()
    before = process.memory_info().rss
    with socket.create_connection(address, timeout=30) as connection, pytest.raises(OSError):  # noqa: PT012 - any send may be the last
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        for _ in range(1000):
            connection.sendall(b"X: " + b"a" * 65536 + b"\r\n")
            time.sleep(0)
        read_all(connection)
        raise ConnectionResetError
    assert process.memory_info().rss - before < 32 << 20


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET /api/v1/health HTTP/1.1\r\nHost: local",
        b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc",
    ],
)
def test_a_request_that_never_ends(impatient: Address, begun: bytes) -> None:
    """A client that sends nothing, or not all of it, is left."""
    with socket.create_connection(impatient, timeout=30) as connection:
        connection.sendall(begun)
        received = read_all(connection)
    assert received == b"" or begun.endswith(b"abc")


def test_a_request_that_drips(impatient: Address) -> None:
    """The deadline is the whole request's: a byte now and then does not keep the connection."""
    with socket.create_connection(impatient, timeout=30) as connection:
        with pytest.raises(OSError):  # noqa: PT012 - whichever byte is the last
            for _ in range(1000):
                connection.sendall(b"X")
                time.sleep(0.02)
        assert read_all(connection) == b""


def test_slow_clients_keep_nobody_waiting(impatient: Address) -> None:
    """Two hundred clients that never finish do not keep another one from its answer, and are left soon."""
    slow = [socket.create_connection(impatient, timeout=30) for _ in range(200)]
    try:
        for connection in slow:
            connection.sendall(b"GET / HTTP/1.1\r\nX-")
        assert ask(impatient)[0] == 200
        assert [read_all(connection) for connection in slow] == [b""] * 200
    finally:
        for connection in slow:
            connection.close()


def test_an_answer_that_nobody_reads(app: FastAPI) -> None:
    """A client that does not read its answer is left, and its answer with it."""
    from fastapi import Response

    app.add_api_route("/large", lambda: Response(b"a" * (64 << 20)))
    with (
        serving(app, Listen("127.0.0.1", 0), Impatient) as server,
        socket.create_connection(server.addresses[0], timeout=30) as connection,
    ):
        connection.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(1)
        assert len(read_all(connection)) < 64 << 20


def test_answers_are_not_held_up(app: FastAPI) -> None:
    """Nagle's algorithm is off: it would hold up the body of every answer until the client has confirmed the head."""
    nodelay: list[int] = []

    class Looking(DeadlineProtocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's own
            super().connection_made(transport)
            connection = transport.get_extra_info("socket")
            nodelay.append(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    with serving(app, Listen("localhost", 0), Looking) as server:
        for address in server.addresses:
            ask(address)
        assert nodelay == [1] * len(server.addresses)


def test_unix_socket(app: FastAPI, tmp_path: Path) -> None:
    """A Unix socket is open to its owner and group, and gone when the server stops; the mask is as before."""
    path = tmp_path / "api.sock"
    mask = os.umask(0o022)
    try:
        with serving(app, Listen(socket=path)):
            assert stat.S_IMODE(path.stat().st_mode) == 0o660
            with closing(socket.socket(socket.AF_UNIX)) as connection:
                connection.settimeout(30)
                connection.connect(str(path))
                connection.sendall(
                    b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                )
                assert b'"status":"ok"' in read_all(connection)
        assert not path.exists()
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(mask)


def test_a_socket_left_behind(app: FastAPI, tmp_path: Path) -> None:
    """The socket of a daemon that was killed is replaced; one that answers, or another file, is not."""
    path = tmp_path / "api.sock"
    with closing(socket.socket(socket.AF_UNIX)) as old_socket:
        old_socket.bind(str(path))
    with serving(app, Listen(socket=path)), pytest.raises(ListenError, match="another program"):
        Server(app, Listen(socket=path)).start()
    path.write_text("mine")
    with pytest.raises(ListenError, match="something else"):
        Server(app, Listen(socket=path)).start()
    assert path.read_text() == "mine"


def test_a_port_that_is_taken(app: FastAPI, address: Address) -> None:
    """A port that another program has is told in a sentence."""
    with pytest.raises(ListenError, match=f"cannot listen at 127.0.0.1:{address[1]}"):
        Server(app, Listen("127.0.0.1", address[1])).start()


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::"])
def test_beyond_this_machine(app: FastAPI, host: str) -> None:
    """Where others could reach it, it does not start without a token."""
    with pytest.raises(ListenError, match="needs a token"):
        Server(app, Listen(host, 0)).start()


def test_localhost_is_both_protocols(app: FastAPI) -> None:
    """The name localhost is IPv4 and, where the machine has it, IPv6, on one port."""
    with serving(app, Listen("localhost", 0)) as server:
        assert len({address[1] for address in server.addresses}) == 1
        assert server.addresses[0][0] == "127.0.0.1"
        assert [ask(address)[0] for address in server.addresses] == [200] * len(server.addresses)


def test_stop_answers_what_was_asked(app: FastAPI) -> None:
    """A request that is being answered when the server stops gets its answer; then the port is free."""
    begun, release = threading.Event(), threading.Event()

    def slow() -> dict[str, str]:
        begun.set()
        release.wait(10)
        return {"late": "but here"}

    app.add_api_route("/slow", slow)
    server = Server(app, Listen("127.0.0.1", 0))
    server.start()
    address = server.addresses[0]
    answers: list[tuple[int, bytes]] = []
    client = threading.Thread(target=lambda: answers.append(ask(address, "/slow")))
    client.start()
    assert begun.wait(10)
    stopping = threading.Thread(target=server.stop)
    stopping.start()
    release.set()
    client.join(10)
    stopping.join(20)
    server.stop()
    assert answers == [(200, b'{"late":"but here"}')]
    with pytest.raises(ConnectionRefusedError):
        ask(address)
    assert not [thread for thread in threading.enumerate() if thread.name == "api"]


def test_hundreds_of_idle_connections(app: FastAPI) -> None:
    """The longest idle make room, never one that is being answered: who asks is answered, and the log says it once."""
    going_on, begun = threading.Event(), threading.Event()

    def slow() -> dict[str, bool]:
        begun.set()
        return {"whole": going_on.wait(30)}

    app.add_api_route("/slow", slow)
    with (
        serving(app, Listen("127.0.0.1", 0)) as server,
        structlog.testing.capture_logs() as logs,
        ExitStack() as idle,
    ):
        address = server.addresses[0]
        asked = idle.enter_context(socket.create_connection(address, timeout=30))
        asked.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert begun.wait(30)
        for _ in range(MOST_CONNECTIONS + 100):
            idle.enter_context(socket.create_connection(address, timeout=30))
        assert ask(address)[0] == 200
        assert len(server._uvicorn.server_state.connections) <= MOST_CONNECTIONS
        going_on.set()
        assert read_all(asked).endswith(b'{"whole":true}')
    assert len([one for one in logs if "too many connections" in one["event"]]) <= 1


def test_who_pipelines_without_end_is_cut_off(address: Address) -> None:
    """After a few requests before their answers the connection ends: the others are not kept waiting."""
    one = b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    assert 3 <= exchange(address, one * 2000).count(b"HTTP/1.1 200") <= 10


@pytest.mark.parametrize("framing", [b"Content-Length: 1000000000", b"Transfer-Encoding: chunked"])
def test_bodies_are_not_swallowed(address: Address, framing: bytes) -> None:
    """A body that nothing reads is not taken from the client: the answer goes out, and the connection ends."""
    sent = 0
    with socket.create_connection(address, timeout=30) as connection:
        connection.sendall(b"POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\n" + framing + b"\r\n\r\n")
        block = b"10000\r\n" + b"a" * 65536 + b"\r\n" if framing.startswith(b"Transfer") else b"a" * 65536
        with suppress(BrokenPipeError, ConnectionResetError):
            while sent < 200 << 20:
                sent += connection.send(block)
    assert sent < 50 << 20


def test_a_body_that_was_sent_whole(address: Address) -> None:
    """A client that sends a small body gets the answer, on a connection that goes on."""
    with closing(http.client.HTTPConnection(*address[:2], timeout=30)) as connection:
        for _ in range(2):
            connection.request("POST", "/api/v1/games", body=b"{}")
            answer = connection.getresponse()
            assert (answer.status, answer.read()[:1]) == (405, b"{")


def test_more_files_are_allowed(address: Address) -> None:
    """The server asks for as many open files as it may have, up to some thousand."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert soft >= min(hard if hard != resource.RLIM_INFINITY else 4096, 4096)
