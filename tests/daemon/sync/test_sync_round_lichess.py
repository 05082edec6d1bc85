"""The traps of lichess (sites traps 1 to 26), each through a real round, over HTTP, into a real archive."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from daemon.archive.archive import open_archive
from daemon.archive.schedule import accounts
from daemon.sync.pacing import HOUR, RoundEnd
from tests.daemon.shown import HEAD, Shown, Worker, run_with, served, stopping
from tests.daemon.sync_rig import Bench
from tests.fetchers import lila
from tests.fetchers.site_emulator.emulator import LICHESS, Ai, Emulator, Game, Guest

ME = "lichess:mrossi90"
OCTOBER = datetime(2026, 10, 5, 18, tzinfo=UTC)
KINGS = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


@pytest.fixture
def bench(sqlite_path: Path) -> Iterator[Bench]:
    """An empty archive and a lichess with two players."""
    with open_archive(sqlite_path) as archive, Emulator(seed=11) as sites:
        for handle in ("mrossi90", "BianchiL"):
            sites.world.add_player(LICHESS, handle)
        yield Bench(archive, sites)


def _played(bench: Bench, **more: Any) -> Game:
    """A game of the two, on an evening of October unless said otherwise."""
    wanted: dict[str, Any] = {"at": OCTOBER, **more}
    return bench.sites.world.add_game(LICHESS, "mrossi90", "BianchiL", **wanted)


def _exports(bench: Bench) -> list[dict[str, str]]:
    """The parameters of all requests for games."""
    return [dict(one.query) for one in bench.sites.requests if one.path.startswith("/api/games/user/")]


def test_trap_01_since_is_the_start_not_the_end(bench: Bench, shown: Shown) -> None:
    """While a correspondence game of May runs, every window begins in May, however new the newest game is."""
    slow = _played(
        bench, at=datetime(2026, 5, 1, tzinfo=UTC), time_control="1/86400", status="started", played=6
    )
    _played(bench)
    bench.run(ME)
    bench.sites.world.finish_game(slow, at=OCTOBER + timedelta(days=9))
    bench.now += HOUR
    bench.sites.clear_log()

    report = bench.run(ME)

    assert report.counts.new == 1
    assert slow.id in shown.ids()
    assert min(int(one["since"]) for one in _exports(bench)) <= slow.started


def test_trap_02_a_game_of_the_same_millisecond_is_not_lost(bench: Bench) -> None:
    """A game that appears late, with the very start of the newest one known, comes; nothing comes twice."""
    _played(bench)
    bench.run(ME)
    _played(bench)

    report = bench.run(ME)

    assert (report.counts.new, bench.games()) == (1, 2)


def test_trap_03_a_cut_stream_leaves_no_hole(bench: Bench) -> None:
    """It is asked for oldest first; after a cut, with a newer game meanwhile, the next round fills everything."""
    for day in range(10):
        _played(bench, at=OCTOBER + timedelta(days=day))
    bench.sites.fault(LICHESS, account="mrossi90", kind="cut", after=0.5, times=None, skip=1)
    broken = bench.run(ME)
    bench.sites.clear_faults()
    _played(bench, at=OCTOBER + timedelta(days=20))

    assert broken.outcome is RoundEnd.INCOMPLETE
    assert bench.games() < 10
    assert bench.run(ME).outcome is RoundEnd.DONE
    assert bench.games() == 11
    assert {one["sort"] for one in _exports(bench)} == {"dateAsc"}


def test_trap_04_games_are_filtered_here_never_there(bench: Bench, shown: Shown) -> None:
    """No request filters by rated, perfType, color or analysed; the search does it on what is stored."""
    _played(bench, time_control="60+0")
    _played(bench, at=OCTOBER + timedelta(1), time_control="600+0", rated=False)
    bench.run(ME)

    assert not {"rated", "perfType", "color", "analysed"} & {name for one in _exports(bench) for name in one}
    assert not bench.sites.violations
    assert len(shown.games(time_class="bullet")) == 1


def test_trap_05_a_429_stops_all_work_on_lichess_for_a_minute(bench: Bench) -> None:
    """Two accounts are due, the first is answered 429: nobody is asked for sixty seconds, then both are done."""
    bench.account(ME), bench.account("lichess:bianchil")
    _played(bench)
    bench.sites.fault(LICHESS, kind="rate_limit", times=1)
    with Worker(bench, LICHESS) as lichess:
        lichess.tick()
        asked = [len(bench.sites.requests)]
        for seconds in (30, 29, 2):
            bench.now += seconds
            lichess.tick()
            asked.append(len(bench.sites.requests))

    assert asked[:3] == [1, 1, 1]
    assert {bench.account(key).state for key in (ME, "lichess:bianchil")} == {"active"}
    assert not bench.sites.violations


def test_trap_06_a_stream_that_is_given_up_frees_its_slot(bench: Bench) -> None:
    """Stopped in the middle of the stream, asked again at once, three times: never a second request in flight."""
    for number in range(250):
        _played(bench, at=OCTOBER - timedelta(days=number), plies=10)
    for _ in range(3):
        bench.stop.clear()
        assert bench.run(ME, full=True, watch=stopping(bench)).outcome is RoundEnd.STOPPED
    bench.stop.clear()

    assert bench.run(ME).outcome is RoundEnd.DONE
    assert bench.games() == 250
    assert not bench.sites.violations


def test_trap_07_half_a_line_with_status_200(bench: Bench, shown: Shown) -> None:
    """Whole lines are kept, half a line is neither a game nor in quarantine, the cursor stays, the rest comes."""
    games = [_played(bench, at=OCTOBER + timedelta(days=day)) for day in range(4)]
    bench.sites.fault(LICHESS, "/api/games", kind="cut", clean=True, after=0.6)

    broken = bench.run(ME)
    before = shown.ids()

    assert broken.outcome is RoundEnd.INCOMPLETE
    assert before == [game.id for game in games[: len(before)]]
    assert 0 < len(before) < 4
    assert not shown.quarantine()
    assert bench.run(ME).outcome is RoundEnd.DONE
    assert shown.ids() == [game.id for game in games]


def test_trap_08_an_empty_body_means_no_games(bench: Bench, shown: Shown) -> None:
    """200 with nothing in it is a good answer: the account is done, without an error."""
    report = bench.run(ME)

    account = shown.account(ME, bench.now)
    assert (report.outcome, report.counts.read) == (RoundEnd.DONE, 0)
    assert (account["state"], account["failures"], account["error"]) == ("active", 0, None)


def test_trap_09_a_404_has_three_meanings(bench: Bench, shown: Shown) -> None:
    """No such account, a closed one, or a site that dislikes our User-Agent: the profile and the page tell which."""
    bench.sites.world.close_account(LICHESS, "BianchiL")

    assert bench.run("lichess:nobody-here").outcome is RoundEnd.NOT_FOUND
    assert bench.run("lichess:BianchiL").outcome is RoundEnd.CLOSED
    bench.sites.fault(LICHESS, kind="html", code=404, times=None)
    assert bench.run(ME).outcome is RoundEnd.BLOCKED

    states = {key: bench.account(f"lichess:{key}").state for key in ("nobody-here", "bianchil", "mrossi90")}
    assert states == {"nobody-here": "not_found", "bianchil": "closed", "mrossi90": "new"}
    assert shown.site("lichess", bench.now)["state"] == "blocked"


def test_trap_10_who_has_no_user_gets_no_account(bench: Bench, shown: Shown) -> None:
    """Games against the engine and a stranger are kept by the PGN's names, and make no accounts."""
    bench.sites.world.add_game(LICHESS, "mrossi90", Ai(3), at=OCTOBER)
    bench.sites.world.add_game(LICHESS, Guest(), "mrossi90", at=OCTOBER + timedelta(1))

    assert bench.run(ME).counts.new == 2

    engine, stranger = shown.games()
    assert (engine["black"]["written"], stranger["white"]["written"]) == ("lichess AI level 3", "Anonymous")
    with bench.archive.reading() as connection:
        assert [one.key for one in accounts.all_accounts(connection)] == [ME]


