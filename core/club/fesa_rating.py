"""The FESA shogi rating since 2000, for a whole tournament (club R5 to R9)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from core.club.fesa_game import BONUS_BELOW, BONUS_GAMES, change, steps
from core.club.grades import Grade, Handicap, seen_as
from core.club.performance import LOWEST, PerformanceGame, expected, performance
from core.club.promotion import ESTABLISHED, NEWCOMER, PROVISIONAL, GradeStanding, Series, after_event
from core.plurals import count_of

__all__ = [
    "Entrant",
    "EventGame",
    "PerformanceGame",
    "Rated",
    "RatedEvent",
    "change",
    "expected",
    "performance",
    "rate",
]

_PASSES: Final = 1000
"""Real events settle in about ten passes."""


@dataclass(frozen=True, slots=True)
class EventGame:
    """A rated game of an event, seen from one player."""

    opponent: int
    """An index into the event's list of players."""
    score: float
    handicap: Handicap | None = None


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player before an event, with their games in it in the order of the rounds."""

    name: str
    games: tuple[EventGame, ...] = ()
    rating: int | None = None
    games_before: int = 0
    bonus_used: int | None = None
    """How many of the 100 games with bonus are used; None if that is not known."""
    stored: tuple[PerformanceGame, ...] = ()
    """All earlier games of a player who is still rated by performance."""
    standing: GradeStanding = NEWCOMER
    prior_grade: Grade | None = None
    """A recognised grade from before the first event (club R8)."""


@dataclass(frozen=True, slots=True)
class Rated:
    """A player after an event."""

    name: str
    before: int | None
    after: int | None
    """None if they have no rating."""
    games_before: int
    games_after: int
    method: Literal["elo", "performance", "not rated"]
    bonus_used: int
    stored: tuple[PerformanceGame, ...]
    grade_before: Grade | None
    grade: Grade | None
    series: Series
    seen: tuple[PerformanceGame, ...] = ()
    """The games of the event, with the rating that each opponent counted with."""
    remarks: tuple[str, ...] = ()
    """What is missing, or could not be verified."""

    @property
    def change(self) -> int | None:
        """By how much the rating changed; None if they had none before or have none after."""
        return None if self.before is None or self.after is None else self.after - self.before

    @property
    def status(self) -> Literal["unrated", "provisional", "established"]:
        """By the number of rated games (club R9)."""
        if self.games_after < PROVISIONAL:
            return "unrated"
        return "provisional" if self.games_after < ESTABLISHED else "established"


@dataclass(frozen=True, slots=True)
class RatedEvent:
    """A rated event."""

    players: tuple[Rated, ...]
    settled: bool = True
    """False if the ratings kept changing from pass to pass.

    No result is right, and this is one of several.
    """


def by_performance(entrant: Entrant) -> bool:
    """Whether they are rated by all their games together, not by the change from game to game (club R7)."""
    if not entrant.rating or entrant.games_before == 0:
        return True
    if entrant.games_before + len(entrant.games) < PROVISIONAL:
        return True
    return {game.score for game in entrant.stored} in ({0}, {1})


def rate(entrants: Sequence[Entrant]) -> RatedEvent:
    """Rate an event as a whole (club R5): everyone's new rating depends on everyone else's.

    The ratings are worked out again and again, in the order of the list, until none changes.
    """
    rating = _EventRating(entrants)
    settled = rating.settle()
    return RatedEvent(tuple(rating.rated(number) for number in range(len(entrants))), settled=settled)


@dataclass(slots=True)
class _EventRating:
    """An event while it is being rated."""

    entrants: Sequence[Entrant]
    after: list[int] = field(init=False)
    performers: list[bool] = field(init=False)

    def __post_init__(self) -> None:
        self.performers = [by_performance(one) for one in self.entrants]
        self.after = [
            0 if performs else one.rating or 0
            for one, performs in zip(self.entrants, self.performers, strict=True)
        ]

    def settle(self) -> bool:
        """Repeat until nothing changes; False if it runs in a circle, or never ends."""
        seen: set[tuple[int, ...]] = set()
        while len(seen) < _PASSES:
            state = tuple(self.after)
            for number, entrant in enumerate(self.entrants):
                if entrant.games:
                    self.after[number] = self._worked_out(number)
            if tuple(self.after) == state:
                return True
            if state in seen:
                return False
            seen.add(state)
        return False

    def _worked_out(self, number: int) -> int:
        entrant = self.entrants[number]
        games = self._seen(number)
        if self.performers[number]:
            return performance([*_earlier(entrant), *games])
        assert entrant.rating, "unrated players are performers"
        return max(LOWEST, entrant.rating + round(_sum_of_changes(entrant.rating, games, entrant.bonus_used)))

    def _seen(self, number: int) -> list[PerformanceGame]:
        """A player's games of the event, with the current rating of each opponent."""
        entrant = self.entrants[number]
        my = self.after[number] if self.performers[number] else entrant.rating or 0
        return [
            PerformanceGame(seen_as(self.after[game.opponent], my, game.handicap), game.score)
            for game in entrant.games
        ]

    def rated(self, number: int) -> Rated:
        """The result for a player."""
        entrant, performs = self.entrants[number], self.performers[number]
        if not entrant.games:
            return _not_rated(entrant)
        earlier = _earlier(entrant)
        total = entrant.games_before + len(entrant.games)
        if entrant.games_before == 0:
            total += len(earlier)
        covered = total if performs else len(entrant.games)
        after = self.after[number]
        standing = after_event(
            entrant.standing,
            before=None if performs else entrant.rating,
            after=after,
            games=covered,
            total=total,
        )
        used = 0 if performs else min(BONUS_GAMES, (entrant.bonus_used or 0) + len(entrant.games))
        return Rated(
            name=entrant.name,
            before=entrant.rating or None,
            after=after,
            games_before=entrant.games_before,
            games_after=total,
            method="performance" if performs else "elo",
            bonus_used=used,
            stored=(*earlier, *self._seen(number)) if performs else (),
            grade_before=entrant.standing.grade,
            grade=standing.grade,
            series=standing.series,
            seen=tuple(self._seen(number)),
            remarks=_remarks(entrant, total, performs=performs),
        )


