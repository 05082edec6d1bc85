"""The compiled core against the rest: it never reads anything else, and leaves nothing usual to Python."""

import sys
from typing import Any

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.compiled import NATIVE
from core.game import Game
from core.pgn import quick, tags
from core.pgn.limits import DEFAULT_LIMITS, Limits
from core.pgn.reader import parse
from core.pgn.replay import replay
from core.pgn.variants import named_variant, variant_key
from tests.core.pgn.made_up import games
from tests.examples import examples

pytestmark = pytest.mark.skipif(NATIVE is None, reason="the compiled core is not used here")

HEADER = b'[White "Rossi"]\n[Black "Bianchi"]\n\n'
BITS = [
    b"\n", b"\r\n", b"\r", b"\n\n", b" ", b"\t", b"\x00", b"\x0b", b"\xef\xbb\xbf", b"\xc2\xa0", b"\xe2\x80\x8b", b"\xff",
    b"\xe9", b'[Event "A"]', b'[White "B"]', b'[white "B"]', b'[FEN "', b'[Variant "Atomic"]', b"[Site", b'"]', b'"', b"\\",
    b"{", b"}", b";", b"%", b"\n%", b"(", b")", b"$", b"$1", b"1-0", b"0-1", b"1/2", b"1/2-1/2", b"*", b"0-0", b"0-0-0",
    b"1.", b"2...", b"...", b".5-.5", b"0.5", b"0", b"00", b"12", b" e4", b" e5", b" Nf3", b" O-O", b" e8=Q", b" e8 (Q)",
    b" e8(Q)", b"N@f6", b" --", b" Z0", b"!?", b"+", b"#", b"++", b"e.p.", b"\xc2\xbd", b"N", b"<", b"[", b"]", b"P",
    b" Ke1-g1", b"x", b":", b"-", b"=", b"\xe2\x80\xa6", b"\xd9\xa3",
]  # fmt: skip


@given(games())
@examples(150)
def test_usual_games_are_read_and_are_the_same(given):
    """Legal lines of chess and Chess960, in all usual spellings: every field is what Python reads."""
    board, raw = given
    read = quick.read(raw, DEFAULT_LIMITS)
    assert read is not None, raw
    game = parse(raw)
    assert isinstance(game, Game)
    assert game == parse(raw, backend=replay)
    again = board.root()
    for move in game.moves:
        again.push_uci(move)
    assert again.fen() == board.fen()


@st.composite
def dirty(draw):
    """A game with something else in some places, or without something."""
    _, raw = draw(games())
    for place in draw(st.lists(st.integers(0, 1 << 16), min_size=1, max_size=4)):
        at, bit = place % (len(raw) + 1), draw(st.sampled_from(BITS) | st.just(b""))
        raw = raw[:at] + bit + raw[at + draw(st.integers(0, 3)) :]
    return raw


@given(dirty() | st.lists(st.sampled_from(BITS), max_size=30).map(b"".join).map(HEADER.__add__))
@examples(600)
def test_dirty_games_are_the_same_or_left_to_python(raw):
    """Whatever there is in a game: it makes no difference to what Python reads."""
    assert parse(raw) == parse(raw, backend=replay)


@given(dirty().map(lambda raw: raw.decode("utf-8", "ignore").encode("cp1252", "ignore")))
@examples(200)
def test_dirty_games_in_cp1252_are_the_same_or_left_to_python(raw):
    """The same of bytes that are not UTF-8, which are decoded piece by piece."""
    assert parse(raw) == parse(raw, backend=replay)


@given(dirty())
@examples(100)
def test_an_encoding_changes_nothing(raw):
    """An encoding that the user has named is noted as Python notes it."""
    assert parse(raw, encoding="cp850") == parse(raw, encoding="cp850", backend=replay)


LEFT = {
    "a null move": HEADER + b"1. e4 -- 1-0",
    "an illegal move": HEADER + b"1. e5 1-0",
    "two moves": HEADER + b"1. Nf3 Nf6 2. d3 d6 3. Nd2 1-0",
    "a pinned piece": b'[White "a"]\n[FEN "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1"]\n\n1. Nc3 1-0',
    "a castling through check": b'[White "a"]\n[FEN "4kr2/8/8/8/8/8/8/4K2R w K - 0 1"]\n\n1. O-O 1-0',
    "a castling by the king's steps": HEADER + b"1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. Ke1-g1 1-0",
    "another variant": b'[White "a"]\n[Variant "Atomic"]\n\n1. e4 1-0',
    "another variant by its event": b'[Event "FICS rated atomic game"]\n\n1. e4 1-0',
    "a FEN that is none": b'[White "a"]\n[FEN "8/8"]\n\n1. e4 1-0',
    "a FEN that is missing": b'[White "a"]\n[SetUp "1"]\n\n1. e4 1-0',
    "a tag in another case": b'[white "a"]\n\n1. e4 1-0',
    "a tag given twice": b'[White "a"]\n[White "a"]\n\n1. e4 1-0',
    "a variation that is open": HEADER + b"1. e4 (1. d4 1-0",
    "a comment that is open": HEADER + b"1. e4 {1. d4 1-0",
    "a move after the result": HEADER + b"1. e4 1-0 e5",
    "bytes that no encoding knows": b'[White "M\x81ller"]\n\n1. e4 1-0',
    "an escape before them": b'[White "\\"M\xfcller\\""]\n\n1. e4 1-0',
    "a double loss": b'[White "a"]\n[Result "0-0"]\n\n1. e4 0-0',
    "no tags": b"1. e4 e5 1-0",
    "nothing": b"",
}


