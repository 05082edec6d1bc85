"""Tournaments and clubs of chess.com: trees of answers, each asked for with its validators."""

from datetime import timedelta
from typing import Any

import pytest

from fetchers.base import Following
from fetchers.errors import BadAnswer, NotFound, NotShown, SiteDown
from tests.fetchers.cases import START
from tests.fetchers.conftest import Build
from tests.fetchers.rounds import NOW, Followed, follow, run
from tests.fetchers.site_emulator.emulator import CHESSCOM, Emulator, Game
from tests.fetchers.site_emulator.events import Part

CUP = Followed("tournament", "coppa-rossi")
CLUB = Followed("club", "circolo-rossi")
SOON = START + timedelta(hours=2)


def _game(sites: Emulator, minute: int = 0, **traits: Any) -> Game:
    return sites.world.add_game(
        CHESSCOM, "rossi-mario", "Bianchi-L", at=START + timedelta(minutes=minute), **traits
    )


def _running(sites: Emulator) -> Game:
    return _game(sites, time_control="1/86400", status="started", played=7)


def _asked(sites: Emulator) -> list[tuple[str, int | None]]:
    return [(request.path.removeprefix("/pub/"), request.status) for request in sites.requests]


class TestTournament:
    """Rounds, groups, games."""

    def test_the_same_game_as_a_players(self, sites: Emulator, build: Build) -> None:
        """A game of a tournament and of a tracked player is one download."""
        game = _game(sites, event="Coppa Rossi - Round 1", event_id=CUP.id)
        sites.world.events.add_tournament(CUP.id, [[[game]]])
        fetcher = build(CHESSCOM)

        assert follow(fetcher, CUP).games == run(fetcher, "rossi-mario").games

    def test_trap_50_players_may_be_addresses(self, sites: Emulator, build: Build) -> None:
        """In groups too; the names are those of the PGN then (sites trap 50)."""
        sites.world.events.add_tournament(CUP.id, [[[_game(sites)]]], addresses=True)

        [game] = follow(build(CHESSCOM), CUP).games

        assert (game.white.name, game.black.name) == ("rossi-mario", "Bianchi-L")
        assert game.white.rating is not None

    def test_running_games_are_waited_for(self, sites: Emulator, build: Build) -> None:
        """A daily game of a group is left out while it runs, and comes when it is over."""
        game = _running(sites)
        sites.world.events.add_tournament(CUP.id, [[[game]]])
        fetcher = build(CHESSCOM)
        first = follow(fetcher, CUP, now=SOON)
        sites.world.finish_game(game)

        assert first.left_out == [(game.id, "running")]
        assert follow(fetcher, CUP, first.cursor, now=SOON + timedelta(hours=6)).ids == [game.id]

    def test_running_games_are_not_asked_for_all_the_time(self, sites: Emulator, build: Build) -> None:
        """The site's answers are half a day old: once in six hours is often enough, and the schedule is told."""
        sites.world.events.add_tournament(CUP.id, [[[_running(sites)]]])
        fetcher = build(CHESSCOM)
        first = follow(fetcher, CUP, now=SOON)
        sites.clear_log()

        follow(fetcher, CUP, first.cursor, now=SOON + timedelta(hours=1))

        assert ("tournament/coppa-rossi/1/1", 304) not in _asked(sites)

    def test_accuracies_that_come_later(self, sites: Emulator, build: Build) -> None:
        """A group that changes after its end is told again, under the same ids (sites trap 31)."""
        game = _game(sites)
        sites.world.events.add_tournament(CUP.id, [[[game]]], state="finished")
        fetcher = build(CHESSCOM)
        first = follow(fetcher, CUP, now=SOON)
        sites.world.analyse(game)

        assert follow(fetcher, CUP, first.cursor, now=SOON + timedelta(days=1)).ids == [game.id]

    def test_unchanged_parts_cost_a_304(self, sites: Emulator, build: Build) -> None:
        """Both validators are sent back as they came, and nothing is told twice (sites traps 29, 30)."""
        sites.world.events.add_tournament(CUP.id, [[[_game(sites)], [_game(sites, 1)]]])
        fetcher = build(CHESSCOM)
        first = follow(fetcher, CUP, now=SOON)
        sites.clear_log()

        second = follow(fetcher, CUP, first.cursor, now=SOON + timedelta(days=2))

        assert (second.games, second.error) == ([], None)
        assert {status for _, status in _asked(sites)} == {304}
        assert len(_asked(sites)) == 4

    def test_old_parts_are_never_asked_for_again(self, sites: Emulator, build: Build) -> None:
        """What ended a quarter of a year ago is final, and costs neither a request nor room in the cursor."""
        sites.world.events.add_tournament(CUP.id, [[[_game(sites)], [_game(sites, 1)]]])
        fetcher = build(CHESSCOM)
        first = follow(fetcher, CUP, now=NOW + timedelta(days=200))
        sites.clear_log()

        second = follow(fetcher, CUP, first.cursor, now=NOW + timedelta(days=400))

        assert first.cursor["parts"] == {"1": {"final": True}}
        assert _asked(sites) == [("tournament/coppa-rossi", 304)]
        assert len(follow(fetcher, CUP, second.cursor, full=True).ids) == 2

    def test_trap_52_gone_is_gone(self, sites: Emulator, build: Build) -> None:
        """A part that will never be there is never asked for again; the others come (sites trap 52)."""
        game = _game(sites)
        sites.world.events.add_tournament(CUP.id, [[[], [game]]])
        cup = sites.world.events.tournaments[CUP.id]
        sites.world.events.change_tournament(CUP.id, rounds=((Part(gone=True), cup.rounds[0][1]),))
        fetcher = build(CHESSCOM)
        first = follow(fetcher, CUP, now=SOON)
        sites.clear_log()
        follow(fetcher, CUP, first.cursor, now=SOON + timedelta(days=9))

        assert (first.ids, first.error) == ([game.id], None)
        assert "tournament/coppa-rossi/1/1" not in [path for path, _ in _asked(sites)]

    @pytest.mark.parametrize("part", ["1", "1/1"])
    def test_a_part_that_is_not_there_yet(self, sites: Emulator, build: Build, part: str) -> None:
        """404 for a part says that there is nothing yet, not that there is no such tournament."""
        game = _game(sites)
        sites.world.events.add_tournament(CUP.id, [[[game]]])
        sites.fault(CHESSCOM, f"/pub/tournament/coppa-rossi/{part}", kind="status", code=404, times=1)
        fetcher = build(CHESSCOM)

        first = follow(fetcher, CUP)

        assert (first.error, first.left_out) == (None, [(None, "not shown")])
        assert follow(fetcher, CUP, first.cursor, now=NOW + timedelta(days=1)).ids == [game.id]

    def test_one_group_that_fails(self, sites: Emulator, build: Build) -> None:
        """It does not hide those after it, it comes the next time, and two in a row end the round."""
        games = [_game(sites, minute) for minute in range(4)]
        sites.world.events.add_tournament(CUP.id, [[[game] for game in games]])
        fetcher = build(CHESSCOM)
        sites.fault(CHESSCOM, "/pub/tournament/coppa-rossi/1/2", kind="status", code=500, times=3)

        first = follow(fetcher, CUP)
        second = follow(fetcher, CUP, first.cursor)

        assert isinstance(first.error, SiteDown)
        assert first.ids == [games[0].id, games[2].id, games[3].id]
        assert games[1].id in second.ids

        for group in (1, 2):
            sites.fault(
                CHESSCOM, f"/pub/tournament/coppa-rossi/1/{group}", kind="status", code=500, times=None
            )
        assert follow(fetcher, CUP).games == []

    @pytest.mark.parametrize("link", ["https://api.chess.com/pub/player/x", 7, None, ""])
    def test_a_list_of_other_things(self, sites: Emulator, build: Build, link: object) -> None:
        """An address that is none of a round makes the answer a bad one, and is not followed."""
        import json

        body = json.dumps({"name": "x", "rounds": [link]}).encode()
        sites.replay(CHESSCOM, "/pub/tournament/coppa-rossi", body, {"Content-Type": "application/json"})

        assert isinstance(follow(build(CHESSCOM), CUP).error, BadAnswer)
        assert len(sites.requests) == 1

    def test_the_address_may_be_typed_in_any_case(self, sites: Emulator, build: Build) -> None:
        """The site is asked in lower case (sites trap 53)."""
        sites.world.events.add_tournament(CUP.id, [[[_game(sites)]]])

        assert len(follow(build(CHESSCOM), Followed("tournament", "Coppa-Rossi")).games) == 1
        assert sites.violations == []


