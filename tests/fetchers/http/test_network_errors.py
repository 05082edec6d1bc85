"""A site that cannot be reached: what the user reads."""

import errno
import socket
import ssl
from collections.abc import Iterator

import httpx
import pytest

from fetchers.errors import Incomplete, SiteUnreachable
from fetchers.http.door import Door
from fetchers.http.network_errors import outage
from fetchers.http.responses import AnswerLimits
from tests.fetchers.conftest import TOKEN
from tests.fetchers.http_doubles import answers, door


def caused(outer: Exception, cause: Exception) -> Exception:
    """*outer* as the libraries raise it: with the error of the system at the end of its causes."""
    between = RuntimeError("a library")
    between.__cause__ = cause
    outer.__cause__ = between
    return outer


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (
            socket.gaierror(socket.EAI_NONAME, "Name or service not known"),
            "no such host (is there a network?)",
        ),
        (
            socket.gaierror(socket.EAI_AGAIN, "Temporary failure"),
            "its name cannot be looked up at the moment",
        ),
        (ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused"), "the connection is refused"),
        (ConnectionResetError(errno.ECONNRESET, "reset"), "the connection was cut"),
        (TimeoutError("timed out"), "timed out"),
        (OSError(errno.ENETUNREACH, "Network is unreachable"), "no way leads there (is there a network?)"),
        (PermissionError(errno.EACCES, "Permission denied"), "this machine does not allow it"),
        (ssl.SSLError(1, "[SSL] whatever"), "no encrypted connection could be made"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_the_error_of_the_system_in_words(cause: Exception, words: str) -> None:
    """Without numbers or brackets of the system, with the name of the site."""
    with pytest.raises(SiteUnreachable) as raised:
        door(answers(caused(httpx.ConnectError(str(cause)), cause)), tries=1).json("x")
    assert str(raised.value).startswith(f"site.example cannot be reached: {words}")
    assert "Errno" not in str(raised.value)


def test_a_certificate_that_is_not_trusted_is_told_with_its_fault() -> None:
    """As the library for it says."""
    error = ssl.SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed")
    error.verify_message = "certificate has expired"
    assert "cannot be trusted: certificate has expired" in (outage(error) or "")


def test_a_time_out_of_the_connection() -> None:
    """No error of the system is its cause, where the transport keeps the time."""
    with pytest.raises(SiteUnreachable, match=r"^site\.example cannot be reached: timed out$"):
        door(answers(httpx.ConnectTimeout("")), tries=1).json("x")


def test_a_connection_that_is_cut_in_the_middle() -> None:
    """The site was reached: it broke off."""

    class Cut(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield b"1"
            raise caused(httpx.ReadError("reset"), ConnectionResetError(errno.ECONNRESET, "reset"))

    site = answers(httpx.Response(200, stream=Cut()))
    with pytest.raises(
        Incomplete, match=r"^site\.example broke off while answering: the connection was cut$"
    ):
        door(site, tries=1).json("x")


def test_what_has_no_words_of_ours_never_shows_the_token() -> None:
    """Whatever a library may put into its message."""
    leak = httpx.LocalProtocolError(f"Illegal header value b'Bearer {TOKEN}'")
    with pytest.raises(SiteUnreachable) as raised:
        door(answers(leak), token=TOKEN, tries=1).json("x")
    assert TOKEN not in str(raised.value)
    assert "Illegal header value" in str(raised.value)


def test_a_closed_port_of_this_machine() -> None:
    """On the real network: refused."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(
        SiteUnreachable, match=rf"^127\.0\.0\.1:{port} cannot be reached: the connection is refused$"
    ):
        real(f"http://127.0.0.1:{port}").json("x")


def test_a_name_that_no_host_can_have() -> None:
    """On the real resolver, which needs no network to refuse it; or which says that it has none."""
    with pytest.raises(
        SiteUnreachable, match=r"^nobody\.invalid cannot be reached: (no such host|its name cannot)"
    ):
        real("http://nobody.invalid").json("x")


def test_the_proxy_is_named_as_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be what is wrong; its address, in which a password may stand, is not told."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("http_proxy", f"http://mrossi90:secret@127.0.0.1:{port}")
    with pytest.raises(SiteUnreachable) as raised:
        real("http://site.example").json("x")
    message = "site.example cannot be reached through the proxy that the environment names: the connection is refused"
    assert str(raised.value) == message


def real(base_url: str) -> Door:
    """A door to the network."""
    return Door(base_url, user_agent="gamekeeper/test", limits=AnswerLimits(tries=1))
