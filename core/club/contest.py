"""Who played whom, as a rating sees it: games at the board only, in the order of the rounds."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Final

from core.club.tournament import Player, Result, Round
from core.club.trf import Document, TrfPlayer, Turn

RATED: Final = {"1": Fraction(1), "=": Fraction(1, 2), "0": Fraction(0)}
"""TRF's codes of games that are rated, with what they are worth. W, D and L are games that are not."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """A game, seen from one player; *opponent* is a place in the contest, from 0."""

    round: int
    opponent: int
    score: Fraction


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player of a tournament; *number* is theirs in it, *label* tells them from everybody else."""

    number: int
    name: str
    label: str
    fide_id: str | None = None
    rating: int | None = None
    born: int | None = None
    games: tuple[Encounter, ...] = ()


@dataclass(frozen=True, slots=True)
class Contest:
    """A tournament. The days are those of its first and last round, None where they are not known."""

    name: str
    players: tuple[Contestant, ...]
    first: date | None = None
    last: date | None = None
    notes: tuple[str, ...] = ()
    """What is not rated, and why: forfeits, games without a result."""


def of_report(document: Document) -> Contest:
    """A tournament report."""
    days = document_days(document)
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
    born = player.birth[:4] if player.birth[:4].isdecimal() else player.birth[-4:]
    return Contestant(
        number=player.number,
        name=player.name,
        label=player.name,
        fide_id=player.fide_id or None,
        rating=player.rating or None,
        born=int(born) if born.isascii() and born.isdecimal() and int(born) > 1800 else None,
        games=games,
    )


def document_days(document: Document) -> list[date]:
    """The days that a report names: of its rounds (132), else of its beginning and end (042, 052)."""
    for codes in (("132",), ("042", "052")):
        days = [
            day for text in document.texts(*codes) for word in text.split() if (day := _day(word)) is not None
        ]
        if days:
            return days
    return []


def _day(word: str) -> date | None:
    """A date as "2026/03/01", "26/03/01", "2026-03-01", "01.03.2026"; None if it is none."""
    parts = word.replace("/", "-").replace(".", "-").split("-")
    if len(parts) != 3 or not all(part.isascii() and part.isdecimal() and len(part) < 5 for part in parts):
        return None
    year, month, day = map(int, parts if len(parts[2]) < 4 else reversed(parts))
    try:
        return date(year + 2000 if year < 100 else year, month, day)
    except ValueError:
        return None


def of_rounds(
    name: str,
    players: Sequence[Player],
    rounds: Sequence[Round],
    *,
    numbers: Mapping[str, int],
    days: Sequence[date] = (),
) -> Contest:
    """A club tournament; *numbers* are those of the members, by the ids of the players."""
    places = {player.id: place for place, player in enumerate(players)}
    games: list[list[Encounter]] = [[] for _ in players]
    turns: list[Turn] = []
    for number, evening in enumerate(rounds, start=1):
        for game in evening.games:
            turns += [_as_turn(game.result)] * 2
            if game.result is None or not game.result.played:
                continue
            for one, white in ((game.white, True), (game.black, False)):
                score = Fraction(game.result.points(white=white), 2)
                games[places[one]].append(Encounter(number, places[game.opponent(one)], score))
    return Contest(
        name,
        tuple(
            Contestant(
                numbers[player.id],
                player.name or player.id,
                player.id,
                rating=player.rating,
                games=tuple(games[place]),
            )
            for place, player in enumerate(players)
        ),
        min(days, default=None),
        max(days, default=None),
        tuple(_notes_on(turns)),
    )


def _as_turn(result: Result | None) -> Turn:
    return Turn(1, "-", "" if result is None else "1" if result.played else "+")


def _notes_on(turns: Iterable[Turn]) -> list[str]:
    """What is not rated; each game has two turns."""
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


def _kind(turn: Turn) -> str:
    if turn.result in {"+", "-"}:
        return "forfeit"
    if turn.result in {"W", "D", "L"}:
        return "unrated"
    return "" if turn.result else "open"
