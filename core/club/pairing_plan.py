"""What the pairing needs to know of a tournament besides its rounds: lots, halves, groups."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PairingPlan:
    """The plan of a tournament.

    Attributes:
        planned_rounds: How many there are; half of them, rounded up, are the first half.
        lot: The seed of all lots.
        groups: The group of each id that is in one.
    """

    planned_rounds: int = 7
    lot: str = ""
    groups: Mapping[str, str] = field(default_factory=dict)

    def half(self, number: int) -> int:
        """The half of the planned rounds to which this round belongs: 1 or 2."""
        return 1 if 2 * number <= self.planned_rounds + 1 else 2


def drawn(lot: str, ids: Sequence[str]) -> list[str]:
    """These ids in an order by lot, which depends only on *lot* and the ids, not on their order."""
    return sorted(ids, key=lambda one: (random.Random(f"{lot}\n{one}").random(), one))  # noqa: S311 - to be drawn again


def halves(order: Sequence[str]) -> list[str]:
    """The first of the upper half, the first of the lower half, the second, …; an odd one out stays last."""
    half = len(order) // 2
    pairs = zip(order[:half], order[half : 2 * half], strict=True)
    return [*(one for pair in pairs for one in pair), *order[2 * half :]]
