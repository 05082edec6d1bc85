"""A back end for games of normal chess, several times as fast as python-chess: a board of 64 squares.

It plays only what is certain: the usual notation of a legal, unambiguous move. At anything else it gives up,
and the whole game goes to python-chess, which decides and says what is wrong. Tests compare the two.
"""

from collections.abc import Sequence
from typing import Final

import chess

from core.pgn.movetext import CASTLE_LONG, CASTLE_SHORT, Written

_STEPS: Final = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1))
"""File and rank steps of the eight directions: straight, then diagonal upwards, then diagonal downwards."""
_JUMPS: Final = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
_KNIGHT: Final = 8
"""The entry in `_TOWARDS` for a knight's move, instead of a direction."""


def _line(square: int, step: tuple[int, int], longest: int) -> tuple[int, ...]:
    file, rank = square % 8, square // 8
    line = ((file + step[0] * n, rank + step[1] * n) for n in range(1, longest + 1))
    return tuple(f + 8 * r for f, r in line if 0 <= f < 8 and 0 <= r < 8)


def _towards(square: int) -> list[int | None]:
    """For every other square its direction from *square*, if it is in any."""
    found: list[int | None] = [None] * 64
    for direction, ray in enumerate(_RAYS[square]):
        for other in ray:
            found[other] = direction
    for other in _KNIGHT_MOVES[square]:
        found[other] = _KNIGHT
    return found


_RAYS: Final = [[_line(square, step, 7) for step in _STEPS] for square in range(64)]
_KNIGHT_MOVES: Final = [[to for jump in _JUMPS for to in _line(square, jump, 1)] for square in range(64)]
_KING_MOVES: Final = [[to for step in _STEPS for to in _line(square, step, 1)] for square in range(64)]
_TOWARDS: Final = [_towards(square) for square in range(64)]
_AT: Final = {name: square for square, name in enumerate(chess.SQUARE_NAMES)}
_DIRECTIONS: Final = {"R": range(4), "B": range(4, 8), "Q": range(8)}
_UCI: Final = [[origin + to for to in chess.SQUARE_NAMES] for origin in chess.SQUARE_NAMES]

# Which pieces of White and of Black attack along a direction, looked along from the attacked square: from afar, and
# from the very next square. White's pawns attack from below.
_FAR: Final = {True: ["RQ"] * 4 + ["BQ"] * 4, False: ["rq"] * 4 + ["bq"] * 4}
_NEAR: Final = {
    True: ["RQK"] * 4 + ["BQK"] * 2 + ["BQKP"] * 2,
    False: ["rqk"] * 4 + ["bqkp"] * 2 + ["bqk"] * 2,
}
_RIGHT_OF: Final = {
    chess.H1: "K",
    chess.A1: "Q",
    chess.H8: "k",
    chess.A8: "q",
    chess.E1: "KQ",
    chess.E8: "kq",
}


class GiveUp(Exception):  # noqa: N818 - no error: the other back end takes over
    """This board cannot decide about a move."""


