"""Files made to hurt (fault test 15): linear work, bounded memory, and the neighbours unharmed.

What is not linear here does not come back within the time that such a test may take; `make fuzz` tries texts that are
longer.
"""

import tracemalloc

import pytest

from core.game import Game, Unreadable
from core.pgn.reader import Limits, read, read_piece, split
from core.pgn.replay import replay
from tests.examples import FUZZING

SENTINEL = b'[Event "S"]\n[White "Verdi"]\n[Black "Neri"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n'
SIZE = 400_000 if FUZZING else 150_000


def fill(bit: bytes) -> bytes:
    return bit * (SIZE // len(bit))


HOSTILE = {
    "open variations": fill(b"(1. d4 "),
    "nested variations": fill(b"("),
    "closed variations": fill(b"(e4)"),
    "small comments": fill(b"{}"),
    "open comments": fill(b"{"),
    "closings": fill(b")"),
    "signs": fill(b"$1 "),
    "long sign": b"$" + fill(b"9"),
    "numbers": fill(b"1. "),
    "digits": fill(b"1"),
    "a number and blanks": b"1" + fill(b" ") + b"x",
    "one word": fill(b"x"),
    "exclamations": b"e4" + fill(b"!"),
    "results": fill(b"1-0 "),
    "stars": fill(b"*\n"),
    "stars and blanks": fill(b"*" + b" " * 3000),
    "blank lines": fill(b"\n"),
    "carriage returns": fill(b"\r"),
    "line comments": fill(b";\n"),
    "escaped lines": fill(b"%\n"),
    "moves": fill(b"Nf3 Nf6 Ng1 Ng8 "),
    "tags": fill(b'[A "x"]\n'),
    "tags in one line": fill(b'[A "x"]'),
    "odd tags": fill(b'[A "x"y] '),
    "open tags": fill(b'[A "x'),
    "open tags in lines": fill(b'[A "x\n'),
    "glued headers": fill(b'[A "x[Event "'),
    "quotation marks": b'[A "' + fill(b'"'),
    "escapes": b'[A "' + fill(b'\\"'),
    "long value": b'[A "' + fill(b"x") + b'"]\n',
    "value of many lines": b'[A "' + fill(b"x\n") + b'"]\n',
    "long name": b"[" + fill(b"A") + b' "x"]\n',
    "brackets": fill(b"["),
    "lost comments": fill(b'{\n\n[A "x"]\n'),
    "tags in a comment": b"{" + fill(b'\n\n[A "x"]') + b"}",
    "games in a comment": b"{" + fill(b'\n\nx\n\n[A "x"]\n') + b"}",
    "long FEN": b'[FEN "' + fill(b"8/") + b'"]\n',
    "NUL": fill(b"\x00"),
    "the crash of python-chess": b"1. ?! d5 )2 ...",
}


@pytest.mark.timeout(300 if FUZZING else 60)
@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text(hostile):
    """The games around it are read, and what is not is said."""
    (alone,) = read(SENTINEL)
    found = list(read(SENTINEL + b'[Event "B"]\n' + hostile + b"\n\n" + SENTINEL))
    assert found[0] == alone
    assert found[-1] == alone
    assert all(each.reason for each in found if isinstance(each, Unreadable))


@pytest.mark.parametrize(
    ("hostile", "expected"),
    [
        (b"1. e4 {" + b"x" * 5_000_000 + b"} *", Game),
        (b"1. e4 {" + "♔".encode() * 1_500_000 + b"} *", Game),
        (b'[A "x"]\n' * 30_000, Unreadable),
        (b"(" * 200_000, Unreadable),
        (b"%\n" * 60_000 + b"1. e4 *", Game),
        (b"1. e4 {" + b"x" * 30_000_000 + b"} *", Unreadable),
    ],
)
def test_memory(hostile, expected):
    """At most 4 MB, and eight bytes for each byte of the file itself: far below 200 MB for the longest game that is read."""
    data = b'[Event "B"]\n\n' * (not hostile.startswith(b"[")) + hostile + b"\n\n"
    tracemalloc.start()
    try:
        (found,) = read(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert isinstance(found, expected)
    assert peak < (4 << 20) + 8 * len(data)


def test_overdue_is_asked_while_tokens_are_read():
    """A caller's clock ends the reading of a game that is nothing but tokens."""
    asked = []
    limits = Limits(overdue=lambda: asked.append(1) is None and len(asked) > 2)
    (piece,) = split(b'[Event "B"]\n\n' + b"$1 " * 200_000 + b"*")
    found = read_piece(piece, limits=limits, backend=replay)  # the compiled core is done before it would ask
    assert isinstance(found, Unreadable)
    assert "too long" in found.reason
    assert len(asked) == 3