class TestClub:
    """Matches, boards, games."""

    def test_the_games_of_its_matches(self, sites: Emulator, build: Build) -> None:
        """Daily and live matches, finished and running ones; each board is asked for once, though two players name it."""
        games = [_game(sites, minute) for minute in range(4)]
        sites.world.events.add_club(CLUB.id)
        sites.world.events.add_match(CLUB.id, [games[:2], games[2:3]], state="finished")
        sites.world.events.add_match(CLUB.id, [games[3:]], id="live/5833")

        followed = follow(build(CHESSCOM), CLUB)

        assert followed.ids == [game.id for game in games]
        assert [path for path, _ in _asked(sites)] == [
            "club/circolo-rossi/matches",
            "match/10000",
            "match/10000/1",
            "match/10000/2",
            "match/live/5833",
            "match/live/5833/1",
        ]

    def test_a_match_to_come_is_left_alone(self, sites: Emulator, build: Build) -> None:
        """It has players and no games yet."""
        sites.world.events.add_club(CLUB.id)
        sites.world.events.add_match(CLUB.id, [[]], state="upcoming")

        assert follow(build(CHESSCOM), CLUB).error is None
        assert [path for path, _ in _asked(sites)] == ["club/circolo-rossi/matches"]

    def test_what_members_play_otherwise_is_their_own(self, sites: Emulator, build: Build) -> None:
        """A club's games are those of its matches."""
        sites.world.events.add_club(CLUB.id)
        _game(sites)

        assert follow(build(CHESSCOM), CLUB).games == []

    def test_a_club_of_many_years_stays_small(self, sites: Emulator, build: Build) -> None:
        """A hundred old matches are read once; then one conditional request says that nothing is new."""
        sites.world.events.add_club(CLUB.id)
        for number in range(100):
            sites.world.events.add_match(CLUB.id, [[_game(sites, number)]], state="finished")
        fetcher = build(CHESSCOM)
        first = follow(fetcher, CLUB, now=NOW + timedelta(days=200))
        sites.clear_log()

        second = follow(fetcher, CLUB, first.cursor, now=NOW + timedelta(days=201))

        assert len(first.ids) == 100
        assert len(str(second.cursor)) < 5000
        assert _asked(sites) == [("club/circolo-rossi/matches", 304)]
        assert second.quiet_s is not None

    def test_a_running_match_of_long_ago(self, sites: Emulator, build: Build) -> None:
        """A board whose second game still runs after a year is not forgotten."""
        done, open_game = _game(sites), _running(sites)
        sites.world.events.add_club(CLUB.id)
        sites.world.events.add_match(CLUB.id, [[done, open_game]])
        fetcher = build(CHESSCOM)
        first = follow(fetcher, CLUB, now=NOW)
        second = follow(fetcher, CLUB, first.cursor, now=NOW + timedelta(days=365))
        sites.world.finish_game(open_game)

        assert open_game.id in follow(fetcher, CLUB, second.cursor, now=NOW + timedelta(days=366)).ids

    def test_no_such_club(self, sites: Emulator, build: Build) -> None:
        """404 in JSON is the site's word for it."""
        fetcher = build(CHESSCOM)
        assert isinstance(fetcher, Following)

        with pytest.raises(NotFound):
            fetcher.events.about("club", "nessuno")


def test_a_club_that_is_not_shown(sites: Emulator, build: Build) -> None:
    """403 for one club is neither an absence nor a refusal of us."""
    sites.world.events.add_club("circolo-rossi")
    sites.fault("chesscom", "/pub/club/circolo-rossi", kind="status", code=403, times=None)
    fetcher = build("chesscom")
    assert isinstance(fetcher, Following)

    error = follow(fetcher, Followed("club", "circolo-rossi")).error

    assert isinstance(error, NotShown)
    assert "does not show the club circolo-rossi to us (403)" in str(error)
    with pytest.raises(NotShown):
        fetcher.events.about("club", "circolo-rossi")
