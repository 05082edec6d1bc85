"""Reads turnering.txt leniently: all that can be understood, and a finding for each fault."""

import re
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from itertools import pairwise
from typing import Final

from core.club.crosstable import UNREADABLE, Crosstable, CrosstableCell, CrosstableRow
from core.club.days import Days, in_heading, read_days, read_range
from core.club.file_text import TYPOGRAPHIC, FileText, foreign, latin_of
from core.club.findings import FileFinding
from core.club.grades import HANDICAPS, Handicap
from core.plurals import count_of

_GROUP: Final = re.compile(r"\[([^\[\]]*)\]")
_BRACKET: Final = re.compile(r"[\[\]]")
MARKS: Final = re.compile(r"[-+=&]")
_TIME: Final = re.compile(r"[ \t]*time control[ \t]*:?[ \t]*(.*)", re.IGNORECASE)
_BEFORE_NAME: Final = re.compile(r"(\d{1,9})?( ?N)?")
_CELL: Final = re.compile(
    r"(\d{1,9})([ \t]*)([-+=#])(?:([ \t]*)\(([ \t]*)([-+])([ \t]*)([A-Za-z0-9]{1,8})([ \t]*)\))?(?=[ \t]|$)"
)
_TOKEN: Final = re.compile(r"[^ \t]+")
_DASHES: Final = str.maketrans({sign: "-" for sign, plain in TYPOGRAPHIC.items() if plain == "-"})
_LIKE_TIME: Final = re.compile(r"\d+ ?(?:m|min)\b", re.IGNORECASE)
_POINTS: Final = re.compile(r"(\d{1,9})(?:[.,](\d)|(½))?|½")
_LONGEST: Final = 100_000
"""A longer line is not a player line."""


@dataclass(frozen=True, slots=True)
class TurneringReading:
    """A file as it was understood."""

    table: Crosstable
    findings: tuple[FileFinding, ...]


def read_lines(text: FileText) -> TurneringReading:
    """Read a turnering.txt."""
    reader = _TurneringReader()
    for number, line in enumerate(text.lines, start=1):
        reader.take(number, line)
    reader.finish()
    return TurneringReading(reader.table(), tuple(reader.findings))


