"""What every fetcher is: the contract between a site's module and the daemon.

Terminology
    ACCOUNT   a handle on one site, in lower case: the site's own key for it.
    CURSOR    what a fetcher needs to go on where it stopped: a JSON object whose inside only the fetcher
              knows. The daemon stores it in the same transaction as the games that came before it.
    STEP      what `games` yields: a game, a note that something was left out, an unreadable game, the ids of a
              part that was read whole, or a checkpoint with a new cursor.
    EVENT     a source of games that is not an account: a broadcast, a study, a tournament, a club. It has a KIND
              (a word of ours) and an ID (the site's, as written in the address of its page).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Protocol, runtime_checkable

from core.game import Game, Unreadable

Cursor = Mapping[str, Any]
"""A JSON object. `{}` is the cursor of an account that was never asked for."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A record that could not be read. It goes to quarantine; the cursor moves on."""

    unreadable: Unreadable
    native_id: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A record that is not a game for an archive, with the reason: ``running``, ``aborted``, ``bughouse``."""

    native_id: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Everything yielded so far is covered by *cursor*: a later round may start from it.

    *expected* is how many games the site says this account has, if it says so. *quiet_s* is for how many
    seconds nothing new is expected (an event that is over, or has not begun); None: ask as usual. *doubt*:
    the answers were complete, but cannot be all there is; the text follows "the site tells ".
    """

    cursor: Cursor
    expected: int | None = None
    quiet_s: float | None = None
    doubt: str | None = None


@dataclass(frozen=True, slots=True)
class Whole:
    """A part of an event was read to its end: these are all games whose ids begin with *part* and ``/``.

    Others that came before are withdrawn: deleted, or set up again under another id.
    """

    part: str
    native_ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class Released:
    """What was reported as `Unread` with these *raw* bytes can be read now, or is reported otherwise."""

    raw: bytes


Step = Game | Unread | LeftOut | Whole | Released | Checkpoint
"""`source` and `native_id` of a game are set; `online` where its names are handles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountProfile:
    """What a site says of an account.

    Attributes:
        handle: The account's key (lower case).
        display: Its display form, as the site shows it.
        state: ``active`` or ``closed``. (An account that does not exist raises `NotFound`.)
        permanent_id: The id that survives a rename, if the site has one (chess.com: `player_id`).
        fide_id: Linked on the profile, if the site says so.
        games: How many games the site counts, if it says so; a lower bound if it counts only the rated ones.
        created_at: Since when the account exists.
        marked: Whether the site has marked it for unfair play; its games stay.
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
        """Yield what is new since *cursor*, oldest first, with an overlap: the archive recognises what it has.

        *full* asks for everything again. The iterator may be closed at any point: it then closes its
        connection. It ends normally only if the site's answers were complete.

        Raises:
            FetchError: at any point; see `fetchers.errors`. What was yielded before it is good.
        """
        ...

    def profile(self, account: str) -> AccountProfile:
        """What the site says of an account.

        Raises:
            NotFound: there is no such account.
            FetchError: as above.
        """
        ...

    def knock(self) -> None:
        """Ask something small that concerns no account, to see whether the site answers at all.

        Raises:
            FetchError: it does not. (`NotFound` and `Gone` are answers.)
        """
        ...

    def close(self) -> None:
        """Close all connections."""
        ...


UPCOMING: Final = "upcoming"
RUNNING: Final = "running"
FINISHED: Final = "finished"
OPEN: Final = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventProfile:
    """What a site says of an event.

    Attributes:
        kind, id: As it was asked for.
        name: As the site writes it.
        url: Its page.
        state: ``upcoming``, ``running``, ``finished``, or ``open`` if it has no end (a study, a club).
        begins_at: If the site says so.
        games: How many games the site counts, if it says so.
    """

    kind: str
    id: str
    name: str
    url: str | None = None
    state: str = OPEN
    begins_at: datetime | None = None
    games: int | None = None


class EventFetcher(Protocol):
    """The events of one site. It asks through the same door as the site's `Fetcher`.

    Never use both at once.
    """

    site: str
    """The site's key."""

    kinds: frozenset[str]
    """The kinds of events that this site has."""

    def games(
        self, kind: str, event_id: str, cursor: Cursor, *, now: datetime, full: bool = False
    ) -> Iterator[Step]:
        """Like `Fetcher.games`, for an event.

        A game that the site has corrected comes again under its native id.

        `Checkpoint.quiet_s` of the last step says whether it is worth asking again soon.

        Raises:
            NotFound: there is no such event.
            Refused: it is not shown to us.
            FetchError: at any point; see `fetchers.errors`. What was yielded before it is good.
            ValueError: the site has no such kind of events.
        """
        ...

    def about(self, kind: str, event_id: str) -> EventProfile:
        """What the site says of an event, by one small request (for a study: its whole PGN).

        Raises:
            As `games`.
        """
        ...


@runtime_checkable
class Following(Protocol):
    """A fetcher that can follow events, too."""

    @property
    def events(self) -> EventFetcher:
        """The fetcher for its site's events, through the same door."""
        ...


NEWS_MARGIN: Final = timedelta(minutes=15)
"""A site updates only now and then when an account was last seen, and its games come a little late."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """What a site says of one account when it is asked about hundreds at once.

    Attributes:
        handle: The account's key (lower case).
        exists: Whether the site knows it. (If not, all that follows is empty.)
        closed: Whether it has been closed, and no longer has games to download.
        seen_at: When its owner was last on the site.
        games: Rated games of all kinds. Casual ones move only *seen_at*.
        playing: Games being played now, if the site says so.
        profile: What else it says.
    """

    handle: str
    exists: bool = True
    closed: bool = False
    seen_at: datetime | None = None
    games: int | None = None
    playing: int | None = None
    profile: AccountProfile | None = field(default=None, compare=False)

    def may_have_news(self, since: datetime, games: int | None = None) -> bool:
        """Whether a game may be missing from a complete round, which began at *since* by the site's clock.

        *games* is what the glance before that round counted. In doubt there may be. A correspondence game may
        end without its player being seen: accounts for which `Glancing.waits` are to be asked for anyway.
        """
        if not self.exists or self.closed:
            return False
        if self.seen_at is None or self.seen_at + NEWS_MARGIN >= since or self.playing:
            return True
        return games is not None and self.games is not None and self.games != games


@runtime_checkable
class Glancing(Protocol):
    """A fetcher whose site reports on hundreds of accounts in one answer."""

    def glance(self, handles: Iterable[str]) -> Mapping[str, Glance]:
        """A glance at each of these accounts, by handle in lower case; one request for each 300 of them.

        Raises:
            FetchError: see `fetchers.errors`.
        """
        ...

    def asked_at(self, cursor: Cursor) -> datetime | None:
        """When the complete round that left this cursor began, by the site's clock.

        None if it did not say.
        """
        ...

    def waits(self, cursor: Cursor) -> bool:
        """Whether a game was still being played when this cursor was made.

        Then the account is never quiet.
        """
        ...
