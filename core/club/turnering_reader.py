"""Reads turnering.txt leniently: all that can be understood, and a finding for each fault."""

import re
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from core.club.crosstable import Crosstable, CrosstableRow
from core.club.days import Days, in_heading, read_days, read_range
from core.club.file_text import TYPOGRAPHIC, FileText, foreign, latin_of
from core.club.findings import FileFinding
from core.club.turnering_row import BRACKET, RowReader

_GROUP: Final = re.compile(r"\[([^\[\]]*)\]")
MARKS: Final = re.compile(r"[-+=&]")
_TIME: Final = re.compile(r"[ \t]*time control[ \t]*:?[ \t]*(.*)", re.IGNORECASE)
_LIKE_TIME: Final = re.compile(r"\d+ ?(?:m|min)\b", re.IGNORECASE)
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
        row = RowReader(number, self.findings).read(line, groups)
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


def _is_row(line: str, groups: list[re.Match[str]], *, in_header: bool) -> bool:
    """Whether it is meant as a player line, with or without a number."""
    numbered = line.lstrip()[:1].isdecimal() and not (in_header and len(groups) == 1)
    return len(groups) >= 3 or (numbered and bool(BRACKET.search(line)))
