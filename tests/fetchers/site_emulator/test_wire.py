"""What can go wrong on the wire does go wrong in the emulator, and what a client did is on record."""

import socket
import threading
import time
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.fetchers.site_emulator.asking import NDJSON, Asker, asking
from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Emulator
from tests.fetchers.site_emulator.log import LONGEST, MINUTE, wait_of
from tests.fetchers.site_emulator.wire import Wire

GAMES = "/api/games/user/mrossi90"


@pytest.fixture(name="ask")
def _ask() -> Iterator[Asker]:
    with asking() as asker:
        for _ in range(4):
            asker.world.add_game(LICHESS, "mrossi90", "BianchiL")
        yield asker


def received(url: str, path: str, *more: str) -> tuple[bytes, bytes, Exception | None]:
    """Head and body of an answer as they come over the socket, and the error that ended it."""
    place = urlsplit(url)
    lines = [
        f"GET {path} HTTP/1.1",
        "Host: emulated",
        "User-Agent: tests (+a@example.org)",
        "Accept: application/x-ndjson",
    ]
    got = b""
    with socket.create_connection((place.hostname, place.port), timeout=20) as connection:
        connection.sendall("\r\n".join([*lines, "Connection: close", *more, "", ""]).encode())
        try:
            while piece := connection.recv(65536):
                got += piece
        except ConnectionError as error:
            return *_halves(got), error
    return *_halves(got), None


def _halves(got: bytes) -> tuple[bytes, bytes]:
    head, _, body = got.partition(b"\r\n\r\n")
    return head, body


def unchunked(body: bytes) -> tuple[bytes, bool]:
    """What the chunks hold, and whether the last one came."""
    held = b""
    while body:
        size, _, rest = body.partition(b"\r\n")
        if int(size, 16) == 0:
            return held, True
        held, body = held + rest[: int(size, 16)], rest[int(size, 16) + 2 :]
    return held, False


def test_a_good_answer_ends_well(ask: Asker) -> None:
    """Chunked, with the last chunk, one line a game."""
    head, body, error = received(ask.sites.lichess_url, GAMES)
    text, whole = unchunked(body)
    assert b"Transfer-Encoding: chunked" in head
    assert (whole, text.count(b"\n"), error) == (True, 4, None)


