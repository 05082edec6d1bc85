"""The PGN of a broadcast's round or of a study, board by board (chapter by chapter), as steps of the round.

Its names are as `core.origin` says: a broadcast's are those of persons, whatever site relays it. The town is lost
on the way (trap 59); what the board's own address says instead is no place.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Final, Protocol

from core import pgn
from core.game import UNFINISHED, Game, Unreadable, first_tag
from core.splitting import Piece
from fetchers.answers import Answer
from fetchers.base import LeftOut, Step, Told, Unread
from fetchers.bodies import as_file
from fetchers.errors import BadAnswer, Incomplete
from fetchers.lichess_records import SITE

EMPTY: Final = "empty board"

_ADDRESSES: Final = ("GameURL", "ChapterURL", "Site")
_BOARD: Final = re.compile(r"https?://[^/]+/(?:broadcast|study)/(?:[^/]+/)*([A-Za-z0-9]+)/([A-Za-z0-9]+)/?")
_RESULT_AT_END: Final = re.compile(rb"(?:\A|[\s.})])(?:(?:[01]|1/2)-(?:[01]|1/2)|\*)[ \t]*\r?\n\s*\Z")


class Hash(Protocol):
    """What `hashlib` makes."""

    def update(self, data: bytes, /) -> object:
        """Add to it."""
        ...

    def hexdigest(self) -> str:
        """What has come together so far."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where boards stand, with what their PGN leaves to the event.

    Attributes:
        key: beginning of the native ids: ``broadcast/ROUND`` or ``study/STUDY``.
        id: of the round or study.
        event: the event's name; "" where each board's own tag is all there is.
        title: what lichess puts before a board's name where the source names no event ("Round 1").
        town: as the organiser wrote it.
    """

    key: str
    id: str
    event: str = ""
    title: str = ""
    town: str | None = None


@dataclass(slots=True)
class Reading:
    """The boards of one answer, and what was seen of it: *digest* is right once it has ended.

    *title* is that of the study, once the first chapter is out.
    """

    place: Place
    title: str | None = None
    digest: Hash = field(default_factory=lambda: blake2b(digest_size=16))

    def steps(self, answer: Answer) -> Iterator[Step]:
        """Each board as soon as it is known to be whole.

        Raises:
            Incomplete: the answer broke off in the middle of a board.
            BadAnswer: it is no PGN.
        """
        for piece in _whole(answer, self.digest):
            game = pgn.read_piece(piece)
            self.title = self.title or _title(game.tags)
            yield self._step(game)

    def _step(self, read: Game | Unreadable) -> Step:
        native_id, url = _address(read.tags, self.place)
        if isinstance(read, Unreadable):
            return Unread(read, native_id, url)
        if read.result == UNFINISHED and not read.moves:
            return LeftOut(native_id, EMPTY)
        if native_id is None:
            reason = "the board says nowhere which one it is"
            return Unread(Unreadable(raw=read.raw, reason=reason, tags=read.tags))
        return Told(_completed(read, self.place, native_id, url))


def _title(tags: tuple[tuple[str, str], ...]) -> str | None:
    return first_tag(tags, "StudyName") or (first_tag(tags, "Event") or "").partition(": ")[0] or None


def _address(tags: tuple[tuple[str, str], ...], place: Place) -> tuple[str | None, str | None]:
    """Native id and address of a board: the ids in its address, whose words change when somebody renames the event."""
    for name in _ADDRESSES:
        found = _BOARD.fullmatch(first_tag(tags, name) or "")
        if found and found[1] == place.id:
            return f"{place.key}/{found[2]}", found[0]
    return None, None


def _completed(game: Game, place: Place, native_id: str, url: str | None) -> Game:
    untitled = game.event is None or (place.title and game.event.startswith(f"{place.title}: "))
    at_itself = _BOARD.fullmatch(game.site or "") is not None
    return replace(
        game,
        source=SITE,
        native_id=native_id,
        url=url,
        event=place.event if place.event and untitled else game.event,
        site=place.town if at_itself or not game.site else game.site,
    )


def _whole(answer: Answer, digest: Hash) -> Iterator[Piece]:
    """The games of the body that came to their end. Each is held back until it is known that it did."""
    held: Piece | None = None
    for piece in pgn.split(as_file(_noted(answer.chunks, digest)), pgn.Limits(max_bytes=answer.item_bytes)):
        if held is not None:
            yield held
        elif reason := pgn.not_pgn(piece.raw[:4096]):
            raise BadAnswer(f"the answer is {reason}")
        held = None if piece.cut_off else piece
    if held is None:
        return
    if not held.too_large and not _RESULT_AT_END.search(held.raw):
        raise Incomplete("the answer broke off in the middle of a board")
    yield held


def _noted(chunks: Iterator[bytes], digest: Hash) -> Iterator[bytes]:
    for chunk in chunks:
        digest.update(chunk)
        yield chunk
