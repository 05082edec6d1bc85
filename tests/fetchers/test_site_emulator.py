"""The emulated sites do what CONTRACTS §8 says that the real ones do."""

import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import chess.pgn
import httpx
import pytest

from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Ai, Emulator, Guest, World, sample_world

ME = "tests (+contact: rossi@example.org)"
MARCH = datetime(2024, 3, 10, 12, tzinfo=UTC)
NDJSON = {"Accept": "application/x-ndjson"}


@pytest.fixture
def sites() -> Iterator[Emulator]:
    """Both sites over an empty world."""
    with Emulator(seed=1) as emulator:
        yield emulator


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    """A client with good manners."""
    with httpx.Client(headers={"User-Agent": ME}, timeout=30) as polite:
        yield polite


@pytest.fixture
def lichess(sites: Emulator, client: httpx.Client):
    """Ask lichess for a path."""
    return lambda path, **more: client.get(sites.lichess_url + path, **more)


@pytest.fixture
def chesscom(sites: Emulator, client: httpx.Client):
    """Ask chess.com for a path of one player."""
    return lambda path, **more: client.get(f"{sites.chesscom_url}/player/{path}", **more)


def records(answer: httpx.Response) -> list[dict]:
    """The games of an ndjson answer."""
    return [json.loads(line) for line in answer.text.splitlines()]


def ids(answer: httpx.Response) -> list[str]:
    """The ids of an ndjson answer, in order."""
    return [record["id"] for record in records(answer)]


# lichess


def test_lichess_streams_games_as_ndjson_or_pgn(sites: Emulator, lichess) -> None:
    """The Accept header decides; the answer is chunked and named after user and day."""
    game = sites.world.add_game(LICHESS, "mrossi90", "BianchiL", at=MARCH)
    sites.clock = (MARCH + timedelta(days=1)).timestamp
    told = lichess("/api/games/user/MRossi90?pgnInJson=true", headers=NDJSON)
    assert told.headers["content-type"] == "application/x-ndjson"
    assert told.headers["transfer-encoding"] == "chunked"
    assert told.headers["content-encoding"] == "gzip"
    assert told.headers["content-disposition"] == "attachment; filename=lichess_mrossi90_2024-03-11.json"
    assert ids(told) == [game.id]
    assert records(told)[0]["pgn"].endswith("\n\n\n")
    written = lichess("/api/games/user/mrossi90", headers={"Accept-Encoding": "identity"})
    assert written.headers["content-type"] == "application/x-chess-pgn"
    assert "content-encoding" not in written.headers
    assert written.text.startswith('[Event "rated blitz game"]\n[Site "https://lichess.org/')
    assert written.text.endswith(f" {game.result}\n\n\n")


def test_lichess_since_is_inclusive_and_until_exclusive(sites: Emulator, lichess) -> None:
    """Both are compared with createdAt; the newest game comes first unless one asks otherwise."""
    games = [
        sites.world.add_game(LICHESS, "mrossi90", "BianchiL", at=MARCH + timedelta(hours=hour))
        for hour in range(3)
    ]
    first, second, third = (game.id for game in games)
    window = f"/api/games/user/mrossi90?since={games[0].started}&until={games[2].started}"
    assert ids(lichess(window, headers=NDJSON)) == [second, first]
    assert ids(lichess(window + "&sort=dateAsc", headers=NDJSON)) == [first, second]
    assert ids(lichess("/api/games/user/mrossi90?sort=dateAsc&max=2", headers=NDJSON)) == [first, second]
    assert ids(lichess(f"/api/games/user/mrossi90?since={games[2].started}", headers=NDJSON)) == [third]
    assert ids(lichess(f"/api/games/user/mrossi90?since={games[2].started + 1}", headers=NDJSON)) == []


def test_lichess_filters_change_what_a_date_means(sites: Emulator, lichess) -> None:
    """With rated, perfType, color or analysed the dates are those of the last move, both inclusive."""
    game = sites.world.add_game(
        LICHESS, "mrossi90", "BianchiL", at=MARCH, ended=MARCH + timedelta(days=90), time_control="1/86400"
    )
    later = game.started + 1
    assert ids(lichess(f"/api/games/user/mrossi90?since={later}", headers=NDJSON)) == []
    found = lichess(f"/api/games/user/mrossi90?since={later}&until={game.ended}&rated=true", headers=NDJSON)
    assert ids(found) == [game.id]
    assert ids(lichess("/api/games/user/mrossi90?color=black", headers=NDJSON)) == []
    assert {v.rule for v in sites.violations} == {"filter rated", "filter color"}


