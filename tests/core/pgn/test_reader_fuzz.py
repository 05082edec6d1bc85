"""Whatever a file holds: reading never raises, and a broken game never harms its neighbours."""

from contextlib import suppress

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.game import Game, Unreadable
from core.move_bytes import pack, unpack
from core.pgn.movetext import Fault, read_movetext
from core.pgn.reader import Limits, parse, read
from core.sameness import key
from tests.examples import examples

BITS = [
    "\n", "\r\n", "\r", "\n\n", " ", "\x00", "\ufeff", '[Event "A"]', '[White "B"]', '[FEN "', '[Variant "Crazyhouse"]',
    '[Variant "Atomic"]', '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]', "[Site", '"]', "{", "}", ";", "%", "(", ")", "1-0", "*",
    "1.", "2...", "e4", "e5", "Nf3", "O-O", "e8=Q", "@e4", "N@f6", "--", "$1", "$" + "9" * 5000, "!?", "e.p.", "½", "♘",
    "\\", '"', "<", "[", "]", "1. ?! d5 )2 ...", "(1. d4 ",
]  # fmt: skip
pgnish = st.lists(st.sampled_from(BITS) | st.text(max_size=4), max_size=40).map("".join)
anything = pgnish.map(lambda text: text.encode("utf-8", "replace")) | st.binary(max_size=300)

SENTINEL = '[Event "S"]\n[White "Verdi"]\n[Black "Neri"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 {x} Qh4# 0-1\n\n'


@given(anything)
@examples(500)
def test_reading_never_raises(data):
    """Any bytes give games and unreadables whose texts every database takes."""
    for found in read(data):
        texts = [text for tag in found.tags for text in tag]
        assert not any(
            "\x00" in text or (not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text))
            for text in texts
        )
        if isinstance(found, Unreadable):
            assert found.reason
            assert found.position is None or 0 <= found.position <= len(found.raw)
        else:
            assert unpack(pack(found.moves)) == found.moves
            assert key(found) == key(found)


@given(anything)
@examples(500)
def test_neighbours_survive(data):
    """A game before and a game after arbitrary rubbish are read as if it were not there.

    The rubbish is a game: it has a beginning, a header, and an end, a blank line. (Bytes after a result belong
    to no new game, so without the header they would be a part of the game before.)
    """
    broken = b'[Event "B"]\n' + data + b"\n\n"
    first, *_, last = read(SENTINEL.encode() + broken + SENTINEL.encode())
    (alone,) = read(SENTINEL)
    assert first == last == alone


@given(anything)
@examples(300)
def test_what_comes_before_a_game_does_not_touch_it(data):
    """Rubbish without a header does not belong to the game after it, as soon as it holds any text."""
    *_, last = read(data + b"\nx\n\n" + SENTINEL.encode())
    (alone,) = read(SENTINEL)
    assert last == alone


@given(anything)
def test_parsing_one_piece_never_raises(data):
    """`parse` takes what was not cut by `split` as well, and keeps it byte for byte."""
    assert parse(data, limits=Limits(max_plies=50, max_tags=5)).raw == data


@given(pgnish)
def test_tokenizer(text):
    """It gives a line, or a fault with a place inside of the text."""
    with suppress(Fault):
        read_movetext(text)
        return
    with pytest.raises(Fault) as fault:
        read_movetext(text)
    assert fault.value.at in range(len(text))


@st.composite
def lines(draw, longest=60):
    """A random legal line from the standard or a Chess960 position, as board and moves."""
    board = chess.Board.from_chess960_pos(draw(st.integers(0, 959))) if draw(st.booleans()) else chess.Board()
    moves = []
    for choice in draw(st.lists(st.integers(0, 1 << 16), max_size=longest)):
        legal = list(board.legal_moves)
        if not legal:
            break
        moves.append(legal[choice % len(legal)])
        board.push(moves[-1])
    return board.root(), moves


def written(root: chess.Board, moves: list[chess.Move]) -> str:
    fen = "" if root.fen() == chess.STARTING_FEN else f'[FEN "{root.fen()}"]\n'
    return f'[Event "A"]\n{fen}\n{root.variation_san(moves)} *\n'


@given(lines())
def test_legal_lines_are_read_as_played(line):
    """Every legal line comes out move by move; castlings are king steps only where all stands as usual."""
    root, moves = line
    (found,) = read(written(root, moves))
    assert isinstance(found, Game), found
    usual = chess.Board(found.start_fen) if found.start_fen else chess.Board()
    board = chess.Board(root.fen(), chess960=True)
    for index, (uci, move) in enumerate(zip(found.moves, moves, strict=True)):
        expected = board.uci(move, chess960=index not in found.castlings)
        assert uci == expected
        assert (index in found.castlings) <= (board.is_castling(move) and usual.king(chess.WHITE) == chess.E1)
        board.push(move)


@given(lines(longest=25), st.data())
def test_every_notation_of_a_move(line, data):
    """SAN, long algebraic, UCI: the same move; a move that is not legal is a fault, never another move."""
    root, moves = line
    board = root.copy()
    for move in moves:
        board.push(move)
    square, target = data.draw(st.sampled_from(chess.SQUARES)), data.draw(st.sampled_from(chess.SQUARES))
    piece = board.piece_at(square)
    letter = piece.symbol().upper().replace("P", "") if piece else data.draw(st.sampled_from("KQRBN"))
    text = f"{letter}{chess.square_name(square)}-{chess.square_name(target)}"
    legal = [
        m
        for m in board.legal_moves
        if m.from_square == square and m.to_square == target and not board.is_castling(m)
    ]
    (found,) = read(written(root, moves).replace(" *\n", f" {text} *\n").replace("\n*\n", f"\n{text} *\n"))
    if len(legal) == 1 and not legal[0].promotion:
        assert isinstance(found, Game), found
        assert found.moves[-1] == legal[0].uci()
    elif isinstance(found, Game):
        assert piece is not None
        assert piece.piece_type == chess.KING
        assert len(found.moves) - 1 in found.castlings or board.chess960
