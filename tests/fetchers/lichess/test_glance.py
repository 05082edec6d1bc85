"""One request for hundreds of lichess accounts: which of them may have played."""

from datetime import UTC, datetime, timedelta

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fetchers.base import NEWS_MARGIN, Glance, Glancing
from fetchers.errors import BadAnswer, RateLimited
from fetchers.lichess.games import Lichess
from tests.fetchers.cases import START
from tests.fetchers.conftest import Build
from tests.fetchers.http_doubles import door
from tests.fetchers.rounds import run
from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Emulator

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def _glancing(build: Build) -> Glancing:
    fetcher = build(LICHESS)
    assert isinstance(fetcher, Glancing)
    return fetcher


def test_what_a_glance_tells(sites: Emulator, build: Build) -> None:
    """Seen when, and how many rated games of all kinds; puzzles are none."""
    sites.world.add_game(LICHESS, "mrossi90", "BianchiL", at=START, time_control="60+0")
    sites.world.add_game(LICHESS, "BianchiL", "mrossi90", at=START + timedelta(hours=1), variant="atomic")
    sites.world.add_game(LICHESS, "BianchiL", "mrossi90", at=START - timedelta(hours=1), rated=False)

    seen = _glancing(build).glance(["MRossi90"])

    assert seen == {
        "mrossi90": Glance(
            handle="mrossi90",
            seen_at=START + timedelta(hours=1),
            games=2,
        )
    }
    profile = seen["mrossi90"].profile
    assert profile is not None
    assert (profile.display, profile.games, profile.state) == ("mrossi90", 2, "active")


def test_closed_and_unknown_accounts(sites: Emulator, build: Build) -> None:
    """A closed one is told from one that there is not; neither can have news."""
    sites.world.add_player(LICHESS, "BianchiL")
    sites.world.close_account(LICHESS, "BianchiL")

    seen = _glancing(build).glance(["bianchil", "nobody"])

    assert seen["bianchil"] == Glance(handle="bianchil", closed=True)
    assert seen["nobody"] == Glance(handle="nobody", exists=False)
    assert not any(glance.may_have_news(NOON) for glance in seen.values())


def test_a_request_for_each_three_hundred(sites: Emulator, build: Build) -> None:
    """At most 300 ids in one request, one request at a time, nobody twice (sites §1.1)."""
    handles = [f"player{number}" for number in range(650)]
    for handle in handles:
        sites.world.add_player(LICHESS, handle)

    seen = _glancing(build).glance([*handles, "PLAYER7"])

    assert [handle for handle, glance in seen.items() if glance.exists] == handles
    assert [(request.method, request.body.count(b",") + 1) for request in sites.requests] == [
        ("POST", 300),
        ("POST", 300),
        ("POST", 50),
    ]
    assert sites.violations == []


def test_what_cannot_be_a_handle_spoils_nothing(sites: Emulator, build: Build) -> None:
    """A comma, a line feed or nothing at all in a handle is answered without the site."""
    sites.world.add_player(LICHESS, "mrossi90")

    seen = _glancing(build).glance(["a,b", "c\nd", "", "mrossi90"])

    assert [handle for handle, glance in seen.items() if glance.exists] == ["mrossi90"]
    assert [request.body for request in sites.requests] == [b"mrossi90"]


def test_nobody_to_look_at(sites: Emulator, build: Build) -> None:
    """No accounts, no request."""
    assert _glancing(build).glance([]) == {}
    assert sites.requests == []


def test_chesscom_has_none(build: Build) -> None:
    """There is no such request at chess.com."""
    assert not isinstance(build(CHESSCOM), Glancing)


def test_429_is_a_minute_at_least(sites: Emulator, build: Build) -> None:
    """Here too (sites trap 5)."""
    sites.fault(LICHESS, "/api/users", kind="rate_limit", times=None)

    with pytest.raises(RateLimited) as caught:
        _glancing(build).glance(["mrossi90"])
    assert caught.value.retry_after == 60
    assert len(sites.requests) == 1


