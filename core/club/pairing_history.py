"""What the next pairing needs to know of the rounds so far: meetings, colours, byes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from core.club.tournament import AbsenceReason, TournamentRound


@dataclass(frozen=True, slots=True)
class Meeting:
    """A game of two players in *round*, in which *white* had White."""

    round: int
    white: str


@dataclass(frozen=True, slots=True)
class History:
    """Forfeited games are not meetings and do not count for colours (club K8). Made by `History.of`."""

    rounds: int
    meetings: dict[frozenset[str], tuple[Meeting, ...]]
    games: Counter[str]
    whites: Counter[str]
    byes: Counter[str]
    black_last: frozenset[str]

    @classmethod
    def of(cls, rounds: Sequence[TournamentRound]) -> "History":
        """The history of all these rounds."""
        meetings: dict[frozenset[str], tuple[Meeting, ...]] = {}
        met = [(number, game) for number, each in enumerate(rounds, 1) for game in each.games if game.met]
        for number, game in met:
            pair = frozenset((game.white, game.black))
            meetings[pair] = (*meetings.get(pair, ()), Meeting(number, game.white))
        byes = (away.player for each in rounds for away in each.away if away.reason is AbsenceReason.BYE)
        return cls(
            rounds=len(rounds),
            meetings=meetings,
            games=Counter(side for _, game in met for side in (game.white, game.black)),
            whites=Counter(game.white for _, game in met),
            byes=Counter(byes),
            black_last=frozenset(game.black for number, game in met if number == len(rounds)),
        )

    def of_pair(self, one: str, other: str) -> tuple[Meeting, ...]:
        """The meetings of two players, first one first."""
        return self.meetings.get(frozenset((one, other)), ())

    def white_share(self, player: str) -> Fraction:
        """The share of games with White; a half if there are none (club P7)."""
        games = self.games[player]
        return Fraction(self.whites[player], games) if games else Fraction(1, 2)
