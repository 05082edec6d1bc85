"""PGN text to `core.game.Game`, and back."""

from collections.abc import Iterator
from typing import BinaryIO

from core.game import Game, Unreadable
from core.pgn.limits import DEFAULT_LIMITS, Limits


def read(source: str | bytes | BinaryIO, *, limits: Limits = DEFAULT_LIMITS) -> Iterator[Game | Unreadable]:
    """The games of a PGN text, one after another.

    See `core.pgn.reader.read`, which is loaded on the first call.
    """
    from core.pgn import reader

    return reader.read(source, limits=limits)
