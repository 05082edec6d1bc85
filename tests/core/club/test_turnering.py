"""turnering.txt: what is read from a file, and that what is written comes back."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.crosstable import Crosstable, CrosstableCell, CrosstableRow, games
from core.club.findings import errors
from core.club.grades import HANDICAPS, Handicap
from core.club.turnering import TurneringError, read, write

FULL = """\
[13. Kurpfalz Open, Ludwigshafen, Germany]
[2024-01-06]
[Time control: 20min + 40sec]
Nr Name Nat 1 2 3 MMSS Pts
1 [Rossi][Mario]IT[2+ 3+(-2p) 0+][2] 5
2 N [Bianchi][Anna]DE 3 Kyu[1- 0= 3=][1] 2
3 [von der Aue][Léo][0# 1-(+2p) 2=] 0.5
"""


def file_of(*rows, head="[Open, Town, Country]\n[2024-01-06]"):
    """A file with these player lines."""
    return "\n".join([head, *rows, ""]).encode("iso-8859-1")


def test_everything_of_a_file_is_read():
    """Names, flags, extras, results, handicaps, MacMahon points and points of a full file."""
    found = read(FULL.encode("iso-8859-1"))
    assert errors(found.findings) == ()
    table = found.table
    assert table.name == "13. Kurpfalz Open, Ludwigshafen, Germany"
    assert (table.start, table.end, table.time_control) == (None, date(2024, 1, 6), "20min + 40sec")
    assert table.columns == "Nr Name Nat 1 2 3 MMSS Pts"
    assert table.rounds == 3
    rossi, bianchi, aue = table.rows
    gave = CrosstableCell(3, "+", Handicap("2p", received=False))
    assert rossi == CrosstableRow(
        1,
        "Rossi",
        "Mario",
        (CrosstableCell(2, "+"), gave, CrosstableCell(0, "+")),
        "IT",
        macmahon=2,
        points=5,
    )
    assert (bianchi.new, bianchi.extra, bianchi.macmahon) == (True, "DE 3 Kyu", 1)
    assert aue.cells == (
        CrosstableCell(0, "#"),
        CrosstableCell(1, "-", Handicap("2p", received=True)),
        CrosstableCell(2, "="),
    )
    assert (aue.name, aue.macmahon, aue.points) == ("von der Aue Léo", None, Fraction(1, 2))
    assert [row.line for row in table.rows] == [5, 6, 7]


def test_the_row_of_the_document():
    """The document's own example of a player line is read as it is meant."""
    row = read(file_of("4 [Orschiedt][Oliver]DE[0+ 12+(-2p) 7+ 2- 5+ 0-][2]")).table.rows[0]
    assert (row.number, row.last, row.first, row.extra, row.macmahon) == (4, "Orschiedt", "Oliver", "DE", 2)
    assert [str(cell) for cell in row.cells] == ["0+", "12+(-2p)", "7+", "2-", "5+", "0-"]
    assert row.total == 2 + 4


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end):
    """LF, CRLF and CR end a line."""
    data = FULL.replace("\n", end).encode("iso-8859-1")
    assert read(data).table == read(FULL.encode("iso-8859-1")).table


@pytest.mark.parametrize("encoding", ["iso-8859-1", "cp1252", "utf-8", "utf-8-sig", "utf-16"])
def test_encodings(encoding):
    """The names are read whatever the encoding is; only ISO 8859-1 is right."""
    found = read(FULL.encode(encoding))
    assert found.table.rows[2].first == "Léo"
    wrong = [one.rule for one in errors(found.findings)]
    assert wrong == ([] if encoding in {"iso-8859-1", "cp1252"} else ["T12"])


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("12 + ( -2p )", ["12+(-2p)"]),
        ("3-(-r ) 4+", ["3-(-r)", "4+"]),
        ("  2+   3-  ", ["2+", "3-"]),
        ("2+\t3-", ["2+", "3-"]),
        ("2+(-RL)", ["2+(-rl)"]),
        ("2+(-s)", ["2+(-m)"]),
        ("2– 3−", ["2-", "3-"]),
        ("0+ 0= 0- 0#", ["0+", "0=", "0-", "0#"]),
    ],
)
def test_cells_are_read_leniently(text, cells):
    """Blanks, capitals, the old handicap s and long dashes are understood (club T15)."""
    found = read(f"[Open]\n[2024-01-06]\n1 [A][a][{text}]\n".encode())
    assert [str(cell) for cell in found.table.rows[0].cells] == cells


