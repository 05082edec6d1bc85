"""A club tournament as TRF and as turnering.txt."""

from datetime import date
from fractions import Fraction

import pytest

from core.club.exporting import ExportError, results_table
from core.club.findings import errors
from core.club.record import Heading
from core.club.tournament import Player
from core.club.trf import NAME_WIDTH, Turn, write
from core.club.trf_checks import check as check_trf
from core.club.trf_exporting import trf
from core.club.trf_reading import read as read_trf
from core.club.turnering import check, read
from core.club.turnering import write as write_turnering
from tests.core.club.notation import evening

HEADING = Heading("Club evening", "Nowhere", "ITA", (date(2026, 1, 6), date(2026, 1, 13)), 7, "Arbiter, Ann")
PLAYERS = [
    Player("a", 1900, "Rossi, Mario"),
    Player("b", 1800, "Bianchi, Anna"),
    Player("c", 1700, "mrossi90"),
    Player("d", 1600, "Russo, Léa"),
    Player("e", 1500, "Ferrari, Pia"),
]
ROUNDS = [evening("a:b+ c:d= eb"), evening("b:a> c:e? de")]
DONE = [evening("a:b+ c:d= eb"), evening("b:a> c:e- de"), evening("a:c# b:d< eu")]
RANKING = ["b", "a", "e", "d", "c"]


def test_results_of_a_report():
    """Played 1 0 =, bye U, absent Z, forfeit + and - (C1); a game without a result is blank."""
    document = trf(HEADING, PLAYERS, ROUNDS, RANKING)
    turns = [player.turns for player in document.players]
    assert turns == [
        (Turn(2, "w", "1"), Turn(2, "b", "-")),
        (Turn(1, "b", "0"), Turn(1, "w", "+")),
        (Turn(4, "w", "="), Turn(5, "w", "")),
        (Turn(3, "b", "="), Turn(0, "-", "Z")),
        (Turn(0, "-", "U"), Turn(3, "b", "")),
    ]
    assert [player.points for player in document.players] == [1, 1, Fraction(1, 2), Fraction(1, 2), 1]
    assert [player.rank for player in document.players] == [2, 1, 5, 4, 3]


def test_what_trf_has_no_code_for():
    """Excused players and club duty stand in comments that other programs understand (C2)."""
    document = trf(HEADING, PLAYERS, [*ROUNDS, evening("a:b+ cc du")], RANKING)
    assert document.directives == (
        ("bye", {"round": "2", "player": "4", "type": "excused"}),
        ("bye", {"round": "3", "player": "3", "type": "clubcommitment"}),
    )
    assert document.players[4].turns[2] == Turn(0, "-", "Z")


def test_a_report_is_good_and_comes_back():
    """What is exported has no contradictions, and is read as it was."""
    document = trf(HEADING, PLAYERS, DONE, RANKING)
    data = write(document)
    assert check_trf(data) == ()
    assert read_trf(data).document == document
    lines = data.decode().splitlines()
    assert [line[:3] for line in lines[:10]] == [
        "012",
        "022",
        "032",
        "042",
        "052",
        "062",
        "072",
        "092",
        "102",
        "132",
    ]
    assert lines[9][91:99] == "26/01/06"
    assert lines[9][101:109] == "26/01/13"
    assert document.rounds == 7


def test_names_fit_into_the_columns():
    """A long name is cut, a line end in it is none."""
    players = [Player("a", 1900, "x" * 50), Player("b", 1800, "A\nB")]
    names = [player.name for player in trf(Heading("x\ny"), players, [], []).players]
    assert names == ["x" * NAME_WIDTH, "A B"]
    assert write(trf(Heading("x\ny"), players, [], []))


def test_an_unclear_start_order():
    """Equal ratings are refused as everywhere."""
    with pytest.raises(ValueError, match="unique"):
        trf(HEADING, [Player("a", 1500), Player("b", 1500)], [], [])


def test_results_for_fesa():
    """Games with opponents, byes 0+, absences 0-, who won by forfeit 0+, who did not come 0#."""
    table = results_table(HEADING, PLAYERS, DONE, RANKING, new={"e"})
    assert [[str(cell) for cell in row.cells] for row in table.rows] == [
        ["2-", "0+", "0#"],
        ["1+", "0#", "0#"],
        ["0+", "5+", "0-"],
        ["5=", "0-", "0+"],
        ["4=", "3-", "0#"],
    ]
    assert [(row.last, row.first, row.new) for row in table.rows[-3:]] == [
        ("Ferrari", "Pia", True),
        ("Russo", "Léa", False),
        ("mrossi90", "", False),
    ]
    assert (table.name, table.start, table.end) == (
        "Club evening, Nowhere, ITA",
        date(2026, 1, 6),
        date(2026, 1, 13),
    )


def test_results_for_fesa_are_good_and_come_back():
    """What is exported has no errors, and is read as it was."""
    table = results_table(HEADING, PLAYERS, DONE, RANKING)
    data = write_turnering(table)
    assert errors(check(data)) == ()
    assert read(data).table == table


def test_open_games_cannot_be_sent_in():
    """Every game needs a result, and every player a place."""
    with pytest.raises(ExportError, match="round 2: c – e has no result"):
        results_table(HEADING, PLAYERS, ROUNDS, RANKING)
    with pytest.raises(ExportError, match="every player"):
        results_table(HEADING, PLAYERS, DONE, RANKING[1:])
