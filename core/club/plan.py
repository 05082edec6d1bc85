"""What the pairing has to know of a tournament beside its rounds: lots, halves, newcomers, groups."""

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a tournament.

    Attributes:
        planned_rounds: how many there are; half of them, rounded up, are the first half.
        lot: what lots are drawn from.
        start: all ids in the order before round 1; without them nobody is placed by rating.
        groups: the group of each id that is in one.
    """

    planned_rounds: int = 7
    lot: str = ""
    start: Sequence[str] = ()
    groups: Mapping[str, str] = field(default_factory=dict)

    def half(self, number: int) -> int:
        """In which half of the planned rounds this round is: 1 or 2."""
        return 1 if 2 * number <= self.planned_rounds + 1 else 2


def drawn(lot: str, ids: Sequence[str]) -> list[str]:
    """These ids in an order by lot, which depends on nothing but *lot* and the ids, not on their order."""
    return sorted(ids, key=lambda one: (random.Random(f"{lot}\n{one}").random(), one))  # noqa: S311 - to be drawn again


def halves(order: Sequence[str]) -> list[str]:
    """The first of the upper half, the first of the lower half, the second, …; the last one of an odd number stays last."""
    half = len(order) // 2
    pairs = zip(order[:half], order[half : 2 * half], strict=True)
    return [*(one for pair in pairs for one in pair), *order[2 * half :]]


def by_rating(order: Sequence[str], start: Sequence[str], newcomers: Collection[str]) -> list[str]:
    """The *order* of a table with each newcomer on the place that the order before round 1 gives among all of it."""
    places = {one: place for place, one in enumerate(start)}
    by_start = sorted(order, key=lambda one: places.get(one, len(places)))
    placed = [one for one in order if one not in newcomers]
    for place, one in enumerate(by_start):
        if one in newcomers:
            placed.insert(place, one)
    return placed