def test_comments_and_blank_lines_are_passed_over():
    """Comments and blank lines may stand anywhere."""
    data = file_of("", "; a comment", "1 [A][a][2+]", "", "; another - one", "2 [B][b][1-]", "", "; end")
    found = read(data)
    assert (len(found.table.rows), found.findings) == (2, ())


def test_a_display_giver():
    """A player who gives a simultaneous display has "&", and the games that the opponents tell of."""
    found = read(file_of("1 [A][a][&]", "2 [B][b][1-(+4p)]", "3 [C][c][1=]"))
    assert found.findings == ()
    given_games = games(found.table)[0]
    assert [(game.opponent, game.score) for game in given_games] == [(1, 1.0), (2, 0.5)]
    assert given_games[0].handicap == Handicap("4p", received=False)


def test_games_not_played_are_not_rated():
    """Cells with 0 are not games (club R10, T8)."""
    table = read(file_of("1 [A][a][0+ 2= 0#]", "2 [B][b][0- 1= 0+]")).table
    assert [[game.score for game in played] for played in games(table)] == [[0.5], [0.5]]


# --- writing


def test_range_in_the_first_line_last_day_in_the_second():
    """An event of more days has its range in line 1 and its last day in line 2, and both come back (club T2)."""
    table = Crosstable(
        "Open, Town, IT", date(2024, 1, 7), date(2024, 1, 6), rows=read(file_of("1 [A][a][0+]")).table.rows
    )
    lines = write(table).decode("iso-8859-1").splitlines()
    assert lines[:2] == ["[Open, Town, IT, 2024-01-06 - 2024-01-07]", "[2024-01-07]"]
    assert read(write(table)).table == table


@pytest.mark.parametrize("dash", ["-", " - ", "–", " – "])
def test_a_range_in_the_second_line_is_read(dash):
    """The document's form, a range in line 2, is read, with any dash (club T2)."""
    found = read(f"[Open]\n[2024-01-06{dash}2024-01-07]\n1 [A][a][0+]\n".encode())
    assert (found.table.start, found.table.end) == (date(2024, 1, 6), date(2024, 1, 7))
    assert {(one.rule, one.note) for one in found.findings} == (set() if "-" in dash else {("T12", True)})


@pytest.mark.parametrize(
    "name",
    ["Open, 2024-01-01 - 2024-01-07", "Open, 2024-01-06 - 2024-01-06", "Open, 2024-02-30 - 2024-01-06"],
)
def test_a_range_in_the_name_that_is_no_range_of_this_event(name):
    """Only a range that ends with the last day and begins before it is taken out of the name."""
    table = read(f"[{name}]\n[2024-01-06]\n1 [A][a][0+]\n".encode()).table
    assert (table.name, table.start) == (name, None)
    assert read(write(table)).table == table


def test_a_full_file_is_written_as_it_was():
    """Read and written again, a file in the usual form is the same to the byte."""
    data = FULL.encode("iso-8859-1")
    assert write(read(data).table) == data


words = st.text(
    st.characters(min_codepoint=0x20, max_codepoint=0xFF, exclude_characters="[]", exclude_categories=["Cc"]),
    max_size=12,
).map(str.strip)
names = words.filter(bool)


