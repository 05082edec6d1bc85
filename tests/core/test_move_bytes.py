"""Moves as bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.move_bytes import pack, unpack

SQUARES = [file + rank for file in "abcdefgh" for rank in "12345678"]
squares = st.sampled_from(SQUARES)
steps = st.tuples(squares, squares, st.sampled_from(["", "n", "b", "r", "q", "k"])).filter(
    lambda move: move[0] != move[1]
)
moves = (
    steps.map("".join)
    | st.tuples(st.sampled_from("PNBRQK"), squares).map(lambda drop: f"{drop[0]}@{drop[1]}")
    | st.just("0000")
)


@given(st.lists(moves))
def test_round_trip(line):
    """What is packed comes out again, in two bytes a ply."""
    packed = pack(line)
    assert len(packed) == 2 * len(line)
    assert unpack(packed) == tuple(line)


@given(st.binary())
def test_unpack_refuses_or_is_the_inverse(data):
    """Bytes that did not come from `pack` are refused."""
    try:
        line = unpack(data)
    except ValueError:
        return
    # A move from a square to itself is none.
    if all(move == "0000" or "@" in move or move[:2] != move[2:4] for move in line):
        assert pack(line) == data


def test_all_moves_are_different():
    """No two moves are packed alike."""
    line = [a + b + p for a in SQUARES for b in SQUARES if a != b for p in ["", *"nbrqk"]]
    line += [f"{piece}@{square}" for piece in "PNBRQK" for square in SQUARES] + ["0000"]
    assert len({pack([move]) for move in line}) == len(line)


@pytest.mark.parametrize(
    "move", ["", "e2", "e2e", "e2e9", "e7e8x", "e7e8qq", "X@e4", "P@e9", "a1a1", "O-O", "e2e4 "]
)
def test_what_is_no_move(move):
    """A text that is not a move in UCI is refused."""
    with pytest.raises(ValueError, match="UCI"):
        pack([move])


@pytest.mark.parametrize("data", [b"\x00", b"\x00\x06", b"\xff\xff", b"\x00\x0f"])
def test_what_is_not_packed(data):
    """Neither are odd lengths and codes that no move has."""
    with pytest.raises(ValueError, match="packed"):
        unpack(data)
