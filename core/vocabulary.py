"""The fixed words for results, time classes, variants, sites. Each list is here only."""

from typing import Final, Literal, get_args

Result = Literal["1-0", "0-1", "1/2-1/2", "*"]
"""How a game ended; ``*`` if nobody says. Any other result of a source stays as it was written."""

TimeClass = Literal[
    "ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence", "daily"
]  # ``daily`` is chess.com's word for correspondence
Variant = Literal[
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
]
"""The variants whose rules are known (`core.pgn.variants.BOARDS`); a game of another one cannot be read."""

SiteKey = Literal[
    "lichess",
    "chesscom",
    "fics",
    "icc",
    "iccf",
    "chess24",
    "chesstempo",
    "pychess",
    "playstrategy",
    "lishogi",
]
"""The sites that `core.origin` knows by their tags; games are downloaded from the first two."""

Colour = Literal["white", "black"]

RESULTS: Final[tuple[Result, ...]] = get_args(Result)
TIME_CLASSES: Final[tuple[TimeClass, ...]] = get_args(TimeClass)
VARIANTS: Final[tuple[Variant, ...]] = get_args(Variant)
SITE_KEYS: Final[tuple[SiteKey, ...]] = get_args(SiteKey)