@st.composite
def tables(draw):
    """Tournaments that can be written."""
    count, rounds = draw(st.integers(1, 9)), draw(st.integers(1, 5))
    cells = [[CrosstableCell(0, draw(st.sampled_from("+-="))) for _ in range(rounds)] for _ in range(count)]
    for turn in range(rounds):
        order = draw(st.permutations(range(1, count + 1)))
        for one, other in zip(order[::2], order[1::2], strict=False):
            mark, back = draw(st.sampled_from([("+", "-"), ("-", "+"), ("=", "=")]))
            code = draw(st.none() | st.sampled_from(sorted(HANDICAPS)))
            give, take = (code and Handicap(code, received=False)), (code and Handicap(code, received=True))
            cells[one - 1][turn] = CrosstableCell(other, mark, give)
            cells[other - 1][turn] = CrosstableCell(one, back, take)
    lasts = draw(st.lists(names, min_size=count, max_size=count, unique=True))
    macmahon = st.none() | st.integers(0, 8).map(lambda halves: Fraction(halves, 2))
    rows = []
    for number, (last, played) in enumerate(zip(lasts, cells, strict=True), start=1):
        row = CrosstableRow(
            number,
            last,
            "",
            tuple(played),
            draw(st.sampled_from(["", "DE", "IT 3 Kyu"])),
            draw(st.booleans()),
        )
        row = replace(row, macmahon=draw(macmahon))
        rows.append(replace(row, points=draw(st.sampled_from([None, row.total]))))
    days = st.dates(date(1990, 1, 1), date(2100, 1, 1))
    end = draw(days)
    start = draw(st.none() | days.filter(lambda day: day < end))
    return Crosstable(draw(st.sampled_from(["Open", "13. Open, Town"])), end, start, rows=tuple(rows))


@given(tables())
def test_what_is_written_comes_back(table):
    """Written and read again, a tournament is the same, without errors; and written again, the same bytes."""
    data = write(table)
    found = read(data)
    assert found.table == table
    assert errors(found.findings) == ()
    assert write(found.table) == data


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        (CrosstableRow(1, "Wałęsa", "Lech", (CrosstableCell(0, "+"),)), "T12"),
        (CrosstableRow(1, "\ud800", "x", (CrosstableCell(0, "+"),)), "T12"),
        (CrosstableRow(1, "A[1]", "x", (CrosstableCell(0, "+"),)), "T11"),
        (CrosstableRow(2, "A", "x", (CrosstableCell(0, "+"),)), "T3"),
        (CrosstableRow(1, "A", "x", (CrosstableCell(7, "+"),)), "T5"),
        (CrosstableRow(1, "A", "x", ()), "T4"),
        (CrosstableRow(1, "A", "x", (CrosstableCell(0, "?"),)), "grammar"),
        (CrosstableRow(1, "A", "x", (CrosstableCell(0, "+"),), points=Fraction(3)), "T13"),
        (CrosstableRow(1, "A\n2 [B]", "x", (CrosstableCell(0, "+"),)), "grammar"),
    ],
)
def test_what_cannot_be_written(row, rule):
    """A tournament that FESA's program could not read is refused with the findings."""
    with pytest.raises(TurneringError) as refused:
        write(Crosstable("Open", date(2024, 1, 6), rows=(row,)))
    assert rule in {one.rule for one in refused.value.findings}


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_name_is_written_faithfully_or_refused(last, first):
    """No name gets into a file changed."""
    table = Crosstable(
        "Open", date(2024, 1, 6), rows=(CrosstableRow(1, last, first, (CrosstableCell(0, "+"),)),)
    )
    try:
        data = write(table)
    except TurneringError:
        return
    assert read(data).table == table


def test_a_file_of_another_kind_is_told_once():
    """Not each of its lines is passed over with a note: it is not a results file at all."""
    found = read(b'Rank,Name\n1,"Rossi, Mario"\n2,"Bianchi, Laura"\n' * 40)
    assert [one.rule for one in found.findings] == ["grammar", "T1"]
    assert found.findings[0].message == "this is not a results file"
