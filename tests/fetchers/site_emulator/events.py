"""The values that made-up events consist of: broadcasts, studies, arenas, Swiss tournaments, clubs and their matches."""

from dataclasses import dataclass, field
from typing import Final, Literal

from tests.fetchers.site_emulator.play import Line

State = Literal["upcoming", "ongoing", "finished"]
EMPTY_RESULT: Final = "*"
STUDY_READ: Final = "study:read"
"""The scope of lichess that a token must have to be shown private studies and broadcasts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody at a board, as the organiser or the author of a study writes them."""

    name: str
    fide_id: int | None = None
    rating: int | None = None
    title: str | None = None
    team: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A board of a broadcast's round, or a chapter of a study.

    Attributes:
        id: 8 characters.
        white, black: None on an empty board.
        result: as in the PGN; *played* plies have come in.
        round: the Round tag, None where there is none.
        event: the organiser's Event tag; None: lichess makes one of the round's or study's and the board's name.
        site: the organiser's Site tag (a study keeps it); None: the board's own address.
        bare: without GameURL, as before 2025: then Site is the only address.
        created: ms; UTCDate and UTCTime say this, which is not when the game was played.
        comment: before the first move.
    """

    id: str
    title: str
    white: Person | None = None
    black: Person | None = None
    line: Line
    played: int
    result: str = EMPTY_RESULT
    round: str | None = None
    date: str | None = None
    event: str | None = None
    site: str | None = None
    bare: bool = False
    time_control: str | None = None
    created: int = 0
    comment: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BroadcastRound:
    """A round. Moments in ms. A *private* one is shown to nobody but its makers."""

    id: str
    name: str
    state: State = "upcoming"
    created: int = 0
    starts: int | None = None
    finished: int | None = None
    after_previous: bool = False
    private: bool = False
    boards: tuple[Board, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Broadcast:
    """A tournament that is shown; a *private* one to tokens with `STUDY_READ` only.

    *flagged*: its rounds say ``finished`` beside ``finishedAt``, as lichess did before August 2026.
    """

    id: str
    name: str
    created: int = 0
    town: str | None = None
    private: bool = False
    flagged: bool = False
    rounds: tuple[BroadcastRound, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A study. *touched* (ms) is what Last-Modified says; a *private* one is shown to tokens with `STUDY_READ` only."""

    id: str
    name: str
    owner: str
    touched: int
    private: bool = False
    chapters: tuple[Board, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tourney:
    """An arena or a Swiss tournament of lichess; its games are those of the world with its `event_id`.

    A *private* one is shown to tokens only.
    """

    id: str
    kind: Literal["arena", "swiss"]
    name: str
    starts: int
    state: State = "ongoing"
    private: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A group of a round of chess.com's tournament, or a board of a match: the ids of its games."""

    games: tuple[str, ...] = ()
    gone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """A tournament of chess.com: rounds of groups. *addresses*: players are addresses, not objects, in its games."""

    id: str
    name: str
    state: State = "ongoing"
    rounds: tuple[tuple[Part, ...], ...] = ()
    addresses: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match between two clubs of chess.com; *id* is ``123`` or ``live/123``."""

    id: str
    name: str
    starts: int
    state: State = "ongoing"
    ends: int | None = None
    boards: tuple[Part, ...] = ()
    clubs: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Club:
    """A club of chess.com."""

    id: str
    name: str
    matches: tuple[str, ...] = field(default=())
