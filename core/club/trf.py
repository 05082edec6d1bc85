"""FIDE tournament report files, TRF16 and TRF-2026: their contents, and writing them.

Columns and codes as in FIDE's C.04 Annex 2 and the TRF-2026 text of 2025. A U is a bye given by the pairing
program.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Final, Literal

from core.club.nations import is_nation

WON: Final = frozenset("1+WF")
DRAWN: Final = frozenset("=DH")
LOST: Final = frozenset("0-LZ")
BYE: Final = "U"
"""A bye by the pairing program: a point by FIDE's rules, nothing for some programs."""
RESULTS: Final = WON | DRAWN | LOST | {BYE, ""}
"""All results; the empty one is a game without a result yet, or a round of which nothing is known."""
PLAYED: Final = frozenset("10=WDL")
BYES: Final = frozenset("HFUZ")

NAME_WIDTH: Final = 33
ID_WIDTH: Final = 11
TEAM_NAME: Final = 32
"""Characters of a team's name; the numbers of its players come after it (013, columns 37 on)."""
_MOST: Final = 9999

TrfColour = Literal["w", "b", "-"]


class TrfError(ValueError):
    """A tournament cannot be written as TRF; the text says which value does not fit."""


@dataclass(frozen=True, slots=True)
class TrfTurn:
    """What a player did in one round."""

    opponent: int = 0
    """The starting number; 0 for none."""
    colour: TrfColour = "-"
    result: str = "Z"


@dataclass(frozen=True, slots=True)
class TrfPlayer:
    """A 001 line. Texts are as in the file; an empty text or None is a blank field."""

    number: int
    name: str
    turns: tuple[TrfTurn, ...] = ()
    points: Fraction | None = None
    rank: int | None = None
    rating: int | None = None
    sex: str = ""
    title: str = ""
    federation: str = ""
    fide_id: str = ""
    birth: str = ""
    line: int = field(default=0, compare=False)

    @property
    def label(self) -> str:
        """Number and name, for a message."""
        return f"{self.number} {self.name}".strip()


@dataclass(frozen=True, slots=True)
class OtherLine:
    """Another line: a code of three characters and its text. Comments have the code "###".

    A line without a code, such as a ruler, has an empty one and is all text.
    """

    code: str
    text: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Document:
    """A file: the lines before the first player, the players, the lines after."""

    before: tuple[OtherLine, ...] = ()
    players: tuple[TrfPlayer, ...] = ()
    after: tuple[OtherLine, ...] = ()

    @property
    def fields(self) -> tuple[OtherLine, ...]:
        """All lines except those of players."""
        return (*self.before, *self.after)

    def texts(self, *codes: str) -> Iterator[str]:
        """The texts of the lines with one of these codes, in the order of the codes."""
        return (one.text.strip() for code in codes for one in self.fields if one.code == code)

    def text(self, *codes: str) -> str:
        """The first of `texts`, or ""."""
        return next(self.texts(*codes), "")

    @property
    def name(self) -> str:
        """The tournament's name."""
        return self.text("012")

    @property
    def rounds(self) -> int | None:
        """The planned number of rounds; None if the file does not say."""
        text = self.text("142", "XXR")
        return (int(text) or None) if text.isascii() and text.isdecimal() and len(text) < 5 else None

    @property
    def played_rounds(self) -> int:
        """The number of rounds that the players' lines have."""
        return max((len(player.turns) for player in self.players), default=0)

    @property
    def values(self) -> dict[str, Fraction]:
        """What win, draw, loss, absence, bye and unknown results are worth (162): W D L A P X."""
        values = {"W": Fraction(1), "D": Fraction(1, 2), "L": Fraction(0), "A": Fraction(0)}
        words = self.text("162").upper().split()
        for symbol, number in pairwise(words):
            if symbol in "WDLAPX" and number.replace(".", "", 1).isdecimal() and number.isascii():
                values[symbol] = Fraction(number)
        values.setdefault("P", values["W"])
        values.setdefault("X", values["D"])
        return values

    @property
    def absent(self) -> dict[tuple[int, int], str]:
        """Byes that were asked for (240), by round and player: F, H or Z."""
        found: dict[tuple[int, int], str] = {}
        for words in map(str.split, self.texts("240")):
            kind, *numbers = words or [""]
            if kind.upper() in {"F", "H", "Z"} and all(
                word.isdecimal() and len(word) < 6 for word in numbers
            ):
                turn, *players = map(int, numbers or ["0"])
                found.update({(turn, player): kind.upper() for player in players})
        return found

    @property
    def directives(self) -> tuple[tuple[str, dict[str, str]], ...]:
        """Verb and values of comments of the form "### chesspairing:bye round=4 player=12 type=excused"."""
        return tuple(self._said(_DIRECTIVE))

    @property
    def own_directives(self) -> tuple[tuple[str, dict[str, str]], ...]:
        """Verb and values of our own comments, such as "### gamekeeper:player player=3 joined=2"."""
        return tuple(self._said(_OWN))

    def _said(self, mark: str) -> Iterator[tuple[str, dict[str, str]]]:
        for text in self.texts("###"):
            words = text.removeprefix(mark).split() if text.startswith(mark) else []
            if words:
                yield words[0], dict(word.partition("=")[::2] for word in words[1:] if "=" in word)