def test_trap_11_no_winner_is_not_always_a_draw(bench: Bench, shown: Shown) -> None:
    """A draw is one; aborted and running games are not results at all; an unknown end stays unknown."""
    for day, status in enumerate(("draw", "aborted", "unknownFinish", "started")):
        _played(bench, at=OCTOBER + timedelta(days=day), status=status, played=8)

    report = bench.run(ME)

    assert [one["result"] for one in shown.games()] == ["1/2-1/2", "*"]
    assert report.counts.left_out == 2


def test_trap_12_a_game_without_moves_is_kept_once(bench: Bench, shown: Shown) -> None:
    """A no-show has a winner and no ply: one row that says so, which no later round fetches or waits for."""
    _played(bench, status="noStart", winner="white")
    _played(bench, at=OCTOBER + timedelta(days=9))
    bench.run(ME)
    bench.now += HOUR
    bench.sites.clear_log()

    again = bench.run(ME)

    assert [one["ply_count"] == 0 for one in shown.games()] == [True, False]
    assert again.counts.new == 0
    assert again.counts.read <= 1


def test_trap_13_a_game_without_clock_is_no_correspondence(bench: Bench, shown: Shown) -> None:
    """For lichess a game against its engine is "correspondence"; only days per turn make one."""
    bench.sites.world.add_game(LICHESS, "mrossi90", Ai(1), at=OCTOBER, time_control="-")
    _played(bench, at=OCTOBER + timedelta(1), time_control="1/172800")
    bench.run(ME)

    assert [one["time_class"] for one in shown.games()] == [None, "correspondence"]


