"""Which encoding is proposed for a text that is not UTF-8."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.pgn.encoding_guess import guess
from core.pgn.encodings import encoding

GERMAN = "Müller, Jürgen\nSchäfer, Jörg\nGroß, Käthe\nMünchen"
CZECH = "Dvořák, Jiří\nŽižka, Tomáš\nČerný, Václav"
RUSSIAN = "Фёдоров, Алексей\nПетров, Иван\nСидорова, Мария"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (GERMAN, "cp850"),
        ("Müller\nMöller", "cp850"),
        ("Muñoz, José\nGarcía Pérez, Ángel", "cp850"),
        (GERMAN, "mac-roman"),
        (CZECH, "cp852"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (RUSSIAN, "cp866"),
    ],
)
def test_what_a_text_looks_like(text, written):
    """Some names are enough, and more of them do not change it."""
    assert guess(text.encode(written)) == guess(f"{text}\n".encode(written) * 20) == written


@pytest.mark.parametrize(
    "text", [GERMAN, "Lévêque, François", "“Best” – José’s ½", "Åsa Öberg", "MÜLLER, JÖRG", "Club"]
)
def test_what_cp1252_makes_words_of_is_left_alone(text):
    """No file of the usual encoding is said to be in another one."""
    assert guess(text.encode("cp1252")) is None


@given(st.binary(max_size=200))
def test_anything_gives_an_encoding_or_none(sample):
    """Whatever it is proposed for, the name can be given to `import --encoding`."""
    found = guess(sample)
    assert found is None or encoding(found) == found