def test_lichess_hides_aborted_games_and_shows_those_that_never_started(sites: Emulator, lichess) -> None:
    """`aborted` and running games come with ongoing=true; finished=false leaves only the running ones."""
    world = sites.world
    aborted = world.add_game(LICHESS, "mrossi90", "BianchiL", at=MARCH, status="aborted")
    absent = world.add_game(LICHESS, "mrossi90", "BianchiL", at=MARCH + timedelta(1), status="noStart")
    running = world.add_game(LICHESS, "mrossi90", "BianchiL", at=MARCH + timedelta(2), status="started")
    ask = "/api/games/user/mrossi90?sort=dateAsc"
    assert ids(lichess(ask, headers=NDJSON)) == [absent.id]
    assert ids(lichess(ask + "&ongoing=true", headers=NDJSON)) == [aborted.id, absent.id, running.id]
    assert ids(lichess(ask + "&ongoing=true&finished=false", headers=NDJSON)) == [running.id]
    told = records(lichess(ask, headers=NDJSON))[0]
    assert "moves" not in told
    assert told["createdAt"] == told["lastMoveAt"]
    assert told["winner"] in {"white", "black"}


@pytest.mark.parametrize(("played", "shown"), [(0, 0), (4, 4), (5, 5), (7, 5), (8, 5), (9, 6), (30, 27)])
def test_lichess_shows_a_running_game_three_plies_late(
    sites: Emulator, lichess, played: int, shown: int
) -> None:
    """The first five are shown at once, and no clock betrays a hidden move."""
    game = sites.world.add_game(LICHESS, "mrossi90", "BianchiL", status="started", plies=40, played=played)
    told = records(lichess("/api/games/user/mrossi90?ongoing=true&clocks=true", headers=NDJSON))[0]
    assert told["moves"].split() == list(game.line.sans[:shown])
    assert len(told.get("clocks", [])) == shown
    assert told["status"] == "started"


def test_lichess_tells_a_finished_correspondence_game_under_its_old_date(sites: Emulator, lichess) -> None:
    """A game of January that ends in June keeps its createdAt."""
    game = sites.world.add_game(
        LICHESS,
        "mrossi90",
        "BianchiL",
        at=MARCH,
        status="started",
        plies=20,
        played=8,
        time_control="1/172800",
    )
    assert ids(lichess("/api/games/user/mrossi90", headers=NDJSON)) == []
    sites.world.finish_game(game, at=MARCH + timedelta(days=100))
    told = records(lichess("/api/games/user/mrossi90", headers=NDJSON))[0]
    assert told["createdAt"] == game.started
    assert told["lastMoveAt"] == game.started + 100 * 86_400_000
    assert (told["daysPerTurn"], told["speed"]) == (2, "correspondence")
    assert len(told["moves"].split()) == 20


def test_lichess_may_give_one_clock_more_than_moves(sites: Emulator, lichess) -> None:
    """The clocks of a finished game hold one entry more than it has plies."""
    sites.world.add_game(LICHESS, "mrossi90", "BianchiL", plies=21)
    told = records(lichess("/api/games/user/mrossi90?clocks=true", headers=NDJSON))[0]
    assert (len(told["moves"].split()), len(told["clocks"])) == (21, 22)


def test_lichess_knows_players_without_accounts(sites: Emulator, lichess) -> None:
    """The engine and strangers have no `user`; their games are casual."""
    sites.world.add_game(LICHESS, "mrossi90", Ai(3), at=MARCH)
    sites.world.add_game(LICHESS, Guest(), "mrossi90", at=MARCH + timedelta(1))
    stranger, engine = records(lichess("/api/games/user/mrossi90?pgnInJson=true", headers=NDJSON))
    assert engine["players"]["black"] == {"aiLevel": 3}
    assert stranger["players"]["white"] == {}
    assert (engine["rated"], stranger["rated"]) == (False, False)
    assert '[Black "lichess AI level 3"]' in engine["pgn"]
    assert '[White "Anonymous"]' in stranger["pgn"]


