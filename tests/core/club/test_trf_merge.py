"""An imported report written again: what has changed is changed, nothing else."""

import random
from dataclasses import replace
from datetime import date
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from core.club.record import RecordPlayer
from core.club.tournament import AbsenceReason, Away, ClubGame, Competitor, GameResult, TournamentRound
from core.club.trf import OtherLine, TrfPlayer, TrfTurn, write
from core.club.trf_checks import check_document
from core.club.trf_export import report as report_of
from core.club.trf_merge import merged
from core.club.trf_reader import read
from core.club.trf_record import record
from tests.core.club.random_reports import report
from tests.core.club.trf_files import SMALL
from tests.examples import examples

NUMBERS = st.integers(0, 10**9)


def again(document, now):
    """The report of the tournament *now* that came from *document*."""
    return merged(document, report_of(record(document), ()), report_of(now, ()))


def small():
    """The small report."""
    return read(SMALL.encode()).document


@given(NUMBERS)
@examples(150)
def test_what_is_not_changed_is_written_as_it_came(number):
    """Without a change every line is the one that came."""
    document = report(number)
    assert again(document, record(document)) == document
    assert read(write(document)).document == document


@given(
    NUMBERS, st.sampled_from([GameResult.WHITE, GameResult.BLACK, GameResult.DRAW, GameResult.BLACK_FORFEIT])
)
@examples(150)
def test_a_corrected_result_changes_two_lines(number, result):
    """The two players' results and points are those of the tournament; nobody else's line is touched."""
    document = report(number)
    came = record(document)
    games = [(at, game) for at, one in enumerate(came.rounds) for game in one.games]
    if not games:
        return
    at, game = random.Random(number).choice(games)
    evening = replace(
        came.rounds[at],
        games=tuple(replace(one, result=result) if one is game else one for one in came.rounds[at].games),
    )
    rounds = (*came.rounds[:at], evening, *came.rounds[at + 1 :])
    found = again(document, replace(came, rounds=rounds))
    assert record(found).rounds == rounds
    assert found.fields == document.fields
    touched = {int(game.white), int(game.black)}
    for old, new in zip(document.players, found.players, strict=True):
        assert new == old or old.number in touched
        assert [turn for place, turn in enumerate(new.turns) if place != at] == [
            turn for place, turn in enumerate(old.turns) if place != at
        ]
    white, black = (
        next(one for one in found.players if one.number == number).turns[at].result
        for number in (int(game.white), int(game.black))
    )
    assert (white in "WDL") == (black in "WDL")


@given(NUMBERS)
@examples(150)
def test_another_round(number):
    """A round that is played here is added to the lines, with its day; all earlier ones stay as they came."""
    document = report(number)
    came = record(document)
    ids = [one.id for one in came.players]
    evening = TournamentRound(
        (ClubGame(ids[0], ids[1], GameResult.DRAW),),
        tuple(Away(one, AbsenceReason.EXCUSED) for one in ids[2:]),
    )
    day = date(2026, 5, 1)
    played = (*came.heading.days, *[None] * len(came.rounds))[: len(came.rounds)]
    heading = replace(
        came.heading,
        days=(*played, day, *came.heading.days[len(played) + 1 :]),
        planned_rounds=len(came.rounds) + 3,
    )
    found = again(document, replace(came, heading=heading, rounds=(*came.rounds, evening)))
    later = record(found)
    assert later.rounds[:-1] == came.rounds
    assert later.rounds[-1].games == evening.games  # a bye that the file had for it stays
    assert later.heading.days[len(played)] == day
    assert later.heading.days[len(played) + 1 :] == came.heading.days[len(played) + 1 :]
    assert (later.heading.planned_rounds, later.heading.end) == (len(came.rounds) + 3, day)
    for old, new in zip(document.players, found.players, strict=True):
        assert new.turns[: len(old.turns)] == old.turns or len(old.turns) > len(came.rounds)
        assert replace(new, turns=(), points=None) == replace(old, turns=(), points=None)
    kept = {"112", "XXC", "XXS", "250", "ITA", "013", "XXP", "092", "072", "###"}
    assert [one for one in found.fields if one.code in kept] == [
        one for one in document.fields if one.code in kept
    ]


