"""Item by item: what the emulated sites must do, and the test that they do it (sites §8)."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.fetchers import lila
from tests.fetchers.site_emulator.asking import Asker, asking
from tests.fetchers.site_emulator.emulator import LICHESS

HERE = Path(__file__).parent
LICHESS_ITEMS = {
    "chunked streaming": "test_streams_games_as_ndjson_or_pgn",
    "slow trickle": "test_an_answer_may_drip",
    "two slots per IP, the exact 429 body": "test_gives_two_downloads_to_one_address",
    "a slot is freed at the end of its stream": "test_a_slot_is_free_when_its_stream_has_ended",
    "since inclusive, until exclusive, both orders": "test_since_is_inclusive_and_until_exclusive",
    "aborted hidden, noStart shown": "test_hides_aborted_games_and_shows_those_that_never_started",
    "disabled profile with 404 export": "test_closed_account_has_a_profile_but_no_games",
    "cut in mid-line": "test_a_stream_is_cut_in_the_middle_of_a_line",
    "cut in mid-gzip": "test_a_gzip_body_may_lack_its_end",
    "missing User-Agent is 404": "test_answers_404_without_a_user_agent",
    "clocks one longer": "test_may_give_one_clock_more_than_moves",
    "3-ply delay": "test_shows_a_running_game_three_plies_late",
    "correspondence game with an old createdAt": "test_tells_a_finished_correspondence_game_under_its_old_date",
}
CHESSCOM_ITEMS = {
    "lower-case 301": "test_sends_mixed_case_to_lower_case",
    "month PGN without a final blank line": "test_month_as_pgn_ends_without_a_blank_line",
    "weak ETag, odd Last-Modified, 304 without a body": "test_validators_are_odd_and_work",
    "403 HTML without contact": "test_wants_a_contact",
    "404 JSON": "test_says_404_in_json",
    "429 on a second request in flight": "test_answers_429_to_a_second_request_at_once",
    "month by end_time, empty month": "test_files_a_game_by_its_end",
    "later accuracies change the ETag": "test_accuracies_come_later_and_change_the_etag",
    "Last-Modified moves without a change": "test_last_modified_moves_without_a_change",
    "bughouse without pgn": "test_bughouse_has_no_pgn",
    "cache lag": "test_cache_is_late",
    "rename": "test_rename_keeps_the_number",
    "ids not monotone": "test_month_is_in_the_order_of_the_ends_whatever_the_numbers",
    "uuid URL": "test_writes_urls_in_three_forms",
}
WIRE_ITEMS = {
    "RST": "test_a_connection_may_be_reset",
    "FIN in a chunk": "test_a_stream_is_cut_in_the_middle_of_a_line",
    "slow drip": "test_an_answer_may_drip",
    "gzip bomb": "test_a_small_body_may_unpack_to_a_huge_one",
}
LISHOGI_ITEMS = {
    "keep-alive line, descending only, both bounds exclusive": "test_a_server_like_lishogi",
}


@pytest.fixture(name="ask")
def _ask() -> Iterator[Asker]:
    with asking() as asker:
        yield asker


@pytest.mark.parametrize(
    ("item", "test"),
    [
        pytest.param(item, test, id=item)
        for items in (LICHESS_ITEMS, CHESSCOM_ITEMS, WIRE_ITEMS, LISHOGI_ITEMS)
        for item, test in items.items()
    ],
)
def test_every_item_has_its_test(item: str, test: str) -> None:
    """What sites §8 asks for is tested under this name."""
    named = {
        name
        for path in HERE.glob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE)
    }
    assert test in named, item


def test_a_slot_is_free_when_its_stream_has_ended(ask: Asker) -> None:
    """Two downloads that were read to their end, on connections that stay open, leave both slots to the next two."""
    for _ in range(3):
        ask.world.add_game(LICHESS, "mrossi90", "BianchiL", plies=4)
    url = ask.sites.lichess_url + "/api/games/user/mrossi90"
    for _ in range(2):
        with ask.client.stream("GET", url) as one:
            one.read()
            with ask.client.stream("GET", url) as other:
                assert (one.status_code, other.status_code) == (200, 200)
                other.read()
                assert ask.lichess("/api/games/user/mrossi90").status_code == 200

    assert not ask.sites.violations


def test_a_server_like_lishogi() -> None:
    """Newest first whatever is asked, neither bound inclusive, `{}` between the games."""
    records = [lila.record(n, lila.BASE + n * lila.DAY) for n in range(4)]
    site = lila.Lila(records, descending=True, exclusive=True, keep_alive=True)
    query = {"since": str(lila.BASE), "until": str(lila.BASE + 3 * lila.DAY), "sort": "dateAsc"}
    answer = site(httpx.Request("GET", "https://lishogi.example/api/games/user/mrossi90", params=query))

    lines = [json.loads(line) for line in answer.read().splitlines()]
    assert [line.get("id") for line in lines] == [None, "game0002", None, "game0001"]
