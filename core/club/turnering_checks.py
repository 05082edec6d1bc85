"""Checks the rules for turnering.txt that concern more than one place (club T3 to T8, T11, T13, T16, T17)."""

import difflib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from core import names
from core.club.crosstable import OPPOSITE, UNREADABLE, Crosstable, CrosstableCell, CrosstableRow
from core.club.fesa_rating_list import RatingList
from core.club.findings import FileFinding
from core.club.grades import HANDICAPS, place, read_grade
from core.club.nations import is_nation
from core.plurals import count_of

_TWO_WEEKS: Final = timedelta(days=14)
_SHORTEST: Final = ((30, 30), (20, 40))
"""Minutes, and seconds a move."""
_MINUTES: Final = re.compile(r"(\d{1,4}) ?m")
_SECONDS: Final = re.compile(r"(\d{1,4}) ?s")
_GRADE: Final = re.compile(r"\d{1,2} ?(?:dan|kyu)\b", re.IGNORECASE)
_NATION: Final = re.compile(r"[A-Za-z]{2,3}")
_FAR: Final = 2.0
"""A handicap this many steps from the difference of the grades is worth a note."""
_SUGGESTIONS: Final = 20
"""With more unknown names than this, no similar ones are looked for: it takes too long."""


def check_table(table: Crosstable, known: RatingList | None, today: date | None) -> Iterator[FileFinding]:
    """All findings on a tournament that was read."""
    yield from _numbers(table)
    yield from _widths(table)
    yield from columns(table)
    yield from contradictions(table)
    yield from _names(table, known)
    yield from alike(table)
    yield from nations(table)
    yield from _points(table)
    yield from _dates(table, today)
    yield from _time(table)
    yield from _handicaps(table, known)


def _numbers(table: Crosstable) -> Iterator[FileFinding]:
    for wanted, row in enumerate(table.rows, start=1):
        # A missing number is reported where the row is read.
        if row.number not in (0, wanted):
            message = f"the players are numbered 1, 2, 3…: this one is number {wanted} in the file"
            yield _of(row, "T3", message, f"write {wanted}, and correct the cells that mean them")


def _widths(table: Crosstable) -> Iterator[FileFinding]:
    counts = Counter(len(row.cells) for row in table.rows if row.cells)
    usual = max(counts, key=lambda width: (counts[width], width), default=0)
    for row in table.rows:
        if row.cells and len(row.cells) != usual:
            message = f"{count_of(len(row.cells), 'result')}, but the other rows have {usual}"
            yield _of(row, "T4", message, "write 0- for a round without a game")


def columns(table: Crosstable) -> Iterator[FileFinding]:
    """The line above the table has a column for each round, if it has any."""
    numbers = [int(word) for word in table.columns.split() if word.isascii() and word.isdecimal()]
    if numbers and numbers != list(range(1, table.rounds + 1)):
        message = f'"{table.columns[:60]}" does not name the rounds of the rows, 1 to {table.rounds}'
        mend = " ".join(map(str, range(1, min(table.rounds, 30) + 1)))
        yield FileFinding("T4", message, f"write {mend} for the rounds", note=True)


def contradictions(table: Crosstable) -> Iterator[FileFinding]:
    """Both players report the same of their game."""
    rows = {row.number: row for row in table.rows}
    if 0 in rows or len(rows) < len(table.rows):
        # The printed numbers do not tell the players apart: count, as FESA's program does.
        rows = {place: replace(row, number=place) for place, row in enumerate(table.rows, start=1)}
    for row in rows.values():
        for number, cell in enumerate(row.cells, start=1):
            if cell.opponent and cell.mark != UNREADABLE:
                yield from _game(row, number, cell, rows)


def _game(
    row: CrosstableRow, number: int, cell: CrosstableCell, rows: dict[int, CrosstableRow]
) -> Iterator[FileFinding]:
    other = rows.get(cell.opponent)
    if other is None:
        message = f'"{cell}": there is no player {cell.opponent}'
        yield _of(row, "T5", message, f"the players are 1 to {max(rows)}", number)
    elif cell.opponent == row.number:
        yield _of(
            row, "T5", f'"{cell}" is the player of this very row', "write the opponent's number", number
        )
    elif not other.simultaneous:
        theirs = other.cells[number - 1] if number <= len(other.cells) else None
        yield from _both(row, number, cell, other, theirs)


def _both(
    row: CrosstableRow, number: int, cell: CrosstableCell, other: CrosstableRow, theirs: CrosstableCell | None
) -> Iterator[FileFinding]:
    if theirs is None:
        message = f'"{cell}": player {other.label} has no result in this round'
        yield _of(row, "T5", message, f"write {row.number}{OPPOSITE.get(cell.mark, '-')} there", number)
    elif theirs.mark == UNREADABLE:
        return
    elif theirs.opponent != row.number:
        message = f'"{cell}": player {other.label} has "{theirs}" in this round'
        yield _of(row, "T5", message, "each has to name the other", number)
    elif OPPOSITE.get(cell.mark) != theirs.mark and cell.mark in OPPOSITE:
        message = f'"{cell}" does not go with "{theirs}" of player {other.label}'
        yield _of(row, "T6", message, "write + and -, or = and =", number)
    elif not _same_handicap(cell, theirs):
        message = f'"{cell}" does not go with "{theirs}" of player {other.label}'
        yield _of(row, "T7", message, "who gave it has (-2p), who received it (+2p)", number)


