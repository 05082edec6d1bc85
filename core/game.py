"""A game as one source gives it, and the small values it is made of."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Final

from core.oddities import Oddity
from core.results import BLACK_WINS, DRAW, UNFINISHED, WHITE_WINS, usual

__all__ = [
    "BLACK_WINS",
    "CHESS960",
    "DRAW",
    "SAME_RULES",
    "STANDARD",
    "UNFINISHED",
    "WHITE_WINS",
    "Game",
    "PartialDate",
    "Side",
    "Unreadable",
    "first_tag",
    "read_result",
]


STANDARD: Final = "standard"
CHESS960: Final = "chess960"
VERBATIM_NAMES: Final = "VerbatimNames"
"""A tag of our own exports: the colours whose names were typed by a user, and are shown as written."""

SAME_RULES: Final = frozenset({STANDARD, CHESS960})
"""Variants with the same rules; only the start position differs (names A30)."""

_LONGEST_REMEMBERED: Final = 32
_USUAL_DATE = re.compile(r"(\d{4})\.(\d\d)\.(\d\d)", re.ASCII)
_DATE = re.compile(r"(\d{4}|\?{1,4})(?:[./-](\d{1,2}|\?{1,2})(?:[./-](\d{1,2}|\?{1,2}))?)?")


def read_result(tag: str | None, end_of_moves: str | None = None) -> str:
    """The result that a tag states or, if it states none, the result after the moves (names A29).

    A text that is not a usual result stays as it is: it equals only itself.
    """
    for text in (tag, end_of_moves):
        stated = "".join((text or "").split())
        if stated and stated != "?":
            return usual(stated) or stated
    return UNFINISHED


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date whose parts may be unknown (names A28). Unknown equals only unknown.

    *text* keeps a text that is not a date with the year first; such a date equals only itself.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    text: str | None = None

    @staticmethod
    def parse(text: str | None) -> "PartialDate":
        """Read a Date tag: year first, parts separated by ``.``, ``-`` or ``/``.

        Missing and zero parts are unknown. Equal dates may be one object.
        """
        text = text or ""
        return _read_date(text) if len(text) <= _LONGEST_REMEMBERED else _read_date.__wrapped__(text)

    def __str__(self) -> str:
        if self.text is not None:
            return self.text
        if self.year is not None and self.month is not None and self.day is not None:
            return f"{self.year:04}.{self.month:02}.{self.day:02}"
        year = "????" if self.year is None else f"{self.year:04}"
        return ".".join([year, *("??" if part is None else f"{part:02}" for part in (self.month, self.day))])

    @property
    def known(self) -> bool:
        """Whether the source says anything about the date."""
        return self != PartialDate()


@lru_cache(maxsize=1 << 12)  # games of a file are of few days
def _read_date(text: str) -> PartialDate:
    stripped = text.strip()
    usual = _USUAL_DATE.fullmatch(stripped)
    if usual is not None:
        year, month, day = map(int, usual.groups())
        if 1 <= month <= 12 and 1 <= day <= 31 and year:
            return PartialDate(year, month, day)
    if not stripped or set(stripped) <= set("?.-/ "):
        return PartialDate()
    match = _DATE.fullmatch(stripped)
    if match is None:
        return PartialDate(text=stripped)
    year, month, day = (int(part) if part and part.isdigit() else 0 for part in match.groups())
    if month > 12 or day > 31:
        return PartialDate(text=stripped)
    return PartialDate(year or None, month or None, day or None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two players, as this source describes them in this game.

    *name* is verbatim ("" if the source names nobody); *fide_id* is the text of the id, verbatim too:
    `core.players.identify` decides whether it is one. *rating* is None if the source gives no number.
    """

    name: str = ""
    fide_id: str | None = None
    rating: int | None = None
    title: str | None = None
    team: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """What one source says of one game.

    Attributes:
        moves: Main line in UCI. Castling is ``e1g1`` if king and rooks are where they are in normal chess,
            and king takes rook (``b1a1``) elsewhere; a drop is ``P@h2``, a null move ``0000``.
        castlings: Indices in *moves* of the castlings written as king steps (``e1g1``).
        start: The start position in normal form ("" for the standard one): board, side, castling rights as
            rook squares, en passant only if a capture is legal; no counters (names A30).
        start_fen: The same as a whole FEN for people and programs; None for the standard one.
        variant: ``standard``, ``chess960``, or the lichess key of another variant (``kingOfTheHill``).
        tags: Every tag in order, repeated ones too; a known tag by its usual name, its value as written.
        online: Whether the names are handles of a site (set by the fetchers, and by `core.origin` for
            exported files).
        source: The site that sent the game or that its tags name (``lichess``, ``chesscom``, …).
        native_id: The site's own id: lichess 8 case-sensitive characters; chess.com kind and number,
            ``live/123``.
        other_ids: Further ids of the same site for the same game (chess.com's uuid).
        oddities: What is odd about it, although it could be read.
        raw: The game as it came, byte for byte.
        encoding: The encoding that the user named for what is not UTF-8; else None.
    """

    white: Side = Side()
    black: Side = Side()
    date: PartialDate = PartialDate()
    result: str = UNFINISHED
    variant: str = STANDARD
    start: str = ""
    start_fen: str | None = None
    moves: tuple[str, ...] = ()
    castlings: tuple[int, ...] = ()
    event: str | None = None
    site: str | None = None
    round: str | None = None
    eco: str | None = None
    opening: str | None = None
    time_control: str | None = None
    time_class: str | None = None
    termination: str | None = None
    annotator: str | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    online: bool = False
    source: str | None = None
    native_id: str | None = None
    url: str | None = None
    other_ids: tuple[str, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()
    has_comments: bool = False
    has_variations: bool = False
    oddities: tuple[Oddity, ...] = ()
    raw: bytes = field(default=b"", repr=False)
    encoding: str | None = None

    def tag(self, name: str) -> str | None:
        """The first tag of that name, None if there is none or it is empty or ``?``."""
        return first_tag(self.tags, name)

    def typed(self, colour: str) -> bool:
        """Whether a user typed the name of this colour, as an export of ours says."""
        return colour in (self.tag(VERBATIM_NAMES) or "").lower().split()

    @property
    def ply_count(self) -> int:
        """Half moves in the main line."""
        return len(self.moves)

    @property
    def rules(self) -> str:
        """The variant whose rules apply to the moves: normal chess and Chess960 are one."""
        return STANDARD if self.variant in SAME_RULES else self.variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A game that could not be read, with what is needed to keep and show it.

    *position* is the offset of the fault in *raw*, in bytes, if it is known.
    """

    raw: bytes = field(repr=False)
    reason: str
    position: int | None = None
    tags: tuple[tuple[str, str], ...] = ()


def first_tag(tags: Iterable[tuple[str, str]], name: str) -> str | None:
    """The first tag of that name, None if there is none or it says nothing (empty, ``?``)."""
    for key, value in tags:
        if key == name:
            return value if value.strip() not in {"", "?"} else None
    return None
