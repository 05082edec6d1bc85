"""The contract of `fetchers.base.Fetcher`, which every site's fetcher keeps, as long as the site is well."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from core.game import Game
from core.pgn import reader
from core.sites import SITES
from fetchers.base import Checkpoint
from fetchers.errors import (
    Incomplete,
)
from tests.fetchers.cases import CASES, START, Case, peopled
from tests.fetchers.conftest import Build
from tests.fetchers.rounds import NOW, games_of, run
from tests.fetchers.site_emulator.emulator import Emulator


def test_every_site_is_tested() -> None:
    """There is a case for each site that can be configured."""
    assert {case.site for case in CASES} == set(SITES)


class TestAWholeRound:
    """What one round over a healthy site brings."""

    def test_tells_each_game_once_oldest_first(self, sites: Emulator, build: Build, case: Case) -> None:
        """The first round tells all games of the account, each once, in the order in which they were played."""
        games = peopled(sites, case.site)
        sites.world.add_game(case.site, "BianchiL", "Verdi_G")

        first = run(build(case.site))

        assert first.error is None
        assert first.ids == [game.id for game in games]
        assert sites.violations == []

    def test_games_say_where_they_come_from(self, sites: Emulator, build: Build, case: Case) -> None:
        """Source, id, address, times and the meaning of the names are set on every game."""
        peopled(sites, case.site, 3)

        for game in run(build(case.site)).games:
            assert game.source == case.site
            assert game.online
            assert game.native_id is not None
            assert game.url is not None
            assert game.native_id.rpartition("/")[2] in game.url
            assert game.started_at is not None
            assert game.ended_at is not None
            assert START <= game.started_at <= game.ended_at
            assert game.started_at.tzinfo is not None

    def test_the_game_is_what_was_played(self, sites: Emulator, build: Build, case: Case) -> None:
        """Players, result and number of moves are those of the site."""
        games = peopled(sites, case.site)

        for ours, theirs in zip(run(build(case.site)).games, games, strict=True):
            assert (ours.white.name, ours.black.name) == (theirs.white.name, theirs.black.name)
            assert ours.result == theirs.result
            assert ours.ply_count == len(theirs.sans)
            assert ours.time_class in {"blitz", "bullet", "rapid"}

    def test_raw_is_the_pgn_as_it_came(self, sites: Emulator, build: Build, case: Case) -> None:
        """Reading `raw` once more gives the same tags and moves."""
        peopled(sites, case.site, 3)

        for game in run(build(case.site)).games:
            again = reader.parse(game.raw)

            assert isinstance(again, Game)
            assert (again.tags, again.moves) == (game.tags, game.moves)

    def test_ends_with_a_checkpoint(self, sites: Emulator, build: Build, case: Case) -> None:
        """The last step covers all that came before it."""
        peopled(sites, case.site, 3)

        assert isinstance(run(build(case.site)).steps[-1], Checkpoint)

    def test_checkpoints_come_often(self, sites: Emulator, build: Build, case: Case) -> None:
        """There are never more than a hundred games without a checkpoint."""
        for number in range(250):
            sites.world.add_game(
                case.site, "mrossi90", "BianchiL", at=START + timedelta(hours=number), plies=2
            )

        steps = run(build(case.site)).steps
        places = [-1, *(place for place, step in enumerate(steps) if isinstance(step, Checkpoint))]
        assert max(after - before for before, after in pairwise(places)) <= 101

    def test_an_account_without_games(self, sites: Emulator, build: Build, case: Case) -> None:
        """An empty answer means that there are no games; it is not an error."""
        sites.world.add_player(case.site, "mrossi90")

        only = run(build(case.site))

        assert (only.games, only.error) == ([], None)

    def test_the_handle_may_be_typed_in_any_case(self, sites: Emulator, build: Build, case: Case) -> None:
        """HIKARU and hikaru are one account, and the site is asked in lower case."""
        peopled(sites, case.site, 3)

        assert len(run(build(case.site), "MRossi90").ids) == 3
        assert all("MRossi90" not in request.path for request in sites.requests)
        assert sites.violations == []

    @pytest.mark.parametrize("variant", ["chess960", "crazyhouse", "kingOfTheHill", "threeCheck"])
    def test_variants_come_like_all_others(
        self, sites: Emulator, build: Build, case: Case, variant: str
    ) -> None:
        """A game of a variant is told, and the cursor goes on."""
        odd = sites.world.add_game(case.site, "mrossi90", "BianchiL", variant=variant, at=START)
        usual = sites.world.add_game(case.site, "mrossi90", "BianchiL", at=START + timedelta(hours=1))

        first = run(build(case.site))

        assert first.ids == [odd.id, usual.id]
        assert [game.variant for game in first.games] == [variant, "standard"]


class TestLaterRounds:
    """What the rounds after the first one bring."""

    def test_a_new_game_comes(self, sites: Emulator, build: Build, case: Case) -> None:
        """A game played after the first round is told in the second."""
        peopled(sites, case.site)
        fetcher = build(case.site)
        first = run(fetcher)
        new = sites.world.add_game(case.site, "mrossi90", "Verdi_G", at=NOW - timedelta(hours=1))

        assert new.id in run(fetcher, cursor=first.cursor).ids

    def test_little_is_asked_again(self, sites: Emulator, build: Build, case: Case) -> None:
        """A second round without news does not bring everything again."""
        peopled(sites, case.site)
        fetcher = build(case.site)
        first = run(fetcher)

        assert len(run(fetcher, cursor=first.cursor).ids) < 3

    def test_full_brings_everything_again(self, sites: Emulator, build: Build, case: Case) -> None:
        """A full round tells every game, whatever the cursor."""
        games = peopled(sites, case.site)
        fetcher = build(case.site)
        cursor = run(fetcher).cursor

        assert run(fetcher, cursor=cursor, full=True).ids == [game.id for game in games]

    def test_every_checkpoint_is_a_good_place_to_go_on(
        self, sites: Emulator, build: Build, case: Case
    ) -> None:
        """What was told before a checkpoint, and a round from there, are together all games."""
        wanted = {
            sites.world.add_game(
                case.site, "mrossi90", "BianchiL", at=START + timedelta(hours=8 * number), plies=2
            ).id
            for number in range(130)
        }
        steps = run(build(case.site)).steps

        for place, step in enumerate(steps):
            if isinstance(step, Checkpoint):
                before = {game.native_id for game in games_of(steps[:place])}
                after = run(build(case.site), cursor=step.cursor).ids

                assert before | set(after) == wanted

    def test_a_site_that_falls_silent_resets_nothing(self, sites: Emulator, build: Build, case: Case) -> None:
        """After an answer without any games the next round does not begin from the beginning."""
        games = peopled(sites, case.site)
        fetcher = build(case.site)
        first = run(fetcher)
        sites.world.withhold(case.site, "mrossi90")

        silent = run(fetcher, cursor=first.cursor)
        sites.world.withhold(case.site, "mrossi90", withheld=False)
        new = sites.world.add_game(case.site, "mrossi90", "Verdi_G", at=NOW - timedelta(hours=1))
        later = run(fetcher, cursor=silent.cursor)

        assert (silent.games, silent.error) == ([], None)
        assert new.id in later.ids
        assert len(later.ids) < len(games)

    def test_an_unknown_cursor_is_no_obstacle(self, sites: Emulator, build: Build, case: Case) -> None:
        """A cursor with strange fields counts as far as it makes sense."""
        games = peopled(sites, case.site, 3)
        odd = {"newest": "yesterday", "running": [], "months": {"2024/05": 7, "x": {"checked": None}}}

        assert run(build(case.site), cursor=odd).ids == [game.id for game in games]


class TestManners:
    """How the sites are asked."""

    def test_we_say_who_we_are(self, sites: Emulator, build: Build, case: Case) -> None:
        """Every request carries a User-Agent with a contact."""
        peopled(sites, case.site, 3)
        fetcher = build(case.site)
        run(fetcher)
        fetcher.profile("mrossi90")

        assert {request.headers["user-agent"] for request in sites.requests} == {
            "gamekeeper/0.1 (+contact: rossi@example.org)"
        }

    def test_closing_the_iterator_closes_the_connection(
        self, sites: Emulator, build: Build, case: Case
    ) -> None:
        """A stream that is given up in the middle does not go on holding its slot (sites trap 6)."""
        peopled(sites, case.site)
        sites.pace(50)
        steps = build(case.site).games("mrossi90", {}, now=NOW)
        assert isinstance(next(step for step in steps if isinstance(step, Game)), Game)
        steps.close()  # type: ignore[attr-defined]  # all fetchers are generators
        sites.pace(None)

        assert len(run(build(case.site)).ids) == 30
        assert sites.violations == []

    def test_stop_ends_the_wait(self, sites: Emulator, build: Build, case: Case) -> None:
        """A daemon that is told to stop need not wait for a silent server."""
        peopled(sites, case.site)
        sites.fault(case.site, case.games, kind="hang", times=None)

        def stop() -> bool:
            return any(request.path.startswith(case.games) for request in sites.requests)

        only = run(build(case.site, stop=stop))

        assert isinstance(only.error, Incomplete)
        assert "stopped" in str(only.error)

    def test_profile_tells_of_the_account(self, sites: Emulator, build: Build, case: Case) -> None:
        """Handle, display form, state and age of an account."""
        sites.world.add_player(case.site, "MRossi90", joined=1_577_836_800_000)

        profile = build(case.site).profile("mrossi90")

        assert (profile.handle, profile.display, profile.state) == ("mrossi90", "MRossi90", "active")
        assert profile.created_at == datetime(2020, 1, 1, tzinfo=UTC)

    def test_a_closed_account_is_told_by_its_profile(self, sites: Emulator, build: Build, case: Case) -> None:
        """A closed account is another thing than none."""
        peopled(sites, case.site, 3)
        sites.world.close_account(case.site, "mrossi90")

        assert build(case.site).profile("mrossi90").state == "closed"
