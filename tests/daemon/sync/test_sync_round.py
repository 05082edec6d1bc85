"""Rounds against the emulated sites, over real HTTP, into real archives."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.pgn.movetext import Fault
from daemon.archive.archive import Archive
from daemon.archive.reading.totals import totals
from daemon.archive.schedule import gates
from daemon.sync.batch import Progress
from daemon.sync.pacing import DAY, HOUR, MINUTE, RoundEnd
from tests.daemon.sync_rig import NOW, Bench
from tests.fetchers.site_emulator.emulator import Emulator


@pytest.fixture
def bench(archive: Archive) -> Iterator[Bench]:
    """A bench with two players on each site and twelve games between them."""
    with Emulator(seed=7) as sites:
        bench = Bench(archive, sites)
        for site in ("lichess", "chesscom"):
            for handle in ("mrossi90", "BianchiL"):
                sites.world.add_player(site, handle)
            for day in range(12):
                sites.world.add_game(
                    site, "mrossi90", "BianchiL", at=datetime(2026, 10, 20 - day, 18, tzinfo=UTC)
                )
        yield bench


@pytest.mark.parametrize("site", ["lichess", "chesscom"])
def test_a_round_brings_every_game_once(bench: Bench, site: str) -> None:
    """A first round takes in all games, a second one none, and no rule of the site is broken."""
    first, second = bench.run(f"{site}:mrossi90"), bench.run(f"{site}:mrossi90")

    assert (first.outcome, first.counts.new) == (RoundEnd.DONE, 12)
    assert (second.outcome, second.counts.new) == (RoundEnd.DONE, 0)
    assert bench.games() == 12
    assert not bench.sites.violations


@pytest.mark.parametrize("site", ["lichess", "chesscom"])
def test_two_tracked_players_in_one_game_are_one_game_with_two_accounts(bench: Bench, site: str) -> None:
    """The opponent's account tells the same downloads: no new games, no new tellings."""
    bench.run(f"{site}:mrossi90")

    report = bench.run(f"{site}:BianchiL")

    assert (report.counts.new, report.counts.added, report.counts.unchanged) == (0, 0, 12)
    with bench.archive.reading() as connection:
        assert totals(connection)["tellings"] == 12


def test_a_done_account_is_due_after_its_interval(bench: Bench) -> None:
    """Success sets the state, clears the error, and puts the account off by its interval."""
    bench.run("lichess:mrossi90")

    account = bench.account("lichess:mrossi90")

    assert (account.state, account.failures, account.error) == ("active", 0, None)
    assert 1800 * 1000 <= account.due_at - NOW * 1000 <= 1980 * 1000
    assert account.last_success == NOW * 1000


@pytest.mark.parametrize("kind", ["cut", "reset", "gzip_cut", "short_length"])
@pytest.mark.parametrize("site", ["lichess", "chesscom"])
def test_a_broken_answer_loses_nothing(bench: Bench, site: str, kind: str) -> None:
    """After an answer that broke off the next round completes the set, with no game twice."""
    key = f"{site}:mrossi90"
    bench.sites.fault(site, account="mrossi90", kind=kind, times=None, skip=site == "chesscom")  # type: ignore[arg-type]
    broken = bench.run(key)
    bench.sites.clear_faults()
    bench.now += HOUR

    mended = bench.run(key)

    assert broken.outcome is RoundEnd.INCOMPLETE
    assert mended.outcome is RoundEnd.DONE
    assert bench.games() == 12


def test_a_429_closes_the_whole_site_and_only_it(bench: Bench) -> None:
    """After a 429 nobody of that site is asked for at least a minute; the account is not blamed."""
    bench.sites.fault("lichess", kind="rate_limit", times=None)

    report = bench.run("lichess:mrossi90")

    with bench.archive.reading() as connection:
        gate = gates.gate(connection, "lichess")
        other = gates.gate(connection, "chesscom")
    assert report.outcome is RoundEnd.RATE_LIMITED
    assert (gate.state, gate.failures) == ("rate_limited", 1)
    assert gate.not_before >= (NOW + 60) * 1000
    assert other.state == "ok"
    assert bench.account("lichess:mrossi90").failures == 0


@pytest.mark.parametrize(
    ("retry_after", "body", "seconds"),
    [
        ("300", b"", 300),
        (None, b'{"error":"Too many requests","ratelimit":{"key":"api","seconds":86398}}', 86398),
        ("315360000", b"", DAY),
        ("soon", b"", MINUTE),
    ],
)
def test_the_site_says_how_long_to_wait(
    bench: Bench, retry_after: str | None, body: bytes, seconds: float
) -> None:
    """Retry-After and lichess's own body are kept to, ten years are a day, nonsense is a minute."""
    bench.sites.fault("lichess", kind="rate_limit", retry_after=retry_after, body=body, times=None)

    report = bench.run("lichess:mrossi90")

    assert report.due_at == pytest.approx(NOW + seconds, abs=2)


