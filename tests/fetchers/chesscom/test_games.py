"""chess.com: months, validators, refusals."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from fetchers.base import Checkpoint, Cursor
from fetchers.errors import BadAnswer, Blocked, Gone, Incomplete, NotFound, RateLimited, SiteDown
from tests.fetchers.conftest import Build
from tests.fetchers.rounds import NOW, games_of, run
from tests.fetchers.site_emulator.emulator import Emulator, Game

HOME = "/pub/player/mrossi90/games"


def played(sites: Emulator, *ends: datetime, **traits: Any) -> list[Game]:
    """A game of mrossi90 that ended at each of these moments."""
    return [
        sites.world.add_game(
            "chesscom", "mrossi90", "BianchiL", at=end - timedelta(minutes=9), ended=end, **traits
        )
        for end in ends
    ]


def month(year: int, month: int, day: int = 10) -> datetime:
    return datetime(year, month, day, 12, tzinfo=UTC)


def asked(sites: Emulator) -> list[str]:
    """The months that were asked for, in order."""
    return [r.path.removeprefix(f"{HOME}/") for r in sites.requests if r.path != f"{HOME}/archives"]


@pytest.fixture(autouse=True)
def _clock(sites: Emulator) -> None:
    sites.clock = NOW.timestamp


class TestMonths:
    """Which months are asked for, and when."""

    def test_only_listed_ones(self, sites: Emulator, build: Build) -> None:
        """Three months with gaps are three requests, and the two recent ones."""
        played(sites, month(2019, 1), month(2020, 8), month(2024, 2))
        first = run(build("chesscom"))

        assert asked(sites) == ["2019/01", "2020/08", "2024/02", "2024/06", "2024/07"]
        assert len(first.ids) == 3

    def test_all_listed_ones(self, sites: Emulator, build: Build) -> None:
        """Twenty months are twenty months."""
        played(sites, *(month(2022 + n // 12, n % 12 + 1) for n in range(20)))

        assert len(run(build("chesscom")).ids) == 20

    def test_a_second_round_asks_for_what_is_not_settled(self, sites: Emulator, build: Build) -> None:
        """Of twelve months the current one, and the one before until it is settled; they answer 304."""
        played(sites, *(month(2023 + (n + 7) // 12, (n + 7) % 12 + 1) for n in range(12)))
        fetcher = build("chesscom")
        cursor = run(fetcher).cursor
        sites.clear_log()
        second = run(fetcher, cursor=cursor)

        assert asked(sites) == ["2024/07"]
        assert [request.status for request in sites.requests] == [304]
        assert second.games == []

    def test_a_quiet_account_costs_one_request(self, sites: Emulator, build: Build) -> None:
        """The current month, and once a day the list; the cursor stays as it was."""
        played(sites, *(month(2023 + (n + 7) // 12, (n + 7) % 12 + 1) for n in range(12)))
        fetcher = build("chesscom")
        first = run(fetcher)
        cursor = run(fetcher, cursor=first.cursor, now=NOW + timedelta(hours=25)).cursor
        paths = []
        for hours in (26, 27, 50, 51):
            sites.clear_log()
            quiet = run(fetcher, cursor=cursor, now=NOW + timedelta(hours=hours))
            paths.append(sorted(request.path.removeprefix(f"{HOME}/") for request in sites.requests))
            assert (quiet.cursor == cursor) == (hours != 50)
            cursor = quiet.cursor

        assert paths == [["2024/07"], ["2024/07"], ["2024/07", "archives"], ["2024/07"]]

    def test_the_month_before_until_it_is_settled(self, sites: Emulator, build: Build) -> None:
        """Three days after its end it is asked for a last time: the site's answers lag."""
        played(sites, month(2024, 6), month(2024, 7))
        fetcher = build("chesscom")
        cursor: Cursor = {}
        paths = []
        for now in (datetime(2024, 7, day, 12, tzinfo=UTC) for day in (2, 3, 5, 6)):
            sites.clear_log()
            cursor = run(fetcher, cursor=cursor, now=now).cursor
            paths.append(asked(sites))

        assert [("2024/06" in one, "2024/07" in one) for one in paths] == [
            (True, True),
            (True, True),
            (True, True),
            (False, True),
        ]

    def test_our_clock_is_behind(self, sites: Emulator, build: Build) -> None:
        """The site's clock says that another month has begun: it is asked for, too."""
        played(sites, month(2024, 6))
        fetcher = build("chesscom")
        late = datetime(2024, 7, 1, 1, tzinfo=UTC)
        cursor = run(fetcher, now=late - timedelta(hours=5)).cursor
        sites.world.add_game("chesscom", "mrossi90", "BianchiL", at=late - timedelta(minutes=30))
        sites.clock = late.timestamp

        assert len(run(fetcher, cursor=cursor, now=late - timedelta(hours=2)).ids) == 1

    def test_a_month_that_goes_on(self, sites: Emulator, build: Build) -> None:
        """Fifteen days now, the whole month later, even if nobody asked for months in between."""
        early = played(sites, month(2024, 7, 3), month(2024, 7, 14))
        fetcher = build("chesscom")
        cursor = run(fetcher).cursor
        late = played(sites, month(2024, 7, 20), month(2024, 7, 31))
        autumn = datetime(2024, 11, 20, tzinfo=UTC)
        sites.clock = autumn.timestamp

        assert set(run(fetcher, cursor=cursor, now=autumn).ids) == {game.id for game in early + late}

    def test_a_cache_that_lags(self, sites: Emulator, build: Build) -> None:
        """The old answer first is not an error; the next round finds the game."""
        (old,) = played(sites, month(2024, 7, 3))
        (late,) = played(sites, month(2024, 7, 15), cached=False)
        fetcher = build("chesscom")
        first = run(fetcher)
        sites.world.tell(late)

        assert first.ids == [old.id]
        assert late.id in run(fetcher, cursor=first.cursor).ids

    def test_the_current_month_is_asked_for_though_it_is_not_listed(
        self, sites: Emulator, build: Build
    ) -> None:
        """On the first of the month the list may be a day old; a 404 for it is not an error (sites trap 33)."""
        played(sites, month(2024, 5))
        sites.fault("chesscom", f"{HOME}/2024/07", kind="status", code=404, body=b'{"code":0,"message":"no"}')

        assert run(build("chesscom")).error is None
        assert "2024/07" in asked(sites)

    def test_a_game_is_filed_by_its_end(self, sites: Emulator, build: Build) -> None:
        """A daily game of months comes in the month in which it ended, and is not lost (sites trap 34)."""
        first = (
            run(build("chesscom"), now=month(2024, 3))
            if sites.world.add_player("chesscom", "mrossi90")
            else None
        )
        assert first is not None
        slow = sites.world.add_game(
            "chesscom",
            "mrossi90",
            "BianchiL",
            at=month(2023, 12),
            ended=month(2024, 7),
            time_control="1/86400",
        )

        assert run(build("chesscom"), cursor=first.cursor).ids == [slow.id]

    def test_accuracies_that_come_later(self, sites: Emulator, build: Build) -> None:
        """A finished month that changed is told again, when its turn comes (sites trap 31)."""
        (game,) = played(sites, month(2024, 3))
        fetcher = build("chesscom")
        cursor = run(fetcher).cursor
        sites.world.analyse(game)
        later = NOW + timedelta(days=31)
        sites.clock = later.timestamp
        again = run(fetcher, cursor=cursor, now=later)

        assert again.ids == [game.id]
        assert run(fetcher, cursor=again.cursor, now=later).ids == []

    def test_another_last_modified_alone_changes_nothing(self, sites: Emulator, build: Build) -> None:
        """It moves whenever the site writes its answer again; the games that come then are known ones."""
        (game,) = played(sites, month(2024, 7, 3))
        fetcher = build("chesscom")
        first = run(fetcher)
        sites.world.regenerate(f"{HOME}/2024/07", at=NOW)
        second = run(fetcher, cursor=first.cursor)

        assert second.error is None
        assert set(second.ids) <= {game.id}

    def test_validators_are_replayed_byte_for_byte(self, sites: Emulator, build: Build) -> None:
        """As the site gave them (sites traps 29, 30)."""
        played(sites, month(2024, 7, 3))
        fetcher = build("chesscom")
        cursor = run(fetcher).cursor
        sites.clear_log()
        run(fetcher, cursor=cursor)
        request = sites.requests[-1]

        assert request.headers["if-none-match"].startswith('W/"')
        assert request.headers["if-modified-since"].endswith("GMT+0000")
        assert cursor["months"]["2024/07"]["etag"] == request.headers["if-none-match"]


