"""Rating lists as CSV, reading and writing: named columns in any order, whole numbers, stored games."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from core.club.file_text import FileText
from core.club.performance import PerformanceGame

ColumnTitles = Mapping[str, tuple[str, ...]]
"""The names that each value may have in the first line; case and blanks do not count."""

NAME_COLUMNS: Final[ColumnTitles] = {
    "name": ("name", "player"),
    "last": ("last", "last_name", "lastname", "surname"),
    "first": ("first", "first_name", "firstname"),
}

_STORED: Final = re.compile(r"\(\s*(\d{1,5}(?:\.\d+)?)\s+(0\.5|1/2|½|[01])(?:\s+1)?\s*\)")
_NUMBER: Final = re.compile(r"\d{1,5}")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


class RatingListError(ValueError):
    """A rating list cannot be read; the text says where and why."""


def rows(text: FileText, columns: ColumnTitles, need: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Each line that is not blank, with its values by the names of the columns.

    Args:
        text: The file; its fields are separated by commas, semicolons or tabs.
        columns: The known columns; others are skipped.
        need: What the first line has to name, for a message; a name (or last) and these of *columns*:
            "rating, games".

    Raises:
        RatingListError: a column is missing, or it is not a CSV file.
    """
    head = text.lines[0] if text.lines else ""
    separator = max(",;\t", key=head.count)
    # A field has no line end in it: the lines are split already.
    reader = csv.reader(io.StringIO("\n".join(text.lines)), delimiter=separator)
    try:
        places = _places(next(reader, []), columns, need)
        for fields in reader:
            if any(field.strip() for field in fields):
                yield reader.line_num, _values(places, fields)
    except csv.Error as error:
        raise RatingListError(f"line {reader.line_num}: {error}") from None


def _places(head: Sequence[str], columns: ColumnTitles, need: str) -> dict[str, int]:
    wanted = {alias: name for name, aliases in columns.items() for alias in aliases}
    places: dict[str, int] = {}
    for place, title in enumerate(head):
        name = wanted.get(title.strip().casefold().replace(" ", "_"))
        if name is not None:
            places.setdefault(name, place)
    needed = [one for one in need.split(", ") if one]
    if not {"name", "last"} & places.keys() or not set(needed) <= places.keys():
        others = ", ".join(name for name in columns if name not in {"name", "last", "first", *needed})
        must = " and ".join(["name (or last, first)", *needed])
        raise RatingListError(f"the first line has to name the columns: {must}; also {others}")
    return places


def _values(places: Mapping[str, int], fields: Sequence[str]) -> Mapping[str, str]:
    # Spreadsheets are given an apostrophe before what they would take for a formula.
    return {
        name: fields[place].strip().removeprefix("'") if place < len(fields) else ""
        for name, place in places.items()
    }


def name_of(values: Mapping[str, str], line: int) -> tuple[str, str]:
    """Last name and first name: from their own columns, or from a name with a comma.

    Raises:
        RatingListError: there is none.
    """
    whole = values.get("name", "")
    last, _, first = whole.partition(",") if whole else (values.get("last", ""), "", values.get("first", ""))
    if not last.strip() and not first.strip():
        raise RatingListError(f"line {line}: there is no name")
    return last.strip(), first.strip()


def number(values: Mapping[str, str], name: str, line: int) -> int | None:
    """The whole number of a column; None if it is empty.

    Raises:
        RatingListError: it is not a whole number.
    """
    text = values.get(name, "")
    if not text:
        return None
    if not (_NUMBER.fullmatch(text) and text.isascii()):
        raise RatingListError(f'line {line}: "{text[:20]}" is not a whole number of {name}')
    return int(text)


def stored_games(text: str, line: int) -> tuple[PerformanceGame, ...]:
    """Games as "(1740 0)(1740 1)(1315 1/2)": the rating that the opponent counted with, and the score.

    Raises:
        RatingListError: it is something else.
    """
    found = _STORED.findall(text)
    if _STORED.sub("", text).strip():
        raise RatingListError(f'line {line}: "{text[:40]}" are not games: write (1740 0)(1315 1)')
    return tuple(
        PerformanceGame(float(rating), {"0": 0.0, "1": 1.0}.get(score, 0.5)) for rating, score in found
    )


def stored_text(games: Iterable[PerformanceGame]) -> str:
    """Games as `stored_games` reads them."""
    return "".join(f"({game.opponent:.10g} {game.score:g})" for game in games)


def write(head: Sequence[str], lines: Iterable[Sequence[str | int | None]]) -> bytes:
    """A list in UTF-8, with a byte order mark, by which spreadsheets recognise it."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows([[_harmless(value) for value in line] for line in lines])
    return b"\xef\xbb\xbf" + text.getvalue().encode()


def _harmless(value: str | int | None) -> str | int | None:
    """A text that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
