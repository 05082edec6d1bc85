"""Seeded random play by the rules, with real SAN, and the small opening book that it begins with."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import chess
import chess.variant

_VARIANTS = {
    "antichess": "antichess",
    "atomic": "atomic",
    "bughouse": "crazyhouse",  # one board of it: drops, as there
    "crazyhouse": "crazyhouse",
    "horde": "horde",
    "kingOfTheHill": "kingofthehill",
    "racingKings": "racingkings",
    "threeCheck": "3check",
}


@dataclass(frozen=True, slots=True)
class Opening:
    """An opening that both sites name alike."""

    eco: str
    name: str
    sans: tuple[str, ...]


BOOK = tuple(
    Opening(eco, name, tuple(moves.split()))
    for eco, name, moves in (
        ("A04", "Zukertort Opening", "Nf3"),
        ("A10", "English Opening", "c4"),
        ("B01", "Scandinavian Defense", "e4 d5"),
        ("B10", "Caro-Kann Defense", "e4 c6"),
        ("B20", "Sicilian Defense", "e4 c5"),
        ("C00", "French Defense", "e4 e6"),
        ("C50", "Italian Game", "e4 e5 Nf3 Nc6 Bc4"),
        ("C60", "Ruy Lopez", "e4 e5 Nf3 Nc6 Bb5"),
        ("D00", "Queen's Pawn Game", "d4 d5"),
        ("D06", "Queen's Gambit", "d4 d5 c4"),
        ("E60", "King's Indian Defense", "d4 Nf6 c4 g6"),
    )
)

MATES = tuple(
    tuple(moves.split())
    for moves in (
        "f3 e5 g4 Qh4#",
        "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#",
        "e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#",
    )
)
"""Short games that end in mate."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of play.

    *start* is None for the variant's own start position; *fens* stand after each ply, and name an en passant
    square after every double step, as chess.com does.
    """

    variant: str
    start: str | None
    sans: tuple[str, ...]
    ucis: tuple[str, ...]
    fens: tuple[str, ...]

    def fen(self, ply: int) -> str:
        """The position after that many plies."""
        return self.fens[ply - 1] if ply else self.board().fen()

    def board(self, ply: int = 0) -> chess.Board:
        """The board after that many plies."""
        board = new_board(self.variant, self.start)
        for uci in self.ucis[:ply]:
            board.push_uci(uci)
        return board

    @property
    def opening(self) -> Opening | None:
        """The longest opening of the book that this line begins with."""
        if self.start is not None or self.variant not in {"standard", "crazyhouse"}:
            return None
        fitting = [opening for opening in BOOK if self.sans[: len(opening.sans)] == opening.sans]
        return max(fitting, key=lambda opening: len(opening.sans), default=None)


def new_board(variant: str, start: str | None = None) -> chess.Board:
    """A board of that variant at the start position, or at *start*."""
    name = _VARIANTS.get(variant)
    if name is None:
        return chess.Board(start or chess.STARTING_FEN, chess960=variant == "chess960")
    kind = chess.variant.find_variant(name)
    return kind(start) if start else kind()


def random_start(rng: Random) -> str:
    """One of the 960 start positions, as X-FEN."""
    return chess.Board.from_chess960_pos(rng.randrange(960)).fen()


def random_line(rng: Random, variant: str, plies: int, start: str | None = None) -> Line:
    """A line of at most *plies* legal plies; shorter where the game is over before."""
    prefix: Sequence[str] = ()
    if start is None and variant == "standard":
        prefix = rng.choice(BOOK).sans[:plies]
    return _play(rng, new_board(variant, start), variant, start, prefix, plies)


def given_line(variant: str, sans: Sequence[str], start: str | None = None) -> Line:
    """The line with these moves.

    Raises:
        ValueError: one of them is not legal.
    """
    return _play(Random(0), new_board(variant, start), variant, start, sans, len(sans))


def _play(
    rng: Random, board: chess.Board, variant: str, start: str | None, prefix: Sequence[str], plies: int
) -> Line:
    sans: list[str] = []
    ucis: list[str] = []
    fens: list[str] = []
    while len(sans) < plies and not board.is_game_over():
        move = board.parse_san(prefix[len(sans)]) if len(sans) < len(prefix) else _random_move(rng, board)
        san = board.san(move)
        sans.append("P" + san if san.startswith("@") else san)  # as both sites write it
        ucis.append(board.uci(move))
        board.push(move)
        fens.append(board.fen(en_passant="fen"))
    return Line(variant, start, tuple(sans), tuple(ucis), tuple(fens))


def _random_move(rng: Random, board: chess.Board) -> chess.Move:
    return rng.choice(sorted(board.legal_moves, key=board.uci))
