"""Castlings told from moves alone, against the boards that play them."""

import chess
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.pgn.positions import castlings_in, start_from
from core.pgn.variants import BOARDS

STARTS = [
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1",
    "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",  # by the rules of Chess960: king takes rook
    "r3k1r1/8/8/8/8/8/8/R3K1R1 w GAga - 0 1",
    "q3k2r/8/8/8/4q3/8/8/R3K2R w KQk - 0 1",  # another piece may be on e1 later
    "4k3/8/8/8/8/8/8/R2QK2R w KQ - 0 1",
]


def play(variant: str, fen: str | None, choices: list[int]) -> tuple[str, str, list[str], list[int]]:
    """A random line in which castlings are played whenever they can be, or at least often."""
    start = start_from(variant, fen or BOARDS[variant]().fen())
    board = start.board.copy(stack=False)
    moves, castlings = [], []
    for ply, choice in enumerate(choices):
        legal = list(board.legal_moves)
        if not legal:
            break
        if choice % 3 == 0:
            legal = [move for move in legal if board.is_castling(move)] or legal
        if choice % 3 == 1:
            corners = ("e1", "e8", "g1", "c1", "g8", "c8")
            legal = [move for move in legal if move.uci()[2:4] in corners] or legal
        move = legal[choice // 3 % len(legal)]
        if board.is_castling(move) and not board.chess960:
            castlings.append(ply)
        moves.append(move.uci())
        board.push(move)
    return start.variant, start.normal, moves, castlings


@given(
    variant=st.sampled_from(sorted(BOARDS)),
    choices=st.lists(st.integers(0, 1 << 12), max_size=90),
)
@example("standard", [])
def test_from_first_positions(variant, choices):
    """In every variant, from its own first position, the castlings are those that the board has played."""
    variant, start, moves, castlings = play(variant, None, choices)
    assert start == ""
    assert castlings_in(variant, start, moves) == tuple(castlings)


@given(
    variant=st.sampled_from(["standard", "chess960", "atomic", "threeCheck", "crazyhouse", "losers"]),
    fen=st.sampled_from(STARTS),
    choices=st.lists(st.integers(0, 1 << 12), max_size=60),
)
def test_from_other_positions(variant, fen, choices):
    """The same from positions with some rights, none, or those of Chess960."""
    variant, start, moves, castlings = play(variant, fen, choices)
    assert castlings_in(variant, start, moves) == tuple(castlings)


@pytest.mark.parametrize(
    ("moves", "castlings"),
    [
        (["e1g1", "e8c8"], (0, 1)),
        (["e1f1", "e8e7", "h1e1", "a7a6", "e1g1"], ()),
        (["e1e2", "e8g8", "e2e1", "a7a6", "e1d1"], (1,)),
        ([], ()),
    ],
)
def test_who_goes_two_squares(moves, castlings):
    """A rook that goes from e1 to g1 does not castle."""
    assert castlings_in("standard", "r3k2r/p7/8/8/8/8/8/R3K2R w a1h1a8h8 -", moves) == castlings


def test_the_lines_castle():
    """Lines as above do castle, in both ways: else they would prove nothing."""
    usual = play("standard", STARTS[0], [0, 0])
    other = play("chess960", STARTS[3], [0, 0])
    assert usual[3] == [0, 1]
    assert other[3] == []
    assert chess.Move.from_uci(other[2][0]).to_square in {chess.B1, chess.G1}
