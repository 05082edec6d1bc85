"""Members from a CSV file, as spreadsheets write it."""

import csv
from collections.abc import Iterator, Sequence
from typing import Final

from core import names
from core.club.file_text import decode
from daemon.club.errors import ClubError
from daemon.club.members import NewMember
from daemon.club.shogi import ShogiFacts

_ALSO: Final = {
    "name": "name",
    "spieler": "name",
    "player": "name",
    "rating": "rating",
    "dwz": "rating",
    "elo": "rating",
    "fide_id": "fide_id",
    "fide id": "fide_id",
    "fideid": "fide_id",
    "category": "category",
    "kategorie": "category",
    "handles": "handles",
    "aliases": "handles",
    "nation": "nation",
    "nat": "nation",
    "federation": "nation",
    "land": "nation",
    "grade": "grade",
    "macmahon": "macmahon",
    "mms": "macmahon",
    "mmss": "macmahon",
    "spelled": "spelled",
    "new": "newcomer",
    "neu": "newcomer",
}
_YES: Final = frozenset(("yes", "y", "true", "1", "x", "n", "new", "ja", "neu"))


def read_members(data: bytes) -> list[NewMember]:
    """The members of a file: its first line names the columns, of which name and rating must be there.

    Fields are divided by commas, semicolons or tabs; several handles by blanks.

    Raises:
        ClubError: it cannot be read; all reasons, one a line.
    """
    lines = [(n, line) for n, line in enumerate(decode(data).lines, start=1) if line.strip()]
    if not lines:
        raise ClubError("the file is empty")
    (_, head), *rows = _rows(lines)
    columns = _columns(head)
    wrong: list[str] = []
    found = list(_members(columns, rows, wrong))
    if wrong:
        raise ClubError("\n".join(wrong))
    return found


def _rows(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, Sequence[str]]]:
    """The rows with the lines of the file on which they begin."""
    divider = max(",;\t", key=lines[0][1].count)
    reader = csv.reader((line for _, line in lines), delimiter=divider, strict=True)
    while True:
        first = lines[min(reader.line_num, len(lines) - 1)][0]
        try:
            yield first, next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise ClubError(f"line {first}: this is not a CSV file: {error}") from error


def _columns(head: Sequence[str]) -> list[str]:
    columns = [_ALSO.get(names.clean(title).casefold(), "") for title in head]
    missing = [name for name in ("name", "rating") if columns.count(name) != 1]
    if missing:
        raise ClubError(f"the first line must name each column once: {', '.join(missing)}")
    return columns


def _members(
    columns: Sequence[str], rows: Sequence[tuple[int, Sequence[str]]], wrong: list[str]
) -> Iterator[NewMember]:
    for line, row in rows:
        values = {column: text.strip() for column, text in zip(columns, row, strict=False) if column}
        rating = values.get("rating", "")
        if not (rating.isascii() and rating.isdecimal() and len(rating) < 6):
            wrong.append(f'line {line}: {values.get("name") or "(no name)"}: "{rating}" is not a rating')
            continue
        yield NewMember(
            name=values.get("name", "").removeprefix("'"),
            rating=int(rating),
            fide_id=values.get("fide_id") or None,
            category=values.get("category") or None,
            handles=tuple(values.get("handles", "").split()),
            line=line,
            shogi=ShogiFacts(
                **{name: values.get(name) or None for name in ("nation", "grade", "macmahon", "spelled")},
                newcomer=values.get("newcomer", "").casefold() in _YES or None,
            ),
        )
