"""Rows packed into bytes, and SQLite's view of them."""

import pytest

from daemon.archive.database import packed_rows


@pytest.mark.parametrize(
    ("packed", "written"),
    [
        (packed_rows.null(), "4e"),
        (packed_rows.integer(-2), "69 fe ff ff ff ff ff ff ff"),
        (packed_rows.text("é!"), "74 03 00 00 00 c3 a9 21"),
        (packed_rows.blob(b"\0\xff"), "62 02 00 00 00 00 ff"),
        (packed_rows.ref(1, 258), "72 01 02 01 00 00"),
        (packed_rows.record([b"N", b"N"]), "02 00 00 00 4e 4e"),
    ],
)
def test_a_value_is_packed_as_it_is_described(packed: bytes, written: str) -> None:
    """Byte for byte: programs in C write and read the same."""
    assert packed == bytes.fromhex(written)


def test_nothing_is_packed_as_nothing() -> None:
    """None of whatever type has no value."""
    packed = {
        packed_rows.integer(None),
        packed_rows.text(None),
        packed_rows.blob(None),
        packed_rows.ref(0, None),
    }
    assert packed == {packed_rows.null()}