def test_byes_that_were_asked_for():
    """A half-point bye of a round to come is one when the round is played without the player."""
    document = replace(small(), after=(OtherLine("240", "H 003    1"), OtherLine("240", "F 003    2")))
    came = record(document)
    evening = TournamentRound(
        (ClubGame("3", "4", GameResult.WHITE),), tuple(Away(str(n), AbsenceReason.EXCUSED) for n in (1, 2, 5))
    )
    found = again(document, replace(came, rounds=(*came.rounds, evening)))
    assert [one.turns[2] for one in found.players] == [
        TrfTurn(result="H"),
        TrfTurn(result="F"),
        TrfTurn(4, "w", "1"),
        TrfTurn(3, "b", "0"),
        TrfTurn(result="Z"),
    ]
    assert [float(one.points) for one in found.players] == [2, 1.5, 1, 1.5, 2]


def test_players_who_come_go_and_change():
    """A new one has a line at the end, one who was removed has none, and an edit changes its field alone."""
    document = small()
    came = record(document)
    first = came.entries[0]
    changed = replace(
        first, birth="1964/01/01", player=replace(first.player, name="Rossi, Maria", rating=2801)
    )
    new = RecordPlayer(6, Competitor("6", 1400, "Galli, Ida", seed=6))
    found = again(document, replace(came, entries=(changed, *came.entries[1:], new)))
    old = document.players[0]
    assert found.players[0] == replace(old, name="Rossi, Maria", rating=2801, birth="1964/01/01")
    assert found.players[1:5] == document.players[1:]
    assert (found.players[5].number, found.players[5].name, found.players[5].turns) == (
        6,
        "Galli, Ida",
        (TrfTurn(), TrfTurn()),
    )
    assert (found.text("062"), found.text("072")) == ("6", "5")


def test_who_was_removed_is_named_nowhere():
    """Teams, forbidden pairs and byes asked for lose their number; lines that then say nothing are gone."""
    new = TrfPlayer(6, "Galli, Ida", points=Fraction(0))
    asked = (
        OtherLine("240", "H 003    1    6"),
        OtherLine("240", "F 003    6"),
        OtherLine("260", "001 003    1    2    6"),
    )
    team = OtherLine("013", f"{'Team 6':<32}    3    6")
    pairs = (OtherLine("XXP", "1 6"), OtherLine("XXP", "1 2 6"), OtherLine("XXZ", "6"))
    document = replace(small(), players=(*small().players, new), after=(*small().after, team, *asked, *pairs))
    came = record(document)
    found = again(document, replace(came, entries=came.entries[:-1]))
    assert found.after == (
        *small().after,
        OtherLine("013", f"{'Team 6':<32}    3"),
        OtherLine("240", "H 003    1"),
        OtherLine("260", "001 003    1    2"),
        OtherLine("XXP", "1 2"),
    )
    assert [one for one in check_document(found) if not one.note] == []


def test_facts_of_the_tournament():
    """A line that the file has is changed in its place, one that it has not is added before the players."""
    document = small()
    came = record(document)
    heading = replace(came.heading, city="Elsewhere", planned_rounds=5)
    found = again(document, replace(came, heading=heading))
    assert [one.code for one in found.before] == [one.code for one in document.before]
    assert (found.text("022"), found.text("XXR")) == ("Elsewhere", "5")
    bare = replace(document, before=(OtherLine("012", "Open"),))
    came = record(bare)
    found = again(bare, replace(came, heading=replace(came.heading, city="Elsewhere")))
    assert found.before == (OtherLine("012", "Open"), OtherLine("022", "Elsewhere"))
