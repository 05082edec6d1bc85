"""A club tournament as its rules see it: who takes part, and what happened in each round."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


@dataclass(frozen=True, slots=True)
class Competitor:
    """A member of the field. Ratings are unique, unless every player has a *seed* (1 is the first).

    *joined* is the first round that counts for them, *withdrawn* the first that no longer does. *terms* are
    settings that differ for this player: names and values.
    """

    id: str
    rating: int | None = None
    name: str = ""
    seed: int | None = None
    joined: int = 1
    withdrawn: int | None = None
    terms: tuple[tuple[str, object], ...] = ()


class GameResult(StrEnum):
    """How a game ended; with plus and minus it was not played (club K8)."""

    WHITE = "1-0"
    BLACK = "0-1"
    DRAW = "1/2"
    WHITE_FORFEIT = "+-"
    BLACK_FORFEIT = "-+"
    BOTH_ABSENT = "--"

    @property
    def played(self) -> bool:
        """Whether two people sat at the board."""
        return self in _PLAYED

    def points(self, *, white: bool) -> int:
        """Half points of one side: 2, 1 or 0."""
        if self is GameResult.DRAW:
            return 1
        winners = (
            (GameResult.WHITE, GameResult.WHITE_FORFEIT)
            if white
            else (GameResult.BLACK, GameResult.BLACK_FORFEIT)
        )
        return 2 * (self in winners)


_PLAYED: Final = frozenset((GameResult.WHITE, GameResult.BLACK, GameResult.DRAW))


@dataclass(frozen=True, slots=True)
class ClubGame:
    """A pairing, by ids. Without a *result* it is worth nothing yet, but it is a meeting and gave colours.

    A *handicap* is one of `core.club.grades.HANDICAPS`, given by *giver*.
    """

    white: str
    black: str
    result: GameResult | None = None
    handicap: str | None = None
    giver: str | None = None

    @property
    def met(self) -> bool:
        """Whether it is a real meeting: a forfeited game is not."""
        return self.result is None or self.result.played

    def opponent(self, player: str) -> str:
        """The id of the opponent of this player."""
        return self.black if player == self.white else self.white


class AbsenceReason(StrEnum):
    """Why a player did not play."""

    BYE = "bye"
    EXCUSED = "excused"
    SHORT_NOTICE = "short notice"
    UNEXCUSED = "unexcused"
    CLUB = "club"
    EXTERNAL_WIN = "external win"
    EXTERNAL_DRAW = "external draw"
    EXTERNAL_LOSS = "external loss"

    @property
    def external(self) -> bool:
        """Whether they played for the club elsewhere."""
        return self in _EXTERNAL


_EXTERNAL: Final = frozenset(
    (AbsenceReason.EXTERNAL_WIN, AbsenceReason.EXTERNAL_DRAW, AbsenceReason.EXTERNAL_LOSS)
)


@dataclass(frozen=True, slots=True)
class Away:
    """A player without a game in a round."""

    player: str
    reason: AbsenceReason


@dataclass(frozen=True, slots=True)
class TournamentRound:
    """An evening. A player in neither list stayed away without notice, had not joined, or had withdrawn."""

    games: tuple[ClubGame, ...] = ()
    away: tuple[Away, ...] = ()


def start_order(players: Iterable[Competitor]) -> tuple[Competitor, ...]:
    """The order before round 1: by seed if all have one, else by rating (club P1).

    Raises ValueError, which says what is unclear.
    """
    field = tuple(players)
    _refuse_doubles("id", [player.id for player in field])
    without = [player.id for player in field if player.seed is None]
    if 0 < len(without) < len(field):
        raise ValueError(f"{without[0]} has no seed: either all players have one or none")
    if field and not without:
        _refuse_doubles("seed", [str(player.seed) for player in field])
        return tuple(sorted(field, key=lambda player: player.seed or 0))
    for player in field:
        if player.rating is None:
            raise ValueError(f"{player.id} has no rating: estimate one, or give every player a seed")
    _refuse_doubles("rating", [str(player.rating) for player in field])
    return tuple(sorted(field, key=lambda player: -(player.rating or 0)))


def _refuse_doubles(what: str, values: Sequence[str]) -> None:
    doubles = sorted(value for value, times in Counter(values).items() if times > 1)
    if doubles:
        raise ValueError(f"two players have the {what} {doubles[0]}: it must be unique")


def problems(players: Iterable[Competitor], rounds: Sequence[TournamentRound]) -> list[str]:
    """What is impossible in these rounds, a sentence each; empty if all is well."""
    by_id = {player.id: player for player in players}
    found: list[str] = []
    for number, evening in enumerate(rounds, start=1):
        named = [side for game in evening.games for side in (game.white, game.black)]
        named += [away.player for away in evening.away]
        found += [
            f"round {number}: {name} is in it {times} times"
            for name, times in Counter(named).items()
            if times > 1
        ]
        found += [
            f"round {number}: {name} {why}"
            for name in dict.fromkeys(named)
            if (why := _why_not(by_id, name, number))
        ]
    return found


def _why_not(by_id: dict[str, Competitor], name: str, number: int) -> str | None:
    player = by_id.get(name)
    if player is None:
        return "is not a player of this tournament"
    if number < player.joined:
        return f"joins only in round {player.joined}"
    if player.withdrawn is not None and number >= player.withdrawn:
        return f"has withdrawn in round {player.withdrawn}"
    return None
