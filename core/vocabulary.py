"""The fixed words for results, time classes, variants, colours. Each list is here only, under its name in the API."""

from typing import Final, Literal, get_args

# Below Python 3.12 there is no other alias that keeps its name.
from typing_extensions import TypeAliasType

Result = TypeAliasType("Result", Literal["1-0", "0-1", "1/2-1/2", "*"])
"""How a game ended; ``*`` if nobody says. Any other result of a source stays as it was written."""

TimeClass = TypeAliasType(
    "TimeClass", Literal["ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence", "daily"]
)  # ``daily`` is chess.com's word for correspondence
Variant = TypeAliasType(
    "Variant",
    Literal[
        "standard",
        "chess960",
        "kingOfTheHill",
        "threeCheck",
        "antichess",
        "giveaway",
        "suicide",
        "losers",
        "atomic",
        "horde",
        "racingKings",
        "crazyhouse",
    ],
)
"""The variants whose rules are known (`core.pgn.variants.BOARDS`); a game of another one cannot be read."""

Colour = TypeAliasType("Colour", Literal["white", "black"])

RESULTS: Final[tuple[Result, ...]] = get_args(Result.__value__)
TIME_CLASSES: Final[tuple[TimeClass, ...]] = get_args(TimeClass.__value__)
VARIANTS: Final[tuple[Variant, ...]] = get_args(Variant.__value__)
COLOURS: Final[tuple[Colour, Colour]] = ("white", "black")
