"""Downloads are complete and double nothing, through real rounds over HTTP into real archives.

Each test is what users of other tools reported, as are those of limits and outages, of games and players that are one or
two, and of broken PGN.
"""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from daemon.archive.archive import open_archive
from daemon.sync.pacing import DAY, HOUR, MINUTE, RoundEnd
from tests.daemon.installation import Installation
from tests.daemon.shown import Shown, Worker, run_with, served, stopping
from tests.daemon.sync_rig import Bench
from tests.fetchers import lila
from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Emulator, Game

LI, CC = "lichess:mrossi90", "chesscom:mrossi90"
MONTHS = "/pub/player/mrossi90/games/"
NOVEMBER = datetime(2026, 11, 5, 18, tzinfo=UTC)
KILLED = Path(__file__).with_name("killed.py")


@pytest.fixture
def bench(sqlite_path: Path) -> Iterator[Bench]:
    """An empty archive, and both sites with two players."""
    with open_archive(sqlite_path) as archive, Emulator(seed=14) as sites:
        for site in (LICHESS, CHESSCOM):
            for handle in ("mrossi90", "BianchiL"):
                sites.world.add_player(site, handle)
        yield Bench(archive, sites)


def _played(bench: Bench, site: str, at: datetime = NOVEMBER, **more: Any) -> Game:
    wanted: dict[str, Any] = {"at": at, **more}
    return bench.sites.world.add_game(site, "mrossi90", "BianchiL", **wanted)


def _month(year: int, month: int, day: int = 5) -> datetime:
    return datetime(year, month, day, 18, tzinfo=UTC)


def _asked(bench: Bench) -> list[str]:
    """The months (and the list of them) that chess.com was asked for since the log was cleared."""
    paths = [one.path for one in bench.sites.requests]
    return [path.removeprefix(MONTHS) for path in paths if path.startswith(MONTHS)]


def _records(count: int) -> list[dict[str, object]]:
    """So many games of lichess, one a day."""
    return [
        lila.record(
            n,
            lila.BASE + n * lila.DAY,
            pgn=str(lila.record(n)["pgn"]).replace("2023.11.14", f"{2000 + n // 28}.02.{n % 28 + 1:02}"),
        )
        for n in range(count)
    ]


def _ids(records: list[dict[str, object]]) -> list[object]:
    return [record["id"] for record in records]


# Incremental download, boundaries, lost games


def test_ids_that_repeat_and_one_that_is_missing(bench: Bench, shown: Shown) -> None:
    """Eight copies of each game but one, which comes with the next poll: every game once, none missing."""
    records = _records(5)
    site = lila.Lila([record for record in records if record is not records[-2]] * 8)
    first = run_with(bench, served(site), LI)
    before = set(shown.ids())
    site.games = records * 8
    run_with(bench, served(site), LI)

    assert first.counts.new == 4
    assert before == {record["id"] for record in records} - {records[-2]["id"]}
    assert sorted(filter(None, shown.ids())) == _ids(records)
    assert all(len(one["tellings"]) == 1 for one in shown.games())


def test_a_filter_ends_the_history(bench: Bench, shown: Shown) -> None:
    """A server that with a filter knows nothing newer than February 2023 is never asked with one."""
    site = lila.Lila(_records(30))

    def forgetful(request: httpx.Request) -> httpx.Response:
        return lila.ndjson(b"") if "perfType" in request.url.params else site(request)

    run_with(bench, lila.lichess(_with_profile(forgetful)), LI)

    assert len(shown.ids()) == 30


def _with_profile(handle: Any) -> Any:
    return lambda request: (
        httpx.Response(200, json={"id": "mrossi90", "username": "mrossi90"})
        if request.url.path.startswith("/api/user/")
        else handle(request)
    )


