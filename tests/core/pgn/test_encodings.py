"""Which encodings a user may name, and where a character of the text lies in the bytes."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.pgn import encodings
from core.pgn.encodings import UnknownEncoding, before, decode, encoding, position, shown

pieces = st.sampled_from(
    [
        "Öberg".encode(),
        b"M\x81ller",
        b"\xfcber",
        b'"',
        b"\n",
        b"abc ",
        "丁".encode(),
        b"\xff\xfe",
        b"{",
        "é".encode()[:1],
    ]
)


@pytest.mark.parametrize(
    ("name", "usual"),
    [
        ("cp850", "cp850"),
        ("CP-850", "cp850"),
        ("850", "cp850"),
        ("dos850", "cp850"),
        ("windows-1250", "cp1250"),
        (" latin1 ", "cp1252"),
        ("ISO-8859-2", "iso8859-2"),
        ("UTF8", "utf-8"),
        ("utf-8-sig", "utf-8"),
        ("shift_jis", "shift_jis"),
        ("GBK", "gbk"),
        ("mac roman", "mac-roman"),
    ],
)
def test_names_of_encodings(name, usual):
    """However it is written; of Latin-1 and cp1252 the one that has letters where the other has controls."""
    assert encoding(name) == usual


@pytest.mark.parametrize(
    "name", ["utf-16", "utf-7", "cp037", "hz", "iso-2022-jp", "rot13", "base64", "idna", "x", "", "cp"]
)
def test_what_pgn_cannot_be_read_in(name):
    """No encoding, or one with other bytes for the plain signs of PGN; the message names it."""
    with pytest.raises(UnknownEncoding) as refused:
        encoding(name)
    assert name.replace("-", "")[:3] in str(refused.value).replace("-", "").replace("_", "")


@given(
    st.lists(pieces | st.binary(max_size=4), max_size=12).map(b"".join),
    st.sampled_from([None, "cp850", "gbk", "utf-8"]),
)
@example(b"\xc3\xbc\x81", None)
def test_every_character_lies_where_it_came_from(raw, said):
    """The bytes before a character give the text before it, and no byte is lost or told twice."""
    text = decode(raw, said)
    places = [position(raw, at, said) for at in range(len(text) + 1)]
    assert places[0] == 0
    assert places[-1] == len(raw)
    assert places == sorted(set(places))
    assert [before(raw, at, said) for at in places] == [text[:at] for at in range(len(text) + 1)]
    assert len(shown(text).encode()) >= len(text)


def test_stray_bytes_are_shown():
    """As a backslash, x and two digits; nothing else is changed."""
    text = decode(b"M\x81ller \\x81")
    assert encodings.has_stray_bytes(text)
    assert shown(text) == "M\\x81ller \\x81"


def test_pieces_that_are_not_utf_8():
    """What an encoding is looked for in: nothing of what is plain or UTF-8 already."""
    raw = '[White "Öberg"]\n[Black "'.encode() + b'M\x81ller"]\n[Event "Club"]\n'
    assert list(encodings.foreign(raw)) == [b"M\x81ller"]
