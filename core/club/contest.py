"""The games of a tournament as a rating sees them: only those at the board, in the order of the rounds."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Final

from core.club.trf import Document, TrfPlayer, TrfTurn
from core.club.trf_days import days_of

RATED: Final = {"1": Fraction(1), "=": Fraction(1, 2), "0": Fraction(0)}
"""TRF's codes of rated games, and what each is worth. W, D and L are games that are not rated."""

_YEAR: Final = re.compile(r"(?<!\d)(?:18|19|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Encounter:
    """A game, seen from one player; *opponent* is an index into the contest's players."""

    round: int
    opponent: int
    score: Fraction


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player of a tournament; *number* is their number in it, *label* identifies them."""

    number: int
    name: str
    label: str
    fide_id: str | None = None
    rating: int | None = None
    born: int | None = None
    games: tuple[Encounter, ...] = ()


@dataclass(frozen=True, slots=True)
class Contest:
    """A tournament; the days of its first and last round are None if they are not known."""

    name: str
    players: tuple[Contestant, ...]
    first: date | None = None
    last: date | None = None
    notes: tuple[str, ...] = ()
    """What is not rated, and why: forfeits, games without a result."""


def of_report(document: Document) -> Contest:
    """The contest of a tournament report."""
    days = days_of(document)
    places = {player.number: place for place, player in enumerate(document.players)}
    return Contest(
        document.name,
        tuple(_of_line(player, places) for player in document.players),
        min(days, default=None),
        max(days, default=None),
        tuple(_notes_on(turn for player in document.players for turn in player.turns)),
    )


def _of_line(player: TrfPlayer, places: Mapping[int, int]) -> Contestant:
    games = tuple(
        Encounter(number, places[turn.opponent], RATED[turn.result])
        for number, turn in enumerate(player.turns, start=1)
        if turn.result in RATED and turn.opponent in places and turn.opponent != player.number
    )
    return Contestant(
        number=player.number,
        name=player.name,
        label=player.name,
        fide_id=player.fide_id or None,
        rating=player.rating or None,
        born=year_of(player.birth),
        games=games,
    )


def without_games(contest: Contest, left_out: Collection[tuple[int, str]]) -> Contest:
    """The contest without the handicap games: those of these rounds and labels."""
    if not left_out:
        return contest
    players = tuple(
        replace(one, games=tuple(game for game in one.games if (game.round, one.label) not in left_out))
        for one in contest.players
    )
    games = len(left_out) // 2
    said = "game had a handicap and is not rated" if games == 1 else "games had a handicap and are not rated"
    return replace(contest, players=players, notes=(*contest.notes, f"{games} {said}"))


def year_of(birth: str) -> int | None:
    """The year of a date of birth as reports write it, or of a year alone; None if there is none."""
    found = _YEAR.search(birth)
    return int(found[0]) if found else None


def _notes_on(turns: Iterable[TrfTurn]) -> list[str]:
    """Notes on what is not rated; each game has two turns."""
    kinds = Counter(_kind(turn) for turn in turns if turn.opponent)
    return [
        f"{count // 2} {one if count == 2 else more}"
        for kind, (one, more) in _UNRATED.items()
        if (count := kinds[kind] + kinds[kind] % 2)
    ]


_UNRATED: Final = {
    "forfeit": ("game ended by forfeit and is not rated", "games ended by forfeit and are not rated"),
    "open": ("game has no result yet and is not rated", "games have no result yet and are not rated"),
    "unrated": ("game was played unrated (W, D, L)", "games were played unrated (W, D, L)"),
}


def _kind(turn: TrfTurn) -> str:
    if turn.result in {"+", "-"}:
        return "forfeit"
    if turn.result in {"W", "D", "L"}:
        return "unrated"
    return "" if turn.result else "open"
