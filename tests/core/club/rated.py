"""Games for the tests of ratings."""

from fractions import Fraction

from core.club.rated_games import Played


def games(*pairs):
    """Games from (rating, score) pairs."""
    return [Played(rating, Fraction(score)) for rating, score in pairs]
