"""What a director sets themselves before the rest is paired (club P4, P5), and what they may do to the field (club P16, P17)."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.club.tournament import TournamentRound
from core.plurals import count_of


@dataclass(frozen=True, slots=True)
class Manual:
    """Two players who have to meet; without *white* the usual rules give the colours."""

    one: str
    other: str
    white: str | None = None


@dataclass(frozen=True, slots=True)
class ManualPairs:
    """All that is set before the pairing: pairs, and who gets the bye if the number is odd."""

    pairs: tuple[Manual, ...] = ()
    bye: str | None = None

    @property
    def paired(self) -> frozenset[str]:
        """Everybody who is in one of the pairs."""
        return frozenset(player for each in self.pairs for player in (each.one, each.other))


def why_not_absent(player: str, manual: Sequence[Manual]) -> str | None:
    """Why a player cannot be flagged as absent now, a sentence; None if they can (club P5)."""
    for pair in manual:
        if player in {pair.one, pair.other}:
            return f"{player} is paired by hand ({pair.one} and {pair.other}): remove that pairing first"
    return None


def why_not_removed(player: str, rounds: Sequence[TournamentRound]) -> str | None:
    """Why a player can no longer be deleted, a sentence; None if they can (club P17)."""
    for number, evening in enumerate(rounds, start=1):
        if any(player in {game.white, game.black} for game in evening.games):
            return f"{player} has a game in round {number}: they can only withdraw"
    return None


def advice_on_rounds(players: int, planned: int) -> str | None:
    """A warning if the number of rounds does not suit the field.

    About two thirds of its size make a good table (club P16).
    """
    fitting = max(1, round(2 * players / 3))
    if abs(planned - fitting) <= max(1, fitting // 4):
        return None
    few = "few: the table will be rough" if planned < fitting else "many: players will meet more than once"
    rounds = f"{count_of(planned, 'round')} for {count_of(players, 'player')}"
    return f"{rounds} may be too {few}; about {fitting} would suit"


def problems(order: Sequence[str], absent: Collection[str], by_hand: ManualPairs) -> list[str]:
    """Why this cannot be set, a sentence each; empty if it can."""
    named = [player for each in by_hand.pairs for player in (each.one, each.other)]
    if by_hand.bye is not None:
        named.append(by_hand.bye)
    found = [f"{player} is set by hand twice" for player, times in Counter(named).items() if times > 1]
    for player in dict.fromkeys(named):
        if player not in order:
            found.append(f"{player} is not a player who can be paired")
        elif player in absent:
            found.append(
                f"{player} is flagged absent and cannot be set by hand: say first that they are there"
            )
    found += [
        f"{each.white} cannot have white between {each.one} and {each.other}"
        for each in by_hand.pairs
        if each.white not in {None, each.one, each.other}
    ]
    if by_hand.bye is not None and (len(order) - len(absent)) % 2 == 0:
        found.append(f"{by_hand.bye} cannot have the bye: an even number is present, so that nobody has it")
    return found
