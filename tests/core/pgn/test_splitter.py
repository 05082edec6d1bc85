"""The splitter: where games start, whatever the files look like. Each input is cut with the compiled core, too."""

from io import BytesIO

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.blanks import plain
from core.pgn import splitter
from core.pgn.quick_splitter import split
from core.pgn.splitter import Piece

LIMIT = 1 << 20


def pieces(data: bytes, limit: int = LIMIT) -> list[Piece]:
    found = list(split(data, limit))
    assert found == list(splitter.split(data, limit))
    return found


def texts(data: bytes) -> list[bytes]:
    return [piece.raw.strip() for piece in pieces(data)]


class Trickle(BytesIO):
    """Gives the bytes in portions of given sizes, as a pipe may."""

    def __init__(self, data: bytes, sizes: list[int]) -> None:
        super().__init__(data)
        self._sizes = sizes or [1]
        self._turn = 0

    def read(self, size: int | None = -1) -> bytes:
        self._turn += 1
        return super().read(self._sizes[self._turn % len(self._sizes)])


BITS = [
    b"\n", b"\r\n", b"\r", b" ", b"\t", b"\x00", b"\x1a", b"\xef\xbb\xbf", b'[Event "A"]', b'[White "B"]',
    b'[FEN "x', b"[Site", b'"]', b"]", b"{", b"}", b";", b"%", b"(", b"1-0", b"*", b"1.", b"e4", b'\\"', b'"',
]  # fmt: skip
pgnish = st.lists(st.sampled_from(BITS) | st.binary(max_size=3), max_size=60).map(b"".join)


@given(pgnish)
def test_pieces_cover_the_input(data):
    """One after the other the pieces are the input, and each knows where it begins and its number."""
    found = pieces(data)
    joined = b"".join(piece.raw for piece in found)
    assert joined == data or (not found and not plain(data).strip())
    at = 0
    for number, piece in enumerate(found, 1):
        assert (piece.offset, piece.number) == (at, number)
        at += len(piece.raw)


@given(pgnish, st.lists(st.integers(1, 9), max_size=5), st.integers(5, 200))
@example(b'[Event "A"]\r\n\r\n1. e4 *\r\n\r\n[Event "B"]\r\n', [1], 1000)
def test_portions_do_not_matter(data, sizes, limit):
    """However the bytes arrive, the pieces are the same."""
    assert list(split(Trickle(data, sizes), limit)) == pieces(data, limit)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_line_ends(end):
    """LF, CRLF and CR alone end a line."""
    data = b'[Event "A"]\n[Site "x"]\n\n1. e4 e5 1-0\n\n[Event "B"]\n\n1. d4 *\n'.replace(b"\n", end)
    assert len(pieces(data)) == 2


def test_result_directly_before_the_next_tag_line():
    """Months of chess.com joined byte by byte: `1-0` in one line, `[Event` in the next."""
    assert len(pieces(b'[Event "A"]\n\n1. e4 1-0\n[Event "B"]\n\n1. d4 0-1\n')) == 2


@pytest.mark.parametrize("result", [b"1-0", b"0-1", b"1/2-1/2", b"*"])
def test_result_and_tag_in_one_line(result):
    """Files joined without a line break at all."""
    one, two = pieces(b'[Event "A"]\n\n1. e4 ' + result + b'[Event "B"]\n[Site "x"]\n\n1. d4 0-1\n')
    assert one.raw.endswith(result)
    assert two.raw.startswith(b'[Event "B"]')


def test_other_tags_before_event():
    """ChessForge writes FEN before Event: never split at `[Event` alone."""
    data = (
        b'[FEN "x"]\n[SetUp "1"]\n[Event "A"]\n[White "B"]\n\n1. e4 *\n\n[FEN "y"]\n[Event "C"]\n\n1. d4 *\n'
    )
    assert [text.split(b"\n")[0] for text in texts(data)] == [b'[FEN "x"]', b'[FEN "y"]']


def test_event_behind_a_blank_line_starts_a_game():
    """Games of a header alone, one after the other."""
    data = b'[Event "A"]\n[Result "1-0"]\n\n[Event "B"]\n[Result "0-1"]\n\n[Event "C"]\n[Result "*"]\n'
    assert len(pieces(data)) == 3


