"""Moves as people write them: SAN with move numbers, from moves in UCI."""

from collections.abc import Iterator, Sequence

import chess

from core.plies import NULL
from core.positions import read_start, start_from


def san(variant: str, start_fen: str | None, moves: Sequence[str]) -> tuple[str, ...]:
    """The moves in SAN, with signs for check and mate; a null move is ``--``.

    Args:
        variant: key of the variant, as in `core.game.Game`.
        start_fen: where the game starts; None for the variant's own first position.
        moves: in UCI, as in `core.game.Game`.

    Raises:
        ValueError: they cannot be played.
        core.movetext.Fault: there is no such start.
    """
    return tuple(_sans(_board(variant, start_fen), moves))


def numbered(variant: str, start_fen: str | None, moves: Sequence[str]) -> str:
    """The same in one line, with move numbers: ``1. e4 e5 2. Nf3``; ``12... Nf6 13. O-O`` where Black begins.

    Raises:
        ValueError: as `san`.
        core.movetext.Fault: as `san`.
    """
    board = _board(variant, start_fen)
    first = board.ply()
    said = []
    for ply, text in enumerate(_sans(board, moves), first):
        if ply % 2 == 0:
            said.append(f"{ply // 2 + 1}.")
        elif ply == first:
            said.append(f"{ply // 2 + 1}...")
        said.append(text)
    return " ".join(said)


def _board(variant: str, start_fen: str | None) -> chess.Board:
    start = read_start([("Variant", variant)]) if start_fen is None else start_from(variant, start_fen)
    return start.board.copy(stack=False)


def _sans(board: chess.Board, moves: Sequence[str]) -> Iterator[str]:
    for move in moves:
        yield board.san_and_push(chess.Move.null() if move == NULL else board.parse_uci(move))
