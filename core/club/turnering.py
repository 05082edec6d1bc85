"""turnering.txt, the results file that FESA rates: reading, checking (club T1 to T17), writing.

No check can see that the order is the final placing (club T4) or that a game was really played (club T8).
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction

from core.club.crosstable import Crosstable, CrosstableRow
from core.club.fesa_rating_list import RatingList
from core.club.file_text import LATIN, TYPOGRAPHIC, FileText, decode, foreign, latin_of
from core.club.findings import FileFinding, errors
from core.club.turnering_checks import check_table
from core.club.turnering_reader import MARKS, TurneringReading, read_lines


class TurneringError(ValueError):
    """A tournament cannot be written as turnering.txt."""

    def __init__(self, findings: Sequence[FileFinding]) -> None:
        super().__init__("\n".join(map(str, findings)))
        self.findings = tuple(findings)


def read(data: bytes, *, known: RatingList | None = None, today: date | None = None) -> TurneringReading:
    """Read a file leniently and check it. Never fails.

    Args:
        data: The file, in ISO 8859-1 as FESA reads it, or in any other encoding.
        known: The rating list that the names have to match (club T11).
        today: For the reminders of club T16.
    """
    text = decode(data)
    reading = read_lines(text)
    found = [*_encoding(text), *reading.findings, *check_table(reading.table, known, today)]
    # What concerns the whole file comes first; the rest in the order of the lines.
    found.sort(key=lambda one: (one.line or 0, one.round or 0))
    return replace(reading, findings=tuple(found))


def check(
    data: bytes, *, known: RatingList | None = None, today: date | None = None
) -> tuple[FileFinding, ...]:
    """All that is wrong with a file; empty if nothing is. Notes do not make it bad."""
    return read(data, known=known, today=today).findings


def _encoding(text: FileText) -> list[FileFinding]:
    """Letters of a file in UTF-8 change when it is read as ISO 8859-1, and the players with them.

    If it has only typographic signs and no such letters, no player changes: a note.
    """
    if not text.marked and text.encoding in ("ascii", LATIN, "cp1252"):
        return []
    message = f"the file is saved as {text.encoding.upper()}, FESA's program reads ISO 8859-1"
    changed = any(char not in TYPOGRAPHIC for line in text.lines for char in line if not char.isascii())
    harmless = text.encoding == "utf-8" and not changed
    return [FileFinding("T12", message, "save it as ISO 8859-1 (Latin-1)", note=harmless)]


def write(table: Crosstable) -> bytes:
    """Write a tournament: in ISO 8859-1, the range of days in the first line, the last day in the second (club T2).

    Raises:
        TurneringError: FESA's program could not read it: its findings say why.
    """
    text = "\n".join([*_header(table), *map(_row, table.rows), ""])
    strange = foreign(text)
    if strange:
        raise TurneringError([_not_latin(char) for char in strange])
    data = text.encode(LATIN)
    again = read(data)
    bad = errors(again.findings)
    if not bad and again.table != table:
        bad = (
            FileFinding(
                "grammar", "the tournament does not come back as it was written", "correct its texts"
            ),
        )
    if bad:
        raise TurneringError(bad)
    return data


def _not_latin(char: str) -> FileFinding:
    plain = latin_of(char)
    mend = f'write "{plain}"' if plain != char else "write the name as the rating list spells it"
    return FileFinding("T12", f'"{char}" is not in ISO 8859-1', mend)


def _header(table: Crosstable) -> list[str]:
    name = table.name
    if table.start is not None:
        name = f"{name}, {table.start} - {table.end}"
    lines = [f"[{name}]", f"[{table.end or ''}]"]
    if table.time_control:
        lines.append(f"[Time control: {table.time_control}]")
    return [*lines, *filter(None, [table.columns])]


def ends_table(row: CrosstableRow) -> bool:
    """Whether FESA's program would take this row for the end of the table.

    It has none of + - = & (club T10).
    """
    return not MARKS.search(_row(row))


def _row(row: CrosstableRow) -> str:
    results = "&" if row.simultaneous else " ".join(map(str, row.cells))
    new = "N " if row.new else ""
    macmahon = "" if row.macmahon is None else f"[{_decimal(row.macmahon)}]"
    points = "" if row.points is None else f" {_decimal(row.points)}"
    return f"{row.number} {new}[{row.last}][{row.first}]{row.extra}[{results}]{macmahon}{points}"


def _decimal(number: Fraction) -> str:
    return f"{float(number):g}"
