"""FESA's published result tables: reading them, and working every change out again."""

from dataclasses import replace
from fractions import Fraction

import pytest

from core.club import fesa_table, fesa_table_checks
from core.club.crosstable import games
from core.club.fesa_rating import PerformanceGame, performance
from core.club.grades import Grade, Handicap, read_grade, seen_as
from core.club.promotion import GradeStanding, after_event
from tests.core.club import fesa_oracle
from tests.core.club.club_data import PUBLISHED

HANDICAPS = """
Open of Nowhere : 2024-04-20
Nr Name                      Nat  Grade  ELO    1        2     MMS Pts   +/-
 1 Rossi Mario               IT   2 Dan  1862  2+(-r )  3=     2  3½    +7
 2 Bianchi Anna Maria        FR          1674* 1-(+r )  0+     1  2
= Verdi Léo                  14 Kyu  569  0-       1=     0  1/2   -12
"""


def parts(line):
    """Grade, rating, star, cells, points, change and grade afterwards of a line of our numbers."""
    words = line.split()
    grade = None if words[0] == "-" else Grade(int(words.pop(0)), words[0])
    words.pop(0)
    rating, star = words[0].rstrip("*"), words[0].endswith("*")
    cells, rest = words[1:7], words[7:]
    change = None if star else int(rest[1])
    promoted = Grade(int(rest[2]), rest[3]) if len(rest) > 2 else None
    return grade, int(rating), star, cells, rest[0], change, promoted


def text_of_numbers():
    """Our numbers as FESA would print them."""
    lines = [
        "Open of Nowhere : 2025-04-19/20",
        "Nr Name       Nat  Grade  ELO    1   2   3   4   5   6  Pts   +/-",
    ]
    promotions = [""]
    for number, line in enumerate(PUBLISHED.strip().splitlines(), start=1):
        grade, rating, star, cells, points, change, promoted = parts(line)
        shown = " ".join(f"{cell:>3}" for cell in cells)
        changed = "" if change is None else f"{change:+d}"
        mark = "*" if star else " "
        lines.append(
            f"{number:2} Player{number:02} X  IT {grade or ''!s:>6} {rating:5}{mark} {shown}  {points:>2}  {changed:>4}"
        )
        if promoted:
            promotions.append(f"Promoting Player{number:02} X to {promoted}")
    return "\n".join([*lines, *promotions, ""]).encode()


def test_every_number_of_a_table_is_read():
    """Grade, rating, results, points, change and promotion of each player come out as they were printed."""
    found = fesa_table.read(text_of_numbers())
    assert (found.name, found.days, found.findings) == ("Open of Nowhere", "2025-04-19/20", ())
    for one, line in zip(found.rows, PUBLISHED.strip().splitlines(), strict=True):
        grade, rating, star, cells, points, change, promoted = parts(line)
        assert (one.grade, one.rating, one.performance, one.change) == (grade, rating, star, change)
        assert ([str(cell) for cell in one.row.cells], one.row.points) == (cells, int(points))
        assert one.promoted == promoted


def test_every_change_of_a_table_is_reproduced():
    """Each change comes out exactly, with the bonus always or never."""
    found = fesa_table.read(text_of_numbers())
    for place, one in enumerate(found.rows):
        if not one.performance:
            tried = fesa_table.bonus_games(found, place)
            assert {0, len(games(found.table)[place])} & set(tried), one.row.label
    assert all(one.note for one in fesa_table_checks.check(text_of_numbers()))


def test_a_wrong_change_is_found():
    """A change that the results do not make is an error with line and player; their opponents' may be wrong, too."""
    bad = fesa_table_checks.check(text_of_numbers().replace(b"  5   +50", b"  5   +60"))
    assert (bad[0].rule, bad[0].line, bad[0].player) == ("R5", 7, "5 Player05 X")
    assert {one.rule for one in bad if not one.note} == {"R5"}
    assert "+60" in bad[0].message


