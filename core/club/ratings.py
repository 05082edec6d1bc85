"""What games change in a FIDE rating (handbook B.02) and in a DWZ (DSB, Wertungsordnung, Anhang 2.4).

Numbers are exact; a result lists the rules in it that could not be verified at their source.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

_DIFFERENCES: Final = (
    *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121),
    *(129, 137, 145, 153, 162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267),
    *(278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735),
)
"""Up to which difference each hundredth of expected score goes, from 0.50 on (table 8.1.2)."""
_DP: Final = (
    *(
        0,
        7,
        14,
        21,
        29,
        36,
        43,
        50,
        57,
        65,
        72,
        80,
        87,
        95,
        102,
        110,
        117,
        125,
        133,
        141,
        149,
        158,
        166,
        175,
        184,
    ),
    *(
        193,
        202,
        211,
        220,
        230,
        240,
        251,
        262,
        273,
        284,
        296,
        309,
        322,
        336,
        351,
        366,
        383,
        401,
        422,
        444,
        470,
    ),
    *(501, 538, 589, 677, 800),
)
"""The rating difference of each hundredth of score from 0.50 to 1.00 (table 8.1.1)."""

_CAP: Final = 400
_UNCAPPED_FROM: Final = 2650
_LOWEST: Final = 1400
_HIGHEST_INITIAL: Final = 2200
_INITIAL_GAMES: Final = 5
_HYPOTHETICAL: Final = 1800
_K_GAMES: Final = 700

UNCAPPED: Final = (
    "unverified: for players from 2650 on a difference over 400 counts in full since 1 October 2025 "
    "(secondary source)"
)
HALVES: Final = "unverified: a half is rounded away from zero"
K_LOWERED: Final = "unverified: K is lowered so that K times the games is at most 700 (from memory)"
INITIAL: Final = (
    "unverified: initial ratings with two draws against 1800, at most 2200, at least 1400, from 5 games on "
    "(from memory of the 2024 text)"
)
FASTER: Final = "unverified: for players up to 20 the factor fB applies only to a score above the expectation"
SLOWER: Final = "unverified: SBr applies at all ages, and only to a score below the expectation"
WHOLE_E: Final = "unverified: the coefficient E is rounded to a whole number"


@dataclass(frozen=True, slots=True)
class Played:
    """A game against a rated opponent: his rating, and the score 1, 1/2 or 0."""

    opponent: int
    score: Fraction

    def __post_init__(self) -> None:
        """Refuse other scores."""
        if self.score not in (0, Fraction(1, 2), 1):
            raise ValueError(f"a game is worth 1, 1/2 or 0, not {self.score}")


@dataclass(frozen=True, slots=True)
class Change:
    """A rating after games."""

    before: int
    after: int
    exact: Fraction
    """The change, not rounded."""
    expected: Fraction
    """The score that was to be expected."""
    coefficient: int
    """FIDE's K, or the DWZ's E."""
    unverified: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InitialRating:
    """A first FIDE rating; None with the reason if there is none yet."""

    rating: int | None
    reason: str = ""
    unverified: tuple[str, ...] = (INITIAL,)


def fide_expected(difference: int) -> Fraction:
    """The expected score of the one who is *difference* points higher; negative for the lower one (table 8.1.2)."""
    hundredths = 50 + bisect_left(_DIFFERENCES, abs(difference))
    return Fraction(hundredths if difference >= 0 else 100 - hundredths, 100)


def fide_k(rating: int, *, games: int, age: int | None = None, reached_2400: bool = False) -> int:
    """The development coefficient K.

    Args:
        rating: The current rating.
        games: How many rated games he had played before.
        age: In full years at the end of the year; None if it is not known.
        reached_2400: Has he ever had 2400?
    """
    if reached_2400 or rating >= 2400:
        return 10
    if games < 30 or (age is not None and age <= 18 and rating < 2300):
        return 40
    return 20


def fide_change(rating: int, played: Sequence[Played], *, k: int) -> Change:
    """What the games of a rating period change.

    Args:
        rating: Before the period.
        played: The games against rated opponents.
        k: See `fide_k`.
    """
    capped = rating < _UNCAPPED_FROM
    differences = [rating - game.opponent for game in played]
    used = [max(-_CAP, min(_CAP, one)) if capped else one for one in differences]
    expected = sum(map(fide_expected, used), Fraction(0))
    lowered = min(k, _K_GAMES // len(played)) if played else k
    exact = lowered * (sum((game.score for game in played), Fraction(0)) - expected)
    remarks = {
        UNCAPPED: not capped and any(abs(one) > _CAP for one in differences),
        K_LOWERED: lowered < k,
        HALVES: exact.denominator == 2,
    }
    after = rating + rounded(exact)
    said = tuple(text for text, holds in remarks.items() if holds)
    return Change(rating, after, exact, expected, lowered, said)


def fide_initial(played: Sequence[Played]) -> InitialRating:
    """The first rating of a player, from his games against rated opponents."""
    if len(played) < _INITIAL_GAMES:
        return InitialRating(None, f"{len(played)} of {_INITIAL_GAMES} games against rated opponents")
    score = sum((game.score for game in played), Fraction(1))
    if score == 1:
        return InitialRating(None, "no point against rated opponents")
    games = len(played) + 2
    average = Fraction(sum(game.opponent for game in played) + 2 * _HYPOTHETICAL, games)
    rating = rounded(average) + _dp(rounded(100 * score / games))
    if rating < _LOWEST:
        return InitialRating(None, f"the performance, {rating}, is below {_LOWEST}")
    return InitialRating(min(rating, _HIGHEST_INITIAL))


def _dp(hundredths: int) -> int:
    return _DP[hundredths - 50] if hundredths >= 50 else -_DP[50 - hundredths]


def rounded(number: Fraction) -> int:
    """To the nearest whole number; halves away from zero."""
    size = math.floor(abs(number) + Fraction(1, 2))
    return size if number >= 0 else -size


def dwz_expected(difference: int) -> Fraction:
    """The expected score of the one who is *difference* points higher, in thousandths."""
    # The error function is odd, so both sides make 1 only if one of them is worked out.
    higher = Fraction(round(500 * (1 + math.erf(abs(difference) / 400))), 1000)
    return higher if difference >= 0 else 1 - higher


def dwz_change(rating: int, played: Sequence[Played], *, age: int, index: int) -> Change:
    """What a tournament changes in a DWZ: Rn = Ro + 800 / (E + n) * (W - We).

    Args:
        rating: The DWZ before.
        played: The games against players with a DWZ.
        age: In full years.
        index: How many tournaments were rated before, plus one.
    """
    expected = sum((dwz_expected(rating - game.opponent) for game in played), Fraction(0))
    difference = sum((game.score for game in played), Fraction(0)) - expected
    coefficient = _dwz_coefficient(rating, age, index, difference)
    exact = 800 * difference / (coefficient + len(played))
    remarks = {
        WHOLE_E: True,
        FASTER: age <= 20 and rating < 2000 and difference <= 0,
        SLOWER: rating < 1300 and difference <= 0,
    }
    said = tuple(text for text, holds in remarks.items() if holds) if played else ()
    return Change(rating, rounded(rating + exact), exact, expected, coefficient, said)


def _dwz_coefficient(rating: int, age: int, index: int, difference: Fraction) -> int:
    """E: the basic value, faster for the young who do well, slower for the weak who do badly."""
    ages = 5 if age <= 20 else 10 if age <= 25 else 15
    basic = (rating / 1000) ** 4 + ages
    faster = min(max(rating / 2000, 0.5), 1.0) if age <= 20 and difference > 0 else 1.0
    slower = math.exp((1300 - rating) / 150) - 1 if rating < 1300 and difference < 0 else 0.0
    highest = 150 if slower else min(30, 5 * index)
    return min(max(round(basic * faster + slower), 5), highest)
