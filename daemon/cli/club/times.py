"""Options for the time of an evening, in this computer's time zone."""

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final, TypeVar

import click

if TYPE_CHECKING:
    from daemon.club.evening import When

_F = TypeVar("_F", bound=Callable[..., object])
_NIGHT: Final = time(4)
"""An evening without a stated end is over at this time of the next day."""


def when_options(function: _F) -> _F:
    """The options that say when an evening is: *day*, *begins* and *ends*."""
    day = click.option(
        "--date",
        "day",
        type=click.DateTime(["%Y-%m-%d", "%d.%m.%Y"]),
        help="Of the evening (default: today).",
    )
    begins = click.option(
        "--from", "begins", type=click.DateTime(["%H:%M"]), help="Games online count from then on."
    )
    ends = click.option("--to", "ends", type=click.DateTime(["%H:%M"]), help="… and begin before then.")
    return day(begins(ends(function)))


def when_of(day: datetime | None, begins: datetime | None, ends: datetime | None) -> "When | None":
    """The evening that these options give; None if they give none.

    Without a time it is the whole day and the night after it; an end before the beginning is on the next day.
    """
    if day is None and begins is None and ends is None:
        return None
    first, last = (one.time() if one else None for one in (begins, ends))
    return evening(day.date() if day else today(), first, last)


def evening(day: date, begins: time | None = None, ends: time | None = None) -> "When":
    """The evening of a day."""
    from daemon.club.evening import When

    first = datetime.combine(day, begins or time())
    last = datetime.combine(day, ends or _NIGHT)
    if last <= first or ends is None:
        last += timedelta(days=1)
    return When(day, _milliseconds(first), _milliseconds(last))


def today() -> date:
    """The day on this computer."""
    return date.today()  # noqa: DTZ011 - an evening is on the day that the clock on the wall shows


def _milliseconds(local: datetime) -> int:
    return int(local.astimezone().timestamp() * 1000)