def _earlier(entrant: Entrant) -> tuple[PerformanceGame, ...]:
    """Games before the event that count for a performance.

    The stored ones, or the two for a grade (club R8).
    """
    if entrant.games_before == 0 and entrant.prior_grade is not None:
        worth = entrant.prior_grade.rating
        return (PerformanceGame(worth, 0), PerformanceGame(worth, 1))
    return entrant.stored


def _sum_of_changes(rating: int, games: Sequence[PerformanceGame], bonus_used: int | None) -> float:
    """The change by all the games together (club R6)."""
    return sum(one.change for one in steps(rating, games, bonus_used))


def _not_rated(entrant: Entrant) -> Rated:
    return Rated(
        name=entrant.name,
        before=entrant.rating or None,
        after=entrant.rating or None,
        games_before=entrant.games_before,
        games_after=entrant.games_before,
        method="not rated",
        bonus_used=entrant.bonus_used or 0,
        stored=entrant.stored,
        grade_before=entrant.standing.grade,
        grade=entrant.standing.grade,
        series=entrant.standing.series,
        remarks=("no rated game in this event", *_no_grade(entrant.standing.grade, entrant.games_before)),
    )


def _remarks(entrant: Entrant, total: int, *, performs: bool) -> tuple[str, ...]:
    remarks = list(_no_grade(entrant.standing.grade, total))
    missing = entrant.games_before - len(entrant.stored)
    if performs and missing > 0:
        remarks.append(
            f"unverified: the list lacks {missing} of their {count_of(entrant.games_before, 'earlier game')}, "
            "so the performance is that of the others"
        )
    if entrant.games_before >= PROVISIONAL and entrant.standing.grade is None:
        remarks.append("unverified: the list has no grade of theirs; promoted as if they had none")
    if not performs and entrant.bonus_used is None and (entrant.rating or 0) < BONUS_BELOW:
        remarks.append("unverified: the list does not say how many games had the bonus; rated without it")
    return tuple(remarks)


def _no_grade(grade: Grade | None, total: int) -> tuple[str, ...]:
    if grade is None and total < PROVISIONAL:
        return (f"no grade yet: {total} of {PROVISIONAL} rated games",)
    return ()
