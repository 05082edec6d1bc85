"""The sites that games are downloaded from: each stands here only, and whatever must know of it takes it from here."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

SiteId = tuple[str, str]
"""A site and one of its ids for a game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenAdvice:
    """Why events of one *kind* should be asked for with a token, and *how* one is made."""

    kind: str
    why: str
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadSite:
    """What is fixed about a site.

    Attributes:
        key: its word in the configuration, in keys of accounts (``lichess:mrossi90``) and in the archive; also the
            name of its folder in `fetchers`.
        host: of its pages, without subdomains.
        base_url: where it is asked by default.
        every_s: seconds between two rounds over an account, where the configuration says nothing.
        account_page: what stands between the host and the handle in addresses of accounts: a regular expression.
        kinds: of events that can be followed there; no other site has a kind of the same name.
        address_tag: the PGN tag in which its games have their address.
        token_advice: None where a token makes no difference.
    """

    key: str
    host: str
    base_url: str
    every_s: int
    account_page: str
    kinds: tuple[str, ...] = ()
    address_tag: str = "Site"
    token_advice: TokenAdvice | None = None


_ALL: Final = (
    DownloadSite(
        key="lichess",
        host="lichess.org",
        base_url="https://lichess.org",
        every_s=30 * 60,
        account_page=r"(?:@/|api/user/|api/games/user/)",
        kinds=("broadcast", "study", "arena", "swiss"),
        token_advice=TokenAdvice(
            kind="broadcast",
            why="lichess lets few requests for broadcasts through without a token, and soon none",
            how="make one with the scope study:read at lichess.org/account/oauth/token",
        ),
    ),
    DownloadSite(
        key="chesscom",
        host="chess.com",
        base_url="https://api.chess.com/pub",
        every_s=60 * 60,
        account_page=r"(?:[a-z]{2}(?:[-_][a-z]{2})?/)?(?:member/|games/archive/|pub/player/)",
        kinds=("tournament", "club"),
        address_tag="Link",
    ),
)

SITES: Final[Mapping[str, DownloadSite]] = MappingProxyType({site.key: site for site in _ALL})
"""By key, the most usual one first."""

_IN_TAGS: Final = ("fics", "icc", "iccf", "chess24", "chesstempo", "pychess", "playstrategy", "lishogi")
"""The sites that `core.origin` knows too, by the tags of their games; nothing is downloaded from them."""

SITE_OF_KIND: Final[Mapping[str, str]] = MappingProxyType(
    {kind: site.key for site in SITES.values() for kind in site.kinds}
)
"""The site that has events of a kind."""


def site_keys() -> tuple[str, ...]:
    """The keys of all sites that a game can be of, those first that games are downloaded from."""
    return (*SITES, *_IN_TAGS)