@pytest.mark.parametrize("descending", [False, True])
def test_exactly_the_cap_is_not_the_end(bench: Bench, shown: Shown, descending: bool) -> None:
    """A server that gives forty games and no more, in either order: it is asked until it has nothing new."""
    records = _records(200)

    with lila.small_caps():
        report = run_with(bench, served(lila.Lila(records, cap=40, descending=descending)), LI)

    assert report.outcome is RoundEnd.DONE
    assert sorted(filter(None, shown.ids())) == _ids(records)


def test_fewer_than_the_cap_is_not_the_end_either(bench: Bench, shown: Shown) -> None:
    """A server that first takes a hundred and then leaves most of them out: asked on until nothing comes."""
    records = _records(400)

    @dataclass
    class Filtering(lila.Lila):
        def __call__(self, request: httpx.Request) -> httpx.Response:
            lines = super().__call__(request).read().splitlines(keepends=True)
            return lila.ndjson(b"".join(line for line in lines if b"7" in line[:20] or b"9" in line[:20]))

    with lila.small_caps():
        report = run_with(bench, served(Filtering(records, cap=100)), LI)

    wanted = [one for one in _ids(records) if {"7", "9"} & set(str(one))]
    assert report.outcome is RoundEnd.DONE
    assert sorted(filter(None, shown.ids())) == wanted


def test_times_are_in_milliseconds(bench: Bench) -> None:
    """Every `since` and `until` that goes out has thirteen digits."""
    _played(bench, LICHESS)
    _played(bench, LICHESS, _month(2026, 5), time_control="1/86400", status="started", played=6)
    for _ in range(3):
        bench.run(LI)
        bench.now += HOUR

    bounds = [
        one.query[name] for one in bench.sites.requests for name in ("since", "until") if name in one.query
    ]
    assert bounds
    assert {len(text) for text in bounds} == {13}
    assert not bench.sites.violations


def test_a_correspondence_game_that_ends_late(bench: Bench, shown: Shown) -> None:
    """Begun on day 1, over on day 40, with a game of three minutes every day between: stored after day 40."""
    start = datetime(2026, 10, 1, 12, tzinfo=UTC)
    slow = _played(bench, LICHESS, start, time_control="1/86400", status="started", played=6)
    for day in range(1, 42):
        bench.now = (start + timedelta(days=day)).timestamp()
        if day == 40:
            bench.sites.world.finish_game(slow, at=start + timedelta(days=day))
        _played(bench, LICHESS, start + timedelta(days=day, hours=-1))
        bench.run(LI)
        assert (slow.id in shown.ids()) == (day >= 40)


def test_a_game_that_was_cut_in_two(bench: Bench, shown: Shown) -> None:
    """The stream ends after 60 % of its only game: nothing is stored, the cursor stays, the game comes whole."""
    game = _played(bench, LICHESS)
    bench.sites.fault(LICHESS, "/api/games", kind="cut", after=0.6)

    broken = bench.run(LI)

    assert (broken.outcome, bench.games()) == (RoundEnd.INCOMPLETE, 0)
    assert bench.account(LI).cursor.keys() <= {"broke"}
    assert not shown.quarantine()
    bench.run(LI)
    assert shown.game()["ply_count"] == len(game.sans)


def test_the_second_half_of_a_month(bench: Bench) -> None:
    """Fifteen days of a month, and nobody asks until it is over: the days 16 to 31 come all the same."""
    for day in range(1, 16):
        _played(bench, CHESSCOM, _month(2026, 8, day))
    bench.now = datetime(2026, 8, 16, tzinfo=UTC).timestamp()
    bench.run(CC)
    for day in range(16, 32):
        _played(bench, CHESSCOM, _month(2026, 8, day))
    bench.now = datetime(2026, 11, 30, tzinfo=UTC).timestamp()

    assert bench.run(CC).counts.new == 16
    assert bench.games() == 31


