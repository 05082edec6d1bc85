"""Cuts movetext into tokens, in one pass and in linear time, and keeps those of the main line.

Comments, signs and variations are noted and left out; they survive in `Game.raw`. A text that is none of what
PGN knows is a `Fault`: nothing is skipped in silence.
"""

import re
from dataclasses import dataclass
from typing import Final

CASTLE_SHORT: Final = "O-O"
CASTLE_LONG: Final = "O-O-O"
NULL: Final = "--"

_TOKEN = re.compile(
    r"""
      [\s\x00\x1a\ufeff]+
    | (?!0?\.5-)(?:\d+\s*)?[.…]+                                        # move numbers, however written
    | (?P<comment> \{[^}]*\} | ;[^\r\n]*)
    | (?<![^\r\n])%[^\r\n]*                                              # an escaped line
    | \$\d+
    | (?P<open> \()
    | (?P<word> (?:[a-h][x:]?)?[a-h][18]\ ?=?\([QRBNK]\)[+#!?]*          # e8(Q)
              | [^\s\x00\x1a\ufeff(){};$]+ )
    | (?P<bad> . )
    """,
    re.VERBOSE,
)
_IN_VARIATION = re.compile(r"[()]|\{[^}]*\}|(?P<bad>\{)|;[^\r\n]*|(?<![^\r\n])%[^\r\n]*")

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("–—−‐‑‒", "-"),
        "×": "x",
        "½": "1/2",
        "…": "...",
        "‼": "!!",
        "⁇": "??",
        "⁈": "?!",
        "⁉": "!?",
        "\u200b": "",
        "\ufe0e": "",
        "\ufe0f": "",
        **dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPKQRBNP", strict=True)),
    }
)
_SIGNS = re.compile(
    r"[!?]+|[±∓⩲⩱=∞⇆→↑⟳□△⌓]+|\+-|-\+|\+/-|-/\+|\+/=|=/\+|\+=|=\+|\+--|--\+|~|e\.?p\.?|[+#]+|ch"
)
_CASTLING = re.compile(r"([O0o])-\1(-\1)?(?:\+\+?|\#)?[!?]*")
_MOVE = re.compile(
    r"([KQRBNP]?)([a-h]?)([1-8]?)[-x:]?([a-h][1-8])(?:[=/]?([QRBNKqrbnk])|=?\(([QRBNK])\))?"
    r"(?:e\.?p\.?)?(?:\+/?-|-/?\+|\+/?=|=/?\+|\+\+|\+|\#|ch|=)?[!?]*[±∓⩲⩱∞]?"
)
_SPACED_PROMOTION = re.compile(r" ?=?\(")
_DROP = re.compile(r"([QRBNPqrbnp]?)@([a-h][1-8])(?:\+\+?|\#)?[!?]*")
_NULLS = frozenset({"--", "Z0", "z0", "0000", "@@@@", "null", "pass"})
RESULTS: Final = {
    "1-0": "1-0",
    "0-1": "0-1",
    "1/2-1/2": "1/2-1/2",
    "1/2": "1/2-1/2",
    "1/2:1/2": "1/2-1/2",
    "0.5-0.5": "1/2-1/2",
    ".5-.5": "1/2-1/2",
    "1:0": "1-0",
    "0:1": "0-1",
    "*": "*",
}
DOUBLE_LOSS: Final = "0-0"


@dataclass(frozen=True, slots=True)
class Fault(Exception):  # noqa: N818 - it is both raised and handed on as the reason of an `Unreadable`
    """Why a game cannot be read, and where (characters from the beginning of the text)."""

    reason: str
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """A move as written in the main line.

    Attributes:
        text: as it stands there.
        at: where it stands (characters from the beginning of the text).
        piece: one of ``KQRBNP``, "" where none is written (a pawn, or any piece in ``e2e4``);
            or `CASTLE_SHORT`, `CASTLE_LONG`, `NULL`.
        file: origin file, "" where not written.
        rank: origin rank, "" where not written.
        to: destination, "" for castlings and null moves.
        promotion: ``QRBNK`` or "".
        drop: the piece comes from the hand.
    """

    text: str
    at: int
    piece: str
    file: str = ""
    rank: str = ""
    to: str = ""
    promotion: str = ""
    drop: bool = False


