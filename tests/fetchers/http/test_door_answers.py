"""The door: what comes in, and what is asked again."""

import json
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
import stamina.instrumentation

from fetchers.errors import (
    BadAnswer,
    Blocked,
    FetchError,
    Incomplete,
    RateLimited,
    SiteDown,
    SiteUnreachable,
)
from tests.fetchers.http_doubles import HALF, Recorder, answers, door


class TestTries:
    """What is asked again, and what is not."""

    @pytest.mark.parametrize(
        "fault",
        [
            lambda: httpx.ConnectError("refused"),
            lambda: httpx.ConnectTimeout("slow"),
            lambda: httpx.ReadTimeout("slow"),
            lambda: httpx.RemoteProtocolError("hung up"),
            lambda: httpx.Response(500),
            lambda: httpx.Response(502),
            lambda: httpx.Response(200, headers={"Content-Encoding": "gzip"}, stream=httpx.ByteStream(HALF)),
        ],
        ids=["refused", "connect time-out", "read time-out", "hung up", "500", "502", "half a body"],
    )
    def test_what_passes_is_asked_again(self, fault: Callable[[], httpx.Response | Exception]) -> None:
        """A fault of the moment costs another try."""
        site = answers(fault(), fault(), httpx.Response(200, json=[1]))

        assert door(site).json("x") == [1]

    def test_three_times_at_most(self) -> None:
        """Then the daemon decides."""
        site = Recorder(lambda _: httpx.Response(503))

        with pytest.raises(SiteDown):
            door(site).json("x")
        assert len(site.requests) == 3

    @pytest.mark.parametrize(
        ("response", "error"),
        [
            (httpx.Response(429), RateLimited),
            (httpx.Response(503, headers={"Retry-After": "600"}), SiteDown),
            (httpx.Response(403), Blocked),
            (httpx.Response(200, content=b"not json"), BadAnswer),
        ],
    )
    def test_what_waiting_cannot_mend_is_not(self, response: httpx.Response, error: type[FetchError]) -> None:
        """Nor what a site has ordered to wait for."""
        site = answers(response)

        with pytest.raises(error):
            door(site).json("x")

    def test_a_stream_is_asked_for_once(self) -> None:
        """The slot of a stream that seems not to begin may still be taken."""
        site = Recorder(lambda _: httpx.Response(502))

        with pytest.raises(SiteDown), door(site).stream("x"):
            pytest.fail("there is no answer")
        assert len(site.requests) == 1

    def test_nobody_logs_our_retries(self) -> None:
        """The hook that stamina installs would log what it was called with."""
        assert list(stamina.instrumentation.get_on_retry_hooks()) == []


class TestBodies:
    """What comes in."""

    def test_every_answer_is_closed(self) -> None:
        """Good, refused, redirected, given up in the middle: no connection stays open."""
        bodies: list[Any] = []

        class Body(httpx.SyncByteStream):
            def __init__(self, data: bytes) -> None:
                self.data = data
                self.closed = False
                bodies.append(self)

            def __iter__(self) -> Iterator[bytes]:
                yield from (self.data, b"more")

            def close(self) -> None:
                self.closed = True

        def handle(request: httpx.Request) -> httpx.Response:
            status = int(request.url.path.rpartition("/")[2])
            return httpx.Response(status, headers={"Location": "/pub/200"}, stream=Body(b"[]"))

        asking = door(handle)
        for status in (200, 301, 403, 404, 429, 500, 418):
            with pytest.raises(FetchError):
                asking.json(str(status))
        with asking.stream("200") as answer:
            next(answer.chunks)

        assert len(bodies) > 8
        assert all(body.closed for body in bodies)

    def test_a_page_instead_of_data(self) -> None:
        """A captive portal answers everything with 200."""
        site = answers(httpx.Response(200, html="<html>Welcome to the hotel</html>"))

        with pytest.raises(BadAnswer, match="web page"):
            door(site).json("x")

    def test_content_types_are_not_compared(self) -> None:
        """`…; charset=utf-8; charset=utf-8` is JSON as well (sites trap 68)."""
        headers = {"Content-Type": "application/json; charset=utf-8; charset=utf-8"}

        assert door(answers(httpx.Response(200, headers=headers, content=b"{}"))).json("x") == {}

    def test_a_body_beyond_the_bound(self) -> None:
        """It is not read to its end."""
        with pytest.raises(BadAnswer, match="longer than 1000"):
            door(answers(httpx.Response(200, content=b" " * 5000)), answer_bytes=1000).json("x")

    def test_an_error_in_the_middle_is_incomplete(self) -> None:
        """What came before it has been handed on."""

        class Breaking(httpx.SyncByteStream):
            def __iter__(self) -> Iterator[bytes]:
                yield b"one\ntw"
                raise httpx.ReadError("connection reset")

        with door(answers(httpx.Response(200, stream=Breaking()))).stream("x") as answer:
            lines = answer.lines()

            assert next(lines) == b"one\n"
            with pytest.raises(Incomplete, match="reset"):
                next(lines)

    def test_a_month_is_read_in_little_memory(self) -> None:
        """A month of ten thousand games takes far less memory than its JSON."""
        game = {"pgn": "1. e4 {[%clk 0:10:00]} " * 150, "white": {"username": "mrossi90"}}
        body = json.dumps({"games": [game] * 10_000}).encode()

        class Slowly(httpx.SyncByteStream):
            def __iter__(self) -> Iterator[bytes]:
                for at in range(0, len(body), 1 << 16):
                    yield body[at : at + (1 << 16)]

        asking = door(answers(httpx.Response(200, stream=Slowly())))
        tracemalloc.start()
        try:
            with asking.ask("x") as answer:
                count = sum(1 for _ in answer.items("games"))
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

        assert count == 10_000
        assert len(body) > 30 << 20
        assert peak < 4 << 20

    def test_unreachable_names_the_host(self) -> None:
        """The message is for the user."""
        with pytest.raises(SiteUnreachable, match=r"site\.example: no route"):
            door(answers(*[httpx.ConnectError("no route")] * 3)).json("x")


@pytest.mark.parametrize("size", [5 << 20, 57 << 20])
def test_a_record_of_megabytes_costs_no_memory(size: int) -> None:
    """As JSON it would take thirty times its size: it is refused before it is read as such."""
    body = b"[" + b"{}," * (size // 3) + b"{}]"
    site = door(lambda _: httpx.Response(200, stream=httpx.ByteStream(body)))

    tracemalloc.start()
    try:
        with pytest.raises(BadAnswer, match="longer than"):
            site.json("player/mrossi90")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < 16 << 20
