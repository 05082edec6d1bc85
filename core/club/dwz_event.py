"""Rates a tournament by the rules of the DWZ: everybody's change, and first ratings."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Final

from core.club import rating_outcomes
from core.club.chess_rating_list import KnownPlayer
from core.club.contest import Contest, Contestant
from core.club.dwz_rating import dwz_change, dwz_expected, first_dwz
from core.club.rated_games import points
from core.club.rating_outcomes import GameLine, RatingOutcome
from core.plurals import count_of

_ADULT: Final = 26
_SETTLED: Final = 6
ASSUMED_AGE: Final = "older than 25"
ASSUMED_INDEX: Final = f"index {_SETTLED} or more"
STORED: Final = "unverified: games stored before count however old they are (DSB: 2 years)"


def rate(contest: Contest, known: Sequence[KnownPlayer], day: date) -> tuple[RatingOutcome, ...]:
    """Rate a tournament that ends on *day*: a player's age is its year minus the year of birth."""
    ratings = [one.rating for one in known]
    return tuple(
        _changed(player, one, rating_outcomes.lines_of(player, contest, ratings), day)
        if one.rating is not None
        else _first(player, one, rating_outcomes.lines_of(player, contest, ratings))
        for player, one in zip(contest.players, known, strict=True)
    )


def _changed(player: Contestant, known: KnownPlayer, lines: list[GameLine], day: date) -> RatingOutcome:
    played = rating_outcomes.counted(lines)
    rating = known.rating
    if not played or rating is None:
        return RatingOutcome(player, known, known, "no games", lines=tuple(lines))
    age = _ADULT if known.born is None else day.year - known.born
    index = _SETTLED if known.index is None else known.index
    change = dwz_change(rating, played, age=age, index=index)
    unknown = {ASSUMED_AGE: known.born is None, ASSUMED_INDEX: known.index is None}
    after = replace(
        known,
        rating=max(change.after, 1),
        index=None if known.index is None else known.index + 1,
        games=None if known.games is None else known.games + len(played),
        stored=(),
    )
    factor = Fraction(800, change.coefficient + len(played))
    return replace(
        rating_outcomes.of_change(player, known, after, played, change),
        why=(f"E {change.coefficient}",),
        assumed=tuple(text for text, holds in unknown.items() if holds),
        lines=tuple(_worked_out(rating, line, factor) for line in lines),
    )


def _worked_out(rating: int, line: GameLine, factor: Fraction) -> GameLine:
    """A game with the change that it makes."""
    if line.rating is None:
        return line
    difference = rating - line.rating
    expected = dwz_expected(difference)
    change = factor * (line.score - expected)
    return replace(line, difference=difference, expected=expected, change=change)


def _first(player: Contestant, known: KnownPlayer, lines: list[GameLine]) -> RatingOutcome:
    """A player without a DWZ gets a first one, if they have enough games."""
    new = rating_outcomes.counted(lines)
    played = (*known.stored, *new)
    if not new:
        return RatingOutcome(player, known, known, "no games", lines=tuple(lines), why=("without a DWZ",))
    found = first_dwz(played)
    before = f", {len(known.stored)} of them from before" if known.stored else ""
    if found.rating is None:
        why: tuple[str, ...] = (f"no DWZ yet: {found.reason}",)
        after = replace(known, stored=played)
    else:
        why = (f"first DWZ from {count_of(len(played), 'game')}{before}", found.how)
        games = None if known.games is None else known.games + len(new)
        after = replace(known, rating=found.rating, index=1, games=games, stored=())
    return RatingOutcome(
        player,
        known,
        after,
        "first" if found.rating else "unrated",
        len(new),
        points(new),
        why=why,
        unverified=(*found.unverified, *((STORED,) if known.stored and found.rating else ())),
        lines=tuple(lines),
    )
