"""Accounts, sites, rounds and quarantine as they are shown."""

import os
from collections.abc import Callable

import pytest
from sqlalchemy import Connection

from daemon.archive.archive import Archive
from daemon.archive.games import quarantine as games_quarantine
from daemon.archive.games.quarantine import QuarantineItem
from daemon.archive.reading import quarantine, shapes
from daemon.archive.reading.accounts import list_accounts, list_sites
from daemon.archive.reading.rounds import list_rounds
from daemon.archive.reading.status import status
from daemon.archive.reading.totals import database_bytes, last_import
from daemon.archive.schedule import accounts, gates
from daemon.archive.schedule.rounds import begin_round, end_round
from tests.daemon.seeding import NOW, downloaded, fill, follow, game_between, online

HOUR = 3_600_000


def account(archive: Archive, now_ms: int = NOW) -> shapes.Account:
    with archive.reading() as connection:
        [found] = list_accounts(connection, now_ms=now_ms)
    return found


def site(archive: Archive, now_ms: int = NOW) -> shapes.Site:
    with archive.reading() as connection:
        [found] = list_sites(connection, now_ms=now_ms)
    return found


@pytest.fixture(name="mrossi90")
def _mrossi90(archive: Archive) -> int:
    return follow(archive, ["lichess:MRossi90"])["lichess:mrossi90"]


def test_a_new_account(archive: Archive, mrossi90: int) -> None:
    """An account that was never asked says so, and is part of the backlog."""
    assert account(archive) == {
        "account": "lichess:mrossi90",
        "site": "lichess",
        "kind": "account",
        "name": "MRossi90",
        "state": "new",
        "since": None,
        "until": None,
        "mine": True,
        "configured": True,
        "dossiers": [],
        "every": 3600,
        "games": 0,
        "last_success": None,
        "last_attempt": None,
        "next_due": None,
        "failures": 0,
        "error": None,
    }
    assert site(archive)["backlog"] == 1


def test_failures_do_not_hide_the_last_success(archive: Archive, mrossi90: int) -> None:
    """After failures, the last success, the last attempt and the error are all told."""
    with archive.writing() as connection:
        accounts.record_attempt(connection, mrossi90, NOW)
        accounts.record_success(connection, mrossi90, NOW, NOW + HOUR)
        for hour in (1, 2, 3):
            accounts.record_attempt(connection, mrossi90, NOW + hour * HOUR)
            accounts.record_failure(connection, mrossi90, NOW + hour * HOUR, NOW + 9 * HOUR, "no answer")
    found = account(archive)
    assert (found["last_success"], found["last_attempt"]) == ("2024-05-12T10:00:00Z", "2024-05-12T13:00:00Z")
    assert (found["failures"], found["error"], found["next_due"]) == (3, "no answer", "2024-05-12T19:00:00Z")
    assert site(archive)["last_success"] == "2024-05-12T10:00:00Z"


def test_a_rate_limit_shows_until_it_is_over(archive: Archive, mrossi90: int) -> None:
    """While a site's wait lasts its accounts are rate limited until then; afterwards they are what they were."""
    with archive.writing() as connection:
        accounts.set_state(connection, mrossi90, "active", NOW - HOUR)
        gates.close_gate(connection, "lichess", "rate_limited", NOW + HOUR, "429", NOW)
    found = account(archive)
    assert (found["state"], found["until"]) == ("rate_limited", "2024-05-12T11:00:00Z")
    assert (found["next_due"], found["error"]) == ("2024-05-12T11:00:00Z", "429")
    assert (site(archive)["state"], site(archive)["until"]) == ("rate_limited", "2024-05-12T11:00:00Z")
    later = account(archive, NOW + HOUR)
    assert (later["state"], later["until"], later["error"]) == ("active", None, None)
    assert site(archive, NOW + HOUR)["state"] == "ok"


@pytest.mark.parametrize("state", ["blocked", "down"])
def test_a_site_holds_up_its_accounts(archive: Archive, mrossi90: int, state: str) -> None:
    """A site that refuses us, or is down, shows in its accounts, since when and why."""
    with archive.writing() as connection:
        gates.close_gate(connection, "lichess", state, 0, "the reason", NOW)
    found = account(archive, NOW + HOUR)
    assert (found["state"], found["since"], found["error"]) == (state, "2024-05-12T10:00:00Z", "the reason")


def test_a_closed_account_stays_closed(archive: Archive, mrossi90: int) -> None:
    """What a site says of one account is not covered up by its own state."""
    with archive.writing() as connection:
        accounts.set_state(connection, mrossi90, "closed", NOW)
        gates.close_gate(connection, "lichess", "down", 0, "502", NOW)
    assert account(archive)["state"] == "closed"


