"""Spellings that may be one person: proposed to people, never taken for the same by the rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.near_names import Likeness, likeness
from core.players import identify

NEAR: list[tuple[str, str, Likeness | None]] = [
    ("Bianchi, L.", "Bianchi, Luca", "initial"),
    ("L. Bianchi", "BIANCHI Luca", "initial"),
    ("Rossi, M. A.", "Rossi, Mario Anna", "initial"),
    ("De Rossi, L", "De Rossi, Luca", "initial"),
    ("Bianchi, M.", "Bianchi, Luca", None),
    ("Bianchi", "Bianchi, Luca", None),
    ("B. L.", "Bianchi, Luca", None),
    ("Bianchi, L. M.", "Bianchi, Luca", None),
    ("Mueller", "Müller", "transliteration"),
    ("Mueller, Anna", "Anna Müller", "transliteration"),
    ("Mu\u0308ller, Anna", "Mueller, Anna", "transliteration"),
    ("Oeberg, Aasa", "Öberg, Åsa", "transliteration"),
    ("Soerensen, Bo", "Sørensen, Bo", "transliteration"),
    ("Mueller, Bo", "Müller, Anna", None),
    ("Rossi, Mario", "Rosi, Mario", "spelling"),
    ("Rossi, Mario", "Rossi, Maria", "spelling"),
    ("Rossi, Mario", "Rossi, Maroi", "spelling"),
    ("Rossi, Mario", "Verdi, Maria", None),
    ("Rossi, Mario", "Rossi, Maranto", None),
    ("Li, Wei", "Li, Wu", None),
    ("Svensson, Leif 1940", "Svensson, Leif 1941", None),
    ("mrossi90", "mrossi91", None),
    ("rossi", "rosso", None),
    ("?", "Rossi, Mario", None),
    ("Ковалёв, Пётр", "Ковалев, Петя", "spelling"),
]


@pytest.mark.parametrize(("one", "other", "expected"), NEAR)
def test_likeness(one: str, other: str, expected: Likeness | None) -> None:
    """Initials, letters written out, one letter; in both directions."""
    assert likeness(one, other) == likeness(other, one) == expected


letters = st.text("abcdeäöüøß", min_size=1, max_size=6)
names = st.builds(lambda last, first: f"{last}, {first}", letters, letters)


@given(names)
def test_an_initial_is_always_near(name: str) -> None:
    """Everybody with a first and a last name of two letters or more is proposed for their initial."""
    last, first = name.split(", ")
    if len(last) > 1 and len(first) > 1 and "ß" not in first[0]:
        assert likeness(name, f"{last}, {first[0]}.") is not None


@given(names, names)
def test_any_order_gives_the_same(one: str, other: str) -> None:
    """Which of the two comes first, and how their words are ordered, does not matter."""
    turned = ", ".join(reversed(one.split(", ")))
    assert likeness(one, other) == likeness(other, one) == likeness(turned, other)


@given(names, st.data())
def test_a_slip_is_near(name: str, data: st.DataObject) -> None:
    """One letter left out of a word of at least four is proposed, unless it makes the same player by the rule."""
    word = data.draw(st.sampled_from(name.split(", ")))
    at = data.draw(st.integers(0, len(word) - 1))
    if len(word) < 4 or "ß" in word:
        return
    slip = name.replace(word, word[:at] + word[at + 1 :], 1)
    if identify(slip) != identify(name):
        assert likeness(name, slip) is not None
