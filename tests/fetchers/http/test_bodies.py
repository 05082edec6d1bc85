"""Bodies that come in pieces: unpacking, lines, items."""

import gzip
import json
import zlib
from collections.abc import Iterable
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fetchers.errors import BadAnswer, FetchError, Incomplete
from fetchers.http import bodies

T = TypeVar("T")

MOST = 1 << 30


def pieces(body: bytes, sizes: Iterable[int]) -> list[bytes]:
    """The body in pieces of these sizes; what is left comes last."""
    cut, at = [], 0
    for size in sizes:
        cut.append(body[at : at + size])
        at += size
    return [*cut, body[at:]]


def collected(found: Iterable[T]) -> tuple[list[T], FetchError | None]:
    """All that comes, and the error that ends it."""
    came = []
    try:
        for one in found:
            came.append(one)  # noqa: PERF402 - what came before the error counts
    except FetchError as error:
        return came, error
    return came, None


sizes = st.lists(st.integers(0, 40), max_size=20)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)


class TestUnpacked:
    """Content encodings."""

    @given(
        st.binary(max_size=3000),
        sizes,
        st.sampled_from(["gzip", "x-gzip", "GZIP", "deflate", "", "identity"]),
    )
    def test_gives_back_what_was_packed(self, body: bytes, cuts: list[int], encoding: str) -> None:
        """However a body is packed and cut into pieces, it comes out whole."""
        packed = (
            body
            if encoding in {"", "identity"}
            else zlib.compress(body)
            if encoding == "deflate"
            else gzip.compress(body)
        )

        assert b"".join(bodies.unpacked(pieces(packed, cuts), encoding, most=MOST)) == body

    @given(st.binary(max_size=3000), st.data())
    def test_a_gzip_body_that_breaks_off(self, body: bytes, data: st.DataObject) -> None:
        """A cut anywhere is noticed; what came out before it is a beginning of the body."""
        packed = gzip.compress(body)
        at = data.draw(st.integers(1, len(packed) - 1))

        came, error = collected(bodies.unpacked([packed[:at]], "gzip", most=MOST))

        assert isinstance(error, Incomplete)
        assert body.startswith(b"".join(came))

    def test_two_gzip_files_in_a_row_are_one_body(self) -> None:
        """Some servers join compressed parts."""
        packed = gzip.compress(b"one ") + gzip.compress(b"two")

        assert b"".join(bodies.unpacked([packed], "gzip", most=MOST)) == b"one two"

    def test_large_bodies_come_in_bounded_pieces(self) -> None:
        """A piece is never larger than the bound, and together they are the body."""
        body = bytes(range(256)) * 8000
        came = list(bodies.unpacked([gzip.compress(body)], "gzip", most=MOST))

        assert max(map(len, came)) <= bodies.PIECE_BYTES
        assert b"".join(came) == body

    def test_a_bomb_is_refused(self) -> None:
        """What unpacks to far more than any game does is not unpacked to its end."""
        bomb = gzip.compress(bytes(64 << 20))

        came, error = collected(bodies.unpacked([bomb], "gzip", most=MOST))

        assert isinstance(error, BadAnswer)
        assert "250 times" in str(error)
        assert sum(map(len, came)) <= bodies.BOMB_BYTES

    def test_the_bound_counts_unpacked_bytes(self) -> None:
        """A body longer than allowed is refused where it becomes so."""
        with pytest.raises(BadAnswer, match="longer than 100 bytes"):
            list(bodies.unpacked([gzip.compress(bytes(101))], "gzip", most=100))

    @pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip"])
    def test_other_encodings_are_refused(self, encoding: str) -> None:
        """Nobody asked for them, so what comes cannot be read."""
        with pytest.raises(BadAnswer, match="nobody asked for"):
            list(bodies.unpacked([b"x"], encoding, most=MOST))

    def test_what_is_no_gzip_is_refused(self) -> None:
        """A header that lies about the body."""
        with pytest.raises(BadAnswer, match="compression"):
            list(bodies.unpacked([b"hello"], "gzip", most=MOST))


class TestLines:
    """Lines of a stream."""

    @given(st.binary(max_size=300), sizes)
    def test_are_the_body_cut_after_each_end(self, body: bytes, cuts: list[int]) -> None:
        """Lines do not depend on where the pieces were cut, and nothing is lost or added."""
        found = list(bodies.lines(pieces(body, cuts), longest=1000))

        assert b"".join(found) == body
        assert [line.count(b"\n") for line in found[:-1]] == [1] * len(found[:-1])
        assert all(line.endswith(b"\n") for line in found[:-1])
        assert b"" not in found

    def test_a_line_without_end_is_refused(self) -> None:
        """A line beyond the bound ends the reading before it fills the memory."""
        with pytest.raises(BadAnswer, match="more than 1000 bytes"):
            list(bodies.lines(iter(lambda: b"x" * 100, b""), longest=1000))


