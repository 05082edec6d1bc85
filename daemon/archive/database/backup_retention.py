"""Which backups are kept: spread over hours, days and weeks, so that many in a row displace no old ones."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import cycle
from typing import Final

_HOUR: Final = 3600
_DAY: Final = 24 * _HOUR
_PERIODS: Final = (_DAY, 7 * _DAY, _HOUR)
"""Seconds; each in turn adds one backup."""


def kept(times: Iterable[datetime], count: int) -> frozenset[datetime]:
    """Those of *times* that stay if only *count* can.

    The newest one; then, in turn, the newest one of a further day, of a further week and of a further hour;
    and when there is no further one of these, the oldest of the rest: they were there before many were made
    in a row.
    """
    left = sorted(set(times), reverse=True)
    chosen = left[:1]
    misses = 0
    for period in cycle(_PERIODS):
        if len(chosen) >= min(count, len(left)) or misses == len(_PERIODS):
            break
        found = _further(left, chosen, period)
        misses = misses + 1 if found is None else 0
        if found is not None:
            chosen.append(found)
    rest = (time for time in reversed(left) if time not in chosen)
    return frozenset([*chosen, *rest][:count])


def _further(times: Sequence[datetime], chosen: Sequence[datetime], period: int) -> datetime | None:
    """The newest of *times*, newest first, in a period of which none is *chosen*."""
    covered = {_number(time, period) for time in chosen}
    return next((time for time in times if _number(time, period) not in covered), None)


def _number(time: datetime, period: int) -> int:
    return int(time.timestamp()) // period