def test_months_without_games_are_not_asked_for(bench: Bench) -> None:
    """Three months in three years are three requests, beside the list and the two recent months."""
    for at in (_month(2024, 1), _month(2025, 6), _month(2026, 3)):
        _played(bench, CHESSCOM, at)
    bench.run(CC)

    assert _asked(bench) == ["archives", "2024/01", "2025/06", "2026/03", "2026/10", "2026/11"]


def test_past_months_are_not_downloaded_again(bench: Bench) -> None:
    """Of twelve months the second round asks for the one that goes on, by its validators, and gets 304."""
    for month in range(1, 12):
        _played(bench, CHESSCOM, _month(2026, month))
    _played(bench, CHESSCOM, _month(2025, 12))
    bench.run(CC)
    bench.now += HOUR
    bench.sites.clear_log()
    bench.run(CC)

    assert _asked(bench) == ["2026/11"]
    assert {one.status for one in bench.sites.requests} == {304}


def test_the_public_answer_is_half_an_hour_late(bench: Bench, shown: Shown) -> None:
    """The old body comes first: no error; the next poll finds the game."""
    _played(bench, CHESSCOM)
    late = _played(bench, CHESSCOM, _month(2026, 11, 30), cached=False)

    assert bench.run(CC).counts.new == 1
    bench.now += 30 * MINUTE
    bench.sites.world.tell(late)
    assert bench.run(CC).counts.new == 1
    assert shown.account(CC, bench.now)["error"] is None


