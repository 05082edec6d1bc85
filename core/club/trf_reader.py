"""Reads TRF16 and TRF-2026 leniently.

Any line ends and encoding, short lines, names too long for their columns.
"""

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from core.club.file_text import TYPOGRAPHIC, FileText, decode
from core.club.findings import FileFinding
from core.club.trf import NAME_WIDTH, RESULTS, Document, OtherLine, TrfColour, TrfPlayer, TrfTurn, is_code

_TELLING: Final = re.compile(r"(?:001 [ \d]{4}|012 |042 |XXR )")
_NAME: Final = 14
_AFTER_NAME: Final = 47
"""The columns from here on are shifted if a name is too long, or another program counted bytes."""
_BLANKS: Final = (47, 52, 56, 68, 79, 84)
_FIRST_TURN: Final = 91
_WIDTH: Final = 10
_POINTS: Final = re.compile(r"\d{1,3}(?:[.,]\d)?|")
_DIGITS: Final = re.compile(r"\d{0,11}")
_SHIFTS: Final = (*range(1, 61), *range(-1, -21, -1))
_LONGEST: Final = 20_000
_PLAIN: Final = str.maketrans(
    {**{sign: plain for sign, plain in TYPOGRAPHIC.items() if len(plain) == 1}, "½": "="}
)
_SHOWN: Final = 20
_LINES_SHOWN: Final = 50


@dataclass(frozen=True, slots=True)
class TrfReading:
    """A file as it was understood."""

    document: Document
    findings: tuple[FileFinding, ...]


def is_trf(data: bytes) -> bool:
    """Whether it looks like a TRF."""
    return any(_TELLING.match(line) for line in decode(data[:20_000]).lines[:_LINES_SHOWN])


def read(data: bytes) -> TrfReading:
    """Read a file. Never fails; findings are on lines that cannot be understood."""
    return read_lines(decode(data))


def read_lines(text: FileText) -> TrfReading:
    """Read a decoded file."""
    reader = _TrfReader()
    for number, line in enumerate(text.lines, start=1):
        if line.strip(" \t\x1a\0"):
            reader.take(number, line)
    document = Document(tuple(reader.before), tuple(reader.players), tuple(reader.after))
    return TrfReading(document, tuple(reader.findings))


@dataclass(slots=True)
class _TrfReader:
    before: list[OtherLine] = field(default_factory=list)
    players: list[TrfPlayer] = field(default_factory=list)
    after: list[OtherLine] = field(default_factory=list)
    findings: list[FileFinding] = field(default_factory=list)

    def take(self, number: int, line: str) -> None:
        """Read one line that is not blank."""
        if line.startswith("001") and not line[3:4].strip():
            player = _PlayerReader(number, line.rstrip(), self.findings).read()
            if player is not None:
                self.players.append(player)
                self._note_signs(number, line, player.label)
            return
        found = self._field(number, line)
        (self.after if self.players else self.before).append(found)

    def _field(self, number: int, line: str) -> OtherLine:
        """Any other line; one without a meaning in TRF gets a note, and is kept as it is."""
        code, text, shown = line[:3], line[3:].rstrip(), line[:_SHOWN].strip()
        if not is_code(code):
            message, mend = (
                f'"{shown}" does not begin with a code of a TRF',
                "it is kept as it is; a comment begins with ###",
            )
            self.findings.append(FileFinding("TRF", message, mend, number, note=True))
            return OtherLine("", line.rstrip(), number)
        if text and code != "###" and text[0] != " ":
            message, mend = f'"{shown}" has no blank after the code', f"write {code}, a blank, and the text"
            self.findings.append(FileFinding("TRF", message, mend, number))
        self._note_signs(number, text)
        return OtherLine(code, text.removeprefix(" "), number)

    def _note_signs(self, number: int, text: str, player: str | None = None) -> None:
        """A note on typographic signs, which a search for the plain text does not find."""
        signs = dict.fromkeys(char for char in text if char in TYPOGRAPHIC) if not text.isascii() else {}
        if signs:
            message = f"typographic signs: {' '.join(signs)}"
            mend = "write " + " ".join(f'"{TYPOGRAPHIC[sign]}"' for sign in signs)
            self.findings.append(FileFinding("TRF", message, mend, number, player, note=True))


