"""HTTP to a running daemon, over TCP or a Unix socket; errors are sentences.

httpx is imported when something is asked: a command that asks no daemon starts without it.
"""

import json
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, NamedTuple, Self
from urllib.parse import quote, urlsplit

from daemon.errors import UserError

if TYPE_CHECKING:
    import httpx

PREFIX: Final = "/api/v1"
SECONDS: Final = 30.0
LARGEST: Final = 64 << 20
"""Bytes of an answer that is not a stream."""


class ClientError(UserError):
    """The API did not answer as asked; the message is a sentence for the user."""


class Unreachable(ClientError):  # noqa: N818 - what it is
    """Nobody answers there, or no longer."""


class Refused(ClientError):  # noqa: N818 - what it is
    """The answer is an error.

    Attributes:
        status: of HTTP.
        retry_after: seconds that the server asks to wait, None if it does not.
    """

    def __init__(self, message: str, status: int, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after


class Connection:
    """Asks one server. Not for several threads at once. It is closed at the end of its ``with`` block.

    Args:
        address: ``http://127.0.0.1:8470``, ``https://host/path``, or ``unix:/run/gamekeeper/api.sock``.
        token: what the server asks for, if it does.
        seconds: how long one answer, or the next piece of a stream, may take.

    Raises:
        ValueError: *address* is not one.
    """

    def __init__(self, address: str, *, token: str | None = None, seconds: float = SECONDS) -> None:
        self.address = address
        self._place = _place(address)
        self._seconds = seconds
        authorization = {} if token is None else {"Authorization": f"Bearer {token}"}
        # Answers are bounded as they come, so they are to come unpacked.
        self._headers = {"User-Agent": "gamekeeper", "Accept-Encoding": "identity", **authorization}
        self._kept: httpx.Client | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection that is kept open."""
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    def found(self, path: str, asked: Mapping[str, object] | None = None) -> object:
        """The JSON at *path*; None if there is nothing."""
        try:
            return self.json(path, asked)
        except Refused as refused:
            if refused.status == HTTPStatus.NOT_FOUND:
                return None
            raise

    def bytes_at(self, path: str) -> bytes | None:
        """The answer at *path* as it comes; None if there is nothing."""
        try:
            return self.get(path)
        except Refused as refused:
            if refused.status == HTTPStatus.NOT_FOUND:
                return None
            raise

    def json(self, path: str, asked: Mapping[str, object] | None = None) -> object:
        """The JSON at *path*, with *asked* as its parameters."""
        body = self.get(path, asked)
        try:
            return json.loads(body)
        except ValueError as error:
            raise ClientError(f"{self.address} is not a gamekeeper: its answer is not JSON") from error

    def get(self, path: str, asked: Mapping[str, object] | None = None) -> bytes:
        """The answer at *path* as it comes."""
        return self._answer(PREFIX + path, asked or {})

    def at_root(self, path: str) -> bytes:
        """The answer at an address that does not belong to the API's version."""
        return self._answer(path, {})

    def _answer(self, path: str, asked: Mapping[str, object]) -> bytes:
        with self._failures():
            response = self._ask(path, asked)
            with self._body_of(response):
                body = self._whole(response)
                _refuse(response, body)
                return body

    def _ask(self, path: str, asked: Mapping[str, object]) -> "httpx.Response":
        """Ask on the open connection, or on a new one if the server has closed it meanwhile."""
        import httpx

        if self._kept is not None:
            try:
                return self._send(self._kept, path, asked)
            except (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError):
                self.close()
        self._kept = self._open()
        return self._send(self._kept, path, asked)

    def _open(self) -> "httpx.Client":
        """A client with a connection of its own; the environment's proxies are not for a daemon of ours."""
        import httpx

        transport = httpx.HTTPTransport(verify=self._place.trusted(), uds=self._place.socket)
        return httpx.Client(
            transport=transport, headers=self._headers, timeout=self._seconds, trust_env=False
        )

    def _send(
        self,
        client: "httpx.Client",
        path: str,
        asked: Mapping[str, object],
        headers: Mapping[str, str] | None = None,
    ) -> "httpx.Response":
        given = {name: _written(value) for name, value in asked.items() if value is not None}
        request = client.build_request("GET", self._place.url + path, params=given or None, headers=headers)
        return client.send(request, stream=True)

    @contextmanager
    def streaming(
        self, path: str, asked: Mapping[str, object], headers: Mapping[str, str] | None = None
    ) -> "Iterator[httpx.Response]":
        """An answer without a known end, on a connection of its own."""
        with self._failures(), self._open() as client:
            response = self._send(client, PREFIX + path, asked, headers)
            with self._body_of(response):
                if response.status_code != HTTPStatus.OK:
                    _refuse(response, self._whole(response))
                yield response

    def _whole(self, response: "httpx.Response") -> bytes:
        body = bytearray()
        for piece in response.iter_raw():
            body += piece
            if len(body) > LARGEST:
                raise ClientError(f"{self.address} answers with more than {LARGEST >> 20} MB")
        return bytes(body)

    @contextmanager
    def _body_of(self, response: "httpx.Response") -> Iterator[None]:
        """Read the body of *response* within it: it is closed at the end, and a broken body is an error."""
        import httpx

        try:
            yield
        except httpx.RemoteProtocolError as error:
            raise Unreachable(f"{self.address} does not answer: it broke off") from error
        finally:
            response.close()

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Raises errors of the network as `Unreachable`."""
        import httpx

        try:
            yield
        except (httpx.TransportError, httpx.InvalidURL) as error:
            self.close()
            raise Unreachable(f"{self.address} does not answer: {_why(error)}") from error


class _ServerAddress(NamedTuple):
    """Where a server is: the beginning of every URL, and its Unix socket, if it has one."""

    url: str
    socket: str | None = None

    def trusted(self) -> ssl.SSLContext:
        """Whose certificates are good: the system's; nobody's where none is shown, which is quick to make."""
        https = self.url.startswith("https:")
        return ssl.create_default_context() if https else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def segment(text: str) -> str:
    """One part of a path, whatever *text* is: unchanged, ``.`` and ``..`` would lead to another path."""
    return quote(text, safe="") if text.strip(".") else text.replace(".", "%2E")


def _place(address: str) -> _ServerAddress:
    if address.startswith("unix:"):
        return _ServerAddress("http://localhost", str(Path(address.removeprefix("unix:")).expanduser()))
    parts = urlsplit(address)
    odd = "@" in parts.netloc or parts.query or parts.fragment
    # Asked for its port, it raises ValueError where that is not a number of a port.
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.port == 0 or odd:
        raise ValueError(
            f"{address!r} is not the address of an API: write http://127.0.0.1:8470 or unix:/path"
        )
    path = parts.path.rstrip("/").removesuffix(PREFIX)
    return _ServerAddress(f"{parts.scheme}://{parts.netloc}{path}")


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _refuse(response: "httpx.Response", body: bytes) -> None:
    if response.status_code == HTTPStatus.OK:
        return
    try:
        problem = json.loads(body)
        detail = str(problem["detail"])
    except (ValueError, KeyError, TypeError):
        detail = f"the answer is {response.status_code} {response.reason_phrase}"
    retry = response.headers.get("Retry-After", "")
    raise Refused(detail, response.status_code, int(retry) if retry.isdecimal() else None)


def _why(error: BaseException) -> str:
    """The system's own words, if one of its errors is the cause."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
        cause = cause.__cause__ or cause.__context__  # httpcore raises its errors "from None"
    return str(error) or type(error).__name__
