"""Rating lists for FIDE ratings and the DWZ."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.chess_rating_list import ChessList, KnownPlayer, read_list, write_list
from core.club.list_csv import RatingListError
from core.club.rated_games import RatedGame

HALF = Fraction(1, 2)


def test_all_that_a_list_can_say():
    """Columns in any order and under other names; dates of birth are years."""
    text = 'Peak,B-day,fideid,Player,Elo,Games,K,stored\n2410,31.05.1990,0017,"Rossi, Mario",2390,120,10,\n'
    (found,) = read_list(text.encode()).players
    assert found == KnownPlayer("Rossi, Mario", "17", 2390, 120, 1990, 10, 2410)


def test_a_dwz_with_its_index():
    """The index may follow the DWZ, or be in a column of its own; another column wins."""
    text = "last;first;dwz;index;born\nRossi;Mario;1526-11;;2008\nNeri;Anna;1400;3;\nVerdi;;0;;0\n"
    found = read_list(text.encode("iso-8859-1"))
    assert [(one.name, one.rating, one.index, one.born) for one in found.players] == [
        ("Rossi, Mario", 1526, 11, 2008),
        ("Neri, Anna", 1400, 3, None),
        ("Verdi", None, None, None),
    ]


def test_a_list_without_ratings_says_only_the_rest():
    """Then the tournament's own ratings hold."""
    found = read_list(b"name,born\nRossi,1990\n")
    assert (found.with_ratings, found.players[0].born) == (False, 1990)


def test_who_is_meant():
    """By FIDE id where both have one, else by name, whatever order and accents it has."""
    listed = ChessList(
        (KnownPlayer("Müller, Jörg", "5"), KnownPlayer("Müller, Jörg", "6"), KnownPlayer("Neri, Anna"))
    )
    assert listed.find("Somebody", "6") == listed.players[1]
    assert listed.find("Anna Neri", "77") == listed.players[2]
    assert listed.find("Müller, Jörg", "7") is None
    assert listed.find("Nobody", None) is None
    with pytest.raises(RatingListError, match="is in the list 2 times: give them FIDE ids"):
        listed.find("Jörg Müller", None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rating\n1500\n", "name \\(or last, first\\)"),
        ("name,rating\n,1500\n", "line 2: there is no name"),
        ("name,rating\nA,15x\n", 'line 2: "15x" is not a whole number of rating'),
        ("name,born\nA,maybe\n", 'line 2: "maybe" is not a year of birth'),
        ("name,k\nA,400\n", "line 2: K is 10, 20 or 40, not 400"),
        ("name,fide_id\nA,x1\n", 'line 2: "x1" is not a FIDE id'),
        ("name,stored\nA,(1500 2)\n", "are not games"),
        ("", "the first line"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text, said):
    """The column, or the line and its text."""
    with pytest.raises(RatingListError, match=said):
        read_list(text.encode())


number = st.none() | st.integers(1, 4000)
players = st.lists(
    st.builds(
        KnownPlayer,
        st.sampled_from(["Rossi, Mario", "Neri, Anna", "Verdi", "=Bianchi, Laura"]),
        st.none() | st.integers(1, 999).map(str),
        rating=number,
        games=number,
        born=st.none() | st.integers(1900, 2020),
        k=st.sampled_from([None, 10, 20, 40]),
        highest=number,
        index=number,
        stored=st.lists(
            st.builds(RatedGame, st.integers(100, 2900), st.sampled_from([Fraction(0), HALF, Fraction(1)])),
            max_size=3,
        ).map(tuple),
    ),
    max_size=4,
)


@given(players)
def test_what_is_written_is_read_again(wanted):
    """Everything that is known comes back, and no name is a formula for a spreadsheet."""
    data = write_list(ChessList(), wanted)
    assert read_list(data).players == tuple(wanted)
    assert not any(line.startswith("=") for line in data.decode("utf-8-sig").splitlines())


def test_who_did_not_play_stays_in_the_list():
    """Only those who played are written again: by FIDE id, or by name where there is none."""
    before = ChessList(
        (
            KnownPlayer("A", "1", 1500),
            KnownPlayer("B", "2", 1600),
            KnownPlayer("C", None, 1700),
            KnownPlayer("D", "4", 1800),
        )
    )
    after = write_list(
        before, [KnownPlayer("A", "1", 1510), KnownPlayer("C", None, 1690), KnownPlayer("D", "9", 1400)]
    )
    found = {(one.name, one.fide_id): one.rating for one in read_list(after).players}
    assert found == {
        ("A", "1"): 1510,
        ("C", None): 1690,
        ("D", "9"): 1400,
        ("B", "2"): 1600,
        ("D", "4"): 1800,
    }