@pytest.mark.parametrize(
    "header",
    [
        b'[Event "A"]\n[Event "A"]\n[White "B"]\n',
        b'[Event "A"]\n[White "B"]\n[Event "C"]\n[Black "D"]\n',
        b'[Event "A"]\n[White "B"]\n[Result "*"]\n[Event "A"]\n[White "B"]\n[Result "*"]\n',
        b'[Event "A"] [Event "A"] [White "B"]\n',
        b'[event "A"]\n[White "B"]\n[Event "A"]\n',
    ],
)
def test_one_block_of_tags_is_one_game(header):
    """However often Event is in it: nothing is torn from its players or its moves."""
    one = header + b"\n1. e4 e5 1-0\n\n"
    assert texts(one * 2) == [one.strip()] * 2


def test_header_without_event():
    """One that ends with a blank line is a game of its own; in one block the order of tags is free."""
    assert len(pieces(b'[White "A"]\n[Result "1-0"]\n\n[Event "B"]\n\n*\n')) == 2
    assert len(pieces(b'[White "A"]\n[Result "1-0"]\n[Event "B"]\n\n*\n')) == 1
    # scalachess' collection of a broadcast: nothing but headers, most of them without Event.
    one = b'[Round "1.1"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n'
    assert texts(b'[Event "x"]\n' + one + one + one) == [
        b'[Event "x"]\n' + one.strip(),
        one.strip(),
        one.strip(),
    ]


def test_blank_lines_between_tags_and_in_moves():
    """Blank lines end neither the tags nor the game."""
    data = b'[Event "A"]\n\n[Site "x"]\n\n\n1. e4\n\n{ a\n\nb }\n\ne5 *\n\n[Event "B"]\n\n*\n'
    assert len(pieces(data)) == 2


def test_several_tags_in_a_line_with_moves_behind():
    """`[Event "A"][Site "B"]1. e4 …` as raptor's test files have it."""
    line = b'[Event "A"][Site "x"][Result "*"]1. e4 e5 *\n'
    assert texts(line * 3) == [line.strip()] * 3


def test_tag_broken_over_lines():
    """The end of a broken tag is not movetext: the tags after it are of the same game."""
    data = b'[Event "A"]\n[PlyCount \n"50"]\n[White "Ro\nssi"]\n[Black "B"]\n\n1. e4 *\n'
    assert len(pieces(data)) == 1


def test_cut_header_glued_to_the_next_game():
    """A download that broke off in a tag, and the next one after it."""
    one, two = pieces(b'[Event "A"]\n[White "Ros[Event "B"]\n[White "C"]\n\n1. e4 *\n')
    assert one.raw == b'[Event "A"]\n[White "Ros'
    assert two.raw.startswith(b'[Event "B"]')
    assert len(pieces(b'[Event "A"]\n[White "Ros\n[Event "B"]\n[White "C"]\n\n1. e4 *\n')) == 2


def test_tag_like_lines_in_comments():
    """A comment may hold what looks like tags, even after a blank line."""
    data = b'[Event "A"]\n\n1. e4 { see\n[Event "x"]\n\n[Site "y"]\n1. d4 1-0\n[Event "z"]\n} e5 *\n\n[Event "B"]\n\n*\n'
    assert len(pieces(data)) == 2
    assert len(pieces(b'[Event "A"]\n\n1. e4 ; 1-0 [Event "x"]\ne5 *\n')) == 1


@pytest.mark.parametrize("tail", [b"", b" { good }", b" 1. e4 { one } e5 { two }"])
@pytest.mark.parametrize("gap", [b"\n\n", b"\n1-0\n", b"\n\n\n% x\n\n"])
def test_unclosed_comment(gap, tail):
    """A comment that nobody closed ends where the next game begins."""
    data = b'[Event "A"]\n\n1. e4 { lost' + gap + b'[Event "B"]\n[Site "x"]\n\n1. d4 d5' + tail + b" 1-0\n"
    assert len(pieces(data)) == 2
    assert len(pieces(data + b'\n[Event "C"]\n\n1. c4 } *\n')) == 3


def test_escaped_lines():
    """A line that begins with % is nothing, between tags as well."""
    data = b'[Event "A"]\n% [Event "x"]\n[Site "x"]\n\n1. e4\n%1-0\ne5 *\n\n[Event "B"]\n\n*\n'
    assert len(pieces(data)) == 2


def test_bom_before_every_file():
    """Files with byte order marks, joined."""
    assert len(pieces(b'\xef\xbb\xbf[Event "A"]\n\n*\n\xef\xbb\xbf[Event "B"]\n\n*\n')) == 2


def test_comment_before_the_first_tag():
    """It belongs to the game that follows; after a game it belongs to that game."""
    assert len(pieces(b'{ intro }\n; more\n[Event "A"]\n\n1. e4 *\n\n{ after }\n[Event "B"]\n\n*\n')) == 2