@dataclass(slots=True)
class _TurneringReader:
    """What was read so far."""

    findings: list[FileFinding] = field(default_factory=list)
    rows: list[CrosstableRow] = field(default_factory=list)
    headers: list[tuple[int, str]] = field(default_factory=list)
    """The bracket groups before the first row, with their lines."""
    columns: str = ""
    pending: list[tuple[int, str]] = field(default_factory=list)
    """Lines after a row that are not rows themselves."""

    def take(self, number: int, line: str) -> None:
        """Read one line."""
        self._foreign(number, line)
        if len(line) > _LONGEST:
            self._error(
                "grammar", f"a line of {len(line)} characters", "write one player a line", line=number
            )
            return
        groups = list(_GROUP.finditer(line))
        if not line.strip() or line.startswith(";"):
            if groups and len(self.headers) < 2 and not self.rows:
                self._error(
                    "T1", "a comment with brackets is taken for a header line", "move it", line=number
                )
        elif _is_row(line, groups, in_header=len(self.headers) < 2 and not self.rows):
            self._take_row(number, line, groups)
        elif self.rows:
            self.pending.append((number, line))
        elif groups:
            self.headers.append((number, groups[0][1]))
        elif not self.columns and line.lstrip()[:2].casefold() == "nr":
            self.columns = line.strip()
        else:
            self._note("grammar", "this is not a header line, and is passed over", "leave it out", number)

    def _foreign(self, number: int, line: str) -> None:
        """Typographic signs are a note: they do not make one name another."""
        for char in foreign(line)[:10]:
            message = f'"{char}" (U+{ord(char):04X}) is not in ISO 8859-1'
            if char in TYPOGRAPHIC:
                self._note("T12", message, f"write {_quoted(TYPOGRAPHIC[char])}", number)
            elif (plain := latin_of(char)) != char:
                self._error("T12", message, f'write "{plain}", or as the rating list does', number)
            else:
                self._error("T12", message, "write the name as the rating list spells it", number)

    def _take_row(self, number: int, line: str, groups: list[re.Match[str]]) -> None:
        for where, text in self.pending:
            if MARKS.search(text):
                self._error(
                    "grammar", "a line among the players that is not a player", "leave it out", line=where
                )
            else:
                self._ends_table(where, "a line without + - = &", "leave it out")
        self.pending.clear()
        row = _RowReader(number, self.findings).read(line, groups)
        if row is None:
            return
        self.rows.append(row)
        if not MARKS.search(line):
            self._ends_table(number, "a row without + - = &", "write 0- for 0#", player=row.label)

    def _ends_table(self, line: int, what: str, mend: str, player: str | None = None) -> None:
        message = f"{what} ends the table for FESA's program"
        self.findings.append(FileFinding("T10", message, mend, line=line, player=player, note=True))

    def finish(self) -> None:
        """Findings that need the whole file."""
        for where, text in self.pending:
            if MARKS.search(text):
                message = "a line after the table with + - = or & is taken for a player"
                self.findings.append(
                    FileFinding("T10", message, "leave these characters out", where, note=True)
                )
        if not self.rows and not self.headers:
            self.findings[:] = [one for one in self.findings if not one.note]
            self._error(
                "grammar", "this is not a results file", "give a turnering.txt, a TRF or FESA's result table"
            )
        elif not self.rows:
            self._error(
                "grammar", "there are no player lines", "write one for each player: 1 [Last][First][2+ 3-]"
            )
        if len(self.headers) < 2:
            found = len(self.headers)
            self._error(
                "T1", f"{found} of 2 header lines", "begin with [Name, City, Country] and [YYYY-MM-DD]"
            )

    def table(self) -> Crosstable:
        """The tournament."""
        name = self.headers[0][1].strip() if self.headers else ""
        if self.headers and not name:
            self._error("T1", "the name is missing", "begin with [Name, City, Country]", self.headers[0][0])
        if self.headers and isinstance(read_range(name), Days):
            self._error(
                "T1", "the first line is a date", "begin with [Name, City, Country]", self.headers[0][0]
            )
        days = self._days() if len(self.headers) > 1 else None
        name, start = self._days_of_name(name, days)
        time = self._time_control()
        return Crosstable(name, days.last if days else None, start, time, self.columns, tuple(self.rows))

    def _days(self) -> Days | None:
        line, text = self.headers[1]
        found = read_range(text)
        if isinstance(found, str):
            self._error("T2", found, "write [YYYY-MM-DD], the last day", line)
            return None
        return found

    def _days_of_name(self, name: str, days: Days | None) -> tuple[str, date | None]:
        """The name without the range of days at its end, and the first day (club T2)."""
        start = days.first if days and days.first != days.last else None
        found = in_heading(name)
        if found is None or days is None:
            return name, start
        dates = read_days(found[1], found[2])
        if isinstance(dates, str) or dates.first == dates.last or dates.last != days.last:
            why = (
                dates
                if isinstance(dates, str)
                else f"{found[1]} - {found[2]} is not the time of the second line"
            )
        elif start not in (None, dates.first):
            why = f"{found[1]} - {found[2]} does not begin on the day of the second line"
        else:
            return name[: found.start()].rstrip(), dates.first
        self._note("T2", f"the first line: {why}", "write the same days in both", self.headers[0][0])
        return name, start

    def _time_control(self) -> str:
        """The time control; the other lines in brackets are not needed."""
        times: list[str] = []
        for line, text in self.headers[2:]:
            found = _TIME.fullmatch(text)
            if found:
                times.append(found[1].strip())
            elif _LIKE_TIME.search(text):
                self._note(
                    "T16",
                    f'"{text.strip()[:40]}" is not read',
                    f"write [Time control: {text.strip()[:40]}]",
                    line,
                )
            else:
                self._note(
                    "T1", f'"[{text.strip()[:40]}]" is not one of the header lines', "leave it out", line
                )
        return times[0] if times else ""

    def _error(self, rule: str, message: str, mend: str, line: int | None = None) -> None:
        self.findings.append(FileFinding(rule, message, mend, line=line))

    def _note(self, rule: str, message: str, mend: str, line: int | None = None) -> None:
        self.findings.append(FileFinding(rule, message, mend, line=line, note=True))


def _quoted(sign: str) -> str:
    return f"'{sign}'" if sign == '"' else f'"{sign}"'


def read_cells(text: str, line: int, player: str, findings: list[FileFinding]) -> tuple[CrosstableCell, ...]:
    """The cells of a row, also for other files that write results like this; faults go to *findings*."""
    return tuple(_RowReader(line, findings, player).cells(text.translate(_DASHES)))


def _is_row(line: str, groups: list[re.Match[str]], *, in_header: bool) -> bool:
    """Whether it is meant as a player line, with or without a number."""
    numbered = line.lstrip()[:1].isdecimal() and not (in_header and len(groups) == 1)
    return len(groups) >= 3 or (numbered and bool(_BRACKET.search(line)))


