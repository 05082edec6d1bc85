"""The traps of chess.com (sites traps 27 to 53), each through a real round, over HTTP, into a real archive."""

import json
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.game import Game as Read
from core.pgn.reader import parse
from daemon.archive.archive import open_archive
from daemon.archive.dossiers.rows import sync_dossiers
from daemon.config.configured import ConfiguredDossier
from daemon.sync.pacing import DAY, HOUR, RoundEnd
from daemon.sync.sync_round import Rounds
from tests.daemon.shown import HEAD, Shown, Worker
from tests.daemon.sync_rig import Bench
from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Emulator, Game

ME = "chesscom:rossi-mario"
GAMES = "/pub/player/rossi-mario/games/"
NOVEMBER = datetime(2026, 11, 5, 18, tzinfo=UTC)
AUGUST = datetime(2026, 8, 6, 18, tzinfo=UTC)
ODDS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"


@pytest.fixture
def bench(sqlite_path: Path) -> Iterator[Bench]:
    """An empty archive and a chess.com with two players."""
    with open_archive(sqlite_path) as archive, Emulator(seed=12) as sites:
        for handle in ("Rossi-Mario", "BianchiL"):
            sites.world.add_player(CHESSCOM, handle)
        yield Bench(archive, sites)


def _played(bench: Bench, **more: Any) -> Game:
    """A game of the two, on an evening of November unless said otherwise."""
    wanted: dict[str, Any] = {"at": NOVEMBER, **more}
    return bench.sites.world.add_game(CHESSCOM, "Rossi-Mario", "BianchiL", **wanted)


def _asked(bench: Bench) -> list[str]:
    """What was asked for below the games of the account since the log was cleared."""
    paths = [one.path for one in bench.sites.requests]
    return [path.removeprefix(GAMES) for path in paths if path.startswith(GAMES)]


def test_trap_27_one_request_at_a_time(bench: Bench) -> None:
    """Two accounts with three months each: the site never sees two requests at once."""
    for month in (8, 9, 10):
        _played(bench, at=AUGUST.replace(month=month))
    bench.account(ME), bench.account("chesscom:bianchil")
    with Worker(bench, CHESSCOM) as chesscom:
        chesscom.tick()

    assert len(bench.sites.requests) > 8
    assert bench.games() == 3
    assert not bench.sites.violations


def test_trap_28_a_page_with_403_is_about_us(bench: Bench, shown: Shown) -> None:
    """It is a matter of our User-Agent: nobody is gone, the site is left alone for an hour, `status` says so."""
    bench.sites.fault(CHESSCOM, kind="html", code=403, times=None)

    report = bench.run(ME)

    site = shown.site("chesscom", bench.now)
    assert (report.outcome, report.due_at) == (RoundEnd.BLOCKED, bench.now + HOUR)
    assert bench.account(ME).state == "new"
    assert site["state"] == "blocked"
    assert "refuses our User-Agent" in (site["error"] or "")


def test_trap_29_an_odd_last_modified_goes_back_as_it_came(bench: Bench) -> None:
    """It is not a date of any standard; the site gets its own text again, and answers 304."""
    _played(bench)
    bench.run(ME)
    bench.sites.clear_log()
    bench.run(ME)

    (again,) = [one for one in bench.sites.requests if one.path.endswith("2026/11")]
    assert again.headers["if-modified-since"] == "Thursday, 05-Nov-2026 18:02:00 GMT+0000"
    assert again.status == 304


def test_trap_30_a_weak_etag_stays_weak(bench: Bench) -> None:
    """`W/` is a part of it."""
    _played(bench)
    bench.run(ME)
    bench.sites.clear_log()
    bench.run(ME)

    (again,) = [one for one in bench.sites.requests if one.path.endswith("2026/11")]
    assert again.headers["if-none-match"].startswith('W/"')


def test_trap_31_a_month_that_is_over_still_changes(bench: Bench, shown: Shown) -> None:
    """Accuracies and a forgotten game come to August in November: it is asked by its ETag, nothing comes twice."""
    game = _played(bench, at=AUGUST)
    late = _played(bench, at=AUGUST + timedelta(1), cached=False)
    bench.run(ME)
    bench.sites.world.analyse(game)
    bench.sites.world.tell(late)
    bench.now += 31 * DAY
    bench.sites.clear_log()

    report = bench.run(ME)

    (again,) = [one for one in bench.sites.requests if one.path.endswith("2026/08")]
    assert "if-none-match" in again.headers
    assert (report.counts.new, report.counts.unchanged) == (1, 1)
    assert [len(one["tellings"]) for one in shown.games()] == [1, 1]