def test_games_without_tags():
    """They begin with move number 1 after a result."""
    assert texts(b"1. e4 e5 1-0\n\n1. d4 d5\n2. c4 0-1\n1.c4 *") == [
        b"1. e4 e5 1-0",
        b"1. d4 d5\n2. c4 0-1",
        b"1.c4 *",
    ]


def test_text_behind_a_result():
    """Comments and signs belong to the game that ended; after a blank line nothing else does."""
    assert len(pieces(b'[Event "A"]\n\n1. e4 1-0\n\n{ x }\n\n$1\n(1. d4)\n1-0\n')) == 1
    assert texts(b'[Event "A"]\n\n1. e4 1-0\n\n<html>\n</html>\n\n[Event "B"]\n\n*')[1] == b"<html>\n</html>"


def test_too_large_game():
    """Its first bytes are kept, and reading goes on with the next."""
    big = b'[Event "A"]\n\n1. e4 {' + b"x" * 5000 + b"\n" + b"y" * 5000 + b"} *\n\n"
    small = b'[Event "B"]\n\n1. d4 *\n'
    one, two, three = pieces(small + big + small, 1000)
    assert (one.too_large, two.too_large, three.too_large) == (False, True, False)
    assert two.raw == big[:1000]
    assert three == Piece(small, len(small + big), 3)


def test_memory_stays_constant():
    """Neither one endless line nor one endless game is held in memory."""

    class Endless:
        left = 400

        def read(self, size: int) -> bytes:
            self.left -= 1
            return b"[Event " if self.left == 399 else b"{" * 65536 if self.left > 0 else b""

    found = list(split(Endless(), 100_000))  # type: ignore[arg-type]  # all that is needed of a stream
    assert [len(piece.raw) for piece in found] == [100_000]


def test_failing_stream():
    """What a stream raises comes out after all that it gave, and the last piece is marked."""

    class Failing(BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            data = super().read(size)
            if not data:
                raise OSError("gone")
            return data

    found = split(Failing(b'[Event "A"]\n\n1. e4 *\n\n[Event "B"]\n\n1. d4'), LIMIT)
    assert next(found).cut_off is False
    assert next(found).cut_off is True
    with pytest.raises(OSError, match="gone"):
        next(found)


@pytest.mark.parametrize("between", [b" ", b"", b"{x} "])
def test_many_games_in_one_line(between):
    """However many: nothing is as deep as the input is long."""
    one = b'[Event "Club"] [White "Rossi"] [Result "1-0"] ' + between + b"1. e4 1-0 "
    assert texts(one * 3000) == [one.strip()] * 3000


@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b" \n", b"\x00", b"\x1a\n", b"\r"])
def test_many_blanks_behind_a_game(blank):
    """They make no game too large, wherever they stand, and cost no more than their bytes."""
    game = b'[Event "A"]\n\n1. e4 *'
    found = pieces(blank * 300_000 + game + blank * 300_000 + b"\n\n" + game, 100_000)
    assert [piece.too_large for piece in found] == [False, False]
    assert [piece.raw.strip(b"\x00\x1a \r\n") for piece in found] == [game, game]
    data = blank * 300_000 + game + blank * 300_000 + b"\n\n" + game
    assert all(data[piece.offset :].startswith(piece.raw[:200]) for piece in found)


@pytest.mark.parametrize("lost", [b"x", b"x " * 150_000, b"word\n" * 60_000, b"word\n\n" * 50_000])
@pytest.mark.parametrize("gap", [b"\n\n", b"\n", b" 1-0\n", b""])
@pytest.mark.parametrize("moves", [b"1. d4 d5", b"1. d4 {good} d5"])
def test_an_unclosed_comment_costs_one_game(lost, gap, moves):
    """However long it is (beyond what is looked at ahead), and whatever parts it from the next game."""
    after = b'[Event "B"]\n[Site "x"]\n[White "C"]\n\n' + moves + b" 1-0\n\n"
    found = texts(after + b'[Event "A"]\n\n1. e4 {' + lost + gap + after + after)
    assert len(found) == 4
    assert [found[0], *found[2:]] == [after.strip()] * 3


def test_a_header_in_a_comment_that_is_closed():
    """It is text of the comment, with and without a blank line before it."""
    for gap in (b"\n", b"\n\n", b""):
        data = b'[Event "A"]\n\n1. e4 { as in' + gap + b'[Event "B"]\n[Site "x"]\n[White "C"]\n } e5 1-0\n'
        assert texts(data * 2) == [data.strip()] * 2
