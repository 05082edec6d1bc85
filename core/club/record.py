"""A tournament as read from a results file of any kind, and as a tournament is created from it.

A player's id is their number in the file, as text: "7".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Literal

from core.club.tournament import Away, Competitor, TournamentRound

TableKind = Literal["keizer", "points"]
"""The system of the table: Keizer, or points for wins and draws as in a Swiss tournament or a round robin."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What a file says of the tournament itself; empty fields are omitted when writing."""

    name: str
    city: str = ""
    federation: str = ""
    days: tuple[date | None, ...] = ()
    """The day of each round, also of those to come; None if it is not known."""
    planned_rounds: int | None = None
    arbiter: str = ""
    time_control: str = ""
    start: date | None = None
    """The first day, if the file gives it; else it is the first of *days*."""
    end: date | None = None

    @property
    def first_day(self) -> date | None:
        """When it begins."""
        return min((day for day in (self.start, *self.days) if day), default=None)

    @property
    def last_day(self) -> date | None:
        """When it ends."""
        return max((day for day in (self.end, *self.days) if day), default=None)


@dataclass(frozen=True, slots=True)
class RecordPlayer:
    """A player of the file. Empty means that the file does not say."""

    number: int
    """Their number in the file, from 1 on; the member's number in the tournament."""
    player: Competitor
    fide_id: str = ""
    title: str = ""
    sex: str = ""
    """"m" or "w"."""
    birth: str = ""
    """As the file writes it: "1975/06/25", "1975"."""
    category: str = ""
    group: str = ""
    """Their group within the tournament."""
    terms: Mapping[str, str] = field(default_factory=dict)
    """Settings that differ for this player, as texts."""
    handles: tuple[str, ...] = ()
    nation: str = ""
    """As stored, see `core.club.nations`."""
    grade: str = ""
    """What FESA's files have next to the nation."""
    macmahon: Fraction | None = None
    spelled: str = ""
    """How FESA's file spells the name, if that is not the usual way: see `core.club.spelling`."""
    newcomer: bool = False
    """Whether they are new to rated tournaments."""


@dataclass(frozen=True, slots=True)
class TournamentRecord:
    """A tournament. *rounds* are those that were paired; *coming* are the known absences of the next one.

    *settings* are texts by the names of settings. *notes* say what the tournament here cannot show, or counts
    differently from the file: nothing is lost, because the file itself is kept.
    """

    heading: Heading
    entries: tuple[RecordPlayer, ...] = ()
    rounds: tuple[TournamentRound, ...] = ()
    coming: tuple[Away, ...] = ()
    complete: int | None = None
    """How many of the rounds have their table; None: all except a last one with games without a result."""
    kind: TableKind = "points"
    settings: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def with_table(self) -> int:
        """How many of the rounds have their table: all, or all except the last."""
        last = len(self.rounds)
        if self.complete is None:
            return last - any(game.result is None for one in self.rounds[-1:] for game in one.games)
        return max(min(self.complete, last), last - 1)

    @property
    def players(self) -> tuple[Competitor, ...]:
        """The field."""
        return tuple(entry.player for entry in self.entries)