class TestFailures:
    """Months that fail."""

    def test_a_month_that_failed_is_asked_again(self, sites: Emulator, build: Build) -> None:
        """The second of three answers 500; the others are told, and the next round asks for it."""
        games = played(sites, month(2024, 1), month(2024, 2), month(2024, 3))
        sites.fault("chesscom", f"{HOME}/2024/02", kind="status", code=500, times=3)
        fetcher = build("chesscom")
        first = run(fetcher)
        second = run(fetcher, cursor=first.cursor)

        assert isinstance(first.error, SiteDown)
        assert first.ids == [games[0].id, games[2].id]
        assert second.ids == [games[1].id]
        assert second.error is None

    def test_two_in_a_row_end_the_round(self, sites: Emulator, build: Build) -> None:
        """Then the site is to blame, and is not asked for a hundred more."""
        played(sites, *(month(2024, n) for n in range(1, 7)))
        sites.fault("chesscom", f"{HOME}/2024", kind="status", code=500, times=None)

        assert isinstance(run(build("chesscom")).error, SiteDown)
        assert set(asked(sites)) == {"2024/01", "2024/02"}

    def test_a_month_that_breaks_off_is_not_known(self, sites: Emulator, build: Build) -> None:
        """Its games so far are told, its validators are not kept."""
        games = played(sites, *(month(2024, 3, day) for day in range(1, 29)))
        sites.fault("chesscom", f"{HOME}/2024/03", kind="cut", clean=True, after=0.5)
        fetcher = build("chesscom")
        first = run(fetcher)

        assert isinstance(first.error, Incomplete)
        assert 0 < len(first.ids) < 28
        assert "2024/03" not in first.cursor["months"]
        assert run(fetcher, cursor=first.cursor).ids == [game.id for game in games]

    def test_checkpoints_inside_a_month_do_not_claim_it(self, sites: Emulator, build: Build) -> None:
        """A kill after the hundredth game of a month costs nothing."""
        games = played(sites, *(month(2024, 3, 1) + timedelta(hours=n) for n in range(250)), plies=2)
        steps = run(build("chesscom")).steps
        place = next(n for n, step in enumerate(steps) if isinstance(step, Checkpoint))
        checkpoint = steps[place]

        assert isinstance(checkpoint, Checkpoint)
        assert len(games_of(steps[:place])) == 100
        assert len(run(build("chesscom"), cursor=checkpoint.cursor).ids) == len(games)

    def test_410_is_for_ever(self, sites: Emulator, build: Build) -> None:
        """The month is never asked for again, and the round goes on (sites trap 52)."""
        played(sites, month(2024, 1), month(2024, 2))
        sites.fault("chesscom", f"{HOME}/2024/01", kind="status", code=410)
        fetcher = build("chesscom")
        first = run(fetcher)
        sites.clear_log()
        run(fetcher, cursor=first.cursor)
        run(fetcher, cursor=first.cursor, full=True)

        assert (len(first.ids), first.error) == (1, None)
        assert "2024/01" not in asked(sites)

    def test_410_for_the_account(self, sites: Emulator, build: Build) -> None:
        """There is no more to ask for."""
        sites.fault("chesscom", kind="status", code=410, times=None)

        assert isinstance(run(build("chesscom")).error, Gone)

    def test_429_ends_the_round_at_once(self, sites: Emulator, build: Build) -> None:
        """No other month is tried; what came before it counts (sites trap 27)."""
        played(sites, month(2024, 1), month(2024, 2), month(2024, 3))
        sites.fault("chesscom", f"{HOME}/2024/02", kind="rate_limit", times=None)
        only = run(build("chesscom"))

        assert isinstance(only.error, RateLimited)
        assert only.error.retry_after is None
        assert asked(sites) == ["2024/01", "2024/02"]
        assert set(only.cursor["months"]) == {"2024/01"}

    def test_403_is_the_sites_word_about_us(self, sites: Emulator, build: Build) -> None:
        """A page of Cloudflare; no account is gone."""
        played(sites, month(2024, 1))
        sites.fault("chesscom", kind="html", code=403, times=None)

        assert isinstance(run(build("chesscom")).error, Blocked)
        with pytest.raises(Blocked):
            build("chesscom").profile("mrossi90")

    def test_an_empty_month_that_had_games(self, sites: Emulator, build: Build) -> None:
        """Nothing is reset, and the month is asked for again when it is listed."""
        (game,) = played(sites, month(2024, 3))
        sites.fault("chesscom", f"{HOME}/2024/03", kind="status", code=200, body=b'{"games":[]}')
        fetcher = build("chesscom")
        first = run(fetcher)
        later = NOW + timedelta(days=2)
        sites.clock = later.timestamp

        assert (first.ids, first.error) == ([], None)
        assert run(fetcher, cursor=first.cursor, now=later).ids == [game.id]

    @pytest.mark.parametrize(
        "body", ["[]", "{}", '{"archives":7}', '{"archives":[7]}', '{"archives":["https://x/"]}']
    )
    def test_a_list_that_is_none(self, sites: Emulator, build: Build, body: str) -> None:
        """What is not promised is told, not guessed at."""
        sites.replay("chesscom", f"{HOME}/archives", body.encode())

        assert isinstance(run(build("chesscom")).error, BadAnswer)


