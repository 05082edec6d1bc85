"""HTTP to a running daemon, over TCP or a Unix socket, with the standard library: what fails is told in a sentence."""

import http.client
import json
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlencode, urlsplit

PREFIX: Final = "/api/v1"
SECONDS: Final = 30.0
LARGEST: Final = 64 << 20
"""Bytes of an answer that is not a stream."""

_CHUNK: Final = 1 << 16


class ClientError(Exception):
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
        self._connect, self._prefix = _opener(address, seconds)
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._kept: http.client.HTTPConnection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection that is kept."""
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
        return self._answer(self._prefix + path, asked or {})

    def at_root(self, path: str) -> bytes:
        """The answer at an address that does not belong to the API's version."""
        return self._answer(self._prefix.removesuffix(PREFIX) + path, {})

    def _answer(self, path: str, asked: Mapping[str, object]) -> bytes:
        with self._telling_what_fails():
            answer = self._ask(path, asked)
            body = answer.read(LARGEST + 1)
            if len(body) > LARGEST:
                self.close()
                raise ClientError(f"{self.address} answers with more than {LARGEST >> 20} MB")
            if answer.length:  # http.client does not tell where the number of bytes to read is given
                raise http.client.IncompleteRead(body, answer.length)
            _refuse(answer, body)
            return body

    def _ask(self, path: str, asked: Mapping[str, object]) -> http.client.HTTPResponse:
        """Ask on the connection that is kept, on a new one if the server has closed it meanwhile."""
        if self._kept is not None:
            try:
                return self._send(self._kept, path, asked)
            except (ConnectionError, http.client.RemoteDisconnected):
                self.close()
        self._kept = self._connect()
        return self._send(self._kept, path, asked)

    def _send(
        self,
        connection: http.client.HTTPConnection,
        path: str,
        asked: Mapping[str, object],
        headers: Mapping[str, str] | None = None,
    ) -> http.client.HTTPResponse:
        given = {name: _written(value) for name, value in asked.items() if value is not None}
        query = f"?{urlencode(given)}" if given else ""
        connection.request("GET", path + query, headers={**self._headers, **(headers or {})})
        return connection.getresponse()

    @contextmanager
    def streaming(
        self, path: str, asked: Mapping[str, object], headers: Mapping[str, str] | None = None
    ) -> Iterator[http.client.HTTPResponse]:
        """An answer without a known end, on a connection of its own."""
        with self._telling_what_fails():
            connection = self._connect()
            try:
                answer = self._send(connection, self._prefix + path, asked, headers)
                if answer.status != 200:
                    _refuse(answer, answer.read(LARGEST))
                yield answer
            finally:
                connection.close()

    @contextmanager
    def _telling_what_fails(self) -> Iterator[None]:
        try:
            yield
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise Unreachable(f"{self.address} does not answer: {_why(error)}") from error


class _UnixConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: Path, seconds: float) -> None:
        super().__init__("localhost", timeout=seconds)
        self._path = path

    def connect(self) -> None:
        """Open the socket."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        try:
            self.sock.connect(str(self._path))
        except OSError:
            self.sock.close()
            raise


def _opener(address: str, seconds: float) -> tuple[Callable[[], http.client.HTTPConnection], str]:
    """What opens a connection to *address*, and what stands before every path there."""
    if address.startswith("unix:"):
        path = Path(address.removeprefix("unix:")).expanduser()
        return lambda: _UnixConnection(path, seconds), PREFIX
    parts = urlsplit(address)
    host, port = parts.hostname, parts.port
    if parts.scheme not in {"http", "https"} or not host or parts.username or parts.query or parts.fragment:
        raise ValueError(
            f"{address!r} is not the address of an API: write http://127.0.0.1:8470 or unix:/path"
        )
    prefix = parts.path.rstrip("/").removesuffix(PREFIX) + PREFIX
    if parts.scheme == "https":
        trusted = ssl.create_default_context()
        return lambda: http.client.HTTPSConnection(host, port, timeout=seconds, context=trusted), prefix
    return lambda: http.client.HTTPConnection(host, port, timeout=seconds), prefix


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _refuse(answer: http.client.HTTPResponse, body: bytes) -> None:
    if answer.status == 200:
        return
    try:
        problem = json.loads(body)
        detail = str(problem["detail"])
    except (ValueError, KeyError, TypeError):
        detail = f"the answer is {answer.status} {answer.reason}"
    retry = answer.headers.get("Retry-After", "")
    raise Refused(detail, answer.status, int(retry) if retry.isdecimal() else None)


def _why(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, http.client.IncompleteRead):
        return "it broke off"
    return str(error) or type(error).__name__
