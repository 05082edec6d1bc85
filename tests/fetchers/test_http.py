"""The door: what goes out, what comes in, what is asked again."""

import gzip
import json
import tracemalloc
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import httpx
import pytest
import stamina.instrumentation
from hypothesis import given
from hypothesis import strategies as st

from fetchers.answers import Limits, Validators
from fetchers.errors import (
    BadAnswer,
    Blocked,
    FetchError,
    Gone,
    Incomplete,
    RateLimited,
    SiteDown,
    Unreachable,
)
from fetchers.http import Door, user_agent
from tests.fetchers.conftest import TOKEN

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
    handler: Handler, *, base_url: str = "https://site.example/pub/", token: str | None = None, **limits: int
) -> Door:
    return Door(
        base_url,
        user_agent="gamekeeper/test",
        token=token,
        transport=httpx.MockTransport(handler),
        limits=Limits(retry_wait_s=0, **limits),
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


class TestRequests:
    """What the sites see of us."""

    def test_paths_are_relative_to_the_base(self) -> None:
        """With or without slashes at the seam."""
        site = answers(httpx.Response(200, json=1), httpx.Response(200, json=2))
        with_slash, without = door(site), door(site, base_url="https://site.example/pub")

        with_slash.json("/player/x", params={"since": "1"})
        without.json("player/x")

        assert [str(r.url) for r in site.requests] == [
            "https://site.example/pub/player/x?since=1",
            "https://site.example/pub/player/x",
        ]

    def test_headers(self) -> None:
        """Who asks, for what, and with which token."""
        site = answers(httpx.Response(200, json=1))
        door(site, token=TOKEN).json("x")
        sent = site.requests[0].headers

        assert sent["user-agent"] == "gamekeeper/test"
        assert sent["accept"] == "application/json"
        assert sent["accept-encoding"] == "gzip"
        assert sent["authorization"] == f"Bearer {TOKEN}"

    def test_a_stream_wants_ndjson(self) -> None:
        """PGN would come to those who do not say so."""
        site = answers(httpx.Response(200, content=b""))
        with door(site).stream("x") as answer:
            assert list(answer.lines()) == []

        assert site.requests[0].headers["accept"] == "application/x-ndjson"

    def test_without_a_token_none_is_sent(self) -> None:
        """Blanks in a token file are none either."""
        site = answers(httpx.Response(200, json=1))
        door(site, token=" \n").json("x")

        assert "authorization" not in site.requests[0].headers

    @pytest.mark.parametrize("token", ["two words", "line\nbreak", "ключ", "\x00"])
    def test_a_token_that_cannot_be_one(self, token: str) -> None:
        """It is refused before an HTTP library could show it in a message."""
        with pytest.raises(ValueError, match="no token has") as caught:
            door(answers(), token=token)
        assert token not in str(caught.value)

    @pytest.mark.parametrize("base_url", ["lichess.org", "ftp://lichess.org", "https://", "http://[::1", ""])
    def test_an_address_that_is_none(self, base_url: str) -> None:
        """It is refused at once, with an error that a caller who knows no HTTP library can catch."""
        with pytest.raises(ValueError, match="no web address"):
            door(answers(), base_url=base_url)

    @given(st.text(), st.text(alphabet="0123456789.", min_size=1))
    def test_every_contact_makes_a_header(self, contact: str, version: str) -> None:
        """What has no place in a header is written in its percent form; line breaks cannot add headers."""
        header = user_agent(version, contact)

        assert header.startswith(f"gamekeeper/{version} (+contact: ")
        assert header.isascii()
        assert header.isprintable()

    def test_the_contact_stays_readable(self) -> None:
        """Mail and web addresses are as written."""
        assert (
            user_agent("1.2", "rossi+chess@example.org")
            == "gamekeeper/1.2 (+contact: rossi+chess@example.org)"
        )
        assert user_agent("1.2", "https://example.org/~rossi?x=1").endswith("https://example.org/~rossi?x=1)")


class TestValidators:
    """Asking only whether something has changed."""

    def test_are_sent_back_byte_for_byte(self) -> None:
        """Traps 29, 30: a weak ETag stays weak, a Last-Modified that is no HTTP date stays as odd as it is."""
        given_ = {"ETag": 'W/"59035ea2"', "Last-Modified": "Thursday, 17-Oct-2024 22:34:57 GMT+0000"}
        site = answers(httpx.Response(200, headers=given_, json={"games": []}), httpx.Response(304))
        asking = door(site)

        with asking.ask("x") as answer:
            validators = answer.validators
            assert answer.changed
        with asking.ask("x", validators=validators) as answer:
            assert not answer.changed

        assert site.requests[1].headers["if-none-match"] == given_["ETag"]
        assert site.requests[1].headers["if-modified-since"] == given_["Last-Modified"]

    def test_nothing_is_sent_where_nothing_was_given(self) -> None:
        """No empty header."""
        site = answers(httpx.Response(200, json={}))
        with door(site).ask("x", validators=Validators()):
            pass

        assert not {"if-none-match", "if-modified-since"} & set(site.requests[0].headers)

    def test_a_304_that_nobody_asked_for(self) -> None:
        """There is nothing that could be unchanged."""
        with pytest.raises(BadAnswer):
            door(answers(httpx.Response(304))).json("x")


class TestRedirects:
    """Within the host, and nowhere else."""

    @pytest.mark.parametrize("status", [301, 302, 307, 308])
    def test_are_followed_within_the_host(self, status: int) -> None:
        """By path or by whole address."""
        site = answers(
            redirect("/pub/b", status),
            redirect("https://site.example/pub/c", status),
            httpx.Response(200, json=7),
        )

        assert door(site).json("a") == 7
        assert [r.url.path for r in site.requests] == ["/pub/a", "/pub/b", "/pub/c"]

    @pytest.mark.parametrize(
        ("status", "asked"),
        [
            (301, ["/pub/a", "/pub/b", "/pub/b"]),
            (308, ["/pub/a", "/pub/b", "/pub/b"]),
            (302, ["/pub/a", "/pub/b", "/pub/a", "/pub/b"]),
        ],
    )
    def test_are_remembered_if_they_are_for_good(self, status: int, asked: list[str]) -> None:
        """Trap 53: the second time the new address is asked at once; after a temporary one the old."""
        site = Recorder(
            lambda r: redirect("/pub/b", status) if r.url.path == "/pub/a" else httpx.Response(200, json=1)
        )
        asking = door(site)
        asking.json("a")
        asking.json("a")

        assert [r.url.path for r in site.requests] == asked

    def test_are_forgotten_when_they_lead_nowhere(self) -> None:
        """What a site said by mistake once is not believed for ever."""
        site = answers(redirect("/pub/b"), httpx.Response(410), httpx.Response(200, json=1))
        asking = door(site)

        with pytest.raises(Gone):
            asking.json("a")
        assert asking.json("a") == 1
        assert [r.url.path for r in site.requests] == ["/pub/a", "/pub/b", "/pub/a"]

    @pytest.mark.parametrize(
        "target",
        [
            "http://169.254.169.254/latest/meta-data",
            "https://evil.example/pub/a",
            "https://site.example.evil.example/pub/a",
            "https://site.example:8443/pub/a",
            "http://site.example/pub/a",
            "https://user:secret@site.example/pub/a",
            "file:///etc/passwd",
            "//evil.example/pub/a",
            "https://[broken",
            "",
        ],
    )
    def test_lead_to_no_other_place(self, target: str) -> None:
        """CHOICES §6 fault 8: no other host, port or password, and never from https to http."""
        site = Recorder(lambda _: redirect(target, 302))

        with pytest.raises(BadAnswer):
            door(site, token=TOKEN).json("a")
        assert {r.url.host for r in site.requests} == {"site.example"}

    def test_may_lead_to_https(self) -> None:
        """From http to https on the same host is no harm."""
        site = Recorder(
            lambda r: (
                httpx.Response(200, json=1) if r.url.scheme == "https" else redirect("https://site.example/a")
            )
        )

        assert door(site, base_url="http://site.example").json("a") == 1

    def test_in_circles_end(self) -> None:
        """Also when they are remembered."""
        site = Recorder(lambda r: redirect("/pub/b" if r.url.path == "/pub/a" else "/pub/a"))
        asking = door(site)

        for _ in range(2):
            with pytest.raises(BadAnswer, match="circles"):
                asking.json("a")
        assert len(site.requests) <= 10


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
        bodies: list[httpx.SyncByteStream] = []

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
        """Trap 68: `…; charset=utf-8; charset=utf-8` is JSON as well."""
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
        with pytest.raises(Unreachable, match=r"site\.example: no route"):
            door(answers(*[httpx.ConnectError("no route")] * 3)).json("x")
