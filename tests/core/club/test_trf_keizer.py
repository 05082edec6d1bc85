"""Keizer tournaments in reports: whatever their tables are made of comes back."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club import keizer
from core.club.findings import errors
from core.club.keizer_settings import KeizerSettings
from core.club.record import Entry, Heading, Record
from core.club.setting_texts import as_texts, from_texts
from core.club.tournament import Away, Player, Reason, Round, start_order
from core.club.trf import write
from core.club.trf_checks import check
from core.club.trf_exporting import report
from core.club.trf_reading import read
from core.club.trf_record import record
from tests.core.club.random_tournaments import tournament
from tests.examples import examples


def comes_back(players, rounds, settings):
    """The tournament as a file, and read from it again."""
    entries = tuple(Entry(number, player) for number, player in enumerate(start_order(players), start=1))
    came = Record(Heading("Club evening"), entries, tuple(rounds), kind="keizer", settings=as_texts(settings))
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


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_comes_back(reason):
    """Also those of more than one word."""
    players = [Player("a", 1800, "Rossi, Mario"), Player("b", 1700, "Neri, Anna")]
    found = comes_back(players, [Round(away=(Away("b", reason),))], KeizerSettings())
    assert found.rounds == (Round(away=(Away("2", reason),)),)
