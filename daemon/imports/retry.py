"""Tries games in quarantine again: a newer program, or an edit, may make readable what was not.

A game that was mended by hand comes in as a telling of the file or download that it was in, with the edited
bytes. Its item stays with the bytes as they came: it waits no longer, and the unchanged source is recognised
when it comes again.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from core.game import Game
from core.pgn.limits import DEFAULT_LIMITS
from core.pgn.reader import CUT_OFF, Piece, read_piece, split
from daemon import clock
from daemon.archive.archive import Archive
from daemon.archive.errors import Damaged
from daemon.archive.games import quarantine
from daemon.archive.games.prepared import RefusedError, prepare
from daemon.archive.games.quarantine import QuarantineEntry, QuarantineItem
from daemon.archive.take_in import Download, FilePiece, Outcome, Telling, take_in
from daemon.logs import get_logger

log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Retried:
    """What became of each item, by its id. *unknown*: there is none with this id."""

    taken_in: list[int] = field(default_factory=list)
    unreadable: list[int] = field(default_factory=list)
    unknown: list[int] = field(default_factory=list)


def retry_some(archive: Archive, ids: Iterable[int]) -> Retried:
    """Try these items again."""
    retried = Retried()
    for number in dict.fromkeys(ids):
        try:
            with archive.reading() as connection:
                item = quarantine.get(connection, number)
        except Damaged as error:
            log.warning("a game in quarantine cannot be tried again", error=str(error))
            retried.unreadable.append(number)
            continue
        if item is None or item.telling_id is not None:
            retried.unknown.append(number)
        else:
            _retry(archive, item, retried)
    return retried


def retry_all(archive: Archive) -> Retried:
    """Try all items again."""
    with archive.reading() as connection:
        ids = quarantine.waiting(connection)
    retried = retry_some(archive, ids)
    return replace(retried, unknown=[])  # they have left with one that was tried before them


class StillUnreadableError(Exception):
    """The edited text cannot be taken in; the message says why. *position*: of the fault, in its bytes."""

    def __init__(self, reason: str, position: int | None = None) -> None:
        super().__init__(reason)
        self.position = position


def mend(archive: Archive, found: QuarantineEntry, edited: bytes) -> list[Outcome]:
    """Take in an edited item: one game, or several if the item is from a file.

    Raises:
        StillUnreadableError: nothing was taken in.
    """
    tellings = _edited_tellings(found, edited)
    if found.item.file_id is None and len(tellings) > 1:
        raise StillUnreadableError(f"a download is one game, but this text has {len(tellings)}")
    return take_in(archive, tellings, now_ms=clock.now_ms(), mends=found.id).outcomes


def _edited_tellings(found: QuarantineEntry, edited: bytes) -> list[Telling]:
    tellings: list[Telling] = []
    for piece in split(edited, encoding=found.encoding):
        game = read_piece(piece)
        if not isinstance(game, Game):
            at = None if game.position is None else piece.offset + game.position
            raise StillUnreadableError(game.reason, at)
        try:
            telling = _of_source(found.item, game)
        except RefusedError as error:
            raise StillUnreadableError(str(error), piece.offset) from error
        if telling is None:
            raise StillUnreadableError("it is not known what it was downloaded as; `drop` it, or import it")
        tellings.append(telling)
    if not tellings:
        raise StillUnreadableError("there is no game in the text")
    return tellings


def _retry(archive: Archive, found: QuarantineEntry, retried: Retried) -> None:
    now_ms = clock.now_ms()
    try:
        telling = _telling(found)
    except RefusedError as error:
        take_in(archive, [], now_ms=now_ms, unread=[replace(found.item, reason=str(error), position=None)])
        telling = None
    if telling is None:
        retried.unreadable.append(found.id)
    else:  # with it, its item leaves the quarantine
        take_in(archive, [telling], now_ms=now_ms)
        retried.taken_in.append(found.id)


def _telling(found: QuarantineEntry) -> Telling | None:
    """The telling that the item is now, None if it still cannot be read or cannot be known again.

    Raises:
        RefusedError: no database can store it.
    """
    game = read_piece(_piece(found))
    return _of_source(found.item, game) if isinstance(game, Game) else None


def _of_source(item: QuarantineItem, game: Game) -> Telling | None:
    """The game as a telling of what the item is from, None if that cannot be known again.

    Raises:
        RefusedError: no database can store it.
    """
    if item.file_id is not None:
        return Telling(prepare(game), FilePiece(item.file_id, item.place))
    native_id = item.native_id or game.native_id
    if item.account_id is None or native_id is None:
        return None
    # What the fetcher would have said of it.
    game = replace(game, online=True, source=item.site, native_id=native_id, url=item.url or game.url)
    return Telling(prepare(game), Download(item.account_id))


def _piece(found: QuarantineEntry) -> Piece:
    """What was kept of the game. If that is not all of it, it must not come in as a shorter one."""
    item = found.item
    too_large = len(item.raw) >= DEFAULT_LIMITS.max_bytes
    cut_off = item.reason == CUT_OFF
    return Piece(item.raw, item.place or 0, 1, too_large, cut_off, found.encoding)
