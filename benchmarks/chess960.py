"""Chess960 games that python-chess has played at random: the text of each, and the moves that were played.

A castling is the king's two steps where kings and rooks stand as in chess (`core.game.Game`), else king takes rook.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import chess

_MOST_PLIES: Final = 60
_BETWEEN: Final = [" "] * 12 + [
    "\n",
    " {a comment} ",
    " {[%clk 0:03:00]} ",
    " $1 ",
    " (1. d4 d5) ",
    " ; to the end\n",
]


@dataclass(frozen=True, slots=True)
class Played:
    """A game: its text, the position that it starts from, and its moves in UCI."""

    raw: bytes
    start: str
    moves: tuple[str, ...]


def games(seed: int, count: int) -> Iterator[Played]:
    """So many games, the same for the same seed."""
    chance = random.Random(seed)
    for number in range(count):
        board = chess.Board.from_chess960_pos(chance.randrange(960))
        if chance.random() < 0.2:  # from the middle of a game
            _play(board, chance, chance.randrange(40))
        start = board.copy(stack=False)
        words, moves = _play(board, chance, chance.randrange(10, _MOST_PLIES))
        fen = start.fen() if chance.random() < 0.5 else start.fen(shredder=True)
        fen = " ".join(fen.split()[:4]) + f" 0 {start.fullmove_number}"
        text = _text(f"{seed}-{number}", start, fen, words, chance)
        yield Played(text.encode(), start.fen(), tuple(moves))


def castles_as_usual(board: chess.Board) -> bool:
    """Whether all castlings that are allowed begin where chess has kings and rooks."""
    kings = all(
        board.king(colour) == (chess.E1 if colour else chess.E8)
        for colour in chess.COLORS
        if board.has_castling_rights(colour)
    )
    return kings and not board.clean_castling_rights() & ~chess.BB_CORNERS


def _play(board: chess.Board, chance: random.Random, plies: int) -> tuple[list[str], list[str]]:
    """Play on; the moves as they are written, now and then in an unusual way, and in UCI."""
    words, moves, steps = list[str](), list[str](), castles_as_usual(board)
    while len(words) < plies:
        legal = list(board.legal_moves)
        if not legal:
            break
        rare = [m for m in legal if m.promotion or _is_rare(board, m)] if chance.random() < 0.4 else []
        move = chance.choice(rare or legal)
        moves.append(board.uci(move, chess960=not steps))
        kind = "castling" if board.is_castling(move) else board.piece_type_at(move.from_square)
        words.append(_word(board.san_and_push(move), kind, move, chance))
    return words, moves


def _is_rare(board: chess.Board, move: chess.Move) -> bool:
    return board.is_castling(move) or board.is_en_passant(move)


def _word(usual: str, kind: str | int | None, move: chess.Move, chance: random.Random) -> str:
    """A move as it is written, and what is moved: now and then in an unusual way."""
    if chance.random() < 0.9:
        return usual
    plain = usual.rstrip("+#")
    if kind == "castling":
        return chance.choice([plain, plain.replace("O", "0")])
    if kind == chess.PAWN:
        return chance.choice([plain, plain.replace("=", ""), plain.replace("x", "")])
    return chance.choice([plain, plain.replace("x", ""), plain[0] + move.uci()])


def _text(name: str, start: chess.Board, fen: str, words: list[str], chance: random.Random) -> str:
    tags = {
        "Event": "Chess960 by chance",
        "Date": "2024.01.01",
        "White": f"Rossi {name}",
        "Black": f"Bianchi {name}",
    }
    tags |= {"Result": "*", "SetUp": "1", "FEN": fen, "Variant": "Chess960"}
    text, turn, number = "", start.turn, start.fullmove_number
    for word in words:
        if turn or not text:
            text += f"{number}.{'' if turn else '..'} "
        text += word + chance.choice(_BETWEEN)
        number, turn = number + (not turn), not turn
    head = "".join(f'[{tag} "{value}"]\n' for tag, value in tags.items())
    return f"{head}\n{text}*\n\n"
