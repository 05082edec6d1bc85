"""Who played whom, as ratings see it."""

from datetime import date
from fractions import Fraction

import pytest

from core.club.contest import Encounter, of_report
from core.club.trf import Document, OtherLine, TrfPlayer, TrfTurn
from core.club.trf_days import days_of

HALF = Fraction(1, 2)


def report(*fields, turns=()):
    """A report of two players."""
    return Document(
        tuple(OtherLine(code, text) for code, text in fields),
        (
            TrfPlayer(
                1,
                "Rossi, Mario",
                tuple(one for one, _ in turns),
                rating=1800,
                birth="2008/05/01",
                fide_id="7",
            ),
            TrfPlayer(2, "Neri, Anna", tuple(other for _, other in turns), rating=0, birth="1990"),
        ),
    )


def test_only_games_at_the_board_count():
    """Forfeits, unrated games, byes and games without a result are left out, and counted in the notes."""
    turns = [
        (TrfTurn(2, "w", "1"), TrfTurn(1, "b", "0")),
        (TrfTurn(2, "b", "="), TrfTurn(1, "w", "=")),
        (TrfTurn(2, "w", "+"), TrfTurn(1, "b", "-")),
        (TrfTurn(2, "w", "W"), TrfTurn(1, "b", "L")),
        (TrfTurn(2, "w", ""), TrfTurn(1, "b", "")),
        (TrfTurn(0, "-", "U"), TrfTurn(0, "-", "Z")),
    ]
    found = of_report(report(turns=turns))
    assert found.players[0].games == (Encounter(1, 1, Fraction(1)), Encounter(2, 1, HALF))
    assert found.players[1].games == (Encounter(1, 0, Fraction(0)), Encounter(2, 0, HALF))
    assert found.notes == (
        "1 game ended by forfeit and is not rated",
        "1 game has no result yet and is not rated",
        "1 game was played unrated (W, D, L)",
    )


def test_players_of_a_report():
    """The year of birth in either form; a rating of 0 is none."""
    rossi, neri = of_report(report()).players
    assert (rossi.born, rossi.rating, rossi.fide_id) == (2008, 1800, "7")
    assert (neri.born, neri.rating, neri.fide_id) == (1990, None, None)


@pytest.mark.parametrize(
    ("fields", "days"),
    [
        ([("132", " " * 80 + "26/02/27  26/03/05")], [date(2026, 2, 27), date(2026, 3, 5)]),
        ([("042", "2026/02/27"), ("052", "05.03.2026")], [date(2026, 2, 27), date(2026, 3, 5)]),
        ([("132", "26/02/27"), ("042", "2020/01/01")], [date(2026, 2, 27)]),
        ([("042", "2024/13/45"), ("052", "soon")], []),
        ([], []),
    ],
)
def test_days_of_a_report(fields, days):
    """Those of the rounds, else beginning and end; what is not a date is none."""
    assert days_of(report(*fields)) == days