@dataclass(slots=True)
class Movetext:
    """The main line as written, and what stood beside it."""

    moves: list[Move]
    end: str | None = None
    has_comments: bool = False
    has_variations: bool = False


def read_movetext(text: str, at: int = 0, *, result: str | None = None, max_moves: int = 1 << 30) -> Movetext:
    """Read the movetext of *text* from *at* on; *result* is the Result tag, which tells ``0-0`` from castling.

    Raises:
        Fault: at the first text that is no movetext.
    """
    found = Movetext([])
    moves = found.moves
    match = _TOKEN.match
    end = len(text)
    while at < end:
        token = match(text, at)
        if token is None:
            raise Fault(f"unknown character {text[at]!r}", at)
        kind = token.lastgroup
        if kind == "word":
            _word(found, token[0], at)
            if len(moves) > max_moves:
                raise Fault(f"more than {max_moves} half moves", at)
        elif kind == "comment":
            found.has_comments = True
        elif kind == "open":
            found.has_variations = True
            at = _skip_variation(found, text, at)
            continue
        elif kind == "bad":
            raise Fault(_BAD.get(token[0], f"unknown character {token[0]!r}"), at)
        at = token.end()
    if len(moves) and found.end is None and result == DOUBLE_LOSS and moves[-1].text == DOUBLE_LOSS:
        moves.pop()
        found.end = DOUBLE_LOSS
    return found


_BAD = {
    "{": "a comment is not closed",
    "}": "a comment is closed that was never opened",
    ")": "a variation is closed that was never opened",
}


def _skip_variation(found: Movetext, text: str, at: int) -> int:
    """The place behind the variation that opens at *at*; variations may hold variations."""
    depth = 0
    for token in _IN_VARIATION.finditer(text, at):
        sign = token[0]
        if sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
            if not depth:
                return token.end()
        elif token["bad"]:
            raise Fault(_BAD["{"], token.start())
        elif sign[0] != "%":
            found.has_comments = True
    raise Fault("a variation is not closed", at)


def _word(found: Movetext, word: str, at: int) -> None:
    plain = word if word.isascii() else word.translate(_PLAIN)
    end = RESULTS.get(plain)
    if end is not None:
        found.end = found.end or end
        return
    move = _read_move(plain, word, at)
    if move is None:
        if _SIGNS.fullmatch(plain) or (plain.isascii() and plain.isdigit()):
            return
        raise Fault(f"unknown token {shorten(word)!r}", at)
    if found.end is not None:
        raise Fault(f"the move {shorten(word)!r} stands behind the result", at)
    found.moves.append(move)


def _read_move(plain: str, word: str, at: int) -> Move | None:
    move = _MOVE.fullmatch(_SPACED_PROMOTION.sub("(", plain) if "(" in plain else plain)
    if move is not None:
        piece, file, rank, to, letter, bracketed = move.groups()
        return Move(word, at, piece, file, rank, to, (letter or bracketed or "").upper())
    castling = _CASTLING.fullmatch(plain)
    if castling is not None:
        return Move(word, at, CASTLE_LONG if castling[2] else CASTLE_SHORT)
    drop = _DROP.fullmatch(plain)
    if drop is not None:
        return Move(word, at, drop[1].upper() or "P", to=drop[2], drop=True)
    return Move(word, at, NULL) if plain.rstrip("!?") in _NULLS else None


def shorten(text: str, longest: int = 40) -> str:
    """At most *longest* characters of *text*, for messages."""
    return text if len(text) <= longest else text[: longest - 1] + "…"