def test_an_answer_without_a_body_has_ended_when_its_head_is_here(
    ask: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However slowly the site's thread goes on: the log can be cleared, and the request does not stay in it."""
    month = "/pub/player/mrossi90/games/2024/07"
    ask.sites.replay(CHESSCOM, month, b"", status=304)
    last = Wire._last

    def late(self: Wire, rest: bytes) -> None:
        time.sleep(0.2)
        last(self, rest)

    monkeypatch.setattr(Wire, "_last", late)
    place = urlsplit(ask.sites.chesscom_url)
    with socket.create_connection((place.hostname, place.port), timeout=20) as connection:
        connection.sendall(f"GET {month} HTTP/1.1\r\nHost: emulated\r\n\r\n".encode())
        got = b""
        while not got.endswith(b"\r\n\r\n"):
            got += connection.recv(65536)
        ask.sites.clear_log()
        assert ask.sites.requests == []


def test_a_stream_is_cut_in_the_middle_of_a_line(ask: Asker) -> None:
    """Status 200, some bytes, then the connection is closed without the last chunk."""
    full = ask.lichess(GAMES, **NDJSON).content
    ask.sites.fault(LICHESS, GAMES, kind="cut", after=0.6)
    head, body, error = received(ask.sites.lichess_url, GAMES)
    text, whole = unchunked(body)
    assert head.startswith(b"HTTP/1.1 200 OK")
    assert (whole, error) == (False, None)
    assert text == full[: round(0.6 * len(full))]
    assert not text.endswith(b"\n")


def test_a_cut_body_with_a_length_comes_short(ask: Asker) -> None:
    """What has a Content-Length promises more than it holds."""
    ask.world.add_player(CHESSCOM, "rossi-mario")
    ask.sites.fault(CHESSCOM, account="Rossi-Mario", kind="cut", after=10)
    head, body, _ = received(ask.sites.chesscom_url, "/pub/player/rossi-mario")
    assert b"Content-Length: 10\r\n" not in head
    assert body == b'{"player_i'


def test_a_clean_cut_shows_only_in_the_content(ask: Asker) -> None:
    """Framing and gzip are whole, the last line is not."""
    ask.sites.fault(LICHESS, GAMES, kind="cut", after=100, clean=True)
    assert len(ask.lichess(GAMES, **NDJSON).content) == 100


def test_a_gzip_body_may_lack_its_end(ask: Asker) -> None:
    """The chunks are complete; gzip's own trailer is missing."""
    ask.sites.fault(LICHESS, GAMES, kind="gzip_cut", after=0.5)
    head, body, _ = received(ask.sites.lichess_url, GAMES, "Accept-Encoding: gzip")
    packed, whole = unchunked(body)
    unpacker = zlib.decompressobj(wbits=31)
    assert b"Content-Encoding: gzip" in head
    assert unpacker.decompress(packed).startswith(b'{"id":')
    assert (whole, unpacker.eof) == (True, False)


def test_a_connection_may_be_reset(ask: Asker) -> None:
    """RST, not FIN, after some bytes."""
    ask.sites.fault(LICHESS, GAMES, kind="reset", after=200)
    head, _, error = received(ask.sites.lichess_url, GAMES)
    assert head.startswith(b"HTTP/1.1 200 OK")
    assert isinstance(error, ConnectionResetError)


def test_a_length_may_be_wrong(ask: Asker) -> None:
    """Content-Length is larger than the body."""
    ask.sites.fault(LICHESS, GAMES, kind="short_length", size=7)
    head, body, _ = received(ask.sites.lichess_url, GAMES)
    assert f"Content-Length: {len(body) + 7}".encode() in head


def test_the_end_of_the_connection_may_be_the_end_of_the_body(ask: Asker) -> None:
    """Neither length nor chunks: nobody can tell a cut from the end."""
    full = ask.lichess(GAMES, **NDJSON).content
    ask.sites.fault(LICHESS, GAMES, kind="close_delimited")
    head, body, _ = received(ask.sites.lichess_url, GAMES)
    assert body == full
    assert b"Content-Length" not in head
    assert b"chunked" not in head


def test_an_answer_may_drip(ask: Asker) -> None:
    """In small pieces, but whole at last."""
    full = ask.lichess("/api/user/mrossi90").content
    ask.sites.fault(LICHESS, "/api/user", kind="drip", rate=2000)
    with ask.client.stream("GET", ask.sites.lichess_url + "/api/user/mrossi90") as answer:
        pieces = list(answer.iter_raw())
    assert b"".join(pieces) == full
    assert len(pieces) > 1


@pytest.mark.parametrize("kind", ["hang", "stall"])
def test_a_site_may_fall_silent(ask: Asker, kind: Any) -> None:
    """Until the client has had enough; then nothing is in flight any more."""
    ask.sites.fault(LICHESS, GAMES, kind=kind, after=50)
    with pytest.raises(httpx.ReadTimeout):
        httpx.get(ask.sites.lichess_url + GAMES, headers=ask.client.headers, timeout=0.3)
    assert ask.lichess(GAMES).status_code == 200
    assert ask.sites.violations == []


def test_a_connection_may_be_closed_without_an_answer(ask: Asker) -> None:
    """Not one byte."""
    ask.sites.fault(LICHESS, GAMES, kind="refuse")
    assert received(ask.sites.lichess_url, GAMES) == (b"", b"", None)


def test_an_answer_may_be_another(ask: Asker) -> None:
    """Any status, an HTML page, a redirect elsewhere."""
    ask.sites.fault(
        LICHESS, GAMES, kind="status", code=503, body=b"down", headers={"Content-Type": "text/plain"}
    )
    ask.sites.fault(LICHESS, GAMES, kind="html")
    ask.sites.fault(LICHESS, GAMES, kind="redirect", location="http://169.254.169.254/latest")
    down, page, elsewhere = ask.lichess(GAMES), ask.lichess(GAMES), ask.lichess(GAMES)
    assert (down.status_code, down.text, down.headers["content-type"]) == (503, "down", "text/plain")
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=UTF-8")
    assert (elsewhere.status_code, elsewhere.headers["location"]) == (302, "http://169.254.169.254/latest")


def test_a_small_body_may_unpack_to_a_huge_one(ask: Asker) -> None:
    """A gzip bomb of the wanted size."""
    ask.sites.fault(LICHESS, GAMES, kind="gzip_bomb", size=8 << 20)
    _, body, _ = received(ask.sites.lichess_url, GAMES, "Accept-Encoding: gzip")
    packed, whole = unchunked(body)
    assert whole
    assert len(packed) < 100_000
    assert len(zlib.decompress(packed, wbits=31)) == 8 << 20


def test_a_line_and_the_headers_may_never_end(ask: Asker) -> None:
    """As long as one asks for here."""
    ask.sites.fault(LICHESS, GAMES, kind="endless_line", size=2 << 20)
    ask.sites.fault(LICHESS, GAMES, kind="endless_headers", size=1 << 20)
    text, whole = unchunked(received(ask.sites.lichess_url, GAMES)[1])
    assert (whole, b"\n" in text) == (True, False)
    assert len(text) > 2 << 20
    assert len(received(ask.sites.lichess_url, GAMES)[0]) > 900_000


def test_a_fault_concerns_what_it_names(ask: Asker) -> None:
    """One account, after some good answers, so many times; other accounts and the other site are well."""
    ask.world.add_player(CHESSCOM, "mrossi90")
    ask.sites.fault(LICHESS, account="mrossi90", kind="status", code=500, skip=1, times=2)
    assert [ask.lichess(GAMES).status_code for _ in range(4)] == [200, 500, 500, 200]
    ask.sites.fault(LICHESS, kind="status", code=502, times=None)
    assert [ask.lichess("/api/user/bianchil").status_code for _ in range(3)] == [502] * 3
    assert ask.chesscom("mrossi90").status_code == 200
    ask.sites.clear_faults()
    assert ask.lichess(GAMES).status_code == 200


def test_an_unknown_fault_is_refused(ask: Asker) -> None:
    """A test with a misspelt fault must not pass."""
    with pytest.raises(ValueError, match="no such kind"):
        ask.sites.fault(LICHESS, kind="explode")  # type: ignore[arg-type]  # which is what is tested


def test_asking_again_too_soon_after_a_429_is_on_record(ask: Asker) -> None:
    """Sixty seconds by the emulator's clock, or what Retry-After says."""
    now = 1_710_000_000.0
    ask.sites.clock = lambda: now
    ask.sites.fault(LICHESS, GAMES, kind="rate_limit")
    ask.sites.fault(LICHESS, GAMES, kind="rate_limit", retry_after="300", skip=1)
    first = ask.lichess(GAMES)
    assert (first.status_code, first.text) == (429, '{"error":"Please only run 1 request(s) at a time"}')
    now += 59
    assert ask.lichess(GAMES).status_code == 200
    assert [violation.rule for violation in ask.sites.violations] == ["too soon after a 429"]
    now += 1
    second = ask.lichess(GAMES)
    assert (second.status_code, second.headers["retry-after"]) == (429, "300")
    now += 300
    ask.lichess(GAMES)
    assert len(ask.sites.violations) == 1


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (None, MINUTE),
        ("soon", MINUTE),
        ("-5", MINUTE),
        ("0", 0),
        ("120", 120),
        ("Sat, 09 Mar 2024 16:02:00 GMT", 120),
        ("Sat, 09 Mar 2024 15:00:00 GMT", 0),
        ("315360000", LONGEST),
        ("Sat, 09 Mar 2034 16:02:00 GMT", LONGEST),
    ],
)
def test_retry_after_is_seconds_or_a_date(text: str | None, seconds: float) -> None:
    """What is neither counts as a minute; nobody need wait more than a day."""
    assert wait_of(text, datetime(2024, 3, 9, 16, tzinfo=UTC).timestamp()) == seconds


