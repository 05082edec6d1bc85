"""Reports as tournaments."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.record import Heading
from core.club.tournament import AbsenceReason, Away, ClubGame, GameResult, problems
from core.club.trf import Document, OtherLine, TrfPlayer, TrfTurn
from core.club.trf_checks import check_document
from core.club.trf_days import read_day, round_days
from core.club.trf_reader import read
from core.club.trf_record import record
from tests.core.club.random_reports import report
from tests.core.club.trf_files import LEAN, SMALL
from tests.examples import examples


def of(text):
    """The tournament of a file."""
    return record(read(text.encode()).document)


def test_what_a_report_says():
    """Heading, players with everything beside their names, and the rounds."""
    found = of(SMALL)
    days = (date(2026, 1, 15), date(2026, 1, 16))
    clock = "90 min + 30 sec"
    assert found.heading == Heading(
        "Open of Nowhere", "Nowhere", "ITA", days, 3, "Arbiter, Ann", clock, *days
    )
    first = found.entries[0]
    assert (first.number, first.player.id, first.player.name, first.player.rating) == (
        1,
        "1",
        "Rossi, Mario",
        2812,
    )
    assert (first.fide_id, first.title, first.sex, first.birth) == ("1234567", "GM", "m", "1963/04/13")
    assert found.entries[4].player.rating is None
    assert found.rounds[0].games == (
        ClubGame("1", "2", GameResult.WHITE),
        ClubGame("4", "3", GameResult.WHITE),
    )
    assert found.rounds[0].away == (Away("5", AbsenceReason.BYE),)
    assert found.rounds[1].away == (Away("2", AbsenceReason.EXCUSED),)
    assert found.kind == "points"
    assert found.notes == ("teams are kept in the file and not shown",)


def test_byes_of_every_kind():
    """U, F and + are byes; H and Z excused; a forfeit without an opponent is without a word."""
    found = of(LEAN)
    assert [{one.player: one.reason.value for one in evening.away} for evening in found.rounds] == [
        {"2": "bye", "4": "excused"},
        {"3": "excused", "4": "unexcused"},
    ]


def test_rounds_to_come():
    """Byes for a round that is not paired yet are who stays away in it; those of later rounds stay in the file."""
    text = SMALL.replace("0001 b 0  0000 - H", "0001 b 0  0000 - H  0000 - H")
    found = of(text + "240 H 003    1\n240 Z 004    1\n")
    assert len(found.rounds) == 2
    assert found.coming == (Away("1", AbsenceReason.EXCUSED), Away("2", AbsenceReason.EXCUSED))
    assert (
        "byes for round 4 and later are kept in the file, and not set before their round comes" in found.notes
    )


def test_games_without_colours_and_without_results():
    """The player named first has White; a game without a result has none."""
    players = (
        TrfPlayer(7, "A", (TrfTurn(3, "-", "-"), TrfTurn(3, "b", ""))),
        TrfPlayer(3, "B", (TrfTurn(7, "-", "+"), TrfTurn(7, "w", ""))),
    )
    found = record(Document(players=players))
    assert [one.games for one in found.rounds] == [
        (ClubGame("7", "3", GameResult.BLACK_FORFEIT),),
        (ClubGame("3", "7"),),
    ]


@given(st.integers(0, 10**9))
@examples(100)
def test_any_report_is_a_tournament(number):
    """Whatever a report without contradictions says, the tournament has nothing impossible in it."""
    document = report(number)
    assert [str(one) for one in check_document(document) if not one.note] == []
    found = record(document)
    assert problems(found.players, found.rounds) == []


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026/01/15", date(2026, 1, 15)),
        ("26/01/15", date(2026, 1, 15)),
        ("2026-1-5", date(2026, 1, 5)),
        ("2026.01.15", date(2026, 1, 15)),
        ("15.01.2026", date(2026, 1, 15)),
        ("2026/13/45", None),
        ("05/06/2026", None),
        ("2026/01-15", None),
        ("May 29, 2020", None),
        ("", None),
    ],
)
def test_days(text, day):
    """Years come first, or last with dots; what could be two days is none."""
    assert read_day(text) == day


@pytest.mark.parametrize(
    ("texts", "days"),
    [
        ([" " * 87 + "26/01/15  26/01/16"], {1: "26/01/15", 2: "26/01/16"}),
        ([" " * 97 + "26/01/16"], {2: "26/01/16"}),
        (["2026/01/15", "2026/01/16"], {1: "2026/01/15", 2: "2026/01/16"}),
        (["26/01/15 26/01/16"], {1: "26/01/15", 2: "26/01/16"}),
        ([""], {}),
    ],
)
def test_the_days_of_rounds(texts, days):
    """They are found by their columns, else by their order."""
    assert round_days(Document(tuple(OtherLine("132", text) for text in texts))) == days
