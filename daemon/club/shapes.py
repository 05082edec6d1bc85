"""The shapes of club tournaments, as the API sends them and ``--json`` prints them. What is unknown is None."""

from typing import Annotated

# See shapes.py: pydantic takes typing's own TypedDict only from Python 3.12 on.
from typing_extensions import TypedDict

from core.vocabulary import Colour
from daemon.archive.reading.shape_words import (
    AbsenceWord,
    ClubResult,
    CreditOf,
    Day,
    Time,
    says,
)
from daemon.archive.tables.words import ClubRoundState


class Tournament(TypedDict):
    """A tournament in a list."""

    slug: Annotated[str, says("the tournament in addresses")]
    name: Annotated[str, says("the whole name")]
    short_name: Annotated[str, says("the short name, for tables")]
    kind: Annotated[str, says("the system: `keizer`, or `points` where the tournament came from a file")]
    city: Annotated[str, says("where it is played")]
    federation: Annotated[str, says("the federation's code")]
    arbiter: Annotated[str, says("who directs it")]
    time_control: Annotated[str, says("as PGN has it: `5400+30`")]
    fesa: Annotated[str, says("`yes` where it is for FESA's rating, else empty")]
    begins: Annotated[str, says("the first day where it was said, else empty")]
    planned_rounds: Annotated[int, says("how many rounds are planned")]
    rounds_complete: Annotated[int, says("how many rounds have a table")]
    playing: Annotated[int | None, says("the round that has a pairing list, and no table yet")]
    member_count: Annotated[int, says("how many members there are")]
    created_at: Annotated[Time, says("when it was created")]


class Member(TypedDict):
    """A member of a tournament: a player of the archive."""

    n: Annotated[int, says("the member's number in the tournament")]
    player_id: Annotated[int, says("the player of the archive, see `/players/{player_id}`")]
    name: Annotated[str, says("as the archive shows the player")]
    label: Annotated[str, says("the name, with the number where two members' names are alike")]
    fide_id: Annotated[str | None, says("the FIDE id")]
    rating: Annotated[
        int | None, says("the rating that the tournament goes by; null where its file has none")
    ]
    joined: Annotated[int, says("the first round that counts for them")]
    withdrawn: Annotated[int | None, says("the first round without them; null while they take part")]
    category: Annotated[str | None, says("the category, where there are any")]
    handles: Annotated[list[str], says("the accounts whose games are collected as results")]
    nation: Annotated[str | None, says("the code of the country, of two letters where there is one")]
    grade: Annotated[str | None, says("the grade, for FESA's files")]
    macmahon: Annotated[str | None, says("MacMahon points before the first round, an exact fraction")]
    spelled: Annotated[str | None, says("the name as the rating list has it: `[Last][First]`")]
    newcomer: Annotated[bool, says("new to rated tournaments")]
    group: Annotated[str | None, says("the group within the tournament, where there are any")]
    terms: Annotated[dict[str, str], says("the settings that are others for this member")]


class GroupRow(TypedDict):
    """A line of the table of a group."""

    member: Annotated[Member, says("who")]
    points: Annotated[float, says("a point for a win, a half for a draw, against the others of the group")]
    berger: Annotated[float, says("Sonneborn-Berger of these games")]
    games: Annotated[int, says("how many of the others were met")]
    wins: Annotated[int, says("how many were won")]
    place: Annotated[int | None, says("the place in the table of the tournament")]
    rank: Annotated[int | None, says("the place in its ranking; null outside it")]


class GroupTable(TypedDict):
    """The table of a group within a tournament."""

    group: Annotated[str, says("the name of the group")]
    round: Annotated[int, says("the round after which it stands")]
    items: Annotated[list[GroupRow], says("the lines, best first")]


class RoundSummary(TypedDict):
    """A round in a list."""

    n: Annotated[int, says("the number of the round")]
    state: Annotated[ClubRoundState, says("`open` before it is paired, `paired`, or `complete` with a table")]
    day: Annotated[Day | None, says("the day it is played on")]
    boards: Annotated[int, says("how many boards there are")]
    results: Annotated[int, says("how many of them have a result")]
    postponed: Annotated[int, says("how many of the others are postponed")]


class Rule(TypedDict):
    """A setting in plain words."""

    name: Annotated[str, says("the name of the setting")]
    group: Annotated[str, says("the heading that it belongs to")]
    value: Annotated[str, says("what it is, as text")]
    usual: Annotated[str, says("what it is unless somebody changes it")]
    changed: Annotated[bool, says("it is not the usual value")]
    counts: Annotated[bool, says("it changes something while the others are as they are")]
    says: Annotated[str, says("what the value means, a sentence")]
    allowed: Annotated[str, says("which values are allowed")]
    clubs: Annotated[str, says("which clubs want something else")]


class WholeTournament(Tournament):
    """One tournament with all of its settings, as texts."""

    settings: Annotated[dict[str, str], says("every setting of the system, as text")]
    pairing_settings: Annotated[dict[str, str], says("every setting of the pairing, as text")]
    rules: Annotated[list[Rule], says("all of these settings in plain words")]
    members: Annotated[list[Member], says("the members, by their numbers")]
    rounds: Annotated[list[RoundSummary], says("the rounds")]


