"""The values that a made-up world is made of: players, seats, time controls, games."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

from tests.fetchers.site_emulator.play import Line

LICHESS: Final = "lichess"
CHESSCOM: Final = "chesscom"

RUNNING: Final = "started"
"""The status of a game that is being played, on both sites."""

Colour = Literal["white", "black"]
Clock = Callable[[], float]
"""Tells the time in seconds since 1970."""


def milliseconds(moment: datetime) -> int:
    """Milliseconds since 1970 of a moment with a time zone."""
    return round(moment.timestamp() * 1000)


def utc(ms: int) -> datetime:
    """The moment that many milliseconds after 1970."""
    return datetime.fromtimestamp(ms / 1000, UTC)


@dataclass(frozen=True, slots=True)
class Ai:
    """The site's own engine as an opponent."""

    level: int


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody without an account (lichess: anonymous)."""


@dataclass(frozen=True, slots=True)
class Named:
    """A player of an imported game: a name, no account."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """An account of one site.

    Attributes:
        number: never changes (chess.com's `player_id`).
        handle: the display form; the key is its lower case.
        state: ``active``, ``closed``, or one of chess.com's words (``closed:fair_play_violations``, ``staff``).
        seen: when (ms) its owner was last on the site; None: when they began their last game, or a little before.
        silent: the site tells none of its games (a site gone wrong).
    """

    number: int
    handle: str
    uuid: str
    rating: int = 1500
    title: str | None = None
    fide_id: int | None = None
    state: str = "active"
    marked: bool = False
    joined: int = 0
    seen: int | None = None
    silent: bool = False

    @property
    def key(self) -> str:
        """The site's key for the account."""
        return self.handle.lower()

    @property
    def closed(self) -> bool:
        """Has the account been closed, by whomever?"""
        return self.state.startswith("closed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Who sits on one side: *number* of a `Player`, or one of those who have no account.

    *name* is the display form at the time of the game; *rating* before the game, *change* by it.
    """

    number: int | None = None
    other: Ai | Guest | Named | None = None
    name: str = ""
    rating: int | None = None
    change: int | None = None


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Seconds at the start and per move, or days per move, or neither."""

    initial: int | None = None
    increment: int = 0
    days: int | None = None

    @classmethod
    def parse(cls, text: str) -> "TimeControl":
        """Read ``180+2``, ``600``, ``1/86400`` (one move in so many seconds) or ``-``."""
        if text == "-":
            return cls()
        if text.startswith("1/"):
            return cls(days=int(text[2:]) // 86400)
        initial, _, increment = text.partition("+")
        return cls(int(initial), int(increment or 0))

    @property
    def estimate(self) -> int:
        """Seconds that one side is expected to use: lichess's measure of speed."""
        return (self.initial or 0) + 40 * self.increment


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game of one site.

    Attributes:
        id: lichess: 8 characters; chess.com: ``live/123``, ``daily/123``.
        variant: lichess's key (``standard``, ``chess960``, ``threeCheck``); also ``bughouse``, ``oddschess``.
        status: lichess's name of the status, or chess.com's code of the loser or of the draw; RUNNING.
        line: all moves; *played* of them have been made.
        clocks: remaining centiseconds after each ply; may be one longer than the moves.
        started, ended: milliseconds; *ended* is the time of the last move so far.
        event: name of the arena, tournament or match; *event_id* its id.
        url_form: chess.com: ``kind`` (/game/live/N), ``old`` (/live/game/N) or ``uuid``.
        cached: chess.com: its cache has caught up with this game; *listed*: so has the list of the months.
    """

    site: str
    id: str
    uuid: str
    white: Seat
    black: Seat
    started: int
    ended: int
    line: Line
    played: int
    clocks: tuple[int, ...] = ()
    variant: str = "standard"
    status: str
    winner: Colour | None = None
    rated: bool = True
    time_control: TimeControl = TimeControl()
    event: str | None = None
    event_id: str | None = None
    source: str = "lobby"
    accuracies: tuple[float, float] | None = None
    url_form: str = "kind"
    cached: bool = True
    listed: bool = True
    import_date: str | None = None

    @property
    def numbers(self) -> set[int]:
        """Whose account it is a game of."""
        return {seat.number for seat in (self.white, self.black) if seat.number is not None}

    @property
    def running(self) -> bool:
        """Is it still being played?"""
        return self.status == RUNNING

    @property
    def result(self) -> str:
        """The PGN result, from status and winner."""
        if self.winner is not None:
            return "1-0" if self.winner == "white" else "0-1"
        return "*" if self.status in {RUNNING, "created", "aborted", "unknownFinish"} else "1/2-1/2"

    @property
    def sans(self) -> tuple[str, ...]:
        """The moves made so far."""
        return self.line.sans[: self.played]

    def seats(self) -> tuple[tuple[Colour, Seat], tuple[Colour, Seat]]:
        """Both sides with their colour."""
        return ("white", self.white), ("black", self.black)
