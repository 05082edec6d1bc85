"""Cuts movetext into tokens, in one pass and in linear time, and keeps the moves of the main line.

Comments, signs and variations are noted and left out; they survive in `Game.raw`. A text that PGN does not
know is a `Fault`: nothing is skipped in silence.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from core import results
from core.blanks import BLANK, FALSE_MARK
from core.pgn.signs import AFTER_MOVE, is_sign

CASTLE_SHORT: Final = "O-O"
CASTLE_LONG: Final = "O-O-O"
NULL: Final = "--"
DOUBLE_LOSS: Final = "0-0"

# Every token with the blanks and the move number before it. Quantifiers with a second + and atomic groups never try
# again with less: that keeps time linear. No group is repeated without end, for each time needs memory, and none by a
# quantifier with a second +, which CPython before 3.11.5 gets wrong.
_BLANK: Final = BLANK.translate({0x200B: None})  # a zero-width space inside a move parts nothing
_TOKEN = re.compile(
    r"""
    [BLANK]*+
    (?> (?: NUMBER ){0,4} )
    (?: (?P<number> NUMBER )
      | (?P<word> (?:[a-h][x:]?)?[a-h][18]\ ?=?\([QRBNK]\)[+\#!?]*+      # e8(Q)
                | \* | (?!(?<![^\r\n])%) [^BLANK(){};$*]++ )
      | (?P<comment> \{[^}]*+\} | ;[^\r\n]*+)
      | (?P<escape> % [^\r\n]*+)                                        # a line that begins with %
      | (?P<sign> \$\d++)
      | (?P<open> \()
      | (?P<close> \))
      | (?P<bad> .)
      | (?P<end> \Z)
    )
    """.replace("NUMBER", r"(?!0?\.5[-–—−‐‑‒:]) (?: \d++[BLANK]*+ [.…]++ | [.…]++ ) [BLANK]*+").replace(
        "BLANK", _BLANK
    ),
    re.VERBOSE,
)
_ASK_EVERY: Final = 1 << 14

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("–—−‐‑‒", "-"),
        "×": "x",
        "½": "1/2",
        "‼": "!!",
        "⁇": "??",
        "⁈": "?!",
        "⁉": "!?",
        **dict.fromkeys("⁄∕", "/"),
        **dict.fromkeys("\u00ad\u200b\ufe0e\ufe0f", ""),
        **dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPKQRBNP", strict=True)),
    }
)
_CASTLING = re.compile(r"([O0o])-\1(-\1)?" + AFTER_MOVE)
_MOVE = re.compile(
    r"([KQRBNP]?)([a-h]?)([1-8]?)[-x:]?([a-h][1-8])"
    r"(?:(?<=[18])(?:([=/])?([QRBNKqrbnk])|\ ?=?\(([QRBNK])\)))?" + AFTER_MOVE
)
_DROP = re.compile(r"([QRBNPqrbnp]?)@([a-h][1-8])" + AFTER_MOVE)
_RESULT_BEGINS: Final = frozenset("01*.,")
_NULLS: Final = frozenset({"--", "Z0", "z0", "0000", "@@@@", "null", "pass"})
_CACHED_LENGTH: Final = 16


class Fault(Exception):  # noqa: N818 - what it holds becomes an `Unreadable`
    """Why a game cannot be read, and where (characters from the beginning of the text)."""

    def __init__(self, reason: str, at: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.at = at


@dataclass(frozen=True, slots=True)
class Written:
    """A move as somebody wrote it.

    Attributes:
        text: As written.
        san: The same in usual SAN, without signs.
        piece: One of ``KQRBNP``, "" if none is written (a pawn, or any piece in ``e2e4``); or `CASTLE_SHORT`,
            `CASTLE_LONG`, `NULL`.
        to: Destination as a number from a1, b1, … to h8; -1 for castlings and null moves.
        file: Origin file from 0, -1 if not written.
        origins: The squares, as bits, that the text allows as origin.
        promotion: ``QRBNK`` or "".
        drop: The piece comes from the hand.
    """

    text: str
    san: str
    piece: str
    to: int = -1
    file: int = -1
    origins: int = (1 << 64) - 1
    promotion: str = ""
    drop: bool = False


@dataclass(slots=True)
class Movetext:
    """What movetext holds.

    Attributes:
        moves: The main line as written.
        places: The index in the text of each of its moves.
        end: The result after the moves.
        spoken: The same as it is written, if not as PGN wants it ("1 - 0", "1-0 FF"); else "".
        has_comments: Whether there are comments, in variations too.
        has_variations: Whether there are variations.
        depth: How many variations are open at this point of reading.
        opened: The index at which the outermost of them begins.
    """

    moves: list[Written] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    end: str | None = None
    spoken: str = ""
    has_comments: bool = False
    has_variations: bool = False
    depth: int = 0
    opened: int = 0


def read_movetext(
    text: str,
    at: int = 0,
    *,
    result: str | None = None,
    max_moves: int = 1 << 30,
    overdue: Callable[[], bool] | None = None,
) -> Movetext:
    """Read the movetext of *text* from *at* on.

    *result* is the Result tag: it distinguishes ``0-0`` from castling, and must not contradict a result that
    is not written as PGN wants it.

    Raises:
        Fault: at the first text that is not movetext, or when *overdue* says that it takes too long.
    """
    try:
        return _read(text, at, len(text), result, max_moves, overdue)
    except Fault as fault:
        spoken = _spoken(text, fault, result)
        if spoken is None:
            raise
    found = _read(text, at, spoken.begin, result, max_moves, overdue)
    found.end, found.spoken = spoken.result, text[spoken.begin : spoken.end]
    return found


def _spoken(text: str, fault: "Fault", result: str | None) -> results.Spoken | None:
    """The result as people write it at the end of *text*, if the fault is there and the tag allows it."""
    found = results.spoken(text)
    if found is None or fault.at is None or fault.at < found.begin:
        return None
    spoken = results.spoken(result or results.UNFINISHED)
    if (spoken is not None and spoken.result != found.result) or any(
        isinstance(_read_word(word), Written) for word in found.remark.split()
    ):
        return None
    return found


def _read(
    text: str,
    at: int,
    stop: int,
    result: str | None,
    max_moves: int,
    overdue: Callable[[], bool] | None,
) -> Movetext:
    found = Movetext()
    for count, token in enumerate(_TOKEN.finditer(text, at, stop), 1):
        kind = token.lastgroup
        if kind == "word":
            if not found.depth:
                _take_word(found, token["word"], token.start("word"))
        elif kind in _TAKEN:
            _TAKEN[kind](found, token)
        if len(found.moves) > max_moves:
            raise Fault(f"more than {max_moves} half moves", token.start())
        if overdue is not None and not count % _ASK_EVERY and overdue():
            raise Fault("reading it takes too long", token.start())
    if found.depth:
        raise Fault("a variation is not closed", found.opened)
    _note_double_loss(found, result)
    return found


def _take_comment(found: Movetext, _: re.Match[str]) -> None:
    found.has_comments = True


def _open_variation(found: Movetext, token: re.Match[str]) -> None:
    found.has_variations = True
    if not found.depth:
        found.opened = token.start("open")
    found.depth += 1


def _close_variation(found: Movetext, token: re.Match[str]) -> None:
    if not found.depth:
        raise Fault("a variation is closed that was never opened", token.start("close"))
    found.depth -= 1


def _refuse(_: Movetext, token: re.Match[str]) -> None:
    sign = token["bad"]
    raise Fault(_BAD.get(sign, f"unknown character {sign!r}"), token.start("bad"))


_TAKEN: Final[dict[str | None, Callable[[Movetext, re.Match[str]], None]]] = {
    "comment": _take_comment,
    "open": _open_variation,
    "close": _close_variation,
    "bad": _refuse,
}
_BAD: Final = {
    "{": "a comment is not closed",
    "}": "a comment is closed that was never opened",
}


def _take_word(found: Movetext, word: str, at: int) -> None:
    read = _read_word(word) if len(word) <= _CACHED_LENGTH else _read_word.__wrapped__(word)
    if isinstance(read, Written):
        if found.end is not None:
            raise Fault(f"the move {shorten(word)!r} comes after the result", at)
        found.moves.append(read)
        found.places.append(at)
    elif read is None:
        raise Fault(f"unknown token {shorten(word)!r}", at)
    elif read:
        found.end = found.end or read


def _note_double_loss(found: Movetext, result: str | None) -> None:
    """Take ``0-0`` at the very end for a result if the tag says so: both have lost."""
    if result == DOUBLE_LOSS and found.end is None and found.moves and found.moves[-1].text == DOUBLE_LOSS:
        found.moves.pop()
        found.places.pop()
        found.end = DOUBLE_LOSS


@lru_cache(maxsize=1 << 14)
def _read_word(word: str) -> Written | str | None:
    """A move, a result, "" for what says nothing about the moves, or None for an unknown word."""
    plain = word if word.isascii() else word.replace(FALSE_MARK, "").translate(_PLAIN)
    if not plain:
        return ""
    if plain[:1] in _RESULT_BEGINS and (result := results.usual(plain)):
        return result
    read = _read_move(plain, word) or _read_special(plain, word)
    if read is not None:
        return read
    return "" if is_sign(plain) else None


def _read_move(plain: str, word: str) -> Written | None:
    match = _MOVE.fullmatch(plain)
    if match is None:
        return None
    piece, file, rank, to, equals, letter, bracketed = match.groups()
    if letter == "N" and not equals and piece not in {"", "P"}:
        letter = None  # a novelty: pieces are not promoted
    promotion = (letter or bracketed or "").upper()
    return Written(
        word,
        f"{piece.replace('P', '')}{file}{rank}{to}{promotion and '='}{promotion}",
        piece,
        _square(to),
        "abcdefgh".index(file) if file else -1,
        (_FILES[file] if file else -1) & (_RANKS[rank] if rank else -1) & _ALL,
        promotion,
    )


def _read_special(plain: str, word: str) -> Written | None:
    castling = _CASTLING.fullmatch(plain)
    if castling is not None:
        san = CASTLE_LONG if castling[2] else CASTLE_SHORT
        return Written(word, san, san)
    drop = _DROP.fullmatch(plain)
    if drop is not None:
        piece = drop[1].upper() or "P"
        return Written(word, f"{piece}@{drop[2]}", piece, _square(drop[2]), drop=True)
    return Written(word, NULL, NULL) if plain.rstrip("!?") in _NULLS else None


_ALL: Final = (1 << 64) - 1
_FILES: Final = {name: 0x0101010101010101 << number for number, name in enumerate("abcdefgh")}
_RANKS: Final = {name: 0xFF << 8 * number for number, name in enumerate("12345678")}


def _square(name: str) -> int:
    return ord(name[0]) - ord("a") + 8 * (ord(name[1]) - ord("1"))


def shorten(text: str, longest: int = 40) -> str:
    """At most *longest* characters of *text*, for messages."""
    return text if len(text) <= longest else text[: longest - 1] + "…"
