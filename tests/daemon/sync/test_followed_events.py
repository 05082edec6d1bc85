"""Events that are followed: through rounds into the archive, and through the configuration of a real daemon."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from core.players import Profile
from daemon.archive.archive import Archive
from daemon.archive.reading.doubles import list_doubles
from daemon.archive.reading.games import find_games
from daemon.archive.reading.search.filters import GameFilters
from daemon.archive.schedule import gates
from daemon.edits.doubles import look
from daemon.sync.pacing import DAY, RoundEnd
from tests.daemon.installation import Installation
from tests.daemon.sync_rig import NOW, Bench
from tests.fetchers.site_emulator.emulator import Emulator
from tests.fetchers.site_emulator.events import Person

START = datetime.fromtimestamp(NOW, UTC) - timedelta(hours=2)
ROSSI = Person(name="Rossi, Mario", fide_id=999_000_017, rating=2401, title="IM")
BIANCHI = Person(name="Bianchi, Laura", fide_id=999_000_025, rating=2398, title="WGM")


@pytest.fixture
def sites() -> Iterator[Emulator]:
    """A broadcast with one round that is being played: a board and an empty one."""
    with Emulator(seed=5) as sites:
        events = sites.world.events
        events.add_broadcast("Torneo di Pasqua 2024", id="Broadca1", town="Bergamo")
        events.add_round("Broadca1", id="Round001", starts=START, state="ongoing")
        events.add_board("Round001", ROSSI, BIANCHI, id="Board001", plies=40, played=22, round="1.1")
        events.add_board("Round001", id="Board002", plies=10, played=0)
        yield sites


@pytest.fixture
def bench(archive: Archive, sites: Emulator) -> Bench:
    """A bench with the broadcast."""
    return Bench(archive, sites)


def _games(bench: Bench) -> list[Any]:
    with bench.archive.reading() as connection:
        return list(find_games(connection, GameFilters(), Profile(), limit=50)["items"])


def test_a_broadcast_brings_real_names_and_ids(bench: Bench) -> None:
    """Over-the-board games come with names, FIDE ids, titles; the empty board is left out."""
    report = bench.run("lichess:broadcast/Broadca1")

    (game,) = _games(bench)
    assert (report.outcome, report.counts.new, report.counts.left_out) == (RoundEnd.DONE, 1, 1)
    assert (game["white"]["name"], game["white"]["fide_id"]) == ("Rossi, Mario", "999000017")
    assert game["white"]["verbatim"] is False
    assert game["tellings"][0]["accounts"] == ["lichess:broadcast/Broadca1"]


def test_a_board_that_goes_on_and_is_corrected_is_updated_in_place(bench: Bench, sites: Emulator) -> None:
    """More moves, a result, a corrected name: still one game with one telling (sites trap 57)."""
    bench.run("lichess:broadcast/Broadca1")
    board = sites.world.events.round("Round001").boards[0]
    sites.world.events.change_board("Round001", board, played=40, result="1-0")
    bench.now += 3600
    bench.run("lichess:broadcast/Broadca1")
    sites.world.events.change_board("Round001", board, white=Person(name="Rossi, Marco", fide_id=999_000_033))
    bench.now += 3600

    report = bench.run("lichess:broadcast/Broadca1")

    (game,) = _games(bench)
    assert report.counts.refreshed == 1
    assert (game["white"]["name"], game["result"], game["ply_count"]) == ("Rossi, Marco", "1-0", 40)
    assert len(game["tellings"]) == 1


def test_an_event_that_is_over_is_asked_seldom(bench: Bench, sites: Emulator) -> None:
    """After the end of a broadcast its next time lies further away than its interval."""
    sites.world.events.finish_round("Round001", datetime.fromtimestamp(NOW, UTC) - timedelta(days=20))
    bench.run("lichess:broadcast/Broadca1")

    report = bench.run("lichess:broadcast/Broadca1")

    assert report.due_at > NOW + DAY


def _doubles(bench: Bench) -> list[tuple[str, int, int]]:
    look(bench.archive)
    with bench.archive.reading() as connection:
        found = list_doubles(connection, limit=50)["items"]
    return [(one["kind"], one["game"]["id"], one["other"]["id"]) for one in found]


def _withdrawn(bench: Bench) -> list[int]:
    return [game["id"] for game in _games(bench) if game["tellings"][0]["left_at"] is not None]


def test_a_round_that_is_set_up_again(bench: Bench, sites: Emulator) -> None:
    """Its old boards stay, as withdrawn, and are offered as doubles of the new ones: each of a mini-match with both."""
    events = sites.world.events
    second = events.add_board("Round001", ROSSI, BIANCHI, plies=40, played=7, round="1.1")
    bench.run("lichess:broadcast/Broadca1")
    assert (_withdrawn(bench), _doubles(bench)) == ([], [])

    events.reset_round("Round001")
    for board, result in zip(
        (one for one in events.round("Round001").boards if one.white), ("1-0", "0-1"), strict=True
    ):
        events.change_board("Round001", board, played=40, result=result)
    bench.now += 3600
    report = bench.run("lichess:broadcast/Broadca1")

    assert second.id not in {board.id for board in events.round("Round001").boards}
    assert (report.outcome, report.counts.new) == (RoundEnd.DONE, 2)
    assert sorted(_withdrawn(bench)) == [1, 2]
    assert sorted(_doubles(bench)) == [("replaced", old, new) for old in (1, 2) for new in (3, 4)]
    (reason,) = {one["reason"] for one in _listed(bench)}
    assert reason == "One was a board of this round, which has another board of the same players now."


def _listed(bench: Bench) -> list[Any]:
    with bench.archive.reading() as connection:
        return list(list_doubles(connection, limit=50)["items"])


def test_a_withdrawn_board_that_comes_back(bench: Bench, sites: Emulator) -> None:
    """What was missing for a while is told again: the note goes, and the pair with it."""
    events = sites.world.events
    bench.run("lichess:broadcast/Broadca1")
    before = events.round("Round001").boards
    events.change_round("Round001", boards=())
    events.add_board("Round001", ROSSI, BIANCHI, plies=12, result="1-0")
    bench.now += 3600
    bench.run("lichess:broadcast/Broadca1")
    assert (_withdrawn(bench), len(_doubles(bench))) == ([1], 1)

    events.change_round("Round001", boards=before)
    bench.now += 3600
    bench.run("lichess:broadcast/Broadca1")

    assert (_withdrawn(bench), len(_doubles(bench))) == ([2], 1)


def test_a_deleted_chapter_is_withdrawn(bench: Bench, sites: Emulator) -> None:
    """A study that was read whole no longer has it; a game that a file tells, too, is nobody's double."""
    events = sites.world.events
    events.add_study(id="Study001")
    gone = events.add_board("Study001", ROSSI, BIANCHI, plies=9, result="1-0")
    events.add_board("Study001", ROSSI, BIANCHI, plies=12, result="1-0")
    bench.run("lichess:study/Study001")
    events.remove_board("Study001", gone)
    bench.now += 3600

    bench.run("lichess:study/Study001")

    assert _withdrawn(bench) == [1]
    assert _doubles(bench) == [("replaced", 1, 2)]


