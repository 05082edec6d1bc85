"""Moments as milliseconds since 1970, and back."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.epoch import milliseconds, moment


@given(st.integers(-62_135_596_800_000, 253_402_300_799_999))
def test_there_and_back(ms: int) -> None:
    """Nothing is rounded, before 1970 and after it."""
    assert milliseconds(moment(ms)) == ms


def test_zones() -> None:
    """A moment is the same in every zone; without a zone it is in UTC."""
    assert milliseconds(datetime(1970, 1, 1, 2, tzinfo=timezone(timedelta(hours=2)))) == 0
    assert milliseconds(datetime(1970, 1, 1, 0, 0, 1)) == 1000  # noqa: DTZ001 - the zone is what is left out
    assert moment(1000) == datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)


def test_what_no_calendar_has() -> None:
    """A year after 9999 is an error of its own kind."""
    with pytest.raises(OverflowError):
        moment(1 << 62)