def test_what_left_the_configuration(archive: Archive, mrossi90: int) -> None:
    """An account that is no longer configured keeps its history, but is never due."""
    follow(archive, [])
    found = account(archive)
    assert (found["configured"], found["next_due"]) == (False, None)
    with archive.reading() as connection:
        assert list_sites(connection, now_ms=NOW) == []


def test_totals(archive: Archive, mrossi90: int) -> None:
    """The status counts what the archive holds, and the games that each account led to."""
    downloaded(archive, mrossi90, [online("mrossi90", "a", "abcdefgh"), online("b", "mrossi90", "abcdefgi")])
    fill(archive, [game_between("mrossi90", "a")])
    with archive.reading() as connection:
        found = status(connection, version="1", running=None, now_ms=NOW)
    assert found["archive"] == {"games": 2, "players": 3, "tellings": 3, "files": 1, "quarantine": 0}
    assert found["accounts"][0]["games"] == 2


def test_rounds(archive: Archive, mrossi90: int) -> None:
    """Rounds are told newest first, page by page, with their outcome; one that runs has none."""
    with archive.writing() as connection:
        first = begin_round(connection, "sync", "lichess:mrossi90", mrossi90, NOW)
        end_round(connection, first, "done", None, NOW + 1000)
        begin_round(connection, "import", "/pgn", None, NOW + 2000)
    with archive.reading() as connection:
        page = list_rounds(connection, limit=1)
        rest = list_rounds(connection, limit=1, cursor=page["next"])
        assert last_import(connection) is None  # it runs
    [newest], [oldest] = page["items"], rest["items"]
    assert (newest["kind"], newest["source"], newest["outcome"], newest["ended_at"]) == (
        "import",
        "/pgn",
        None,
        None,
    )
    assert (oldest["account"], oldest["outcome"], oldest["ended_at"]) == (
        "lichess:mrossi90",
        "done",
        "2024-05-12T10:00:01Z",
    )
    assert rest["next"] is None


def test_quarantine(archive: Archive, mrossi90: int) -> None:
    """A game in quarantine is told with source, place and reason, and given as it came."""
    item = QuarantineItem(
        source="lichess:mrossi90",
        raw=b"\x00\xff1. e5",
        reason="illegal move e5",
        position=5,
        account_id=mrossi90,
        site="lichess",
        native_id="abcdefgh",
    )
    with archive.writing() as connection:
        games_quarantine.put(connection, [item], NOW)
        games_quarantine.put(connection, [item], NOW + HOUR)
    with archive.reading() as connection:
        [found] = quarantine.list_quarantined(connection, limit=5)["items"]
        assert quarantine.raw(connection, found["id"]) == item.raw
        assert quarantine.quarantined(connection, found["id"]) == found
        assert quarantine.raw(connection, 99) is quarantine.quarantined(connection, 99) is None
    assert found == {
        "id": found["id"],
        "source": "lichess:mrossi90",
        "account": "lichess:mrossi90",
        "file": None,
        "site": "lichess",
        "native_id": "abcdefgh",
        "url": None,
        "place": None,
        "position": 5,
        "line": 1,
        "column": 6,
        "mended": False,
        "left_at": None,
        "reason": "illegal move e5",
        "size": 7,
        "first_seen": "2024-05-12T10:00:00Z",
        "last_seen": "2024-05-12T11:00:00Z",
        "seen": 2,
    }


def test_a_reader_never_waits_for_a_writer(archive: Archive) -> None:
    """While a transaction writes, readers see the archive as it was, without an error."""
    fill(archive, [game_between("Rossi, Mario", "a")])

    def games(connection: Connection) -> int:
        return status(connection, version="1", running=None, now_ms=NOW)["archive"]["games"]

    def during(read: Callable[[Connection], int]) -> int:
        with archive.reading() as connection:
            return read(connection)

    with archive.writing() as connection:
        connection.exec_driver_sql("UPDATE games SET result = '*'")
        assert [during(games) for _ in range(20)] == [1] * 20


def test_the_size_of_the_database(archive: Archive) -> None:
    """The size is that of the whole database, and grows with it."""
    with archive.reading() as connection:
        before = database_bytes(connection)
    fill(archive, [game_between(f"Player {n}", "a", raw=os.urandom(20_000)) for n in range(20)])
    with archive.reading() as connection:
        assert 400_000 <= database_bytes(connection) - before < 4_000_000
