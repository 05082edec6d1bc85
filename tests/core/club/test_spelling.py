"""How names are written in FESA's files, and what the rating list knows of it."""

import pytest

from core.club.fesa_rating_list import read_list
from core.club.list_csv import RatingListError
from core.club.spelling import Spelling, kept, listed, parted, read_spelling, usual

LIST = read_list(
    b"name,rating,fesa_id\nHabu Yoshiharu,2500,77\nWalesa Lech,1500,\nO Neill Zoe,1400,\nVan Dam Jan,1300,\n"
    b"Muller Jan,1200,\nJan Muller,1100,\n"
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Habu, Yoshiharu", Spelling("Habu", "Yoshiharu")),
        ("Habu Yoshiharu", Spelling("Habu", "Yoshiharu")),
        ("[Habu][Yoshiharu]", Spelling("Habu", "Yoshiharu")),
        ("[Van Dam] [Jan]", Spelling("Van Dam", "Jan")),
        ("van  der Berg ,  Jan", Spelling("van der Berg", "Jan")),
        ("N2", Spelling("N2")),
        ("[A, B][c]", Spelling("A, B", "c")),
    ],
)
def test_spellings(text, wanted):
    """With a comma, in the brackets of the file, or in one or two words; and it is kept as it is."""
    found = read_spelling(text)
    assert found == wanted
    assert kept(str(found)) == found


@pytest.mark.parametrize(
    "text", ["van der Berg", "", "羽生 善治", "[x], y", ", Jan", "[][Jan]", "Wałęsa, Lech"]
)
def test_what_is_not_a_spelling(text):
    """Three words without a comma, no last name, brackets and letters that no file has are refused."""
    with pytest.raises(ValueError, match="as the rating list does"):
        read_spelling(text)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("Wałęsa, Lech", Spelling("Walesa", "Lech")),
        ("Müller, Jo\u0308rg", Spelling("Müller", "Jörg")),
        ("D’Amico, Léa", Spelling("D'Amico", "Léa")),
        ("Ｈａｂｕ, Y", Spelling("Habu", "Y")),
        ("mrossi90", Spelling("mrossi90")),
    ],
)
def test_names_that_have_a_sure_form(name, wanted):
    """Letters of the Latin script and typographic signs have one."""
    assert usual(name) == wanted
    assert usual(name).fault is None


@pytest.mark.parametrize(
    "name", ["羽生善治", "はぶ, よしはる", "이세돌", "Юрий, А", "Məmmədov, A", "[A], b", ", b", "☃"]
)
def test_names_that_have_none(name):
    """Other scripts, brackets and a missing last name: the spelling has to be asked for."""
    assert usual(name).fault


@pytest.mark.parametrize(
    ("name", "ids", "wanted"),
    [
        ("羽生善治", ("77",), "Habu Yoshiharu"),
        ("羽生善治", (), None),
        ("Wałęsa, Lech", (), "Walesa Lech"),
        ("Yoshiharu Habu", (), "Habu Yoshiharu"),
        ("O'Neill, Zoë", (), "O Neill Zoe"),
        ("Muller, Jan", (), "Muller Jan"),
        ("Müller, Jàn", (), None),
        ("Habu", (), None),
    ],
)
def test_what_the_rating_list_knows(name, ids, wanted):
    """By id, by the very name, or by the only name of the same words; two of the same words are not guessed."""
    assert listed(name, ids, LIST) == wanted


def test_a_name_of_the_list_in_two_parts():
    """The last name has as many words as before; where that is not known, one."""
    assert parted("Van Dam Jan", Spelling("Van Dàm", "Jan")) == Spelling("Van Dam", "Jan")
    assert parted("Habu Yoshiharu", Spelling("羽生善治")) == Spelling("Habu", "Yoshiharu")


def test_an_id_stands_in_a_list_once():
    """Two players of one id are refused with the line."""
    with pytest.raises(RatingListError, match="line 3: B has the id 7 of A"):
        read_list(b"name,rating,id\nA,1500,7\nB,1400,7\n")
