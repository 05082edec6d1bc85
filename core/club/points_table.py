"""Tables by points, as in Swiss tournaments and round robins: points first, then FIDE's usual tie-breaks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Final, overload

from core.club.keizer import Credit, KeizerRow, KeizerTable
from core.club.tie_breaks import USUAL, TieBreakError, rules_on, standings
from core.club.trf import BYE, DRAWN, PLAYED, WON, Document, TrfPlayer, TrfTurn
from core.club.trf_days import days_of

_NOTHING: Final = Fraction(0)
_KINDS: Final = {
    **dict.fromkeys("1W", "win"),
    **dict.fromkeys("=D", "draw"),
    **dict.fromkeys("0L", "loss"),
    "+": "forfeit win",
    "-": "forfeit loss",
    "U": "bye",
    "F": "bye",
    "H": "half-point bye",
    "Z": "excused",
}


def is_round_robin(document: Document) -> bool:
    """Whether everybody plays everybody, according to the system that the file names (092, 192)."""
    said = f"{document.text('092')} {document.text('192')}".casefold()
    return any(word in said for word in ("robin", "berger", "rundenturnier", "_rr", "rr_"))


@dataclass(frozen=True)
class Scale:
    """What results are worth in a file: by 162, and by the points that it shows."""

    document: Document

    @cached_property
    def _values(self) -> dict[str, Fraction]:
        return self.document.values

    @cached_property
    def bye(self) -> Fraction:
        """What a bye by the pairing program is worth: nothing if the points shown say so."""
        full = self._values["P"]
        shown = [player for player in self.document.players if player.points is not None]
        if any(self._sum(player, _NOTHING) != self._sum(player, full) for player in shown) and all(
            self._sum(player, _NOTHING) == player.points for player in shown
        ):
            return _NOTHING
        return full

    def worth(self, turn: TrfTurn, bye: Fraction | None = None) -> Fraction:
        """The points of one round."""
        if turn.result == BYE:
            return self.bye if bye is None else bye
        values = self._values
        if turn.result in WON:
            return values["W"]
        if turn.result in DRAWN:
            return values["D"]
        return values["L"] if turn.result in {"0", "L"} else values["A"] if turn.result else _NOTHING

    def beyond(self, player: TrfPlayer) -> Fraction:
        """Points shown beyond those of the results: from acceleration, or rules of the event."""
        return _NOTHING if player.points is None else player.points - self._sum(player, self.bye)

    def _sum(self, player: TrfPlayer, bye: Fraction) -> Fraction:
        return sum((self.worth(turn, bye) for turn in player.turns), _NOTHING)


def without_macmahon(document: Document) -> Document:
    """The report with the points of its results alone: a TRF knows no others."""
    scale = Scale(document)
    players = tuple(
        replace(one, points=sum(map(scale.worth, one.turns), _NOTHING)) if one.points is not None else one
        for one in document.players
    )
    return replace(document, players=players)


@dataclass(frozen=True)
class PointsTables(Sequence[KeizerTable]):
    """The tables of a report before round 1 and after each of *rounds* rounds.

    Each is made when it is asked for.

    Attributes:
        document: A report without contradictions.
        names: The name of each player, by starting number.
        rounds: How many tables there are besides the one before round 1.
        by_file: Whether the last table keeps the ranks of the file where they agree with its points.
    """

    document: Document
    names: Mapping[int, str]
    rounds: int
    by_file: bool = False

    def __len__(self) -> int:
        return self.rounds + 1

    @overload
    def __getitem__(self, index: int) -> KeizerTable: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[KeizerTable]: ...
    def __getitem__(self, index: int | slice) -> KeizerTable | Sequence[KeizerTable]:
        numbers = range(len(self))[index]
        if isinstance(numbers, range):
            return tuple(self._made(number) for number in numbers)
        return self._made(numbers)

    @cached_property
    def _known(self) -> dict[int, KeizerTable]:
        return {}

    def _made(self, number: int) -> KeizerTable:
        if number not in self._known:
            self._known[number] = self._table(number)
        return self._known[number]

    @cached_property
    def _scale(self) -> Scale:
        return Scale(self.document)

    def _table(self, number: int) -> KeizerTable:
        cut = replace(
            self.document,
            players=tuple(replace(one, turns=one.turns[:number]) for one in self.document.players),
        )
        last = number == self.rounds and number > 0
        points = {player.number: self._points(player, number, last=last) for player in self.document.players}
        order = self._order(cut, number, points, by_file=last and self.by_file)
        rows = tuple(
            self._row(place, player, number, points[player.number])
            for place, player in enumerate(order, start=1)
        )
        return KeizerTable(number, rows)

    def _points(self, player: TrfPlayer, number: int, *, last: bool) -> Fraction:
        points = sum((self._scale.worth(turn) for turn in player.turns[:number]), _NOTHING)
        return points + self._scale.beyond(player) if last else points

    def _order(
        self, cut: Document, number: int, points: Mapping[int, Fraction], *, by_file: bool
    ) -> list[TrfPlayer]:
        starting = sorted(cut.players, key=lambda player: player.number)
        by_points = sorted(starting, key=lambda player: -points[player.number])
        if by_file and all(player.rank for player in by_points):
            by_rank = sorted(by_points, key=lambda player: player.rank or 0)
            if [points[one.number] for one in by_rank] == [points[one.number] for one in by_points]:
                return by_rank
        values = _tie_breaks(cut) if number else {}
        return sorted(by_points, key=lambda player: (-points[player.number], values.get(player.number, ())))

    def _row(self, place: int, player: TrfPlayer, number: int, points: Fraction) -> KeizerRow:
        turns = player.turns[:number]
        games = sum(bool(turn.opponent) and turn.result in PLAYED for turn in turns)
        return KeizerRow(
            rank=place,
            player=self.names[player.number],
            points=points,
            value=_NOTHING,
            next_value=_NOTHING,
            own=points - sum((self._scale.worth(turn) for turn in turns), _NOTHING),
            credits=tuple(self._credits(player, turns)),
            games=games,
            counted=games,
        )

    def _credits(self, player: TrfPlayer, turns: Sequence[TrfTurn]) -> Iterator[Credit]:
        own = self.names[player.number]
        for number, turn in enumerate(turns, start=1):
            if turn.result:
                kind, worth = _KINDS[turn.result], self._scale.worth(turn)
                opponent = self.names.get(turn.opponent)
                yield Credit(number, kind, opponent, _NOTHING, Fraction(1), own, fixed=worth)


def _tie_breaks(document: Document) -> dict[int, tuple[float, ...]]:
    """What decides between equal points, lowest is best; empty if the tie-breaks do not fit the report."""
    try:
        rules = rules_on(min(days_of(document), default=None))
        places = standings(document, USUAL, round_robin=is_round_robin(document), rules=rules)
    except TieBreakError:
        return {}
    return {place.number: tuple(-value for _, value in place.values) for place in places}
