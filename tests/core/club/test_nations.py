"""Codes of countries in results files."""

import pytest

from core.club.nations import for_fesa, for_fide, is_nation, read_nation


@pytest.mark.parametrize(
    ("text", "kept", "fesa", "fide"),
    [
        ("DE", "DE", "DE", "GER"),
        ("ger", "DE", "DE", "GER"),
        ("DEU", "DE", "DE", "GER"),
        (" jp ", "JP", "JP", "JPN"),
        ("SUI", "CH", "CH", "SUI"),
        ("ENG", "ENG", "GB", "ENG"),
        ("GI", "GI", "GI", ""),
        ("FID", "FID", "", "FID"),
    ],
)
def test_both_forms_of_a_code(text, kept, fesa, fide):
    """Two letters or three are understood; FESA's files get two, FIDE's three."""
    assert is_nation(text.strip())
    assert (read_nation(text), for_fesa(kept), for_fide(kept)) == (kept, fesa, fide)


@pytest.mark.parametrize("text", ["", "XX", "Germany", "D", "DE 3"])
def test_what_is_not_a_code(text):
    """Anything else is refused."""
    with pytest.raises(ValueError, match="not the code of a country"):
        read_nation(text)
