"""DWZ changes (DSB, Wertungsordnung, Anhang 2.4), and first ratings.

Expected scores are exact thousandths; a result lists the rules in it that could not be verified at their
source.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from core.club.rated_games import FirstRating, RatedGame, RatingChange, points, rounded

_FIRST_GAMES: Final = 5
_LOW: Final = 800
"""A first performance below this is pulled up towards it."""

FASTER: Final = "unverified: for players up to 20 the factor fB applies only to a score above the expectation"
SLOWER: Final = "unverified: SBr applies at all ages, and only to a score below the expectation"
WHOLE_E: Final = "unverified: the coefficient E is rounded to a whole number"
FIRST: Final = (
    "unverified: a first DWZ is the rating at which the score was to be expected; the DSB's tables can make a point of "
    "difference, and count games against players who get their first DWZ in the same tournament"
)


def dwz_expected(difference: int) -> Fraction:
    """The expected score, in thousandths, of the player who is *difference* points higher."""
    # The error function is odd, so both sides make 1 only if one of them is worked out.
    higher = Fraction(round(500 * (1 + math.erf(abs(difference) / 400))), 1000)
    return higher if difference >= 0 else 1 - higher


def dwz_change(rating: int, played: Sequence[RatedGame], *, age: int, index: int) -> RatingChange:
    """The change of a DWZ by a tournament: Rn = Ro + 800 / (E + n) * (W - We).

    Args:
        rating: The DWZ before.
        played: The games against players with a DWZ.
        age: In full years.
        index: The number after the DWZ: how many tournaments it is made of; 0 counts as 1.
    """
    expected = sum((dwz_expected(rating - game.opponent) for game in played), Fraction(0))
    difference = points(played) - expected
    coefficient = _coefficient(rating, age, index, difference)
    exact = 800 * difference / (coefficient + len(played))
    remarks = {
        WHOLE_E: True,
        FASTER: age <= 20 and rating < 2000 and difference <= 0,
        SLOWER: rating < 1300 and difference <= 0,
    }
    said = tuple(text for text, holds in remarks.items() if holds) if played else ()
    return RatingChange(rating, rounded(rating + exact), exact, expected, coefficient, said)


def _coefficient(rating: int, age: int, index: int, difference: Fraction) -> int:
    """E, the coefficient of development.

    Smaller for the young who do well, greater for the weak who do not.
    """
    ages = 5 if age <= 20 else 10 if age <= 25 else 15
    basic = (rating / 1000) ** 4 + ages
    faster = min(max(rating / 2000, 0.5), 1.0) if age <= 20 and difference > 0 else 1.0
    slower = math.exp((1300 - rating) / 150) - 1 if rating < 1300 and difference < 0 else 0.0
    highest = 150 if slower else min(30, 5 * max(index, 1))
    return min(max(round(basic * faster + slower), 5), highest)


def first_dwz(played: Sequence[RatedGame]) -> FirstRating:
    """The first DWZ of a player, from all their games against players with a DWZ."""
    if len(played) < _FIRST_GAMES:
        return FirstRating(None, f"{len(played)} of {_FIRST_GAMES} games against players with a DWZ")
    score = points(played)
    if score in {0, len(played)}:
        which = "won" if score else "lost"
        return FirstRating(
            None, f"all {len(played)} games are {which}: they are kept until one ends otherwise"
        )
    reached = _performance(played, float(score))
    how = f"{float(score):g} of {len(played)} were to be expected at {reached:.0f}"
    if reached >= _LOW:
        return FirstRating(round(reached), how=how, unverified=(FIRST,))
    low = round(700 + reached / 8)
    return FirstRating(low, how=f"{how}; below {_LOW}: 700 + {reached:.0f} / 8 = {low}", unverified=(FIRST,))


def _performance(played: Sequence[RatedGame], score: float) -> float:
    """The rating at which the expected scores add up to *score*: found by bisection, as they rise with it."""
    low = min(game.opponent for game in played) - 2000.0
    high = max(game.opponent for game in played) + 2000.0
    while high - low > 1e-6:
        between = (low + high) / 2
        if sum((1 + math.erf((between - game.opponent) / 400)) / 2 for game in played) < score:
            low = between
        else:
            high = between
    return high
