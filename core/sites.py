"""The sites that games are downloaded from: each is listed here only, and all others read it from here."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

ACCOUNT: Final = "account"
"""The kind of an account; other kinds are those of events, see `DownloadSite.kinds`."""

SiteId = tuple[str, str]
"""A site and one of its ids for a game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenAdvice:
    """Why events of one *kind* should be asked for with a token, and *how* one is made."""

    kind: str
    why: str
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeClasses:
    """A site's words for the time classes of games. Where a site has none of its own, lichess's apply.

    Attributes:
        limits: with each word the length of a game, in seconds, that it is below; the shortest first.
        longest: the word for longer games.
        days: the word for games with days for each move.
        event: where the tag Event has one of these words, which counts more than the clock; None if nowhere.
    """

    limits: tuple[tuple[int, str], ...] = (
        (30, "ultraBullet"),
        (180, "bullet"),
        (480, "blitz"),
        (1500, "rapid"),
    )
    longest: str = "classical"
    days: str = "correspondence"
    event: re.Pattern[str] | None = None

    def by_length(self, seconds: int) -> str:
        """The word for a game that is expected to take this long."""
        return next((word for limit, word in self.limits if seconds < limit), self.longest)

    def in_event(self, event: str) -> str | None:
        """The word that the tag Event has."""
        found = self.event.match(event) if self.event else None
        if found is None:
            return None
        words = (*(word for _, word in self.limits), self.longest, self.days)
        return next((word for word in words if word.lower() == found[1].lower()), None)


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
        boards: the kinds whose boards have ids of their own, with what a board is called, and where it is.
        address_tag: the PGN tag in which its games have their address.
        opening_tag: the PGN tag with the address of a page on the game's opening, None if there is none.
        time_classes: what it calls the time that there is for a game.
        token_advice: None where a token makes no difference.
    """

    key: str
    host: str
    base_url: str
    every_s: int
    account_page: str
    kinds: tuple[str, ...] = ()
    boards: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    address_tag: str = "Site"
    opening_tag: str | None = None
    time_classes: TimeClasses = TimeClasses()  # it is frozen
    token_advice: TokenAdvice | None = None


_ALL: Final = (
    DownloadSite(
        key="lichess",
        host="lichess.org",
        base_url="https://lichess.org",
        every_s=30 * 60,
        account_page=r"(?:@/|api/user/|api/games/user/)",
        kinds=("broadcast", "study", "arena", "swiss"),
        boards=MappingProxyType({"broadcast": ("board", "this round"), "study": ("chapter", "this study")}),
        token_advice=TokenAdvice(
            kind="broadcast",
            why="lichess lets few requests for broadcasts through without a token, and soon none",
            how="make one with the scope study:read at lichess.org/account/oauth/token",
        ),
        time_classes=TimeClasses(event=re.compile(r"(?:rated|casual) (\w+) ", re.IGNORECASE)),
    ),
    DownloadSite(
        key="chesscom",
        host="chess.com",
        base_url="https://api.chess.com/pub",
        every_s=60 * 60,
        account_page=r"(?:[a-z]{2}(?:[-_][a-z]{2})?/)?(?:member/|games/archive/|pub/player/)",
        kinds=("tournament", "club"),
        address_tag="Link",
        opening_tag="ECOUrl",
        time_classes=TimeClasses(limits=((180, "bullet"), (600, "blitz")), longest="rapid", days="daily"),
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

BOARDS_OF_KIND: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {kind: words for site in SITES.values() for kind, words in site.boards.items()}
)
"""The kinds of events whose boards have ids of their own, see `DownloadSite.boards`."""


def site_keys() -> tuple[str, ...]:
    """The keys of all sites that a game can be of, those first that games are downloaded from."""
    return (*SITES, *_IN_TAGS)
