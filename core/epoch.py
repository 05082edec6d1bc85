"""Moments as milliseconds since 1970 in UTC, and back: exact, for every date of the calendar."""

from datetime import UTC, datetime, timedelta
from typing import Final

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


def milliseconds(moment: datetime) -> int:
    """Milliseconds from 1970 to *moment*; a time without zone is UTC, as every site means it."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - EPOCH) // _MILLISECOND


def moment(ms: int) -> datetime:
    """The moment so many milliseconds after 1970, in UTC.

    Raises:
        OverflowError: no calendar has it.
    """
    return EPOCH + ms * _MILLISECOND
