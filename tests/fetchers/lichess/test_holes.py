"""lichess: answers that break off each time at the same game, and what comes after it."""

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fetchers.base import Released
from fetchers.errors import Incomplete
from fetchers.lichess.holes import MOST_PROBES, Hole
from fetchers.lichess.progress import Stretch
from tests.fetchers.conftest import Build
from tests.fetchers.lila import BASE
from tests.fetchers.rounds import NOW, Round, run
from tests.fetchers.site_emulator.emulator import LICHESS, Emulator, Game

BEGIN = datetime(2024, 5, 1, 18, tzinfo=UTC)


def _played(sites: Emulator, count: int = 12, apart: timedelta = timedelta(days=3)) -> list[Game]:
    return [
        sites.world.add_game(LICHESS, "mrossi90", "BianchiL", at=BEGIN + number * apart, plies=4)
        for number in range(count)
    ]


def _twice(build: Build, *, full: bool = False) -> tuple[Round, Round]:
    """Two rounds, the second one from where the first one broke off."""
    fetcher = build(LICHESS)
    first = run(fetcher, full=full)
    return first, run(fetcher, cursor=first.cursor, full=full)


def _ids(*rounds: Round) -> set[str | None]:
    return {native_id for one in rounds for native_id in one.ids}


@pytest.mark.parametrize("place", [0, 1, 5, 10])
@pytest.mark.parametrize("full", [False, True])
def test_what_lies_behind_a_game_that_cannot_be_told(
    sites: Emulator, build: Build, place: int, *, full: bool
) -> None:
    """The first break may be chance; at the second one the rest comes from the other end, and the hole is named."""
    games = _played(sites)
    sites.poison(games[place])

    first, second = _twice(build, full=full)

    assert isinstance(first.error, Incomplete)
    assert second.error is None
    assert _ids(first, second) == {game.id for game in games} - {games[place].id}
    (hole,) = second.unread
    assert "breaks off each time" in hole.unreadable.reason
    bounds = parse_qs(urlsplit(hole.url or "").query)
    assert int(bounds["since"][0]) < games[place].started < int(bounds["until"][0])
    assert not sites.violations


def test_the_newest_game_of_all(sites: Emulator, build: Build) -> None:
    """Nothing comes after it yet: the round stays incomplete, and what comes later is told."""
    games = _played(sites, 4)
    sites.poison(games[-1])
    first, second = _twice(build)
    assert isinstance(second.error, Incomplete)
    assert second.unread == []

    later = sites.world.add_game(LICHESS, "mrossi90", "Verdi_G", at=BEGIN + timedelta(days=40), plies=4)
    third = run(build(LICHESS), cursor=second.cursor)

    assert third.error is None
    assert _ids(first, second, third) == {game.id for game in games[:-1]} | {later.id}


def test_games_between_two_that_cannot_be_told(sites: Emulator, build: Build) -> None:
    """What is left between both ends is divided: games inside it come, and each bad one has its own small hole."""
    games = _played(sites, 30)
    bad = {games[4].id, games[25].id}
    for game in games:
        if game.id in bad:
            sites.poison(game)

    first, second = _twice(build)

    assert _ids(first, second) == {game.id for game in games} - bad
    assert len(second.unread) == 2


def test_a_hole_is_not_asked_for_again_the_same_day(sites: Emulator, build: Build) -> None:
    """The next round goes around it, by one request on each side of it at most, and nothing breaks."""
    games = _played(sites, 12, timedelta(hours=2))
    sites.poison(games[5])
    _, second = _twice(build)
    sites.clear_log()

    third = run(build(LICHESS), cursor=second.cursor, now=NOW + timedelta(hours=1))

    assert third.error is None
    assert (third.unread, [step for step in third.steps if isinstance(step, Released)]) == ([], [])
    assert len(sites.requests) <= 4


