"""What every rating is based on: games against rated opponents, and rounding."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game against a rated opponent: the opponent's rating, and the score 1, 1/2 or 0."""

    opponent: int
    score: Fraction

    def __post_init__(self) -> None:
        """Refuse any other score."""
        if self.score not in (0, Fraction(1, 2), 1):
            raise ValueError(f"a game is worth 1, 1/2 or 0, not {self.score}")


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The change of a rating by games."""

    before: int
    after: int
    exact: Fraction
    """The change, not rounded."""
    expected: Fraction
    """The expected score."""
    coefficient: int
    """FIDE's K, or the DWZ's E."""
    unverified: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FirstRating:
    """A first rating; None, with the reason, if there is none yet."""

    rating: int | None
    reason: str = ""
    how: str = ""
    """How it was worked out, so that it can be checked by hand."""
    unverified: tuple[str, ...] = ()


def points(played: Sequence[RatedGame]) -> Fraction:
    """The points of these games together."""
    return sum((game.score for game in played), Fraction(0))


def rounded(number: Fraction) -> int:
    """To the nearest whole number; halves away from zero."""
    size = math.floor(abs(number) + Fraction(1, 2))
    return size if number >= 0 else -size
