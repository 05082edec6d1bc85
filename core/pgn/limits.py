"""How much of one PGN text is read before it counts as unreadable."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How large a game may be.

    Attributes:
        max_bytes: Of one game, comments included.
        max_plies: Of the main line; if every game of 75 moves without pawn or capture is a draw, 17,697 are
            possible.
        max_tags: Of one game.
        overdue: Asked now and then while moves are played; True ends the reading of this game.
    """

    max_bytes: int = 8 << 20
    max_plies: int = 30_000
    max_tags: int = 1_000
    overdue: Callable[[], bool] | None = None


DEFAULT_LIMITS: Final = Limits()
