"""What lichess says no with, and what it says of accounts."""

import httpx
import pytest

from fetchers.errors import BadAnswer, Blocked, NotFound, RateLimited
from tests.fetchers.conftest import Build
from tests.fetchers.lila import lichess
from tests.fetchers.rounds import run
from tests.fetchers.site_emulator.emulator import Emulator


class TestRefusals:
    """What lichess says no with."""

    @pytest.mark.parametrize("wait", [None, "5", "soon"])
    def test_429_is_at_least_a_minute(self, sites: Emulator, build: Build, wait: str | None) -> None:
        """The site asks to "wait a full minute", whatever else is said or not (sites trap 5)."""
        sites.world.add_player("lichess", "mrossi90")
        sites.fault("lichess", kind="rate_limit", retry_after=wait)
        error = run(build("lichess")).error

        assert isinstance(error, RateLimited)
        assert error.retry_after == 60.0
        assert "Please only run 1 request(s) at a time" in str(error)

    def test_429_of_a_profile_too(self, sites: Emulator, build: Build) -> None:
        """The minute holds for every request."""
        sites.fault("lichess", kind="rate_limit")

        with pytest.raises(RateLimited) as caught:
            build("lichess").profile("mrossi90")
        assert caught.value.retry_after == 60.0

    def test_a_closed_account(self, sites: Emulator, build: Build) -> None:
        """No export, but a profile that says so (sites trap 9)."""
        sites.world.add_game("lichess", "mrossi90", "BianchiL")
        sites.world.close_account("lichess", "mrossi90")

        assert isinstance(run(build("lichess")).error, NotFound)
        assert build("lichess").profile("mrossi90").state == "closed"

    @pytest.mark.parametrize(
        ("profile", "error"),
        [
            (
                httpx.Response(200, json={"id": "mrossi90", "username": "mrossi90", "disabled": True}),
                NotFound,
            ),
            (httpx.Response(404, json={"error": "Not found"}), NotFound),
            (httpx.Response(200, json={"id": "mrossi90", "username": "mrossi90"}), Blocked),
            (httpx.Response(404, html="<html>404</html>"), Blocked),
        ],
    )
    def test_a_page_for_the_export_is_cleared_up_by_the_profile(
        self, profile: httpx.Response, error: type[Exception]
    ) -> None:
        """What the site answers with a page to those who want ndjson, it says in JSON to those who want JSON."""

        def handle(request: httpx.Request) -> httpx.Response:
            page = httpx.Response(404, html="<html>404</html>")
            return page if "/games/" in request.url.path else profile

        assert isinstance(run(lichess(handle)).error, error)

    def test_one_404_then_200(self, sites: Emulator, build: Build) -> None:
        """A 404 leaves no trace in the fetcher."""
        sites.world.add_game("lichess", "mrossi90", "BianchiL")
        sites.fault("lichess", kind="status", code=404, body=b'{"error":"Not found"}')
        fetcher = build("lichess")

        assert isinstance(run(fetcher).error, NotFound)
        assert len(run(fetcher).ids) == 1

    @pytest.mark.parametrize("key", ["ghost", "!mrossi90"])
    def test_a_deleted_account_is_a_closed_one(self, key: str) -> None:
        """It has become a ghost."""
        fetcher = lichess(lambda _: httpx.Response(200, json={"id": key, "username": "ghost"}))

        assert fetcher.profile("mrossi90").state == "closed"
        assert fetcher.profile("mrossi90").handle == "mrossi90"

    def test_a_marked_account(self, sites: Emulator, build: Build) -> None:
        """Its games stay; the mark is told."""
        sites.world.add_player("lichess", "mrossi90", marked=True)

        assert build("lichess").profile("mrossi90").marked

    @pytest.mark.parametrize("body", ["[]", "{}", '{"id":7}', "null"])
    def test_a_profile_that_names_nobody(self, body: str) -> None:
        """It is not an answer."""
        with pytest.raises(BadAnswer):
            lichess(lambda _: httpx.Response(200, text=body)).profile("mrossi90")