def test_a_site_that_is_down_opens_again_by_itself(bench: Bench) -> None:
    """5xx closes the site for a while; the first good answer opens it."""
    bench.sites.fault("chesscom", kind="status", code=503, times=None)
    assert bench.run("chesscom:mrossi90").outcome is RoundEnd.DOWN
    bench.sites.clear_faults()

    assert bench.run("chesscom:mrossi90").outcome is RoundEnd.DONE

    with bench.archive.reading() as connection:
        gate = gates.gate(connection, "chesscom")
    assert (gate.state, gate.failures, gate.not_before) == ("ok", 0, 0)


def test_a_site_under_maintenance_says_how_long(bench: Bench) -> None:
    """A 503 with Retry-After is waited out as told."""
    bench.sites.fault("lichess", kind="status", code=503, headers={"Retry-After": "1200"}, times=None)

    report = bench.run("lichess:mrossi90")

    assert report.outcome is RoundEnd.DOWN
    assert report.due_at == pytest.approx(NOW + 1200, abs=2)


def test_an_html_404_is_the_site_refusing_us_not_a_missing_account(bench: Bench) -> None:
    """From lichess comes a 404 with a page to programs that it does not like."""
    bench.sites.fault("lichess", kind="html", code=404, times=None)

    assert bench.run("lichess:mrossi90").outcome is RoundEnd.BLOCKED
    assert bench.account("lichess:mrossi90").state == "new"


def test_a_403_for_everything_marks_the_site_not_the_account(bench: Bench) -> None:
    """When chess.com refuses our User-Agent no account counts as gone."""
    bench.run("chesscom:mrossi90")
    bench.sites.fault("chesscom", kind="html", code=403, times=None)

    assert bench.run("chesscom:mrossi90").outcome is RoundEnd.BLOCKED
    assert bench.account("chesscom:mrossi90").state == "active"


@pytest.mark.parametrize("site", ["lichess", "chesscom"])
def test_an_account_that_never_existed_is_said_so_at_once(bench: Bench, site: str) -> None:
    """A mistyped handle is reported after its first round, and asked for seldom."""
    report = bench.run(f"{site}:nobody-here")

    account = bench.account(f"{site}:nobody-here")
    assert report.outcome is RoundEnd.NOT_FOUND
    assert report.error == f"{site} knows no account nobody-here"
    assert (account.state, account.failures) == ("not_found", 1)
    assert report.due_at == NOW + HOUR


def test_one_404_never_closes_an_account(bench: Bench) -> None:
    """A 404 while the profile exists is a hiccup: nothing changes but the next time."""
    bench.run("lichess:mrossi90")
    not_found = b'{"error":"Not found"}'
    json = {"Content-Type": "application/json"}
    bench.sites.fault("lichess", "/api/games", kind="status", code=404, body=not_found, headers=json)

    report = bench.run("lichess:mrossi90")

    assert report.outcome is RoundEnd.INCOMPLETE
    assert bench.account("lichess:mrossi90").state == "active"
    assert bench.run("lichess:mrossi90").outcome is RoundEnd.DONE


def test_a_closed_account_keeps_its_games(bench: Bench) -> None:
    """On lichess there is a closed account's profile, marked disabled: the state says so, the games stay."""
    bench.run("lichess:mrossi90")
    bench.sites.world.close_account("lichess", "mrossi90")

    report = bench.run("lichess:mrossi90")

    assert report.outcome is RoundEnd.CLOSED
    assert bench.account("lichess:mrossi90").state == "closed"
    assert bench.games() == 12
    assert report.due_at == NOW + DAY


def test_an_account_that_answered_once_is_gone_only_after_a_look_a_day_later(bench: Bench) -> None:
    """404 from everywhere, an hour later again, a day later again: only then the state changes."""
    bench.run("chesscom:mrossi90")
    bench.sites.world.rename("chesscom", "mrossi90", "rossi-mario")

    states = []
    for wait in (0, HOUR, DAY):
        bench.now += wait
        assert bench.run("chesscom:mrossi90").outcome is RoundEnd.NOT_FOUND
        states.append(bench.account("chesscom:mrossi90").state)

    assert states == ["active", "active", "not_found"]
    assert bench.games() == 12


def test_a_stopped_round_keeps_what_it_has(bench: Bench) -> None:
    """Stopping ends a round after the game it is at; the account is due at once, and the rest comes then."""
    for day in range(300):
        bench.sites.world.add_game(
            "lichess", "mrossi90", "BianchiL", at=datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=day)
        )

    def stop_soon(progress: Progress) -> None:
        if progress.seen:
            bench.stop.set()

    report = bench.run("lichess:mrossi90", watch=stop_soon)
    stored = bench.games()
    bench.stop.clear()

    assert report.outcome is RoundEnd.STOPPED
    assert 0 < stored < 312
    assert report.due_at == NOW
    assert bench.run("lichess:mrossi90").outcome is RoundEnd.DONE
    assert bench.games() == 312


