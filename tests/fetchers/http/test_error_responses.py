"""What answers that are none mean."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fetchers.errors import BadAnswer, Blocked, FetchError, Gone, NotFound, RateLimited, SiteDown
from fetchers.http.error_responses import LONGEST_WAIT_S, asked_wait, refusal

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def wait(header: str | None, body: bytes = b"", date: str | None = None) -> float | None:
    headers = {"retry-after": header} if header is not None else {}
    return asked_wait(headers | ({"date": date} if date else {}), body, now=NOW)


def test_seconds() -> None:
    """Retry-After in seconds."""
    assert wait("300") == 300.0


def test_a_date() -> None:
    """Retry-After as an HTTP date is that long from now."""
    assert wait(format_datetime(NOW + timedelta(minutes=7), usegmt=True)) == 420.0


def test_a_date_is_measured_by_the_sites_own_clock() -> None:
    """If our clock is wrong by hours, the Date header of the same answer helps."""
    theirs = NOW + timedelta(hours=5)

    assert (
        wait(format_datetime(theirs + timedelta(minutes=7), usegmt=True), date=format_datetime(theirs))
        == 420.0
    )


def test_a_date_in_the_past_is_no_wait() -> None:
    """It is over already."""
    assert wait(format_datetime(NOW - timedelta(hours=1))) == 0.0


@pytest.mark.parametrize("text", ["", "soon", "-5", "1e9", "٣", "99999999999999999999 GMT", "1.2.3", None])
def test_nonsense_is_as_if_it_were_not_there(text: str | None) -> None:
    """What is neither seconds nor a date says nothing."""
    assert wait(text) is None


@pytest.mark.parametrize("text", ["315360000", "9" * 400, "Fri, 31 Dec 2036 23:59:59 GMT"])
def test_ten_years_are_a_day(text: str) -> None:
    """No order to wait counts for longer than a day."""
    assert wait(text) == LONGEST_WAIT_S


def test_the_body_counts_too() -> None:
    """Lichess says it in its JSON, under `ratelimit`."""
    assert wait(None, b'{"error":"x","ratelimit":{"key":"api","seconds":86398}}') == 86398.0


def test_the_longer_wait_counts() -> None:
    """Header and body may differ."""
    assert wait("300", b'{"ratelimit":{"seconds":60}}') == 300.0
    assert wait("30", b'{"ratelimit":{"seconds":60}}') == 60.0


@pytest.mark.parametrize("seconds", ["true", '"60"', "null", "NaN", "Infinity", "[]"])
def test_a_body_with_no_number(seconds: str) -> None:
    """Only numbers are seconds."""
    assert wait(None, b'{"ratelimit":{"seconds":%s}}' % seconds.encode()) is None


@given(st.text(max_size=40), st.binary(max_size=80))
def test_whatever_a_site_sends_gives_a_wait_within_a_day(header: str, body: bytes) -> None:
    """Nothing is raised, and no wait is negative or longer than a day."""
    found = wait(header, body)

    assert found is None or 0 <= found <= LONGEST_WAIT_S


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (201, BadAnswer),
        (204, BadAnswer),
        (400, BadAnswer),
        (401, Blocked),
        (403, Blocked),
        (404, NotFound),
        (410, Gone),
        (418, BadAnswer),
        (429, RateLimited),
        (500, SiteDown),
        (503, SiteDown),
        (599, SiteDown),
    ],
)
def test_each_status_has_its_error(status: int, error: type[FetchError]) -> None:
    """The daemon never sees a number."""
    assert type(refusal("lichess.org", status, {}, b"", now=NOW)) is error


def test_404_as_json_is_the_sites_own() -> None:
    """Both sites say in JSON that something is not there."""
    headers = {"content-type": "application/json"}

    assert isinstance(refusal("lichess.org", 404, headers, b'{"error":"Not found"}', now=NOW), NotFound)


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"content-type": "text/html; charset=utf-8"}, b""),
        ({}, b"\n<!DOCTYPE html>"),
        ({"content-type": "TEXT/HTML"}, b"x"),
    ],
)
def test_404_as_a_page_is_a_block(headers: dict[str, str], body: bytes) -> None:
    """It comes from what stands before the site, which does not like our User-Agent (sites trap 9)."""
    assert isinstance(refusal("lichess.org", 404, headers, body, now=NOW), Blocked)


def test_a_challenge_is_a_block() -> None:
    """Cloudflare's challenge wants a browser; with whatever status it comes, waiting does not help."""
    assert isinstance(
        refusal("api.chess.com", 503, {"cf-mitigated": "challenge"}, b"<html>", now=NOW), Blocked
    )


def test_503_may_order_a_wait() -> None:
    """Retry-After belongs to 503 as well."""
    error = refusal("lichess.org", 503, {"retry-after": "120"}, b"", now=NOW)

    assert isinstance(error, SiteDown)
    assert error.retry_after == 120.0


def test_the_sites_own_words_are_told() -> None:
    """The message says what the site said, on one printable line of bounded length."""
    body = b'{"code":0,"message":"User \\"nobody\\"\\n\\u001b[31m not found.' + b"x" * 5000 + b'"}'
    text = str(refusal("api.chess.com", 404, {}, body, now=NOW))

    assert 'User "nobody"' in text
    assert text.isprintable()
    assert len(text) < 300
