"""Reads FESA's files as tournaments: a turnering.txt, or a published result table."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Final

from core import names
from core.club import turnering
from core.club.crosstable import Crosstable, CrosstableCell, CrosstableRow
from core.club.fesa_rating_list import RatingList
from core.club.fesa_table import Published, PublishedRow
from core.club.findings import FileFinding
from core.club.nations import is_nation, read_nation
from core.club.record import Heading, RecordPlayer, TournamentRecord
from core.club.spelling import Spelling, usual
from core.club.tournament import AbsenceReason, Away, ClubGame, Competitor, GameResult, TournamentRound
from core.club.trf import Document, TrfTurn

_RESULTS: Final = {"+": GameResult.WHITE, "-": GameResult.BLACK, "=": GameResult.DRAW}
_REASONS: Final = {"+": AbsenceReason.BYE, "#": AbsenceReason.UNEXCUSED}
_NAME_PARTS: Final = 3
"""Name, city, country."""
_COLOURS: Final = "FESA's files do not tell colours: who is higher in the file is shown with White"


def record(table: Crosstable, known: RatingList | None = None) -> TournamentRecord:
    """The tournament of a turnering.txt without errors; *known* has the ratings."""
    ratings = {} if known is None else {name: one.rating for name, one in known.players.items()}
    return _record(table, [_entry(row, ratings.get(row.name), _name(row)) for row in table.rows])


def record_of_published(published: Published) -> TournamentRecord:
    """The tournament of a published table.

    Ratings and grades are those before it, except those marked with "*".
    """
    return _record(
        _numbered(published.table), [_published_entry(one, n) for n, one in enumerate(published.rows, 1)]
    )


def _record(table: Crosstable, entries: Sequence[RecordPlayer]) -> TournamentRecord:
    return TournamentRecord(
        heading=_heading(table),
        entries=tuple(entries),
        rounds=tuple(_round(table, number) for number in range(table.rounds)),
        kind="points",
        notes=tuple(_notes(table)),
    )


def _heading(table: Crosstable) -> Heading:
    parts = table.name.split(", ")
    name, city, country = parts if len(parts) == _NAME_PARTS and all(parts) else (table.name, "", "")
    start = table.start or table.end
    day: date | None = start if start == table.end else None
    return Heading(
        name=name,
        city=city,
        federation=country,
        days=(day,) * table.rounds,
        planned_rounds=table.rounds or None,
        time_control=table.time_control,
        start=start,
        end=table.end,
    )


def _name(row: CrosstableRow) -> str:
    return f"{row.last}, {row.first}" if row.first else row.last


def _entry(row: CrosstableRow, rating: int | None, name: str) -> RecordPlayer:
    spelling = Spelling(names.clean(row.last), names.clean(row.first))
    nation, _, rest = row.extra.partition(" ")
    if not is_nation(nation):
        nation, rest = "", row.extra
    return RecordPlayer(
        number=row.number,
        player=Competitor(str(row.number), rating, name, seed=row.number),
        nation=read_nation(nation) if nation else "",
        grade=rest.strip(),
        macmahon=row.macmahon,
        spelled="" if spelling.fault or usual(name) == spelling else str(spelling),
        newcomer=row.new,
    )


def _published_entry(one: PublishedRow, number: int) -> RecordPlayer:
    """FESA writes "Last First": with two words it is clear which is which."""
    words = one.row.name.split()
    row = replace(one.row, number=number)
    if len(words) == 2:
        row = replace(row, last=words[0], first=words[1])
    entry = _entry(row, one.rating or None, _name(row))
    return replace(entry, grade=str(one.grade or ""))


def _numbered(table: Crosstable) -> Crosstable:
    """The rows numbered, as those of equal rank have "=" for a number."""
    rows = (replace(row, number=number) for number, row in enumerate(table.rows, start=1))
    return replace(table, rows=tuple(rows))


def _round(table: Crosstable, at: int) -> TournamentRound:
    turns = [(row.number, row.cells[at]) for row in table.rows]
    return TournamentRound(
        tuple(_game(number, cell) for number, cell in turns if cell.opponent > number),
        tuple(
            Away(str(number), _REASONS.get(cell.mark, AbsenceReason.EXCUSED))
            for number, cell in turns
            if not cell.opponent
        ),
    )


def _game(number: int, cell: CrosstableCell) -> ClubGame:
    white, black = str(number), str(cell.opponent)
    if cell.handicap is None:
        return ClubGame(white, black, _RESULTS[cell.mark])
    giver = black if cell.handicap.received else white
    return ClubGame(white, black, _RESULTS[cell.mark], cell.handicap.code, giver)


def _notes(table: Crosstable) -> Iterator[str]:
    if any(cell.rated for row in table.rows for cell in row.cells):
        yield _COLOURS
    if any(_is_half(cell) for row in table.rows for cell in row.cells):
        yield "half points without a game (0=) count in the table and are kept in the file; they are shown as excused"


def _is_half(cell: CrosstableCell) -> bool:
    return not cell.opponent and cell.mark == "="


def impossible(table: Crosstable) -> Iterator[FileFinding]:
    """What a tournament in rounds cannot have."""
    for row in table.rows:
        if row.simultaneous:
            message = "a simultaneous display is not a tournament of rounds"
            yield FileFinding(
                "import", message, "leave the row out, and the games with it", row.line, row.label
            )


def document(table: Crosstable, base: Document) -> Document:
    """The table as a FIDE report, for tables by points: with its ranks, half points and MacMahon points.

    Args:
        table: The file.
        base: What this program makes of it without these.
    """
    rows = {row.number: row for row in _numbered(table).rows}
    players = tuple(
        replace(
            player,
            turns=tuple(_turn(player.number, cell) for cell in rows[player.number].cells),
            points=_points(rows[player.number]),
            rank=player.number,
        )
        for player in base.players
    )
    return replace(base, players=players)


def _points(row: CrosstableRow) -> Fraction:
    return row.total if row.points is None else row.points


def _turn(number: int, cell: CrosstableCell) -> TrfTurn:
    if not cell.opponent:
        return TrfTurn(result={"+": "U", "=": "H"}.get(cell.mark, "Z"))
    return TrfTurn(
        cell.opponent, "w" if number < cell.opponent else "b", {"+": "1", "=": "=", "-": "0"}[cell.mark]
    )


def with_halves(now: Crosstable, numbers: Sequence[int], came: Crosstable) -> Crosstable:
    """The table *now* with the half points for no game from the file that it *came* from.

    Args:
        now: The current tournament: a player without a game has 0-.
        numbers: The number of each row of *now* in the file.
        came: The file.
    """
    before = {row.number: row for row in came.rows}
    rows = tuple(_with_halves(row, before.get(number)) for row, number in zip(now.rows, numbers, strict=True))
    return replace(now, rows=rows)


def _with_halves(row: CrosstableRow, came: CrosstableRow | None) -> CrosstableRow:
    if came is None:
        return row
    was = (*came.cells, *(CrosstableCell(0, "-") for _ in row.cells[len(came.cells) :]))
    cells = tuple(
        old if _is_half(old) and not cell.opponent and cell.mark == "-" else cell
        for cell, old in zip(row.cells, was, strict=False)
    )
    changed = replace(row, cells=cells)
    return replace(changed, points=None if row.points is None else changed.total)


def read(data: bytes) -> tuple[Crosstable, tuple[FileFinding, ...]]:
    """A turnering.txt for an import: faults that only concern the file's letters are notes here."""
    reading = turnering.read(data)
    findings = tuple(replace(one, note=one.note or one.rule == "T12") for one in reading.findings)
    return reading.table, (*findings, *impossible(reading.table))
