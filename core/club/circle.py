"""The players to be paired with each other, and what it costs to let two of them meet (P10-P12, P14)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.club.history import History
from core.club.matching import Cost
from core.club.pairing_settings import PairingSettings


@dataclass(frozen=True, slots=True)
class Circle:
    """Players by the table, best first; places count from 0. *name* writes an id for people."""

    players: Sequence[str]
    history: History
    settings: PairingSettings
    name: Callable[[str], str] = str

    def without(self, player: str | None) -> "Circle":
        """The others; all of them without a player."""
        return replace(self, players=[each for each in self.players if each != player])

    def too_early(self, one: str, other: str) -> int:
        """By how many rounds a meeting in the next round is too early; 0 when it is allowed."""
        met = self.history.of_pair(one, other)
        return self.settings.too_early(self.history.rounds + 1 - met[-1].round) if met else 0

    def cost(self, place: int, other: int) -> int | None:
        """The square of the distance, more for a rematch; None where it is too early (P10)."""
        one, two = self.players[place], self.players[other]
        return None if self.too_early(one, two) else self._allowed(place, other)

    def relaxed_cost(self) -> Cost:
        """A cost for all: as few early meetings as can be, those as late as can be, and only then the usual cost."""
        number = len(self.players)
        usual = [self._allowed(place, other) for other in range(number) for place in range(other)]
        unit = 1 + number * max(usual, default=0)
        breach = unit * (1 + number * self.settings.too_early(1))

        def cost(place: int, other: int) -> int:
            early = self.too_early(self.players[place], self.players[other])
            return self._allowed(place, other) + (breach + unit * early if early else 0)

        return cost

    def _allowed(self, place: int, other: int) -> int:
        meetings = len(self.history.of_pair(self.players[place], self.players[other]))
        return (other - place) ** 2 + self.settings.rematch_cost(meetings)
