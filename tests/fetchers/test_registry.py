"""The fetchers of the sites that can be configured."""

import pytest

from core.sites import SITES
from fetchers import registry
from fetchers.base import Following


@pytest.mark.parametrize("site", SITES)
def test_a_fetcher_knows_its_site(site: str) -> None:
    """The key of the site is the one that the fetcher's games carry, and its kinds of events are those it follows."""
    fetcher = registry.build(site, contact="rossi@example.org", version="0.1")

    assert fetcher.site == site
    assert isinstance(fetcher, Following)
    assert fetcher.events.kinds == set(SITES[site].kinds)
    fetcher.close()


def test_there_is_no_other_site() -> None:
    """A wrong key is an error of the caller."""
    with pytest.raises(KeyError):
        registry.build("playchess", contact="rossi@example.org", version="0.1")
