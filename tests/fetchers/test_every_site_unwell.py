"""The contract of `fetchers.base.Fetcher` when a site is not well: broken answers and refusals."""

import tracemalloc
from typing import Any

import pytest

from fetchers.errors import (
    BadAnswer,
    Blocked,
    FetchError,
    Incomplete,
    NotFound,
    RateLimited,
    SiteDown,
    SiteUnreachable,
)
from fetchers.http.deadlines import Patience
from fetchers.http.responses import AnswerLimits
from tests.fetchers.cases import Case, peopled
from tests.fetchers.conftest import TOKEN, Build
from tests.fetchers.rounds import run
from tests.fetchers.site_emulator.emulator import Emulator


class TestBrokenAnswers:
    """An answer that breaks off costs nothing but time."""

    @pytest.mark.parametrize("kind", ["cut", "gzip_cut", "reset", "short_length", "close_delimited"])
    @pytest.mark.parametrize("after", [0.1, 0.6, 0.97])
    def test_no_game_is_lost_or_halved(
        self, sites: Emulator, build: Build, case: Case, kind: Any, after: float
    ) -> None:
        """Whole games before the break count, the cursor stays after them, the next round has the rest."""
        games = {game.id: game for game in peopled(sites, case.site)}
        sites.fault(case.site, case.games, kind=kind, after=after)
        fetcher = build(case.site)

        broken = run(fetcher)
        healed = run(fetcher, cursor=broken.cursor)

        assert isinstance(broken.error, Incomplete)
        assert healed.error is None
        assert set(broken.ids) | set(healed.ids) == games.keys()
        for game in broken.games + healed.games:
            assert game.ply_count == len(games[game.native_id or ""].sans)

    @pytest.mark.parametrize("after", [0.3, 0.8])
    def test_a_cut_that_the_framing_hides(
        self, sites: Emulator, build: Build, case: Case, after: float
    ) -> None:
        """A body that ends too early inside good framing is noticed by its content."""
        games = peopled(sites, case.site)
        sites.fault(case.site, case.games, kind="cut", clean=True, after=after)
        fetcher = build(case.site)

        broken = run(fetcher)
        healed = run(fetcher, cursor=broken.cursor)

        assert isinstance(broken.error, Incomplete)
        assert set(broken.ids) | set(healed.ids) == {game.id for game in games}

    def test_a_drip_does_not_hold_the_worker(self, sites: Emulator, build: Build, case: Case) -> None:
        """A byte now and then is not progress: the round ends by itself."""
        peopled(sites, case.site)
        sites.fault(case.site, case.games, kind="drip", rate=20)
        patience = Patience(silence_s=5, window_s=0.5, window_bytes=1000, total_s=30)
        limits = AnswerLimits(answer=patience, stream=patience, tries=1)

        assert isinstance(run(build(case.site, limits)).error, Incomplete | SiteUnreachable)

    @pytest.mark.parametrize(("kind", "error"), [("stall", Incomplete), ("hang", SiteUnreachable)])
    def test_silence_ends(
        self, sites: Emulator, build: Build, case: Case, kind: Any, error: type[FetchError]
    ) -> None:
        """A server that falls silent is given up."""
        peopled(sites, case.site)
        sites.fault(case.site, case.games, kind=kind, times=None)
        patience = Patience(silence_s=0.3)

        assert isinstance(
            run(build(case.site, AnswerLimits(answer=patience, stream=patience, tries=1))).error, error
        )

    @pytest.mark.parametrize("kind", ["gzip_bomb", "endless_line", "endless_headers"])
    def test_bombs_do_not_fill_the_memory(self, sites: Emulator, build: Build, case: Case, kind: Any) -> None:
        """A body, a line or headers without end are refused, and take less than 64 MB."""
        peopled(sites, case.site)
        sites.fault(case.site, case.games, kind=kind, times=None)
        fetcher = build(case.site)

        tracemalloc.start()
        try:
            error = run(fetcher).error
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

        assert isinstance(error, BadAnswer | SiteUnreachable)
        assert peak < 64 << 20