def test_lichess_closed_account_has_a_profile_but_no_games(sites: Emulator, lichess) -> None:
    """The profile answers 200 with `disabled`; the export 404. Nobody at all is 404 on both."""
    sites.world.add_game(LICHESS, "mrossi90", "BianchiL")
    sites.world.close_account(LICHESS, "BianchiL")
    assert lichess("/api/user/bianchil").json() == {
        "id": "bianchil",
        "username": "BianchiL",
        "disabled": True,
    }
    assert lichess("/api/games/user/bianchil").status_code == 404
    assert len(ids(lichess("/api/games/user/mrossi90", headers=NDJSON))) == 1
    unknown = lichess("/api/user/nobody")
    assert (unknown.status_code, unknown.content) == (404, b'{"error":"Not found"}')
    assert lichess("/game/export/zzzzzzzz").content == b'{"error":"Not found"}'


def test_lichess_answers_404_without_a_user_agent(sites: Emulator) -> None:
    """Not 403: the check against crawlers says that there is no such page."""
    answer = httpx.get(sites.lichess_url + "/api/user/mrossi90", headers={"User-Agent": ""})
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert [violation.rule for violation in sites.violations] == ["no contact in the User-Agent"]


def test_lichess_gives_two_downloads_to_one_address(sites: Emulator, client: httpx.Client, lichess) -> None:
    """A third one is 429 with the exact body; a slot is free again when its stream ends, or its client has gone."""
    for _ in range(30):
        sites.world.add_game(LICHESS, "mrossi90", "BianchiL", plies=2)
    sites.fault(LICHESS, account="mrossi90", kind="stall", after=10, times=2)
    url = sites.lichess_url + "/api/games/user/mrossi90"
    with client.stream("GET", url), client.stream("GET", url):
        third = lichess("/api/games/user/mrossi90")
        assert third.status_code == 429
        assert third.content == b'{"error":"Please only run 1 request(s) at a time"}'
        assert "retry-after" not in third.headers
    assert len(ids(lichess("/api/games/user/mrossi90", headers=NDJSON))) == 30
    rules = [violation.rule for violation in sites.violations]
    assert rules == ["second request in flight"] * 2 + ["too soon after a 429"]


def test_lichess_answers_for_one_game_and_for_many_ids(
    sites: Emulator, client: httpx.Client, lichess
) -> None:
    """One game has clocks and opening by default; by ids the newest comes first, whatever was asked first."""
    games = [sites.world.add_game(LICHESS, "mrossi90", "BianchiL", at=MARCH + timedelta(n)) for n in range(3)]
    one = lichess(f"/game/export/{games[0].id}", headers={"Accept": "application/json"}).json()
    assert one["id"] == games[0].id
    assert {"clocks", "opening"} <= one.keys()
    assert lichess(f"/game/export/{games[0].id}").text == sites.lichess_export(games[0])
    wanted = ",".join([games[0].id, "zzzzzzzz", games[2].id])
    many = client.post(sites.lichess_url + "/api/games/export/_ids", content=wanted, headers=NDJSON)
    assert ids(many) == [games[2].id, games[0].id]


def test_lichess_profiles_and_presence(sites: Emulator, client: httpx.Client, lichess) -> None:
    """Unknown ids are left out silently; none at all is 400 for the presence."""
    sites.world.add_player(LICHESS, "BianchiL", title="WFM", marked=True)
    profile = lichess("/api/user/bianchiL").json()
    assert (profile["username"], profile["title"], profile["tosViolation"]) == ("BianchiL", "WFM", True)
    assert profile["count"]["all"] == 0
    assert [
        p["id"] for p in client.post(sites.lichess_url + "/api/users", content="nobody,bianchil").json()
    ] == ["bianchil"]
    assert [p["id"] for p in lichess("/api/users/status?ids=bianchil,nobody").json()] == ["bianchil"]
    nobody = lichess("/api/users/status")
    assert (nobody.status_code, nobody.content) == (400, b'{"error":"No user ids provided"}')


def test_lichess_refuses_a_bad_token(sites: Emulator, lichess) -> None:
    """401, where a good one is let through."""
    sites.world.add_player(LICHESS, "mrossi90")
    sites.world.tokens.add("lip_good")
    assert lichess("/api/user/mrossi90", headers={"Authorization": "Bearer lip_bad"}).status_code == 401
    assert lichess("/api/user/mrossi90", headers={"Authorization": "Bearer lip_good"}).status_code == 200


def test_lichess_writes_fide_ids_into_online_games(sites: Emulator) -> None:
    """Titles and FIDE ids of those who linked them stand in the PGN."""
    sites.world.add_player(LICHESS, "BianchiL", title="WFM", fide_id=999001)
    pgn = sites.lichess_export(sites.world.add_game(LICHESS, "mrossi90", "BianchiL"))
    assert '[BlackTitle "WFM"]\n[BlackFideId "999001"]\n[Variant "Standard"]' in pgn


