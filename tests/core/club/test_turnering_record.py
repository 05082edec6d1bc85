"""FESA's files as tournaments: everything comes over, and is written again as it was."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club import results_files
from core.club.crosstable import CrosstableCell
from core.club.findings import errors
from core.club.points_table import PointsTables
from core.club.record import Heading
from core.club.tournament import AbsenceReason, Away, ClubGame, Competitor, GameResult
from core.club.trf_export import report
from core.club.turnering import write
from core.club.turnering_export import Details, column_names, results_table
from core.club.turnering_record import with_halves
from tests.core.club.test_turnering import tables
from tests.examples import examples

FULL = """\
[13. Open, Ludwigshafen, Germany, 2024-01-06 - 2024-01-07]
[2024-01-07]
[Time control: 20min + 40sec]
Nr Name Nat 1 2 3 MMSS Pts
1 [Rossi][Mario]IT 3 Dan[2+ 3+(-2p) 0+][2] 5
2 N [Bianchi][Anna]DE[1- 0= 3=][1] 2
3 [van Dam][]foreign guest[0# 1-(+2p) 2=] 0.5
"""
PUBLISHED = """\
Open of Nowhere : 2024-04-20/21
Nr Name                      Nat  Grade  ELO    1        2     MMS Pts   +/-
 1 Rossi Mario               IT   2 Dan  1862* 2+(-r )  0+     2   4
 2 Bianchi Anna Maria        FR          1674* 1-(+r )  0-     1   1
"""


def record_of(text, kind="turnering"):
    """The tournament of a file without errors."""
    source = results_files.read_source(kind, text.encode("iso-8859-1"))
    assert errors(source.findings) == ()
    return source.record


def again(text, kind="turnering"):
    """The table that the tournament of a file makes."""
    record = record_of(text, kind)
    details = {entry.player.id: Details.of(entry) for entry in record.entries}
    numbers = [entry.number for entry in record.entries]
    table = results_table(record.heading, record.players, record.rounds, list(map(str, numbers)), details)
    return with_halves(table, numbers, results_files.crosstable(kind, text.encode("iso-8859-1")))


def test_what_a_file_tells():
    """Name, place and days; players with nation, grade, MacMahon points; games with handicaps, and who had none."""
    record = record_of(FULL)
    assert record.heading == Heading(
        "13. Open",
        "Ludwigshafen",
        "Germany",
        (None, None, None),
        3,
        time_control="20min + 40sec",
        start=date(2024, 1, 6),
        end=date(2024, 1, 7),
    )
    rossi, bianchi, van_dam = record.entries
    assert rossi.player == Competitor("1", None, "Rossi, Mario", seed=1)
    assert (rossi.nation, rossi.grade, rossi.macmahon, rossi.spelled) == ("IT", "3 Dan", 2, "")
    assert (bianchi.nation, bianchi.newcomer) == ("DE", True)
    assert (van_dam.player.name, van_dam.nation, van_dam.grade) == ("van Dam", "", "foreign guest")
    assert record.rounds[0].games == (ClubGame("1", "2", GameResult.WHITE),)
    assert record.rounds[1].games == (ClubGame("1", "3", GameResult.WHITE, "2p", "1"),)
    assert [one.away for one in record.rounds] == [
        (Away("3", AbsenceReason.UNEXCUSED),),
        (Away("2", AbsenceReason.EXCUSED),),
        (Away("1", AbsenceReason.BYE),),
    ]


def test_a_full_file_comes_back():
    """In the usual form it is the same to the byte."""
    assert write(again(FULL)).decode("iso-8859-1") == FULL


def test_what_a_published_table_tells():
    """Rating, nation, grade, MacMahon points and handicaps; a name of two words has its last name first."""
    record = record_of(PUBLISHED, "published")
    rossi, bianchi = record.entries
    assert (rossi.player.name, rossi.player.rating, rossi.grade, rossi.macmahon) == (
        "Rossi, Mario",
        1862,
        "2 Dan",
        2,
    )
    assert (bianchi.player.name, bianchi.nation) == ("Bianchi Anna Maria", "FR")
    assert record.rounds[0].games == (ClubGame("1", "2", GameResult.WHITE, "r", "1"),)
    assert write(again(PUBLISHED, "published")).decode().splitlines() == [
        "[Open of Nowhere, 2024-04-20 - 2024-04-21]",
        "[2024-04-21]",
        "Nr Name Nat 1 2 MMSS Pts",
        "1 [Rossi][Mario]IT 2 Dan[2+(-r) 0+][2] 4",
        "2 [Bianchi Anna Maria][]FR[1-(+r) 0-][1] 1",
    ]


@pytest.mark.parametrize(
    "name", ["Open", "Open, Town", "A, B, C, D", "Open, , Town", "A,B,C", "13. Open, Town, Country"]
)
def test_names_of_tournaments(name):
    """Name, city and country where there are three parts; else all of it is the name, and nothing gets lost."""
    assert again(FULL.replace("13. Open, Ludwigshafen, Germany", name)).name == name


def test_letters_are_no_obstacle():
    """A file in UTF-8, and names that a file in ISO 8859-1 could not have, are read; the rest of the check stays."""
    source = results_files.read_source("turnering", FULL.replace("van Dam", "羽生").encode())
    assert errors(source.findings) == ()
    assert source.record.entries[2].player.name == "羽生"
    assert errors(results_files.read_source("turnering", FULL.replace("2+ 3+", "2- 3+").encode()).findings)


def test_a_simultaneous_display_is_refused():
    """Its giver would have several games in a round."""
    text = "[Open]\n[2024-01-06]\n1 [A][a][&]\n2 [B][b][1-]\n3 [C][c][1=]\n"
    assert [one.rule for one in errors(results_files.read_source("turnering", text.encode()).findings)] == [
        "import"
    ]


@given(
    st.binary(max_size=200), st.lists(st.sampled_from(FULL.split(" ") + PUBLISHED.split(" ")), max_size=60)
)
@examples(30)
def test_no_file_makes_it_fail(noise, words):
    """Whatever the bytes are, reading them as one of these files ends with findings or with a tournament."""
    mixed = " ".join(words).encode()
    for kind in results_files.FESA:
        for data in (noise, mixed, FULL[:60].encode() + mixed, PUBLISHED[:100].encode() + noise):
            source = results_files.read_source(kind, data)
            assert errors(source.findings) or source.record.entries


def test_the_table_by_points_is_the_files():
    """Ranks as in the file, points with MacMahon points and half points without a game."""
    record = record_of(FULL)
    document = results_files.report_of("turnering", FULL.encode(), report(record, ()))
    names = {entry.number: entry.player.name for entry in record.entries}
    table = PointsTables(document, names, 3, by_file=True)[3]
    assert [(row.rank, row.player, row.points) for row in table.rows] == [
        (1, "Rossi, Mario", 5),
        (2, "Bianchi, Anna", 2),
        (3, "van Dam", Fraction(1, 2)),
    ]


@given(tables(), st.data())
@examples(25)
def test_any_file_comes_back(table, data):
    """Imported and written again, every tournament is the same, with the points and the names of the columns."""
    lasts = [
        f"{' '.join(row.last.replace(chr(0xA0), ' ').replace(chr(0xAD), '').split()) or 'x'}{row.number}"
        for row in table.rows
    ]
    halves = data.draw(st.lists(st.booleans(), min_size=table.rounds, max_size=table.rounds))
    rows = []
    for row, last in zip(table.rows, lasts, strict=True):
        cells = tuple(
            CrosstableCell(0, "=") if half and not cell.opponent else cell
            for cell, half in zip(row.cells, halves, strict=True)
        )
        changed = replace(row, last=last, cells=cells, points=None)
        rows.append(replace(changed, points=changed.total))
    wanted = replace(table, rows=tuple(rows), columns=column_names(rows, table.rounds))
    assert again(write(wanted).decode("iso-8859-1")) == wanted
