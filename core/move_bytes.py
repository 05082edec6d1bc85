"""Moves as bytes, two for each ply.

Six bits origin, six bits destination, four bits for the rest: nothing, the piece that a pawn becomes, or the
piece that is dropped (origin 0). A null move is two zero bytes: no piece moves from a1 to a1.
"""

import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from core.compiled import NATIVE

NULL: Final = "0000"
_PROMOTIONS: Final = "nbrqk"
_DROPS: Final = "PNBRQK"
_FIRST_DROP: Final = 8
_SQUARES: Final = tuple(file + rank for rank in "12345678" for file in "abcdefgh")
_INDEX: Final = {name: index for index, name in enumerate(_SQUARES)}


def pack(moves: Sequence[str]) -> bytes:
    """Pack moves in UCI.

    Raises:
        ValueError: a text is not a move in UCI.
    """
    quickly = NATIVE.pack(moves) if NATIVE is not None and isinstance(moves, tuple) else None
    return struct.pack(f">{len(moves)}H", *map(_code, moves)) if quickly is None else quickly


def unpack(packed: bytes) -> tuple[str, ...]:
    """The moves that were packed.

    Raises:
        ValueError: the bytes do not come from `pack`.
    """
    quickly = NATIVE.unpack(packed) if NATIVE is not None else None
    if quickly is not None:
        return quickly
    if len(packed) % 2:
        raise ValueError("packed moves have two bytes a ply")
    return tuple(map(_text, struct.unpack(f">{len(packed) // 2}H", packed)))


@lru_cache(maxsize=1 << 14)
def _code(move: str) -> int:
    if move == NULL:
        return 0
    try:
        if move[1] == "@" and len(move) == 4:
            return _INDEX[move[2:]] << 4 | (_FIRST_DROP + _DROPS.index(move[0]))
        code = _INDEX[move[:2]] << 10 | _INDEX[move[2:4]] << 4
        if len(move) == 5:
            return code | (_PROMOTIONS.index(move[4]) + 1)
    except (KeyError, IndexError, ValueError):
        raise ValueError(f"{move!r} is not a move in UCI") from None
    if len(move) != 4 or code == 0:
        raise ValueError(f"{move!r} is not a move in UCI")
    return code


@lru_cache(maxsize=1 << 14)
def _text(code: int) -> str:
    if code == 0:
        return NULL
    origin, to, extra = _SQUARES[code >> 10], _SQUARES[code >> 4 & 63], code & 15
    if extra >= _FIRST_DROP:
        if code >> 10 or extra - _FIRST_DROP >= len(_DROPS):
            raise ValueError(f"{code:#06x} is not a packed move")
        return f"{_DROPS[extra - _FIRST_DROP]}@{to}"
    if extra > len(_PROMOTIONS):
        raise ValueError(f"{code:#06x} is not a packed move")
    return origin + to + (_PROMOTIONS[extra - 1] if extra else "")
