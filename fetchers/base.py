"""What every fetcher is: the contract between a site's module and the daemon.

Terminology
    ACCOUNT   a handle on one site, in lower case: the site's own key for it.
    CURSOR    what a fetcher needs to go on where it stopped: a JSON object whose inside only the fetcher
              knows. The daemon stores it in the same transaction as the games that came before it.
    STEP      what `games` yields: a game, a note that something was left out, an unreadable game, or a
              checkpoint with a new cursor.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from core.game import Game, Unreadable

Cursor = Mapping[str, Any]
"""A JSON object. `{}` is the cursor of an account that was never asked."""


@dataclass(frozen=True, slots=True)
class Told:
    """A game that the site tells of this account. `game.source`, `.native_id`, `.url` and `.online` are set."""

    game: Game


@dataclass(frozen=True, slots=True)
class Unread:
    """A record that could not be read. It goes to quarantine; the cursor moves on."""

    unreadable: Unreadable
    native_id: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A record that is no game for an archive, with the reason: ``running``, ``aborted``, ``bughouse``."""

    native_id: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Everything yielded so far is covered by *cursor*: a later round may start from it.

    *expected* is how many games the site says there are for this account in all, where it says so.
    """

    cursor: Cursor
    expected: int | None = None


Step = Told | Unread | LeftOut | Checkpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What a site says of an account.

    Attributes:
        handle: the account's key (lower case).
        display: its display form, as the site shows it.
        state: ``active`` or ``closed``. (An account that does not exist raises `NotFound`.)
        permanent_id: the id that survives a rename, where the site has one (chess.com: `player_id`).
        fide_id: linked on the profile, where the site says so.
        games: how many games the site counts, where it says so.
        created_at: since when the account exists.
        marked: the site has marked it for unfair play; its games stay.
    """

    handle: str
    display: str
    state: str = "active"
    permanent_id: str | None = None
    fide_id: str | None = None
    games: int | None = None
    created_at: datetime | None = None
    marked: bool = False


class Fetcher(Protocol):
    """One site. Used by one thread at a time: a site never sees two of our requests at once."""

    site: str
    """The site's key: ``lichess``, ``chesscom``."""

    def games(self, account: str, cursor: Cursor, *, now: datetime, full: bool = False) -> Iterator[Step]:
        """Yield what is new since *cursor* (with an overlap; the archive knows what it knows), oldest first.

        *full* asks for everything again. The iterator may be closed at any point: it then closes its
        connection. It ends normally only if the site's answers were complete.

        Raises:
            FetchError: at any point; see `fetchers.errors`. What was yielded before it is good.
        """
        ...

    def profile(self, account: str) -> Profile:
        """What the site says of an account.

        Raises:
            NotFound: there is no such account.
            FetchError: as above.
        """
        ...

    def close(self) -> None:
        """Close all connections."""
        ...
