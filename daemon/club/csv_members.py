"""Members from a CSV file, as spreadsheets write it."""

import csv
from collections.abc import Iterator, Sequence
from typing import Final

from core import names
from core.club.encodings import decode
from daemon.club.errors import ClubError
from daemon.club.members import NewMember

COLUMNS: Final = ("name", "rating", "fide_id", "category", "handles")
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
}


def read_members(data: bytes) -> list[NewMember]:
    """The members of a file: its first line names the columns, of which name and rating must be there.

    Fields are divided by commas, semicolons or tabs; several handles by blanks.

    Raises:
        ClubError: it cannot be read; all reasons, one a line.
    """
    lines = [line for line in decode(data).lines if line.strip()]
    if not lines:
        raise ClubError("the file is empty")
    divider = max(",;\t", key=lines[0].count)
    try:
        head, *rows = csv.reader(lines, delimiter=divider, strict=True)
    except csv.Error as error:
        raise ClubError(f"this is not a CSV file: {error}") from error
    columns = _columns(head)
    wrong: list[str] = []
    found = list(_members(columns, rows, wrong))
    if wrong:
        raise ClubError("\n".join(wrong))
    return found


def _columns(head: Sequence[str]) -> list[str]:
    columns = [_ALSO.get(names.clean(title).casefold(), "") for title in head]
    missing = [name for name in ("name", "rating") if columns.count(name) != 1]
    if missing:
        raise ClubError(f"the first line must name each column once: {', '.join(missing)}")
    return columns


def _members(columns: Sequence[str], rows: Sequence[Sequence[str]], wrong: list[str]) -> Iterator[NewMember]:
    for place, row in enumerate(rows, start=1):
        values = {column: text.strip() for column, text in zip(columns, row, strict=False) if column}
        rating = values.get("rating", "")
        if not (rating.isascii() and rating.isdecimal() and len(rating) < 6):
            wrong.append(f'{place}. {values.get("name") or "(no name)"}: "{rating}" is not a rating')
            continue
        yield NewMember(
            name=values["name"].removeprefix("'"),
            rating=int(rating),
            fide_id=values.get("fide_id") or None,
            category=values.get("category") or None,
            handles=tuple(values.get("handles", "").split()),
        )
