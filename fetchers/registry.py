"""The fetchers of all sites: each is the `FETCHER` of the module ``games`` in the folder of its site."""

from collections.abc import Callable
from importlib import import_module

from core.sites import SITES
from fetchers.base import Fetcher
from fetchers.http.door import Door, Transport
from fetchers.http.identity import user_agent
from fetchers.http.responses import USUAL, AnswerLimits


def build(  # noqa: PLR0913 - all by name
    site: str,
    *,
    contact: str,
    version: str,
    base_url: str | None = None,
    token: str | None = None,
    transport: Transport | None = None,
    limits: AnswerLimits = USUAL,
    stop: Callable[[], bool] = lambda: False,
    counted: Callable[[int | None], None] = lambda _: None,
) -> Fetcher:
    """The fetcher of a site. The caller closes it.

    Args:
        site: Key in `core.sites.SITES`.
        contact: A mail or web address; the sites refuse programs that name none.
        version: Of gamekeeper.
        base_url: Of another server that speaks the same language.
        token: See `fetchers.http.door.Door`.
        transport: See there.
        limits: See there.
        stop: See there.
        counted: See there.

    Raises:
        KeyError: there is no such site.
        ValueError: *base_url* is not a web address, or *token* cannot be one.
    """
    door = Door(
        base_url or SITES[site].base_url,
        user_agent=user_agent(version, contact),
        token=token,
        transport=transport,
        limits=limits,
        stop=stop,
        counted=counted,
    )
    return fetcher(site, door)


def fetcher(site: str, door: Door) -> Fetcher:
    """The fetcher of a site, which asks through *door* and closes it at its end.

    Raises:
        KeyError: there is no such site.
    """
    build: Callable[[Door], Fetcher] = import_module(f"fetchers.{SITES[site].key}.games").FETCHER
    return build(door)
