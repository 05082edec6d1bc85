"""How far a round over a lichess account has come, and where the next one begins."""

import math
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Self

from core.game import Game
from fetchers.base import Cursor, Step
from fetchers.http.json_fields import inner, number
from fetchers.lichess.holes import Hole
from fetchers.lichess.records import ExportRecord

EARLIEST_MS: Final = 1_356_998_400_070
"""The smallest `since` that lichess accepts. Earlier games come when it is left out."""

OVERLAP_MS: Final = 24 * 3600 * 1000
"""How far before the newest known game every round begins: answers may lag."""

MOST_MISSED: Final = 10
"""A running game that this many complete answers left out is no longer waited for.

Unplayed games are deleted.
"""

MOST_REMEMBERED: Final = 10_000
"""The most games remembered during a round, unless one day has more."""

NOTHING: Final = "none of the games that it gave before"
NOT_THE_NEWEST: Final = "other games, but not the newest one that it gave before"

MOST_STRETCHES: Final = 10
"""The most requests for games that were running; the nearest ones share a request."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of time to ask for.

    Games that began after *since* and before *until* (ms), without bounds if None.

    Both bounds are exclusive here, as they were in older versions of the site; if they are inclusive, a game
    comes twice. *waited_for* are the games because of which it is asked for; it is done when they have come.
    """

    since: int | None
    until: int | None
    waited_for: frozenset[str] = frozenset()

    def around(self, holes: Sequence[Hole]) -> "list[Stretch]":
        """The pieces of it before, between and after these holes (sorted)."""
        pieces, rest = [], self
        for hole in holes:
            if not rest.lies_beside(hole):
                pieces.append(Stretch(rest.since, hole.since + 1))
                rest = Stretch(bound(hole.until), rest.until)
        return [piece for piece in (*pieces, rest) if not piece.is_empty]

    @property
    def is_empty(self) -> bool:
        """Whether it contains no moment."""
        return self.since is not None and self.until is not None and self.until - self.since <= 1

    def lies_beside(self, hole: Hole) -> bool:
        """Whether it contains no part of the hole."""
        begins_after = self.since is not None and hole.until <= self.since + 1
        return begins_after or (self.until is not None and self.until <= hole.since + 1)

    def asks_for(self, record: ExportRecord) -> bool:
        """Does this record lie after *since*? A site that ignores *since* tells the same again and again."""
        return self.since is None or record.created_at is None or record.created_at > self.since


def _closed(running: Sequence[tuple[int, str]]) -> list[Stretch]:
    """Stretches around the starts of running games (sorted), divided at the widest gaps."""
    gaps = sorted(((later - start, later) for (start, _), (later, _) in pairwise(running)), reverse=True)
    cuts = {later for gap, later in gaps[: MOST_STRETCHES - 1] if gap > OVERLAP_MS}
    groups: list[list[tuple[int, str]]] = []
    for start, native_id in running:
        if not groups or start in cuts:
            groups.append([])
            cuts.discard(start)
        groups[-1].append((start, native_id))
    return [
        Stretch(bound(group[0][0]), group[-1][0] + 1, frozenset(native_id for _, native_id in group))
        for group in groups
    ]


def bound(start: int) -> int | None:
    """The exclusive lower bound that still includes a game of this start."""
    return start - 1 if start > EARLIEST_MS else None


class Seen:
    """The games of a round so far, as far as they may come again; of a million it forgets most.

    What follows a capped answer begins at the newest start that came: a game that began a day earlier does
    not come again.

    Attributes:
        waited_for: Those that were running before the round, or are.
    """

    def __init__(self, running: Iterable[str]) -> None:
        self.waited_for: set[str] = set()
        self._running = frozenset(running)
        self._starts: dict[str, int | None] = {}
        self._most = MOST_REMEMBERED

    def __len__(self) -> int:
        return len(self._starts)

    def __contains__(self, key: object) -> bool:
        return key in self._starts

    def add(self, record: ExportRecord, *, oldest_first: bool) -> None:
        """This record has come; *oldest_first*: as have all before it, by their starts."""
        self._starts[record.key] = record.created_at
        if record.running or record.key in self._running:
            self.waited_for.add(record.key)
        if len(self._starts) > self._most and oldest_first and record.created_at is not None:
            self._forget(record.created_at - OVERLAP_MS)

    def _forget(self, before: int) -> None:
        self._starts = {key: start for key, start in self._starts.items() if start is None or start >= before}
        self._most = max(MOST_REMEMBERED, 2 * len(self._starts))


