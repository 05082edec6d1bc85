"""The pairs and the bye among the players who are not in manual pairs (club P10, P13, P14)."""

from dataclasses import dataclass

from core.club.byes import Bye, candidates, explain
from core.club.matching import best_pairs
from core.club.pairing_pool import Circle


@dataclass(frozen=True, slots=True)
class Solution:
    """Pairs of indices of *circle*, which is without the player who has the *bye*."""

    circle: Circle
    pairs: tuple[tuple[int, int], ...]
    bye: Bye | None

    @property
    def broken(self) -> tuple[tuple[int, int], ...]:
        """The pairs who meet again too early, because not all could be paired otherwise."""
        players = self.circle.players
        return tuple(pair for pair in self.pairs if self.circle.breach(players[pair[0]], players[pair[1]]))


def solve(everybody: Circle, wanted_bye: str | None) -> Solution:
    """The best complete pairing of *everybody*; an odd number needs one bye.

    If the others could not be paired, the bye goes to the next with as few byes.
    """
    if len(everybody.players) % 2 == 0:
        possible: tuple[str | None, ...] = (None,)
    else:
        possible = candidates(everybody.players, everybody.history, wanted_bye)
    for free in possible:
        circle = everybody.without(free)
        pairs = best_pairs(len(circle.players), circle.cost)
        if pairs is not None:
            return Solution(circle, pairs, _bye(everybody, free, possible, wanted_bye))
    circle = everybody.without(possible[0])
    pairs = best_pairs(len(circle.players), circle.relaxed_cost())
    assert pairs is not None, "any two may meet now, and their number is even"
    return Solution(circle, pairs, _bye(everybody, possible[0], possible, wanted_bye))


def _bye(
    everybody: Circle, free: str | None, possible: tuple[str | None, ...], wanted: str | None
) -> Bye | None:
    if free is None:
        return None
    passed = [player for player in possible[: possible.index(free)] if player is not None]
    return explain(free, passed, everybody.history, wanted=free == wanted, name=everybody.name)