@dataclass(slots=True)
class _RowReader:
    """Reads one player line."""

    line: int
    findings: list[FileFinding]
    player: str | None = None

    def read(self, line: str, groups: list[re.Match[str]]) -> CrosstableRow | None:
        """The row; None if the line cannot be read."""
        if not 3 <= len(groups) <= 4:
            message = (
                "a player line has [Last][First][results][MacMahon], this one has "
                f"{count_of(len(groups), 'pair')} of brackets"
            )
            self._error("grammar", message, "see the form: 4 [Last][First]DE[0+ 12+ 7-][2]")
            return None
        before = _BEFORE_NAME.fullmatch(" ".join(line[: groups[0].start()].split()))
        number = int(before[1]) if before and before[1] else 0
        last, first = (self._name(group[1]) for group in groups[:2])
        self.player = f"{number or '?'} {last} {first}".strip()
        if not number:
            self._error("T3", "the player number is missing", "begin the line with it: 1 [Last][First]…")
        between = [line[a.end() : b.start()] for a, b in pairwise(groups)]
        after = line[groups[-1].end() :]
        if any(map(_BRACKET.search, [*between, after, line[: groups[0].start()]])):
            self._error("T11", "a bracket inside a name, or one too many", "names have no [ and ]")
        if between[0].strip(" \t[]"):
            self._error("grammar", f'"{between[0].strip()}" is between the names', "write [Last][First]")
        results = groups[2][1]
        return CrosstableRow(
            number=number,
            last=last,
            first=first,
            cells=() if results.strip() == "&" else tuple(self.cells(results.translate(_DASHES))),
            extra=between[1].strip(" \t[]"),
            new=bool(before and before[2]),
            macmahon=self._number(groups[3][1], "MacMahon points") if len(groups) == 4 else None,
            points=self._number(after, "points") if after.strip(" \t[]") else None,
            simultaneous=results.strip() == "&",
            line=self.line,
        )

    def _name(self, text: str) -> str:
        if text != text.strip():
            self._error("T11", f'blanks around the name "{text.strip()}"', "write it as the rating list does")
        if " ".join(text.split()) != text.strip() or "\xa0" in text.strip():
            message = f'the name "{text.strip()}" has other blanks than one between two words'
            self._error("T11", message, "write it as the rating list does", note=True)
        return text.strip()

    def cells(self, text: str) -> list[CrosstableCell]:
        """The cells of the results."""
        cells: list[CrosstableCell] = []
        place = 0
        while token := _TOKEN.search(text, place):
            found = _CELL.match(text, token.start())
            place = (found or token).end()
            number = len(cells) + 1
            cells.append(self._cell(found, number) if found else self._no_cell(token[0], number))
        if not cells:
            self._error(
                "T4", "there are no results", "write a cell for each round: 0- for one without a game"
            )
        return cells

    def _cell(self, found: re.Match[str], number: int) -> CrosstableCell:
        opponent, mark, side, code = int(found[1]), found[3], found[6], found[8]
        if any(found[group] for group in (2, 4, 5, 7, 9)):
            self._error("T15", f'a blank inside "{found[0]}"', "write it without", number)
        if opponent and mark == "#":
            message = f'"{found[0]}": a game that was not played has no opponent'
            self._error("T8", message, "write 0# for the player who did not come, 0+ for the other", number)
        if not side:
            return CrosstableCell(opponent, mark)
        code = {"s": "m"}.get(code.lower(), code.lower())
        if code not in HANDICAPS:
            known = " ".join(HANDICAPS)
            self._error("T7", f'"{found[8]}" is not a handicap', f"the codes are {known}", number)
            return CrosstableCell(opponent, mark)
        if not opponent:
            self._error("T7", "a handicap without a game", f"write 0{mark}", number)
            return CrosstableCell(opponent, mark)
        return CrosstableCell(opponent, mark, Handicap(code, received=side == "+"))

    def _no_cell(self, token: str, number: int) -> CrosstableCell:
        shown = token if len(token) <= 20 else f"{token[:20]}…"
        if re.fullmatch(r"\d{1,9}\*.*", token):
            message = f'"{shown}": a game that was not played is written without opponent'
            self._error("T8", message, "write 0+ 0= or 0-, 0# for the player who did not come", number)
        else:
            message = f'"{shown}" is not a result'
            self._error(
                "grammar", message, "write the opponent's number and + - or =, or 0+ 0= 0- 0#", number
            )
        return CrosstableCell(0, UNREADABLE)

    def _number(self, text: str, what: str) -> Fraction | None:
        found = _POINTS.fullmatch(text.strip())
        if found is None:
            self._error("T13", f'"{text.strip()[:20]}" is not a number of {what}', "write 4 or 4.5")
            return None
        tenths = Fraction(int(found[2] or 0), 10)
        half = Fraction(1, 2) if text.strip().endswith("½") else Fraction(0)
        return int(found[1] or 0) + tenths + half

    def _error(
        self, rule: str, message: str, mend: str, number: int | None = None, *, note: bool = False
    ) -> None:
        self.findings.append(FileFinding(rule, message, mend, self.line, self.player, number, note))
