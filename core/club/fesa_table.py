"""The result tables that FESA publishes after rating: reads them and works their changes out again."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from core.club.crosstable import Crosstable, CrosstableRow, games
from core.club.days import read_published
from core.club.fesa_game import BONUS_BELOW, BONUS_GAMES, steps
from core.club.file_text import decode
from core.club.findings import FileFinding
from core.club.grades import Grade, read_grade, seen_as
from core.club.performance import PerformanceGame
from core.club.turnering_row import read_cells

_HEAD: Final = re.compile(r"Nr\s+Name\b.*\bELO\b.*")
_CELL: Final = r"\d{1,4}[-+=](?:\([-+][0-9A-Za-z ]{1,3}\))?"
_ROW: Final = re.compile(
    r"(?P<nr>\d{1,4}|=) (?P<name>\S.*?)(?: (?P<nat>[A-Za-z]{2,3}))?(?: (?P<grade>\d{1,2} (?:Dan|Kyu|Pro)))?"
    rf" (?P<elo>\d{{1,4}})(?P<star>\*?)(?P<cells>(?: {_CELL})+)(?P<rest>(?: [-+.\d½/]+)*)"
)
_PROMOTION: Final = re.compile(r"Promoting (?P<name>.+) to (?P<grade>\d{1,2} (?:Dan|Kyu))")
_POINTS: Final = re.compile(r"(\d{1,4})(?:(½)|\.(\d)|/([1-9]))?")
_LONGEST: Final = 2000


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One player of a published table."""

    row: CrosstableRow
    rating: int
    """Before the event; after it for a player marked with "*", who is rated by performance."""
    performance: bool
    grade: Grade | None
    """Before the event."""
    change: int | None
    promoted: Grade | None

    @property
    def after(self) -> int:
        """The rating after the event."""
        return self.rating + (self.change or 0)


@dataclass(frozen=True, slots=True)
class Published:
    """A published table."""

    name: str
    days: str
    """As written: "2024-08-02/04"."""
    rows: tuple[PublishedRow, ...]
    findings: tuple[FileFinding, ...] = ()
    """Findings on grades, and on lines that look like players, that could not be read."""
    columns: str = ""
    """The names of the columns."""
    promotions: Mapping[str, Grade] = field(default_factory=dict)
    """Promotions, by the names used in the table's text."""

    @property
    def table(self) -> Crosstable:
        """The results alone, with the days if they can be read."""
        days = read_published(self.days)
        rows = tuple(one.row for one in self.rows)
        if isinstance(days, str):
            return Crosstable(self.name, columns=self.columns, rows=rows)
        start = days.first if days.first != days.last else None
        return Crosstable(self.name, days.last, start, columns=self.columns, rows=rows)


def is_published(data: bytes) -> bool:
    """Whether it looks like a published table, whose third word of columns differs from a turnering.txt."""
    return any(_HEAD.match(line) for line in decode(data[:10_000]).lines)


def read(data: bytes) -> Published:
    """Read a table; other lines are skipped."""
    title, columns, macmahon, reading = "", "", False, False
    rows: list[PublishedRow] = []
    promoted: dict[str, Grade] = {}
    findings: list[FileFinding] = []
    for number, line in enumerate(decode(data).lines, start=1):
        words = " ".join(line[:_LONGEST].split())
        if not reading:
            reading, macmahon = bool(_HEAD.match(words)), " MMS" in words
            title = title or ("" if reading else words)
            columns = words if reading else ""
        elif found := _ROW.fullmatch(_tight(words)):
            rows.append(_row(found, number, macmahon=macmahon, findings=findings))
        elif found := _PROMOTION.fullmatch(words):
            grade = _grade(found["grade"], number, found["name"], findings)
            if grade is not None:
                promoted[found["name"]] = grade
        elif words[:1].isdecimal():
            findings.append(FileFinding("grammar", "this line cannot be read", "is it a player's?", number))
    name, _, days = title.rpartition(" : ")
    done = tuple(_promote(one, promoted) for one in rows)
    return Published(name or title, days if name else "", done, tuple(findings), columns, promoted)


def _tight(words: str) -> str:
    """Handicaps without the blanks that pad them: "(-r )" becomes "(-r)"."""
    return words.replace(" )", ")").replace("( ", "(") if "(" in words else words


def _row(found: re.Match[str], line: int, *, macmahon: bool, findings: list[FileFinding]) -> PublishedRow:
    number = int(found["nr"]) if found["nr"] != "=" else 0
    numbers = found["rest"].split()
    changed = int(numbers.pop()) if numbers and numbers[-1][0] in "+-" else None
    shown = [_points(text) for text in numbers]
    row = CrosstableRow(
        number=number,
        last=found["name"],
        first="",
        cells=read_cells(found["cells"], line, f"{found['nr']} {found['name']}", findings),
        extra=found["nat"] or "",
        macmahon=shown[0] if macmahon and len(shown) > 1 else None,
        points=shown[-1] if shown else None,
        line=line,
    )
    grade = _grade(found["grade"] or "", line, row.label, findings)
    return PublishedRow(row, int(found["elo"]), bool(found["star"]), grade, changed, None)


def _grade(text: str, line: int, who: str, findings: list[FileFinding]) -> Grade | None:
    try:
        return read_grade(text)
    except ValueError as error:
        findings.append(FileFinding("R12", str(error), "look at the grade", line, who))
        return None


def _points(text: str) -> Fraction | None:
    found = _POINTS.fullmatch(text)
    if found is None:
        return None
    if found[4]:
        return Fraction(int(found[1]), int(found[4]))
    return int(found[1]) + (Fraction(1, 2) if found[2] else Fraction(int(found[3] or 0), 10))


def _promote(one: PublishedRow, promoted: dict[str, Grade]) -> PublishedRow:
    grade = promoted.get(one.row.last)
    return PublishedRow(one.row, one.rating, one.performance, one.grade, one.change, grade)


def bonus_games(published: Published, place: int) -> tuple[int, ...]:
    """All numbers of games with bonus that give the published change of a player.

    The table does not say how many of their 100 games with bonus a player has left, so all numbers are tried.
    Empty if none fits. The player must not be rated by performance.
    """
    one = published.rows[place]
    played = games(published.table)[place]
    seen = [
        PerformanceGame(seen_as(published.rows[game.opponent].after, one.rating, game.handicap), game.score)
        for game in played
    ]
    tried = range(len(seen) + 1) if one.rating < BONUS_BELOW + 200 else range(1)
    return tuple(count for count in tried if _total(one.rating, seen, count) == (one.change or 0))


def _total(rating: int, seen: list[PerformanceGame], bonus: int) -> int:
    """The change if so many games get the bonus."""
    return round(sum(one.change for one in steps(rating, seen, BONUS_GAMES - bonus)))
