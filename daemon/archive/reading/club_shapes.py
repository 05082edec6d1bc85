"""The shapes of club tournaments, as the API sends them and ``--json`` prints them. What is unknown is None."""

from typing import Literal

# See shapes.py: pydantic takes typing's own TypedDict only from Python 3.12 on.
from typing_extensions import TypedDict


class Tournament(TypedDict):
    """A tournament in a list. *rounds_complete* have a table; *playing* is the round that has a pairing list only."""

    slug: str
    name: str
    short_name: str
    kind: str
    city: str
    federation: str
    arbiter: str
    time_control: str
    planned_rounds: int
    rounds_complete: int
    playing: int | None
    member_count: int
    created_at: str


class Member(TypedDict):
    """A member: a player of the archive. *joined* and *withdrawn* are rounds: the first one, the first one without him."""

    n: int
    player_id: int
    name: str
    fide_id: str | None
    rating: int
    joined: int
    withdrawn: int | None
    category: str | None
    handles: list[str]


class RoundSummary(TypedDict):
    """A round of the list. *state*: ``open`` before it is paired, ``paired``, ``complete`` with a table."""

    n: int
    state: Literal["open", "paired", "complete"]
    day: str | None
    boards: int
    results: int


class WholeTournament(Tournament):
    """One tournament with all of its settings, as texts."""

    settings: dict[str, str]
    pairing_settings: dict[str, str]
    members: list[Member]
    rounds: list[RoundSummary]


class Pairing(TypedDict):
    """A board. *result*: ``1-0``, ``0-1``, ``1/2``, ``+-``, ``-+`` or ``--``; *game_id* is the game that told it."""

    board: int
    white: Member
    black: Member
    by_hand: bool
    why: str
    why_colours: str
    result: str | None
    game_id: int | None


class Absence(TypedDict):
    """Somebody without a game: ``bye``, ``excused``, ``unexcused`` or ``club``."""

    member: Member
    reason: str


class ByHand(TypedDict):
    """A pairing set before the round is paired; the usual rules give the colours where *white* is None."""

    one: Member
    other: Member
    white: Member | None


class Round(RoundSummary):
    """One round. *notes* are what the pairing had to say."""

    begins_at: str | None
    ends_at: str | None
    pairings: list[Pairing]
    absences: list[Absence]
    by_hand: list[ByHand]
    bye_by_hand: Member | None
    notes: list[str]


class Credit(TypedDict):
    """What one round brought: *points* are *value* times *factor*, both exact fractions."""

    round: int
    kind: str
    opponent: str | None
    value: str
    factor: str
    points: str


class Standing(TypedDict):
    """A line of the table.

    *place* counts all; *rank* counts those in the ranking, None outside it; *category_rank* those of his category.
    *value* is the value number that this table was made with, *next_value* the one that goes with the place.
    *points* is rounded, *exact* is not. *played*, *wins*, *draws* and *losses* are at the board.
    """

    place: int
    rank: int | None
    category_rank: int | None
    member: Member
    points: float
    exact: str
    value: str
    next_value: str
    own: str
    played: int
    wins: int
    draws: int
    losses: int
    byes: int
    credits: list[Credit]


class Standings(TypedDict):
    """The table after *round*. *final*: the planned rounds are over, and *minimum_games* decide who is ranked."""

    tournament: str
    round: int
    final: bool
    minimum_games: int
    held: bool
    cycle: int
    notes: list[str]
    items: list[Standing]
    withdrawn: list[Member]


class CrossCell(TypedDict):
    """A game in the cross table, from the side of the row."""

    round: int
    colour: Literal["white", "black"]
    result: str | None
    played: bool


class CrossRow(TypedDict):
    """A line of the cross table: *cells* against each place, one list of games for each."""

    place: int
    member: Member
    cells: list[list[CrossCell]]


class CrossTable(TypedDict):
    """Everybody against everybody, in the order of the table; those who have withdrawn stand at the end."""

    tournament: str
    round: int
    items: list[CrossRow]


class Event(TypedDict):
    """Something that was done in a tournament."""

    n: int
    at: str
    what: str
    told: str
