"""A telling: one source's account of a game, ready for the archive."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.game import Game
from core.sites import SiteId
from daemon.archive.games.prepared import Prepared


@dataclass(frozen=True, slots=True)
class Download:
    """The game comes from a site, which has an id for it; *account_id*: of the account that led to it."""

    account_id: int


@dataclass(frozen=True, slots=True)
class FilePiece:
    """The game is in a file. *offset*: bytes from the beginning of the (uncompressed) text; None where unknown."""

    file_id: int
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class Telling:
    """What is prepared of a game, and where it is from. Of a download `source` and `native_id` of the game are set."""

    prepared: Prepared
    source: Download | FilePiece


def site_ids(game: Game) -> list[SiteId]:
    """The ids that the game has at the site that tells it, its own one first."""
    return [(game.source, one) for one in (game.native_id, *game.other_ids) if game.source and one]


def by_site(ids: Iterable[SiteId]) -> dict[str, list[str]]:
    """The ids of each site, each once."""
    found: dict[str, list[str]] = {}
    for site, native_id in dict.fromkeys(ids):
        found.setdefault(site, []).append(native_id)
    return found