@dataclass(slots=True)
class _PlayerReader:
    """Reads one 001 line."""

    line: int
    text: str
    findings: list[FileFinding]
    player: str | None = None
    shift: int = 0
    plain: str = ""
    """The line with keyboard characters for typographic signs, character by character."""

    def read(self) -> TrfPlayer | None:
        """The player; None if the line cannot be read."""
        if len(self.text) > _LONGEST:
            self._error(f"a line of {len(self.text)} characters", "write one player a line")
            return None
        self.plain = self.text if self.text.isascii() else self.text.translate(_PLAIN)
        number = self.plain[4:8].strip()
        if not number.isdecimal() or not number.isascii():
            self._error(f'"{number}" is not a starting number', "write it in columns 5 to 8")
            return None
        self.shift = self._shift()
        name = self.text[_NAME : _AFTER_NAME + self.shift].strip()
        self.player = f"{int(number)} {name}".strip()
        if "\t" in self.text:
            self._error(
                "there is a tab, and columns are counted in characters", "write blanks up to the column"
            )
        else:
            self._note_shift(name)
        return TrfPlayer(
            number=int(number),
            name=name,
            turns=tuple(self._turns()),
            points=self._points(),
            rank=self._number(85, 89, "rank"),
            rating=self._number(48, 52, "rating"),
            sex=self.text[9:10].strip(),
            title=self.text[10:13].strip(),
            federation=self._at(53, 56),
            fide_id=self._at(57, 68),
            birth=self._at(69, 79),
            line=self.line,
        )

    def _shift(self) -> int:
        """By how much the columns after the name are shifted: 0 unless only another number makes sense."""
        if self._fits(0):
            return 0
        return next((shift for shift in _SHIFTS if len(self.text) > 84 + shift and self._fits(shift)), 0)

    def _fits(self, shift: int) -> bool:
        text = self.plain
        if any(text[column + shift : column + shift + 1].strip() for column in _BLANKS):
            return False
        points = text[80 + shift : 84 + shift].strip()
        if shift and ("." not in points.replace(",", ".") or (shift > 0 and not text[46 + shift].strip())):
            # Shifted are whole lines with points, by a name that fills its field.
            return False
        rest = (text[a + shift : b + shift].strip() for a, b in ((48, 52), (85, 89), (91, 95)))
        return bool(_POINTS.fullmatch(points)) and all(_DIGITS.fullmatch(number) for number in rest)

    def _note_shift(self, name: str) -> None:
        if self.shift > 0:
            message = f"the name is longer than {NAME_WIDTH} characters and shifts the columns after it"
            self._error(message, f"shorten it: {name[:NAME_WIDTH].strip()}")
        elif self.shift < 0:
            message = "the columns are counted in bytes, not characters"
            self.findings.append(
                FileFinding(
                    "TRF", message, "other programs may misread it", self.line, self.player, note=True
                )
            )

    def _at(self, start: int, end: int) -> str:
        return self.plain[start + self.shift : end + self.shift].strip()

    def _number(self, start: int, end: int, what: str) -> int | None:
        text = self._at(start, end)
        if not text:
            return None
        if not text.isdecimal() or not text.isascii():
            self._error(f'"{text}" is not a {what}', f"write a whole number in columns {start + 1} to {end}")
            return None
        return int(text)

    def _points(self) -> Fraction | None:
        text = self._at(80, 84)
        if not text:
            return None
        if not _POINTS.fullmatch(text) or not text.isascii():
            self._error(f'"{text}" is not a number of points', "write it in columns 81 to 84 as 11.5")
            return None
        return Fraction(text.replace(",", "."))

    def _turns(self) -> list[TrfTurn]:
        starts = range(_FIRST_TURN + self.shift, len(self.text), _WIDTH)
        return [self._turn(start, number) for number, start in enumerate(starts, start=1)]

    def _turn(self, start: int, number: int) -> TrfTurn:
        opponent = self.plain[start : start + 4].strip()
        colour = self.plain[start + 5 : start + 6].strip().lower() or "-"
        result = self.plain[start + 7 : start + 8].strip().upper().replace("*", "")
        between = self.plain[start + 4 : start + 5] + self.plain[start + 6 : start + 7]
        good = not opponent or (opponent.isdecimal() and opponent.isascii())
        if not good or colour not in ("w", "b", "-") or result not in RESULTS or between.strip():
            shown = self.text[start : start + 8].strip()
            self._error(
                f'"{shown}" is not a result', "write opponent, colour and result as in 0012 w 1", number
            )
            return TrfTurn(0, "-", "")
        return _turn(int(opponent or 0), colour, result)

    def _error(self, message: str, mend: str, number: int | None = None) -> None:
        self.findings.append(FileFinding("TRF", message, mend, self.line, self.player, number))


def _turn(opponent: int, colour: str, result: str) -> TrfTurn:
    side: TrfColour = "w" if colour == "w" else "b" if colour == "b" else "-"
    # A blank without an opponent is a known absence (TRF-2026).
    return TrfTurn(opponent, side, "Z" if not opponent and not result else result)
