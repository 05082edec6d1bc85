"""Writes a club tournament as FESA's turnering.txt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from core.club.crosstable import Crosstable, CrosstableCell, CrosstableRow
from core.club.file_text import in_latin
from core.club.grades import Handicap
from core.club.nations import for_fesa
from core.club.record import Heading, RecordPlayer
from core.club.spelling import Spelling, kept, usual
from core.club.tournament import AbsenceReason, ClubGame, Competitor, GameResult, TournamentRound
from core.club.turnering import ends_table

_MARKS: Final = {
    GameResult.WHITE: ("+", "-"),
    GameResult.BLACK: ("-", "+"),
    GameResult.DRAW: ("=", "="),
    GameResult.WHITE_FORFEIT: ("+", "#"),
    GameResult.BLACK_FORFEIT: ("#", "+"),
    GameResult.BOTH_ABSENT: ("#", "#"),
}
_AWAY: Final = {AbsenceReason.BYE: "+", AbsenceReason.UNEXCUSED: "#"}
"""Marks of absences. Absence without notice is "#", as in FESA's document."""


class ExportError(ValueError):
    """A tournament cannot be written in that format; the text says why."""


@dataclass(frozen=True, slots=True)
class Details:
    """What FESA's file says of a player besides the results."""

    spelling: Spelling
    nation: str = ""
    """As stored, see `core.club.nations`."""
    grade: str = ""
    macmahon: Fraction | None = None
    new: bool = False
    """Whether they are new to rated tournaments."""

    @classmethod
    def of(cls, entry: RecordPlayer) -> "Details":
        """Those of a player of a record."""
        spelling = kept(entry.spelled) if entry.spelled else usual(entry.player.name)
        return cls(spelling, entry.nation, entry.grade, entry.macmahon, entry.newcomer)

    @property
    def extra(self) -> str:
        """What is between name and results."""
        return " ".join(filter(None, (for_fesa(self.nation), self.grade)))


def results_table(
    heading: Heading,
    players: Sequence[Competitor],
    rounds: Sequence[TournamentRound],
    ranking: Sequence[str],
    details: Mapping[str, Details] | None = None,
) -> Crosstable:
    """The tournament for a turnering.txt: players in the order of *ranking*, with their results by round.

    Args:
        heading: The tournament.
        players: All of them.
        rounds: What happened.
        ranking: The ids of all players in the order of the final standings.
        details: By id; a player without any is written under their own name.

    Raises:
        ExportError: a game has no result yet, or *ranking* is not of these players.
    """
    by_id = {player.id: player for player in players}
    if sorted(ranking) != sorted(by_id):
        raise ExportError("the ranking has to name every player once")
    numbers = {one: number for number, one in enumerate(ranking, start=1)}
    columns = [_cells(one, number, numbers) for number, one in enumerate(rounds, start=1)]
    known = details or {}
    rows = tuple(
        _row(
            numbers[one],
            known.get(one) or Details(usual(by_id[one].name or one)),
            tuple(turn.get(one, CrosstableCell(0, "-")) for turn in columns),
        )
        for one in ranking
    )
    start, end = heading.first_day, heading.last_day
    place = [in_latin(part) for part in (heading.name, heading.city, heading.federation) if part]
    return Crosstable(
        ", ".join(place),
        end,
        start if start != end else None,
        in_latin(heading.time_control),
        column_names(rows, len(rounds)),
        rows,
    )


def _row(number: int, details: Details, cells: tuple[CrosstableCell, ...]) -> CrosstableRow:
    spelling = details.spelling
    row = CrosstableRow(
        number, spelling.last, spelling.first, cells, details.extra, details.new, macmahon=details.macmahon
    )
    return replace(row, points=row.total)


def column_names(rows: Sequence[CrosstableRow], rounds: int) -> str:
    """The fourth line of the header: "Nr Name Nat 1 2 3 4 5 MMSS Pts", with the columns there are."""
    nation = ["Nat"] if any(row.extra for row in rows) else []
    macmahon = ["MMSS"] if any(row.macmahon is not None for row in rows) else []
    return " ".join(["Nr", "Name", *nation, *map(str, range(1, rounds + 1)), *macmahon, "Pts"])


def without_table_ends(table: Crosstable) -> tuple[Crosstable, tuple[CrosstableRow, ...]]:
    """The table, and the rows that would end it for FESA's program (club T10), in which 0# became 0-."""
    ending = tuple(row for row in table.rows if ends_table(row))
    changed = {row.number: replace(row, cells=tuple(map(_said_so, row.cells))) for row in ending}
    return replace(table, rows=tuple(changed.get(row.number, row) for row in table.rows)), ending


def _said_so(cell: CrosstableCell) -> CrosstableCell:
    return replace(cell, mark="-") if cell.mark == "#" else cell


def _cells(one: TournamentRound, number: int, numbers: Mapping[str, int]) -> dict[str, CrosstableCell]:
    cells = {away.player: CrosstableCell(0, _AWAY.get(away.reason, "-")) for away in one.away}
    for game in one.games:
        white, black = _marks(game, number)
        played = game.result is not None and game.result.played
        for side, mark in ((game.white, white), (game.black, black)):
            opponent = numbers[game.opponent(side)] if played else 0
            cells[side] = CrosstableCell(opponent, mark, _handicap(game, side) if played else None)
    return cells


def _handicap(game: ClubGame, side: str) -> Handicap | None:
    return Handicap(game.handicap, received=side != game.giver) if game.handicap else None


def _marks(game: ClubGame, number: int) -> tuple[str, str]:
    if game.result is None:
        raise ExportError(f"round {number}: {game.white} – {game.black} has no result yet")
    return _MARKS[game.result]
