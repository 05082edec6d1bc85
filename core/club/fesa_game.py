"""The change of a FESA rating by one game (club R1 to R4), and by several in a row (club R6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from core.club.grades import LOWEST_OPPONENT, k_factor
from core.club.performance import PerformanceGame, expected

BONUS_BELOW: Final = 1800
BONUS_GAMES: Final = 100
_SCORES: Final = {
    **dict.fromkeys(("+", "1", "1-0", "win"), 1.0),
    **dict.fromkeys(("-", "0", "0-1", "loss"), 0.0),
    **dict.fromkeys(("=", "½", "0.5", "1/2", "1/2-1/2", "draw"), 0.5),
}


def score_of(result: float | Fraction | str) -> float:
    """The player's score, 1, 0.5 or 0: from a number, a mark "+" "=" "-", or a result if they had White.

    Raises:
        ValueError: it is none of these.
    """
    if isinstance(result, str):
        if result.strip() not in _SCORES:
            raise ValueError(f"{result!r} is not a result: write + = - or 1 0.5 0")
        return _SCORES[result.strip()]
    if result not in (0, 0.5, 1):
        raise ValueError(f"{result!r} is not a result: a game is worth 1, 0.5 or 0")
    return float(result)


@dataclass(frozen=True, slots=True)
class RatingStep:
    """A game and its change, not rounded.

    Attributes:
        my: The rating before it.
        opponent: The rating that the opponent counts with.
        gain: Without the bonus.
        upset: Whether the rule for a win against a much stronger opponent applies (club R3).
    """

    my: float
    opponent: float
    score: float
    k: int
    expected: float
    gain: float
    upset: bool
    bonus: float

    @property
    def change(self) -> float:
        """Gain and bonus together."""
        return self.gain + self.bonus


def step(my: float, opponent: float, result: float | Fraction | str, *, bonus: bool = False) -> RatingStep:
    """The step of one game; the arguments are those of `change`."""
    score, k = score_of(result), k_factor(my)
    opponent = max(LOWEST_OPPONENT, opponent)
    likely = expected(my, opponent)
    usual, upset = k * (score - likely), k * (opponent - my) / 160
    by_upset = score == 1 and opponent > my and upset > usual
    paid = (BONUS_BELOW - my) / 200 if bonus and my < BONUS_BELOW else 0
    return RatingStep(my, opponent, score, k, likely, upset if by_upset else usual, by_upset, paid)


def change(my: float, opponent: float, result: float | Fraction | str, *, bonus: bool = False) -> float:
    """The change by one game, not rounded (club R1 to R4).

    Args:
        my: The rating before this game: within an event it moves from game to game.
        opponent: The opponent's rating after the event; below 400 it counts as 400 (club R5).
        result: 1, 0.5 or 0, or "+", "=", "-".
        bonus: Whether it is one of the first 100 games after the player stopped being unrated. The bonus is
            paid below 1800.

    Raises:
        ValueError: it is not a result.
    """
    return step(my, opponent, result, bonus=bonus).change


def steps(rating: float, games: Sequence[PerformanceGame], bonus_used: int | None) -> list[RatingStep]:
    """Games in a row: the rating moves after each, fractions kept (club R6).

    Args:
        rating: Before the first.
        games: Each with the rating that the opponent counts with.
        bonus_used: How many of the 100 games with bonus are used; None if that is not known: then no bonus is
            paid.
    """
    used = BONUS_GAMES if bonus_used is None else bonus_used
    found: list[RatingStep] = []
    for number, game in enumerate(games):
        found.append(step(rating, game.opponent, game.score, bonus=used + number < BONUS_GAMES))
        rating += found[-1].change
    return found
