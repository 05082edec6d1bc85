"""When is an account, or a whole site, asked again? Pure: outcome, failures, Retry-After and the time in, a plan out.

| what happened                  | the account is due again          | the site is not asked before       |
|--------------------------------|-----------------------------------|------------------------------------|
| done                           | its interval, plus up to a tenth  | –                                  |
| stopped by us                  | at once                           | –                                  |
| broken off, odd answer, ours,  | 1, 2, 4 … min, at most 6 h; as    | –                                  |
| 5xx or silence for it alone    | long as the site said             |                                    |
| no such account (404, 410)     | 1 h, then a day                   | –                                  |
| not shown to us (401, 403)     | 1, 2, 4 … h, at most a day        | –                                  |
| closed                         | a day                             | –                                  |
| 429                            | when the site may be asked again  | what it said, 60 s to a day; where |
|                                |                                   | it said nothing 1, 2, 4 … min, 1 h |
| no network, site down          | when the site may be asked again  | 1, 2, 4 … min, at most 30 min; as  |
|                                |                                   | long as it said, at most a day     |
| our User-Agent refused         | when the site may be asked again  | 1 h, 2 h, … at most 6 h            |

An interval that is longer than a wait of the table wins over the account's wait where the account was done; a
wait is never longer than a day, so that a clock set wrong for an hour, or a Retry-After of ten years, heals by itself.
"""

import math
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from typing import Final

MINUTE: Final = 60.0
HOUR: Final = 3600.0
DAY: Final = 86400.0

GLANCES_A_DAY: Final = 100_000

SPREAD: Final = 0.1
"""The largest share of its interval by which an account is put off, so that not all are due together."""


class RoundEnd(StrEnum):
    """How a round ended, as far as it matters for the schedule."""

    DONE = "done"
    STOPPED = "stopped"
    INCOMPLETE = "incomplete"
    FAILED = "failed"
    NOT_FOUND = "not_found"
    REFUSED = "refused"
    CLOSED = "closed"
    RATE_LIMITED = "rate_limited"
    DOWN = "down"
    BLOCKED = "blocked"


OF_THE_SITE: Final = frozenset({RoundEnd.RATE_LIMITED, RoundEnd.DOWN, RoundEnd.BLOCKED})
"""Outcomes that are not due to one account."""


@dataclass(frozen=True, slots=True)
class NextTime:
    """When to ask again; times are seconds since 1970.

    Attributes:
        due_at: of the account.
        not_before: of the whole site, None where the site is free.
    """

    due_at: float
    not_before: float | None = None


def plan(
    outcome: RoundEnd,
    *,
    now: float,
    every: float,
    failures: int,
    retry_after: float | None = None,
    key: str = "",
) -> NextTime:
    """What follows from a round's *outcome*.

    Args:
        outcome: How the round ended.
        now: Seconds since 1970.
        every: The account's own interval in seconds.
        failures: Failed rounds of this kind in a row, this one included: the account's, or the site's for an
            outcome that concerns the whole site.
        retry_after: Seconds that the site asked us to wait, None if it said nothing.
        key: The account, from which its place in the spread follows.
    """
    if outcome in OF_THE_SITE:
        free = now + _site_wait(outcome, failures, retry_after)
        return NextTime(free, free)
    return NextTime(now + max(_account_wait(outcome, every, failures, key), min(retry_after or 0.0, DAY)))


def least_interval(accounts: int) -> int:
    """The least interval in seconds for which *accounts* on one site stay within a day's glances.

    lichess's own source lets an address ask for 120,000 accounts a day by `POST /api/users`; we stay below
    100,000.
    """
    return math.ceil(accounts * DAY / GLANCES_A_DAY)


def heal(due_at: float, *, now: float, every: float) -> float:
    """The due time, or *now* if it is further away than any plan puts it: then the clock was set back."""
    return due_at if due_at <= now + max(every * (1 + SPREAD), DAY) + MINUTE else now


def heal_gate(not_before: float, *, now: float) -> float:
    """The same for a whole site: no plan closes it for more than a day."""
    return not_before if not_before <= now + DAY + MINUTE else now


def _account_wait(outcome: RoundEnd, every: float, failures: int, key: str) -> float:
    match outcome:
        case RoundEnd.DONE:
            return every * (1 + SPREAD * _place(key))
        case RoundEnd.STOPPED:
            return 0.0
        case RoundEnd.NOT_FOUND:
            return HOUR if failures <= 1 else max(every, DAY)
        case RoundEnd.REFUSED:
            return _doubling(HOUR, failures, cap=DAY)
        case RoundEnd.CLOSED:
            return max(every, DAY)
        case _:
            return _doubling(MINUTE, failures, cap=6 * HOUR)


def _site_wait(outcome: RoundEnd, failures: int, retry_after: float | None) -> float:
    if outcome is RoundEnd.RATE_LIMITED:
        wait = _doubling(MINUTE, failures, cap=HOUR) if retry_after is None else retry_after
        return min(max(wait, MINUTE), DAY)
    if outcome is RoundEnd.BLOCKED:
        return _doubling(HOUR, failures, cap=6 * HOUR)
    return min(max(_doubling(MINUTE, failures, cap=30 * MINUTE), retry_after or 0.0), DAY)


def _doubling(first: float, failures: int, *, cap: float) -> float:
    return float(min(first * 2 ** min(max(failures - 1, 0), 30), cap))


def _place(key: str) -> float:
    """A number from 0 to 1 that is always the same for an account."""
    return int.from_bytes(blake2b(key.encode(), digest_size=4).digest()) / 2**32