def test_trap_32_only_months_with_games_are_asked_for(bench: Bench) -> None:
    """Not one after the other since the beginning: those of the list, and the two recent ones, empty or not."""
    _played(bench, at=AUGUST.replace(year=2024))
    _played(bench, at=AUGUST)

    assert bench.run(ME).outcome is RoundEnd.DONE
    assert _asked(bench) == ["archives", "2024/08", "2026/08", "2026/10", "2026/11"]


def test_trap_33_the_list_may_be_a_day_late(bench: Bench) -> None:
    """On the first of December the list knows no December: it is asked for all the same."""
    bench.now = datetime(2026, 12, 1, 9, tzinfo=UTC).timestamp()
    _played(bench, at=datetime(2026, 12, 1, 1, tzinfo=UTC), listed=False)

    assert bench.run(ME).counts.new == 1
    assert _asked(bench) == ["archives", "2026/11", "2026/12"]


def test_trap_34_a_game_stands_in_the_month_of_its_end(bench: Bench, shown: Shown) -> None:
    """Begun in August, over in November: it comes with November, under its own day of August."""
    bench.run(ME)
    _played(bench, at=AUGUST, ended=NOVEMBER, time_control="1/86400")

    assert bench.run(ME).counts.new == 1
    assert shown.game()["date"] == "2026.08.06"
    assert "2026/08" not in _asked(bench)


