"""Games made up at random, written in every way that programs write them."""

from typing import Any, Final

import chess
from hypothesis import strategies as st

CHESS: Final = [
    chess.STARTING_FEN,
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1",
    "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1",
    "n3k2n/P5P1/8/8/8/8/p5p1/N3K2N w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",  # pinned en passant captures
    "4k3/1p1p1p1p/8/P1P1P1P1/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1",
    "1QQ1k3/1Q6/8/8/8/1q5q/qq6/6K1 b - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "4k3/8/8/2N1N3/1N3N2/4r3/1N3N2/2NKN3 w - - 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
    "k7/8/8/3N4/2P1B3/8/8/4K2R w K - 0 1",  # discovered checks
    "2r1r1k1/8/4b3/2n5/8/8/5p2/R2K3R b - - 0 1",
    "5k2/8/8/8/8/8/8/4K2R w K - 0 1",  # castling gives check
]
"""Starts with kings and rooks where chess has them."""
CHESS960: Final = [
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",  # Shredder-FEN
    "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w KQkq - 0 1",  # X-FEN
    "r1k3r1/8/8/8/8/8/8/R1K3R1 w KQkq - 0 1",
    "5rkr/8/8/8/8/8/8/RKR5 w KQkq - 0 1",
    "rr1k4/8/8/8/8/8/8/RR1K2RR w BGb - 0 1",
]
STARTS: Final = [*CHESS, *CHESS960]
CHOICES: Final = st.lists(st.integers(0, 1 << 16), max_size=160)


def play(board: chess.Board, choices: list[int]) -> None:
    """Play a line by these numbers; castlings, en passant and promotions more often than by chance."""
    for choice in choices:
        legal = list(board.legal_moves)
        if not legal:
            return
        rare = [m for m in legal if board.is_castling(m) or board.is_en_passant(m) or m.promotion]
        board.push(rare[choice // 2 % len(rare)] if rare and choice % 2 else legal[choice // 2 % len(legal)])


@st.composite
def boards(draw: Any) -> chess.Board:
    """A board at the end of a legal line; a third of them of Chess960."""
    number = draw(st.integers(0, 959) | st.none())
    if number is not None and draw(st.booleans()):
        board = chess.Board.from_chess960_pos(number)
    else:
        fen = draw(st.sampled_from(STARTS))
        board = chess.Board(fen, chess960=fen in CHESS960)
    play(board, draw(CHOICES))
    return board


def _spellings(board: chess.Board, move: chess.Move) -> list[str]:
    """The move as some programs write it, the usual way first."""
    usual = board.san(move)
    plain = usual.rstrip("+#")
    if board.is_castling(move):
        return [usual, plain, plain.replace("O", "0")]
    origin, to = chess.square_name(move.from_square), chess.square_name(move.to_square)
    if board.piece_type_at(move.from_square) == chess.PAWN:
        sign = "x" if board.is_capture(move) else "-"
        piece = chess.piece_symbol(move.promotion).upper() if move.promotion else ""
        return [usual, plain, plain.replace("=", ""), plain.replace("x", ""), f"{origin}{sign}{to}{piece}"]
    letter = plain[0]
    return [usual, plain, plain.replace("x", ""), f"{letter}{origin}{to}", f"{letter}{origin}-{to}"]


BETWEEN: Final = [" "] * 8 + [
    "\n", "\r\n", "  ", " {a comment} ", " {[%clk 0:03:00]}\n", " $1 ", " $14 $6 ", " (1. d4 {é} d5 (1... Nf6)) ",
    " ; to the end of the line\n", " {two\n\nparts} ", " 12. ", " ... ", " {]} ",
]  # fmt: skip
AFTER_MOVE: Final = [""] * 8 + ["!", "?", "!?", "??", "+", "++"]
ENDS: Final = ["1-0", "0-1", "1/2-1/2", "*"]


def header(board: chess.Board, result: str) -> str:
    """Tags as nearly all programs write them."""
    root = board.root()
    lines = [
        ("Event", "Club"),
        ("Site", "?"),
        ("Date", "2024.03.??"),
        ("White", "Rossi, Mario"),
        ("Black", "Ångström"),
    ]
    lines += [("Result", result), ("WhiteElo", "2100"), ("PlyCount", str(len(board.move_stack)))]
    if root.fen() != chess.STARTING_FEN:
        lines += [("SetUp", "1"), ("FEN", root.fen())]
        lines += [("Variant", "Chess960")] if board.chess960 else []
    return "".join(f'[{name} "{value}"]\n' for name, value in lines)


@st.composite
def games(draw: Any) -> tuple[chess.Board, bytes]:
    """A board at the end of a game, and the text of that game."""
    board = draw(boards())
    again = board.root()
    pick = draw(st.randoms(use_true_random=False))
    text = ""
    for move in board.move_stack:
        if again.turn or not text:
            text += f"{again.fullmove_number}.{'' if again.turn else '..'}{pick.choice(['', ' '])}"
        spelling = pick.choice(_spellings(again, move)) if pick.random() < 0.3 else again.san(move)
        text += spelling + pick.choice(AFTER_MOVE) * (spelling[-1] not in "+#") + pick.choice(BETWEEN)
        again.push(move)
    result = pick.choice(ENDS)
    return board, f"{header(board, result)}\n{text}{result}\n\n".encode()
