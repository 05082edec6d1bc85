"""Maps an error response, by status, headers and body, to one of `fetchers.errors`."""

import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from fetchers.errors import BadAnswer, Blocked, FetchError, Gone, NotFound, RateLimited, SiteDown

LONGEST_WAIT_S = 86_400.0
"""No site's order to wait is obeyed for longer than a day at a time."""

_SHOWN_CHARACTERS = 200

_REFUSED = {
    401: ("token", "make a new one on the site and put it into token_file, or leave token_file out"),
    403: (
        "User-Agent, address or token",
        "see that contact and token_file in the configuration are right, or write to the site",
    ),
}
"""What a site that answers so objects to, and what a person can do."""


class BlockedByPageError(Blocked):
    """404 with a web page: a guard of the site refuses us, or it is the page of an unknown account."""


def refusal(host: str, status: int, headers: Mapping[str, str], body: bytes, *, now: datetime) -> FetchError:
    """The error for an answer whose status is neither 200 nor 304.

    Args:
        host: Whose answer it is, for the message.
        status: HTTP status.
        headers: With any letter case (httpx.Headers).
        body: Its first bytes.
        now: UTC, to make seconds of a date in Retry-After.
    """
    said = _said(body)
    answer = f"{host} answers {status}{f' ({said})' if said else ''}"
    wait = asked_wait(headers, body, now=now)
    if headers.get("cf-mitigated") == "challenge":
        return Blocked(f"{answer}: it wants a browser, not a program; wait a day, or write to the site")
    if status in {401, 403}:
        refused, remedy = _REFUSED[status]
        return Blocked(f"{answer}: it refuses our {refused}; {remedy}", status)
    if status == 404 and is_html(headers, body):
        # Both sites say in JSON that something is not there. A page comes from what stands before them.
        what = f"{answer} with a web page: it does not like our User-Agent or address"
        return BlockedByPageError(f"{what}; {_REFUSED[403][1]}")
    return _by_status(status, answer, wait)


def _by_status(status: int, answer: str, wait: float | None) -> FetchError:
    if status == 404:
        return NotFound(answer)
    if status == 410:
        return Gone(answer)
    if status == 429:
        return RateLimited(f"{answer}: it wants us to wait{'' if wait is None else f' {wait:.0f} s'}", wait)
    if status >= 500:
        return SiteDown(answer, wait)
    return BadAnswer(answer)


def asked_wait(headers: Mapping[str, str], body: bytes, *, now: datetime) -> float | None:
    """How many seconds the site asks us to wait.

    By Retry-After or lichess's ``ratelimit`` object, the longer one.
    """
    waits = [_header_wait(headers, now), _body_wait(body)]
    known = [wait for wait in waits if wait is not None]
    return min(max(0.0, *known), LONGEST_WAIT_S) if known else None


def _header_wait(headers: Mapping[str, str], now: datetime) -> float | None:
    text = (headers.get("retry-after") or "").strip()
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return float(text) if len(text) < 20 else LONGEST_WAIT_S
    until = read_date(text)
    # The site's own clock measures the site's own date; ours may be wrong.
    return None if until is None else (until - (read_date(headers.get("date") or "") or now)).total_seconds()


def read_date(text: str) -> datetime | None:
    """The moment of a date as HTTP writes it, None if it is not one."""
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def _body_wait(body: bytes) -> float | None:
    answer = _json(body)
    limit = answer.get("ratelimit") if isinstance(answer, dict) else None
    seconds = limit.get("seconds") if isinstance(limit, dict) else None
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return None
    return float(min(seconds, LONGEST_WAIT_S)) if math.isfinite(seconds) else None


def is_html(headers: Mapping[str, str], body: bytes) -> bool:
    """Whether this is a web page, whatever was asked for."""
    return "html" in (headers.get("content-type") or "").lower() or body.lstrip()[:1] == b"<"


def _said(body: bytes) -> str:
    """The site's own words, if its answer has any."""
    answer = _json(body)
    words = (answer.get("error") or answer.get("message")) if isinstance(answer, dict) else None
    if not isinstance(words, str):
        return ""
    return "".join(c if c.isprintable() else " " for c in words[:_SHOWN_CHARACTERS]).strip()


def _json(body: bytes) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