class TestRefusals:
    """Each way in which a site refuses has its own error."""

    @pytest.mark.parametrize(
        ("code", "error"),
        [(400, BadAnswer), (401, Blocked), (403, Blocked), (500, SiteDown), (502, SiteDown), (503, SiteDown)],
    )
    def test_statuses(
        self, sites: Emulator, build: Build, case: Case, code: int, error: type[FetchError]
    ) -> None:
        """The daemon can tell a refusal of us, a site that is down and a strange answer apart."""
        peopled(sites, case.site)
        sites.fault(case.site, kind="status", code=code, times=None)

        assert isinstance(run(build(case.site)).error, error)

    @pytest.mark.parametrize(("header", "wait"), [("300", 300.0), ("315360000", 86_400.0)])
    def test_429_says_how_long(
        self, sites: Emulator, build: Build, case: Case, header: str, wait: float
    ) -> None:
        """A wait is passed on as the site orders it, but never longer than a day; nothing is retried."""
        peopled(sites, case.site)
        sites.fault(case.site, case.games, kind="rate_limit", retry_after=header, times=None)

        error = run(build(case.site)).error

        assert isinstance(error, RateLimited)
        assert error.retry_after == wait
        assert sum(request.status == 429 for request in sites.requests) == 1

    def test_a_wait_in_the_body(self, sites: Emulator, build: Build, case: Case) -> None:
        """The body's `ratelimit` counts where there is no header."""
        peopled(sites, case.site)
        body = b'{"error":"Too many requests","ratelimit":{"key":"api.games","seconds":86398}}'
        sites.fault(case.site, case.games, kind="rate_limit", body=body, times=None)

        error = run(build(case.site)).error

        assert isinstance(error, RateLimited)
        assert error.retry_after == 86_398.0

    def test_an_unknown_account(self, sites: Emulator, build: Build, case: Case) -> None:
        """Games and profile of nobody are not found."""
        fetcher = build(case.site)

        assert isinstance(run(fetcher, "nobody").error, NotFound)
        with pytest.raises(NotFound):
            fetcher.profile("nobody")

    def test_404_as_a_web_page_is_a_block(self, sites: Emulator, build: Build, case: Case) -> None:
        """It says that we are not liked, not that the account is gone."""
        peopled(sites, case.site)
        sites.fault(case.site, kind="html", code=404, times=None)

        assert isinstance(run(build(case.site)).error, Blocked)

    def test_a_web_page_with_200(self, sites: Emulator, build: Build, case: Case) -> None:
        """A captive portal's page is not an answer."""
        peopled(sites, case.site)
        sites.fault(case.site, case.games, kind="html", times=None)

        only = run(build(case.site))

        assert only.games == []
        assert isinstance(only.error, BadAnswer)

    def test_a_closed_port(self, sites: Emulator, build: Build, case: Case) -> None:
        """Without a network the site is unreachable; the account is not to blame."""
        fetcher = build(case.site)
        peopled(sites, case.site)
        sites.fault(case.site, kind="refuse", times=None)

        assert isinstance(run(fetcher).error, SiteUnreachable)
        sites.clear_faults()
        assert len(run(fetcher).ids) == 30

    def test_a_redirect_elsewhere_is_not_followed(self, sites: Emulator, build: Build, case: Case) -> None:
        """302 to an address inside the network (169.254.169.254) goes nowhere."""
        peopled(sites, case.site)
        sites.fault(
            case.site, kind="redirect", location="http://169.254.169.254/latest/meta-data/", times=None
        )

        error = run(build(case.site)).error

        assert isinstance(error, BadAnswer)
        assert "169.254.169.254" in str(error)

    def test_the_token_is_never_shown(self, sites: Emulator, build: Build, case: Case) -> None:
        """Not even when a server repeats it in its answer."""
        peopled(sites, case.site)
        sites.fault(
            case.site, kind="status", code=403, body=b'{"error":"bad token %s"}' % TOKEN.encode(), times=None
        )

        error = run(build(case.site, token=TOKEN)).error

        assert sites.requests[0].headers["authorization"] == f"Bearer {TOKEN}"
        assert "bad token" in str(error)
        assert TOKEN not in str(error)
