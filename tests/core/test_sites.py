"""What is fixed about the sites that games are downloaded from."""

import inspect
import re
from itertools import combinations

import pytest

from core import origin
from core.sites import BOARDS_OF_KIND, SITE_OF_KIND, SITES, DownloadSite, site_keys


@pytest.mark.parametrize("site", SITES.values(), ids=list(SITES))
def test_sites_are_asked_over_https(site: DownloadSite) -> None:
    """Names, tokens and games are nobody else's business."""
    assert site.base_url.startswith("https://")


def test_their_games_are_known_by_their_tags() -> None:
    """A file with games of a site is known as the site's, so that they meet its downloads; no site is known otherwise."""
    source = inspect.getsource(origin)
    named = set(re.findall(r'site="(\w+)"', source)) | set(re.findall(r'\("[\w.]+\.org", "(\w+)"\)', source))
    assert named == set(site_keys())
    assert site_keys()[: len(SITES)] == tuple(SITES)


def test_a_kind_of_events_is_of_one_site() -> None:
    """The configuration names events by their kind alone."""
    assert not [pair for pair in combinations(SITES.values(), 2) if set(pair[0].kinds) & set(pair[1].kinds)]
    assert {kind for site in SITES.values() for kind in site.kinds} == set(SITE_OF_KIND)


def test_boards_are_of_events_that_there_are() -> None:
    """What a board is called is said for kinds of the site's own events."""
    assert {kind for site in SITES.values() for kind in site.boards} == set(BOARDS_OF_KIND)
    assert all(set(site.boards) <= set(site.kinds) for site in SITES.values())


def test_advice_on_tokens_is_on_events_that_there_are() -> None:
    """It is given where such an event is configured."""
    advice = [(site.token_advice, site) for site in SITES.values() if site.token_advice is not None]
    assert advice
    assert all(about.kind in site.kinds for about, site in advice)
