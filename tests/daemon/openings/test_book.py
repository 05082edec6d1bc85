"""The book of openings that comes with the program."""

import re
from importlib.resources import files

import chess

from core.openings import Opening
from daemon.openings import book


def test_every_line_of_the_book_is_sound() -> None:
    """Codes are codes, moves are legal, and no position is there twice."""
    text = files("daemon.openings").joinpath("book.tsv").read_text("utf-8")
    lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    assert len(book()) == len(lines) > 3600
    for eco, name, moves in lines:
        assert re.fullmatch("[A-E][0-9][0-9]", eco)
        assert name == name.strip() != ""
        board = chess.Board()
        for move in moves.split():
            board.push_uci(move)  # raises where it is illegal


def test_openings_that_everybody_knows() -> None:
    """One of each volume, by usual moves."""
    for moves, eco, name in (
        ("c2c4", "A10", "English Opening"),
        ("e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6", "B90", "Sicilian Defense: Najdorf Variation"),
        ("e2e4 e7e5 g1f3 b8c6 f1b5", "C60", "Ruy Lopez"),
        ("d2d4 d7d5 c2c4 e7e6", "D30", "Queen's Gambit Declined"),
        ("d2d4 g8f6 c2c4 e7e6 b1c3 f8b4", "E20", "Nimzo-Indian Defense"),
    ):
        assert book().find(moves.split()) == Opening(eco, name)
