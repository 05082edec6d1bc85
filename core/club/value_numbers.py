"""Points from value numbers, and the three ways to find the value numbers of a table (club §A2, V1 to V4)."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from core.club.earnings import Claim
from core.club.start_order import Ranking, RankValues, StartField


@dataclass(frozen=True, slots=True)
class Valued:
    """A table in numbers, one for each player in start order.

    *by_round* are the value numbers with which each round was valued. *cycle* is 1 if the ranking came to
    rest.
    """

    points: RankValues
    values: RankValues
    by_round: tuple[RankValues, ...]
    cycle: int = 1
    passes: int = 1


@dataclass(frozen=True, slots=True)
class Sheet:
    """All that has been earned so far, in whole numbers over *scale*: quick, and as exact as fractions."""

    scale: int
    shares: tuple[tuple[tuple[int, int], ...], ...]
    fixed: tuple[int, ...]

    def points(self, values: RankValues) -> RankValues:
        """Everybody's points if *values* are the value numbers."""
        unit = lcm(*(value.denominator for value in values))
        whole = [value.numerator * (unit // value.denominator) for value in values]
        return tuple(
            Fraction(fixed * unit + sum(times * whole[of] for of, times in shares), self.scale * unit)
            for shares, fixed in zip(self.shares, self.fixed, strict=True)
        )


def sheet(field: StartField, claims: Iterable[Claim], round_number: int, *, own: bool = True) -> Sheet:
    """The sum of the *claims* in the table after *round_number*, with or without the own value."""
    shares: list[dict[int, Fraction]] = [{} for _ in field.ids]
    fixed = [Fraction(0) for _ in field.ids]
    for claim in claims:
        player, of = field.index[claim.player], field.index[claim.of]
        shares[player][of] = shares[player].get(of, Fraction(0)) + claim.factor * (1 - claim.rating_share)
        fixed[player] += claim.factor * claim.rating_share * field.rating_values[player] + claim.fixed
    if own:
        for player in range(len(field.ids)):
            shares[player][player] = shares[player].get(player, Fraction(0)) + field.own_share(round_number)
            fixed[player] += field.own_fixed(player)
    return _whole(shares, fixed)


def _whole(shares: Sequence[dict[int, Fraction]], fixed: Sequence[Fraction]) -> Sheet:
    scale = lcm(
        *(number.denominator for number in fixed), *(n.denominator for row in shares for n in row.values())
    )
    return Sheet(
        scale,
        tuple(tuple((of, int(times * scale)) for of, times in row.items() if times) for row in shares),
        tuple(int(number * scale) for number in fixed),
    )


def once(earned: Sheet, values: RankValues, rounds: int) -> Valued:
    """All rounds valued with *values*."""
    return Valued(earned.points(values), values, (values,) * rounds)


def fixpoint(field: StartField, earned: Sheet, rounds: int, waiting: Collection[int] = ()) -> Valued:
    """Values, points, ranking, again and again from the start order, until a ranking comes back (club V2, V3).

    If it comes back after more than one pass, the rankings in between are all equally right: their mean
    counts.
    """
    ranking: Ranking = tuple(range(len(field.ids)))
    seen: dict[Ranking, int] = {}
    while ranking not in seen:
        seen[ranking] = len(seen)
        ranking = field.ranking(earned.points(field.values(ranking)), waiting)
    cycle = [field.values(member) for member in list(seen)[seen[ranking] :]]
    # Points are linear in the value numbers: those of the mean are the mean of the points.
    values = tuple(sum(each, Fraction(0)) / len(cycle) for each in zip(*cycle, strict=True))
    return Valued(earned.points(values), values, (values,) * rounds, cycle=len(cycle), passes=len(seen))


def frozen(
    field: StartField,
    by_round: tuple[RankValues, ...],
    claims: Sequence[Claim],
    held: RankValues | None,
    waiting: Collection[int] = (),
) -> Valued:
    """Each round valued with its own value numbers.

    The own value comes last, by the order of what was earned.
    """
    number = len(by_round)
    earned = [field.own_fixed(player) for player in range(len(field.ids))]
    for at, values in enumerate(by_round, start=1):
        of_round = sheet(field, [claim for claim in claims if claim.round == at], at, own=False)
        earned = [sum_ + new for sum_, new in zip(earned, of_round.points(values), strict=True)]
    values = held or field.values(field.ranking(earned, waiting))
    share = field.own_share(number)
    points = tuple(sum_ + share * value for sum_, value in zip(earned, values, strict=True))
    return Valued(points, values, by_round)
