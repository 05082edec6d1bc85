"""A group within a tournament: its own table, and who moves up and down after a cycle."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from core.club.tournament import ClubGame, TournamentRound


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A member of a group: *points* and *berger* (Sonneborn-Berger) of the *games* against other members."""

    player: str
    points: Fraction
    berger: Fraction
    games: int
    wins: int


def group_table(members: Sequence[str], rounds: Sequence[TournamentRound]) -> tuple[GroupRow, ...]:
    """The table of a group, best first: a point for a win, a half for a draw.

    Only the first game of each two with a result counts, also if it was forfeited; further meetings are games
    of the tournament alone. Equal points are decided by Sonneborn-Berger, then wins, then the order of
    *members*; those without a game come last.
    """
    scores = _scores(members, rounds)
    points = {one: sum(own.values(), Fraction(0)) for one, own in scores.items()}
    rows = [
        GroupRow(
            one,
            points[one],
            sum((score * points[other] for other, score in own.items()), Fraction(0)),
            len(own),
            sum(score == 1 for score in own.values()),
        )
        for one, own in scores.items()
    ]
    return tuple(
        sorted(
            rows,
            key=lambda row: (-row.points, -row.berger, -row.wins, not row.games, members.index(row.player)),
        )
    )


def _scores(members: Sequence[str], rounds: Sequence[TournamentRound]) -> dict[str, dict[str, Fraction]]:
    """The scores of each member in the first game against each of the others."""
    scores: dict[str, dict[str, Fraction]] = {one: {} for one in members}
    for game in (game for each in rounds for game in each.games):
        if game.white in scores and game.black in scores and game.result is not None:
            scores[game.white].setdefault(game.black, _score(game, white=True))
            scores[game.black].setdefault(game.white, _score(game, white=False))
    return scores


def _score(game: ClubGame, *, white: bool) -> Fraction:
    return Fraction(game.result.points(white=white), 2) if game.result else Fraction(0)


def moved(levels: Mapping[str | None, Sequence[str]], number: int) -> dict[str, str | None]:
    """The group of everybody in the next cycle: *number* go up and as many go down between two levels.

    *levels* are the groups with their members, best first, the highest group first. Nobody moves twice: in a
    small group, fewer move. Raises ValueError if there is no second level.
    """
    if number and len(levels) < 2:
        raise ValueError("there are no two groups to move between")
    names = list(levels)
    found = {player: group for group, players in levels.items() for player in players}
    for upper, lower in pairwise(names):
        down = [player for player in levels[upper] if found[player] == upper]
        count = min(number, len(down), len(levels[lower]))
        for player in down[len(down) - count :]:
            found[player] = lower
        for player in levels[lower][:count]:
            found[player] = upper
    return found
