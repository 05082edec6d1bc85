"""The effect of a tournament on a rating, for FIDE and the DWZ alike, so that it can be checked by hand."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Literal

from core.club.chess_rating_list import ChessList, KnownPlayer
from core.club.contest import Contest, Contestant
from core.club.rated_games import RatedGame, RatingChange, points, rounded

OPPONENT_UNRATED: Final = "the opponent is unrated: not rated"


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game and the change by it. None if there is none, or only one by all games together."""

    round: int
    opponent: Contestant
    rating: int | None
    """The opponent's, before the tournament."""
    score: Fraction
    difference: int | None = None
    """The difference that counts."""
    expected: Fraction | None = None
    change: Fraction | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class RatingOutcome:
    """A player before and after.

    Attributes:
        method: How the rating came about: it changed, it is the first one, there is none (yet), or no game
            was rated.
        games: How many count.
        why: What led to it, most important first: K, first rating, floor.
        assumed: What is not known of the player, and what was assumed instead.
    """

    player: Contestant
    before: KnownPlayer
    after: KnownPlayer
    method: Literal["change", "first", "unrated", "no games"]
    games: int = 0
    score: Fraction = Fraction(0)
    expected: Fraction | None = None
    exact: Fraction | None = None
    coefficient: int | None = None
    why: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    lines: tuple[GameLine, ...] = ()

    @property
    def change(self) -> int | None:
        """By how much the rating changed; None if they had none before or have none after."""
        if self.before.rating is None or self.after.rating is None:
            return None
        return self.after.rating - self.before.rating

    @property
    def change_by(self) -> int | None:
        """The change by the games, rounded, also if it takes the rating below the floor."""
        return None if self.exact is None else rounded(self.exact)


def of_change(
    player: Contestant,
    known: KnownPlayer,
    after: KnownPlayer,
    played: Sequence[RatedGame],
    change: RatingChange,
) -> RatingOutcome:
    """The outcome of a rating that changed by these games; the reasons and lines are the caller's to add."""
    return RatingOutcome(
        player,
        known,
        after,
        "change",
        games=len(played),
        score=points(played),
        expected=change.expected,
        exact=change.exact,
        coefficient=change.coefficient,
        unverified=change.unverified,
    )


def known_players(
    contest: Contest, listed: ChessList | None, unrated: Collection[int] = ()
) -> list[KnownPlayer]:
    """What is known of each player: from the list, else from the tournament itself.

    Args:
        contest: The tournament.
        listed: A list; if it has ratings, there are no others.
        unrated: The indices of those whose rating in the tournament is only an estimate.

    Raises:
        RatingListError: a name fits two players of the list.
    """
    return [_known(player, listed, unrated=place in unrated) for place, player in enumerate(contest.players)]


def _known(player: Contestant, listed: ChessList | None, *, unrated: bool) -> KnownPlayer:
    found = listed.find(player.name, player.fide_id) if listed else None
    known = found or KnownPlayer(player.name)
    with_ratings = listed is not None and listed.with_ratings
    rating = known.rating if with_ratings else player.rating
    return replace(
        known,
        name=player.name,
        fide_id=known.fide_id or player.fide_id,
        born=known.born or player.born,
        rating=None if unrated else rating,
    )


def counted(lines: Sequence[GameLine]) -> tuple[RatedGame, ...]:
    """The games against rated opponents."""
    return tuple(RatedGame(line.rating, line.score) for line in lines if line.rating is not None)


def lines_of(player: Contestant, contest: Contest, ratings: Sequence[int | None]) -> list[GameLine]:
    """A player's games with the opponents' ratings."""
    return [
        GameLine(
            game.round,
            contest.players[game.opponent],
            ratings[game.opponent],
            game.score,
            why="" if ratings[game.opponent] is not None else OPPONENT_UNRATED,
        )
        for game in player.games
    ]