class TestGames:
    """The games themselves."""

    def test_bughouse_does_not_stop_the_month(self, sites: Emulator, build: Build) -> None:
        """It has no `pgn`; it is counted, the neighbours are told (sites trap 36)."""
        before, after = played(sites, month(2024, 3, 1), month(2024, 3, 20))
        odd = sites.world.add_game(
            "chesscom",
            "mrossi90",
            "BianchiL",
            at=month(2024, 3, 9),
            ended=month(2024, 3, 10),
            variant="bughouse",
        )
        only = run(build("chesscom"))

        assert only.ids == [before.id, after.id]
        assert only.left_out == [(odd.id, "bughouse")]

    @pytest.mark.parametrize("form", ["kind", "old", "uuid"])
    def test_all_forms_of_address_share_an_id(self, sites: Emulator, build: Build, form: str) -> None:
        """The archive can tell that it is one game, also when it changes its form between two rounds."""
        (game,) = played(sites, month(2024, 7, 3))
        fetcher = build("chesscom")
        (first,) = run(fetcher).games
        sites.world.change_game(game, url_form=form)
        (again,) = run(fetcher, full=True).games

        assert first.native_id == game.id
        assert {first.native_id, *first.other_ids} & {again.native_id, *again.other_ids}

    def test_a_month_in_one_piece_or_in_many(self, sites: Emulator, build: Build) -> None:
        """One broken record costs one game."""
        bad = {"url": "https://www.chess.com/game/live/7", "pgn": "1. Ke8 1-0\n", "rules": "chess"}
        good = {
            "url": "https://www.chess.com/game/live/8",
            "pgn": '[Event "Live Chess"]\n[White "mrossi90"]\n[Black "BianchiL"]\n[Result "1-0"]\n\n1. e4 1-0\n',
        }
        links = {"archives": ["https://api.chess.com/pub/player/mrossi90/games/2024/03"]}
        sites.world.add_player("chesscom", "mrossi90")
        sites.replay("chesscom", f"{HOME}/archives", json.dumps(links).encode())
        sites.replay("chesscom", f"{HOME}/2024/03", json.dumps({"games": [bad, good, 7]}).encode())
        only = run(build("chesscom"))

        assert only.ids == ["live/8"]
        assert [unread.native_id for unread in only.unread] == ["live/7", None]
        assert only.error is None
        assert "2024/03" in only.cursor["months"]


