"""Times for people: "in 31 min", "2 h ago", or the local date and time if that says more."""

import time
from datetime import UTC, datetime
from typing import Final

from daemon.cli.columns import Shown

_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86400
_FAR: Final = 14 * _DAY
"""From so many seconds on, a date says more than a number of days."""


def moment(rfc3339: str | None, now: float | None = None) -> Shown:
    """A time: RFC 3339 in a pipe; on a terminal how far away it is, or the local date if it is far away.

    Args:
        rfc3339: In UTC, as the API has it.
        now: Seconds since 1970; None: the clock's.
    """
    if rfc3339 is None:
        return Shown(None)
    away = seconds(rfc3339) - (time.time() if now is None else now)
    return Shown(rfc3339, relative(away) if abs(away) < _FAR else local(rfc3339))


def local(rfc3339: str, form: str = "%Y-%m-%d") -> str:
    """The time in this computer's zone, in the strftime format *form* (usually a date)."""
    return datetime.fromtimestamp(seconds(rfc3339), UTC).astimezone().strftime(form)


def seconds(rfc3339: str) -> float:
    """Seconds since 1970."""
    return datetime.fromisoformat(rfc3339).timestamp()


def relative(away: float) -> str:
    """``in 31 min``, ``2 h ago``, ``now``; *away*: seconds from now on, negative in the past."""
    far = abs(away)
    if far < _MINUTE:
        return "now"
    for unit, name in ((_DAY, "d"), (_HOUR, "h"), (_MINUTE, "min")):
        if far >= 2 * unit or (unit == _MINUTE):
            count = f"{round(far / unit)} {name}"
            break
    return f"in {count}" if away > 0 else f"{count} ago"
