"""The compiled core cuts where Python does: both on the same bytes."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.compiled import NATIVE
from core.pgn import quick_splitter, splitter
from core.pgn.quick_splitter import cuts, split
from tests.examples import examples

LIMIT = 1 << 20
ROSTER = b'[Event "Club"]\n[Site "Roma"]\n[White "Rossi"]\n[Black "Bianchi"]\n[Result "1-0"]\n'
USUAL = [
    ROSTER + b"\n1. e4 e5 2. Nf3 {good} Nc6 1-0\n\n",
    ROSTER.replace(b"\n", b"\r\n") + b"\r\n1. e4 e5\r\n2. Nf3 (2. d4 exd4)\r\n1-0\r\n\r\n",
    ROSTER + b"\n{[%clk 0:03:00] a comment\nof two lines} 1. e4 $1 ; the rest\n1/2-1/2\n\n\n",
    b'[White "\xc3\x85ngstr\xc3\xb6m"]\n[Annotator "\\"X\\""]\n\n1. d4 {\xc3\xa9\n\n\xc3\xa9} *\n',
    b'[Event "no moves"]\n[Result "*"]\n\n',
    b'[Event "A"]\n\n% a line\n1. e4 *\n\n',
]
ODD = [
    b"\xef\xbb\xbf", b"1. e4 e5 1-0\n\n", b"<html>\n", b"{open [Event\n", b'{open\n\n[Event "C"]\n[Site "x"]\n\n1. e4 *\n\n',
    b"}", b"\x00", b"\x1a\n", b"\xa0", b"\xc2\xa0\n", b"\xe2\x80\xa8", b'[Event "A"] [Site "B"]\n', b'1-0 [Event "G"]\n',
    b'[Event "A', b'[Site "a\nb"]\n', b"[White 'A']\n", b'[event "a"]\n', b' [Site "x"]\n', b"\n", b"\r", b"\t", b" ", b"*", b";",
    b"1-0", b"0-1\n", b"1/2-1/2\n", b"1/2\n", b"\xbd-\xbd\n", b"0.5-0.5\n", b"1:0\n", b"1\xe2\x80\x930\n", b"1. e4\n", b"\n1. d4\n", b"%\n",
    b"[%csl Ge4]\n", b"]\n", b"[", b"{", b"{}", b"{x} 1-0\n", b".1-0\n", b")0-1\n", b"x1-0\n", b"word\n", b"\nword\n", b"{\n[%csl Ge4]\n}\n",
]  # fmt: skip
files = st.lists(st.sampled_from(USUAL) | st.sampled_from(ODD) | st.sampled_from(USUAL), max_size=14).map(
    b"".join
)


@st.composite
def broken(draw):
    """Usual and odd games, one after another, some of them cut into or without a part."""
    data = draw(files)
    for place in draw(st.lists(st.integers(0, 1 << 16), max_size=4)):
        at = place % (len(data) + 1)
        data = data[:at] + draw(st.sampled_from(ODD) | st.just(b"")) + data[at + draw(st.integers(0, 4)) :]
    return data


class Trickle(BytesIO):
    """Gives few bytes at once, and fails in the end if it is said so."""

    def __init__(self, data: bytes, size: int, fails: bool) -> None:
        super().__init__(data)
        self._size, self._fails = size, fails

    def read(self, _size: int | None = -1) -> bytes:
        data = super().read(self._size)
        if not data and self._fails:
            raise OSError("gone")
        return data


def pieces(found):
    """What comes out, an error at the end included."""
    every = []
    try:
        every.extend(found)
    except OSError as error:
        every.append(str(error))
    return every


@given(broken(), st.sampled_from([20, 100, 200, LIMIT]))
@examples(600)
def test_it_cuts_where_python_does(data, limit):
    """Every piece has the same bytes, place, number and marks."""
    assert list(split(data, limit, "cp850")) == list(splitter.split(data, limit, "cp850"))


@given(broken(), st.integers(1, 300), st.booleans(), st.sampled_from([100, LIMIT]), st.sampled_from([1, 500]))
@examples(300)
def test_portions_and_failures_do_not_matter(data, size, fails, limit, block):
    """However the bytes come, how many are cut at once, and if they end in an error."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quick_splitter, "_BLOCK", block)
        quickly = pieces(split(Trickle(data, size, fails), limit))
    assert quickly == pieces(splitter.split(Trickle(data, size, fails), limit))


@pytest.mark.skipif(NATIVE is None, reason="the compiled core is not used here")
def test_usual_games_need_no_python():
    """It finds all games in a block of usual ones, and only the last goes on."""
    block = b"".join(USUAL) * 20
    ends, doubt = NATIVE.split(block, 0, True, LIMIT)
    assert (ends, doubt) == (tuple(one.offset + len(one.raw) for one in splitter.split(block, LIMIT)), False)
    assert NATIVE.split(block, 0, False, LIMIT) == (ends[:-1], False)


@pytest.mark.skipif(NATIVE is None, reason="the compiled core is not used here")
def test_many_games_come_in_one_text():
    """Nothing is made of each of them."""
    block = b"".join(USUAL) * 2000
    found = list(cuts(BytesIO(block), LIMIT))
    assert [piece for cut in found for piece in cut.pieces()] == list(splitter.split(block, LIMIT))
    assert len(found) < 100
    assert b"".join(cut.raw for cut in found) == block


@pytest.mark.skipif(NATIVE is None, reason="the compiled core is not used here")
def test_more_games_than_it_notes_at_once():
    """Nor are they cut otherwise."""
    block = USUAL[4] * 3000
    ends, doubt = NATIVE.split(block, 0, True, LIMIT)
    assert (len(ends), doubt) == (512, False)
    assert len(list(split(block, LIMIT))) == 3000


def test_many_games_in_doubt_after_a_long_one():
    """However much was read for the long one, each of the others costs no more than its bytes."""
    data = ROSTER + b"\n{" + b"x" * 4_000_000 + b"} *\n" + b'\n[A "x"]\n\n1. e4 [' * 20_000
    assert len(list(split(data, 8 << 20))) == 20_001


@pytest.mark.skipif(NATIVE is None, reason="the compiled core is not used here")
def test_what_is_no_block_is_refused():
    """As Python's own functions do."""
    for wrong in (("text", 0, True, 1), (b"", 0, True), (b"", 0, True, "x"), (b"", "x", True, 1)):
        with pytest.raises(TypeError):
            NATIVE.split(*wrong)
    for nowhere in (-1, 3):
        with pytest.raises(IndexError):
            NATIVE.split(b"[]", nowhere, True, 1)


@pytest.mark.skipif(NATIVE is None, reason="the compiled core is not used here")
def test_what_fails_first_is_what_is_raised():
    """After an exception none of the other arguments is asked for its value."""

    class Number:
        """One that is asked in vain."""

        def __bool__(self):
            raise ZeroDivisionError

        __index__ = __bool__

    class Unasked:
        """One that must not be asked."""

        def __index__(self):
            raise AssertionError

    for wrong in (
        (b"", Number(), True, Unasked()),
        (b"", Unasked(), Number(), Unasked()),
        (b"", 0, 1, Number()),
    ):
        with pytest.raises(ZeroDivisionError):
            NATIVE.split(*wrong)
