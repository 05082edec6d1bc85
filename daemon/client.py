"""The read API for programs in Python: a client with the types of the API, over TCP or a Unix socket.

with Client("http://127.0.0.1:8470") as client:
    for game in client.all_games(GameFilters(q="carlsen roma")):
        print(game["date"], game["white"]["name"])
"""

import http.client
import json
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeVar, cast
from urllib.parse import quote, urlencode, urlsplit

from daemon.archive.reading import shapes
from daemon.archive.reading.filters import GameFilters
from daemon.config.values import Listen

PREFIX: Final = "/api/v1"
SECONDS: Final = 30.0
LARGEST: Final = 64 << 20
"""Bytes of an answer that is no stream."""

_CHUNK: Final = 1 << 16
_PAGE: Final = 500
_EVERY: Final = GameFilters()
Item = TypeVar("Item")


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


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """An event of the stream; *id* is what to come back with."""

    id: str
    kind: str
    data: Mapping[str, Any]


class Client:
    """Asks one server. Not for several threads at once. It is closed at the end of its ``with`` block.

    Args:
        address: ``http://127.0.0.1:8470``, ``https://host/path``, or ``unix:/run/gamekeeper/api.sock``.
        token: what the server asks for, if it does.
        seconds: how long one answer, or the next piece of a stream, may take.

    Raises:
        ValueError: *address* is none.
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

    def health(self) -> shapes.Health:
        """It is alive."""
        return cast("shapes.Health", self._json("/health"))

    def status(self) -> shapes.Status:
        """Where everything stands."""
        return cast("shapes.Status", self._json("/status"))

    def players(
        self, q: str | None = None, *, limit: int = 50, cursor: str | None = None
    ) -> shapes.Page[shapes.Player]:
        """A page of the players that *q* finds."""
        asked = {"q": q, "limit": limit, "cursor": cursor}
        return cast("shapes.Page[shapes.Player]", self._json("/players", asked))

    def player(self, player_id: int) -> shapes.Player | None:
        """One player; None if there is none."""
        return cast("shapes.Player | None", self._found(f"/players/{player_id}"))

    def games(
        self, filters: GameFilters = _EVERY, *, limit: int = 50, cursor: str | None = None
    ) -> shapes.Page[shapes.Game]:
        """A page of the games that *filters* find, newest first."""
        asked = {**_parameters(filters), "limit": limit, "cursor": cursor}
        return cast("shapes.Page[shapes.Game]", self._json("/games", asked))

    def all_games(self, filters: GameFilters = _EVERY, limit: int | None = None) -> Iterator[shapes.Game]:
        """All games that *filters* find, or *limit* of them, newest first, page by page."""
        return chain.from_iterable(self.pages_of_games(filters, limit))

    def pages_of_games(
        self, filters: GameFilters = _EVERY, limit: int | None = None
    ) -> Iterator[list[shapes.Game]]:
        """The same in pages of up to 500."""
        return _pages(lambda size, cursor: self.games(filters, limit=size, cursor=cursor), limit)

    def all_players(self, q: str | None = None, limit: int | None = None) -> Iterator[shapes.Player]:
        """All players that *q* finds, or *limit* of them, page by page."""
        return chain.from_iterable(self.pages_of_players(q, limit))

    def pages_of_players(
        self, q: str | None = None, limit: int | None = None
    ) -> Iterator[list[shapes.Player]]:
        """The same in pages of up to 500."""
        return _pages(lambda size, cursor: self.players(q, limit=size, cursor=cursor), limit)

    def game(self, game_id: int) -> shapes.WholeGame | None:
        """One game; None if there is none."""
        return cast("shapes.WholeGame | None", self._found(f"/games/{game_id}"))

    def pgn(self, game_id: int, n: int | None = None) -> bytes | None:
        """The PGN of a game as its first telling, or its *n*-th one, came; None if there is none."""
        path = f"/games/{game_id}" if n is None else f"/games/{game_id}/tellings/{n}"
        try:
            return self._get(f"{path}/pgn")
        except Refused as refused:
            if refused.status == 404:
                return None
            raise

    def me(self) -> shapes.Me:
        """The user, as configured."""
        return cast("shapes.Me", self._json("/me"))

    def dossier(self, slug: str) -> shapes.Dossier | None:
        """One dossier; None if there is none."""
        return cast("shapes.Dossier | None", self._found(f"/dossiers/{quote(slug, safe='')}"))

    def export(self, form: str, filters: GameFilters = _EVERY, *, tellings: bool = False) -> Iterator[bytes]:
        """All games that *filters* find, as ``pgn``, ``ndjson`` or ``csv``, piece by piece.

        Raises:
            Unreachable: it broke off; what came before is no whole file.
        """
        asked = _parameters(filters) | ({"tellings": True} if tellings else {})
        with self._streaming(f"/games.{form}", asked) as answer:
            while piece := answer.read(_CHUNK):
                yield piece

    def events(self, last: str | None = None) -> Iterator[ServerEvent]:
        """What happens from now on, or behind the event with the id *last*, until the server ends the stream."""
        headers = {} if last is None else {"Last-Event-ID": last}
        with self._streaming("/events/stream", {}, headers) as answer:
            fields: dict[str, str] = {}
            for line in answer:
                name, _, value = line.decode().rstrip("\n").partition(":")
                if name:
                    fields[name] = value.removeprefix(" ")
                elif not line.strip() and "event" in fields:
                    yield ServerEvent(fields["id"], fields["event"], json.loads(fields["data"]))
                    fields = {}

    def _found(self, path: str) -> object:
        try:
            return self._json(path)
        except Refused as refused:
            if refused.status == 404:
                return None
            raise

    def _json(self, path: str, asked: Mapping[str, object] | None = None) -> object:
        body = self._get(path, asked)
        try:
            return json.loads(body)
        except ValueError as error:
            raise ClientError(f"{self.address} is no gamekeeper: its answer is no JSON") from error

    def _get(self, path: str, asked: Mapping[str, object] | None = None) -> bytes:
        with self._telling_what_fails():
            answer = self._ask(path, asked or {})
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
        connection.request("GET", self._prefix + path + query, headers={**self._headers, **(headers or {})})
        return connection.getresponse()

    @contextmanager
    def _streaming(
        self, path: str, asked: Mapping[str, object], headers: Mapping[str, str] | None = None
    ) -> Iterator[http.client.HTTPResponse]:
        """An answer without a known end, on a connection of its own."""
        with self._telling_what_fails():
            connection = self._connect()
            try:
                answer = self._send(connection, path, asked, headers)
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


def _pages(page: Callable[[int, str | None], shapes.Page[Item]], limit: int | None) -> Iterator[list[Item]]:
    """All pages that *page* (size, cursor) gives, or those of *limit* items."""
    cursor: str | None = None
    left = limit
    while left is None or left > 0:
        found = page(_PAGE if left is None else min(left, _PAGE), cursor)
        yield found["items"]
        cursor = found["next"]
        if cursor is None:
            return
        left = None if left is None else left - len(found["items"])


def address_of(listen: Listen) -> str:
    """Where a server that listens at *listen* is asked, from this machine."""
    if listen.socket is not None:
        return str(listen)
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - not listened at: asked instead of it
    return f"http://{Listen(everywhere.get(listen.host, listen.host), listen.port)}"


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
        raise ValueError(f"{address!r} is no address of an API: write http://127.0.0.1:8470 or unix:/path")
    prefix = parts.path.rstrip("/").removesuffix(PREFIX) + PREFIX
    if parts.scheme == "https":
        trusted = ssl.create_default_context()
        return lambda: http.client.HTTPSConnection(host, port, timeout=seconds, context=trusted), prefix
    return lambda: http.client.HTTPConnection(host, port, timeout=seconds), prefix


def _parameters(filters: GameFilters) -> dict[str, object]:
    return filters.model_dump(by_alias=True, exclude_none=True)


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