def test_a_429_of_broadcasts_holds_broadcasts_alone(bench: Bench, sites: Emulator) -> None:
    """The other broadcasts wait with it, and say why; accounts and studies of the site go on."""
    sites.world.add_player("lichess", "mrossi90")
    sites.world.events.add_study(id="Study001")
    sites.world.events.add_broadcast(id="Broadca2")
    bench.account("lichess:broadcast/Broadca2")
    sites.world.events.anonymous_broadcasts = 0

    report = bench.run("lichess:broadcast/Broadca1")

    assert (report.outcome, report.closes_site) == (RoundEnd.RATE_LIMITED, False)
    other = bench.account("lichess:broadcast/Broadca2")
    assert other.due_at / 1000 == report.due_at == bench.now + 60
    assert "a token with the scope study:read" in (other.error or "")
    with bench.archive.reading() as connection:
        assert gates.gate(connection, "lichess").state == "ok"
        assert gates.gate(connection, "lichess/broadcast").state == "rate_limited"
    assert bench.run("lichess:mrossi90").outcome is RoundEnd.DONE
    assert bench.run("lichess:study/Study001").outcome is RoundEnd.DONE
    bench.now += 60
    assert bench.run("lichess:broadcast/Broadca1").due_at == bench.now + 120, "waits grow"
    assert sites.violations == []


def test_a_refusal_is_not_an_absence(bench: Bench, sites: Emulator) -> None:
    """A study that has become private is told as refused; nothing of it is withdrawn, and it waits longer each time."""
    sites.world.events.add_study(id="Study001")
    sites.world.events.add_board("Study001", ROSSI, BIANCHI, plies=9, result="1-0")
    bench.run("lichess:study/Study001")
    sites.world.events.change_study("Study001", private=True)
    bench.now += 3600

    first = bench.run("lichess:study/Study001")
    bench.now += 3600
    second = bench.run("lichess:study/Study001")

    assert first.outcome is RoundEnd.REFUSED
    assert "a token with the scope study:read" in (first.error or "")
    assert (first.due_at - bench.now + 3600, second.due_at - bench.now) == (3600, 7200)
    assert bench.account("lichess:study/Study001").state == "active"
    assert _withdrawn(bench) == []


def test_an_event_that_does_not_exist_is_said_so(bench: Bench) -> None:
    """A mistyped id is reported, and asked for seldom."""
    report = bench.run("lichess:study/Nowhere1")

    assert report.outcome is RoundEnd.NOT_FOUND
    assert report.error == "lichess shows no study Nowhere1"
    assert bench.account("lichess:study/Nowhere1").state == "not_found"


def test_the_configuration_names_events(tmp_path: Path, sites: Emulator) -> None:
    """A [[broadcast]] block is followed by `sync`, shown by `status`, and its games are found by its key."""
    place = Installation(tmp_path, sites)
    address = "https://lichess.org/broadcast/torneo-di-pasqua-2024/Broadca1"
    place.configure(extra=f'[[broadcast]]\nid = "{address}"\nevery = "15m"\n')

    (report,) = place.json("sync")["items"]
    (event,) = place.json("status")["events"]
    found = place.json("games", "--account", "lichess:broadcast/Broadca1")["items"]

    assert (report["account"], report["new"]) == ("lichess:broadcast/Broadca1", 1)
    assert (event["kind"], event["state"], event["games"], event["every"]) == ("broadcast", "active", 1, 900)
    assert len(found) == 1
