"""FESA's rating list before an event: reads it as CSV or as FESA's program prints it, and writes it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from core import names
from core.club import list_csv
from core.club.fesa_game import BONUS_GAMES
from core.club.fesa_rating import Entrant, Rated
from core.club.file_text import FileText, decode
from core.club.grades import Grade, read_grade
from core.club.list_csv import RatingListError, name_of, number, stored_games
from core.club.promotion import GradeStanding, Series

COLUMNS: Final[list_csv.ColumnTitles] = {
    **list_csv.NAME_COLUMNS,
    "id": ("id", "fide_id", "fesa_id", "fideid", "fesaid"),
    "rating": ("rating", "elo", "elo_pre", "rating_before"),
    "grade": ("grade",),
    "games": ("games", "games_pre", "rated_games", "#games", "games_before"),
    "bonus": ("bonus", "bonus_count", "bonus_count_pre", "bonus_used", "bonus_games"),
    "stored": ("stored", "stored_games", "stored_games_pre"),
    "prior_grade": ("prior_grade", "national_grade"),
    "above_lower": ("above_lower", "lb", "lb_count"),
    "above_middle": ("above_middle", "mp", "mp_count"),
    "middle_seen": ("middle_seen",),
}

_PRINTED: Final = re.compile(
    r"[ \d]*\d (?P<name>.{33})"
    r" (?P<grade>(?:[ \d]\d|  ) .{3}) (?P<prior>(?:[ \d]\d|  ) .{3}) (?P<rating>[ \d]{3}\d) (?P<games>[ \d]{2}\d)\b.*"
)


@dataclass(frozen=True, slots=True)
class RatingList:
    """Players before an event, by name as the list writes it (last name, first name).

    *ids* leads to names.
    """

    players: Mapping[str, Entrant]
    ids: Mapping[str, str] = field(default_factory=dict)

    def __contains__(self, name: object) -> bool:
        return name in self.players

    def find(self, name: str) -> Entrant | None:
        """The player of this name: as it is written, else the only one with the same words."""
        if name in self.players:
            return self.players[name]
        found = self.with_words(tuple(sorted(names.words(name))))
        return self.players[found[0]] if len(found) == 1 else None

    def with_words(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """The names that have exactly these folded words, sorted: case, accents and order do not count."""
        return tuple(name for name in self.players if words and tuple(sorted(names.words(name))) == words)


def read_list(data: bytes) -> RatingList:
    """Read a list.

    Raises:
        RatingListError: it is not a list, a line is wrong, or a name or an id is in it twice.
    """
    text = decode(data)
    rows = _printed(text) if _is_printed(text) else _csv(text)
    players: dict[str, Entrant] = {}
    ids: dict[str, str] = {}
    for line, entrant, id_ in rows:
        if entrant.name in players:
            raise RatingListError(f'line {line}: "{entrant.name}" is in the list twice')
        if id_ in ids:
            raise RatingListError(f"line {line}: {entrant.name} has the id {id_} of {ids[id_]}")
        players[entrant.name] = entrant
        if id_:
            ids[id_] = entrant.name
    return RatingList(players, ids)


def next_list(day: date) -> date:
    """The day of the first rating list on or after *day*: 1 January or 1 June (club R16)."""
    days = (date(day.year, 1, 1), date(day.year, 6, 1), date(day.year + 1, 1, 1))
    return next(one for one in days if one >= day)


def _is_printed(text: FileText) -> bool:
    return any(line.casefold().startswith("elo list") for line in text.lines[:3])


def _printed(text: FileText) -> Iterable[tuple[int, Entrant, str]]:
    """The players of a list in fixed width.

    Its columns are number, name, grade, national grade, rating, games, nationality.
    """
    for place, line in enumerate(text.lines, start=1):
        found = _PRINTED.fullmatch(line[:200])
        if found is None:
            continue
        last, first = found["name"][:17].strip(), found["name"][18:].strip()
        yield (
            place,
            Entrant(
                name=f"{last} {first}".strip(),
                rating=int(found["rating"]) or None,
                games_before=int(found["games"]),
                standing=GradeStanding(_grade(found["grade"], place)),
                prior_grade=_grade(found["prior"], place),
            ),
            "",
        )


def _csv(text: FileText) -> Iterable[tuple[int, Entrant, str]]:
    for line, values in list_csv.rows(text, COLUMNS, "rating"):
        yield line, _entrant(values, line), values.get("id", "")


def _entrant(values: Mapping[str, str], line: int) -> Entrant:
    stored = stored_games(values.get("stored", ""), line)
    games = number(values, "games", line)
    return Entrant(
        name=" ".join(name_of(values, line)).strip(),
        rating=number(values, "rating", line) or None,
        games_before=len(stored) if games is None else games,
        bonus_used=_bonus(values, line),
        stored=stored,
        standing=GradeStanding(_grade(values.get("grade", ""), line), _series(values, line)),
        prior_grade=_grade(values.get("prior_grade", ""), line),
    )


def _bonus(values: Mapping[str, str], line: int) -> int | None:
    used = number(values, "bonus", line)
    return None if used is None else min(used, BONUS_GAMES)


def _series(values: Mapping[str, str], line: int) -> Series:
    lower, middle = (number(values, name, line) or 0 for name in ("above_lower", "above_middle"))
    seen = values.get("middle_seen", "").casefold() in {"1", "yes", "true", "t", "x"}
    return Series(lower, middle, seen or middle > 0)


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


def write_list(before: RatingList, rated: Iterable[Rated], known: Sequence[Entrant | None]) -> bytes:
    """The list after an event, as `read_list` reads it, with what the next event must know of each player.

    Args:
        before: The list before it; those who did not play stay as they were.
        rated: The players of the event.
        known: The same before it; None for those who were not in the list.
    """
    ids = {name: id_ for id_, name in before.ids.items()}
    after = [_after(one, was) for one, was in zip(rated, known, strict=True)]
    played = {one.name for one in after}
    others = [one for one in before.players.values() if one.name not in played]
    return list_csv.write(_HEAD, [(*_line(one), ids.get(one.name)) for one in (*after, *others)])


_HEAD: Final = (
    "name", "rating", "grade", "games", "bonus", "stored", "prior_grade", "above_lower", "above_middle", "middle_seen", "id",
)  # fmt: skip


def _line(one: Entrant) -> tuple[str | int | None, ...]:
    series = one.standing.series
    return (
        one.name,
        one.rating,
        _text(one.standing.grade),
        one.games_before,
        one.bonus_used,
        list_csv.stored_text(one.stored),
        _text(one.prior_grade),
        series.above_lower,
        series.above_middle,
        "yes" if series.middle_seen else "",
    )


def _after(one: Rated, was: Entrant | None) -> Entrant:
    # Where nobody knows how many games had the bonus before, nobody knows it afterwards.
    unknown = one.method != "performance" and was is not None and was.bonus_used is None
    return Entrant(
        name=was.name if was else one.name,
        rating=one.after,
        games_before=one.games_after,
        bonus_used=None if unknown else one.bonus_used,
        stored=one.stored,
        standing=GradeStanding(one.grade, one.series),
        prior_grade=was.prior_grade if was else None,
    )


def _text(grade: Grade | None) -> str:
    return "" if grade is None else str(grade)
