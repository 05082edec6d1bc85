"""The sites that can be configured."""

import pytest

from fetchers import registry


@pytest.mark.parametrize("site", registry.SITES)
def test_a_fetcher_knows_its_site(site: str) -> None:
    """The key in the registry is the one that the fetcher's games carry."""
    fetcher = registry.build(site, contact="rossi@example.org", version="0.1")

    assert fetcher.site == site
    fetcher.close()


@pytest.mark.parametrize("site", registry.SITES)
def test_sites_are_asked_over_https(site: str) -> None:
    """Names, tokens and games are nobody else's business."""
    assert registry.SITES[site].base_url.startswith("https://")


def test_there_is_no_other_site() -> None:
    """A wrong key is an error of the caller."""
    with pytest.raises(KeyError):
        registry.build("playchess", contact="rossi@example.org", version="0.1")
