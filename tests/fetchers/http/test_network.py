"""The network below httpx: over real sockets, through a real proxy."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import httpx
import pytest

from fetchers.errors import FetchError, Incomplete, SiteUnreachable
from fetchers.http.deadlines import AnswerPace, Patience
from fetchers.http.door import Door
from fetchers.http.network import PacedTransport
from fetchers.http.network_errors import outage
from fetchers.http.responses import AnswerLimits

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"


@contextmanager
def listening(
    answer: bytes, *, open_until: threading.Event | None = None
) -> Iterator[tuple[int, list[bytes]]]:
    """A server that sends *answer* and closes: its port, and what it is sent."""
    heard: list[bytes] = []
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                heard.append(connection.recv(65536))
                connection.sendall(answer)
                if open_until is not None:
                    open_until.wait(60)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield server.getsockname()[1], heard
        finally:
            if open_until is not None:
                open_until.set()
            thread.join()


def door(base_url: str, **limits: Any) -> Door:
    """A door to the network that asks once."""
    return Door(base_url, user_agent="gamekeeper/test", limits=AnswerLimits(tries=1, **limits))  # type: ignore[arg-type]


def test_a_proxy_of_the_environment_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is shown the whole address, and its own name and password, which are in its URL."""
    with listening(OK) as (port, heard):
        monkeypatch.setenv("http_proxy", f"http://mrossi90:s%20ecret@127.0.0.1:{port}")
        with closing(door("http://site.example/pub")) as asked:
            assert asked.json("x", params={"n": "1"}) == []
    [request] = heard
    assert request.startswith(b"GET http://site.example/pub/x?n=1 HTTP/1.1\r\nHost: site.example\r\n")
    assert b"Proxy-Authorization: Basic bXJvc3NpOTA6cyBlY3JldA==\r\n" in request


def test_a_proxy_that_refuses_to_connect(monkeypatch: pytest.MonkeyPatch) -> None:
    """A site with encryption is asked through a tunnel; that the proxy opens none is said."""
    with listening(b"HTTP/1.1 407 Who are you\r\nContent-Length: 0\r\n\r\n") as (port, heard):
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{port}")
        with (
            closing(door("https://site.example")) as asked,
            pytest.raises(SiteUnreachable, match="407 Who are you"),
        ):
            asked.json("x")
    assert heard[0].startswith(b"CONNECT site.example:443 HTTP/1.1\r\n")


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:9", "ftp://127.0.0.1"])
def test_other_proxies(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    """A proxy of another kind is refused before anything is asked."""
    monkeypatch.setenv("all_proxy", proxy)
    with pytest.raises(ValueError, match="proxy"):
        door("http://site.example")


def test_reads_keep_to_the_pace() -> None:
    """A site that is silent in the middle of an answer is not waited for longer than our patience."""
    answer = Patience(silence_s=0.05)
    with (
        listening(OK[:-1], open_until=threading.Event()) as (port, _),
        closing(door(f"http://127.0.0.1:{port}", answer=answer)) as asked,
        pytest.raises(FetchError, match=r"no byte for 0\.05 s"),
    ):
        asked.json("x")


@pytest.mark.parametrize(
    ("answer", "kind"),
    [(b"", SiteUnreachable), (b"SSH-2.0\r\n", SiteUnreachable), (OK[:-1], Incomplete)],
)
def test_what_is_not_an_answer(answer: bytes, kind: type[FetchError]) -> None:
    """Nothing, another protocol, and half an answer are errors of the network."""
    with (
        listening(answer) as (port, _),
        closing(door(f"http://127.0.0.1:{port}")) as asked,
        pytest.raises(kind),
    ):
        asked.json("x")


def test_errors_are_those_of_httpx() -> None:
    """What it is in the system's words is its cause."""
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    transport = PacedTransport(AnswerPace(lambda: 0.0, lambda: False))
    with httpx.Client(transport=transport) as client, pytest.raises(httpx.TransportError) as raised:
        client.get(f"http://127.0.0.1:{port}")
    assert outage(raised.value) == "the connection is refused"
