"""The start position of a game, in a normal form that is equal if the same moves are possible (names A30)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import chess
import chess.variant

from core.game import CHESS960, STANDARD, first_tag
from core.pgn.movetext import Fault, shorten
from core.pgn.variants import BOARDS, has_own_start, named_variant, variant_key

_LONGEST_REMEMBERED: Final = 100
_NORMAL_RIGHTS: Final = {
    chess.WHITE: (chess.E1, chess.BB_A1 | chess.BB_H1),
    chess.BLACK: (chess.E8, chess.BB_A8 | chess.BB_H8),
}
# A position with too many queens, or one that no game can reach, can be played all the same; one with these
# faults cannot.
_UNPLAYABLE: Final = {
    chess.STATUS_EMPTY: "no pieces",
    chess.STATUS_NO_WHITE_KING: "no white king",
    chess.STATUS_NO_BLACK_KING: "no black king",
    chess.STATUS_TOO_MANY_KINGS: "too many kings",
    chess.STATUS_PAWNS_ON_BACKRANK: "a pawn on the first or last rank",
    chess.STATUS_OPPOSITE_CHECK: "the side that is not to move is in check",
}


@dataclass(frozen=True, slots=True)
class Start:
    """Where a game starts and by which rules.

    Attributes:
        variant: Key of the variant.
        normal: The position in normal form, "" for the variant's own first position.
        fen: The whole FEN, None for the variant's own first position.
        board: The position to play from. Do not change it: copy it.
    """

    variant: str
    normal: str
    fen: str | None
    board: chess.Board


def read_start(tags: Iterable[tuple[str, str]]) -> Start:
    """Read the start from the tags Variant, Event, FEN and SetUp.

    An empty or ``?`` FEN counts as missing. Without a FEN the start is unknown if SetUp says that there is
    one, and in Chess960 and other games that start from a position of their own.

    Raises:
        Fault: the variant is not known, or the start position is not.
    """
    tags = tuple(tags)
    name = named_variant(first_tag(tags, "Variant"), first_tag(tags, "Event"))
    variant = variant_key(name)
    if variant is None:
        raise Fault(f"the variant {shorten(name)!r} is not known")
    fen = first_tag(tags, "FEN")
    if fen is None and first_tag(tags, "SetUp") == "1":
        raise Fault("the tag SetUp says that there is a FEN, but there is none")
    if fen is None and has_own_start(name):
        raise Fault(
            f"the start position is not known: a game of {shorten(name)!r} needs a FEN, and there is none"
        )
    if fen is None:
        return Start(variant, "", None, _FIRST[variant])
    return start_from(variant, fen)


def start_from(variant: str, fen: str) -> Start:
    """The start of a game of *variant* from *fen* (FEN, X-FEN or Shredder-FEN).

    Raises:
        Fault: *fen* is not a position that can be played.
    """
    return _remembered(variant, fen) if len(fen) <= _LONGEST_REMEMBERED else _start_from(variant, fen)


def _start_from(variant: str, fen: str) -> Start:
    board = _read_fen(variant, fen)
    normal = normal_form(board)
    if normal == _FIRST_NORMAL[variant]:
        return Start(variant, "", None, board)
    if variant == STANDARD and board.chess960:
        variant = CHESS960
    return Start(variant, normal, board.fen(), board)


_remembered: Final = lru_cache(maxsize=1024)(_start_from)  # Chess960 has 960 of them


def _read_fen(variant: str, fen: str) -> chess.Board:
    cls = BOARDS[variant]
    try:
        board = cls(" ".join(fen.split()), chess960=True)
    except ValueError as error:
        raise Fault(f"the FEN {shorten(fen, 100)!r} cannot be read: {shorten(str(error), 100)}") from None
    faults = [text for flag, text in _UNPLAYABLE.items() if board.status() & flag]
    if faults:
        raise Fault(f"the FEN {shorten(fen, 100)!r} is not a position: {', '.join(faults)}")
    board.castling_rights = board.clean_castling_rights()
    board.chess960 = not _castles_as_usual(board)
    if not board.has_legal_en_passant():
        board.ep_square = None
    return board


def _castles_as_usual(board: chess.Board) -> bool:
    """Whether all castlings that are still allowed go as in normal chess."""
    for color, (king, rooks) in _NORMAL_RIGHTS.items():
        rights = board.castling_rights & board.occupied_co[color]
        if rights and (rights & ~rooks or board.king(color) != king):
            return False
    return True


def normal_form(board: chess.Board) -> str:
    """Board, side to move, castling rights as rook squares, en passant square if such a capture is legal.

    If the variant has them, pieces in hand or remaining checks follow.
    """
    taken = board.ep_square if board.has_legal_en_passant() else None
    parts = [
        board.board_fen(),
        "w" if board.turn else "b",
        "".join(chess.SQUARE_NAMES[rook] for rook in chess.scan_forward(board.clean_castling_rights()))
        or "-",
        "-" if taken is None else chess.SQUARE_NAMES[taken],
    ]
    if isinstance(board, chess.variant.CrazyhouseBoard):
        parts[0] = board.board_fen(promoted=True)
        parts.append(f"{board.pockets[chess.WHITE]}".upper() + f"{board.pockets[chess.BLACK]}" or "-")
    elif isinstance(board, chess.variant.ThreeCheckBoard):
        parts.append(f"{board.remaining_checks[chess.WHITE]}+{board.remaining_checks[chess.BLACK]}")
    return " ".join(parts)


_FIRST: Final = {key: board() for key, board in BOARDS.items()}
_FIRST_NORMAL: Final = {key: normal_form(board) for key, board in _FIRST.items()}
FIRST_NORMAL: Final = _FIRST_NORMAL[STANDARD]
"""The first position of chess in normal form."""


_KING_STEPS: Final = frozenset({"e1g1", "e1c1", "e8g8", "e8c8"})


def castlings_in(variant: str, start: str, moves: Sequence[str]) -> tuple[int, ...]:
    """The indices in *moves* of the castlings that are written as king steps, as `Game.castlings` has them.

    No board is needed: a king that may castle and has not moved goes two squares in no other way. *start* is
    the normal form.
    """
    found = []
    if not _KING_STEPS.isdisjoint(moves):
        for king in _usual_kings(variant, start):
            first = next((at for at, move in enumerate(moves) if king in {move[:2], move[2:4]}), None)
            if first is not None and moves[first] in _KING_STEPS:
                found.append(first)
    return tuple(sorted(found))


@lru_cache(maxsize=1024)
def _usual_kings(variant: str, start: str) -> tuple[str, ...]:
    """The squares of the kings that may castle.

    None in a position where castlings are written as king takes rook.
    """
    placed, _, rights, *_ = (start or _FIRST_NORMAL.get(variant, FIRST_NORMAL)).split()
    rooks = {chess.parse_square(rights[at : at + 2]) for at in range(0, len(rights) - 1, 2)}
    board = chess.BaseBoard(placed)
    kings = []
    for color, (king, usual) in _NORMAL_RIGHTS.items():
        own = chess.SquareSet(rooks) & board.occupied_co[color]
        if own and (own - usual or board.king(color) != king):
            return ()
        if own:
            kings.append(chess.SQUARE_NAMES[king])
    return tuple(kings)