class TestItems:
    """A list inside a JSON object, item by item."""

    @given(st.lists(values, max_size=6), st.dictionaries(st.text(), values, max_size=3), sizes, st.booleans())
    def test_are_those_of_the_whole_object(
        self, games: list[object], more: dict[str, object], cuts: list[int], ascii_only: bool
    ) -> None:
        """However the text is cut, and whatever stands around it, the items are as `json` reads them."""
        whole = {**more, "games": games, "end": 12}
        body = json.dumps(whole, ensure_ascii=ascii_only, indent=1 if ascii_only else None).encode(
            errors="surrogatepass"
        )

        assert list(bodies.items(pieces(body, cuts), "games", longest=1 << 20)) == games

    @given(st.lists(values, max_size=4), st.data())
    def test_a_body_that_breaks_off(self, games: list[object], data: st.DataObject) -> None:
        """Wherever it is cut: the items before the cut come, and then `Incomplete`."""
        body = json.dumps({"games": games, "n": 1.5}).encode()
        at = data.draw(st.integers(0, len(body) - 1))

        came, error = collected(bodies.items([body[:at]], "games", longest=1 << 20))

        assert isinstance(error, Incomplete)
        assert came == games[: len(came)]

    @pytest.mark.parametrize("ascii_only", [True, False])
    def test_every_place_where_a_body_can_break_off(self, ascii_only: bool) -> None:
        """In long strings, escapes, numbers, words and white space: each cut is one, and none is taken for a fault."""
        game = {
            "pgn": '[Event "Ö\\"]\n\t' + "1. e4 e5 " * 4 + "♔😀",
            "n": [-1.5e-7, 1e22, True, None, float("-inf")],
        }
        body = json.dumps(
            {"more": game, "games": [game, {}, []]}, ensure_ascii=ascii_only, indent=14
        ).encode()

        for at in range(len(body)):
            came, error = collected(bodies.items([body[:at]], "games", longest=1 << 20))
            assert isinstance(error, Incomplete), body[:at]
            assert came == [game, {}, []][: len(came)]

    @given(st.binary(max_size=200))
    def test_any_bytes_give_items_or_a_fetch_error(self, body: bytes) -> None:
        """Nothing else is ever raised."""
        try:
            list(bodies.items([b'{"games":[', body], "games", longest=1000))
        except FetchError:
            return
        json.loads(b'{"games":[' + body)

    @pytest.mark.parametrize(
        "body",
        [
            b"<html></html>",
            b"[]",
            b'{"games":7}',
            b'{"other":[]}',
            b'{"games":[]} more',
            b'{"games":[1 2]}                ',
            b'{"games":[nothing]}            ',
            b'{"games":["\xff"]}',
            b'{"games":[{"a" "a string in the wrong place"}]}',
            b'{"games":["a\nb, a line that ends in a string"]}',
            b'{"games":["a line that ends before the quote\n"]              }',
            b'{"games":[{"a": x, "' + b"\\n" * 50 + b'": 1}]}',
            b'{"games":["\\x, an escape that JSON does not have"]}',
            b'{"games":[' + b"[" * 100_000,
            b'{"games":[' + b"9" * 5000 + b"]}",
        ],
    )
    def test_what_is_not_promised_is_refused(self, body: bytes) -> None:
        """A page, other JSON, no JSON, nesting and numbers without end."""
        with pytest.raises(BadAnswer):
            list(bodies.items([body], "games", longest=1 << 20))

    def test_an_item_without_end_is_refused(self) -> None:
        """An item beyond the bound ends the reading before it fills the memory."""
        with pytest.raises(BadAnswer, match="more than 1000 characters"):
            list(
                bodies.items(
                    (b'{"games":["' if not n else b"x" * 100 for n in range(10**6)), "games", longest=1000
                )
            )

    def test_a_long_item_in_small_pieces_is_parsed_a_few_times(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A megabyte in pieces of a hundred bytes is not started again at each of them."""
        tries = []

        class Counting(json.JSONDecoder):
            def raw_decode(self, s: str, idx: int = 0) -> tuple[object, int]:
                tries.append(len(s))
                return super().raw_decode(s, idx)

        monkeypatch.setattr(json, "JSONDecoder", Counting)
        item = b'"' + b"x" * (1 << 20) + b'"'
        body = b'{"games":[' + item + b"]}"
        pieces = (body[at : at + 100] for at in range(0, len(body), 100))

        (whole,) = bodies.items(pieces, "games", longest=2 << 20)

        assert whole == "x" * (1 << 20)
        assert len(tries) < 100

    def test_items_come_before_the_end_does(self) -> None:
        """An item is handed on as soon as it is whole."""

        def chunks() -> Iterable[bytes]:
            yield b'{"games":[{"url":1}'
            pytest.fail("asked for more before the first item was handed on")

        assert next(iter(bodies.items(chunks(), "games", longest=100))) == {"url": 1}