class Pairing(TypedDict):
    """A board."""

    board: Annotated[int, says("the number of the board")]
    white: Annotated[Member, says("who has White")]
    black: Annotated[Member, says("who has Black")]
    by_hand: Annotated[bool, says("the director set it")]
    why: Annotated[str, says("why these two")]
    why_colours: Annotated[str, says("why these colours")]
    result: Annotated[ClubResult | None, says("the result; null until it is known")]
    game_id: Annotated[int | None, says("the game that the result is from")]
    postponed: Annotated[bool, says("it is played on another day, and has no result yet")]
    postponed_to: Annotated[Day | None, says("that day, if it is known")]
    handicap: Annotated[str | None, says("FESA's code of the handicap: `2p`")]
    handicap_giver: Annotated[Colour | None, says("who gave it")]


class Absence(TypedDict):
    """Somebody without a game."""

    member: Annotated[Member, says("who has no game")]
    reason: Annotated[AbsenceWord, says("why")]


class ByHand(TypedDict):
    """A pairing set before the round is paired."""

    one: Annotated[Member, says("one of the two")]
    other: Annotated[Member, says("the other one")]
    white: Annotated[Member | None, says("who has White; null where the usual rules say")]


class ClubRound(RoundSummary):
    """One round."""

    begins_at: Annotated[Time | None, says("when the evening begins")]
    ends_at: Annotated[Time | None, says("when the evening ends")]
    pairings: Annotated[list[Pairing], says("the boards")]
    absences: Annotated[list[Absence], says("who has no game, and why")]
    by_hand: Annotated[list[ByHand], says("pairings that are set before the round is paired")]
    bye_by_hand: Annotated[Member | None, says("who gets the bye, set by hand")]
    notes: Annotated[list[str], says("notes on the pairing")]


class Credit(TypedDict):
    """What one round brought."""

    round: Annotated[int, says("the round")]
    kind: Annotated[str, says("what it is for: `win`, `bye`, …")]
    opponent: Annotated[str | None, says("against whom")]
    of: Annotated[CreditOf, says("whose value number counts: the `opponent`'s or the `own` one")]
    value: Annotated[str, says("the value number, an exact fraction")]
    rating_share: Annotated[str, says("how much of that value number is by rating: in an early absence")]
    rating_value: Annotated[str, says("the value number of the place by rating, where it counts")]
    factor: Annotated[str, says("what it is multiplied by, an exact fraction")]
    fixed: Annotated[str, says("points that count whatever the value number is, an exact fraction")]
    points: Annotated[str, says("the product and the fixed points, an exact fraction")]


class Standing(TypedDict):
    """A line of the table."""

    place: Annotated[int, says("the place among all, from 1 on")]
    rank: Annotated[int | None, says("the place in the ranking; null outside it")]
    category_rank: Annotated[int | None, says("the place among those of the category")]
    member: Annotated[Member, says("who")]
    points: Annotated[float, says("the points, rounded")]
    exact: Annotated[str, says("the points, an exact fraction")]
    value: Annotated[str, says("the value number that this table was made with")]
    next_value: Annotated[str, says("the value number that goes with the place")]
    own: Annotated[str, says("what the own value number counts")]
    played: Annotated[int, says("games at the board")]
    wins: Annotated[int, says("wins at the board")]
    draws: Annotated[int, says("draws at the board")]
    losses: Annotated[int, says("losses at the board")]
    byes: Annotated[int, says("byes")]
    tie_breaks: Annotated[
        dict[str, float | None],
        says("the tie-breaks that were asked for, by code; null where one only compares those who are equal"),
    ]
    credits: Annotated[list[Credit], says("what each round brought")]


class Standings(TypedDict):
    """The table after a round; of the round that is being played it is the table so far."""

    tournament: Annotated[str, says("the slug of the tournament")]
    kind: Annotated[str, says("the system: `keizer`, or `points`, where value numbers are 0")]
    round: Annotated[int, says("the round after which the table stands, 0 before the first")]
    final: Annotated[bool, says("the planned rounds are over")]
    minimum_games: Annotated[int, says("how many games a final ranking asks for")]
    held: Annotated[bool, says("made with the value numbers of the table before")]
    cycle: Annotated[int, says("1 where the ranking came to rest; else the mean of so many rankings")]
    notes: Annotated[list[str], says("notes on the table")]
    tie_break_rules: Annotated[
        str | None,
        says("by which edition of FIDE's rules the tie-breaks are; null where none were asked for"),
    ]
    items: Annotated[list[Standing], says("the lines, best first")]
    withdrawn: Annotated[list[Member], says("who does not take part any more")]


class CrossCell(TypedDict):
    """A game in the cross table, from the side of the row."""

    round: Annotated[int, says("the round")]
    colour: Annotated[Colour, says("the side of the row's member")]
    result: Annotated[str | None, says("`1`, `½`, `0`, `+` or `-`; null until it is known")]
    played: Annotated[bool, says("it was played at the board")]


class CrossRow(TypedDict):
    """A line of the cross table."""

    place: Annotated[int, says("the place in the table")]
    rank: Annotated[int | None, says("the place in the ranking; null outside it")]
    member: Annotated[Member, says("who")]
    cells: Annotated[list[list[CrossCell]], says("the games against each place, in its order")]


class CrossTable(TypedDict):
    """Everybody against everybody."""

    tournament: Annotated[str, says("the slug of the tournament")]
    round: Annotated[int, says("the round after which it stands")]
    items: Annotated[
        list[CrossRow], says("the lines, in the order of the table; those who have withdrawn come last")
    ]


class Event(TypedDict):
    """Something that was done in a tournament."""

    n: Annotated[int, says("in the order in which it was done")]
    at: Annotated[Time, says("when")]
    what: Annotated[str, says("what was done")]
    told: Annotated[str, says("the same as a sentence")]
    step: Annotated[int | None, says("the step that it is part of; null where no undo takes it back")]
    undone: Annotated[bool, says("that step is undone")]
