"""The contract of `fetchers.base.EventFetcher`, which every kind of event keeps."""

from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from core.game import Game
from core.pgn import reader
from core.sites import SITES
from fetchers.base import Checkpoint, Following
from fetchers.errors import BadAnswer, Blocked, FetchError, Incomplete, NotFound, RateLimited, SiteDown
from tests.fetchers.conftest import Build
from tests.fetchers.event_cases import EVENT_CASES, EventCase
from tests.fetchers.rounds import NOW, Followed, follow, games_of
from tests.fetchers.site_emulator.emulator import Emulator

LATER = NOW + timedelta(days=40)
"""When everything that has an end has been quiet long enough to be asked again."""


@pytest.fixture(name="case", params=EVENT_CASES, ids=lambda case: case.kind)
def _case(request: pytest.FixtureRequest) -> EventCase:
    return request.param


def test_every_kind_is_tested() -> None:
    """There is a case for each kind of event that can be configured."""
    assert {(case.site, case.kind) for case in EVENT_CASES} == {
        (key, kind) for key, site in SITES.items() for kind in site.kinds
    }


class TestAWholeRound:
    """What one round over an event of a healthy site brings."""

    def test_tells_each_game_once(self, sites: Emulator, build: Build, case: EventCase) -> None:
        """The first round tells all games of the event, each once, and nobody is annoyed."""
        ids = case.fill(sites, 12)
        sites.world.add_game(case.site, "BianchiL", "Verdi_G")

        first = follow(build(case.site), case.event)

        assert first.error is None
        assert first.ids == ids
        assert sites.violations == []

    def test_games_say_where_they_come_from(self, sites: Emulator, build: Build, case: EventCase) -> None:
        """Source, id and address are set on every game, and names are handles only where they are."""
        case.fill(sites, 6)

        for game in follow(build(case.site), case.event).games:
            assert game.source == case.site
            assert game.native_id is not None
            assert game.url is not None
            assert game.native_id.rpartition("/")[2] in game.url
            assert game.online == (case.kind not in {"broadcast", "study"})
            assert game.result in {"1-0", "0-1", "1/2-1/2"}

    def test_raw_is_the_pgn_as_it_came(self, sites: Emulator, build: Build, case: EventCase) -> None:
        """Reading `raw` once more gives the same tags and moves."""
        case.fill(sites, 6)

        for game in follow(build(case.site), case.event).games:
            again = reader.parse(game.raw)

            assert isinstance(again, Game)
            assert (again.tags, again.moves) == (game.tags, game.moves)

    def test_checkpoints(self, sites: Emulator, build: Build, case: EventCase) -> None:
        """The last step is one, and there are never many games without one."""
        case.fill(sites, 250)

        steps = follow(build(case.site), case.event).steps
        places = [-1, *(place for place, step in enumerate(steps) if isinstance(step, Checkpoint))]

        assert isinstance(steps[-1], Checkpoint)
        if case.kind not in {"broadcast", "study"}:  # a round or a study comes in one piece, of bounded size
            assert max(after - before for before, after in pairwise(places)) <= 101

    def test_about(self, sites: Emulator, build: Build, case: EventCase) -> None:
        """Name, address and state of an event."""
        case.fill(sites, 3)
        fetcher = build(case.site)
        assert isinstance(fetcher, Following)

        event = fetcher.events.about(case.kind, case.id)

        assert (event.kind, event.id) == (case.kind, case.id)
        assert event.name in {
            "Torneo di Pasqua 2024",
            "Lezioni",
            "Torneo serale",
            "Torneo Sociale",
            "Circolo Rossi",
        }
        assert event.state == ("finished" if case.ends else "open")
        assert event.url is not None
        assert sites.violations == []

    def test_other_kinds_are_the_callers_mistake(
        self, sites: Emulator, build: Build, case: EventCase
    ) -> None:
        """A kind that the site does not have is not an answer of the site."""
        fetcher = build(case.site)
        assert isinstance(fetcher, Following)

        with pytest.raises(ValueError, match="simul"):
            fetcher.events.about("simul", case.id)
        with pytest.raises(ValueError, match="simul"):
            follow(fetcher, Followed("simul", case.id))
        assert sites.requests == []