def test_twenty_months_are_twenty_months(bench: Bench) -> None:
    """No cap cuts the list of months in silence."""
    for number in range(20):
        _played(bench, CHESSCOM, _month(2025 + number // 12, number % 12 + 1))

    assert bench.run(CC).counts.new == 20


def test_a_month_that_failed_is_asked_for_again(bench: Bench) -> None:
    """Month 2 of 3 answers 500: the others come, the round is not done, and the next one has month 2."""
    for month in (7, 8, 9):
        _played(bench, CHESSCOM, _month(2026, month))
    bench.sites.fault(CHESSCOM, MONTHS + "2026/08", kind="status", code=500, times=3)

    broken = bench.run(CC)
    stored = bench.games()
    bench.sites.clear_log()
    bench.sites.clear_faults()
    bench.now += HOUR

    assert (broken.outcome is RoundEnd.DONE, stored) == (False, 2)
    assert (bench.run(CC).outcome, bench.games()) == (RoundEnd.DONE, 3)
    assert "2026/08" in _asked(bench)


@pytest.mark.parametrize(("site", "key", "variant"), [(LICHESS, LI, "antichess"), (CHESSCOM, CC, "bughouse")])
def test_a_variant_does_not_block(bench: Bench, site: str, key: str, variant: str) -> None:
    """A game of a variant between two others: the cursor goes on after all three."""
    _played(bench, site)
    odd = {"status": "bughousepartnerlose"} if variant == "bughouse" else {}
    _played(bench, site, NOVEMBER + timedelta(1), variant=variant, **odd)
    _played(bench, site, NOVEMBER + timedelta(9))
    bench.run(key)

    again = bench.run(key)

    assert bench.games() == (2 if variant == "bughouse" else 3)
    assert (again.outcome, again.counts.new) == (RoundEnd.DONE, 0)
    assert again.counts.read <= 1


@pytest.mark.parametrize(("site", "key"), [(LICHESS, LI), (CHESSCOM, CC)])
def test_a_break_leaves_no_hole(bench: Bench, site: str, key: str) -> None:
    """Stopped in mid-list, with new games before the next start: everything is there afterwards."""
    for number in range(150):
        _played(bench, site, _month(2026, 6) + timedelta(hours=20 * number), plies=12)
    stopped = bench.run(key, watch=stopping(bench))
    stored = bench.games()
    _played(bench, site, _month(2026, 11, 29))
    bench.stop.clear()

    assert (stopped.outcome, 0 < stored < 150) == (RoundEnd.STOPPED, True)
    assert bench.run(key).outcome is RoundEnd.DONE
    assert bench.games() == 151


def test_killed_between_record_and_write(tmp_path: Path) -> None:
    """Killed in the commit of the first games: the next sync fetches what was not stored, and nothing is twice."""
    with Emulator(seed=15) as sites:
        for number in range(120):
            sites.world.add_game(
                LICHESS, "mrossi90", "BianchiL", at=_month(2026, 6) + timedelta(days=number), plies=20
            )
        place = Installation(tmp_path, sites)
        place.configure(mine=[LI])
        command = [sys.executable, str(KILLED), "commit", "4", "0", "--", "sync", "--config", str(place.file)]
        killed = subprocess.run(command, capture_output=True, timeout=120, check=False, cwd=Path.cwd())
        ended = place.run("sync")
        wanted = [one["native_id"] for game in place.json("games")["items"] for one in game["tellings"]]

        assert (killed.returncode, ended.returncode) == (-signal.SIGKILL, 0)
        assert sorted(wanted) == sorted(game.id for game in sites.world.games(LICHESS))


def test_an_address_by_number_and_one_by_uuid(bench: Bench, shown: Shown) -> None:
    """The address changed to a uuid, the PGN kept the number: one game, one telling."""
    game = _played(bench, CHESSCOM, id="live/123456")
    bench.run(CC)
    bench.sites.world.change_game(game, url_form="uuid")
    bench.run(CC, full=True)
    bench.run("chesscom:BianchiL")

    assert shown.ids() == ["live/123456"]
    assert len(shown.game()["tellings"]) == 1


# Accounts: what of them concerns downloads


def test_a_closed_account_keeps_its_games(bench: Bench, shown: Shown) -> None:
    """200 yesterday, 404 today and tomorrow: closed, its games stay, and it is asked once a day."""
    _played(bench, LICHESS)
    bench.run(LI)
    bench.sites.world.close_account(LICHESS, "mrossi90")
    bench.now += DAY
    bench.sites.clear_log()
    with Worker(bench, LICHESS) as lichess:
        for _ in range(3 * 48):
            lichess.tick()
            bench.now += 30 * MINUTE

    account = shown.account(LI, bench.now)
    exports = [one for one in bench.sites.requests if one.path.startswith("/api/games/")]
    assert (account["state"], account["games"]) == ("closed", 1)
    assert len(exports) == 3


@pytest.mark.parametrize(("site", "key"), [(LICHESS, LI), (CHESSCOM, CC)])
def test_a_site_that_suddenly_tells_nothing(bench: Bench, shown: Shown, site: str, key: str) -> None:
    """200 with an empty answer after many games: nothing is deleted, `status` warns, it is asked again, and all is well."""
    for number in range(50):
        _played(bench, site, NOVEMBER + timedelta(hours=11 * number), plies=12)
    bench.run(key)
    with _silence(bench, site):
        report = bench.run(key)
        warned = shown.account(key, bench.now)

    assert (report.outcome, bench.games()) == (RoundEnd.INCOMPLETE, 50)
    assert report.due_at == bench.now + MINUTE
    assert "none of the games" in (warned["error"] or "")
    assert warned["state"] == "active"
    bench.now += 2 * DAY
    assert bench.run(key).error is None
    assert shown.account(key, bench.now)["error"] is None


@contextmanager
def _silence(bench: Bench, site: str) -> Iterator[None]:
    bench.sites.world.withhold(site, "mrossi90")
    bench.now += HOUR
    yield
    bench.sites.world.withhold(site, "mrossi90", withheld=False)


def test_who_never_played_is_no_reason_to_warn(bench: Bench) -> None:
    """An account without games, and one whose only game was aborted and has gone, are told without a warning."""
    for key in (LI, CC):
        assert [bench.run(key).error for _ in range(2)] == [None, None]
    aborted = _played(bench, LICHESS, status="aborted")
    bench.run(LI)
    bench.sites.world.remove_game(aborted)

    assert bench.run(LI).error is None
