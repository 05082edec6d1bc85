"""Plays a main line as written and gives it as moves; the one place that asks a board what is legal.

A *back end* takes a start and the moves as written and gives the moves as played, or a `Fault` at the first one
that is illegal, ambiguous or against the rules of the variant. `replay` is the one with python-chess, which
knows all variants.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import chess
import chess.variant

from core.movetext import NULL, Fault, Move, shorten
from core.positions import Start

_CHECK_CLOCK_EVERY: Final = 256


@dataclass(frozen=True, slots=True)
class Played:
    """A main line as played: moves in UCI and the indices of castlings written as king steps (see `Game`)."""

    moves: tuple[str, ...]
    castlings: tuple[int, ...]


Overdue = Callable[[], bool]
Backend = Callable[[Start, Sequence[Move], Overdue | None], Played]


def replay(start: Start, line: Sequence[Move], overdue: Overdue | None = None) -> Played:
    """Play *line* from *start* with python-chess.

    Raises:
        Fault: at the first move that cannot be played, or when *overdue* says that it takes too long.
    """
    board = start.board.copy(stack=False)
    moves: list[str] = []
    castlings: list[int] = []
    for index, written in enumerate(line):
        if overdue is not None and not index % _CHECK_CLOCK_EVERY and overdue():
            raise Fault("reading it takes too long", written.at)
        try:
            move = _resolve(board, written)
        except ValueError as error:
            raise _illegal(board, written, error) from None
        if not board.chess960 and board.is_castling(move):
            castlings.append(index)
        moves.append(move.uci())
        board.push(move)
    return Played(tuple(moves), tuple(castlings))


def _illegal(board: chess.Board, written: Move, error: ValueError) -> Fault:
    kind = "ambiguous" if isinstance(error, chess.AmbiguousMoveError) else "illegal"
    side = "White" if board.turn else "Black"
    return Fault(
        f"{kind} move {shorten(written.text)!r} of {side}, number {board.fullmove_number}, in {board.fen()}",
        written.at,
    )


def _resolve(board: chess.Board, written: Move) -> chess.Move:
    """The legal move that is written; ValueError if there is none, or more than one."""
    if written.piece == NULL:
        if board.is_check():
            raise chess.IllegalMoveError("null move in check")
        return chess.Move.null()
    if written.drop:
        return board.parse_san(f"{written.piece}@{written.to}")
    if written.to == "":
        return board.parse_san(written.piece)
    if written.piece == "K" and written.file and written.rank:
        castling = _king_steps(board, written)
        if castling is not None:
            return castling
    letter = "" if written.piece == "P" else written.piece
    promotion = f"={written.promotion}" if written.promotion else ""
    return board.parse_san(f"{letter}{written.file}{written.rank}{written.to}{promotion}")


def _king_steps(board: chess.Board, written: Move) -> chess.Move | None:
    """The castling that is written ``Ke1-g1``."""
    move = chess.Move.from_uci(f"{written.file}{written.rank}{written.to}")
    return move if board.is_castling(move) and board.is_legal(move) else None
