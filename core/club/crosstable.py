"""A tournament as a table: a row for each player, a cell for each round. It knows no file's rules."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from typing import Final

from core.club.fesa_rating import Entrant, EventGame
from core.club.grades import Handicap

UNREADABLE: Final = "?"
"""The mark of a cell that could not be read. It is worth nothing and cannot be written."""
OPPOSITE: Final = {"+": "-", "-": "+", "=": "="}
_SCORES: Final = {"+": Fraction(1), "=": Fraction(1, 2)}


@dataclass(frozen=True, slots=True)
class CrosstableCell:
    """What a player did in one round: "12+(-2p)", "7=", "0-"."""

    opponent: int
    """The number of the opponent's row; 0 if there was no game."""
    mark: str
    """"+" won, "-" lost, "=" drawn; "#" did not come, without notice; `UNREADABLE`."""
    handicap: Handicap | None = None

    def __str__(self) -> str:
        return f"{self.opponent}{self.mark}{f'({self.handicap})' if self.handicap else ''}"

    @property
    def score(self) -> Fraction:
        """Its score in the tournament, points without a game included."""
        return _SCORES.get(self.mark, Fraction(0))

    @property
    def rated(self) -> bool:
        """Whether it was a game."""
        return self.opponent > 0 and self.mark in OPPOSITE


@dataclass(frozen=True, slots=True)
class CrosstableRow:
    """One player."""

    number: int
    last: str
    first: str
    cells: tuple[CrosstableCell, ...] = ()
    extra: str = ""
    """What is between the name and the results: nationality, grade."""
    new: bool = False
    """Whether they were declared as new to rated tournaments."""
    macmahon: Fraction | None = None
    points: Fraction | None = None
    """As the file shows them; None if it does not."""
    simultaneous: bool = False
    """Whether they give a simultaneous display ("&"): then their games are in the rows of their opponents."""
    line: int = field(default=0, compare=False)

    @property
    def name(self) -> str:
        """Last name and first name."""
        return f"{self.last} {self.first}".strip()

    @property
    def label(self) -> str:
        """Number and name, for a message."""
        return f"{self.number} {self.name}".strip()

    @property
    def total(self) -> Fraction:
        """The points that the row adds up to, including the MacMahon points (club T13, T14)."""
        return (self.macmahon or Fraction(0)) + sum((cell.score for cell in self.cells), Fraction(0))


@dataclass(frozen=True, slots=True)
class Crosstable:
    """A tournament."""

    name: str
    end: date | None = None
    """The last day."""
    start: date | None = None
    """The first day, if there is more than one."""
    time_control: str = ""
    columns: str = ""
    """The line above the table."""
    rows: tuple[CrosstableRow, ...] = ()

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return max((len(row.cells) for row in self.rows), default=0)


def games(table: Crosstable) -> tuple[tuple[EventGame, ...], ...]:
    """The rated games of each row, in the order of the rounds; opponents are indices of rows.

    Cells that name no other row are left out: a check reports them. A player who gives a simultaneous display
    has the games that the opponents' rows report.
    """
    places = {row.number: place for place, row in enumerate(table.rows)}
    found: list[list[EventGame]] = [[] for _ in table.rows]
    for place, row in enumerate(table.rows):
        for cell in row.cells:
            opponent = places.get(cell.opponent)
            if not cell.rated or opponent is None or opponent == place:
                continue
            score = float(cell.score)
            found[place].append(EventGame(opponent, score, cell.handicap))
            if table.rows[opponent].simultaneous:
                turned = cell.handicap and Handicap(cell.handicap.code, not cell.handicap.received)
                found[opponent].append(EventGame(place, 1 - score, turned))
    return tuple(map(tuple, found))


def entrants(table: Crosstable, known: Sequence[Entrant | None]) -> tuple[Entrant, ...]:
    """The players for `core.club.fesa_rating.rate`.

    *known* is what is known of each row, None for the unrated.
    """
    return tuple(
        replace(one or Entrant(row.name), name=row.name, games=played)
        for one, row, played in zip(known, table.rows, games(table), strict=True)
    )
