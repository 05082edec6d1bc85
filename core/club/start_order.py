"""The ranked players as numbers in start order, and their value numbers by place (club K1 to K3, K5, K11)."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Final

from core.club.keizer_settings import KeizerSettings
from core.club.tournament import Competitor
from core.plurals import count_of

Ranking = tuple[int, ...]
"""Players' numbers, first place first."""
RankValues = tuple[Fraction, ...]
"A number for each player, in start order."

_ROUNDINGS: Final[dict[str, Callable[[Fraction], int]]] = {
    "half_even": round,
    "half_up": lambda number: floor(number + Fraction(1, 2)),
    "floor": floor,
}
_FADED: Final = 5


def top_value(players: int, settings: KeizerSettings) -> Fraction:
    """The value number of the first place among so many ranked players."""
    if settings.base is not None:
        return settings.base
    exact = (players - 1) * settings.step * settings.ratio / (settings.ratio - 1)
    return Fraction(_ROUNDINGS[settings.rounding](exact))


def ladder(players: int, settings: KeizerSettings) -> RankValues:
    """The value numbers from the first place to the last. Raises ValueError if they would fall below zero."""
    top = top_value(players, settings)
    values = tuple(top - settings.step * place for place in range(players))
    if values and values[-1] < 0:
        raise ValueError(
            f"the last of {count_of(players, 'player')} would have the value number {values[-1]}: raise base ({top}) "
            "or lower step"
        )
    return values


@dataclass(frozen=True, slots=True)
class StartField:
    """The ranked players by number. Made by `StartField.of`."""

    ids: tuple[str, ...]
    index: dict[str, int]
    ladder: RankValues
    rating_values: RankValues
    by_rating: Ranking
    ties: tuple[tuple[int | str, int], ...]
    settings: KeizerSettings

    @classmethod
    def of(cls, ranked: Sequence[Competitor], settings: KeizerSettings) -> "StartField":
        """The field of these players, given in start order."""
        steps = ladder(len(ranked), settings)
        by_rating = order_by_rating(ranked)
        places = {number: place for place, number in enumerate(by_rating)}
        return cls(
            ids=tuple(player.id for player in ranked),
            index={player.id: number for number, player in enumerate(ranked)},
            ladder=steps,
            rating_values=tuple(steps[places[number]] for number in range(len(ranked))),
            by_rating=by_rating,
            ties=tuple((_first(player, settings.ties), number) for number, player in enumerate(ranked)),
            settings=settings,
        )

    def values(self, ranking: Ranking) -> RankValues:
        """Everybody's value number for this ranking."""
        values = [Fraction(0)] * len(ranking)
        for place, player in enumerate(ranking):
            values[player] = self.ladder[place]
        return tuple(values)

    def ranking(self, points: Sequence[Fraction], waiting: Collection[int] = ()) -> Ranking:
        """The ranking for these points; those *waiting* for their first game are placed by their rating."""
        others = (player for player in range(len(points)) if player not in waiting)
        by_points = iter(sorted(others, key=lambda player: (-points[player], self.ties[player])))
        return tuple(player if player in waiting else next(by_points) for player in self.by_rating)

    def own_share(self, round_number: int) -> Fraction:
        """The share of the own value number that is added once to a player's points after this round."""
        if self.settings.own_value == "fading":
            return Fraction(max(0, _FADED - round_number), _FADED)
        return Fraction(self.settings.own_value == "current")

    def own_fixed(self, player: int) -> Fraction:
        """The start value, if that is what is added to a player's points."""
        return self.ladder[player] if self.settings.own_value == "start" else Fraction(0)


def order_by_rating(ranked: Sequence[Competitor]) -> Ranking:
    """The numbers of these players, given in start order, by rating."""
    return tuple(sorted(range(len(ranked)), key=lambda number: (_minus_rating(ranked[number]), number)))


def _minus_rating(player: Competitor) -> int:
    # A player without a rating is taken for the weakest.
    return -player.rating if player.rating is not None else 1


def _first(player: Competitor, ties: str) -> int | str:
    if ties == "name":
        return (player.name or player.id).casefold()
    return _minus_rating(player) if ties == "rating" else 0
