"""Options for FIDE's tie-breaks."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from functools import wraps
from typing import Any

import click


@dataclass(frozen=True, slots=True)
class TieBreakChoice:
    """The tie-breaks asked for, as codes in capitals, and the day whose rules apply (None.

    The tournament's).
    """

    codes: tuple[str, ...] = ()
    day: date | None = None


def tie_break_options(function: Callable[..., object]) -> Callable[..., object]:
    """The options that ask for tie-breaks; the command gets them as *broken*."""

    @wraps(function)
    def with_ties(*arguments: Any, tie_breaks: tuple[str, ...], day: datetime | None, **named: Any) -> object:
        wanted = TieBreakChoice(tie_breaks, day.date() if day else None)
        return function(*arguments, broken=wanted, **named)

    codes = click.option(
        "--tie-breaks",
        "tie_breaks",
        default="",
        metavar="BH/C1,SB,…",
        callback=_codes,
        help="With these tie-breaks of FIDE.",
    )
    date_ = click.option(
        "--date",
        "day",
        type=click.DateTime(["%Y-%m-%d", "%d.%m.%Y"]),
        help="Tie-breaks by the rules of this day (default: that of the first round).",
    )
    return codes(date_(with_ties))


def _codes(_ctx: click.Context, _parameter: click.Parameter, value: str) -> tuple[str, ...]:
    from core.club.tie_breaks import codes_of

    return codes_of(value)