class TestProfiles:
    """What the site says of an account."""

    def test_the_display_form_is_at_the_end_of_the_address(self, sites: Emulator, build: Build) -> None:
        """`username` is lower case (sites trap 47)."""
        player = sites.world.add_player("chesscom", "MRossi90")
        profile = build("chesscom").profile("mrossi90")

        assert (profile.handle, profile.display) == ("mrossi90", "MRossi90")
        assert profile.permanent_id == str(player.number)

    def test_a_renamed_account_keeps_its_number(self, sites: Emulator, build: Build) -> None:
        """Nobody answers to the old name; the new one has the same id and the same games (sites trap 48)."""
        (game,) = played(sites, month(2024, 7, 3))
        fetcher = build("chesscom")
        before = fetcher.profile("mrossi90")
        sites.world.rename("chesscom", "mrossi90", "Rossi_M")

        with pytest.raises(NotFound):
            fetcher.profile("mrossi90")
        assert fetcher.profile("rossi_m").permanent_id == before.permanent_id
        assert run(fetcher, "rossi_m").ids == [game.id]

    @pytest.mark.parametrize(
        ("status", "state", "marked"),
        [
            ("closed", "closed", False),
            ("closed:fair_play_violations", "closed", True),
            ("closed:abuse", "closed", False),
            ("staff", "active", False),
        ],
    )
    def test_states(self, sites: Emulator, build: Build, status: str, state: str, marked: bool) -> None:
        """Closed in several ways; games of a marked account stay (sites trap 49)."""
        sites.world.add_player("chesscom", "mrossi90", state=status)
        profile = build("chesscom").profile("mrossi90")

        assert (profile.state, profile.marked) == (state, marked)

    def test_a_redirect_is_remembered(self, sites: Emulator, build: Build) -> None:
        """301 to the new name is followed, and the second time asked at once (sites trap 53)."""
        played(sites, month(2024, 7, 3))
        sites.fault(
            "chesscom", "/pub/player/rossi", kind="redirect", code=301, location="/pub/player/mrossi90"
        )
        fetcher = build("chesscom")

        assert fetcher.profile("rossi").handle == "mrossi90"
        assert fetcher.profile("rossi").handle == "mrossi90"
        assert [r.path for r in sites.requests] == ["/pub/player/rossi", *["/pub/player/mrossi90"] * 2]