@pytest.mark.parametrize("answer", ["{}", "[7]", '[{"username":"x"}]', "null", "[", '"x"'])
def test_other_answers_are_bad(answer: str) -> None:
    """What is not a list of accounts says nothing about anybody."""
    with pytest.raises(BadAnswer):
        Lichess(door(lambda _: httpx.Response(200, text=answer))).glance(["mrossi90"])


def test_a_quiet_account_is_quiet(sites: Emulator, build: Build) -> None:
    """After a complete round it may have no news, until it plays again: a casual game, too, since it was seen."""
    sites.world.add_game(LICHESS, "mrossi90", "BianchiL", at=START)
    asked_at = START + timedelta(days=1)
    fetcher = _glancing(build)
    before = fetcher.glance(["mrossi90"])["mrossi90"]
    assert not before.may_have_news(asked_at, before.games)

    sites.world.add_game(LICHESS, "mrossi90", "BianchiL", at=START + timedelta(days=2), rated=False)
    after = fetcher.glance(["mrossi90"])["mrossi90"]
    assert after.games == before.games
    assert after.may_have_news(asked_at, before.games)


@pytest.mark.parametrize("hours", [-2, 0, 2])
def test_our_clock_counts_for_nothing(sites: Emulator, build: Build, hours: int) -> None:
    """What the site dates is compared with its own clock: a game right after the round is seen, none before is."""
    sites.clock = (START + timedelta(days=1)).timestamp
    sites.world.add_game(LICHESS, "mrossi90", "BianchiL", at=START)
    fetcher = build(LICHESS)
    assert isinstance(fetcher, Glancing)
    cursor = run(fetcher, now=START + timedelta(days=1, hours=hours)).cursor
    since = fetcher.asked_at(cursor)
    assert since == START + timedelta(days=1)
    before = fetcher.glance(["mrossi90"])["mrossi90"]

    sites.world.add_game(
        LICHESS, "mrossi90", "BianchiL", at=START + timedelta(days=1, minutes=5), rated=False
    )

    assert not before.may_have_news(since, before.games)
    assert fetcher.glance(["mrossi90"])["mrossi90"].may_have_news(since, before.games)


def test_a_site_that_tells_no_time(build: Build) -> None:
    """Then nobody knows when it was asked by its clock."""
    fetcher = Lichess(door(lambda _: httpx.Response(200, text="")))

    assert fetcher.asked_at(run(fetcher).cursor) is None


def test_a_waiting_cursor(sites: Emulator, build: Build) -> None:
    """An account with an open correspondence game is never quiet: the opponent may end it."""
    fetcher = build(LICHESS)
    assert isinstance(fetcher, Glancing)
    assert not fetcher.waits({})
    game = sites.world.add_game(
        LICHESS, "mrossi90", "BianchiL", at=START, time_control="1/86400", status="started", played=6
    )
    first = run(fetcher)
    sites.world.finish_game(game)

    assert fetcher.waits(first.cursor)
    assert not fetcher.waits(run(fetcher, cursor=first.cursor).cursor)


@given(
    seen=st.integers(-10_000, 10_000),
    games=st.none() | st.integers(0, 3),
    before=st.none() | st.integers(0, 3),
    playing=st.none() | st.integers(0, 1),
)
def test_in_doubt_there_may_be_news(
    seen: int, games: int | None, before: int | None, playing: int | None
) -> None:
    """Quiet is only who was last seen well before the round, plays nothing, and whose count has not moved."""
    glance = Glance(handle="x", seen_at=NOON + timedelta(seconds=seen), games=games, playing=playing)
    moved = games is not None and before is not None and games != before
    late = NOON + timedelta(seconds=seen) + NEWS_MARGIN >= NOON

    assert glance.may_have_news(NOON, before) == (moved or late or bool(playing))
    assert Glance(handle="x", games=games).may_have_news(NOON, before)