def test_trap_14_one_clock_too_many(bench: Bench, shown: Shown) -> None:
    """A game with 21 plies and 22 clocks has 21 plies."""
    game = _played(bench, plies=21)
    bench.run(ME)

    assert len(game.clocks) == 22
    assert shown.game()["ply_count"] == len(shown.game()["moves"].split()) == 21


def test_trap_15_moves_start_where_the_record_says(bench: Bench, shown: Shown) -> None:
    """Games from a position and of Chess960 are played from their own start: legal, whole, with their FEN."""
    position = _played(bench, variant="fromPosition", start=KINGS, plies=8)
    mixed = _played(bench, at=OCTOBER + timedelta(1), variant="chess960", plies=20)

    assert bench.run(ME).counts.quarantined == 0

    found = shown.games()
    assert [one["ply_count"] for one in found] == [len(position.sans), len(mixed.sans)]
    assert (found[0]["start_fen"] or "").split()[0] == KINGS.split(maxsplit=1)[0]
    assert (found[1]["start_fen"] or "").split()[0] == (mixed.line.start or "").split()[0]


def test_trap_16_variants_are_apart_from_standard_games(bench: Bench, shown: Shown) -> None:
    """Who wants standard games for a book gets no Chess960 and no crazyhouse; a game from a position has its FEN."""
    for day, variant in enumerate(("standard", "chess960", "crazyhouse")):
        _played(bench, at=OCTOBER + timedelta(days=day), variant=variant)
    _played(bench, at=OCTOBER + timedelta(days=9), variant="fromPosition", start=KINGS, plies=6)
    bench.run(ME)

    assert [one["start_fen"] is None for one in shown.games(variant="standard")] == [True, False]
    assert len(shown.games(variant="chess960")) == len(shown.games(variant="crazyhouse")) == 1


def test_trap_17_perf_is_not_the_speed(bench: Bench, shown: Shown) -> None:
    """A crazyhouse game of 3+2 has perf "crazyhouse": here its variant is that, and its time class blitz."""
    _played(bench, variant="crazyhouse", time_control="180+2")
    bench.run(ME)

    assert (shown.game()["variant"], shown.game()["time_class"]) == ("crazyhouse", "blitz")


def test_trap_18_an_import_that_has_started_for_ever(bench: Bench, shown: Shown) -> None:
    """An import with status "started" is kept as it is, and no later round waits for its end."""
    site = lila.Lila(
        [lila.record(1, status="started", source="import"), lila.record(2, lila.BASE + lila.DAY)]
    )

    run_with(bench, served(site), ME)

    assert [one["result"] for one in shown.games()] == ["*", "1-0"]
    fetcher: Any = served(site)
    assert not fetcher.waits(bench.account(ME).cursor)


def test_trap_19_names_and_dates_of_imports_are_not_guessed(shown: Shown, tmp_path: Path) -> None:
    """A rating stays in the name as written, an odd date stays a text: nothing is read into either."""
    summary = shown.bring(
        tmp_path,
        '[Event "Import"]\n[Site "https://lichess.org/4pSpQGR7"]\n[Date "1/12/2018, 9:52:47 PM"]\n'
        '[White "Rossi (2795)"]\n[Black "Bianchi (2700)"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n',
    )

    game = shown.game()
    assert summary.new == 1
    assert (game["white"]["written"], game["white"]["rating"]) == ("Rossi (2795)", None)
    assert game["date"] in {None, "1/12/2018, 9:52:47 PM"}
    assert game["started_at"] is None


