"""Reads a game with the compiled core (`core.compiled`), where there is one."""

from typing import Final

import chess

from core.compiled import NATIVE, Tags
from core.pgn import encodings
from core.pgn.limits import Limits
from core.pgn.movetext import Fault, Movetext
from core.pgn.positions import FIRST_NORMAL, Start, read_start
from core.pgn.replay import PlayedLine
from core.pgn.tags import Header

_USUAL: Final = read_start(())

Reading = tuple[Header, Start, Movetext, PlayedLine]
"""What `core.pgn.reader` makes a game of. The movetext is without its moves, which have been played."""


def read(raw: bytes, limits: Limits, encoding: str | None = None) -> Reading | None:
    """Read a game of chess or Chess960 that is written as most are; None if it is not, or if something is wrong.

    What comes out is what the rest of this package reads in the same bytes. Where the user has named an *encoding*,
    only UTF-8 is read here.
    """
    if NATIVE is None or (limits.overdue is not None and limits.overdue()):
        return None
    found = NATIVE.read(raw, _start_of, _decode if encoding is None else None)
    if found is None:
        return None
    tags, start, moves, castlings, end, has_comments, has_variations = found
    if len(moves) > limits.max_plies or len(tags) > limits.max_tags or not (moves or end):
        return None
    return (
        Header(tags, 0),
        _USUAL if start is None else start[2],
        Movetext(end=end, has_comments=has_comments, has_variations=has_variations),
        PlayedLine(moves, castlings),
    )


def _decode(value: bytes) -> str | None:
    """The text of a value, which is a piece in the sense of `core.pgn.encodings`; None if it has stray bytes."""
    text = encodings.decode(value)
    return None if encodings.has_stray_bytes(text) else text


def _start_of(tags: Tags) -> tuple[str, bool, Start] | None:
    """The start that these tags mean, in the words of the compiled core; None if it cannot play from there."""
    try:
        start = read_start(tags)
    except Fault:
        return None
    if type(start.board) is not chess.Board:
        return None
    return start.normal or FIRST_NORMAL, start.board.chess960, start
