"""Games and tournaments for the tests of ratings."""

from fractions import Fraction

from core.club.contest import Contest, Contestant, Encounter
from core.club.rated_games import RatedGame

_SCORES = {"+": Fraction(1), "=": Fraction(1, 2), "-": Fraction(0)}


def games(*pairs):
    """Games from (rating, score) pairs."""
    return [RatedGame(rating, Fraction(score)) for rating, score in pairs]


def contest(*lines):
    """A tournament from lines such as "2+ 3=": the opponent's number, from 1, and the result of each round."""
    return Contest(
        "Open",
        tuple(
            Contestant(
                number,
                f"P{number}",
                f"P{number}",
                games=tuple(
                    Encounter(turn, int(cell[:-1]) - 1, _SCORES[cell[-1]])
                    for turn, cell in enumerate(line.split(), start=1)
                ),
            )
            for number, line in enumerate(lines, start=1)
        ),
    )
