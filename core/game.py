"""A game as one source tells it, and the small values it is made of."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Self

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
"""A tag of our own exports: the colours whose names were typed by a user, and are shown just as they are written."""

SAME_RULES: Final = frozenset({STANDARD, CHESS960})
"""Variants that are played by the same rules; only the start position differs (names A30)."""

_DATE = re.compile(r"(\d{4}|\?{1,4})(?:[./-](\d{1,2}|\?{1,2})(?:[./-](\d{1,2}|\?{1,2}))?)?")


def read_result(tag: str | None, end_of_moves: str | None = None) -> str:
    """The result that a tag states or, where it states none, the end of the moves (names A29).

    A text that is no usual result stays as it is: it equals only itself.
    """
    for text in (tag, end_of_moves):
        stated = "".join((text or "").split())
        if stated and stated != "?":
            return usual(stated) or stated
    return UNFINISHED


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date whose parts may be unknown (names A28). Unknown equals only unknown.

    *text* holds what stood there when it is no date with the year first; such a date equals only itself.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    text: str | None = None

    @classmethod
    def parse(cls, text: str | None) -> Self:
        """Read a Date tag: year first, parts divided by ``.``, ``-`` or ``/``; missing and zero parts are unknown."""
        stripped = (text or "").strip()
        if not stripped or set(stripped) <= set("?.-/ "):
            return cls()
        match = _DATE.fullmatch(stripped)
        if match is None:
            return cls(text=stripped)
        year, month, day = (int(part) if part and part.isdigit() else 0 for part in match.groups())
        if month > 12 or day > 31:
            return cls(text=stripped)
        return cls(year or None, month or None, day or None)

    def __str__(self) -> str:
        if self.text is not None:
            return self.text
        year = "????" if self.year is None else f"{self.year:04}"
        return ".".join([year, *("??" if part is None else f"{part:02}" for part in (self.month, self.day))])

    @property
    def known(self) -> bool:
        """Does the source say anything at all about the date?"""
        return self != PartialDate()


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two players, as this source tells of them in this game.

    *name* is verbatim ("" where the source names nobody); *fide_id* is the text of the id, verbatim too:
    `core.players.identify` decides whether it is one. *rating* is None where the source gives no number.
    """

    name: str = ""
    fide_id: str | None = None
    rating: int | None = None
    title: str | None = None
    team: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """What one source tells of one game.

    Attributes:
        moves: main line in UCI. Castling is ``e1g1`` where king and rooks stand as in normal chess, and king
            takes rook (``b1a1``) elsewhere; a drop is ``P@h2``, a null move ``0000``.
        castlings: indices in *moves* of the castlings written as king steps (``e1g1``).
        start: the start position in normal form ("" for the standard one): board, side, castling rights as
            rook squares, en passant only where a capture is legal; no counters (names A30).
        start_fen: the same as a whole FEN for people and programs; None for the standard one.
        variant: ``standard``, ``chess960``, or the lichess key of another variant (``kingOfTheHill``).
        tags: every tag in order, repeated ones too; a known tag by its usual name, its value as written.
        online: the names are handles of a site (set by the fetchers, and by `core.origin` for exported files).
        source: the site that tells the game or that its tags name (``lichess``, ``chesscom``, …).
        native_id: the site's own id: lichess 8 case-sensitive characters; chess.com kind and number, ``live/123``.
        other_ids: further ids of the same site for the same game (chess.com's uuid).
        oddities: what is odd about it, although it could be read.
        raw: the game as it came, byte for byte.
        encoding: what of it is not UTF-8 was read in this encoding, because the user says so; else None.
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
        """Has a user typed the name of this colour, as an export of ours says?"""
        return colour in (self.tag(VERBATIM_NAMES) or "").lower().split()

    @property
    def ply_count(self) -> int:
        """Half moves in the main line."""
        return len(self.moves)

    @property
    def rules(self) -> str:
        """The variant by whose rules the moves are played: normal chess and Chess960 are one."""
        return STANDARD if self.variant in SAME_RULES else self.variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A game that could not be read, with what is needed to keep and show it.

    *position* is the place of the fault in *raw* (bytes from its beginning), where it is known.
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
