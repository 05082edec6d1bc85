"""The opening of a game by its positions: the deepest one in a book of openings, however it was reached.

Positions are compared by a number for board, side to move and castling rights (Zobrist, "A New Hashing Method
with Application for Game Playing", 1970), which each ply changes a little; no board checks what is legal.
"""

import re
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, Self
from urllib.parse import unquote

from core.compiled import NATIVE
from core.game import STANDARD, Game
from core.move_bytes import NULL

_SQUARES: Final = {
    file + rank: at for at, (rank, file) in enumerate((r, f) for r in "12345678" for f in "abcdefgh")
}
_PIECES: Final = "PNBRQKpnbrqk"
_FIRST: Final = "RNBQKBNR" + "P" * 8 + "." * 32 + "p" * 8 + "rnbqkbnr"


def _number(*of: object) -> int:
    return int.from_bytes(blake2b(repr(of).encode(), digest_size=8).digest())


_STANDS: Final = {piece: [_number(piece, at) for at in range(64)] for piece in _PIECES}
_BLACK_MOVES: Final = _number("black")
_RIGHTS: Final = [_number("rights", rights) for rights in range(16)]
_LOST: Final = {0: 0b1101, 7: 0b1110, 4: 0b1100, 56: 0b0111, 63: 0b1011, 60: 0b0011}
"""The castling rights that remain when a piece leaves or reaches this square."""
_CASTLINGS: Final = {"e1g1": (7, 5), "e1c1": (0, 3), "e8g8": (63, 61), "e8c8": (56, 59)}
"""The rook's origin and destination of each castling."""

_NUMBERS: Final = struct.pack(
    f"={12 * 64 + 1 + 16}Q",
    *(number for piece in _PIECES for number in _STANDS[piece]),
    _BLACK_MOVES,
    *_RIGHTS,
)
"""All of these for the compiled core."""

_OPENING_PAGE: Final = re.compile(r"https?://(?:www\.)?chess\.com/openings/([^/?#]+)", re.IGNORECASE)
_MOVES: Final = re.compile(r"(?:-\d+\.|\.\.\.|-with-\d+-).*")


@dataclass(frozen=True, slots=True)
class Opening:
    """An opening: its ECO code, and its name."""

    eco: str
    name: str


class Book:
    """Openings by position.

    Args:
        openings: Each with the moves that lead to its position from the first position of chess (UCI).

    Attributes:
        deepest: The plies of the longest of them: later moves change nothing.
    """

    def __init__(self, openings: Iterable[tuple[Opening, Sequence[str]]]) -> None:
        self._known: dict[int, Opening] = {}
        self.deepest = 0
        for opening, moves in openings:
            self._known[positions(moves, len(moves))[-1]] = opening
            self.deepest = max(self.deepest, len(moves))
        self._keys = struct.pack(f"={len(self._known)}Q", *sorted(self._known))
        self._by_key = [self._known[number] for number in sorted(self._known)]

    @classmethod
    def read(cls, text: str) -> Self:
        """The book of a text with code, name and moves, separated by tabs; ``#`` begins a comment line.

        Raises:
            ValueError: a line has other parts.
        """
        lines = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
        return cls((Opening(eco, name), moves.split()) for eco, name, moves in lines)

    def __len__(self) -> int:
        return len(self._known)

    def at(self, place: int) -> Opening:
        """The opening at a place in the order of `tables`."""
        return self._by_key[place]

    @property
    def tables(self) -> tuple[bytes, bytes, int]:
        """What the compiled core finds openings by: numbers of pieces, keys of positions in order, and the deepest ply."""
        return _NUMBERS, self._keys, self.deepest

    def find(self, moves: Sequence[str]) -> Opening | None:
        """The opening of these moves from the first position of chess.

        That of the last position in the book.
        """
        if NATIVE is not None and isinstance(moves, tuple):
            place = NATIVE.opening(moves, self.deepest, _NUMBERS, self._keys)
            if place is not None:
                return self._by_key[place] if place >= 0 else None
        return self._find_slowly(moves)

    def _find_slowly(self, moves: Sequence[str]) -> Opening | None:
        found = None
        known = self._known
        for number in positions(moves, self.deepest)[1:]:
            found = known.get(number, found)
        return found

    def of(self, game: Game) -> Opening | None:
        """The opening of a game of normal chess from its first position; None for others."""
        return self.find(game.moves) if game.variant == STANDARD and not game.start else None


def positions(moves: Sequence[str], deepest: int) -> list[int]:
    """The number of the first position, and of those after each of the first *deepest* moves (legal, UCI)."""
    board = list(_FIRST)
    rights = 15
    number = 0
    numbers = [number]
    for move in moves[:deepest]:
        number ^= _BLACK_MOVES
        if move != NULL:
            origin, to = _SQUARES[move[:2]], _SQUARES[move[2:4]]
            number ^= _moved(board, move, origin, to)
            if rights and (origin in _LOST or to in _LOST):
                left = rights & _LOST.get(origin, 15) & _LOST.get(to, 15)
                number ^= _RIGHTS[rights] ^ _RIGHTS[left]
                rights = left
        numbers.append(number)
    return numbers


def _moved(board: list[str], move: str, origin: int, to: int) -> int:
    """Move a piece on *board*; returns the change of the number."""
    piece, taken = board[origin], board[to]
    changed = _STANDS[piece][origin]
    board[origin] = "."
    if taken != ".":
        changed ^= _STANDS[taken][to]
    elif piece in "Pp" and (to - origin) % 8:
        beside = to - 8 if piece == "P" else to + 8  # en passant
        changed ^= _STANDS[board[beside]][beside]
        board[beside] = "."
    elif piece in "Kk" and move in _CASTLINGS:
        changed ^= _castled(board, *_CASTLINGS[move])
    if len(move) == 5:
        piece = move[4].upper() if piece == "P" else move[4]
    board[to] = piece
    return changed ^ _STANDS[piece][to]


def _castled(board: list[str], origin: int, to: int) -> int:
    rook = board[origin]
    board[origin], board[to] = ".", rook
    return _STANDS[rook][origin] ^ _STANDS[rook][to]


def of_page(url: str | None) -> str | None:
    """The opening that chess.com's page of it is about, from its URL, without the moves after its name.

    ``https://www.chess.com/openings/Sicilian-Defense-Open-Najdorf-Variation-6.Be3`` is about the "Sicilian
    Defense Open Najdorf Variation". None if the URL names no opening.
    """
    page = _OPENING_PAGE.match(url or "")
    name = _MOVES.sub("", unquote(page[1])).replace("-", " ").strip() if page else ""
    return None if name in {"", "Undefined"} else name
