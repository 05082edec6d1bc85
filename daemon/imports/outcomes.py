"""What a parser process answers, as small tuples: a game's bytes went there once, and do not come back.

Tuples are pickled ten times as quickly as the values themselves, and the moves as 2 bytes each.
"""

from collections.abc import Callable
from dataclasses import fields
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, Generic, TypeVar

from core import move_bytes
from core.game import Game, PartialDate, Side, Unreadable
from core.pgn.reader import Piece
from core.players import PlayerKey
from daemon.archive.games.prepared import Prepared

Outcome = Prepared | Unreadable
Small = tuple[Any, ...]
"""An outcome without the bytes of its game."""

_T = TypeVar("_T")


class _Shape(Generic[_T]):
    """A frozen class with slots, as a tuple and back; making one takes a third of the time of its constructor.

    Attributes:
        values: The values of one of them, but for those that are left out.
    """

    def __init__(self, kind: type[_T], *left_out: str) -> None:
        names = [one.name for one in fields(kind) if one.name not in left_out]  # type: ignore[arg-type]
        self.values: Callable[[_T], Small] = attrgetter(*names)
        self._kind = kind
        self._puts = [getattr(kind, name).__set__ for name in (*names, *left_out)]

    def make(self, values: Small, *left_out: object) -> _T:
        """One with these values, and then those that were left out, in their order."""
        new: _T = object.__new__(self._kind)
        for put, value in zip(self._puts, (*values, *left_out), strict=True):
            put(new, value)
        return new


_GAME: Final = _Shape(Game, "white", "black", "date", "moves", "raw")
_SIDE: Final = _Shape(Side)
_DATE: Final = _Shape(PartialDate)
_KEY: Final = _Shape(PlayerKey)
_PREPARED: Final = _Shape(Prepared, "game", "white", "black", "moves", "unedited", "typed")
_NOTHING: Final[frozenset[str]] = frozenset()


def small(outcome: Outcome) -> Small:
    """What `whole` needs besides the piece that was parsed."""
    if isinstance(outcome, Unreadable):
        return outcome.reason, outcome.position, outcome.tags
    game = outcome.game
    return (
        outcome.moves,
        _GAME.values(game),
        _SIDE.values(game.white),
        _SIDE.values(game.black),
        _DATE.values(game.date),
        _PREPARED.values(outcome),
        _KEY.values(outcome.white),
        _KEY.values(outcome.black),
    )


def whole(answer: Small, piece: Piece) -> Outcome:
    """The outcome of which `small` made *answer*."""
    if len(answer) == 3:
        reason, position, tags = answer
        return Unreadable(raw=piece.raw, reason=reason, position=position, tags=tags)
    moves, values, white, black, date, own, *keys = answer
    plies = move_bytes.unpack(moves)
    game = _GAME.make(values, _SIDE.make(white), _SIDE.make(black), _date(*date), plies, piece.raw)
    return _PREPARED.make(own, game, *(_key(*key) for key in keys), moves, None, _NOTHING)


_date = lru_cache(maxsize=4096)(PartialDate)
_key = lru_cache(maxsize=16_384)(PlayerKey)
