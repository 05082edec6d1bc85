"""Plays a main line as written and gives it as moves; only here a board decides what is legal.

A *back end* takes a start and the movetext and gives the moves as played, or a `Fault` at the first one that
is illegal, ambiguous or against the rules of the variant. `replay` uses `core.pgn.mailbox` for normal chess,
and python-chess, which knows all variants, for the rest and as the arbiter.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import chess

from core.pgn.mailbox import GiveUp, Mailbox
from core.pgn.movetext import NULL, Fault, Movetext, Written, shorten
from core.pgn.positions import Start

_ASK_EVERY: Final = 256


@dataclass(frozen=True, slots=True)
class PlayedLine:
    """A main line as played: moves in UCI and the indices of castlings written as king steps (see `Game`)."""

    moves: tuple[str, ...]
    castlings: tuple[int, ...]


Overdue = Callable[[], bool]
Backend = Callable[[Start, Movetext, Overdue | None], PlayedLine]


def replay(start: Start, movetext: Movetext, overdue: Overdue | None = None) -> PlayedLine:
    """Play the moves of *movetext* from *start*.

    Raises:
        Fault: at the first move that cannot be played, or when *overdue* says that it takes too long.
    """
    if overdue is not None and overdue():
        raise Fault("reading it takes too long")
    if type(start.board) is chess.Board and not start.board.chess960:
        with suppress(GiveUp):
            moves, castlings = Mailbox(start.board).play(movetext.moves)
            return PlayedLine(tuple(moves), tuple(castlings))
    return replay_slowly(start, movetext, overdue)


def replay_slowly(start: Start, movetext: Movetext, overdue: Overdue | None = None) -> PlayedLine:
    """The same with python-chess alone."""
    board = start.board.copy(stack=False)
    moves: list[str] = []
    castlings: list[int] = []
    for index, written in enumerate(movetext.moves):
        if overdue is not None and not index % _ASK_EVERY and overdue():
            raise Fault("reading it takes too long", movetext.places[index])
        try:
            move = _resolve(board, written)
        except ValueError as error:
            raise Fault(_complaint(board, written, error), movetext.places[index]) from None
        if not board.chess960 and board.is_castling(move):
            castlings.append(index)
        moves.append(move.uci())
        board.push(move)
    return PlayedLine(tuple(moves), tuple(castlings))


def _complaint(board: chess.Board, written: Written, error: ValueError) -> str:
    kind = "ambiguous" if isinstance(error, chess.AmbiguousMoveError) else "illegal"
    side = "White" if board.turn else "Black"
    return (
        f"{kind} move {shorten(written.text)!r} of {side}, number {board.fullmove_number}, in {board.fen()}"
    )


def _resolve(board: chess.Board, written: Written) -> chess.Move:
    """The legal move that is written; ValueError if there is none, or more than one."""
    if written.piece == NULL:
        if board.is_check():
            raise chess.IllegalMoveError("a null move in check")
        return chess.Move.null()
    if written.piece == "K" and written.origins.bit_count() == 1:
        castling = _king_steps(board, written)
        if castling is not None:
            return castling
    return board.parse_san(written.san)


def _king_steps(board: chess.Board, written: Written) -> chess.Move | None:
    """The castling that is written ``Ke1-g1``."""
    move = chess.Move(written.origins.bit_length() - 1, written.to)
    return move if board.is_castling(move) and board.is_legal(move) else None
