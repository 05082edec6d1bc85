"""Games that follow each other in one text."""

from hypothesis import given
from hypothesis import strategies as st

from core.pgn.cut import Cut
from core.pgn.splitter import Piece


@st.composite
def games_cut(draw: st.DrawFn) -> tuple[Cut, list[Piece]]:
    """Some games in one text, and each by itself."""
    raws = draw(st.lists(st.binary(min_size=1, max_size=9), min_size=1, max_size=6))
    offset, number = draw(st.integers(0, 99)), draw(st.integers(1, 99))
    encoding = draw(st.sampled_from([None, "cp1252"]))
    ends = tuple(sum(map(len, raws[:n])) for n in range(1, len(raws) + 1))
    places = [offset, *(offset + end for end in ends)]
    pieces = [Piece(raw, places[n], number + n, encoding=encoding) for n, raw in enumerate(raws)]
    return Cut(b"".join(raws), ends, offset, number, encoding), pieces


@given(made=games_cut())
def test_it_is_the_games_that_it_was_made_of(made: tuple[Cut, list[Piece]]) -> None:
    """Their bytes, places and numbers, all together and one by one."""
    cut, pieces = made
    assert list(cut.pieces()) == pieces
    assert [cut.piece(n) for n in range(len(cut))] == pieces
    assert list(cut.raws()) == [piece.raw for piece in pieces]
    assert cut.offsets() == [piece.offset for piece in pieces]


@given(made=games_cut(), data=st.data())
def test_a_part_of_it_is_some_of_these_games(made: tuple[Cut, list[Piece]], data: st.DataObject) -> None:
    """The same as if they alone had been put together; a part of a part too."""
    cut, pieces = made
    first = data.draw(st.integers(0, len(cut) - 1))
    end = data.draw(st.integers(first + 1, len(cut)))
    part = cut.part(first, end)
    assert list(part.pieces()) == pieces[first:end]
    assert list(part.part(len(part) - 1, len(part)).pieces()) == [pieces[end - 1]]


def test_a_game_alone_keeps_what_is_known_of_it() -> None:
    """That it is too long, cut off, or in another encoding."""
    for piece in (
        Piece(b"x", 7, 3, too_large=True),
        Piece(b"x", 7, 3, cut_off=True),
        Piece(b"x", 7, 3, encoding="cp1252"),
    ):
        cut = Cut.of(piece)
        assert list(cut.pieces()) == [piece]
        assert not cut.plain
    assert Cut.of(Piece(b"x", 7, 3)).plain
