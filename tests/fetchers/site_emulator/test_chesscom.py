"""The emulated api.chess.com does what sites §2 and §8 say of the real one."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from tests.fetchers.site_emulator.asking import Asker, asking
from tests.fetchers.site_emulator.emulator import CHESSCOM

MARCH = datetime(2024, 3, 10, 12, tzinfo=UTC)


@pytest.fixture(name="ask")
def _ask() -> Iterator[Asker]:
    with asking() as asker:
        yield asker


def test_files_a_game_by_its_end(ask: Asker) -> None:
    """A daily game of March that ends in May is in May; months without games are not listed, but answer."""
    game = ask.world.add_game(
        CHESSCOM,
        "rossi-mario",
        "BianchiL",
        at=MARCH,
        ended=datetime(2024, 5, 1, tzinfo=UTC),
        time_control="1/86400",
    )
    archives = ask.chesscom("rossi-mario/games/archives").json()["archives"]
    assert archives == [f"{ask.sites.chesscom_url}/player/rossi-mario/games/2024/05"]
    answer = ask.chesscom("rossi-mario/games/2024/05").json()["games"][0]
    assert (answer["start_time"], answer["end_time"]) == (game.started // 1000, game.ended // 1000)
    assert ask.chesscom("rossi-mario/games/2024/03").content == b'{"games":[]}'


def test_month_is_in_the_order_of_the_ends_whatever_the_numbers(ask: Asker) -> None:
    """Numbers are not monotone, ends are."""
    for hour, number in ((1, 900), (2, 100), (3, 500)):
        ask.world.add_game(
            CHESSCOM, "rossi-mario", "BianchiL", at=MARCH + timedelta(hours=hour), id=f"live/{number}"
        )
    numbers = [game["url"].rsplit("/", 1)[1] for game in ask.month()]
    assert numbers == ["900", "100", "500"]


def test_sends_mixed_case_to_lower_case(ask: Asker) -> None:
    """301, and it counts as bad manners."""
    ask.world.add_player(CHESSCOM, "Rossi-Mario")
    answer = ask.chesscom("Rossi-Mario/games/archives")
    assert answer.status_code == 301
    assert answer.headers["location"] == f"{ask.sites.chesscom_url}/player/rossi-mario/games/archives"
    assert ask.chesscom("rossi-mario").json()["url"] == "https://www.chess.com/member/Rossi-Mario"
    assert [violation.rule for violation in ask.sites.violations] == ["upper-case handle"]


def test_month_as_pgn_ends_without_a_blank_line(ask: Asker) -> None:
    """One line feed ends the last game; a blank line stands between two."""
    for hour in (1, 2):
        ask.world.add_game(
            CHESSCOM, "rossi-mario", "BianchiL", at=MARCH + timedelta(hours=hour), status="resigned"
        )
    answer = ask.chesscom("rossi-mario/games/2024/03/pgn")
    assert answer.headers["content-type"] == "application/vnd.chess-pgn; charset=utf-8; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="ChessCom_rossi-mario_202403.pgn"'
    assert answer.text[-4:-1] in {"1-0", "0-1"}
    assert answer.text.endswith("\n")
    assert answer.text.count("\n\n[Event ") == 1
    pgns = [game["pgn"] for game in ask.month()]
    assert answer.text == "\n".join(pgns)


def test_validators_are_odd_and_work(ask: Asker) -> None:
    """Weak ETag, a Last-Modified of no standard, an Expires without GMT; 304 without a body for either."""
    ask.world.add_game(CHESSCOM, "rossi-mario", "BianchiL", at=MARCH)
    path = "rossi-mario/games/2024/03"
    first = ask.chesscom(path)
    etag, modified = first.headers["etag"], first.headers["last-modified"]
    assert etag.startswith('W/"')
    assert modified == "Sunday, 10-Mar-2024 12:02:00 GMT+0000"
    assert not ask.chesscom("rossi-mario/games/archives").headers["expires"].endswith("GMT")
    for validator in ({"If-None-Match": etag}, {"If-Modified-Since": modified}):
        again = ask.chesscom(path, **validator)
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
    assert ask.chesscom(path, **{"If-None-Match": etag.removeprefix("W/")}).status_code == 200


def test_accuracies_come_later_and_change_the_etag(ask: Asker) -> None:
    """A month that is over changes all the same."""
    game = ask.world.add_game(CHESSCOM, "rossi-mario", "BianchiL", at=MARCH)
    path = "rossi-mario/games/2024/03"
    before = ask.chesscom(path)
    ask.world.analyse(game, 81.25, 77.5)
    after = ask.chesscom(path, **{"If-None-Match": before.headers["etag"]})
    assert after.status_code == 200
    assert after.json()["games"][0]["accuracies"] == {"white": 81.25, "black": 77.5}


def test_last_modified_moves_without_a_change(ask: Asker) -> None:
    """The server writes a month again years later: same games, same ETag, other date."""
    ask.world.add_game(CHESSCOM, "rossi-mario", "BianchiL", at=MARCH)
    path = "rossi-mario/games/2024/03"
    before = ask.chesscom(path)
    ask.world.regenerate(f"/pub/player/{path}", datetime(2025, 10, 17, 22, 34, 57, tzinfo=UTC))
    after = ask.chesscom(path)
    assert after.headers["last-modified"] == "Friday, 17-Oct-2025 22:34:57 GMT+0000"
    assert (after.content, after.headers["etag"]) == (before.content, before.headers["etag"])


def test_wants_a_contact(ask: Asker) -> None:
    """403 with an HTML page, which says nothing of the user."""
    answer = httpx.get(f"{ask.sites.chesscom_url}/player/rossi-mario", headers={"User-Agent": "gamekeeper/0"})
    assert answer.status_code == 403
    assert answer.headers["content-type"].startswith("text/html")


def test_says_404_in_json(ask: Asker) -> None:
    """Unknown user and future month, word for word."""
    ask.world.add_player(CHESSCOM, "rossi-mario")
    ask.sites.clock = MARCH.timestamp
    unknown, future = ask.chesscom("nobody"), ask.chesscom("rossi-mario/games/2024/04")
    assert (unknown.status_code, unknown.content) == (
        404,
        b'{"code":0,"message":"User \\"nobody\\" not found."}',
    )
    assert (future.status_code, future.content) == (
        404,
        b'{"code":0,"message":"Date cannot be set in the future"}',
    )
    assert ask.chesscom("rossi-mario/games/2024/03").status_code == 200


def test_answers_429_to_a_second_request_at_once(ask: Asker) -> None:
    """While one is in flight; as soon as it is over, another may come."""
    ask.world.add_player(CHESSCOM, "rossi-mario")
    ask.sites.fault(CHESSCOM, kind="stall", after=5)
    with ask.client.stream("GET", f"{ask.sites.chesscom_url}/player/rossi-mario"):
        assert ask.chesscom("rossi-mario").status_code == 429
    assert ask.chesscom("rossi-mario").status_code == 200


def test_bughouse_has_no_pgn(ask: Asker) -> None:
    """Neither in the month nor in its PGN."""
    ask.world.add_game(
        CHESSCOM, "rossi-mario", "BianchiL", at=MARCH, variant="bughouse", status="bughousepartnerlose"
    )
    answer = ask.month()[0]
    assert "pgn" not in answer
    assert answer["rules"] == "bughouse"
    assert "bughousepartnerlose" in {answer["white"]["result"], answer["black"]["result"]}
    assert ask.chesscom("rossi-mario/games/2024/03/pgn").content == b""


def test_cache_is_late(ask: Asker) -> None:
    """A game that is over appears in its month when the cache catches up; the list of months may be later still."""
    game = ask.world.add_game(CHESSCOM, "rossi-mario", "BianchiL", at=MARCH, cached=False, listed=False)
    assert ask.month() == []
    ask.world.change_game(game, cached=True)
    assert len(ask.month()) == 1
    assert ask.chesscom("rossi-mario/games/archives").json() == {"archives": []}
    ask.world.tell(game)
    assert len(ask.chesscom("rossi-mario/games/archives").json()["archives"]) == 1


def test_rename_keeps_the_number(ask: Asker) -> None:
    """The new name has the old player_id and the old games; the old name is nobody's."""
    ask.world.add_game(CHESSCOM, "rossi-mario", "BianchiL", at=MARCH, winner="white", status="resigned")
    number = ask.chesscom("rossi-mario").json()["player_id"]
    ask.world.rename(CHESSCOM, "rossi-mario", "MarioRossi")
    assert ask.chesscom("rossi-mario").status_code == 404
    profile = ask.chesscom("mariorossi").json()
    assert (profile["player_id"], profile["username"]) == (number, "mariorossi")
    answer = ask.chesscom("mariorossi/games/2024/03").json()["games"][0]
    assert answer["white"]["username"] == "MarioRossi"
    assert '[Termination "rossi-mario won by resignation"]' in answer["pgn"]