def test_a_refusal_at_the_moment_of_stopping_is_obeyed(bench: Bench) -> None:
    """A 429 comes just after the checkpoint at which we are stopped: the next process must wait all the same."""
    bench.sites.world.add_game(
        "lichess",
        "mrossi90",
        "BianchiL",
        at=datetime(2026, 9, 1, tzinfo=UTC),
        time_control="1/86400",
        status="started",
        played=6,
    )
    bench.run("lichess:mrossi90")
    bench.sites.fault(
        "lichess", "/api/games/", kind="rate_limit", skip=1
    )  # the first one is for the old game

    def stop_soon(progress: Progress) -> None:
        if progress.seen:
            bench.stop.set()

    report = bench.run("lichess:mrossi90", watch=stop_soon)

    assert bench.stop.is_set()
    assert report.outcome is RoundEnd.RATE_LIMITED
    assert report.counts.left_out == 1
    with bench.archive.reading() as connection:
        assert gates.gate(connection, "lichess").not_before >= (NOW + 60) * 1000


def test_an_empty_answer_deletes_nothing(bench: Bench) -> None:
    """A site that suddenly tells of no games takes none away, and is not believed."""
    bench.run("lichess:mrossi90")
    bench.sites.fault("lichess", "/api/games/", kind="status", code=200, body=b"", times=None)

    report = bench.run("lichess:mrossi90", full=True)

    assert report.outcome is RoundEnd.INCOMPLETE
    assert bench.games() == 12


def test_a_correspondence_game_that_began_long_ago_comes_when_it_ends(bench: Bench) -> None:
    """Started on day 1, ended on day 40: the watermark of day 30 does not hide it."""
    world = bench.sites.world
    bench.now = datetime(2026, 9, 2, tzinfo=UTC).timestamp()
    slow = world.add_game(
        "lichess",
        "mrossi90",
        "BianchiL",
        at=datetime(2026, 9, 1, tzinfo=UTC),
        time_control="1/86400",
        status="started",
        played=6,
    )
    bench.run("lichess:mrossi90")
    bench.now = datetime(2026, 9, 30, tzinfo=UTC).timestamp()
    bench.run("lichess:mrossi90")
    before = bench.games()
    bench.now = datetime(2026, 10, 10, tzinfo=UTC).timestamp()
    world.finish_game(slow, at=datetime(2026, 10, 9, tzinfo=UTC))

    report = bench.run("lichess:mrossi90")

    assert report.counts.new == 1
    assert bench.games() == before + 1


def test_progress_is_told_with_what_came_of_it(bench: Bench) -> None:
    """Who watches a round learns how many games came and what became of them."""
    bench.run("lichess:mrossi90")

    last = bench.progress[-1]
    assert (last.account, last.seen, last.counts.new) == ("lichess:mrossi90", 12, 12)


def test_an_account_is_asked_by_its_lower_case_handle(bench: Bench) -> None:
    """`HIKARU` and `hikaru` are one account, and chess.com is not made to redirect."""
    bench.sites.world.add_player("chesscom", "Neri")

    assert bench.run("chesscom:NERI").outcome is RoundEnd.DONE
    assert bench.account("chesscom:neri").id == bench.account("chesscom:NERI").id
    assert not bench.sites.violations


def test_every_round_is_in_the_history(bench: Bench) -> None:
    """The history tells of each round what came and how it ended."""
    from daemon.archive.reading.rounds import list_rounds

    bench.run("lichess:mrossi90")
    bench.sites.fault("lichess", kind="status", code=500, times=None)
    bench.run("lichess:mrossi90")

    with bench.archive.reading() as connection:
        items = list_rounds(connection, limit=10)["items"]
    assert [(one["outcome"], one["new"]) for one in items] == [("failed", 0), ("done", 12)]


def test_an_account_of_which_no_game_can_be_read_says_so(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an error of the account, which stays while nothing new comes, and goes with the first game that can be read."""
    monkeypatch.setattr("core.pgn.quick.read", lambda *_, **__: None)
    monkeypatch.setattr("core.pgn.reader.read_movetext", _refuse)
    first, second = bench.run("chesscom:mrossi90"), bench.run("chesscom:mrossi90")
    assert (first.outcome, first.counts.quarantined, first.counts.read) == (RoundEnd.DONE, 12, 12)
    assert first.error is not None
    assert first.error.startswith("no game could be read: all 12 that chesscom gave for mrossi90")
    assert "no board" in first.error
    assert second.error == first.error
    assert bench.account("chesscom:mrossi90").error == first.error
    monkeypatch.undo()
    bench.sites.world.add_game("chesscom", "mrossi90", "BianchiL", at=datetime(2026, 11, 29, 18, tzinfo=UTC))
    assert bench.run("chesscom:mrossi90").error is None


def _refuse(*_: object, **__: Any) -> None:
    raise Fault("no board")
