"""The players to be paired with each other, and the cost of each possible pair (club P10 to P12, P14)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from core.club.matching import Cost
from core.club.pairing_history import History
from core.club.pairing_plan import PairingPlan
from core.club.pairing_settings import PairingSettings
from core.plurals import count_of


@dataclass(frozen=True, slots=True)
class Circle:
    """Players by the table, best first, by index. *name* writes an id for people."""

    players: Sequence[str]
    history: History
    settings: PairingSettings
    name: Callable[[str], str] = str
    plan: PairingPlan = field(default_factory=PairingPlan)

    def without(self, player: str | None) -> "Circle":
        """The pool without this player; unchanged for None."""
        return replace(self, players=[each for each in self.players if each != player])

    def too_early(self, one: str, other: str) -> int:
        """By how many rounds a meeting in the next round is too early; 0 if it is allowed."""
        met = self.history.of_pair(one, other)
        return self.settings.too_early(self.history.rounds + 1 - met[-1].round) if met else 0

    def too_often(self, one: str, other: str) -> int:
        """By how many meetings one in the next round is too many, overall or in this half.

        0 if it is allowed.
        """
        met = self.history.of_pair(one, other)
        if not met:
            return 0
        half = self.plan.half(self.history.rounds + 1)
        again = self.settings.once_per_half and self.plan.half(met[-1].round) == half
        return max(self.settings.too_often(len(met)), int(again))

    def breach(self, one: str, other: str) -> int:
        """How badly a meeting in the next round breaks the rules for meeting again; 0 if it is allowed.

        A meeting too many is worse than one that is too early.
        """
        often = self.too_often(one, other)
        return often + self.settings.too_early(1) if often else self.too_early(one, other)

    def broken(self, one: str, other: str) -> str | None:
        """The rule that a meeting in the next round breaks, to follow "meets"; None if it is allowed."""
        met = self.history.of_pair(one, other)
        if self.settings.too_often(len(met)):
            most = self.settings.max_meetings
            return f"more than {count_of(most or 0, 'time')}"
        if self.too_often(one, other):
            return "twice in one half of the season"
        return "earlier than allowed" if self.too_early(one, other) else None

    def cost(self, place: int, other: int) -> int | None:
        """The square of the distance, more for a rematch; None if it is not allowed (club P10)."""
        one, two = self.players[place], self.players[other]
        return None if self.breach(one, two) else self._allowed(place, other)

    def relaxed_cost(self) -> Cost:
        """A cost that allows every pair.

        As few forbidden meetings as possible, those as late as possible, then the usual cost.
        """
        number = len(self.players)
        pairs = [(place, other) for other in range(number) for place in range(other)]
        unit = 1 + number * max((self._allowed(*pair) for pair in pairs), default=0)
        worst = max((self.breach(self.players[one], self.players[two]) for one, two in pairs), default=0)
        breach = unit * (1 + number * worst)

        def cost(place: int, other: int) -> int:
            broken = self.breach(self.players[place], self.players[other])
            return self._allowed(place, other) + (breach + unit * broken if broken else 0)

        return cost

    def _allowed(self, place: int, other: int) -> int:
        one, two = self.players[place], self.players[other]
        usual = (other - place) ** 2 + self.settings.rematch_cost(len(self.history.of_pair(one, two)))
        return usual + self._missed(one, two) * len(self.players) ** 3

    def _missed(self, one: str, two: str) -> int:
        """How many of the two could meet somebody of their own group for the first time instead."""
        if not self.plan.groups or self.wanted(one, two):
            return 0
        return sum(any(self.wanted(each, other) for other in self.players) for each in (one, two))

    def wanted(self, one: str, other: str) -> bool:
        """Whether these two are of one group and have not met."""
        if self.settings.groups != "meet" or one == other or not self.plan.groups:
            return False
        group = self.plan.groups.get(one)
        return (
            group is not None
            and group == self.plan.groups.get(other)
            and not self.history.of_pair(one, other)
        )
