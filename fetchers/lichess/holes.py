"""Stretches of time in which lichess's answers always break off: reported, and rarely asked for again.

A game that the site cannot write breaks every answer that should contain it (lila#6719, lila#11928). Later
games are asked for from the other end; what is left between both ends is a hole, and made smaller by halves.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final, Self

from fetchers.http.json_fields import as_record, number

MOST_PROBES: Final = 8
"""The most requests in one round to make holes smaller."""

NARROW_MS: Final = 60_000
"""A hole of a minute is one game, and not divided any further."""

MOST_HOLES: Final = 100
"""More than these are not holes but a site that is down."""

_FIRST_WAIT_MS: Final = timedelta(days=1) // timedelta(milliseconds=1)
_LONGEST_WAIT_MS: Final = timedelta(days=30) // timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True, order=True)
class Hole:
    """Games that began between *since* and *until* (ms, exclusive), at least one of which fails.

    *checked*: when (ms) it was last asked for; *tries*: how often.
    """

    since: int
    until: int
    checked: int = 0
    tries: int = 0

    @classmethod
    def read_all(cls, records: object) -> list[Self]:
        """The holes in a cursor; invalid ones are left out."""
        found = []
        for item in records if isinstance(records, list) else []:
            record = as_record(item) or {}
            since, until = number(record, "since"), number(record, "until")
            if since is not None and until is not None and since < until:
                found.append(cls(since, until, number(record, "checked") or 0, number(record, "tries") or 0))
        return sorted(found)

    def as_dict(self) -> dict[str, object]:
        """The hole as a cursor keeps it."""
        return {"since": self.since, "until": self.until, "checked": self.checked, "tries": self.tries}

    def is_due(self, now: int) -> bool:
        """Whether to ask if the site can answer now: after a day, then after twice as long, up to a month."""
        wait = min(_FIRST_WAIT_MS << min(max(self.tries - 1, 0), 10), _LONGEST_WAIT_MS)
        return not self.checked <= now < self.checked + wait  # nor must a clock that was wrong silence it

    def halves(self) -> "tuple[Hole, Hole]":
        """Its two halves."""
        middle = (self.since + self.until) // 2
        return replace(self, until=middle), replace(self, since=middle - 1)

    def name(self, address: str) -> bytes:
        """Its key in the quarantine: the request that the site cannot answer."""
        return f"{address}?since={self.since}&until={self.until}".encode()

    def reason(self) -> str:
        """Why it is in quarantine, as a sentence."""
        begin, end = _moment(self.since), _moment(self.until)
        return f"the site's answer breaks off each time at a game that began between {begin} and {end}"


def _moment(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")


def changes(before: Sequence[Hole], after: Sequence[Hole]) -> tuple[list[Hole], list[Hole]]:
    """The holes that are new, and those that are gone."""
    old, new = ({(hole.since, hole.until) for hole in holes} for holes in (before, after))
    return (
        [hole for hole in after if (hole.since, hole.until) not in old],
        [hole for hole in before if (hole.since, hole.until) not in new],
    )