def test_trap_20_the_id_may_stand_in_gameid_only(shown: Shown, tmp_path: Path) -> None:
    """Where Site is the bare address of lichess, GameId says which game it is."""
    shown.bring(
        tmp_path, HEAD.replace("Torino", "https://lichess.org") + '[GameId "AbCdEfGh"]\n\n1. e4 1-0\n'
    )

    (telling,) = shown.game()["tellings"]
    assert (telling["site"], telling["native_id"]) == ("lichess", "AbCdEfGh")


def test_trap_21_no_round_and_no_players(bench: Bench, shown: Shown, tmp_path: Path) -> None:
    """An export without Round comes in; an empty broadcast board, without names too, is left out, not an error."""
    shown.bring(tmp_path, HEAD.replace('[Round "1"]\n', "") + "\n1. e4 1-0\n")
    events = bench.sites.world.events
    events.add_broadcast("Torneo di Pasqua", id="Broadca1")
    events.add_round("Broadca1", id="Round001", starts=OCTOBER)
    events.add_board("Round001", id="Board001", plies=10, played=0)

    report = bench.run("lichess:broadcast/Broadca1")

    assert (report.outcome, report.counts.left_out) == (RoundEnd.DONE, 1)
    assert not shown.quarantine()
    assert shown.game()["round"] is None


def test_trap_22_a_fide_id_does_not_make_a_game_over_the_board(
    bench: Bench, shown: Shown, tmp_path: Path
) -> None:
    """A player who linked a FIDE profile is still there under the handle, in the download and in the site's file."""
    bench.sites.world.change_player(LICHESS, "BianchiL", fide_id=999_000_025)
    game = _played(bench)
    bench.run(ME)
    summary = shown.bring(tmp_path, bench.sites.lichess_export(game))

    found = shown.game()
    assert (summary.new, summary.added) == (0, 1)
    assert (found["black"]["written"], found["black"]["fide_id"]) == ("BianchiL", "999000025")
    assert {one["site"] for one in found["tellings"]} == {"lichess"}
    assert found["started_at"] is not None  # only online games have one


def test_trap_23_ids_keep_their_case_and_their_first_eight(bench: Bench, shown: Shown) -> None:
    """Two ids that differ in case are two games; an id of twelve is the game of its first eight."""
    moves = ("e4 e5", "d4 d5", "c4 c5")
    records = [
        lila.record(n, lila.BASE + n * lila.DAY, id=one, pgn=_pgn(one[:8], moves[n]))
        for n, one in enumerate(("AbCdEfGh", "abcdefgh", "XyXyXyXy1234"))
    ]

    run_with(bench, served(lila.Lila(records)), ME)

    assert shown.ids() == ["AbCdEfGh", "abcdefgh", "XyXyXyXy"]


def _pgn(native_id: str, moves: str) -> str:
    """A game's PGN with that id."""
    return str(lila.record(1)["pgn"]).replace("game0001", native_id).replace("1. e4 1-0", f"1. {moves} 1-0")


def test_trap_24_a_running_game_is_no_final_one(bench: Bench, shown: Shown) -> None:
    """What is still played, shown three plies late, is not stored; once it is over the whole of it comes."""
    game = _played(bench, time_control="1/86400", status="started", plies=30, played=20)
    running = bench.run(ME)
    stored = bench.games()
    over = bench.sites.world.finish_game(game, at=OCTOBER + timedelta(days=9))
    bench.run(ME)

    assert (running.outcome, running.counts.left_out, stored) == (RoundEnd.DONE, 1, 0)
    assert (shown.game()["ply_count"], shown.game()["result"]) == (30, over.result)


def test_trap_25_a_later_title_makes_no_other_game(bench: Bench, shown: Shown) -> None:
    """Who becomes a master is the same player in the same game, told once."""
    _played(bench)
    bench.run(ME)
    bench.sites.world.change_player(LICHESS, "BianchiL", title="FM")

    report = bench.run(ME, full=True)

    assert report.counts.new == 0
    assert len(shown.game()["tellings"]) == 1


def test_trap_26_no_rating_change(bench: Bench, shown: Shown) -> None:
    """A casual game has none; it comes in like any other, with its ratings."""
    game = _played(bench, rated=False)
    bench.run(ME)

    assert game.white.change is None
    assert shown.game()["white"]["rating"] == game.white.rating