def test_handicaps_macmahon_halves_and_gaps():
    """Padded handicaps, MacMahon points, ½ and 1/2, missing grades, nationalities and numbers are read."""
    found = fesa_table.read(HANDICAPS.encode())
    rossi, bianchi, verdi = found.rows
    assert rossi.row.cells[0].handicap == Handicap("r", received=False)
    assert bianchi.row.cells[0].handicap == Handicap("r", received=True)
    assert (rossi.row.macmahon, rossi.row.points, rossi.after) == (2, Fraction(7, 2), 1869)
    assert (bianchi.performance, bianchi.change, bianchi.row.last) == (True, None, "Bianchi Anna Maria")
    assert (verdi.row.number, verdi.grade, verdi.row.points) == (0, Grade(14, "Kyu"), Fraction(1, 2))
    assert found.findings == ()


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "utf-8-sig", "utf-16"])
def test_encodings(encoding):
    """A table is read in whatever encoding it was saved."""
    assert fesa_table.read(HANDICAPS.encode(encoding)).rows[2].row.last == "Verdi Léo"


def test_a_line_that_cannot_be_read_is_told():
    """A line that begins like a player and is none is reported, not passed over."""
    found = fesa_table.read(HANDICAPS.replace("1-(+r )", "1-(+r").encode())
    assert [one.line for one in found.findings] == [5]


def test_what_is_a_published_table():
    """The line above the columns tells it from other files."""
    assert fesa_table.is_published(HANDICAPS.encode())
    assert not fesa_table.is_published(b"[Open]\n[2024-01-01]\nNr Name Nat 1 2 Pts\n1 [A][a][2+]\n")
    assert not fesa_table.is_published(b"")


@pytest.mark.parametrize(
    "data", [b"", b"\0" * 10_000, bytes(range(256)) * 40, b"Nr Name ELO\n" + b"1 " * 50_000]
)
def test_hostile_tables(data):
    """Nothing makes the reader fail."""
    assert fesa_table.read(data).rows == ()


TABLE = """
Open of Nowhere : 2024-04-20/21
Nr Name                      Nat  Grade  ELO    1   2   Pts   +/-
 1 Rossi Mario               IT          1862*  2+  0-   1
 2 Bianchi Anna              FR          1674*  1-  0+   1
"""


def test_a_good_table_has_no_findings():
    """Days, numbers, names, nations, columns and both sides of each game fit."""
    assert fesa_table_checks.check(TABLE.encode()) == ()
    table = fesa_table.read(TABLE.encode()).table
    assert (str(table.start), str(table.end)) == ("2024-04-20", "2024-04-21")


@pytest.mark.parametrize(
    ("old", "new", "rule", "line", "note"),
    [
        ("2024-04-20/21", "2024-13-45", "T2", None, False),
        ("2024-04-20/21", "2024-04-20/19", "T2", None, False),
        (" : 2024-04-20/21", "", "T2", None, True),
        (" 2 Bianchi", " 3 Bianchi", "T3", 5, False),
        ("Bianchi Anna", "Rossi Mario ", "T11", 4, False),
        ("Bianchi Anna", "ROSSI MARIO ", "T11", 5, True),
        ("IT ", "XX ", "nation", 4, True),
        ("   1   2   Pts", "   1   2   3   Pts", "T4", None, True),
        (" 2+  0-", " 2-  0-", "T6", 4, False),
        (" 2+  0-", " 9+  0-", "T5", 4, False),
        (" 2+  0-", " 2+", "T4", 4, False),
        (" 2+  0-   1", " 2+  0-   3", "T13", 4, True),
        ("IT          1862*", "IT  99 Dan  1862*", "R12", 4, False),
    ],
)
def test_wrong_fields_are_found(old, new, rule, line, note):
    """Each wrong field is a finding in its line, with what to do."""
    assert old in TABLE
    found = fesa_table_checks.check(TABLE.replace(old, new).encode())
    assert (rule, line, note) in [(one.rule, one.line, one.note) for one in found]
    assert all(one.mend for one in found)