@pytest.mark.parametrize(
    ("form", "url"),
    [
        ("kind", "https://www.chess.com/game/live/123"),
        ("old", "https://www.chess.com/live/game/123"),
        ("uuid", "https://www.chess.com/game/{uuid}"),
    ],
)
def test_writes_urls_in_three_forms(ask: Asker, form: str, url: str) -> None:
    """By kind and number, turned round until 2020, and for a while by uuid."""
    game = ask.world.add_game(CHESSCOM, "rossi-mario", "BianchiL", at=MARCH, id="live/123", url_form=form)
    answer = ask.month()[0]
    assert answer["url"] == url.format(uuid=game.uuid)
    assert ("uuid" in answer) is (form != "old")


def test_current_games_have_another_schema(ask: Asker) -> None:
    """Players are URLs, nobody has won yet, clocks show more than a day; the archive does not know the game."""
    ask.world.add_game(
        CHESSCOM, "rossi-mario", "BianchiL", at=MARCH, status="started", played=5, time_control="1/259200"
    )
    answer = ask.chesscom("rossi-mario/games").json()["games"][0]
    assert answer["white"] == "https://api.chess.com/pub/player/rossi-mario"
    assert {"turn", "move_by", "last_activity"} <= answer.keys()
    assert not {"uuid", "end_time", "tcn"} & answer.keys()
    assert '[Result "*"]' in answer["pgn"]
    assert "[%clk 72:00:00]" in answer["pgn"]
    assert ask.chesscom("rossi-mario/games/archives").json() == {"archives": []}


def test_closed_account_still_has_a_profile(ask: Asker) -> None:
    """Its state says why."""
    ask.world.add_player(CHESSCOM, "rossi-mario")
    ask.world.close_account(CHESSCOM, "rossi-mario", "closed:fair_play_violations")
    assert ask.chesscom("rossi-mario").json()["status"] == "closed:fair_play_violations"
