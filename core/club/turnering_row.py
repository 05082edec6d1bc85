"""Reads a player line of a turnering.txt: names, cells, and a finding for each fault."""

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

from core.club.crosstable import UNREADABLE, CrosstableCell, CrosstableRow
from core.club.file_text import TYPOGRAPHIC
from core.club.findings import FileFinding
from core.club.grades import HANDICAPS, Handicap
from core.plurals import count_of

_BEFORE_NAME: Final = re.compile(r"(\d{1,9})?( ?N)?")
_CELL: Final = re.compile(
    r"(\d{1,9})([ \t]*)([-+=#])(?:([ \t]*)\(([ \t]*)([-+])([ \t]*)([A-Za-z0-9]{1,8})([ \t]*)\))?(?=[ \t]|$)"
)
_TOKEN: Final = re.compile(r"[^ \t]+")
_DASHES: Final = str.maketrans({sign: "-" for sign, plain in TYPOGRAPHIC.items() if plain == "-"})
_POINTS: Final = re.compile(r"(\d{1,9})(?:[.,](\d)|(½))?|½")
BRACKET: Final = re.compile(r"[\[\]]")


def read_cells(text: str, line: int, player: str, findings: list[FileFinding]) -> tuple[CrosstableCell, ...]:
    """The cells of a row, also for other files that write results like this; faults go to *findings*."""
    return tuple(RowReader(line, findings, player).cells(text.translate(_DASHES)))


@dataclass(slots=True)
class RowReader:
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
        if any(map(BRACKET.search, [*between, after, line[: groups[0].start()]])):
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
