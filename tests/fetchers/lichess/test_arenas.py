"""Arenas and Swiss tournaments of lichess: ordinary games of the site, told of one event."""

from datetime import timedelta
from typing import Any

import pytest

from fetchers.base import Checkpoint
from tests.fetchers.cases import START
from tests.fetchers.conftest import Build
from tests.fetchers.rounds import Followed, follow, run
from tests.fetchers.site_emulator.emulator import LICHESS, Emulator, Game


@pytest.fixture(name="it", params=["arena", "swiss"])
def _it(request: pytest.FixtureRequest, sites: Emulator) -> Followed:
    sites.world.events.add_tourney(request.param, id="Tourney1", starts=START)
    return Followed(request.param, "Tourney1")


def _play(sites: Emulator, it: Followed, minute: int = 1, **traits: Any) -> Game:
    return sites.world.add_game(
        LICHESS,
        "mrossi90",
        "BianchiL",
        at=START + timedelta(minutes=minute),
        source=it.kind,
        event="Torneo serale",
        event_id=it.id,
        **traits,
    )


def test_the_same_game_as_a_players(sites: Emulator, build: Build, it: Followed) -> None:
    """A game of the event and of a tracked player is one download: same id, same bytes, handles for names."""
    _play(sites, it)
    fetcher = build(LICHESS)

    [of_event] = follow(fetcher, it).games
    [of_player] = run(fetcher).games

    assert of_event == of_player
    assert of_event.online


def test_running_games_are_left_out_until_they_are_over(sites: Emulator, build: Build, it: Followed) -> None:
    """A running game is asked for again, after the end of the event too (sites trap 24)."""
    running = _play(sites, it, status="started", played=8)
    fetcher = build(LICHESS)
    first = follow(fetcher, it, now=START)
    sites.world.events.change_tourney(it.id, state="finished")
    second = follow(fetcher, it, first.cursor, now=START + timedelta(hours=1))
    sites.world.finish_game(running)
    third = follow(fetcher, it, second.cursor, now=START + timedelta(hours=2))

    assert first.left_out == second.left_out == [(running.id, "running")]
    assert (first.quiet_s, second.quiet_s) == (None, None)
    assert third.ids == [running.id]
    assert third.quiet_s == 30 * 86_400


def test_nothing_is_asked_of_what_is_over_and_told(sites: Emulator, build: Build, it: Followed) -> None:
    """Its games cannot change. Only a full round asks again."""
    game = _play(sites, it)
    sites.world.events.change_tourney(it.id, state="finished")
    fetcher = build(LICHESS)
    first = follow(fetcher, it)
    sites.clear_log()

    second = follow(fetcher, it, first.cursor)
    assert (second.games, sites.requests) == ([], [])
    assert follow(fetcher, it, second.cursor, full=True).ids == [game.id]


def test_before_it_begins_only_the_head_is_asked(sites: Emulator, build: Build, it: Followed) -> None:
    """And the schedule is told when it does."""
    sites.world.events.change_tourney(it.id, state="upcoming")

    followed = follow(build(LICHESS), it, now=START - timedelta(hours=2))

    assert len(sites.requests) == 1
    assert followed.quiet_s == 7200


def test_aborted_and_unplayed_games(sites: Emulator, build: Build, it: Followed) -> None:
    """An arena's no-show has a winner and no moves; it is told once, and an aborted game is not (sites trap 12)."""
    absent = _play(sites, it, 1, status="noStart", winner="white")
    aborted = _play(sites, it, 2, status="aborted")

    followed = follow(build(LICHESS), it)

    assert followed.ids == [absent.id]
    assert followed.left_out == [(aborted.id, "aborted")]


def test_how_many_games_there_are(sites: Emulator, build: Build) -> None:
    """An arena that is over counts its games, so that progress can be shown."""
    it = Followed("arena", "Tourney1")
    sites.world.events.add_tourney("arena", id=it.id, starts=START, state="finished")
    for minute in range(3):
        _play(sites, it, minute)

    last = follow(build(LICHESS), it).steps[-1]

    assert isinstance(last, Checkpoint)
    assert last.expected == 3


def test_no_slot_is_held(sites: Emulator, build: Build, it: Followed) -> None:
    """The games of an event count for the site's two downloads at once; ours end properly (sites trap 6)."""
    _play(sites, it)
    fetcher = build(LICHESS)

    for _ in range(4):
        assert follow(fetcher, it).error is None
    assert sites.violations == []
