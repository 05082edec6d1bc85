"""Who has no opponent when the number of players is odd (club P13)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.club.pairing_history import History


@dataclass(frozen=True, slots=True)
class Bye:
    """The player without an opponent; *why* is a sentence."""

    player: str
    why: str


def candidates(rest: Sequence[str], history: History, wanted: str | None) -> tuple[str, ...]:
    """The players who can have the bye, best candidate first.

    It goes to the first without whom all can be paired.

    *rest* are those still to be paired, best first. Those with the fewest byes come first, of these the
    lowest placed; if the director *wanted* somebody, only that player.
    """
    if wanted is not None:
        return (wanted,)
    fewest = min(history.byes[player] for player in rest)
    return tuple(player for player in reversed(rest) if history.byes[player] == fewest)


def explain(
    player: str, passed: Sequence[str], history: History, *, wanted: bool, name: Callable[[str], str] = str
) -> Bye:
    """The bye with its reason: why those *passed* over, who would have come first, did not get it."""
    if wanted:
        return Bye(player, f"{name(player)} has the bye because the director set it")
    why = f"{name(player)} is lowest of those with the fewest byes ({history.byes[player]})"
    if passed:
        over = ", ".join(map(name, passed))
        why += f" but for {over}, without whom the others could not be paired"
    return Bye(player, why)


def unfair(
    bye: str, present: Sequence[str], history: History, name: Callable[[str], str] = str
) -> str | None:
    """A note if this player has one more bye while others present have fewer.

    Only a director's wish does that.
    """
    fewer = [name(player) for player in present if history.byes[player] < history.byes[bye]]
    if not fewer:
        return None
    return f"{name(bye)} has bye number {history.byes[bye] + 1} though {', '.join(fewer)} had fewer, as set by hand"
