"""The PGN of a broadcast or of a study, board by board (chapter by chapter), as steps of the round.

Its names are as `core.origin` says: a broadcast's are those of persons, whatever site relays it. The town is
lost on the way (sites trap 59); what the board's own address says instead is not a place.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Final, Protocol

from core.game import UNFINISHED, Game, Unreadable, first_tag
from core.pgn import reader
from core.pgn.splitter import Piece
from fetchers.base import LeftOut, Step, Unread, Whole
from fetchers.errors import BadAnswer, Incomplete
from fetchers.http.bodies import as_file
from fetchers.http.responses import Answer
from fetchers.lichess.records import SITE

EMPTY: Final = "empty board"

_ADDRESSES: Final = ("GameURL", "ChapterURL", "Site")
_BOARD: Final = re.compile(r"https?://[^/]+/(?:broadcast|study)/(?:[^/]+/)*([A-Za-z0-9]+)/([A-Za-z0-9]+)/?")
_ROUND: Final = re.compile(r"https?://[^/]+/broadcast/(?:[^/]+/)*([A-Za-z0-9]+)/?")
_RESULT_AT_END: Final = re.compile(rb"(?:\A|[\s.})])(?:(?:[01]|1/2)-(?:[01]|1/2)|\*)[ \t]*\r?\n\s*\Z")

BoardTags = tuple[tuple[str, str], ...]


class Hash(Protocol):
    """What `hashlib` makes."""

    def update(self, data: bytes, /) -> object:
        """Add to it."""
        ...

    def hexdigest(self) -> str:
        """The hash of everything so far."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardsPlace:
    """Where boards belong, with what their PGN leaves to the event.

    Attributes:
        key: Beginning of the native ids: ``broadcast/ROUND`` or ``study/STUDY``.
        id: Of the round or study.
        event: The event's name; "" if each board's own tag is all there is.
        title: What lichess puts before a board's name if the source names no event ("Round 1").
        town: As the organiser wrote it.
    """

    key: str
    id: str
    event: str = ""
    title: str = ""
    town: str | None = None


@dataclass(slots=True)
class _PlacePart:
    """What was seen of one place: a *digest* of its boards, the *ids* of its games, its boards by who."""

    digest: Hash = field(default_factory=lambda: blake2b(digest_size=16))
    ids: set[str] = field(default_factory=set)
    alike: Counter[str] = field(default_factory=Counter)


class BoardsReading:
    """The boards of one answer, and what was seen of them.

    Attributes:
        title: that of the study, once the first chapter is out.
        unplaced: boards that do not say to which place they belong; they are left out.
    """

    def __init__(self, *places: BoardsPlace) -> None:
        self.title: str | None = None
        self.unplaced = 0
        self._places: Mapping[str, BoardsPlace] = {place.id: place for place in places}
        self._parts = {place.id: _PlacePart() for place in places}

    def digest(self, place: BoardsPlace) -> str:
        """A digest of all boards of this place; right once the answer has ended."""
        return self._parts[place.id].digest.hexdigest()

    def is_empty(self, place: BoardsPlace) -> bool:
        """Did the answer have nothing of this place?"""
        return not self._parts[place.id].ids

    def whole(self, place: BoardsPlace) -> Whole:
        """The step that says, once the answer has ended, that these are all games of this place."""
        return Whole(place.key, frozenset(self._parts[place.id].ids))

    def steps(self, answer: Answer) -> Iterator[Step]:
        """Each board as soon as it is known to be complete.

        Raises:
            Incomplete: the answer broke off in the middle of a board.
            BadAnswer: it is not PGN.
        """
        for piece in _whole(answer):
            game = reader.read_piece(piece)
            self.title = self.title or _title(game.tags)
            place = self._place(game.tags)
            if place is None:
                self.unplaced += 1
                continue
            part = self._parts[place.id]
            part.digest.update(piece.raw.strip() + b"\n")
            yield _step(game, place, part)

    def _place(self, tags: BoardTags) -> BoardsPlace | None:
        if len(self._places) == 1:
            return next(iter(self._places.values()))
        found = [_BOARD.fullmatch(first_tag(tags, name) or "") for name in _ADDRESSES]
        found.append(_ROUND.fullmatch(first_tag(tags, "BroadcastURL") or ""))
        return next((self._places[one[1]] for one in found if one and one[1] in self._places), None)


def _step(read: Game | Unreadable, place: BoardsPlace, part: _PlacePart) -> Step:
    native_id, url = _address(read.tags, place)
    native_id = native_id or _made_id(read.tags, place, part)
    if isinstance(read, Game) and read.result == UNFINISHED and not read.moves:
        return LeftOut(native_id, EMPTY)
    part.ids.add(native_id)
    if isinstance(read, Unreadable):
        return Unread(read, native_id, url)
    return _completed(read, place, native_id, url)


def _title(tags: BoardTags) -> str | None:
    return first_tag(tags, "StudyName") or (first_tag(tags, "Event") or "").partition(": ")[0] or None


def _address(tags: BoardTags, place: BoardsPlace) -> tuple[str | None, str | None]:
    """Native id and address of a board, by the ids in its address.

    Its words change when somebody renames the event.
    """
    for name in _ADDRESSES:
        found = _BOARD.fullmatch(first_tag(tags, name) or "")
        if found and found[1] == place.id:
            return f"{place.key}/{found[2]}", found[0]
    return None, None


def _made_id(tags: BoardTags, place: BoardsPlace, part: _PlacePart) -> str:
    """An id for a board whose only address is the relayed site's.

    Its number, or who plays, and which of theirs it is.
    """
    number = first_tag(tags, "Round") or ""
    names = (number, first_tag(tags, "White") or "", first_tag(tags, "Black") or "")
    who = number if "." in number else "\n".join(names)  # "1.3": the third board of the first round
    part.alike[who] += 1
    digest = blake2b(f"{who}\n{part.alike[who]}".encode(errors="surrogatepass"), digest_size=8).hexdigest()
    return f"{place.key}/-{digest}"  # no id of lichess begins so


def _completed(game: Game, place: BoardsPlace, native_id: str, url: str | None) -> Game:
    untitled = game.event is None or (place.title and game.event.startswith(f"{place.title}: "))
    at_itself = _BOARD.fullmatch(game.site or "") is not None
    return replace(
        game,
        source=SITE,
        native_id=native_id,
        url=url or game.url,
        event=place.event if place.event and untitled else game.event,
        site=place.town if at_itself or not game.site else game.site,
    )


def _whole(answer: Answer) -> Iterator[Piece]:
    """The complete games of the body. Each is held back until it is known to be complete."""
    held: Piece | None = None
    for piece in reader.split(as_file(answer.chunks), reader.Limits(max_bytes=answer.item_bytes)):
        if held is not None:
            yield held
        elif reason := reader.not_pgn(piece.raw[:4096]):
            raise BadAnswer(f"the answer is {reason}")
        held = None if piece.cut_off else piece
    if held is None:
        return
    if not held.too_large and not _RESULT_AT_END.search(held.raw):
        raise Incomplete("the answer broke off in the middle of a board")
    yield held
