"""The door: what goes out."""

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fetchers.errors import (
    BadAnswer,
    Gone,
    NotFound,
)
from fetchers.http.door import Door
from fetchers.http.identity import user_agent
from fetchers.http.responses import AnswerLimits, Validators
from tests.fetchers.conftest import TOKEN
from tests.fetchers.http_doubles import Recorder, answers, door, redirect


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
        with pytest.raises(ValueError, match="no token may have") as caught:
            door(answers(), token=token)
        assert token not in str(caught.value)

    @pytest.mark.parametrize("base_url", ["lichess.org", "ftp://lichess.org", "https://", "http://[::1", ""])
    def test_an_address_that_is_none(self, base_url: str) -> None:
        """It is refused at once, with an error that a caller who knows no HTTP library can catch."""
        with pytest.raises(ValueError, match="not a web address"):
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
        """A weak ETag stays weak; a Last-Modified that is not an HTTP date stays as it is (sites traps 29, 30)."""
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
        """The second time the new address is asked at once; after a temporary one the old (sites trap 53)."""
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

    def test_what_was_remembered_and_is_gone_is_asked_for_at_its_old_place(self) -> None:
        """A move that was taken back does not cost a failure."""
        moved = answers(
            redirect("/pub/b"),
            httpx.Response(200, json=1),
            httpx.Response(404),
            httpx.Response(200, json=2),
        )
        asking = door(moved)

        assert (asking.json("a"), asking.json("a")) == (1, 2)
        assert [r.url.path for r in moved.requests] == ["/pub/a", "/pub/b", "/pub/b", "/pub/a"]

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
        """No other host, port or password, and never from https to http."""
        site = Recorder(lambda _: redirect(target, 302))

        with pytest.raises(BadAnswer):
            door(site, token=TOKEN).json("a")
        assert {r.url.host for r in site.requests} == {"site.example"}

    def test_may_lead_to_https(self) -> None:
        """From http to https on the same host does no harm."""
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
            with pytest.raises(BadAnswer, match="too many redirects"):
                asking.json("a")
        assert len(site.requests) <= 10


def test_every_request_is_counted() -> None:
    """Each answer by its status, each failure as none: redirects, and what is asked again, too."""
    site = answers(
        redirect("https://site.example/pub/y"),
        httpx.ConnectError("no network"),
        httpx.Response(200, json=1),
        httpx.Response(404),
    )
    counted: list[int | None] = []
    asked = Door(
        "https://site.example/pub",
        user_agent="gamekeeper/test",
        transport=httpx.MockTransport(site),
        limits=AnswerLimits(retry_wait_s=0),
        counted=counted.append,
    )
    assert asked.json("x") == 1
    with pytest.raises(NotFound):
        asked.json("z")
    assert counted == [301, None, 200, 404]