def test_a_hole_that_heals_is_filled_and_named_no_more(sites: Emulator, build: Build) -> None:
    """A day later the site can tell the game: it comes, and its place in quarantine is given up."""
    games = _played(sites)
    sites.poison(games[5])
    _, second = _twice(build)
    sites.cure(games[5])

    later = run(build(LICHESS), cursor=second.cursor, now=NOW + timedelta(days=1, hours=1))

    assert games[5].id in later.ids
    assert "holes" not in later.cursor
    named = [step.raw for step in later.steps if isinstance(step, Released)]
    assert named == [step.unreadable.raw for step in second.unread]


def test_holes_cost_a_bounded_number_of_requests(sites: Emulator, build: Build) -> None:
    """Every second game is bad: a round asks a few times, and later rounds find the rest bit by bit."""
    games = _played(sites, 16)
    bad = {game.id for game in games[1:-1:2]}
    for game in games:
        if game.id in bad:
            sites.poison(game)
    cursor: Any = {}
    fetcher, seen, now = build(LICHESS), set(), NOW
    for _ in range(2):
        this = run(fetcher, cursor=cursor, now=now)
        seen |= set(this.ids)
        cursor = this.cursor
    assert len(sites.requests) <= MOST_PROBES + 8
    for day in range(40):
        this = run(fetcher, cursor=cursor, now=now + timedelta(days=2 * day))
        assert this.error is None
        seen |= set(this.ids)
        cursor = this.cursor

    assert seen == {game.id for game in games} - bad


def test_a_break_elsewhere_is_chance(sites: Emulator, build: Build) -> None:
    """Two rounds that break at different places go on where they were: no hole is made."""
    games = _played(sites, 30)
    fetcher = build(LICHESS)
    sites.fault(LICHESS, "/api/games/user/", kind="cut", after=0.3)
    first = run(fetcher)
    sites.fault(LICHESS, "/api/games/user/", kind="cut", after=0.5)
    second = run(fetcher, cursor=first.cursor)
    third = run(fetcher, cursor=second.cursor)

    assert isinstance(second.error, Incomplete)
    assert third.error is None
    assert first.unread + second.unread + third.unread == []
    assert _ids(first, second, third) == {game.id for game in games}


def test_a_running_game_behind_it_does_not_hide_the_news(sites: Emulator, build: Build) -> None:
    """The stretch around an old running game breaks each time: what is new comes all the same."""
    slow = sites.world.add_game(
        LICHESS, "mrossi90", "BianchiL", at=BEGIN, time_control="1/86400", status="started", plies=8, played=4
    )
    _played(sites, 5, timedelta(days=10))
    fetcher = build(LICHESS)
    cursor = run(fetcher).cursor
    sites.world.finish_game(slow, at=NOW - timedelta(hours=3))
    sites.poison(slow)
    new = sites.world.add_game(LICHESS, "mrossi90", "Verdi_G", at=NOW - timedelta(hours=2), plies=4)
    seen = set()
    for _ in range(3):
        this = run(fetcher, cursor=cursor)
        seen |= set(this.ids)
        cursor = this.cursor or cursor

    assert new.id in seen


@settings(max_examples=60)
@given(
    st.lists(st.integers(0, 1000), max_size=5, unique=True).map(sorted),
    st.none() | st.integers(0, 1000),
    st.none() | st.integers(0, 1000),
)
def test_stretches_go_around_holes(edges: list[int], since: int | None, until: int | None) -> None:
    """Each moment of a stretch is in a piece of it or in a hole, and no piece reaches into a hole."""
    holes = [Hole(BASE + a, BASE + b) for a, b in zip(edges[::2], edges[1::2], strict=False) if a < b]
    whole = Stretch(None if since is None else BASE + since, None if until is None else BASE + until)
    pieces = whole.around(holes)

    def within(moment: int, piece: Stretch) -> bool:
        return (piece.since is None or moment > piece.since) and (piece.until is None or moment < piece.until)

    for moment in range(BASE - 1, BASE + 1002):
        inside = within(moment, whole)
        covered = any(within(moment, piece) for piece in pieces)
        in_hole = any(hole.since < moment < hole.until for hole in holes)
        assert inside <= (covered or in_hole)
        assert not (covered and in_hole)