class TestLaterRounds:
    """What the rounds after the first one bring."""

    def test_a_new_game_comes(self, sites: Emulator, build: Build, case: EventCase) -> None:
        """A game that is added after the first round is told in the second."""
        case.fill(sites, 12)
        fetcher = build(case.site)
        first = follow(fetcher, case.event)
        new = case.add(sites)

        ids = follow(fetcher, case.event, first.cursor, now=LATER, full=case.kind in {"arena", "swiss"}).ids

        assert new in ids

    def test_every_checkpoint_is_a_good_place_to_go_on(
        self, sites: Emulator, build: Build, case: EventCase
    ) -> None:
        """What was told before a checkpoint, and a round from there, are together all games."""
        wanted = set(case.fill(sites, 130))
        steps = follow(build(case.site), case.event).steps

        for place, step in enumerate(steps):
            if isinstance(step, Checkpoint):
                before = {game.native_id for game in games_of(steps[:place])}
                after = follow(build(case.site), case.event, step.cursor).ids

                assert before | set(after) == wanted

    def test_telling_again_tells_the_same(self, sites: Emulator, build: Build, case: EventCase) -> None:
        """Two full rounds bring the same games, byte for byte."""
        case.fill(sites, 12)
        fetcher = build(case.site)
        first = follow(fetcher, case.event)

        assert follow(fetcher, case.event, first.cursor, full=True).games == first.games

    def test_what_is_over_is_asked_seldom(self, sites: Emulator, build: Build, case: EventCase) -> None:
        """A year of half-hourly rounds over an event that is over costs next to nothing beside its head."""
        case.fill(sites, 12)
        fetcher = build(case.site)
        cursor = follow(fetcher, case.event).cursor
        sites.clear_log()

        for day in range(0, 365, 5):
            now = NOW + timedelta(days=day)
            sites.clock = now.timestamp
            cursor = follow(fetcher, case.event, cursor, now=now).cursor

        games = (case.games, "/api/broadcast/round/")
        game_requests = [r for r in sites.requests if r.path.startswith(games) and r.method == "GET"]
        assert sum(request.status == 200 for request in game_requests) == 0 or case.kind == "broadcast"
        assert len(game_requests) <= 30
        assert sites.violations == []

    def test_an_event_that_is_over_says_so(self, sites: Emulator, build: Build, case: EventCase) -> None:
        """The last checkpoint tells the schedule that nothing is to be expected for a while."""
        case.fill(sites, 12)
        fetcher = build(case.site)
        first = follow(fetcher, case.event)
        second = follow(fetcher, case.event, first.cursor, now=NOW + timedelta(days=20))

        if case.kind == "study":
            assert second.quiet_s is None
        else:
            assert second.quiet_s is not None
            assert second.quiet_s >= 3600

    def test_an_unknown_cursor_is_no_obstacle(self, sites: Emulator, build: Build, case: EventCase) -> None:
        """A cursor with strange fields counts as far as it makes sense."""
        ids = case.fill(sites, 6)
        odd = {
            "rounds": [],
            "parts": {"x": 7, "1/1": {"checked": "never"}},
            "head": 3,
            "last_modified": 7,
            "told": 1,
        }

        got = follow(build(case.site), case.event, odd)

        assert set(got.ids) == set(ids)