def test_trap_35_the_clock_on_our_wall_counts_for_nothing(
    bench: Bench, shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Tokyo it is December already: the month is November still, and the game has its time in UTC."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        bench.now = datetime(2026, 11, 30, 23, 50, tzinfo=UTC).timestamp()
        _played(bench, at=datetime(2026, 11, 30, 23, 30, tzinfo=UTC))
        bench.run(ME)
    finally:
        monkeypatch.undo()
        time.tzset()

    assert "2026/12" not in _asked(bench)
    assert (shown.game()["date"], shown.game()["started_at"]) == ("2026.11.30", "2026-11-30T23:30:00Z")


def test_trap_35_the_websites_file_has_a_zone_of_its_own() -> None:
    """`EndTime "22:38:19 PST"` moves no date."""
    game = parse(
        b'[Event "Live Chess"]\n[Site "Chess.com"]\n[Date "2021.02.03"]\n[White "mrossi90"]\n[Black "BianchiL"]\n'
        b'[Result "1-0"]\n[EndTime "22:38:19 PST"]\n\n1. e4 1-0\n'
    )
    assert isinstance(game, Read)
    assert str(game.date) == "2021.02.03"
    assert game.started_at is None


def test_trap_36_bughouse_has_no_pgn(bench: Bench, shown: Shown) -> None:
    """It is counted and left out, its neighbour comes, and the month is not fetched again for it."""
    _played(bench, variant="bughouse", status="bughousepartnerlose")
    _played(bench, at=NOVEMBER + timedelta(1))

    first, second = bench.run(ME), bench.run(ME)

    assert (first.outcome, first.counts.new, first.counts.left_out) == (RoundEnd.DONE, 1, 1)
    assert second.counts.read == 0
    assert not shown.quarantine()


def test_trap_37_a_number_alone_is_no_key(bench: Bench, shown: Shown) -> None:
    """One number of a live and of a daily game is two games; one game under three addresses is one."""
    live = _played(bench, id="live/285275822")
    _played(bench, at=NOVEMBER + timedelta(1), id="daily/285275822", time_control="1/86400")
    bench.run(ME)
    for form in ("old", "uuid", "kind"):
        bench.sites.world.change_game(live, url_form=form)
        assert bench.run(ME, full=True).counts.new == 0

    assert shown.ids() == ["live/285275822", "daily/285275822"]
    assert [len(one["tellings"]) for one in shown.games()] == [1, 1]


def test_trap_38_numbers_do_not_follow_time(bench: Bench, shown: Shown) -> None:
    """A game with a smaller number than all known ones is new all the same."""
    _played(bench, id="live/900")
    bench.run(ME)
    _played(bench, at=NOVEMBER + timedelta(1), id="live/100")

    assert bench.run(ME).counts.new == 1
    assert shown.ids() == ["live/900", "live/100"]


def test_trap_39_a_coach_is_no_opponent_of_a_daily_game(bench: Bench, shown: Shown) -> None:
    """The number in its address is another game's: both are kept apart, and it has no time class."""
    _played(bench, id="daily/234150049", time_control="1/86400")
    coached: dict[str, Any] = {
        "time_control": "-",
        "event": "Play vs Coach",
        "rated": False,
        "id": "daily/234150048",
    }
    world = bench.sites.world
    world.add_game(CHESSCOM, "Rossi-Mario", "Coach-Magnus", at=NOVEMBER + timedelta(1), **coached)
    bench.run(ME)

    assert shown.ids() == ["daily/234150049", "coach/234150048"]
    assert [one["time_class"] for one in shown.games()] == ["daily", None]


def test_trap_40_fen_is_the_last_position(bench: Bench, shown: Shown) -> None:
    """A usual game starts as usual, although the record has a `fen`; a Chess960 game starts at its own."""
    _played(bench)
    mixed = _played(bench, at=NOVEMBER + timedelta(1), variant="chess960")
    bench.run(ME)

    usual, other = shown.games()
    assert usual["start_fen"] is None
    assert (other["start_fen"] or "").split()[0] == (mixed.line.start or "").split()[0]


def test_trap_41_rules_chess_may_start_elsewhere(bench: Bench, shown: Shown) -> None:
    """A thematic game, and one without a queen, are played from where they start."""
    thematic = "rnbqkbnr/pppp1ppp/8/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 2"
    _played(bench, variant="fromPosition", start=thematic)
    _played(bench, at=NOVEMBER + timedelta(1), variant="oddschess", start=ODDS, rated=False)

    assert bench.run(ME).counts.quarantined == 0
    starts = [(one["start_fen"] or "").split()[0] for one in shown.games()]
    assert starts == [thematic.split(maxsplit=1)[0], ODDS.split(maxsplit=1)[0]]


def test_trap_42_the_text_of_the_end_names_no_winner(bench: Bench, shown: Shown) -> None:
    """White won as "Rossi-Mario" and is called otherwise now: by the result, White won."""
    _played(bench, winner="white", status="resigned")
    bench.sites.world.rename(CHESSCOM, "Rossi-Mario", "MarioR")
    bench.run("chesscom:MarioR")

    game = shown.game()
    assert (game["white"]["written"], game["result"]) == ("MarioR", "1-0")
    assert game["termination"] == "Rossi-Mario won by resignation"


def test_trap_43_timeout_is_two_things(bench: Bench, shown: Shown) -> None:
    """A flag at chess.com, somebody who left at lichess: each game has its result and its own site's words."""
    _played(bench, winner="white", status="timeout")
    for day, status in enumerate(("timeout", "outoftime")):
        at = NOVEMBER + timedelta(days=day)
        bench.sites.world.add_game(LICHESS, "mrossi90", "BianchiL", at=at, winner="black", status=status)
    bench.run(ME)
    bench.run("lichess:mrossi90")

    assert [one["result"] for one in shown.games()] == ["1-0", "0-1", "0-1"]
    assert shown.games()[0]["termination"] == "Rossi-Mario won on time"


def test_trap_44_ratings_before_and_after(bench: Bench, shown: Shown) -> None:
    """As each site tells them: chess.com the one after the game, lichess the one before."""
    ours = _played(bench, winner="white", status="resigned")
    theirs = bench.sites.world.add_game(
        LICHESS, "mrossi90", "BianchiL", at=NOVEMBER, winner="white", status="resign"
    )
    bench.run(ME)
    bench.run("lichess:mrossi90")

    assert ours.white.change, theirs.white.change
    after, before = (one["white"]["rating"] for one in shown.games())
    assert after == (ours.white.rating or 0) + ours.white.change
    assert before == theirs.white.rating


def test_trap_45_clocks_of_daily_games_say_nothing(bench: Bench, shown: Shown) -> None:
    """Spent or left, depending on the year: the time class comes from the time control, the clocks stay in the PGN."""
    _played(bench, time_control="1/86400", ended=NOVEMBER + timedelta(9))
    bench.run(ME)

    game = shown.game()
    assert (game["time_class"], game["time_control"]) == ("daily", "1/86400")
    assert "[%clk 0:00:00.3]" in shown.text_of(game["id"])


def test_trap_46_clocks_of_every_width(shown: Shown, tmp_path: Path) -> None:
    """Hundreds of hours, tenths, minutes over the base: no move is lost over them, and the text stays."""
    moves = (
        "1. e4 {[%clk 335:59:52]} e5 {[%clk 0:00:00.3]} 2. Nf3 {[%clk 25:02.6]} Nc6 {[%clk 0:25:02.6]} 1-0"
    )

    assert shown.bring(tmp_path, f"{HEAD}\n{moves}\n").quarantined == 0
    assert shown.game()["ply_count"] == 4
    assert moves in shown.text_of(shown.game()["id"])


def test_trap_47_the_display_form_stands_in_the_address(bench: Bench, shown: Shown) -> None:
    """`username` is in lower case; people see "Rossi-Mario", however it was typed."""
    bench.run("chesscom:ROSSI-MARIO")

    assert shown.account(ME, bench.now)["name"] == "Rossi-Mario"


def test_trap_48_a_renamed_account(bench: Bench, shown: Shown) -> None:
    """The same `player_id` under another handle: no game twice, the old handle stays as an alias with its games."""
    _played(bench)
    bench.run(ME)
    bench.sites.world.rename(CHESSCOM, "Rossi-Mario", "MarioR")
    bench.now += DAY

    assert bench.run("chesscom:MarioR").counts.new == 0
    assert shown.account(ME, bench.now)["state"] == "renamed"
    assert bench.games() == 1


def test_trap_49_closed_for_foul_play(bench: Bench, shown: Shown) -> None:
    """The games stay, the account is marked as closed."""
    _played(bench)
    bench.run(ME)
    bench.sites.world.close_account(CHESSCOM, "Rossi-Mario", "closed:fair_play_violations")
    bench.now += 8 * DAY

    assert bench.run(ME).outcome is RoundEnd.CLOSED
    account = shown.account(ME, bench.now)
    assert (account["state"], account["games"]) == ("closed", 1)


def test_trap_50_players_may_be_addresses(bench: Bench, shown: Shown) -> None:
    """Where a record has addresses for its players, as that of a running game, the PGN names them."""
    game = _played(bench)
    record = _month(bench)
    for side in ("white", "black"):
        record["games"][0][side] = f"https://api.chess.com/pub/player/{side}"
    _replay(bench, record)

    assert bench.run(ME).counts.new == 1
    assert shown.game()["white"]["written"] == game.white.name == "Rossi-Mario"


def _month(bench: Bench) -> dict[str, Any]:
    """November as the site tells it."""
    answer = httpx.get(
        f"{bench.sites.chesscom_url}/player/rossi-mario/games/2026/11",
        headers={"User-Agent": "tests (+contact: rossi@example.org)"},
    )
    record: dict[str, Any] = answer.json()
    return record


def _replay(bench: Bench, record: Any, content_type: str = "application/json") -> None:
    body, headers = json.dumps(record).encode(), {"Content-Type": content_type}
    bench.sites.replay(CHESSCOM, GAMES + "2026/11", body, headers)


def test_trap_51_a_handle_is_no_person(bench: Bench, shown: Shown, tmp_path: Path) -> None:
    """One handle on two sites is two accounts with their own games; neither is "Mario Rossi", whatever they play."""
    bench.sites.world.add_game(CHESSCOM, "mario-rossi", "BianchiL", at=NOVEMBER)
    bench.sites.world.add_game(LICHESS, "mario-rossi", "Verdi_G", at=NOVEMBER)
    keys = ["chesscom:mario-rossi", "lichess:mario-rossi"]
    for key in keys:
        bench.run(key)
    shown.bring(tmp_path, HEAD.replace("Rossi, Mario", "Mario Rossi") + "\n1. e4 1-0\n")
    with bench.archive.writing() as connection:
        sync_dossiers(connection, [ConfiguredDossier("Mario", "mario", None, [], ["lichess:mario-rossi"])])

    assert [[one["tellings"][0]["accounts"] for one in shown.games(account=key)] for key in keys] == [
        [[key]] for key in keys
    ]
    assert all(one["tellings"][0]["file"] is None for one in shown.games(dossier="mario"))


def test_trap_52_410_is_for_ever(bench: Bench) -> None:
    """A month that is gone is never asked for again, in a full round neither; the others come."""
    _played(bench, at=AUGUST)
    _played(bench)
    bench.sites.fault(CHESSCOM, GAMES + "2026/08", kind="status", code=410)

    assert bench.run(ME).counts.new == 1
    bench.sites.clear_log()
    bench.now += 40 * DAY
    bench.run(ME)
    bench.run(ME, full=True)
    assert "2026/08" not in _asked(bench)


def test_trap_53_redirects_are_avoided_followed_and_remembered(bench: Bench) -> None:
    """Asked in lower case the site need not redirect; where it does, inside its host, it is asked there at once."""
    _played(bench)
    moved = bench.sites.chesscom_url + "/player/bianchil/games/archives"
    bench.sites.fault(CHESSCOM, GAMES + "archives", kind="redirect", code=301, location=moved)
    account = bench.account("chesscom:ROSSI-MARIO")
    with closing(bench.fetcher(CHESSCOM)) as fetcher:
        rounds = Rounds(bench.archive, fetcher, stop=bench.stop, clock=lambda: bench.now)
        outcomes = [rounds.run(account).outcome for _ in range(2)]

    assert outcomes == [RoundEnd.DONE] * 2
    assert [one.status for one in bench.sites.requests if one.path == GAMES + "archives"] == [301]
    assert bench.games() == 1
    assert not bench.sites.violations


def test_trap_53_a_redirect_elsewhere_is_not_followed(bench: Bench) -> None:
    """What leads to another host is not an answer of this site."""
    bench.sites.fault(CHESSCOM, kind="redirect", code=301, location=bench.sites.lichess_url, times=None)

    assert bench.run(ME).outcome is not RoundEnd.DONE
    assert {one.site for one in bench.sites.requests} == {CHESSCOM}
