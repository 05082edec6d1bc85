"""A number and its noun agree: ``1 game``, ``2 games``."""


def agreeing(number: int, noun: str, plural: str = "") -> str:
    """The noun as it is after *number*; *plural* is for nouns that do more than take an *s*."""
    return noun if number == 1 else plural or f"{noun}s"


def count_of(number: int, noun: str, plural: str = "") -> str:
    """*number* and the noun that agrees with it."""
    return f"{number} {agreeing(number, noun, plural)}"
