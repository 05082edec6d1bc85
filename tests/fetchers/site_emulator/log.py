"""What was asked, and which rules of the sites a client broke in asking."""

import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Lock
from typing import Final

from tests.fetchers.site_emulator.answers import Asked
from tests.fetchers.site_emulator.chesscom_site import CONTACT
from tests.fetchers.site_emulator.lichess_events_site import is_broadcast
from tests.fetchers.site_emulator.lichess_site import ELASTIC
from tests.fetchers.site_emulator.values import CHESSCOM, LICHESS, Clock

MINUTE: Final = 60.0
"""How long a client must stay away after a 429 that names no time."""
LONGEST: Final = 86_400.0
"""A client need not believe in a longer Retry-After."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request. *ended* and *status* are None while it is in flight; times are those of the emulator's clock."""

    site: str
    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes
    started: float
    ended: float | None = None
    status: int | None = None


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule of a site that a request broke."""

    site: str
    rule: str
    path: str
    at: float


class Entry:
    """A request in the making: what the server tells the log of it."""

    def __init__(self, site: str, asked: Asked, connection: socket.socket, clock: Clock) -> None:
        self.site = site
        self.asked = asked
        self.started = clock()
        self.ended: float | None = None
        self.status: int | None = None
        self._connection = connection
        self._clock = clock

    def end(self) -> None:
        """The site is done with it (called just before the last byte goes out, so that no client is quicker)."""
        if self.ended is None:
            self.ended = self._clock()

    def in_flight(self) -> bool:
        """Is it still being answered, and does anybody still listen?"""
        return self.ended is None and not hung_up(self._connection)

    def request(self) -> Request:
        """The record of it."""
        asked = self.asked
        return Request(
            site=self.site,
            method=asked.method,
            path=asked.path,
            query=asked.query,
            headers=asked.headers,
            body=asked.body,
            started=self.started,
            ended=self.ended,
            status=self.status,
        )


def hung_up(connection: socket.socket) -> bool:
    """Has the other side closed this connection?"""
    try:
        return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


class Log:
    """All requests and violations; safe to use from all threads."""

    def __init__(self, clock: Callable[[], Clock]) -> None:
        self._clock = clock
        self._lock = Lock()
        self._entries: list[Entry] = []
        self._flying: list[Entry] = []
        self._violations: list[Violation] = []
        self._not_before: dict[str, float] = {}

    def now(self) -> float:
        """What the sites' clock says."""
        return self._clock()()

    def begin(self, site: str, asked: Asked, connection: socket.socket) -> tuple[Entry, list[Entry]]:
        """Note a request; the second part is those of the same site that are in flight already."""
        entry = Entry(site, asked, connection, self._clock())
        with self._lock:
            self._flying = [other for other in self._flying if other.in_flight()]
            others = [other for other in self._flying if other.site == site]
            self._entries.append(entry)
            self._flying.append(entry)
            self._violations += [
                Violation(site, rule, asked.path, entry.started) for rule in _manners(site, asked)
            ]
            if others:
                self._violations.append(
                    Violation(site, "second request in flight", asked.path, entry.started)
                )
            if any(entry.started < self._not_before.get(held, 0) for held in (site, _limit(site, asked))):
                self._violations.append(Violation(site, "too soon after a 429", asked.path, entry.started))
        return entry, others

    def limited(self, site: str, asked: Asked, retry_after: str | None) -> None:
        """Note that the site has answered 429."""
        now = self._clock()()
        held = _limit(site, asked)
        with self._lock:
            until = now + wait_of(retry_after, now)
            self._not_before[held] = max(until, self._not_before.get(held, 0))

    @property
    def requests(self) -> list[Request]:
        """All requests so far, in the order of their arrival."""
        with self._lock:
            return [entry.request() for entry in self._entries]

    @property
    def violations(self) -> list[Violation]:
        """All violations so far."""
        with self._lock:
            return list(self._violations)

    def clear(self) -> None:
        """Forget the requests and violations that are over; those in flight and the waits stay."""
        with self._lock:
            self._entries = [entry for entry in self._entries if entry.ended is None]
            self._violations.clear()


def _limit(site: str, asked: Asked) -> str:
    """Whose limit a 429 for this request is: lichess's broadcasts have one of their own."""
    return f"{site} broadcasts" if site == LICHESS and is_broadcast(asked) else site


def wait_of(retry_after: str | None, now: float) -> float:
    """Seconds to stay away, from a Retry-After header: seconds, a date, or neither."""
    text = (retry_after or "").strip()
    if text.isdecimal():
        return min(float(text), LONGEST)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return MINUTE
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return min(max((aware - datetime.fromtimestamp(now, UTC)).total_seconds(), 0), LONGEST)


def _manners(site: str, asked: Asked) -> list[str]:
    """The rules that this request breaks, whatever came before it."""
    broken = []
    if not CONTACT.search(asked.header("user-agent")):
        broken.append("no contact in the User-Agent")
    if site == CHESSCOM and any(part != part.lower() for part in asked.segments):
        broken.append("upper-case handle")
    if site == LICHESS and asked.segments[:3] == ("api", "games", "user"):
        broken += [f"filter {name}" for name in ELASTIC if name in asked.query]
        times = {name: asked.query[name] for name in ("since", "until") if name in asked.query}
        broken += [
            f"{name} is not in milliseconds" for name, text in times.items() if not _milliseconds(text)
        ]
    return broken


def _milliseconds(text: str) -> bool:
    return text.isdecimal() and len(text) >= 13
