"""The emulated lichess.org does what sites §1 and §8 say of the real one."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from tests.fetchers.site_emulator.asking import NDJSON, Asker, asking
from tests.fetchers.site_emulator.emulator import LICHESS, Ai, Guest

MARCH = datetime(2024, 3, 10, 12, tzinfo=UTC)


@pytest.fixture(name="ask")
def _ask() -> Iterator[Asker]:
    with asking() as asker:
        yield asker


def test_streams_games_as_ndjson_or_pgn(ask: Asker) -> None:
    """The Accept header decides; the answer is chunked and named after user and day."""
    game = ask.world.add_game(LICHESS, "mrossi90", "BianchiL", at=MARCH)
    ask.sites.clock = (MARCH + timedelta(days=1)).timestamp
    answer = ask.lichess("/api/games/user/MRossi90?pgnInJson=true", **NDJSON)
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert answer.headers["transfer-encoding"] == "chunked"
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["content-disposition"] == "attachment; filename=lichess_mrossi90_2024-03-11.json"
    (record,) = map(json.loads, answer.text.splitlines())
    assert record["id"] == game.id
    assert record["pgn"].endswith("\n\n\n")
    written = ask.lichess("/api/games/user/mrossi90", **{"Accept-Encoding": "identity"})
    assert written.headers["content-type"] == "application/x-chess-pgn"
    assert "content-encoding" not in written.headers
    assert written.text.startswith('[Event "rated blitz game"]\n[Site "https://lichess.org/')
    assert written.text.endswith(f" {game.result}\n\n\n")


def test_since_is_inclusive_and_until_exclusive(ask: Asker) -> None:
    """Both are compared with createdAt; the newest game comes first unless one asks otherwise."""
    games = [
        ask.world.add_game(LICHESS, "mrossi90", "BianchiL", at=MARCH + timedelta(hours=hour))
        for hour in range(3)
    ]
    first, second, third = (game.id for game in games)
    window = f"since={games[0].started}&until={games[2].started}"
    assert ask.ids(window) == [second, first]
    assert ask.ids(window + "&sort=dateAsc") == [first, second]
    assert ask.ids("sort=dateAsc&max=2") == [first, second]
    assert ask.ids(f"since={games[2].started}") == [third]
    assert ask.ids(f"since={games[2].started + 1}") == []


def test_filters_change_what_a_date_means(ask: Asker) -> None:
    """With rated, perfType, color or analysed the dates are those of the last move, both inclusive."""
    game = ask.world.add_game(
        LICHESS, "mrossi90", "BianchiL", at=MARCH, ended=MARCH + timedelta(days=90), time_control="1/86400"
    )
    later = game.started + 1
    assert ask.ids(f"since={later}") == []
    assert ask.ids(f"since={later}&until={game.ended}&rated=true") == [game.id]
    assert ask.ids("color=black") == []
    assert {v.rule for v in ask.sites.violations} == {"filter rated", "filter color"}


def test_hides_aborted_games_and_shows_those_that_never_started(ask: Asker) -> None:
    """`aborted` and running games come with ongoing=true; finished=false leaves only the running ones."""
    world = ask.world
    aborted = world.add_game(LICHESS, "mrossi90", "BianchiL", at=MARCH, status="aborted")
    absent = world.add_game(LICHESS, "mrossi90", "BianchiL", at=MARCH + timedelta(1), status="noStart")
    running = world.add_game(LICHESS, "mrossi90", "BianchiL", at=MARCH + timedelta(2), status="started")
    in_order = "sort=dateAsc"
    assert ask.ids(in_order) == [absent.id]
    assert ask.ids(in_order + "&ongoing=true") == [aborted.id, absent.id, running.id]
    assert ask.ids(in_order + "&ongoing=true&finished=false") == [running.id]
    answer = ask.games(in_order)[0]
    assert "moves" not in answer
    assert answer["createdAt"] == answer["lastMoveAt"]
    assert answer["winner"] in {"white", "black"}


@pytest.mark.parametrize(("played", "shown"), [(0, 0), (4, 4), (5, 5), (7, 5), (8, 5), (9, 6), (30, 27)])
def test_shows_a_running_game_three_plies_late(ask: Asker, played: int, shown: int) -> None:
    """The first five are shown at once, and no clock betrays a hidden move."""
    game = ask.world.add_game(LICHESS, "mrossi90", "BianchiL", status="started", plies=40, played=played)
    answer = ask.games("ongoing=true&clocks=true")[0]
    assert answer["moves"].split() == list(game.line.sans[:shown])
    assert len(answer.get("clocks", [])) == shown
    assert answer["status"] == "started"


def test_tells_a_finished_correspondence_game_under_its_old_date(ask: Asker) -> None:
    """A game of January that ends in June keeps its createdAt."""
    game = ask.world.add_game(
        LICHESS,
        "mrossi90",
        "BianchiL",
        at=MARCH,
        status="started",
        plies=20,
        played=8,
        time_control="1/172800",
    )
    assert ask.ids() == []
    ask.world.finish_game(game, at=MARCH + timedelta(days=100))
    answer = ask.games()[0]
    assert answer["createdAt"] == game.started
    assert answer["lastMoveAt"] == game.started + 100 * 86_400_000
    assert (answer["daysPerTurn"], answer["speed"]) == (2, "correspondence")
    assert len(answer["moves"].split()) == 20


def test_may_give_one_clock_more_than_moves(ask: Asker) -> None:
    """The clocks of a finished game hold one entry more than it has plies."""
    ask.world.add_game(LICHESS, "mrossi90", "BianchiL", plies=21)
    answer = ask.games("clocks=true")[0]
    assert (len(answer["moves"].split()), len(answer["clocks"])) == (21, 22)


def test_knows_players_without_accounts(ask: Asker) -> None:
    """The engine and strangers have no `user`; their games are casual."""
    ask.world.add_game(LICHESS, "mrossi90", Ai(3), at=MARCH)
    ask.world.add_game(LICHESS, Guest(), "mrossi90", at=MARCH + timedelta(1))
    stranger, engine = ask.games("pgnInJson=true")
    assert engine["players"]["black"] == {"aiLevel": 3}
    assert stranger["players"]["white"] == {}
    assert (engine["rated"], stranger["rated"]) == (False, False)
    assert '[Black "lichess AI level 3"]' in engine["pgn"]
    assert '[White "Anonymous"]' in stranger["pgn"]


def test_closed_account_has_a_profile_but_no_games(ask: Asker) -> None:
    """The profile answers 200 with `disabled`; the export 404. Nobody at all is 404 on both."""
    ask.world.add_game(LICHESS, "mrossi90", "BianchiL")
    ask.world.close_account(LICHESS, "BianchiL")
    assert ask.lichess("/api/user/bianchil").json() == {
        "id": "bianchil",
        "username": "BianchiL",
        "disabled": True,
    }
    assert ask.lichess("/api/games/user/bianchil").status_code == 404
    assert len(ask.ids()) == 1
    unknown = ask.lichess("/api/user/nobody")
    assert (unknown.status_code, unknown.content) == (404, b'{"error":"Not found"}')
    assert ask.lichess("/game/export/zzzzzzzz").content == b'{"error":"Not found"}'


def test_answers_404_without_a_user_agent(ask: Asker) -> None:
    """Not 403: the check against crawlers says that there is no such page."""
    answer = httpx.get(ask.sites.lichess_url + "/api/user/mrossi90", headers={"User-Agent": ""})
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert [violation.rule for violation in ask.sites.violations] == ["no contact in the User-Agent"]


def test_gives_two_downloads_to_one_address(ask: Asker) -> None:
    """A third one is 429 with the exact body; a slot is free again when its stream ends, or its client has gone."""
    for _ in range(30):
        ask.world.add_game(LICHESS, "mrossi90", "BianchiL", plies=2)
    ask.sites.fault(LICHESS, account="mrossi90", kind="stall", after=10, times=2)
    url = ask.sites.lichess_url + "/api/games/user/mrossi90"
    with ask.client.stream("GET", url), ask.client.stream("GET", url):
        third = ask.lichess("/api/games/user/mrossi90")
        assert third.status_code == 429
        assert third.content == b'{"error":"Please only run 1 request(s) at a time"}'
        assert "retry-after" not in third.headers
    assert len(ask.ids()) == 30
    rules = [violation.rule for violation in ask.sites.violations]
    assert rules == ["second request in flight"] * 2 + ["too soon after a 429"]


def test_answers_for_one_game_and_for_many_ids(ask: Asker) -> None:
    """One game has clocks and opening by default; by ids the newest comes first, whatever was asked first."""
    games = [ask.world.add_game(LICHESS, "mrossi90", "BianchiL", at=MARCH + timedelta(n)) for n in range(3)]
    one = ask.lichess(f"/game/export/{games[0].id}", Accept="application/json").json()
    assert one["id"] == games[0].id
    assert {"clocks", "opening"} <= one.keys()
    assert ask.lichess(f"/game/export/{games[0].id}").text == ask.sites.lichess_export(games[0])
    wanted = f"{games[0].id},zzzzzzzz,{games[2].id}"
    many = ask.client.post(ask.sites.lichess_url + "/api/games/export/_ids", content=wanted, headers=NDJSON)
    assert [json.loads(line)["id"] for line in many.text.splitlines()] == [games[2].id, games[0].id]


def test_profiles_and_presence(ask: Asker) -> None:
    """Unknown ids are left out silently; none at all is 400 for the presence."""
    ask.world.add_player(LICHESS, "BianchiL", title="WFM", marked=True)
    profile = ask.lichess("/api/user/bianchiL").json()
    assert (profile["username"], profile["title"], profile["tosViolation"]) == ("BianchiL", "WFM", True)
    assert profile["count"]["all"] == 0
    assert [
        p["id"]
        for p in ask.client.post(ask.sites.lichess_url + "/api/users", content="nobody,bianchil").json()
    ] == ["bianchil"]
    assert [p["id"] for p in ask.lichess("/api/users/status?ids=bianchil,nobody").json()] == ["bianchil"]
    nobody = ask.lichess("/api/users/status")
    assert (nobody.status_code, nobody.content) == (400, b'{"error":"No user ids provided"}')


def test_refuses_a_bad_token(ask: Asker) -> None:
    """401, where a good one is let through."""
    ask.world.add_player(LICHESS, "mrossi90")
    ask.world.tokens.add("lip_good")
    assert ask.lichess("/api/user/mrossi90", Authorization="Bearer lip_bad").status_code == 401
    assert ask.lichess("/api/user/mrossi90", Authorization="Bearer lip_good").status_code == 200


def test_writes_fide_ids_into_online_games(ask: Asker) -> None:
    """Titles and FIDE ids of those who linked them are in the PGN."""
    ask.world.add_player(LICHESS, "BianchiL", title="WFM", fide_id=999001)
    pgn = ask.sites.lichess_export(ask.world.add_game(LICHESS, "mrossi90", "BianchiL"))
    assert '[BlackTitle "WFM"]\n[BlackFideId "999001"]\n[Variant "Standard"]' in pgn
