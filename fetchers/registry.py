"""All sites that there are: adding one is a module and a line here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from fetchers.base import Fetcher
from fetchers.chesscom.events import ChessComEvents
from fetchers.chesscom.games import ChessCom
from fetchers.http.door import Door, Transport
from fetchers.http.identity import user_agent
from fetchers.http.responses import USUAL, Limits
from fetchers.lichess.events import LichessEvents
from fetchers.lichess.games import Lichess


@dataclass(frozen=True, slots=True)
class Site:
    """A site: its *name* for people, where it is asked by default, who asks it, and the *kinds* of events it has."""

    name: str
    base_url: str
    fetcher: Callable[[Door], Fetcher]
    kinds: frozenset[str] = frozenset()


SITES: Final[Mapping[str, Site]] = MappingProxyType(
    {
        "lichess": Site("lichess", "https://lichess.org", Lichess, LichessEvents.kinds),
        "chesscom": Site("chess.com", "https://api.chess.com/pub", ChessCom, ChessComEvents.kinds),
    }
)


def build(  # noqa: PLR0913 - all by name
    site: str,
    *,
    contact: str,
    version: str,
    base_url: str | None = None,
    token: str | None = None,
    transport: Transport | None = None,
    limits: Limits = USUAL,
    stop: Callable[[], bool] = lambda: False,
    counted: Callable[[int | None], None] = lambda _: None,
) -> Fetcher:
    """The fetcher of a site. The caller closes it.

    Args:
        site: key in `SITES`.
        contact: a mail or web address; the sites refuse programs that name none.
        version: of gamekeeper.
        base_url: of another server that speaks the same language.
        token: see `fetchers.http.door.Door`.
        transport: see there.
        limits: see there.
        stop: see there.
        counted: see there.

    Raises:
        KeyError: there is no such site.
        ValueError: *base_url* is no web address, or *token* cannot be one.
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
    return SITES[site].fetcher(door)
