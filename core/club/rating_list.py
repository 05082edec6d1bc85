"""A rating list: who had which FESA rating before an event. From CSV, or as FESA's program prints it."""

import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from core.club.encodings import Text, decode
from core.club.fesa import BONUS_GAMES, Entrant, Stored
from core.club.grades import Grade, read_grade
from core.club.promotion import Series, Standing

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "name": ("name", "player"),
    "last": ("last", "last_name", "lastname", "surname"),
    "first": ("first", "first_name", "firstname"),
    "rating": ("rating", "elo", "elo_pre", "rating_before"),
    "games": ("games", "games_pre", "rated_games", "#games", "games_before"),
    "bonus": ("bonus", "bonus_count", "bonus_count_pre", "bonus_used", "bonus_games"),
    "grade": ("grade",),
    "prior_grade": ("prior_grade", "national_grade"),
    "stored": ("stored", "stored_games", "stored_games_pre"),
    "above_lower": ("above_lower", "lb", "lb_count"),
    "above_middle": ("above_middle", "mp", "mp_count"),
    "middle_seen": ("middle_seen",),
}
"""What each value of a player may be called in the first line of a CSV; case and blanks do not count."""

_STORED: Final = re.compile(r"\(\s*(\d{1,5}(?:\.\d+)?)\s+(0\.5|1/2|½|[01])(?:\s+1)?\s*\)")
_NUMBER: Final = re.compile(r"\d{1,5}")
_PRINTED: Final = re.compile(
    r"[ \d]*\d (?P<name>.{33})"
    r" (?P<grade>(?:[ \d]\d|  ) .{3}) (?P<prior>(?:[ \d]\d|  ) .{3}) (?P<rating>[ \d]{3}\d) (?P<games>[ \d]{2}\d)\b.*"
)


class RatingListError(ValueError):
    """A rating list cannot be read; the text says where and why."""


@dataclass(frozen=True, slots=True)
class RatingList:
    """Players before an event, by name as the list writes it: last name, first name."""

    players: Mapping[str, Entrant]

    def __contains__(self, name: object) -> bool:
        return name in self.players


def read_list(data: bytes) -> RatingList:
    """Read a list.

    Raises:
        RatingListError: it is none, a line is wrong, or a name stands there twice.
    """
    text = decode(data)
    rows = _printed(text) if _is_printed(text) else _csv(text)
    players: dict[str, Entrant] = {}
    for line, entrant in rows:
        if entrant.name in players:
            raise RatingListError(f'line {line}: "{entrant.name}" stands in the list twice')
        players[entrant.name] = entrant
    return RatingList(players)


def next_list(day: date) -> date:
    """The day of the first rating list on or after *day*: 1 January or 1 June (R16)."""
    days = (date(day.year, 1, 1), date(day.year, 6, 1), date(day.year + 1, 1, 1))
    return next(one for one in days if one >= day)


def is_listed(last_played: date, on: date) -> bool:
    """Does a list of that day have a player: that is who played within two years before it (R16)."""
    return (last_played.year + 2, last_played.month, last_played.day) >= (on.year, on.month, on.day)


def _is_printed(text: Text) -> bool:
    return any(line.casefold().startswith("elo list") for line in text.lines[:3])


def _printed(text: Text) -> Iterable[tuple[int, Entrant]]:
    """The players of a list in fixed width: number, name, grade, national grade, rating, games, nationality."""
    for number, line in enumerate(text.lines, start=1):
        found = _PRINTED.fullmatch(line[:200])
        if found is None:
            continue
        last, first = found["name"][:17].strip(), found["name"][18:].strip()
        yield (
            number,
            Entrant(
                name=f"{last} {first}".strip(),
                rating=int(found["rating"]) or None,
                games_before=int(found["games"]),
                standing=Standing(_grade(found["grade"], number)),
                prior_grade=_grade(found["prior"], number),
            ),
        )


def _csv(text: Text) -> Iterable[tuple[int, Entrant]]:
    head = text.lines[0] if text.lines else ""
    separator = max(",;\t", key=head.count)
    # A field has no line end in it: the lines are split already.
    reader = csv.reader(io.StringIO("\n".join(text.lines)), delimiter=separator)
    try:
        names = _columns(next(reader, []))
        for fields in reader:
            if any(field.strip() for field in fields):
                yield reader.line_num, _entrant(names, fields, reader.line_num)
    except csv.Error as error:
        raise RatingListError(f"line {reader.line_num}: {error}") from None


def _columns(head: list[str]) -> dict[str, int]:
    """Where each value stands."""
    wanted = {alias: name for name, aliases in COLUMNS.items() for alias in aliases}
    shown = [name.strip().casefold().replace(" ", "_") for name in head]
    places: dict[str, int] = {}
    for place, name in enumerate(shown):
        if name in wanted:
            places.setdefault(wanted[name], place)
    if "rating" not in places or not {"name", "last"} & places.keys():
        raise RatingListError(
            "the first line has to name the columns: name (or last, first) and rating; also grade, games, "
            "bonus, stored, prior_grade, above_lower, above_middle, middle_seen"
        )
    return places


def _entrant(places: Mapping[str, int], fields: list[str], line: int) -> Entrant:
    values = {name: fields[place].strip() if place < len(fields) else "" for name, place in places.items()}
    parts = (
        values.get("name", "").split(",", 1)
        if values.get("name")
        else [values.get("last", ""), values.get("first", "")]
    )
    name = " ".join(part.strip() for part in parts).strip()
    if not name:
        raise RatingListError(f"line {line}: there is no name")
    stored = _stored(values.get("stored", ""), line)
    games = _number(values, "games", line)
    return Entrant(
        name=name,
        rating=_number(values, "rating", line) or None,
        games_before=len(stored) if games is None else games,
        bonus_used=_bonus(values, line),
        stored=stored,
        standing=Standing(_grade(values.get("grade", ""), line), _series(values, line)),
        prior_grade=_grade(values.get("prior_grade", ""), line),
    )


def _bonus(values: Mapping[str, str], line: int) -> int | None:
    used = _number(values, "bonus", line)
    return None if used is None else min(used, BONUS_GAMES)


def _series(values: Mapping[str, str], line: int) -> Series:
    lower, middle = (_number(values, name, line) or 0 for name in ("above_lower", "above_middle"))
    seen = values.get("middle_seen", "").casefold() in {"1", "yes", "true", "t", "x"}
    return Series(lower, middle, seen or middle > 0)


def _number(values: Mapping[str, str], name: str, line: int) -> int | None:
    text = values.get(name, "")
    if not text:
        return None
    if not _NUMBER.fullmatch(text):
        raise RatingListError(f'line {line}: "{text[:20]}" is not a whole number of {name}')
    return int(text)


def _stored(text: str, line: int) -> tuple[Stored, ...]:
    """Games as "(1740 0)(1740 1)(1315 1/2)": what the opponent counted with, and the score."""
    found = _STORED.findall(text)
    if _STORED.sub("", text).strip():
        raise RatingListError(f'line {line}: "{text[:40]}" are not games: write (1740 0)(1315 1)')
    return tuple(Stored(float(rating), {"0": 0.0, "1": 1.0}.get(score, 0.5)) for rating, score in found)


def _grade(text: str, line: int) -> Grade | None:
    if not text.strip():
        return None
    try:
        grade = read_grade(text)
    except ValueError as error:
        raise RatingListError(f"line {line}: {error}") from None
    if grade is None:
        raise RatingListError(f'line {line}: "{text.strip()[:20]}" is not a grade: write 2 Dan or 14 Kyu')
    return grade
