"""Rating lists: CSV with all its names for columns, and FESA's printed list."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.fesa_rating import Entrant, PerformanceGame
from core.club.fesa_rating_list import next_list, read_list
from core.club.grades import Grade
from core.club.list_csv import RatingListError
from core.club.promotion import GradeStanding, Series
from tests.core.club.club_data import DATA

LISTED = [
    (1, "Rossi", "Mario", "", "", "6", "Dan", 2580, 4),
    (6, "Bianchi", "Anna Maria", "4", "Dan", "5", "Dan", 2299, 25),
    (59, "Verdi", "", "", "", "10", "Kyu", 766, 3),
    (70, "Russo", "Léo", "12", "Kyu", "", "", 641, 110),
]
HEAD = (
    "Elo list for 2017-04-15\n\n    Name                               Grades       Elo #games Nationality\n"
)
PRINTED = HEAD + "".join(
    f"{number:3} {last:17} {first:15} {level:>2} {kind:3} {other:>2} {name:3} {rating:4} {games:3}     IT\n"
    for number, last, first, level, kind, other, name, rating, games in LISTED
)


def test_all_columns():
    """Every value of a player can be given."""
    data = (
        b"name,rating,games,grade,bonus,stored,prior_grade,above_lower,above_middle,middle_seen\n"
        b"Rossi Mario,1500,12,4 Kyu,3,,,5,2,yes\n"
        b"Bianchi Anna,1300,3,,0,(1740 0)(1315 1/2)(1200 1),2 Dan,,,\n"
        b"Verdi Ugo,0,0,,,,3 Pro,,,\n"
    )
    players = read_list(data).players
    assert players["Rossi Mario"] == Entrant(
        "Rossi Mario",
        rating=1500,
        games_before=12,
        bonus_used=3,
        standing=GradeStanding(Grade(4, "Kyu"), Series(5, 2, middle_seen=True)),
    )
    assert players["Bianchi Anna"].stored == (
        PerformanceGame(1740, 0),
        PerformanceGame(1315, 0.5),
        PerformanceGame(1200, 1),
    )
    assert players["Bianchi Anna"].bonus_used == 0
    assert (players["Verdi Ugo"].rating, players["Verdi Ugo"].prior_grade) == (None, Grade(3, "Pro"))


@pytest.mark.parametrize(
    "text",
    [
        "last,first,rating\nRossi,Mario,1500\n",
        "LAST_NAME;First Name;ELO\nRossi;Mario;1500\n",
        "Name\tElo\nRossi Mario\t1500\n",
        '"name","elo_pre"\n"Rossi Mario","1500"\n\n',
        "rating,name,else\n1500,Rossi Mario\n",
        'name,rating\n"Rossi, Mario",1500\n',
    ],
)
def test_forms_of_csv(text):
    """Commas, semicolons or tabs; names in one column or two; quotes; short and empty lines."""
    assert read_list(text.encode()).players["Rossi Mario"].rating == 1500


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "iso-8859-1", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(encoding, end):
    """A list is read in whatever way it was saved."""
    data = f"name,rating{end}Müller Léo,1500{end}".encode(encoding)
    assert "Müller Léo" in read_list(data)


def test_stored_games_count():
    """Without a number of games the stored ones are counted."""
    assert read_list(b"name,rating,stored\nA,1500,(1400 1)(1500 0)\n").players["A"].games_before == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "first line has to name the columns"),
        ("name,grade\nA,2 Dan\n", "first line has to name the columns"),
        ("rating\n1500\n", "first line has to name the columns"),
        ("name,rating\nA,x\n", "line 2: .*whole number"),
        ("name,rating\nA,-5\n", "line 2: .*whole number"),
        ("name,rating\nA,123456\n", "line 2: .*whole number"),
        ("name,rating\n,1500\n", "line 2: there is no name"),
        ("name,rating\nA,1500\nA,1600\n", 'line 3: "A" is in the list twice'),
        ("name,rating,grade\nA,1500,9 Dan\n", "line 2: there is no grade 9 Dan"),
        ("name,rating,grade\nA,1500,good\n", 'line 2: "good" is not a grade'),
        ("name,rating,stored\nA,1500,(1400 2)\n", "line 2: .*are not games"),
        ("name,rating\n" + "A" * 200_000 + ",1\n", "line 2: field larger"),
    ],
)
def test_faults(text, said):
    """A fault is told with its line."""
    with pytest.raises(RatingListError, match=said):
        read_list(text.encode())


def test_the_printed_list():
    """The fixed columns of FESA's program: names, both grades, rating, games."""
    players = read_list(PRINTED.encode("iso-8859-1")).players
    assert list(players) == ["Rossi Mario", "Bianchi Anna Maria", "Verdi", "Russo Léo"]
    assert players["Rossi Mario"].standing.grade is None
    assert players["Rossi Mario"].prior_grade == Grade(6, "Dan")
    bianchi = players["Bianchi Anna Maria"]
    assert (bianchi.rating, bianchi.games_before) == (2299, 25)
    assert (bianchi.standing.grade, bianchi.prior_grade) == (Grade(4, "Dan"), Grade(5, "Dan"))
    russo = players["Russo Léo"]
    assert (russo.standing.grade, russo.prior_grade, russo.games_before) == (Grade(12, "Kyu"), None, 110)


def test_a_printed_list():
    """Every player of a list as FESA's program prints it, with gaps in the numbers, is read."""
    players = read_list((DATA / "printed_list.txt").read_bytes()).players
    assert len(players) == 12
    assert players["Gallo"].standing.grade == Grade(5, "Kyu")
    assert players["Conti"].prior_grade == Grade(10, "Kyu")
    assert [one.rating for one in players.values()][:3] == [2590, 2500, 2405]


@given(st.binary(max_size=200))
def test_no_bytes_make_it_fail_otherwise(data):
    """Anything is a list or is refused as none."""
    try:
        players = read_list(data).players
    except RatingListError:
        return
    assert isinstance(players, dict)


@pytest.mark.parametrize(
    ("day", "wanted"),
    [
        (date(2024, 1, 1), date(2024, 1, 1)),
        (date(2024, 1, 2), date(2024, 6, 1)),
        (date(2024, 6, 2), date(2025, 1, 1)),
    ],
)
def test_days_of_lists(day, wanted):
    """Lists appear on 1 January and 1 June (club R16)."""
    assert next_list(day) == wanted
