"""Openings by position."""

import chess
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.game import Game
from core.openings import Book, Opening, of_page, positions
from core.pgn.reader import parse
from tests.core.pgn.made_up import play

BOOK = Book.read(
    "# a small book\n"
    "B20\tSicilian Defense\te2e4 c7c5\n"
    "B50\tSicilian Defense: Modern Variations\te2e4 c7c5 g1f3 d7d6\n"
    "D37\tQueen's Gambit Declined: Three Knights Variation\td2d4 d7d5 c2c4 e7e6 b1c3 g8f6 g1f3\n"
)


def test_the_deepest_known_position_counts() -> None:
    """Later moves that no book knows change nothing."""
    assert BOOK.find(["e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "c5d4"]) == Opening(
        "B50", "Sicilian Defense: Modern Variations"
    )
    assert BOOK.find(["e2e4", "c7c5", "a2a3"]) == Opening("B20", "Sicilian Defense")


def test_a_transposition_is_found() -> None:
    """The order of the moves does not matter: the position does."""
    found = BOOK.find(["g1f3", "d7d5", "d2d4", "g8f6", "c2c4", "e7e6", "b1c3"])
    assert found is not None
    assert found.eco == "D37"


def test_what_the_book_does_not_know() -> None:
    """No moves, or none that lead to a known position, have no opening."""
    assert BOOK.find([]) is None
    assert BOOK.find(["a2a3", "a7a6"]) is None


def test_castling_rights_count() -> None:
    """The same pieces on the same squares are another position when a king has moved meanwhile."""
    moved = ["e2e4", "e7e5", "e1e2", "e8e7", "e2e1", "e7e8"]
    assert positions(moved, 6)[-1] != positions(["e2e4", "e7e5"], 2)[-1]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('[White "A b"]\n\n1. e4 c5 *', "B20"),
        ('[White "A b"]\n[Variant "Atomic"]\n\n1. e4 c5 *', None),
        ('[White "A b"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *', None),
    ],
)
def test_only_normal_chess_from_its_first_position(text: str, code: str | None) -> None:
    """A variant, or a game from another position, has no opening."""
    game = parse(text.encode())
    assert isinstance(game, Game)
    found = BOOK.of(game)
    assert (found and found.eco) == code


@given(st.lists(st.integers(0, 10_000), max_size=80), st.lists(st.integers(0, 10_000), max_size=80))
def test_numbers_are_equal_where_positions_are(one: list[int], other: list[int]) -> None:
    """As python-chess sees it: pieces, side to move, castling rights; castlings, en passant and promotions among them."""
    numbers: dict[int, str] = {}
    for choices in (one, other):
        board = chess.Board()
        seen = [_position(board)]
        for choice in choices:
            legal = sorted(
                board.legal_moves,
                key=lambda move: (not board.is_castling(move), not board.is_en_passant(move), move.uci()),
            )
            if not legal:
                break
            # Every second time the rare moves, which stand first.
            board.push(legal[choice % len(legal) if choice % 2 else 0])
            seen.append(_position(board))
        found = positions([move.uci() for move in board.move_stack], len(board.move_stack))
        for number, position in zip(found, seen, strict=True):
            assert numbers.setdefault(number, position) == position
    assert len(set(numbers.values())) == len(numbers)


def _position(board: chess.Board) -> str:
    return f"{board.board_fen()} {board.turn} {board.castling_rights}"


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://www.chess.com/openings/Sicilian-Defense-Open-Najdorf-Variation-6.Be3-e5", "Sicilian Defense Open Najdorf Variation"),
        ("https://www.chess.com/openings/Kings-Pawn-Opening-Kings-Knight-Variation...3.Bc4", "Kings Pawn Opening Kings Knight Variation"),
        ("https://www.chess.com/openings/Caro-Kann-Defense-3...Bg4-4.h3", "Caro Kann Defense"),
        ("http://chess.com/openings/Reti-Opening?x=1", "Reti Opening"),
        ("https://www.chess.com/openings/R%C3%A9ti-Opening", "Réti Opening"),
        ("https://www.chess.com/openings/Undefined", None),
        ("https://www.chess.com/openings/", None),
        ("https://elsewhere.example/openings/Reti-Opening", None),
        (None, None),
    ],
)  # fmt: skip
def test_chesscoms_address_of_an_opening(address: str | None, name: str | None) -> None:
    """The words of the address are the name; the moves after it are left out."""
    assert of_page(address) == name


def test_the_tag_of_chesscom_is_told() -> None:
    """A PGN with ECOUrl tells its opening; the tag Opening goes before it."""
    head = '[White "a"]\n[ECOUrl "https://www.chess.com/openings/Reti-Opening-2.g3"]\n'
    game, both = (parse(f"{head}{more}\n1. Nf3 *".encode()) for more in ("", '[Opening "Zukertort"]\n'))
    assert isinstance(game, Game)
    assert isinstance(both, Game)
    assert (game.opening, both.opening) == ("Reti Opening", "Zukertort")


@pytest.mark.parametrize("line", [("e2e2",), ("e2e4", "e1e1"), ("a2a2n",)])
def test_a_move_that_goes_nowhere(line: tuple[str, ...]) -> None:
    """No game has one; where damaged bytes do, the compiled core finds what Python finds."""
    assert Book([(Opening("A00", "x"), line)]).find(line) == Opening("A00", "x")


@given(st.lists(st.integers(0, 1 << 16), max_size=120), st.lists(st.integers(0, 60)), st.integers(0, 60))
@example([], [0], 0)
def test_every_position_of_a_line_is_found_by_its_number(choices, known, cut):
    """Castlings, en passant and promotions included: what is found is the last known position of the line."""
    board = chess.Board()
    play(board, choices)
    line = tuple(move.uci() for move in board.move_stack)
    names = {Opening("A00", str(at)): line[:at] for at in known if at <= len(line)}
    book = Book([*names.items(), (Opening("B00", "another"), ("a2a3", "h7h6"))])
    found = book.find(line[:cut])
    numbers = positions(line[:cut], book.deepest)[1:]
    by_number = {positions(moves, len(moves))[-1]: opening for opening, moves in names.items()}
    by_number[positions(("a2a3", "h7h6"), 2)[-1]] = Opening("B00", "another")
    assert found == next((by_number[number] for number in reversed(numbers) if number in by_number), None)
    assert found == book.find(list(line[:cut]))


def test_null_moves_and_moves_of_nothing():
    """A null move is a move; one from an empty square is an error, as no game has it."""
    assert BOOK.find(("e2e4", "0000", "a2a3")) == BOOK.find(["e2e4", "0000", "a2a3"])
    with pytest.raises(KeyError):
        BOOK.find(("e2e4", "e2e4"))