# chess.com


def month(answer: httpx.Response) -> list[str]:
    """The URLs of the games of a month."""
    return [game["url"] for game in answer.json()["games"]]


def test_chesscom_files_a_game_by_its_end(sites: Emulator, chesscom) -> None:
    """A daily game of March that ends in May stands in May; months without games are not listed, but answer."""
    game = sites.world.add_game(
        CHESSCOM,
        "rossi-mario",
        "BianchiL",
        at=MARCH,
        ended=datetime(2024, 5, 1, tzinfo=UTC),
        time_control="1/86400",
    )
    archives = chesscom("rossi-mario/games/archives").json()["archives"]
    assert archives == [f"{sites.chesscom_url}/player/rossi-mario/games/2024/05"]
    told = chesscom("rossi-mario/games/2024/05").json()["games"][0]
    assert (told["start_time"], told["end_time"]) == (game.started // 1000, game.ended // 1000)
    assert chesscom("rossi-mario/games/2024/03").content == b'{"games":[]}'


def test_chesscom_month_is_in_the_order_of_the_ends_whatever_the_numbers(sites: Emulator, chesscom) -> None:
    """Numbers are not monotone, ends are."""
    for hour, number in ((1, 900), (2, 100), (3, 500)):
        sites.world.add_game(
            CHESSCOM, "rossi-mario", "BianchiL", at=MARCH + timedelta(hours=hour), id=f"live/{number}"
        )
    assert [url.rsplit("/", 1)[1] for url in month(chesscom("rossi-mario/games/2024/03"))] == [
        "900",
        "100",
        "500",
    ]


def test_chesscom_sends_mixed_case_to_lower_case(sites: Emulator, chesscom) -> None:
    """301, and it counts as bad manners."""
    sites.world.add_player(CHESSCOM, "Rossi-Mario")
    answer = chesscom("Rossi-Mario/games/archives")
    assert answer.status_code == 301
    assert answer.headers["location"] == f"{sites.chesscom_url}/player/rossi-mario/games/archives"
    assert chesscom("rossi-mario").json()["url"] == "https://www.chess.com/member/Rossi-Mario"
    assert [violation.rule for violation in sites.violations] == ["upper-case handle"]


def test_chesscom_month_as_pgn_ends_without_a_blank_line(sites: Emulator, chesscom) -> None:
    """One line feed ends the last game; a blank line stands between two."""
    for hour in (1, 2):
        sites.world.add_game(
            CHESSCOM, "rossi-mario", "BianchiL", at=MARCH + timedelta(hours=hour), status="resigned"
        )
    answer = chesscom("rossi-mario/games/2024/03/pgn")
    assert answer.headers["content-type"] == "application/vnd.chess-pgn; charset=utf-8; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="ChessCom_rossi-mario_202403.pgn"'
    assert answer.text[-4:-1] in {"1-0", "0-1"}
    assert answer.text.endswith("\n")
    assert answer.text.count("\n\n[Event ") == 1
    pgns = [game["pgn"] for game in chesscom("rossi-mario/games/2024/03").json()["games"]]
    assert answer.text == "\n".join(pgns)


def test_chesscom_validators_are_odd_and_work(sites: Emulator, chesscom) -> None:
    """Weak ETag, a Last-Modified of no standard, an Expires without GMT; 304 without a body for either."""
    sites.world.add_game(CHESSCOM, "rossi-mario", "BianchiL", at=MARCH)
    path = "rossi-mario/games/2024/03"
    first = chesscom(path)
    etag, modified = first.headers["etag"], first.headers["last-modified"]
    assert etag.startswith('W/"')
    assert modified == "Sunday, 10-Mar-2024 12:02:00 GMT+0000"
    assert not chesscom("rossi-mario/games/archives").headers["expires"].endswith("GMT")
    for validator in ({"If-None-Match": etag}, {"If-Modified-Since": modified}):
        again = chesscom(path, headers=validator)
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
    assert chesscom(path, headers={"If-None-Match": etag.removeprefix("W/")}).status_code == 200


def test_chesscom_accuracies_come_later_and_change_the_etag(sites: Emulator, chesscom) -> None:
    """A month that is over changes all the same."""
    game = sites.world.add_game(CHESSCOM, "rossi-mario", "BianchiL", at=MARCH)
    path = "rossi-mario/games/2024/03"
    before = chesscom(path)
    sites.world.analyse(game, 81.25, 77.5)
    after = chesscom(path, headers={"If-None-Match": before.headers["etag"]})
    assert after.status_code == 200
    assert after.json()["games"][0]["accuracies"] == {"white": 81.25, "black": 77.5}


def test_chesscom_last_modified_moves_without_a_change(sites: Emulator, chesscom) -> None:
    """The server writes a month again years later: same games, same ETag, other date."""
    sites.world.add_game(CHESSCOM, "rossi-mario", "BianchiL", at=MARCH)
    path = "rossi-mario/games/2024/03"
    before = chesscom(path)
    sites.world.regenerate(f"/pub/player/{path}", datetime(2025, 10, 17, 22, 34, 57, tzinfo=UTC))
    after = chesscom(path)
    assert after.headers["last-modified"] == "Friday, 17-Oct-2025 22:34:57 GMT+0000"
    assert (after.content, after.headers["etag"]) == (before.content, before.headers["etag"])


def test_chesscom_wants_a_contact(sites: Emulator) -> None:
    """403 with an HTML page, which is no word about the user."""
    answer = httpx.get(f"{sites.chesscom_url}/player/rossi-mario", headers={"User-Agent": "gamekeeper/0"})
    assert answer.status_code == 403
    assert answer.headers["content-type"].startswith("text/html")


def test_chesscom_says_404_in_json(sites: Emulator, chesscom) -> None:
    """Unknown user and future month, word for word."""
    sites.world.add_player(CHESSCOM, "rossi-mario")
    sites.clock = MARCH.timestamp
    unknown, future = chesscom("nobody"), chesscom("rossi-mario/games/2024/04")
    assert (unknown.status_code, unknown.content) == (
        404,
        b'{"code":0,"message":"User \\"nobody\\" not found."}',
    )
    assert (future.status_code, future.content) == (
        404,
        b'{"code":0,"message":"Date cannot be set in the future"}',
    )
    assert chesscom("rossi-mario/games/2024/03").status_code == 200


def test_chesscom_answers_429_to_a_second_request_at_once(
    sites: Emulator, client: httpx.Client, chesscom
) -> None:
    """While one is in flight; as soon as it is over, another may come."""
    sites.world.add_player(CHESSCOM, "rossi-mario")
    sites.fault(CHESSCOM, kind="stall", after=5)
    with client.stream("GET", f"{sites.chesscom_url}/player/rossi-mario"):
        assert chesscom("rossi-mario").status_code == 429
    assert chesscom("rossi-mario").status_code == 200


def test_chesscom_bughouse_has_no_pgn(sites: Emulator, chesscom) -> None:
    """Neither in the month nor in its PGN."""
    sites.world.add_game(
        CHESSCOM, "rossi-mario", "BianchiL", at=MARCH, variant="bughouse", status="bughousepartnerlose"
    )
    told = chesscom("rossi-mario/games/2024/03").json()["games"][0]
    assert "pgn" not in told
    assert told["rules"] == "bughouse"
    assert "bughousepartnerlose" in {told["white"]["result"], told["black"]["result"]}
    assert chesscom("rossi-mario/games/2024/03/pgn").content == b""


def test_chesscom_cache_is_late(sites: Emulator, chesscom) -> None:
    """A game that is over appears when the cache catches up, and perhaps in the month before in the list."""
    game = sites.world.add_game(CHESSCOM, "rossi-mario", "BianchiL", at=MARCH, told=False, listed=False)
    assert chesscom("rossi-mario/games/2024/03").json() == {"games": []}
    sites.world.tell(game)
    assert len(month(chesscom("rossi-mario/games/2024/03"))) == 1
    assert chesscom("rossi-mario/games/archives").json() == {"archives": []}
    sites.world.change_game(game, listed=True)
    assert len(chesscom("rossi-mario/games/archives").json()["archives"]) == 1


def test_chesscom_rename_keeps_the_number(sites: Emulator, chesscom) -> None:
    """The new name has the old player_id and the old games; the old name is nobody's."""
    sites.world.add_game(CHESSCOM, "rossi-mario", "BianchiL", at=MARCH, winner="white", status="resigned")
    number = chesscom("rossi-mario").json()["player_id"]
    sites.world.rename(CHESSCOM, "rossi-mario", "MarioRossi")
    assert chesscom("rossi-mario").status_code == 404
    profile = chesscom("mariorossi").json()
    assert (profile["player_id"], profile["username"]) == (number, "mariorossi")
    told = chesscom("mariorossi/games/2024/03").json()["games"][0]
    assert told["white"]["username"] == "MarioRossi"
    assert '[Termination "rossi-mario won by resignation"]' in told["pgn"]


@pytest.mark.parametrize(
    ("form", "url"),
    [
        ("kind", "https://www.chess.com/game/live/123"),
        ("old", "https://www.chess.com/live/game/123"),
        ("uuid", "https://www.chess.com/game/{uuid}"),
    ],
)
def test_chesscom_writes_urls_in_three_forms(sites: Emulator, chesscom, form: str, url: str) -> None:
    """By kind and number, turned round until 2020, and for a while by uuid."""
    game = sites.world.add_game(CHESSCOM, "rossi-mario", "BianchiL", at=MARCH, id="live/123", url_form=form)
    told = chesscom("rossi-mario/games/2024/03").json()["games"][0]
    assert told["url"] == url.format(uuid=game.uuid)
    assert ("uuid" in told) is (form != "old")


def test_chesscom_current_games_have_another_schema(sites: Emulator, chesscom) -> None:
    """Players are URLs, nobody has won yet, clocks show more than a day; the archive does not know the game."""
    sites.world.add_game(
        CHESSCOM, "rossi-mario", "BianchiL", at=MARCH, status="started", played=5, time_control="1/259200"
    )
    told = chesscom("rossi-mario/games").json()["games"][0]
    assert told["white"] == "https://api.chess.com/pub/player/rossi-mario"
    assert {"turn", "move_by", "last_activity"} <= told.keys()
    assert not {"uuid", "end_time", "tcn"} & told.keys()
    assert '[Result "*"]' in told["pgn"]
    assert "[%clk 72:00:00]" in told["pgn"]
    assert chesscom("rossi-mario/games/archives").json() == {"archives": []}


def test_chesscom_closed_account_still_has_a_profile(sites: Emulator, chesscom) -> None:
    """Its state says why."""
    sites.world.add_player(CHESSCOM, "rossi-mario")
    sites.world.close_account(CHESSCOM, "rossi-mario", "closed:fair_play_violations")
    assert chesscom("rossi-mario").json()["status"] == "closed:fair_play_violations"


# both


def test_a_game_of_two_tracked_players_is_one_game(sites: Emulator, lichess, chesscom) -> None:
    """It is told for either, word for word the same."""
    sites.world.add_game(LICHESS, "mrossi90", "BianchiL")
    sites.world.add_game(CHESSCOM, "rossi-mario", "bianchil", at=MARCH)
    ours, theirs = (lichess(f"/api/games/user/{name}", headers=NDJSON) for name in ("mrossi90", "bianchil"))
    assert ours.content == theirs.content
    ours, theirs = (chesscom(f"{name}/games/2024/03") for name in ("rossi-mario", "bianchil"))
    assert ours.content == theirs.content


def test_a_site_may_suddenly_tell_of_no_game(sites: Emulator, lichess) -> None:
    """200 with nothing in it, although there were games yesterday."""
    sites.world.add_game(LICHESS, "mrossi90", "BianchiL")
    sites.world.withhold(LICHESS, "mrossi90")
    answer = lichess("/api/games/user/mrossi90", headers=NDJSON)
    assert (answer.status_code, answer.content) == (200, b"")


def test_every_made_up_game_is_legal() -> None:
    """python-chess reads both sites' PGN of the sample world without a fault, moves and all."""
    world = sample_world(seed=3, games=10)
    emulator = Emulator(world)
    with emulator:
        texts = [emulator.lichess_export(game) for game in world.games(LICHESS)]
        texts += [
            emulator.chesscom_export(game) for game in world.games(CHESSCOM) if game.variant != "bughouse"
        ]
    games = [chess.pgn.read_game(io.StringIO(text)) for text in texts]
    assert len(games) == 2 * 10 + 16 + 13 - 1
    assert [game.errors for game in games if game.errors] == []


def test_the_same_seed_makes_the_same_world() -> None:
    """To the letter, so that a failure can be seen again."""
    one, two = sample_world(seed=5, games=3), sample_world(seed=5, games=3)
    assert one.games(LICHESS) + one.games(CHESSCOM) == two.games(LICHESS) + two.games(CHESSCOM)
    assert one.games(LICHESS) != sample_world(seed=6, games=3).games(LICHESS)


def test_a_world_refuses_words_of_the_other_site() -> None:
    """So that no test speaks of a game that could not be."""
    with pytest.raises(ValueError, match="chesscom has no status 'mate'"):
        World().add_game(CHESSCOM, "rossi-mario", "BianchiL", status="mate")
