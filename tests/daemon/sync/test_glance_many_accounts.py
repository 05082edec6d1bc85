"""Quiet accounts cost little: one lichess request for hundreds of them, one of chess.com's each."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from daemon.archive.archive import Archive
from daemon.archive.schedule import accounts, gates
from daemon.config.configured import ConfiguredAccount
from daemon.sync.pacing import DAY, HOUR, RoundEnd
from tests.daemon.shown import Worker
from tests.daemon.sync_rig import EVERY, Bench
from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Emulator

OCTOBER = datetime(2026, 10, 5, 18, tzinfo=UTC)
HANDLES = [f"player{number}" for number in range(8)]


@pytest.fixture
def bench(archive: Archive) -> Iterator[Bench]:
    """Eight accounts on each site, all downloaded once, a day ago."""
    with Emulator(seed=3) as sites:
        for site in ("lichess", "chesscom"):
            for handle in HANDLES:
                sites.world.add_player(site, handle)
                sites.world.add_game(site, handle, "Verdi_G", at=OCTOBER)
        bench = Bench(archive, sites)
        for site in ("lichess", "chesscom"):
            for handle in HANDLES:
                bench.run(f"{site}:{handle}")
        bench.now += DAY
        sites.clear_log()
        yield bench


def test_quiet_accounts_cost_one_request_together(bench: Bench) -> None:
    """Eight accounts with nothing new: one request, all noted as done, each due again after its interval."""
    sight = bench.look()

    assert len(sight.quiet) == len(HANDLES)
    assert [(one.method, one.path) for one in bench.sites.requests] == [("POST", "/api/users")]
    for handle in HANDLES:
        account = bench.account(f"lichess:{handle}")
        assert account.last_success == bench.now * 1000
        assert EVERY <= account.due_at / 1000 - bench.now <= 1.1 * EVERY


def test_accounts_that_are_nearly_due_go_with_one_that_is(bench: Bench) -> None:
    """One tick, one request about all, though only the first is due; on chess.com, which has no such request, only that one."""
    dues = {
        bench.account(f"{site}:{handle}").id: int((bench.now + number * EVERY / 80) * 1000)
        for site in (LICHESS, CHESSCOM)
        for number, handle in enumerate(HANDLES)
    }
    with bench.archive.writing() as connection:
        for number, due_at in dues.items():
            accounts.postpone(connection, number, due_at)

    with Worker(bench, LICHESS) as lichess, Worker(bench, CHESSCOM) as chesscom:
        lichess.tick()
        chesscom.tick()

    asked = {
        site: [h for h in HANDLES if bench.account(f"{site}:{h}").last_success == bench.now * 1000]
        for site in (LICHESS, CHESSCOM)
    }
    assert asked == {LICHESS: HANDLES, CHESSCOM: HANDLES[:1]}
    assert [one.path for one in bench.sites.requests if one.method == "POST"] == ["/api/users"]


def test_who_has_played_is_asked(bench: Bench) -> None:
    """An account whose owner was seen since is not quiet; their opponent, who is not tracked, changes nothing."""
    bench.sites.world.add_game(
        "lichess", "player3", "Verdi_G", at=datetime.fromtimestamp(bench.now - HOUR, UTC)
    )

    sight = bench.look()

    assert bench.account("lichess:player3").id not in sight.quiet
    assert len(sight.quiet) == len(HANDLES) - 1
    assert bench.run("lichess:player3").counts.new == 1


def test_a_first_download_costs_one_request_an_account(bench: Bench) -> None:
    """Who they are, and how many games they have, is told of all at once; then each is asked for its games."""
    for number in range(3):
        bench.sites.world.add_game("lichess", f"new{number}", "Verdi_G", at=OCTOBER)
    rows = [bench.account(f"lichess:New{number}") for number in range(3)]

    sight = bench.look()
    reports = [bench.run(row.key, glance=sight.glances[row.id]) for row in rows]

    assert [report.counts.new for report in reports] == [1, 1, 1]
    asked = [(one.method, one.path) for one in bench.sites.requests]
    assert asked == [
        ("POST", "/api/users"),
        *(("GET", f"/api/games/user/new{number}") for number in range(3)),
    ]
    account = bench.account("lichess:new1")
    assert (account.state, account.display, account.games_counted) == ("active", "new1", 1)


def test_counts_are_kept_with_every_glance(bench: Bench) -> None:
    """A rated game moves the count, though its player was not seen: neither clock nor `seenAt` is needed for it."""
    seen = int(OCTOBER.timestamp() * 1000)
    bench.sites.world.change_player("lichess", "player2", seen=seen)
    assert bench.account("lichess:player2").id in bench.look().quiet
    assert bench.account("lichess:player2").games_counted == 1

    bench.sites.world.add_game("lichess", "player2", "Verdi_G", at=OCTOBER)

    assert bench.account("lichess:player2").id not in bench.look().quiet


@pytest.mark.parametrize("hours", [-2, 2])
def test_a_clock_of_ours_that_is_wrong_hides_no_game(bench: Bench, hours: int) -> None:
    """Two hours fast, or slow: a casual game right after a round is asked for, and quiet is quiet."""
    right = bench.now
    bench.sites.clock = lambda: right
    bench.now += hours * HOUR
    bench.run("lichess:player4")
    assert bench.account("lichess:player4").id in bench.look().quiet

    bench.sites.world.add_game(
        "lichess", "player4", "Verdi_G", at=datetime.fromtimestamp(right + 60, UTC), rated=False
    )

    assert bench.account("lichess:player4").id not in bench.look().quiet


def test_a_game_still_being_played_is_never_quiet(bench: Bench) -> None:
    """An account with an open correspondence game is asked whatever the glance says."""
    slow = bench.sites.world.add_game(
        "lichess", "player5", "Verdi_G", at=OCTOBER, time_control="1/86400", status="started", played=4
    )
    bench.run("lichess:player5", full=True)
    bench.now += DAY

    assert bench.account("lichess:player5").id not in bench.look().quiet

    bench.sites.world.finish_game(slow)
    assert bench.run("lichess:player5").counts.new == 1


def test_every_account_is_asked_once_a_week(bench: Bench) -> None:
    """A week after its last whole round an account is asked itself."""
    bench.now += 6 * DAY

    assert not bench.look().quiet


def test_a_glance_that_is_refused_closes_the_site(bench: Bench) -> None:
    """A 429 for the glance is a 429 for the site: nobody is asked until its time."""
    bench.sites.fault("lichess", "/api/users", kind="rate_limit")

    sight = bench.look()

    assert sight.refused is not None
    assert sight.refused.outcome is RoundEnd.RATE_LIMITED
    with bench.archive.reading() as connection:
        assert gates.gate(connection, "lichess").not_before >= (bench.now + 60) * 1000


def test_a_glance_that_makes_no_sense_leaves_everybody_to_his_round(bench: Bench) -> None:
    """Where the list cannot be had, the accounts are asked as ever."""
    bench.sites.fault("lichess", "/api/users", kind="status", code=200, body=b"{}")

    sight = bench.look()

    assert (sight.quiet, sight.refused) == ({}, None)


def test_an_account_that_vanished_is_left_to_its_round(bench: Bench) -> None:
    """A closed account is not quiet: its round finds out what happened."""
    bench.sites.world.close_account("lichess", "player1")

    assert bench.account("lichess:player1").id not in bench.look().quiet
    assert bench.run("lichess:player1").outcome is RoundEnd.CLOSED


def test_a_quiet_account_on_chesscom_costs_one_conditional_request(bench: Bench) -> None:
    """The current month with the validators that the site gave; neither list nor cursor is touched before a day is over."""
    bench.now += 4 * DAY
    bench.run("chesscom:player2")
    before = bench.account("chesscom:player2").cursor_text
    bench.now += HOUR
    asked = len(bench.sites.requests)

    report = bench.run("chesscom:player2")

    assert report.outcome is RoundEnd.DONE
    requests = bench.sites.requests[asked:]
    assert [(one.path.rpartition("games/")[2], one.status) for one in requests] == [("2026/12", 304)]
    assert bench.account("chesscom:player2").cursor_text == before


def test_three_hundred_accounts_are_one_request_and_one_more_is_two(bench: Bench) -> None:
    """The site takes 300 ids at once."""
    names = [f"quiet{number}" for number in range(301)]
    for name in names:
        bench.sites.world.add_player("lichess", name, joined=int(OCTOBER.timestamp() * 1000))
    bench.configure(*(ConfiguredAccount("lichess", name, name, mine=False, every=EVERY) for name in names))
    with bench.archive.writing() as connection:
        for row in accounts.all_accounts(connection):
            accounts.record_success(connection, row.id, int(bench.now * 1000), 0)
            accounts.record_asked(connection, row.id, int((bench.now - HOUR) * 1000), None)

    sight = bench.look()

    assert len(sight.quiet) == 301 + len(HANDLES)
    assert len(bench.sites.requests) == 2
