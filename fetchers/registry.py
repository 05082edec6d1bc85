"""All known sites: adding one is a module and a line here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from fetchers.base import Fetcher
from fetchers.chesscom.events import ChessComEvents
from fetchers.chesscom.games import ChessCom
from fetchers.http.door import Door, Transport
from fetchers.http.identity import user_agent
from fetchers.http.responses import USUAL, AnswerLimits
from fetchers.lichess.events import LichessEvents
from fetchers.lichess.games import Lichess


@dataclass(frozen=True, slots=True)
class SiteEntry:
    """A site: its *name* for people, its default address, its fetcher, and the *kinds* of events it has."""

    name: str
    base_url: str
    fetcher: Callable[[Door], Fetcher]
    kinds: frozenset[str] = frozenset()


SITES: Final[Mapping[str, SiteEntry]] = MappingProxyType(
    {
        "lichess": SiteEntry("lichess", "https://lichess.org", Lichess, LichessEvents.kinds),
        "chesscom": SiteEntry("chess.com", "https://api.chess.com/pub", ChessCom, ChessComEvents.kinds),
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
    limits: AnswerLimits = USUAL,
    stop: Callable[[], bool] = lambda: False,
    counted: Callable[[int | None], None] = lambda _: None,
) -> Fetcher:
    """The fetcher of a site. The caller closes it.

    Args:
        site: Key in `SITES`.
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
    return SITES[site].fetcher(door)