def test_bad_times_are_on_record(ask: Asker) -> None:
    """Seconds where milliseconds are meant."""
    ask.lichess(f"{GAMES}?since=1710000000&until=1710000000000")
    assert [violation.rule for violation in ask.sites.violations] == ["since is not in milliseconds"]


def test_every_request_is_on_record(ask: Asker) -> None:
    """With what was asked, when, and what came of it."""
    ask.sites.clock = lambda: 1_710_000_000.0
    ask.lichess(f"{GAMES}?max=1", **NDJSON)
    ask.chesscom("nobody")
    first, second = ask.sites.requests
    assert (first.site, first.method, first.path, first.query) == (LICHESS, "GET", GAMES, {"max": "1"})
    assert (first.headers["accept"], first.started, first.ended) == ("application/x-ndjson", 1.71e9, 1.71e9)
    assert (first.status, second.status) == (200, 404)
    ask.sites.clear_log()
    assert ask.sites.requests == []


def test_a_recorded_answer_is_replayed_verbatim(ask: Asker) -> None:
    """Body and headers as they were, whatever the world says."""
    body = b'{"games":[]}'
    headers = {
        "etag": 'W/"abc"',
        "last-modified": "Thursday, 17-Oct-2024 22:34:57 GMT+0000",
        "Content-Length": "99",
    }
    ask.sites.replay(CHESSCOM, "/pub/player/nobody/games/2024/03", body, headers)
    answer = ask.chesscom("nobody/games/2024/03")
    assert (answer.status_code, answer.content) == (200, body)
    assert answer.headers["etag"] == 'W/"abc"'
    assert answer.headers["last-modified"] == headers["last-modified"]
    assert answer.headers["content-length"] == "12"


