"""Moves as people write them."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.game import Game
from core.pgn import parse
from core.san import numbered, san


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
