"""FESA's performance rating (club R7) and the expected score that it is based on (club R1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LOWEST: Final = 1
"""The lowest rating there is."""
_PRECISION: Final = 1e-7


def expected(my: float, opponent: float) -> float:
    """The expected score (club R1)."""
    difference = (opponent - my) / 400
    # Beyond this the power is no longer a float, and the score no longer different from 0 or 1.
    return 1 / (1 + 10 ** min(max(difference, -300), 300))


@dataclass(frozen=True, slots=True)
class PerformanceGame:
    """A game that a performance rating is made of.

    The rating that the opponent counted with, and the score.
    """

    opponent: float
    score: float


def performance(games: Sequence[PerformanceGame]) -> int:
    """The rating for which the games' scores would be expected, rounded (club R7).

    Only losses give 1; only wins get a draw against the strongest opponent added.

    Raises:
        ValueError: there are no games.
    """
    if not games:
        raise ValueError("a performance needs at least one game")
    if all(game.score == 0 for game in games):
        return LOWEST
    if all(game.score == 1 for game in games):
        games = [*games, PerformanceGame(max(game.opponent for game in games), 0.5)]
    return max(LOWEST, round(_root(games)))


def _root(games: Sequence[PerformanceGame]) -> float:
    """Where the sum of scores equals the sum of expected scores; bisection finds it, as it is monotone."""
    wanted = sum(game.score for game in games)
    low = min(game.opponent for game in games) - 8000
    high = max(game.opponent for game in games) + 8000
    while high - low > _PRECISION:
        between = (low + high) / 2
        if sum(expected(between, game.opponent) for game in games) < wanted:
            low = between
        else:
            high = between
    return (low + high) / 2
