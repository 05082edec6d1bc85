"""Whole answers that cannot be all there is are not believed: said, asked again, and nothing moves on."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from daemon.archive.archive import open_archive
from daemon.archive.schedule import gates
from daemon.sync.pacing import DAY, HOUR, MINUTE, RoundEnd
from daemon.sync.result import DOUBTS_UNTIL_BELIEVED
from tests.daemon.shown import Shown, Worker
from tests.daemon.sync_rig import Bench
from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Emulator, Game

LI, CC = "lichess:mrossi90", "chesscom:mrossi90"
NOVEMBER = datetime(2026, 11, 2, 18, tzinfo=UTC)
EXPORT = "/api/games/user/mrossi90"
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def bench(sqlite_path: Path) -> Iterator[Bench]:
    """An empty archive, and sites without games."""
    with open_archive(sqlite_path) as archive, Emulator(seed=22) as sites:
        yield Bench(archive, sites)


def _play(bench: Bench, site: str, count: int = 1, at: datetime = NOVEMBER) -> list[Game]:
    return [
        bench.sites.world.add_game(site, "mrossi90", "BianchiL", at=at + timedelta(hours=number), plies=4)
        for number in range(count)
    ]


def _empty(bench: Bench, site: str, path: str, body: bytes = b"", times: int | None = None) -> None:
    bench.sites.fault(site, path, kind="status", code=200, body=body, headers=JSON, times=times)


def test_a_first_export_without_games_is_not_believed(bench: Bench) -> None:
    """The profile counts forty games, the export is empty: asked again by itself until they come."""
    _play(bench, LICHESS, 40)
    _empty(bench, LICHESS, EXPORT, times=3)
    with Worker(bench, LICHESS) as lichess:
        bench.account(LI)
        lichess.tick()
        shown = Shown(bench.archive).account(LI, bench.now)
        assert "none of the 40 games that it counts" in (shown["error"] or "")
        assert (shown["last_success"], bench.account(LI).asked_at) == (None, None)
        for _ in range(10):
            bench.now += MINUTE
            lichess.tick()

    assert bench.games() == 40
    assert bench.account(LI).error is None


def test_a_first_export_of_half_the_games_is_not_believed_at_once(bench: Bench) -> None:
    """Forty are counted, twenty come, in good framing: incomplete; after many such answers it is what there is."""
    games = _play(bench, LICHESS, 40)
    for game in games[:20]:
        bench.sites.world.change_game(game, source="import")  # counted by the profile, never exported
    reports = []
    for _ in range(DOUBTS_UNTIL_BELIEVED + 1):
        reports.append(bench.run(LI))
        bench.now = reports[-1].due_at

    assert {report.outcome for report in reports[:-1]} == {RoundEnd.INCOMPLETE}
    assert "20 of the 40 games that it counts" in (reports[0].error or "")
    assert reports[-1].outcome is RoundEnd.DONE


@pytest.mark.parametrize(("site", "key"), [(LICHESS, LI), (CHESSCOM, CC)])
def test_a_full_download_with_fewer_games_than_are_known(bench: Bench, site: str, key: str) -> None:
    """`--full` brings nothing although games were told before: incomplete, and nothing is forgotten."""
    _play(bench, site, 5)
    bench.run(key)
    bench.sites.world.withhold(site, "mrossi90")

    report = bench.run(key, full=True)

    assert report.outcome is RoundEnd.INCOMPLETE
    assert "none of the" in (report.error or "")
    assert bench.games() == 5


@pytest.mark.parametrize(("site", "key"), [(LICHESS, LI), (CHESSCOM, CC)])
def test_silence_is_no_success_and_is_said_until_it_ends(bench: Bench, site: str, key: str) -> None:
    """For a day the site tells nothing of a known account: never done, never quiet, asked at growing waits, said all the time."""
    _play(bench, site, 5, NOVEMBER + timedelta(days=27))
    bench.run(key)
    asked_at = bench.account(key).asked_at
    bench.sites.world.withhold(site, "mrossi90")
    bench.sites.clear_log()
    bench.now = bench.run(key).due_at
    with Worker(bench, site) as worker:
        ends = bench.now + DAY
        while bench.now < ends:
            worker.tick()
            account = Shown(bench.archive).account(key, bench.now)
            assert "none of the games that it gave before" in (account["error"] or "")
            assert account["state"] == "active"
            bench.now += 15 * MINUTE
        asked = [one for one in bench.sites.requests if one.path.endswith(("/user/mrossi90", "/archives"))]
        assert len(asked) < 25
        assert bench.account(key).asked_at == asked_at
        bench.sites.world.withhold(site, "mrossi90", withheld=False)
        bench.now += 6 * HOUR
        worker.tick()

    assert bench.account(key).error is None
    assert bench.account(key).failures == 0


def test_silence_of_a_closed_account_is_no_riddle(bench: Bench) -> None:
    """chess.com lists no month of an account that is closed: its profile is asked, and says so."""
    _play(bench, CHESSCOM, 5)
    bench.run(CC)
    bench.sites.world.withhold(CHESSCOM, "mrossi90")
    bench.sites.world.close_account(CHESSCOM, "mrossi90", "closed")

    assert bench.run(CC).outcome is RoundEnd.CLOSED


def test_an_answer_without_the_newest_known_game(bench: Bench) -> None:
    """Other games of the day come, the newest one does not: incomplete, until it is there again."""
    *_, newest = _play(bench, LICHESS, 5)
    bench.run(LI)
    bench.sites.world.change_game(newest, source="import")
    doubtful = bench.run(LI)
    bench.sites.world.change_game(newest, source="lobby")

    assert doubtful.outcome is RoundEnd.INCOMPLETE
    assert "not the newest one that it gave before" in (doubtful.error or "")
    assert bench.run(LI).outcome is RoundEnd.DONE


def test_a_month_with_fewer_games_than_before(bench: Bench) -> None:
    """Three of five games have gone from a month: asked for again, whole, at the next round; all comes right by itself."""
    games = _play(bench, CHESSCOM, 5)
    bench.run(CC)
    for game in games[2:]:
        bench.sites.world.change_game(game, cached=False)
    bench.sites.clear_log()
    short = bench.run(CC)
    again = bench.run(CC)
    for game in games[2:]:
        bench.sites.world.change_game(game, cached=True)

    assert [short.outcome, again.outcome] == [RoundEnd.INCOMPLETE] * 2
    assert "2 of the 5 games of 2026/11" in (short.error or "")
    months = [one for one in bench.sites.requests if one.path.endswith("/2026/11")]
    assert "if-none-match" not in months[-1].headers
    assert bench.run(CC).outcome is RoundEnd.DONE
    assert bench.games() == 5


def test_a_month_that_stays_short_is_believed_in_the_end(bench: Bench) -> None:
    """After ten whole answers in a row a month is as the site says; what is stored stays."""
    games = _play(bench, CHESSCOM, 5)
    bench.run(CC)
    bench.sites.world.change_game(games[0], cached=False)

    outcomes = [bench.run(CC).outcome for _ in range(12)]

    assert outcomes == [RoundEnd.INCOMPLETE] * 10 + [RoundEnd.DONE] * 2
    assert bench.games() == 5


def test_a_list_with_fewer_months_than_before(bench: Bench) -> None:
    """A month has gone from the list: it is still asked for, and the list is asked for again, whole."""
    _play(bench, CHESSCOM, 2)
    _play(bench, CHESSCOM, 2, datetime(2026, 5, 2, tzinfo=UTC))
    bench.run(CC)
    list_path = "/pub/player/mrossi90/games/archives"
    one = b'{"archives":["https://api.chess.com/pub/player/mrossi90/games/2026/11"]}'
    _empty(bench, CHESSCOM, list_path, one, times=1)
    bench.now += 32 * DAY
    _play(bench, CHESSCOM, 1, datetime(2026, 5, 3, tzinfo=UTC))

    short, again = bench.run(CC), bench.run(CC)

    assert short.outcome is RoundEnd.INCOMPLETE
    assert "a list without the month 2026/05" in (short.error or "")
    assert again.outcome is RoundEnd.DONE
    assert bench.games() == 5


def test_a_new_account_without_months_whose_games_are_counted(bench: Bench) -> None:
    """chess.com counts games, and lists no month: incomplete. It is asked for its count once."""
    _play(bench, CHESSCOM, 3)
    empty = b'{"archives":[]}'
    _empty(bench, CHESSCOM, "/pub/player/mrossi90/games/archives", empty, times=2)
    for month in ("2026/10", "2026/11"):
        _empty(bench, CHESSCOM, f"/pub/player/mrossi90/games/{month}", b'{"games":[]}', times=2)

    first, second, third = (bench.run(CC) for _ in range(3))

    assert "none of the 3 games that it counts" in (first.error or "")
    assert [first.outcome, second.outcome, third.outcome] == [RoundEnd.INCOMPLETE] * 2 + [RoundEnd.DONE]
    assert bench.games() == 3
    assert [one.path for one in bench.sites.requests].count("/pub/player/mrossi90/stats") == 1


def test_a_month_read_once_is_looked_at_again_after_a_day(bench: Bench) -> None:
    """A month long over came short the first time: a day later it is asked by its ETag, and then not for a month."""
    games = _play(bench, CHESSCOM, 4, datetime(2026, 5, 2, tzinfo=UTC))
    bench.sites.world.change_game(games[-1], cached=False)
    bench.run(CC)
    bench.sites.world.change_game(games[-1], cached=True)
    asked = []
    for _ in range(5):
        bench.now += DAY + HOUR
        bench.sites.clear_log()
        bench.run(CC)
        asked.append([one for one in bench.sites.requests if one.path.endswith("/2026/05")])

    assert [len(requests) for requests in asked] == [1, 1, 0, 0, 0]
    assert "if-none-match" in asked[0][0].headers
    assert [requests[0].status for requests in asked[:2]] == [200, 304]
    assert bench.games() == 4


def test_waits_grow_when_a_daily_limit_says_nothing_of_time(bench: Bench) -> None:
    """Profiles get 429 all day, other questions are answered in between: the waits double, up to an hour."""
    _play(bench, LICHESS, 1)
    bench.run(LI)
    bench.sites.fault(LICHESS, "/api/user/bianchil", kind="rate_limit", times=None)
    bench.account("lichess:BianchiL")
    waits = []
    for _ in range(9):
        bench.now = bench.run("lichess:BianchiL").due_at
        bench.run(LI)
        with bench.archive.reading() as connection:
            assert gates.gate(connection, LICHESS).state == "ok"
        waits.append(bench.now)

    steps = [round((later - before) / MINUTE) for before, later in pairwise(waits)]
    assert steps == [2, 4, 8, 16, 32, 60, 60, 60]
    bench.now += DAY
    assert round((bench.run("lichess:BianchiL").due_at - bench.now) / MINUTE) == 1


def test_a_game_that_breaks_every_answer_is_named_in_quarantine_until_it_comes(bench: Bench) -> None:
    """The rest of the games is stored, the hole is an item of the quarantine; healed, it is a game."""
    games = _play(bench, LICHESS, 8)
    bench.sites.poison(games[3])
    first = bench.run(LI)
    bench.now = first.due_at
    second = bench.run(LI)
    held = Shown(bench.archive).quarantine()
    bench.sites.cure(games[3])
    bench.now += DAY + HOUR
    bench.run(LI)

    assert (first.outcome, second.outcome) == (RoundEnd.INCOMPLETE, RoundEnd.DONE)
    (item,) = held
    assert "breaks off each time" in item["reason"]
    assert bench.games() == 8
    assert Shown(bench.archive).quarantine() == []


def test_a_game_that_breaks_its_month(bench: Bench) -> None:
    """What comes before it is stored, other months too; the hole is named, looked at daily, and filled when it heals."""
    games = _play(bench, CHESSCOM, 6, datetime(2026, 5, 2, tzinfo=UTC))
    _play(bench, CHESSCOM, 2)
    bench.sites.poison(games[3])
    first = bench.run(CC)
    bench.now = first.due_at
    second = bench.run(CC)
    bench.now += HOUR
    bench.sites.clear_log()
    third = bench.run(CC)
    held = Shown(bench.archive).quarantine()
    asked = [one.path for one in bench.sites.requests]
    stored = bench.games()
    bench.sites.cure(games[3])
    bench.now += DAY
    bench.run(CC)

    assert [one.outcome for one in (first, second, third)] == [
        RoundEnd.INCOMPLETE,
        RoundEnd.DONE,
        RoundEnd.DONE,
    ]
    assert stored == 5
    assert "/pub/player/mrossi90/games/2026/05" not in asked
    (item,) = held
    assert "2026/05 breaks off each time after 3 games" in item["reason"]
    assert bench.games() == 8
    assert Shown(bench.archive).quarantine() == []


@pytest.mark.parametrize("kind", ["arena", "swiss"])
def test_a_game_that_breaks_its_tournament(bench: Bench, kind: str) -> None:
    """After it the games come player by player; only the one that cannot be told is missing, and named."""
    world = bench.sites.world
    tourney = world.events.add_tourney(kind, starts=NOVEMBER, state="finished")
    names = ["anna", "bruno", "carla", "dario"]
    games = [
        world.add_game(
            LICHESS,
            names[number % 4],
            names[(number + 1 + number // 4) % 4],
            at=NOVEMBER + timedelta(minutes=number),
            source=kind,
            event_id=tourney.id,
            plies=4,
        )
        for number in range(8)
    ]
    bench.sites.poison(games[5])
    key = f"lichess:{kind}/{tourney.id}"
    first, second = bench.run(key), bench.run(key)
    bench.sites.clear_log()
    bench.now += DAY
    bench.run(key)

    assert (first.outcome, second.outcome) == (RoundEnd.INCOMPLETE, RoundEnd.DONE)
    assert bench.games() == 7
    assert len(Shown(bench.archive).quarantine()) == 1
    assert bench.sites.requests == []


def test_a_finished_arena_without_games(bench: Bench) -> None:
    """The site counts games, and tells none: it is not over and told, but asked again."""
    world = bench.sites.world
    tourney = world.events.add_tourney("arena", starts=NOVEMBER, state="finished")
    world.add_game(LICHESS, "anna", "bruno", at=NOVEMBER, source="arena", event_id=tourney.id, plies=4)
    _empty(bench, LICHESS, f"/api/tournament/{tourney.id}/games", times=1)
    key = f"lichess:arena/{tourney.id}"

    first, second = bench.run(key), bench.run(key)

    assert (first.outcome, second.outcome) == (RoundEnd.INCOMPLETE, RoundEnd.DONE)
    assert bench.games() == 1


def test_an_empty_round_or_study_withdraws_nothing(bench: Bench) -> None:
    """200 without a board, without a chapter, where there were some: incomplete, and asked again by itself."""
    events = bench.sites.world.events
    events.add_broadcast("Torneo", id="Broadca1")
    events.add_round("Broadca1", id="Round001", starts=NOVEMBER, state="ongoing")
    events.add_board("Round001", "Rossi, Mario", "Bianchi, Laura", id="Board001", plies=8)
    study = events.add_study("Finali")
    events.add_board(study.id, "Verdi, Gina", "Neri, Anna", plies=8)
    keys = ["lichess:broadcast/Broadca1", f"lichess:study/{study.id}"]
    for key in keys:
        assert bench.run(key).outcome is RoundEnd.DONE
    for path in ("/api/broadcast/round/Round001.pgn", f"/api/study/{study.id}.pgn"):
        bench.sites.fault(LICHESS, path, kind="status", code=200, times=None)
    bench.now += HOUR
    reports = [bench.run(key, full=key != keys[0]) for key in keys]
    bench.sites.clear_faults()

    assert [report.outcome for report in reports] == [RoundEnd.INCOMPLETE] * 2
    assert [
        "none of the boards" in (reports[0].error or ""),
        "none of the chapters" in (reports[1].error or ""),
    ]
    assert bench.games() == 2
    gone = [telling["left_at"] for one in Shown(bench.archive).games() for telling in one["tellings"]]
    assert gone == [None, None]
    bench.now += HOUR
    assert [bench.run(key).outcome for key in keys] == [RoundEnd.DONE] * 2


def test_a_group_of_a_tournament_with_fewer_games(bench: Bench) -> None:
    """chess.com tells one of a group's two games: incomplete, asked again, whole."""
    games = _play(bench, CHESSCOM, 2)
    events = bench.sites.world.events
    events.add_tournament("autunno-2026", [[games]])
    key = "chesscom:tournament/autunno-2026"
    bench.run(key)
    events.change_tournament(
        "autunno-2026",
        rounds=((replace(events.tournaments["autunno-2026"].rounds[0][0], games=(games[0].id,)),),),
    )
    bench.now += DAY
    short = bench.run(key, full=True)
    events.add_tournament("autunno-2026", [[games]])
    bench.now += HOUR

    assert short.outcome is RoundEnd.INCOMPLETE
    assert "1 of the 2 games" in (short.error or "")
    assert bench.run(key).outcome is RoundEnd.DONE