@dataclass(slots=True)
class StreamProgress:
    """What the cursor says, brought forward by each record.

    Attributes:
        newest: the newest start (ms) of a game up to which all games have come.
        running: start (ms) of each game that was last seen running.
        missed: how many complete answers in a row left a running game out.
        newest_whole: the newest start of a game that came whole. (What was aborted may be gone tomorrow; this may not.)
        broke: the start of the last game before the place where an answer broke off in the round before.
        holes: where answers always break off.
        asked: when (ms) the last whole round began, by the site's own clock; None where it does not say.
    """

    newest: int | None
    running: dict[str, int] = field(default_factory=dict)
    missed: dict[str, int] = field(default_factory=dict)
    newest_whole: int | None = None
    broke: int | None = None
    holes: list[Hole] = field(default_factory=list)
    asked: int | None = None
    _met: bool = False
    _known: int | None = None

    @classmethod
    def read(cls, cursor: Cursor) -> Self:
        running = inner(cursor, "running")
        missed = inner(cursor, "missed")
        starts = {key: start for key in running if (start := number(running, key)) is not None}
        return cls(
            number(cursor, "newest"),
            starts,
            {key: number(missed, key) or 0 for key in starts if key in missed},
            number(cursor, "told"),
            number(cursor, "broke"),
            Hole.read_all(cursor.get("holes")),
            number(cursor, "asked"),
            _known=number(cursor, "told"),
        )

    def cursor(self) -> Cursor:
        found: dict[str, object] = {} if self.newest is None else {"newest": self.newest}
        found |= {} if self.newest_whole is None else {"told": self.newest_whole}
        found |= {} if self.broke is None else {"broke": self.broke}
        found |= {} if self.asked is None else {"asked": self.asked}
        found |= {"holes": [hole.as_dict() for hole in self.holes]} if self.holes else {}
        found |= {"running": dict(self.running)} if self.running else {}
        return found | ({"missed": dict(self.missed)} if self.missed else {})

    def stretches(self, *, full: bool = False) -> list[Stretch]:
        """The stretches of time to ask for, the last one open: what is new, and where a game was running.

        A game that has been running for a year does not make us ask for the whole year, only for its moment.
        No stretch leads through a hole: it is asked for by itself.
        """
        if full or self.newest is None:
            return self._around([Stretch(None, None)])
        begin = self.newest - OVERLAP_MS
        old = sorted((start, native_id) for native_id, start in self.running.items() if start < begin)
        return self._around([*_closed(old), Stretch(bound(begin), None)])

    def _around(self, stretches: Sequence[Stretch]) -> list[Stretch]:
        holes = sorted(self.holes, key=lambda hole: hole.since)
        return [piece for stretch in stretches for piece in stretch.around(holes)]

    def reach(self, start: int, now: int) -> None:
        """Everything up to this start has come."""
        # A start in the future would hide all games until then.
        self.newest = max(self.newest or 0, min(start, now))

    def breaks_again(self, place: int) -> bool:
        """Note that an answer broke off after the game that began then; whether it did so there before."""
        again = self.broke == place
        self.broke = place
        return again

    def passed(self, stretch: Stretch) -> None:
        """Note that an answer for this stretch was complete, or that what follows its break has come."""
        if self.broke is not None and (stretch.since or 0) <= self.broke < (stretch.until or math.inf):
            self.broke = None

    def doubt(self, *, others: bool) -> str | None:
        """What is doubtful about a complete round that lacks the game that every round must have.

        Args:
            others: Whether any game came.
        """
        expected = self._known is not None and self.newest is not None
        if not expected or self._met or (self._known or 0) < (self.newest or 0) - OVERLAP_MS:
            return None
        return NOT_THE_NEWEST if others else NOTHING

    def take(self, record: ExportRecord, step: Step) -> None:
        """A record has come, which is this step of the round: is its game still waited for?"""
        self._met = self._met or (record.created_at is not None and record.created_at == self._known)
        if isinstance(step, Game) and record.created_at is not None:
            self.newest_whole = max(self.newest_whole or 0, record.created_at)
        if record.native_id is None:
            return
        self.missed.pop(record.native_id, None)
        if record.running and record.created_at is not None:
            self.running[record.native_id] = record.created_at
        else:
            self.running.pop(record.native_id, None)

    def miss(self, seen: AbstractSet[str]) -> None:
        """A round is complete, and *seen* are the games that came, of those that were running or are."""
        for native_id in self.running.keys() - seen:
            self.missed[native_id] = self.missed.get(native_id, 0) + 1
            if self.missed[native_id] >= MOST_MISSED:
                del self.running[native_id], self.missed[native_id]