class TestUnwell:
    """What happens when a site is not well."""

    @pytest.mark.parametrize("kind", ["cut", "gzip_cut", "reset", "short_length", "close_delimited"])
    @pytest.mark.parametrize("after", [0.1, 0.6, 0.97])
    def test_no_game_is_lost_or_halved(
        self, sites: Emulator, build: Build, case: EventCase, kind: Any, after: float
    ) -> None:
        """Whole games before the break count, and the next round has the rest."""
        wanted = case.fill(sites, 12)
        whole = {game.native_id: game for game in follow(build(case.site), case.event).games}
        sites.fault(case.site, case.games, kind=kind, after=after)
        fetcher = build(case.site)

        broken = follow(fetcher, case.event)
        healed = follow(fetcher, case.event, broken.cursor)

        assert isinstance(broken.error, Incomplete)
        assert healed.error is None
        assert set(broken.ids) | set(healed.ids) == set(wanted)
        for game in broken.games + healed.games:
            assert game == whole[game.native_id]

    @pytest.mark.parametrize("after", [0.3, 0.8])
    def test_a_cut_that_the_framing_hides(
        self, sites: Emulator, build: Build, case: EventCase, after: float
    ) -> None:
        """A body that ends too early inside good framing is noticed by its content."""
        wanted = case.fill(sites, 12)
        sites.fault(case.site, case.games, kind="cut", clean=True, after=after)
        fetcher = build(case.site)

        broken = follow(fetcher, case.event)
        healed = follow(fetcher, case.event, broken.cursor)

        assert isinstance(broken.error, Incomplete)
        assert set(broken.ids) | set(healed.ids) == set(wanted)

    def test_nobody_knows_it(self, sites: Emulator, build: Build, case: EventCase) -> None:
        """An event that does not exist is not found, and its games are nobody's."""
        fetcher = build(case.site)
        assert isinstance(fetcher, Following)

        assert isinstance(follow(fetcher, case.event).error, NotFound)
        with pytest.raises(NotFound):
            fetcher.events.about(case.kind, case.id)

    @pytest.mark.parametrize("asked_wait", [None, "300"])
    def test_429_is_the_sites_word(
        self, sites: Emulator, build: Build, case: EventCase, asked_wait: str | None
    ) -> None:
        """The wait is passed on, a minute at least on lichess, and nothing is retried (sites trap 5)."""
        case.fill(sites, 12)
        sites.fault(case.site, case.games, kind="rate_limit", retry_after=asked_wait, times=None)

        error = follow(build(case.site), case.event).error

        assert isinstance(error, RateLimited)
        usual = 60.0 if case.site == "lichess" else None
        assert error.retry_after == (300.0 if asked_wait else usual)
        assert sum(request.status == 429 for request in sites.requests) == 1
        assert sites.violations == []

    @pytest.mark.parametrize(("code", "error"), [(400, BadAnswer), (500, SiteDown), (503, SiteDown)])
    def test_statuses(
        self, sites: Emulator, build: Build, case: EventCase, code: int, error: type[FetchError]
    ) -> None:
        """A site that is down and a strange answer can be told apart."""
        case.fill(sites, 12)
        sites.fault(case.site, kind="status", code=code, times=None)

        assert isinstance(follow(build(case.site), case.event).error, error)

    @pytest.mark.parametrize("code", [401, 403])
    def test_a_refusal_of_us_is_a_block(
        self, sites: Emulator, build: Build, case: EventCase, code: int
    ) -> None:
        """Who refuses everything refuses us, and no event is to blame (sites trap 28)."""
        case.fill(sites, 12)
        sites.fault(case.site, kind="status", code=code, times=None)

        assert isinstance(follow(build(case.site), case.event).error, Blocked)

    def test_a_web_page_with_200(self, sites: Emulator, build: Build, case: EventCase) -> None:
        """A captive portal's page is not an answer."""
        case.fill(sites, 12)
        sites.fault(case.site, kind="html", times=None)

        only = follow(build(case.site), case.event)

        assert only.games == []
        assert isinstance(only.error, BadAnswer)

    def test_closing_the_iterator_closes_the_connection(
        self, sites: Emulator, build: Build, case: EventCase
    ) -> None:
        """An answer that is given up in the middle does not go on holding its slot (sites trap 6)."""
        ids = case.fill(sites, 60)
        sites.pace(50)
        fetcher = build(case.site)
        assert isinstance(fetcher, Following)
        steps = fetcher.events.games(case.kind, case.id, {}, now=NOW)
        assert isinstance(next(step for step in steps if isinstance(step, Game)), Game)
        steps.close()  # type: ignore[attr-defined]  # all fetchers are generators
        sites.pace(None)

        assert follow(build(case.site), case.event).ids == ids
        assert sites.violations == []

    def test_stop_ends_the_wait(self, sites: Emulator, build: Build, case: EventCase) -> None:
        """A daemon that is told to stop need not wait for a silent server."""
        case.fill(sites, 12)
        sites.fault(case.site, case.games, kind="hang", times=None)

        def stop() -> bool:
            return any(request.path.startswith(case.games) for request in sites.requests)

        only = follow(build(case.site, stop=stop), case.event)

        assert isinstance(only.error, Incomplete)
        assert "stopped" in str(only.error)