def test_lichess_may_send_slowly(ask: Asker) -> None:
    """So many games a second; the answer is the same."""
    full = ask.lichess(GAMES, **NDJSON).content
    ask.sites.pace(100)
    assert ask.lichess(GAMES, **NDJSON).content == full


def test_stopping_ends_every_thread_and_connection() -> None:
    """Even those of a client that is still waiting."""
    before = threading.active_count()
    with Emulator() as sites:
        sites.fault(LICHESS, kind="hang")
        place = urlsplit(sites.lichess_url)
        idle = socket.create_connection((place.hostname, place.port), timeout=20)
        waiting = socket.create_connection((place.hostname, place.port), timeout=20)
        waiting.sendall(b"GET /api/user/mrossi90 HTTP/1.1\r\nHost: emulated\r\n\r\n")
        while not sites.requests:
            threading.Event().wait(0.01)
    with waiting, idle:
        assert waiting.recv(10) == b""
        assert idle.recv(10) == b""
    assert threading.active_count() == before


def test_a_fault_of_the_emulator_itself_is_not_hidden() -> None:
    """It comes out at the end, so that no test passes over it."""
    failure = RuntimeError("no games today")

    def broken() -> float:
        raise failure

    with pytest.raises(RuntimeError, match="no games today"), asking() as ask:  # noqa: PT012 - it is raised at the end
        ask.world.add_player(CHESSCOM, "rossi-mario")
        ask.sites.clock = broken
        with pytest.raises(httpx.RemoteProtocolError):
            ask.chesscom("rossi-mario")
