"""The one door to HTTP: politeness, deadlines, bounds and the meaning of statuses, once for all sites.

Sites are asked from here and from nowhere else. (httpx is no longer maintained; see ARCHITECTURE.md on how to replace it.)
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Final

import httpx
import stamina
import stamina.instrumentation

from fetchers.errors import BadAnswer, FetchError, Incomplete, SiteDown, SiteUnreachable, Stopped
from fetchers.http import bodies
from fetchers.http.deadlines import AnswerPace, Patience, StoppedError, TooSlowError
from fetchers.http.error_responses import is_html, read_date, refusal
from fetchers.http.identity import checked_token, proxy_for
from fetchers.http.network import PacedTransport
from fetchers.http.network_errors import outage
from fetchers.http.responses import USUAL, Answer, AnswerLimits, Validators

# stamina would log every retry with the exception's repr through structlog; the round reports what matters.
stamina.instrumentation.set_on_retry_hooks([])

Transport = httpx.BaseTransport

_CONNECT_S: Final = 15
_MOST_REDIRECTS: Final = 5
_MOST_REMEMBERED: Final = 10_000
_HEAD_BYTES: Final = 1 << 16
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_PERMANENT: Final = frozenset({301, 308})
_NOT_THERE: Final = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})
_JSON: Final = "application/json"
_NDJSON: Final = "application/x-ndjson"
PGN: Final = "application/x-chess-pgn"
_CONDITIONS: Final = frozenset({"If-None-Match", "If-Modified-Since"})
_LONGEST_WORDS: Final = 200
_MOST_AHEAD: Final = timedelta(days=1)
_REFUSAL: Final = Patience(silence_s=10, total_s=20)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """One request, apart from where redirects lead it. A *body* makes it a POST."""

    path: str
    accept: str = _JSON
    params: Mapping[str, str] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    head: bool = False

    def method(self) -> str:
        return "HEAD" if self.head else "GET" if self.body is None else "POST"

    def all_headers(self) -> dict[str, str]:
        return {"Accept": self.accept, **self.headers}


class Door:
    """All requests to one site. One thread at a time, so one request at a time.

    Args:
        base_url: What paths are relative to; all requests go to its host and to no other.
        user_agent: See `user_agent`.
        token: Sent as bearer; never shown in any message.
        transport: Instead of the network. Deadlines are kept on the network only.
        limits: See `Limits`.
        clock: Seconds, never going back.
        today: UTC, for dates that sites send.
        stop: Asked at least twice a second while waiting; True ends the request with `Incomplete`, and no
            other one begins.
        counted: Called after each request with the status of the answer, None if none came.

    Attributes:
        answered_at: When the last answer began, by the site's own clock; None if it does not say. Ours may be
            wrong: compare what a site dates with this.

    Raises:
        ValueError: *base_url* is not a web address, or *token* cannot be one.
    """

    def __init__(  # noqa: PLR0913 - the outside world, all optional
        self,
        base_url: str,
        *,
        user_agent: str,
        token: str | None = None,
        transport: Transport | None = None,
        limits: AnswerLimits = USUAL,
        clock: Callable[[], float] = time.monotonic,
        today: Callable[[], datetime] = lambda: datetime.now(UTC),
        stop: Callable[[], bool] = lambda: False,
        counted: Callable[[int | None], None] = lambda _: None,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self._base = _address(self.base_url)
        self._token = checked_token(token)
        self._limits = limits
        self._today = today
        self._stop = stop
        self._counted = counted
        self.answered_at: datetime | None = None
        self._pace = AnswerPace(clock, stop)
        self._moved: dict[httpx.URL, httpx.URL] = {}
        proxy = proxy_for(self._base.scheme, self._base.host) if transport is None else None
        self._way = " through the proxy that the environment names" if proxy else ""
        self._client = httpx.Client(
            headers={"User-Agent": user_agent, "Accept-Encoding": "gzip", **self._authorization()},
            transport=transport or PacedTransport(self._pace, proxy),
            timeout=httpx.Timeout(_CONNECT_S, read=None),  # reading is the pace's business
            follow_redirects=False,
        )

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def json(self, path: str, *, params: Mapping[str, str] | None = None, body: str | None = None) -> object:
        """The answer to a GET, or to a POST of *body*, as JSON.

        Asked again a few times if nothing, or half, comes.
        """
        question = _Question(path=path, params=params, body=body)
        for attempt in self._attempts():
            with attempt, self._reading(self._asked(question, self._limits.answer)) as answer:
                answer.whole_bytes = self._limits.record_bytes
                return answer.json()
        raise AssertionError

    def head(self, path: str) -> Validators:
        """The validators of an answer, without its body."""
        for attempt in self._attempts():
            with (
                attempt,
                closing(self._asked(_Question(path=path, head=True), self._limits.answer)) as response,
            ):
                return _validators(response.headers)
        raise AssertionError

    @contextmanager
    def ask(
        self, path: str, *, validators: Validators | None = None, accept: str = _JSON
    ) -> Iterator[Answer]:
        """The answer to a GET, to be read item by item. Only its beginning is tried again."""
        question = _Question(path=path, accept=accept, headers=(validators or Validators()).headers())
        for attempt in self._attempts():
            with attempt:
                response = self._asked(question, self._limits.answer)
        with self._reading(response) as answer:
            yield answer

    @contextmanager
    def stream(self, path: str, *, params: Mapping[str, str] | None = None) -> Iterator[Answer]:
        """The answer to a GET for ndjson, which may take hours. Tried once.

        The connection is closed at the end of the ``with`` whatever happened: lichess counts a stream that
        nobody reads or closes as running, for up to an hour.
        """
        response = self._asked(_Question(path=path, accept=_NDJSON, params=params), self._limits.stream)
        with self._reading(response, self._limits.stream_bytes) as answer:
            yield answer

    @contextmanager
    def _reading(self, response: httpx.Response, most: int | None = None) -> Iterator[Answer]:
        with closing(response):
            yield Answer(
                changed=response.status_code != HTTPStatus.NOT_MODIFIED,
                validators=_validators(response.headers),
                chunks=self._unpacked(response, most or self._limits.answer_bytes),
                item_bytes=self._limits.item_bytes,
                whole_bytes=self._limits.list_bytes,
            )

    def _asked(self, question: _Question, patience: Patience) -> httpx.Response:
        """The open response, redirects followed, whose status is a valid answer."""
        params = dict(question.params) if question.params else None
        first = httpx.URL(f"{self.base_url}/{question.path.lstrip('/')}", params=params)
        url = first
        remembered = first in self._moved
        for _ in range(_MOST_REDIRECTS):
            url = self._moved.get(url, url)
            response = self._sent(url, question, patience)
            if remembered and response.status_code in _NOT_THERE:
                # What was to be for good is over; the site has not been asked at the right place yet.
                response.close()
                url, remembered = first, False
                del self._moved[first]
                continue
            if response.status_code not in _REDIRECTS:
                return self._checked_status(response, first, question)
            with closing(response):
                url = self._next(url, response)
        self._moved.clear()
        raise BadAnswer(f"{self.host} gave too many redirects")

    def _sent(self, url: httpx.URL, question: _Question, patience: Patience) -> httpx.Response:
        self._pace.begin(patience)
        if self._stop():
            raise Stopped(f"stopped before {self.host} was asked")
        request = self._client.build_request(
            question.method(), url, headers=question.all_headers(), content=question.body
        )
        with self._translated(SiteUnreachable):
            try:
                response = self._client.send(request, stream=True)
            except Exception:
                self._counted(None)
                raise
            self._counted(response.status_code)
            self.answered_at = read_date(response.headers.get("date", ""))
            if question.head or response.status_code == HTTPStatus.NOT_MODIFIED:
                response.read()  # there is no body; but an answer not read to its end costs the connection
        return response

    def _next(self, url: httpx.URL, response: httpx.Response) -> httpx.URL:
        """Where a redirect leads, which is remembered if it is permanent."""
        try:
            target = url.join(response.headers.get("location", ""))
        except (httpx.InvalidURL, ValueError) as error:
            raise BadAnswer(f"{self.host} redirects to an invalid address") from error
        if not self._ours(target):
            raise BadAnswer(f"{self.host} sends us to {target.host!r}; we ask no other host")
        if response.status_code in _PERMANENT and len(self._moved) < _MOST_REMEMBERED:
            self._moved[url] = target
        return target

    def _ours(self, target: httpx.URL) -> bool:
        same = (target.scheme, target.port) == (self._base.scheme, self._base.port)
        safer = target.scheme == "https" and target.port is self._base.port is None
        return target.host == self._base.host and (same or safer) and not target.userinfo

    def _checked_status(
        self, response: httpx.Response, first: httpx.URL, question: _Question
    ) -> httpx.Response:
        status = response.status_code
        if status == HTTPStatus.NOT_MODIFIED and question.headers.keys() & _CONDITIONS:
            return response
        with ExitStack() as stack:
            stack.callback(response.close)
            if status != HTTPStatus.OK and not (question.head and status == HTTPStatus.NO_CONTENT):
                self._moved.pop(first, None)  # what we remember may be why
                raise self._refusal(response)
            if is_html(response.headers, b""):
                raise BadAnswer(f"{self.host} answers with a web page instead of data")
            stack.pop_all()
        return response

    def _refusal(self, response: httpx.Response) -> FetchError:
        self._pace.begin(_REFUSAL)
        head = bytearray()
        with suppress(FetchError):  # the status alone says what is the matter
            for piece in self._unpacked(response, 2 * _HEAD_BYTES):
                head += piece
                if len(head) >= _HEAD_BYTES:
                    break
        body = bytes(head).replace(self._token.encode(), b"***") if self._token else bytes(head)
        return refusal(self.host, response.status_code, response.headers, body, now=self._today())

    def _unpacked(self, response: httpx.Response, most: int) -> Iterator[bytes]:
        if response.is_stream_consumed:  # by a transport that keeps answers; then httpx has unpacked it, too
            return bodies.unpacked([response.content], "", most=most)
        encoding = response.headers.get("content-encoding", "")
        return bodies.unpacked(self._raw(response), encoding, most=most)

    def _raw(self, response: httpx.Response) -> Iterator[bytes]:
        with self._translated(Incomplete):
            yield from response.iter_raw()

    def _attempts(self) -> Iterator[stamina.Attempt]:
        wait = self._limits.retry_wait_s
        return iter(
            stamina.retry_context(
                self._transient,
                attempts=self._limits.tries,
                timeout=None,
                wait_initial=wait,
                wait_max=10 * wait,
                wait_jitter=wait,
            )
        )

    def _transient(self, error: Exception) -> bool:
        """Whether the same request may succeed in a few seconds."""
        if isinstance(error, SiteDown):
            return error.retry_after is None
        return isinstance(error, SiteUnreachable | Incomplete) and not self._stop()

    @contextmanager
    def _translated(self, kind: type[FetchError]) -> Iterator[None]:
        """Raises errors of the network as *kind*."""
        try:
            yield
        except TooSlowError as error:
            raise kind(f"{self.host} is too slow: {error}") from error
        except StoppedError as error:
            raise Stopped(f"stopped while {self.host} was answering") from error
        except (httpx.TransportError, httpx.InvalidURL) as error:
            raise kind(self._said(error, begun=kind is Incomplete)) from error

    def _said(self, error: Exception, *, begun: bool) -> str:
        """The message for an error of the network; *begun*: in the middle of an answer."""
        words = outage(error)
        if words is None and isinstance(error, httpx.TimeoutException):
            words = "timed out"
        if words is not None:
            what = "broke off while answering" if begun else "cannot be reached"
            return f"{self.host} {what}{self._way}: {words}"
        words = str(error) or type(error).__name__
        return f"{self.host}: {words.replace(self._token, '***') if self._token else words}"[:_LONGEST_WORDS]

    @property
    def host(self) -> str:
        """The host of these answers, for messages."""
        return self._base.netloc.decode("ascii").rpartition("@")[2]

    def ahead(self, now: datetime) -> timedelta:
        """By how much the site's clock is ahead of ours, which said *now* when it answered last.

        Zero if the site does not say, or if it cannot be true: with a clock that is wrong by days no
        certificate is valid.
        """
        ahead = timedelta() if self.answered_at is None else self.answered_at - now
        return ahead if abs(ahead) <= _MOST_AHEAD else timedelta()

    @property
    def has_token(self) -> bool:
        """Whether a token is sent with every request."""
        return self._token is not None

    def _authorization(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._token}"} if self._token else {}


def _validators(headers: httpx.Headers) -> Validators:
    return Validators(etag=headers.get("etag"), last_modified=headers.get("last-modified"))


def _address(base_url: str) -> httpx.URL:
    try:
        base = httpx.URL(base_url)
    except httpx.InvalidURL as error:
        raise ValueError(f"{base_url!r} is not a web address: {error}") from error
    if base.scheme not in {"http", "https"} or not base.host:
        raise ValueError(f"{base_url!r} is not a web address: it begins with neither http:// nor https://")
    return base
