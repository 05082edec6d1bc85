"""FIDE rating changes (handbook B.02), and first ratings.

Numbers are exact; a result lists the rules in it that could not be verified at their source.
"""

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from core.club.fide_editions import NEWEST, Edition
from core.club.rated_games import FirstRating, RatedGame, RatingChange, points, rounded

_DIFFERENCES: Final = (
    *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121),
    *(129, 137, 145, 153, 162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267),
    *(278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735),
)
"""The highest difference for each hundredth of expected score, from 0.50 on (table 8.1.2)."""
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
"""The rating difference for each hundredth of score from 0.50 to 1.00 (table 8.1.1)."""

_CAP: Final = 400
_HIGHEST_INITIAL: Final = 2200
_INITIAL_GAMES: Final = 5
_HYPOTHETICAL: Final = 1800
_K_GAMES: Final = 700

HALVES: Final = "unverified: a half is rounded away from zero"
K_LOWERED: Final = "unverified: K is lowered so that K times the games is at most 700 (from memory)"
INITIAL: Final = (
    "unverified: first ratings with two draws against 1800, at most 2200, at least 1400, from 5 games on "
    "(from memory of the 2024 text)"
)
INITIAL_BEFORE: Final = (
    "unverified: first ratings before 2024-03-01 as the average of the opponents, 20 points for each half point above "
    "a half score, at least 1000, from 5 games on (from memory)"
)


def fide_expected(difference: int) -> Fraction:
    """The expected score of the player *difference* points higher.

    Negative for the lower one (table 8.1.2).
    """
    hundredths = 50 + bisect_left(_DIFFERENCES, abs(difference))
    return Fraction(hundredths if difference >= 0 else 100 - hundredths, 100)


def fide_k(rating: int, *, games: int, age: int | None = None, reached_2400: bool = False) -> int:
    """The development coefficient K.

    Args:
        rating: The current rating.
        games: How many rated games the player had played before.
        age: In full years at the end of the year; None if it is not known.
        reached_2400: Whether they have ever had 2400.
    """
    if reached_2400 or rating >= 2400:
        return 10
    if games < 30 or (age is not None and age <= 18 and rating < 2300):
        return 40
    return 20


def k_of_games(k: int, games: int) -> int:
    """K for so many games in a period.

    The greatest whole number whose product with the games is at most 700.
    """
    return min(k, _K_GAMES // games) if games else k


def fide_differences(rating: int, opponents: Sequence[int], edition: Edition = NEWEST) -> tuple[int, ...]:
    """The difference that counts against each opponent.

    More than 400 as 400, as far as the edition says so.
    """
    differences = [rating - one for one in opponents]
    if edition.uncapped_from is not None and rating >= edition.uncapped_from:
        return tuple(differences)
    capped = [max(-_CAP, min(_CAP, one)) for one in differences]
    if not edition.capped_once:
        return tuple(capped)
    once = max(range(len(differences)), key=differences.__getitem__, default=None)
    return tuple(max(-_CAP, one) if place != once else capped[place] for place, one in enumerate(differences))


def fide_change(
    rating: int, played: Sequence[RatedGame], *, k: int, edition: Edition = NEWEST
) -> RatingChange:
    """The change by the games of a rating period.

    Args:
        rating: Before the period.
        played: The games against rated opponents.
        k: See `fide_k`.
        edition: The rules of the day.
    """
    used = fide_differences(rating, [game.opponent for game in played], edition)
    expected = sum(map(fide_expected, used), Fraction(0))
    lowered = k_of_games(k, len(played))
    exact = lowered * (points(played) - expected)
    remarks = {K_LOWERED: lowered < k, HALVES: exact.denominator == 2}
    after = rating + rounded(exact)
    said = tuple(text for text, holds in remarks.items() if holds)
    return RatingChange(rating, after, exact, expected, lowered, said)


def fide_initial(played: Sequence[RatedGame], edition: Edition = NEWEST) -> FirstRating:
    """The first rating of a player, from all their games against rated opponents."""
    if len(played) < _INITIAL_GAMES:
        return FirstRating(None, f"{len(played)} of {_INITIAL_GAMES} games against rated opponents")
    if not any(game.score for game in played):
        return FirstRating(None, "no point against rated opponents")
    average, above, how = _with_draws(played) if edition.hypothetical else _by_average(played)
    rating = average + above
    how = f"{how}: {average} {above:+d} = {rating}"
    if rating < edition.floor:
        return FirstRating(None, f"the performance, {rating}, is below {edition.floor}", how)
    if not edition.hypothetical:
        return FirstRating(rating, how=how, unverified=(INITIAL_BEFORE,))
    if rating > _HIGHEST_INITIAL:
        return FirstRating(_HIGHEST_INITIAL, how=f"{how}, at most {_HIGHEST_INITIAL}", unverified=(INITIAL,))
    return FirstRating(rating, how=how, unverified=(INITIAL,))


def _with_draws(played: Sequence[RatedGame]) -> tuple[int, int, str]:
    """The average with two more draws against 1800, the score above it, and how it was worked out."""
    games = len(played) + 2
    average = rounded(Fraction(sum(game.opponent for game in played) + 2 * _HYPOTHETICAL, games))
    score = points(played) + 1
    hundredths = rounded(100 * score / games)
    how = f"with two draws against {_HYPOTHETICAL} {float(score):g} of {games}, {hundredths} %"
    return average, _dp(hundredths), how


def _by_average(played: Sequence[RatedGame]) -> tuple[int, int, str]:
    """The opponents' average, the score above or below a half, and how it was worked out."""
    games, score = len(played), points(played)
    average = rounded(Fraction(sum(game.opponent for game in played), games))
    above = 2 * score - games
    worth = 20 * int(above) if above >= 0 else _dp(rounded(100 * score / games))
    return average, worth, f"{float(score):g} of {games}"


def _dp(hundredths: int) -> int:
    return _DP[hundredths - 50] if hundredths >= 50 else -_DP[50 - hundredths]
