"""Which games are one game: the same players, date, result, start position and moves, and nothing else (names R19).

`key` is what the archive looks a game up by, `compare` is what it tells people; both read the same facts.
Games that are almost the same (one goes on longer, dates a day apart) are different games here.
"""

from dataclasses import dataclass
from hashlib import blake2b
from json.encoder import encode_basestring_ascii
from typing import Final

from core.game import Game, PartialDate, read_result
from core.players import identify
from core.plurals import count_of

_AS_JSON: Final = encode_basestring_ascii
"""As `json.dumps` writes a string."""
_KING_TAKES_ROOK: Final = {"e1g1": "e1h1", "e1c1": "e1a1", "e8g8": "e8h8", "e8c8": "e8a8"}


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts that identify a game, each in the one form in which it is compared."""

    white: str
    black: str
    date: str
    result: str
    rules: str
    start: str
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether two games are one, and why.

    *reason* is a sentence that names the first difference, or what is equal.
    """

    same: bool
    reason: str


def facts(game: Game) -> Facts:
    """What counts when a game is compared with another."""
    return Facts(*_facts(game))


def _facts(game: Game) -> tuple[str, str, str, str, str, str, tuple[str, ...]]:
    """The fields of `Facts`, in order."""
    return (
        str(identify(game.white.name, game.white.fide_id)),
        str(identify(game.black.name, game.black.fide_id)),
        _date(game.date),
        read_result(game.result),
        game.rules,
        game.start,
        canonical_moves(game),
    )


def _date(date: PartialDate) -> str:
    # A text that is not a date must not look like one.
    return str(date) if date.text is None else f"text {date.text}"


def canonical_moves(game: Game) -> tuple[str, ...]:
    """The moves with every castling as king takes rook, however it was written (names A31)."""
    if not game.castlings:
        return game.moves
    moves = list(game.moves)
    for ply in game.castlings:
        moves[ply] = _KING_TAKES_ROOK.get(moves[ply], moves[ply])
    return tuple(moves)


def key(game: Game) -> bytes:
    """16 bytes that are equal for two games exactly when `compare` calls them the same."""
    *fields, moves = _facts(game)
    fields.append(" ".join(moves))
    # JSON escapes what is not ASCII and marks the ends of the fields: no two different games give one text.
    return blake2b(f"[{', '.join(map(_AS_JSON, fields))}]".encode(), digest_size=16).digest()


def compare(a: Game, b: Game) -> Verdict:
    """Whether these are one game by the rule of duplicates. Colours count.

    White is compared with White (names A27).
    """
    one, other = facts(a), facts(b)
    for text, left, right in (
        ("White is", one.white, other.white),
        ("Black is", one.black, other.black),
        ("The date is", one.date, other.date),
        ("The result is", one.result, other.result),
        ("The rules are", one.rules, other.rules),
        ("The start position is", one.start or "the usual one", other.start or "the usual one"),
    ):
        if left != right:
            return Verdict(same=False, reason=f"{text} {left} in one game and {right} in the other.")
    if one.moves != other.moves:
        return Verdict(same=False, reason=_first_difference(one, other))
    return Verdict(same=True, reason="Same players, date, result, start position and moves.")


def _first_difference(one: Facts, other: Facts) -> str:
    black_begins = " b " in one.start
    for ply, (left, right) in enumerate(zip(one.moves, other.moves, strict=False), start=int(black_begins)):
        if left != right:
            return f"The moves differ at {_move_number(ply)}: {left} in one game and {right} in the other."
    shorter, longer = sorted((len(one.moves), len(other.moves)))
    return f"The moves are equal for {count_of(shorter, 'ply', 'plies')}, where one game ends and the other goes on to {longer}."


def _move_number(ply: int) -> str:
    return f"move {ply // 2 + 1} of {'White' if ply % 2 == 0 else 'Black'}"
