"""The quick board against python-chess: never another move, and never giving up on usual notation."""

import copy

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.pgn.mailbox import GiveUp, Mailbox
from core.pgn.movetext import Written, read_movetext
from core.pgn.positions import start_from
from core.pgn.replay import replay_slowly
from tests.core.pgn.made_up import CHESS
from tests.examples import examples

long_lists = st.lists(st.integers(0, 1 << 16), min_size=40, max_size=120)


@st.composite
def positions(draw):
    """A board after a random line from one of `CHESS`, as start FEN and board with its moves."""
    board = chess.Board(draw(st.sampled_from(CHESS)))
    for choice in draw(st.lists(st.integers(0, 1 << 16), max_size=80) | long_lists):
        legal = list(board.legal_moves)
        if not legal:
            break
        board.push(legal[choice % len(legal)])
    return board


def line_of(board: chess.Board) -> list[Written]:
    """The moves of *board* in SAN."""
    root = board.root()
    return read_movetext(root.variation_san(board.move_stack)).moves


def word(text: str) -> Written:
    (move,) = read_movetext(text).moves
    return move


def after(board: chess.Board) -> Mailbox:
    box = Mailbox(start_from("standard", board.root().fen()).board)
    box.play(line_of(board))
    return box


def attempt(box: Mailbox, text: str) -> str | None:
    """What the quick board takes *text* for, on a copy of it."""
    box = copy.deepcopy(box)
    try:
        return box.play([word(text)])[0][0]
    except GiveUp:
        return None


@given(positions())
@examples(150)
def test_lines_are_played_as_python_chess_plays_them(board):
    """Moves in UCI and the places of castlings are the same, whatever the line."""
    start = start_from("standard", board.root().fen())
    movetext = read_movetext(board.root().variation_san(board.move_stack))
    slowly = replay_slowly(start, movetext)
    moves, castlings = Mailbox(start.board).play(movetext.moves)
    assert (tuple(moves), tuple(castlings)) == (slowly.moves, slowly.castlings)


@given(positions())
@examples(100)
def test_what_the_quick_board_remembers(board):
    """After every move: the pieces, check, castling rights and the en passant square."""
    root = board.root()
    box = Mailbox(start_from("standard", root.fen()).board)
    for move, written in zip(board.move_stack, line_of(board), strict=True):
        box.play([written])
        root.push(move)
        assert box._squares == [str(root.piece_at(square) or "") for square in chess.SQUARES]
        assert box._check == root.is_check()
        assert "".join(sorted(box._rights)) == "".join(sorted(root.castling_xfen())).replace(
            "-", box._rights and "-"
        )
        assert box._taken == root.ep_square


@pytest.mark.parametrize(
    ("fen", "line"),
    [
        ("5k2/p7/8/8/8/8/8/4K2R w K - 0 1", "O-O a5"),  # the rook gives check
        ("3k4/7p/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O h5"),
        ("8/7p/8/8/8/8/8/R3K1k1 w Q - 0 1", "O-O-O h5"),
        ("8/8/8/k2pP2R/8/8/8/4K3 w - d6 0 1", "exd6 Ka4"),
        ("4k3/8/8/3pP3/8/8/8/K3R3 w - d6 0 1", "exd6 Ke7"),  # taking en passant gives check
    ],
)
def test_checks_that_are_hard_to_see(fen, line):
    """Castling and taking en passant may give check from squares where nothing moved to."""
    start = start_from("standard", fen)
    first, second = (word(text) for text in line.split())
    board, box = start.board.copy(), Mailbox(start.board)
    board.push_san(first.san)
    box.play([first])
    assert box._check == board.is_check()
    legal = {board.san(move).rstrip("+#") for move in board.legal_moves}
    assert (attempt(box, second.text) is not None) == (second.san in legal)


@given(positions())
@examples(75)
def test_every_legal_move_in_every_notation(board):
    """SAN, with all the origin it could have, and without signs: the same move."""
    box = after(board)
    for move in board.legal_moves:
        san = board.san(move)
        assert attempt(box, san) == move.uci()
        if not board.is_castling(move) and board.piece_type_at(move.from_square) != chess.PAWN:
            letter = san[0]
            text = f"{letter}{chess.square_name(move.from_square)}x{chess.square_name(move.to_square)}"
            assert attempt(box, text) == move.uci()


def texts() -> list[str]:
    """Everything that the quick board looks at: pieces and pawns, with and without origin."""
    hints = ["", *"abcdefgh", *"12345678"]
    pieces = [f"{piece}{hint}{to}" for piece in "KQRBN" for hint in hints for to in chess.SQUARE_NAMES]
    pawns = [
        f"{file}{to}{promotion}"
        for file in ["", *"abcdefgh"]
        for to in chess.SQUARE_NAMES
        for promotion in (["", "=Q", "=N", "=K"] if to[1] in "18" else [""])
    ]
    return [*pieces, *pawns, "O-O", "O-O-O"]


@given(positions(), st.lists(st.sampled_from(texts()), max_size=150))
@examples(150)
def test_no_text_is_taken_for_another_move(board, choices):
    """What the quick board plays, python-chess plays too; what it does not, it gives up."""
    box = after(board)
    for text in choices:
        try:
            expected = board.parse_san(word(text).san).uci()
        except ValueError:
            expected = None
        assert attempt(box, text) == expected, text


@pytest.mark.slow
@pytest.mark.parametrize("fen", CHESS)
def test_all_texts(fen):
    """The same for every text there is, in some positions that are hard."""
    board = chess.Board(fen)
    box = after(board)
    for text in texts():
        try:
            expected = board.parse_san(word(text).san).uci()
        except ValueError:
            expected = None
        assert attempt(box, text) == expected, text


@pytest.mark.parametrize("text", ["N@f3", "--", "g1f3", "Ke1g1", "0000"])
def test_unusual_notation_is_left_to_python_chess(text):
    """Drops, null moves and moves without a piece letter."""
    with pytest.raises(GiveUp):
        Mailbox(chess.Board()).play([word(text)])
