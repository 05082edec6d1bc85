"""A club tournament as TRF and as turnering.txt."""

from datetime import date
from fractions import Fraction

import pytest

from core.club.findings import errors
from core.club.record import Heading, RecordPlayer, TournamentRecord
from core.club.spelling import Spelling
from core.club.tournament import ClubGame, Competitor, GameResult, TournamentRound, start_order
from core.club.trf import NAME_WIDTH, TrfTurn, write
from core.club.trf_checks import check as check_trf
from core.club.trf_export import report
from core.club.trf_reader import read as read_trf
from core.club.turnering import check, read
from core.club.turnering import write as write_turnering
from core.club.turnering_export import Details, ExportError, results_table, without_table_ends
from tests.core.club.notation import evening

HEADING = Heading("Club evening", "Nowhere", "ITA", (date(2026, 1, 6), date(2026, 1, 13)), 7, "Arbiter, Ann")
PLAYERS = [
    Competitor("a", 1900, "Rossi, Mario"),
    Competitor("b", 1800, "Bianchi, Anna"),
    Competitor("c", 1700, "mrossi90"),
    Competitor("d", 1600, "Russo, Léa"),
    Competitor("e", 1500, "Ferrari, Pia"),
]
ROUNDS = [evening("a:b+ c:d= eb"), evening("b:a> c:e? de")]
DONE = [evening("a:b+ c:d= eb"), evening("b:a> c:e- de"), evening("a:c# b:d< eu")]
RANKING = ["b", "a", "e", "d", "c"]


def trf(heading, players, rounds, ranking):
    """A Keizer tournament as a report; its starting numbers follow rating or seed."""
    entries = tuple(
        RecordPlayer(number, player) for number, player in enumerate(start_order(players), start=1)
    )
    return report(TournamentRecord(heading, entries, tuple(rounds), kind="keizer"), ranking)


def test_results_of_a_report():
    """Played 1 0 =, bye U, absent Z, forfeit + and - (C1); a game without a result is blank."""
    document = trf(HEADING, PLAYERS, ROUNDS, RANKING)
    turns = [player.turns for player in document.players]
    assert turns == [
        (TrfTurn(2, "w", "1"), TrfTurn(2, "b", "-")),
        (TrfTurn(1, "b", "0"), TrfTurn(1, "w", "+")),
        (TrfTurn(4, "w", "="), TrfTurn(5, "w", "")),
        (TrfTurn(3, "b", "="), TrfTurn(0, "-", "Z")),
        (TrfTurn(0, "-", "U"), TrfTurn(3, "b", "")),
    ]
    assert [player.points for player in document.players] == [1, 1, Fraction(1, 2), Fraction(1, 2), 1]
    assert [player.rank for player in document.players] == [2, 1, 5, 4, 3]


def test_what_trf_has_no_code_for():
    """Excused players and club duty are in comments that other programs understand (C2)."""
    document = trf(HEADING, PLAYERS, [*ROUNDS, evening("a:b+ cc du")], RANKING)
    assert document.directives == (
        ("bye", {"round": "2", "player": "4", "type": "excused"}),
        ("bye", {"round": "3", "player": "3", "type": "clubcommitment"}),
    )
    assert document.players[4].turns[2] == TrfTurn(0, "-", "Z")


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
    players = [Competitor("a", 1900, "x" * 50), Competitor("b", 1800, "A\nB")]
    names = [player.name for player in trf(Heading("x\ny"), players, [], []).players]
    assert names == ["x" * NAME_WIDTH, "A B"]
    assert write(trf(Heading("x\ny"), players, [], []))


def test_results_for_fesa():
    """Games with opponents, byes 0+, absences 0-, who won by forfeit 0+, who did not come 0#."""
    table = results_table(
        HEADING, PLAYERS, DONE, RANKING, {"e": Details(Spelling("Ferrari", "Pia"), new=True)}
    )
    assert [[str(cell) for cell in row.cells] for row in table.rows] == [
        ["2-", "0+", "0#"],
        ["1+", "0#", "0#"],
        ["0+", "5+", "0#"],
        ["5=", "0-", "0+"],
        ["4=", "3-", "0#"],
    ]
    assert [row.points for row in table.rows] == [1, 1, 2, Fraction(3, 2), Fraction(1, 2)]
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


def test_who_stayed_away_without_a_word():
    """They have # in the document's words; who was excused or on duty has -, who had no opponent +."""
    rounds = [evening("a:b+ cu de ec"), evening("a:b+ cb de ee")]
    table = results_table(HEADING, PLAYERS, rounds, list("abcde"))
    assert [[str(cell) for cell in row.cells] for row in table.rows[2:]] == [
        ["0#", "0+"],
        ["0-", "0-"],
        ["0-", "0-"],
    ]


def test_a_row_of_no_shows_does_not_end_the_table():
    """Where 0# is all that a row has, it is written 0-; a row with a hyphen anywhere keeps its 0#."""
    players = [*PLAYERS[:3], Competitor("d", 1600, "Russo-Verdi, Léa")]
    table = results_table(HEADING, players, [evening("a:b+ cu du")], list("abcd"))
    mended, ending = without_table_ends(table)
    assert [row.label for row in ending] == ["3 mrossi90"]
    assert [[str(cell) for cell in row.cells] for row in mended.rows[2:]] == [["0-"], ["0#"]]
    assert check(write_turnering(mended)) == ()


def test_handicaps_have_their_signs():
    """Who gave it has a minus, who received it a plus; a game that was not played has none."""
    rounds = [
        TournamentRound(
            (ClubGame("a", "b", GameResult.BLACK, "2p", "a"), ClubGame("c", "d", GameResult.DRAW, "rl", "d"))
        ),
        TournamentRound((ClubGame("a", "b", GameResult.WHITE_FORFEIT, "2p", "a"),)),
    ]
    table = results_table(HEADING, PLAYERS[:4], rounds, list("abcd"))
    assert [[str(cell) for cell in row.cells] for row in table.rows] == [
        ["2-(-2p)", "0+"],
        ["1+(+2p)", "0#"],
        ["4=(+rl)", "0-"],
        ["3=(-rl)", "0-"],
    ]
    assert errors(check(write_turnering(table))) == ()


def test_nation_grade_and_macmahon_points():
    """They stand where the document has them, and the column names say what there is."""
    details = {
        "a": Details(Spelling("Rossi", "Mario"), "IT", "3 Dan", Fraction(2)),
        "b": Details(Spelling("Bianchi", "Anna"), "ENG", macmahon=Fraction(1, 2)),
    }
    table = results_table(HEADING, PLAYERS[:3], [evening("a:b+ ce")], list("abc"), details)
    lines = write_turnering(table).decode("iso-8859-1").splitlines()
    assert lines[2:] == [
        "Nr Name Nat 1 MMSS Pts",
        "1 [Rossi][Mario]IT 3 Dan[2+][2] 3",
        "2 [Bianchi][Anna]GB[1-][0.5] 0.5",
        "3 [mrossi90][][0-] 0",
    ]
    assert results_table(HEADING, PLAYERS[:2], [evening("a:b+")], list("ab")).columns == "Nr Name 1 Pts"


def test_open_games_cannot_be_sent_in():
    """Every game needs a result, and every player a place."""
    with pytest.raises(ExportError, match="round 2: c – e has no result"):
        results_table(HEADING, PLAYERS, ROUNDS, RANKING)
    with pytest.raises(ExportError, match="every player"):
        results_table(HEADING, PLAYERS, DONE, RANKING[1:])
