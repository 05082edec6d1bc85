"""Keizer tournaments in reports: whatever their tables are made of comes back."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club import keizer
from core.club.findings import errors
from core.club.keizer_settings import KeizerSettings
from core.club.record import Heading, RecordPlayer, TournamentRecord
from core.club.setting_texts import as_texts, from_texts
from core.club.tournament import (
    AbsenceReason,
    Away,
    ClubGame,
    Competitor,
    GameResult,
    TournamentRound,
    start_order,
)
from core.club.trf import write
from core.club.trf_checks import check
from core.club.trf_export import report
from core.club.trf_reader import read
from core.club.trf_record import record
from tests.core.club.random_tournaments import tournament
from tests.examples import examples


def comes_back(players, rounds, settings):
    """The tournament as a file, and read from it again."""
    entries = tuple(
        RecordPlayer(number, player) for number, player in enumerate(start_order(players), start=1)
    )
    came = TournamentRecord(
        Heading("Club evening"), entries, tuple(rounds), kind="keizer", settings=as_texts(settings)
    )
    data = write(report(came, ()))
    assert errors(check(data)) == ()
    return record(read(data).document)


@given(st.integers(0, 10**9))
@examples(150)
def test_a_keizer_tournament_comes_back(number):
    """Players, rounds, reasons for absences and settings make the same tables."""
    players, rounds, settings = tournament(number)
    players = [replace(player, terms=()) for player in players]
    found = comes_back(players, rounds, settings)
    assert from_texts(KeizerSettings, found.settings) == settings
    names = {player.id: str(place) for place, player in enumerate(start_order(players), start=1)}
    try:
        tables = keizer.standings(players, rounds, settings)
    except ValueError:  # settings that do not fit the field
        return
    for was, is_ in zip(tables, keizer.standings(found.players, found.rounds, settings), strict=True):
        assert [(names[row.player], row.points, row.value) for row in was.rows] == [
            (row.player, row.points, row.value) for row in is_.rows
        ]


@pytest.mark.parametrize("reason", list(AbsenceReason))
def test_every_reason_comes_back(reason):
    """Also those of more than one word."""
    players = [Competitor("a", 1800, "Rossi, Mario"), Competitor("b", 1700, "Neri, Anna")]
    found = comes_back(players, [TournamentRound(away=(Away("b", reason),))], KeizerSettings())
    assert found.rounds == (TournamentRound(away=(Away("2", reason),)),)


def test_what_shogi_clubs_keep_comes_back():
    """Grades, MacMahon points, spelling, newcomers and handicaps; a comment that cannot be is passed over."""
    players = [Competitor("1", 1800, "春野 一郎"), Competitor("2", 1700, "Neri, Anna")]
    special = {"grade": "3 Dan", "macmahon": Fraction(5, 2), "spelled": "[Haruno][Ichiro]", "newcomer": True}
    entries = (RecordPlayer(1, players[0], **special), RecordPlayer(2, players[1]))
    games = TournamentRound((ClubGame("2", "1", GameResult.BLACK, "2p", "1"),))
    data = write(report(TournamentRecord(Heading("Club"), entries, (games,), kind="keizer"), ()))
    found = record(read(data).document)
    assert {name: getattr(found.entries[0], name) for name in special} == special
    assert found.entries[1].grade == ""
    assert found.rounds == (games,)
    wrong = data.replace(b"3%20Dan", b"3%20Don").replace(b"5/2", b"5/0").replace(b"code=2p", b"code=9z")
    found = record(read(wrong).document)
    assert (found.entries[0].grade, found.entries[0].macmahon, found.rounds[0].games[0].handicap) == (
        "",
        None,
        None,
    )
