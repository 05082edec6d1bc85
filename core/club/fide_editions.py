"""FIDE's rating regulations (handbook B.02) by date: the rules for a tournament that ends on a given day."""

from dataclasses import dataclass
from datetime import date
from typing import Final


@dataclass(frozen=True, slots=True)
class Edition:
    """The rules that have changed since 2014.

    Attributes:
        since: The first day on which they apply.
        capped_once: A player who is more than 400 points higher has that counted as 400 in only one game of
            an event.
        uncapped_from: From this rating on differences count in full.
        floor: Below it a player is unrated.
        hypothetical: A first rating counts two draws against 1800, and is 2200 at most.
    """

    since: date
    capped_once: bool = False
    uncapped_from: int | None = None
    floor: int = 1400
    hypothetical: bool = True

    def __str__(self) -> str:
        return f"FIDE's rating regulations B.02 as of {self.since}"


EDITIONS: Final = (
    Edition(date(2014, 7, 1), floor=1000, hypothetical=False),
    Edition(date(2022, 1, 1), capped_once=True, floor=1000, hypothetical=False),
    Edition(date(2024, 3, 1)),
    Edition(date(2025, 10, 1), uncapped_from=2650),
)
"""Oldest first."""
NEWEST: Final = EDITIONS[-1]
TOO_OLD: Final = f"unverified: before {EDITIONS[0].since} other rules held, which are not known here; those of that day are used"
FROM_MEMORY: Final = "unverified: the rules before 2024-03-01 are from memory"


def edition_on(day: date | None) -> Edition:
    """The edition of a day, the oldest known for days before it; the newest if the day is not known."""
    if day is None:
        return NEWEST
    return next((one for one in reversed(EDITIONS) if one.since <= day), EDITIONS[0])


def doubts(day: date | None) -> tuple[str, ...]:
    """What is uncertain about the rules of a day."""
    if day is None or day >= date(2024, 3, 1):
        return ()
    return (FROM_MEMORY, TOO_OLD) if day < EDITIONS[0].since else (FROM_MEMORY,)