_CODES: Final = frozenset(
    [
        "001",
        "012",
        "013",
        "022",
        "032",
        "042",
        "052",
        "062",
        "072",
        "082",
        "092",
        "102",
        "112",
        "122",
        "132",
        "142",
        "152",
        "162",
        "172",
        "182",
        "192",
        "202",
        "212",
        "222",
        "232",
        "240",
        "250",
        "260",
        "299",
        "300",
        "310",
        "320",
        "330",
        "352",
        "362",
        "801",
        "802",
        "###",
    ]
)
_PREFIXES: Final = ("XX", "BB")
"""First letters of JaVaFo's and bbpPairings' extensions: XXR, XXC, BBW, …"""


def is_code(text: str) -> bool:
    """Whether a line that begins with these three characters has a meaning in TRF.

    Codes of federations count, too: their lines have national ratings.
    """
    known = text in _CODES or (text[:2] in _PREFIXES and text[2:].isalnum())
    return known or (len(text) == 3 and text.isascii() and text.isupper() and is_nation(text))


_DIRECTIVE: Final = "chesspairing:"
_OWN: Final = "gamekeeper:"


def directive(verb: str, **values: str | int) -> OtherLine:
    """A comment for something that TRF has no code for; chesspairing reads it, and so does this program."""
    return _comment(_DIRECTIVE, verb, values)


def own_directive(verb: str, **values: str | int) -> OtherLine:
    """A comment that only this program reads. Texts have no blanks: quote them."""
    return _comment(_OWN, verb, values)


def _comment(mark: str, verb: str, values: Mapping[str, str | int]) -> OtherLine:
    return OtherLine(
        "###", " ".join([f"{mark}{verb}", *(f"{name}={value}" for name, value in values.items())])
    )


def write(document: Document, *, line_end: str = "\n") -> bytes:
    """Write a file in UTF-8. FIDE's text asks for lines that end with CR; most programs write LF.

    Raises:
        TrfError: a value does not fit into its columns.
    """
    lines = [*map(_field, document.before), *map(_player, document.players), *map(_field, document.after)]
    return "".join(line + line_end for line in lines).encode("utf-8", "replace")


def _field(one: OtherLine) -> str:
    if not one.code and one.text.strip() and not is_code(one.text[:3]) and not {"\n", "\r"} & set(one.text):
        return one.text.rstrip()
    if len(one.code) != 3 or "\n" in one.text or "\r" in one.text:
        raise TrfError(f"{one.code!r} is not a code of three characters, or its text has more than one line")
    return f"{one.code} {one.text}".rstrip()


def _player(player: TrfPlayer) -> str:
    def fit(what: str, text: str, width: int, align: Callable[[str, int], str] = str.ljust) -> str:
        if len(text) > width or not text.isprintable():
            raise TrfError(f"player {player.label}: {what} {text!r} does not fit into {width} characters")
        return align(text, width)

    def number(what: str, value: int | None, width: int = 4) -> str:
        return fit(what, "" if value is None else str(value), width, str.rjust)

    points = "" if player.points is None else f"{float(player.points):.1f}"
    head = (
        f"001 {number('the number', player.number)} {fit('sex', player.sex, 1)}"
        f"{fit('title', player.title, 3, str.rjust)} {fit('the name', player.name, NAME_WIDTH)}"
        f" {number('the rating', player.rating)} {fit('the federation', player.federation, 3)}"
        f" {fit('the FIDE id', player.fide_id, 11)} {fit('the date of birth', player.birth, 10)}"
        f" {fit('the points', points, 4, str.rjust)} {number('the rank', player.rank)}"
    )
    return (head + "".join(map(_turn, player.turns))).rstrip()


def _turn(turn: TrfTurn) -> str:
    if not 0 <= turn.opponent <= _MOST or turn.result not in RESULTS:
        raise TrfError(
            f"{turn} cannot be written: opponents are 1 to {_MOST}, results {' '.join(sorted(RESULTS))}"
        )
    return f"  {turn.opponent:04} {turn.colour} {turn.result or ' '}"