def _same_handicap(mine: CrosstableCell, theirs: CrosstableCell) -> bool:
    if mine.handicap is None or theirs.handicap is None:
        return mine.handicap is theirs.handicap
    return mine.handicap.code == theirs.handicap.code and mine.handicap.received != theirs.handicap.received


def _names(table: Crosstable, known: RatingList | None) -> Iterator[FileFinding]:
    lines: dict[str, int] = {}
    unknown = 0
    for row in table.rows:
        if not row.last:
            missing = "the last name is missing" if row.first else "the name is missing"
            yield _of(row, "T11", missing, "write [Last][First]; a single name is a last name")
        elif row.name in lines:
            message = f"line {lines[row.name]} has the same name"
            yield _of(row, "T11", message, "FESA's program tells players apart by name: give one an initial")
        elif known is not None and row.name not in known and not row.new:
            unknown += 1
            similar = difflib.get_close_matches(row.name, known.players, 1) if unknown <= _SUGGESTIONS else []
            mend = f'did you mean "{similar[0]}"? If not' if similar else "if they are new"
            message = "the name is not in the rating list"
            yield _of(row, "T11", message, f"{mend}, declare them: {row.number} N [{row.last}][{row.first}]")
        elif known is not None and row.name in known and row.new:
            yield _of(row, "T11", "declared as new, but in the rating list", "leave the N out")
        elif row.new:
            message = "declared as new to rated tournaments"
            yield _of(row, "T11", message, "tell those who rate it, too", note=True)
        lines.setdefault(row.name, row.line)


def alike(table: Crosstable) -> Iterator[FileFinding]:
    """Names that differ only in case, accents or blanks are usually one person: a note."""
    first: dict[str, CrosstableRow] = {}
    for row in table.rows:
        folded = " ".join(names.fold(row.name).split())
        before = first.setdefault(folded, row)
        if before.name != row.name:
            message = f'nearly the name "{before.name}" of player {before.number}'
            yield _of(row, "T11", message, "look whether these are two people", note=True)


def nations(table: Crosstable) -> Iterator[FileFinding]:
    """Two or three letters after the name are a country code: a note if there is no such code."""
    for row in table.rows:
        word = row.extra.split(maxsplit=1)[0] if row.extra else ""
        if _NATION.fullmatch(word) and not is_nation(word):
            yield _of(row, "nation", f'"{word}" is not the code of a country', "write DE, JP, …", note=True)


def _points(table: Crosstable) -> Iterator[FileFinding]:
    for row in table.rows:
        readable = all(cell.mark != UNREADABLE for cell in row.cells)
        if row.points is not None and row.points != row.total and readable:
            message = f"the points are {float(row.points):g}, but the results make {float(row.total):g}"
            yield _of(row, "T13", message, "points are MacMahon + 1 for + and 0+, ½ for = and 0=")


def _dates(table: Crosstable, today: date | None) -> Iterator[FileFinding]:
    if today is None or table.end is None:
        return
    start = table.start or table.end
    if today > table.end + _TWO_WEEKS:
        message = f"it ended {table.end}, more than two weeks ago: it may not be rated any more"
        yield FileFinding("T16", message, f"results were due by {table.end + _TWO_WEEKS}", note=True)
    elif start > today and any(cell.opponent for row in table.rows for cell in row.cells):
        yield FileFinding(
            "T16", f"it begins {start}, a day to come, and has results", "correct the date", note=True
        )
    elif start > today > start - _TWO_WEEKS:
        message = f"it begins {start}: it had to be announced two weeks before"
        yield FileFinding("T16", message, f"announced by {start - _TWO_WEEKS}?", note=True)


def _time(table: Crosstable) -> Iterator[FileFinding]:
    minutes, seconds = _MINUTES.search(table.time_control), _SECONDS.search(table.time_control)
    if minutes is None:
        return
    main, extra = int(minutes[1]), int(seconds[1]) if seconds else 0
    if not any(main >= least and extra >= a_move for least, a_move in _SHORTEST):
        message = f'"{table.time_control}" is shorter than rated games may be'
        yield FileFinding("T16", message, "at least 30 min + 30 sec, or 20 min + 40 sec", note=True)


def _handicaps(table: Crosstable, known: RatingList | None) -> Iterator[FileFinding]:
    strengths = {row.number: _strength(row, known) for row in table.rows}
    for row in table.rows:
        for number, cell in enumerate(row.cells, start=1):
            mine, theirs = strengths[row.number], strengths.get(cell.opponent)
            if cell.handicap is None or cell.handicap.received or mine is None or theirs is None:
                continue
            worth = HANDICAPS[cell.handicap.code]
            if abs(mine - theirs - worth) > _FAR:
                message = f'"{cell}" is for players whose grades are {worth:g} apart, these are {mine - theirs:.1f} apart'
                yield _of(row, "T17", message, "look whether it is the right one", number, note=True)


def _strength(row: CrosstableRow, known: RatingList | None) -> float | None:
    """The place on the scale of grades: by the rating list, else by a grade in the row."""
    listed = known.players.get(row.name) if known else None
    if listed is not None and listed.rating:
        return place(listed.rating)
    found = _GRADE.search(row.extra)
    try:
        grade = read_grade(found[0]) if found else None
    except ValueError:
        # There is no such code: the rules do not forbid it, as this is free text.
        return None
    return place(grade.rating) if grade else None


def _of(
    row: CrosstableRow, rule: str, message: str, mend: str, number: int | None = None, *, note: bool = False
) -> FileFinding:
    return FileFinding(rule, message, mend, row.line or None, row.label, number, note)
