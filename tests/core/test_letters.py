"""One version of Unicode, whichever Python runs."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import letters, names
from core.players import identify

LATER = {
    "a Cyrillic letter of Unicode 15": "\U0001e030",  # decomposes into а there
    "a digit of Unicode 15": "\U0001e4f0",
    "a Latin letter of Unicode 16": "\ua7cb",  # has a small form there
    "a Garay letter of Unicode 16": "\U00010d50",
    "a character that may come": "\U00032000",
}


@pytest.mark.parametrize("character", LATER.values(), ids=LATER)
def test_later_characters_stay_what_they_were(character: str) -> None:
    """What a newer Python knows as a letter is none here, and has no other form."""
    assert letters.category(character) == "Cn"
    assert names.fold(f"Æ{character}É") == f"ae{character}e"
    assert names.words(f"Rossi{character}Mario") == ["rossi", "mario"]
    assert str(identify(f"Rossi, Mario {character}")) == str(identify("Rossi, Mario"))


def test_the_version_is_a_fixed_one() -> None:
    """Keys of today are made as the first archives were, on every Python; only Unidecode's answers may change it."""
    assert letters.VERSION == "14.0.0"
    assert names.fold_version() == "14.0.0-3d8eb24f"


def test_all_of_it_is_known() -> None:
    """Every character that is assigned here is one for this Python, too."""
    assigned = [chr(code) for code in range(0x110000) if letters.is_assigned(chr(code))]
    assert len(assigned) == 284_278
    assert all(unicodedata.category(character) != "Cn" for character in assigned)


@given(st.text(), st.sampled_from(sorted(LATER.values())), st.text())
def test_texts_are_cut_at_later_characters(before: str, character: str, after: str) -> None:
    """What comes before and after one is folded as if it were alone."""
    assert letters.caseless(before + character + after) == letters.caseless(
        before
    ) + character + letters.caseless(after)
    assert letters.composed(before + character + after) == letters.composed(
        before
    ) + character + letters.composed(after)