class Mailbox:
    """A position of normal chess; any castling that remains is the usual one.

    Attributes:
        castled: Whether the last move was a castling.
    """

    __slots__ = ("_check", "_kings", "_rights", "_squares", "_taken", "_white", "castled")

    def __init__(self, board: chess.Board) -> None:
        pieces = (board.piece_at(square) for square in chess.SQUARES)
        self._squares = [piece.symbol() if piece else "" for piece in pieces]
        self._kings = {True: self._squares.index("K"), False: self._squares.index("k")}
        self._white = board.turn
        self._rights = board.castling_xfen()
        self._taken = board.ep_square
        self._check = board.is_check()
        self.castled = False

    def play(self, line: Sequence[Written]) -> tuple[list[str], list[int]]:
        """Play *line*; returns its moves in UCI and the indices of castlings.

        Raises:
            GiveUp: at the first move that needs python-chess.
        """
        moves: list[str] = []
        castlings: list[int] = []
        for index, written in enumerate(line):
            moves.append(self._move(written))
            if self.castled:
                castlings.append(index)
        return moves, castlings

    def write(self, move: str) -> str:
        """Play a legal move in UCI and return its SAN, with a sign for check; mate has the same sign.

        Raises:
            GiveUp: the move needs python-chess.
        """
        self.castled = False
        origin, to = _AT.get(move[:2]), _AT.get(move[2:4])
        if origin is None or to is None or origin == to or not self._squares[origin]:
            raise GiveUp
        piece = self._squares[origin].upper()
        if piece == "K" and abs(origin - to) == 2:
            self._castle(short=to > origin)
            text = "O-O" if to > origin else "O-O-O"
        else:
            text = self._written(piece, origin, to, move[4:])
        return text + "+" if self._check else text

    def is_mate(self) -> bool:
        """Whether the side to move is checkmated."""
        board = chess.Board(None)
        for square, piece in enumerate(self._squares):
            if piece:
                board.set_piece_at(square, chess.Piece.from_symbol(piece))
        board.turn, board.ep_square = self._white, self._taken
        return board.is_checkmate()

    def _written(self, piece: str, origin: int, to: int, promotion: str) -> str:
        squares, name = self._squares, chess.SQUARE_NAMES
        if piece != "P":
            text = piece + self._disambiguation(piece, origin, to) + ("x" if squares[to] else "") + name[to]
            self._step(origin, to)
            return text
        step = 8 if self._white else -8
        takes = (to - origin) % 8 != 0
        victim = to - step if takes and to == self._taken and not squares[to] else None
        if victim is not None:
            squares[victim] = ""
        self._step(origin, to, promotion=promotion.upper(), pawn_step=to - origin, victim=victim)
        return (
            (f"{name[origin][0]}x" if takes else "")
            + name[to]
            + (f"={promotion.upper()}" if promotion else "")
        )

    def _disambiguation(self, piece: str, origin: int, to: int) -> str:
        """The part of its square that tells a piece from others of its kind that could go there.

        File, rank or both.
        """
        own = self._squares[origin]
        others = [at for at in self._reach(piece, own, to) if at != origin and self._safe(at, to)]
        if not others:
            return ""
        name = chess.SQUARE_NAMES[origin]
        if all(at % 8 != origin % 8 for at in others):
            return name[0]
        return name[1] if all(at // 8 != origin // 8 for at in others) else name

    def _move(self, written: Written) -> str:
        self.castled = False
        piece = written.piece
        if piece in {CASTLE_SHORT, CASTLE_LONG}:
            return self._castle(short=piece == CASTLE_SHORT)
        if written.drop or written.to < 0:
            raise GiveUp
        if piece in {"P", ""}:
            return self._move_pawn(written)
        if written.promotion:
            raise GiveUp
        origin = self._origin(piece, written)
        self._step(origin, written.to)
        return _UCI[origin][written.to]

    def _origin(self, piece: str, written: Written) -> int:
        """The square of the one piece that can go to the destination."""
        to, origins, white = written.to, written.origins, self._white
        target = self._squares[to]
        if target and target.isupper() is white:
            raise GiveUp
        own = piece if white else piece.lower()
        found = [at for at in self._reach(piece, own, to) if origins >> at & 1]
        if len(found) != 1:
            found = [at for at in found if self._safe(at, to)]
        elif not self._safe(found[0], to):
            raise GiveUp
        if len(found) != 1:
            raise GiveUp
        return found[0]

    def _reach(self, piece: str, own: str, to: int) -> list[int]:
        squares = self._squares
        if piece == "N":
            return [at for at in _KNIGHT_MOVES[to] if squares[at] == own]
        if piece == "K":
            return [at for at in _KING_MOVES[to] if squares[at] == own]
        found = []
        rays = _RAYS[to]
        for direction in _DIRECTIONS[piece]:
            for at in rays[direction]:
                standing = squares[at]
                if standing:
                    if standing == own:
                        found.append(at)
                    break
        return found

    def _move_pawn(self, written: Written) -> str:
        to, white, squares = written.to, self._white, self._squares
        own, step = ("P", 8) if white else ("p", -8)
        last = to >= 56 if white else to < 8
        if last is not bool(written.promotion) or written.promotion == "K" or not 8 <= to - step < 56:
            raise GiveUp
        origin = self._pawn_origin(written, step)
        if not written.origins >> origin & 1 or squares[origin] != own:
            raise GiveUp
        victim = to - step if to == self._taken and (to - origin) % 8 else None
        if not self._safe(origin, to, victim):
            raise GiveUp
        if victim is not None:
            squares[victim] = ""
        self._step(origin, to, promotion=written.promotion, pawn_step=to - origin, victim=victim)
        return _UCI[origin][to] + written.promotion.lower()

    def _pawn_origin(self, written: Written, step: int) -> int:
        to, squares = written.to, self._squares
        target = squares[to]
        if written.file >= 0 and written.file != to % 8:
            enemy = target and target.isupper() is not self._white
            if abs(written.file - to % 8) != 1 or not (enemy or to == self._taken):
                raise GiveUp
            return to - step - to % 8 + written.file
        if target:
            raise GiveUp
        if not squares[to - step] and to // 8 == (3 if self._white else 4):
            return to - 2 * step
        return to - step

    def _castle(self, *, short: bool) -> str:
        white, squares = self._white, self._squares
        king = chess.E1 if white else chess.E8
        right = ("K" if short else "Q") if white else ("k" if short else "q")
        between, over = ((1, 2), (1, 2)) if short else ((-1, -2, -3), (-1, -2))
        if (
            right not in self._rights
            or self._check
            or any(squares[king + step] for step in between)
            or any(self._attacked(king + step, not white) for step in over)
        ):
            raise GiveUp
        rook, side = (king + 3, 1) if short else (king - 4, -1)
        squares[king + side], squares[rook] = squares[rook], ""
        self._step(king, king + 2 * side)
        self.castled = True
        # The rook may give check over the square that the king has left or from its own.
        self._check = self._attacked(self._kings[not white], white)
        return _UCI[king][king + 2 * side]

    def _step(
        self, origin: int, to: int, *, promotion: str = "", pawn_step: int = 0, victim: int | None = None
    ) -> None:
        """Carry out a legal move, and note whether it gives check."""
        squares, white = self._squares, self._white
        piece = squares[origin]
        squares[origin] = ""
        squares[to] = (promotion if white else promotion.lower()) or piece
        if piece in {"K", "k"}:
            self._kings[white] = to
        if self._rights != "-":
            lost = _RIGHT_OF.get(origin, "") + _RIGHT_OF.get(to, "")
            self._rights = (
                "".join(right for right in self._rights if right not in lost) if lost else self._rights
            )
        self._taken = origin + pawn_step // 2 if abs(pawn_step) == 16 else None
        king = self._kings[not white]
        if victim is not None:
            self._check = self._attacked(king, white)
        else:
            self._check = self._hit(king, to, white) or self._hit(king, origin, white)
        self._white = not white

    def _safe(self, origin: int, to: int, victim: int | None = None) -> bool:
        """Whether the own king is not in check after a piece went from *origin* to *to*."""
        squares, white = self._squares, self._white
        king = self._kings[white]
        pinned = _TOWARDS[king][origin]
        if not self._check and victim is None and king != origin and (pinned is None or pinned == _KNIGHT):
            return True
        piece, target = squares[origin], squares[to]
        squares[origin], squares[to] = "", piece
        if victim is not None:
            pawn, squares[victim] = squares[victim], ""
        if king == origin:
            safe = not self._attacked(to, not white)
        elif self._check or victim is not None:
            safe = not self._attacked(king, not white)
        else:
            safe = not self._hit(king, origin, not white)
        squares[origin], squares[to] = piece, target
        if victim is not None:
            squares[victim] = pawn
        return safe

    def _hit(self, king: int, at: int, by: bool) -> bool:
        """Whether *king* is attacked by a piece of that side at *at*, or by one that *at* had covered."""
        direction = _TOWARDS[king][at]
        if direction is None:
            return False
        if direction == _KNIGHT:
            return self._squares[at] == ("N" if by else "n")
        return self._along(king, direction, by)

    def _along(self, square: int, direction: int, by: bool) -> bool:
        squares = self._squares
        pieces = _NEAR[by][direction]
        for at in _RAYS[square][direction]:
            standing = squares[at]
            if standing:
                return standing in pieces
            pieces = _FAR[by][direction]
        return False

    def _attacked(self, square: int, by: bool) -> bool:
        knight = "N" if by else "n"
        return any(self._along(square, direction, by) for direction in range(8)) or any(
            self._squares[at] == knight for at in _KNIGHT_MOVES[square]
        )
