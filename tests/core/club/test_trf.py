"""FIDE tournament reports: what is read, and that what is written comes back."""

from fractions import Fraction

import pytest

from core.club.trf import (
    Document,
    OtherLine,
    TrfPlayer,
    TrfTurn,
    directive,
    write,
)
from core.club.trf_checks import check
from core.club.trf_reader import is_trf, read
from tests.core.club.trf_files import LEAN, SMALL


def test_everything_of_a_report_is_read():
    """Header, players with all their columns, and lines of other kinds."""
    found = read(SMALL.encode())
    assert found.findings == ()
    document = found.document
    assert (document.name, document.rounds) == ("Open of Nowhere", 3)
    assert list(document.texts("112")) == ["Deputy, Dan", "Deputy, Dora"]
    rossi, bianchi, verdi, russo, ferrari = document.players
    assert rossi == TrfPlayer(
        number=1,
        name="Rossi, Mario",
        turns=(TrfTurn(2, "w", "1"), TrfTurn(4, "b", "=")),
        points=Fraction(3, 2),
        rank=2,
        rating=2812,
        sex="m",
        title="GM",
        federation="ITA",
        fide_id="1234567",
        birth="1963/04/13",
    )
    assert bianchi.turns[1] == TrfTurn(0, "-", "H")
    assert (verdi.federation, verdi.fide_id, verdi.points) == ("", "", 0)
    assert (russo.sex, russo.title, russo.name, russo.birth) == ("w", "WGM", "Russo, Léa", "1976")
    assert (ferrari.rating, ferrari.turns) == (None, (TrfTurn(0, "-", "F"), TrfTurn(3, "w", "1")))
    assert [field.code for field in document.after] == ["013", "XXP"]
    assert russo.line == 19


def test_a_report_is_written_as_it_was():
    """Read and written again, a report in the usual form is the same to the byte."""
    assert write(read(SMALL.encode()).document) == SMALL.encode()


def test_short_lines_and_missing_zeros():
    """Blanks mean neither opponent nor colour; a U, H or - may be alone."""
    found = read(LEAN.encode())
    assert found.findings == ()
    turns = [player.turns for player in found.document.players]
    assert turns == [
        (TrfTurn(3, "b", "1"), TrfTurn(2, "w", "1")),
        (TrfTurn(0, "-", "U"), TrfTurn(1, "b", "0")),
        (TrfTurn(1, "w", "0"), TrfTurn(0, "-", "H")),
        (TrfTurn(0, "-", "H"), TrfTurn(0, "-", "-")),
    ]
    assert check(LEAN.encode()) == ()


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "iso-8859-1", "utf-16"])
def test_line_ends_and_encodings(end, encoding):
    """Any line end, any encoding: the same report."""
    data = SMALL.replace("\n", end).encode(encoding)
    assert is_trf(data)
    assert read(data).document == read(SMALL.encode()).document


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_line_ends_that_are_written(end):
    """A report can be written with any line end."""
    document = read(SMALL.encode()).document
    assert write(document, line_end=end) == SMALL.replace("\n", end).encode()


def test_columns_counted_in_bytes():
    """Where another program counted bytes, the columns after the name are found all the same, with a note."""
    line = SMALL.splitlines()[18].replace("Léa                  ", "Léa                 ")
    found = read(SMALL.replace(SMALL.splitlines()[18], line).encode())
    assert found.document == read(SMALL.encode()).document
    assert [(one.note, one.line) for one in found.findings] == [(True, 19)]


def test_a_name_that_is_too_long():
    """A name over 33 characters shifts the columns; the player is read, and it is an error."""
    name = "Rossi-Bianchi von Verdi und Russo, Mario"
    data = SMALL.replace(f"{'Rossi, Mario':33}", name)
    found = read(data.encode())
    player = found.document.players[0]
    assert (player.name, player.rating, player.rank, player.turns[0]) == (name, 2812, 2, TrfTurn(2, "w", "1"))
    assert [(one.note, one.line, one.player) for one in found.findings] == [(False, 16, f"1 {name}")]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("001    3 ", "001    x ", "is not a starting number"),
        ("001    3 ", "001      ", "is not a starting number"),
        ("2000     ", "20o0     ", "is not a rating"),
        (" 0.0    5", " 0,x    5", "is not a number of points"),
        (" 0.0    5", " 0.0    z", "is not a rank"),
        ("0004 b 0", "0004 x 0", "is not a result"),
        ("0004 b 0", "0004 b 3", "is not a result"),
        ("0004 b 0", "00o4 b 0", "is not a result"),
        ("0004 b 0", "0004xb 0", "is not a result"),
        ("012 ", "01", "does not begin with a code of a TRF"),
        ("012 ", "012x", "has no blank after the code"),
    ],
)
def test_faults_of_lines(old, new, said):
    """What cannot be understood is told with its line, and the others are read."""
    found = read(SMALL.replace(old, new, 1).encode())
    assert [one for one in found.findings if said in one.message and one.line in (1, 18)]
    assert len(found.document.players) >= 4


@pytest.mark.parametrize(("text", "result"), [("h", "H"), ("u", "U"), ("z", "Z"), ("*", ""), ("w", "W")])
def test_results_in_small_letters(text, result):
    """Letters may be small; a star is a game without a result."""
    data = SMALL.replace("0004 b 0", f"0004 b {text}")
    assert read(data.encode()).document.players[2].turns[0].result == result


def test_blank_rounds():
    """A blank round between others is a known absence (TRF-2026)."""
    data = SMALL.replace("0004 b 0", "        ")
    assert read(data.encode()).document.players[2].turns[0] == TrfTurn(0, "-", "Z")


# --- what the other lines say


def with_fields(*fields):
    """A report with these lines."""
    return Document(tuple(OtherLine(*one) for one in fields))


@pytest.mark.parametrize(
    ("field", "rounds"),
    [(("142", "9"), 9), (("XXR", " 9 "), 9), (("142", "many"), None), (("152", "B"), None)],
)
def test_rounds(field, rounds):
    """In both versions' codes."""
    assert with_fields(field).rounds == rounds


def test_the_newer_code_wins():
    """142 goes before XXR."""
    assert with_fields(("XXR", "5"), ("142", "7")).rounds == 7


def test_point_systems():
    """162 changes what results count; a bye by the program counts like a win."""
    assert with_fields().values == {"W": 1, "D": Fraction(1, 2), "L": 0, "A": 0, "P": 1, "X": Fraction(1, 2)}
    values = with_fields(("162", " W 3.0    D 1.0    L 0.0")).values
    assert (values["W"], values["D"], values["P"]) == (3, 1, 3)
    assert with_fields(("162", "W x D 1..5 Q 3")).values["W"] == 1


def test_absences_that_were_asked_for():
    """240 tells kind, round and players."""
    document = with_fields(("240", "F   1    2"), ("240", "H 003  026  047"), ("240", "x"), ("240", ""))
    assert document.absent == {(1, 2): "F", (3, 26): "H", (3, 47): "H"}


def test_directives():
    """What TRF has no code for is in comments, and comes back."""
    one = directive("bye", round=4, player=12, type="excused")
    assert one.text == "chesspairing:bye round=4 player=12 type=excused"
    document = Document((one, OtherLine("###", "a remark"), OtherLine("###", "chesspairing:")))
    expected = (("bye", {"round": "4", "player": "12", "type": "excused"}),)
    assert document.directives == expected
    assert read(write(document)).document.directives == expected
