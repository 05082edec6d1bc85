"""Moves as people write them."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.game import Game
from core.pgn.reader import parse
from core.pgn.san import numbered, numbered_or_none, san


def test_moves_with_numbers() -> None:
    """Castling, a capture and mate, as in any book."""
    moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1", "f6e4"]
    assert numbered("standard", None, moves) == "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. O-O Nxe4"
    assert san("standard", None, ["f2f3", "e7e5", "g2g4", "d8h4"])[-1] == "Qh4#"
    assert numbered("standard", None, []) == ""


def test_black_to_move() -> None:
    """A position in which Black moves, in the twelfth move."""
    fen = "4k3/8/8/8/8/8/4p3/K7 b - - 0 12"
    assert numbered("standard", fen, ["e2e1q", "a1a2"]) == "12... e1=Q+ 13. Ka2"


@pytest.mark.parametrize(
    ("variant", "start", "moves", "text"),
    [
        ("crazyhouse", None, ["e2e4", "d7d5", "e4d5", "d8d5", "P@e5"], "1. e4 d5 2. exd5 Qxd5 3. @e5"),
        (
            "chess960",
            "bnrkrqnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKRQNB w ECec - 0 1",
            ["g1f3", "g8f6", "d1c1"],
            "1. Nf3 Nf6 2. O-O-O",
        ),
        ("standard", None, ["e2e4", "0000", "d2d4"], "1. e4 -- 2. d4"),
    ],
)
def test_variants(variant: str, start: str | None, moves: list[str], text: str) -> None:
    """Drops, castling in Chess960 and null moves are written as python-chess reads them."""
    assert numbered(variant, start, moves).replace("P@", "@") == text


@given(st.lists(st.integers(0, 10_000), max_size=60))
def test_what_is_written_is_what_was_played(choices: list[int]) -> None:
    """Any legal game, written in SAN, is read as the same moves."""
    board = chess.Board()
    for choice in choices:
        legal = list(board.legal_moves)
        if not legal:
            break
        board.push(legal[choice % len(legal)])
    moves = tuple(move.uci() for move in board.move_stack)
    read = parse(f'[White "A b"]\n\n{numbered("standard", None, moves)} *\n'.encode())
    assert isinstance(read, Game)
    assert read.moves == moves


@given(st.lists(st.integers(0, 10_000), max_size=150))
def test_the_quick_board_writes_as_python_chess_does(choices: list[int]) -> None:
    """Also where pieces have to be told apart, after promotions, en passant, castlings, checks and mates."""
    board = chess.Board()
    expected = []
    for choice in choices:
        legal = sorted(board.legal_moves, key=lambda move: (not _is_rare(board, move), move.uci()))
        if not legal:
            break
        expected.append(
            board.san_and_push(legal[choice % len(legal) if choice % 3 else choice % min(len(legal), 3)])
        )
    assert list(san("standard", None, [move.uci() for move in board.move_stack])) == expected


def _is_rare(board: chess.Board, move: chess.Move) -> bool:
    special = board.is_castling(move) or board.is_en_passant(move) or move.promotion is not None
    return (
        special
        or board.gives_check(move)
        or board.piece_type_at(move.from_square) in {chess.KNIGHT, chess.ROOK}
    )


def test_pieces_that_have_to_be_told_apart() -> None:
    """By file, by rank, by both; a pinned one is none."""
    three_queens = "2k5/8/8/8/4Q2Q/8/8/K6Q w - - 0 1"
    assert san("standard", three_queens, ["h4e1"]) == ("Qh4e1",)
    assert san("standard", "4k3/8/8/8/8/2N5/8/K3N3 w - - 0 1", ["c3d5"]) == ("Nd5",)
    assert san("standard", "4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", ["a5a3"]) == ("R5a3",)
    assert san("standard", "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", ["g1e2"]) == ("Ne2",)


def test_moves_that_cannot_be_played() -> None:
    """A program that shows a game goes on without them."""
    assert numbered_or_none("atomic", None, ["e2e5"]) is None
    assert numbered_or_none("standard", None, ["e5e4"]) is None
    assert numbered_or_none("standard", "no position", ["e2e4"]) is None
    assert numbered_or_none("standard", None, ["e2e4"]) == "1. e4"
