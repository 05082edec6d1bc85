"""Moves as people write them: from UCI to SAN with move numbers."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

import chess

from core.move_bytes import NULL
from core.pgn.mailbox import GiveUp, Mailbox
from core.pgn.movetext import Fault
from core.pgn.positions import read_start, start_from


def san(variant: str, start_fen: str | None, moves: Sequence[str]) -> tuple[str, ...]:
    """The moves in SAN, with signs for check and mate; a null move is ``--``.

    Args:
        variant: Key of the variant, as in `core.game.Game`.
        start_fen: Where the game starts; None for the variant's own first position.
        moves: Legal moves in UCI, as in `core.game.Game`. The quick board does not check that they are legal.

    Raises:
        ValueError: they cannot be played.
        core.pgn.movetext.Fault: there is no such start.
    """
    return tuple(_written(_board(variant, start_fen), moves))


def numbered_or_none(variant: str, start_fen: str | None, moves: Sequence[str]) -> str | None:
    """Like `numbered`; None if today's rules cannot play the moves of a game that was read long ago."""
    try:
        return numbered(variant, start_fen, moves)
    except (ValueError, Fault):
        return None


def numbered(variant: str, start_fen: str | None, moves: Sequence[str]) -> str:
    """The moves in one line, with numbers: ``1. e4 e5 2. Nf3``; ``12... Nf6 13. O-O`` if Black begins.

    Raises:
        ValueError: as `san`.
        core.pgn.movetext.Fault: as `san`.
    """
    board = _board(variant, start_fen)
    first = board.ply()
    said = []
    for ply, text in enumerate(_written(board, moves), first):
        if ply % 2 == 0:
            said.append(f"{ply // 2 + 1}.")
        elif ply == first:
            said.append(f"{ply // 2 + 1}...")
        said.append(text)
    return " ".join(said)


def _board(variant: str, start_fen: str | None) -> chess.Board:
    start = read_start([("Variant", variant)]) if start_fen is None else start_from(variant, start_fen)
    return start.board.copy(stack=False)


def _written(board: chess.Board, moves: Sequence[str]) -> Sequence[str]:
    """By the quick board for normal chess, by python-chess for the rest."""
    if type(board) is chess.Board and not board.chess960:
        with suppress(GiveUp):
            return _quickly(Mailbox(board), moves)
    return list(_sans(board.copy(stack=False), moves))


def _quickly(board: Mailbox, moves: Sequence[str]) -> list[str]:
    texts = [board.write(move) for move in moves]
    if texts and texts[-1].endswith("+") and board.is_mate():
        texts[-1] = f"{texts[-1][:-1]}#"  # nothing is played after it
    return texts


def _sans(board: chess.Board, moves: Sequence[str]) -> Iterator[str]:
    for move in moves:
        yield board.san_and_push(chess.Move.null() if move == NULL else board.parse_uci(move))