EVENTS = [
    "FICS rated atomic game",
    "ics unrated wild/fr match",
    "FIC\u017f rated atomic game",
    "FICS rated blitz game",
    "FICS rated wild/5 game",
    "Live Chess - Chess960",
    "Let's Play! - Bughouse",
    "Rated variant:Crazyhouse game",
    "casual variant:horde game",
    "Ca\u017fual variant:horde game",
]


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("fen", ["", '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n'])
def test_events_that_name_a_variant(event, fen):
    """Whatever names a variant (`core.pgn.variants`) is seen; other rules are never taken for those of chess."""
    raw = f'[Event "{event}"]\n{fen}\n1. e4 1-0'.encode()
    assert parse(raw) == parse(raw, backend=replay)
    if variant_key(named_variant(None, event)) not in {"standard", "chess960"}:
        assert quick.read(raw, DEFAULT_LIMITS) is None


@pytest.mark.parametrize("raw", LEFT.values(), ids=LEFT)
def test_what_is_left_to_python(raw):
    """It gives these up, and the outcome is Python's."""
    assert quick.read(raw, DEFAULT_LIMITS) is None
    assert parse(raw) == parse(raw, backend=replay)


def test_limits_are_python_s():
    """A game over a limit is refused with Python's reason."""
    raw = HEADER + b"1. e4 e5 2. Nf3 Nc6 1-0"
    for limits in (Limits(max_plies=3), Limits(max_tags=1), Limits(overdue=lambda: True)):
        assert parse(raw, limits=limits) == parse(raw, limits=limits, backend=replay)
        assert not isinstance(parse(raw, limits=limits), Game)


def test_the_known_tags_are_the_same():
    """Both know the same usual spellings."""
    assert set(NATIVE.KNOWN_TAGS) == set(tags.KNOWN)


def test_moves_are_interned():
    """Equal moves are one object: games in memory, and between processes, are small."""
    one, two = (parse(HEADER + b"1. e4 e5 2. Nf3 1-0") for _ in range(2))
    assert all(first is second for first, second in zip(one.moves, two.moves, strict=True))
    assert one.moves[0] is sys.intern("e2e4")


@pytest.mark.parametrize(
    "start",
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w a1h1a8h8 e9", False),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w a1a1 -", False),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w b1 -", False),
        ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w - -", False),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQQBNR w - -", False),
        ("", False),
        (None, False),
        ("8",),
        None,
        "8",
    ],
)
def test_a_start_that_is_none_is_refused(start):
    """A position that is not in normal form is not played from."""
    assert NATIVE.read(b'[White "a"]\n[FEN "?"]\n\n1. e4 1-0', lambda _: start, None) is None


def test_what_fails_in_python_fails():
    """An exception of what is asked for the start comes out."""
    with pytest.raises(ZeroDivisionError):
        NATIVE.read(b'[White "a"]\n[FEN "?"]\n\n1. e4 1-0', lambda _: 1 // 0, None)
    with pytest.raises(TypeError):
        NATIVE.read("text", lambda _: None, None)


def test_perft_by_words():
    """Every legal move of some thousand positions is found by its SAN, and no other word of a move is taken."""
    board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    tried = 0
    for first in list(board.legal_moves):
        line = board.san(first)
        board.push(first)
        words = {board.san(move): move for move in board.legal_moves}
        pseudo = {f"{chess.piece_symbol(board.piece_type_at(m.from_square)).upper().replace('P', '')}{m.uci()[:4]}"
                  for m in board.pseudo_legal_moves if m not in board.legal_moves and not m.promotion}  # fmt: skip
        head = f'[White "a"]\n[FEN "{board.root().fen()}"]\n\n1. {line} '
        for word, move in words.items():
            assert parse(f"{head}{word} *".encode()).moves[-1] == move.uci()
            assert quick.read(f"{head}{word} *".encode(), DEFAULT_LIMITS) is not None
        for word in pseudo:
            assert quick.read(f"{head}{word} *".encode(), DEFAULT_LIMITS) is None, (board.fen(), word)
        tried += len(words)
        board.pop()
    assert tried > 2000


OTHER_BYTES = [
    b'[White "M\xfcller"]\n[Black "\xc3\x85ngstr\xc3\xb6m"]\n[Event "F\xeate"]\n\n1. e4 {M\xfcller (\xa0;} e5 (1... d5 \x85 \xfc) *',
    b'[White "A"]\n[Site "\xc3\xa9\xc3\xa9\xc3\xa9\xe9"]\n\n1. e4 ; \xff\n*',
    b'[White "\x93A\x94"]\n[Event "\xe9tude"]\n[FEN "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1"]\n\n1. a8=Q+ *',
]


@pytest.mark.parametrize("raw", OTHER_BYTES)
def test_bytes_that_are_not_utf_8(raw):
    """Each value is decoded as Python does it; an encoding that the user has named is Python's business."""
    assert quick.read(raw, DEFAULT_LIMITS) is not None
    assert parse(raw) == parse(raw, backend=replay)
    assert quick.read(raw, DEFAULT_LIMITS, "cp850") is None
    assert parse(raw, encoding="cp850") == parse(raw, encoding="cp850", backend=replay)


def test_what_fails_while_decoding_fails():
    """An exception of what decodes a value comes out; a number is left to Python."""
    with pytest.raises(ZeroDivisionError):
        NATIVE.read(OTHER_BYTES[0], lambda _: None, lambda _: str(1 // 0))
    number: Any = 7
    assert NATIVE.read(OTHER_BYTES[0], lambda _: None, lambda _: number) is None