def test_a_promotion_to_a_grade_that_does_not_exist():
    """It is a finding in its line."""
    found = fesa_table_checks.check((TABLE + "Promoting Rossi Mario to 30 Dan\n").encode())
    assert [(one.rule, one.line) for one in found] == [("R12", 6)]


EVENTS = {"with MacMahon": (0, 35, 6, True), "small": (1, 30, 6, False), "large": (5, 107, 9, False)}
"""Made-up events of the oracle: number, players, rounds, and whether they have MacMahon points."""


def made_up(event):
    """The players of a made-up event as the oracle rates them, and its table as it is read."""
    number, count, rounds, macmahon = EVENTS[event]
    members = fesa_oracle.event(number, count, rounds)
    return members, fesa_oracle.printed(members, "Open of Nowhere", macmahon=macmahon).encode()


@pytest.mark.parametrize("event", EVENTS)
def test_every_change_of_whole_tables(event):
    """Each change of an established player comes out, with as many games with bonus as they really had."""
    members, data = made_up(event)
    found = fesa_table.read(data)
    assert (len(found.rows), found.findings) == (len(members), ())
    for place, (one, member) in enumerate(zip(found.rows, members, strict=True)):
        assert (one.performance, one.after) == (member.new, member.after)
        if not member.new:
            fits = fesa_table.bonus_games(found, place)
            assert min(member.bonus, len(member.games)) in fits or (member.rating >= 1800 and fits)
    assert all(one.note for one in fesa_table_checks.check(data))


@pytest.mark.parametrize("event", EVENTS)
def test_performances_of_whole_tables(event):
    """The rating of each new player follows from the event's games."""
    _, data = made_up(event)
    found = fesa_table.read(data)
    for one, played in zip(found.rows, games(found.table), strict=True):
        if one.performance:
            seen = [
                PerformanceGame(seen_as(found.rows[game.opponent].after, 0, None), game.score)
                for game in played
            ]
            assert performance(seen) == one.rating


def _outcome(one, played):
    """How the published grade after the event follows: from nothing else, as provisional, or not at all."""
    wanted = one.promoted or one.grade
    total = {"established": [100], "provisional": range(max(9, played), 18), "inside": range(18, 18 + played)}
    for name, totals in total.items():
        before = GradeStanding(one.grade)
        if any(
            after_event(before, before=one.rating, after=one.after, games=played, total=games_now).grade
            == wanted
            for games_now in totals
        ):
            return name
    return "needs counters"


@pytest.mark.parametrize("event", EVENTS)
def test_grades_of_whole_tables(event):
    """Promoted are those whom the oracle promotes, who counts no games of earlier events (club R13)."""
    members, data = made_up(event)
    found = fesa_table.read(data)
    steps = [one.promoted.step if one.promoted else None for one in found.rows]
    assert steps == [member.promoted for member in members]
    assert any(steps)
    for one, played in zip(found.rows, games(found.table), strict=True):
        if played and not one.performance:
            assert _outcome(one, len(played)) == "established"


def test_grades_of_our_numbers():
    """The promotions of our table follow from club R13 and R14; one needs counters from earlier events."""
    found = fesa_table.read(text_of_numbers())
    outcomes = {
        one.row.number: _outcome(one, len(played))
        for one, played in zip(found.rows, games(found.table), strict=True)
        if not one.performance
    }
    assert [number for number, outcome in outcomes.items() if outcome == "needs counters"] == [5]


def test_promotions_of_unknown_players_are_passed_over():
    """A promotion of somebody who did not play changes nothing."""
    data = text_of_numbers() + b"Promoting Nobody X to 3 Kyu\nPromoting Player01 X to 3 Kyu\n"
    found = fesa_table.read(data)
    assert found.rows[0].promoted == read_grade("3 Kyu")
    assert replace(found, rows=found.rows[1:]).rows == fesa_table.read(text_of_numbers()).rows[1:]
