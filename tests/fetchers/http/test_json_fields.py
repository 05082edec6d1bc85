"""Fields of a site's JSON."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.epoch import milliseconds
from fetchers.http.json_fields import flag, inner, moment, number, text


@pytest.mark.parametrize("value", [None, 7, True, [], {}, "", "  ", "\0"])
def test_what_is_no_text_is_none(value: object) -> None:
    """Another kind, or nothing but blanks, says nothing."""
    assert text({"x": value}, "x") is None


def test_text_is_fit_for_every_database() -> None:
    """NUL and halves of surrogate pairs are left out, the rest stays."""
    assert text({"x": " a\0b\ud800c ♔ "}, "x") == "abc ♔"


@pytest.mark.parametrize("value", [None, "7", True, float("nan"), float("inf"), 1e300, 10**30, []])
def test_what_is_no_number_is_none(value: object) -> None:
    """Neither texts nor truth nor what no clock or rating can be."""
    assert number({"x": value}, "x") is None


def test_a_float_that_is_whole_counts() -> None:
    """JSON does not tell the two kinds apart."""
    assert number({"x": 1500.0}, "x") == 1500


def test_only_true_is_true() -> None:
    """1 and "true" are not."""
    assert [flag({"x": value}, "x") for value in (True, 1, "true", None)] == [True, False, False, False]


def test_inner_objects_are_reached_or_empty() -> None:
    """A path through what is not there leads to an empty object."""
    record = {"a": {"b": {"c": 1}}, "d": 7}

    assert inner(record, "a", "b") == {"c": 1}
    assert inner(record, "d", "b") == {}


@given(st.datetimes(timezones=st.just(UTC), min_value=datetime(1971, 1, 1), max_value=datetime(2200, 1, 1)))  # noqa: DTZ001 - hypothesis wants them naive
def test_moments_are_milliseconds(at: datetime) -> None:
    """A moment survives the way to milliseconds and back, but for what is smaller."""
    assert moment(milliseconds(at)) == at.replace(microsecond=at.microsecond // 1000 * 1000)


@given(st.integers(-(2**53), 2**53))
def test_no_number_of_milliseconds_is_an_error(ms: int) -> None:
    """What no calendar has is None."""
    at = moment(ms)

    assert at is None or milliseconds(at) == ms
