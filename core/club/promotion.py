"""FESA promotions: the grade of a player after an event (club R13 and R14)."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from core.club import grades
from core.club.grades import Grade

PROVISIONAL: Final = 9
"""The number of rated games from which a player can have a grade (club R9)."""
ESTABLISHED: Final = 18
_AHEAD: Final = 20
"""How many lost games are looked ahead (club R13)."""


@dataclass(frozen=True, slots=True)
class Series:
    """Games in a row above the bounds of the next grade; carried from one event to the next."""

    above_lower: int = 0
    above_middle: int = 0
    middle_seen: bool = False
    """Whether one of the games above the lower bound was also above the middle."""

    def with_game(self, rating: Fraction | float, step: int) -> "Series":
        """The series after a game that was played at *rating*; *step* is the next grade."""
        if rating >= grades.middle(step):
            return Series(self.above_lower + 1, self.above_middle + 1, middle_seen=True)
        if rating >= grades.lower(step):
            return Series(self.above_lower + 1, 0, self.middle_seen)
        return Series()

    def promotes_to(self, step: int) -> bool:
        """Whether it is complete for this step."""
        by_lower, by_middle = grades.series_needed(step)
        long = by_lower is not None and self.above_lower >= by_lower and self.middle_seen
        return long or (by_middle is not None and self.above_middle >= by_middle)


NO_SERIES: Final = Series()


@dataclass(frozen=True, slots=True)
class GradeStanding:
    """A player's grade, and how far they are on the way to the next."""

    grade: Grade | None = None
    series: Series = NO_SERIES


NEWCOMER: Final = GradeStanding()
"""Without a grade."""


def after_event(
    standing: GradeStanding, *, before: int | None, after: int, games: int, total: int
) -> GradeStanding:
    """The standing after an event in which the rating went from *before* to *after*.

    The rating is taken to change evenly over the event's games.

    Args:
        standing: Before the event.
        before: The rating before; None for a player who was unrated.
        after: The rating after.
        games: How many games the change covers: the event's; for an unrated player all that they have played.
        total: How many rated games they have now.
    """
    start = after if before is None else before
    for number in range(1, games + 1):
        rating = start + Fraction(after - start, games) * number
        played = total - games + number
        if played >= ESTABLISHED:
            standing = _established(standing, rating)
        elif played >= PROVISIONAL:
            standing = _provisional(standing, rating)
    return _looked_ahead(standing, after) if total >= ESTABLISHED else standing


def _promoted(step: int) -> GradeStanding:
    return GradeStanding(grades.at(step))


def _established(standing: GradeStanding, rating: Fraction | float) -> GradeStanding:
    """One game of an established player: promoted at the upper bound of the next grade, else by a series."""
    while (step := grades.next_step(standing.grade)) is not None:
        if rating < grades.upper(step):
            series = standing.series.with_game(rating, step)
            if not series.promotes_to(step):
                return replace(standing, series=series)
        standing = _promoted(step)
    return standing


def _provisional(standing: GradeStanding, rating: Fraction | float) -> GradeStanding:
    """One game of a provisional player: promoted only from the upper bound of the grade after the next."""
    while (step := grades.next_step(standing.grade)) is not None:
        above = grades.next_step(grades.at(step))
        if above is None or rating < grades.upper(above):
            return standing
        standing = _promoted(step)
    return standing


def _looked_ahead(standing: GradeStanding, rating: float) -> GradeStanding:
    """Promote a player who would be promoted even if they lost every game from now on."""
    step = grades.next_step(standing.grade)
    if step is None:
        return standing
    future = standing
    for _ in range(_AHEAD):
        rating -= grades.k_factor(rating)
        future = _established(future, rating)
        if future.grade != standing.grade:
            return _promoted(step)
    return standing
