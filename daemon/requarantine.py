"""A second try at games in quarantine: a newer program may read what an older one could not."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from core.game import Game
from core.pgn import CUT_OFF, DEFAULT_LIMITS, Piece, read_piece
from daemon.archive import quarantine
from daemon.archive.archive import Archive
from daemon.archive.quarantine import Quarantined, QuarantineItem
from daemon.intake import Telling, take_in

_PAGE = 100


@dataclass(frozen=True, slots=True)
class Retried:
    """What became of each item, by its id. *unknown*: there is none of this id."""

    taken_in: list[int] = field(default_factory=list)
    unreadable: list[int] = field(default_factory=list)
    unknown: list[int] = field(default_factory=list)


def retry_some(archive: Archive, ids: Iterable[int]) -> Retried:
    """Try these items again."""
    retried = Retried()
    for number in dict.fromkeys(ids):
        with archive.reading() as conn:
            item = quarantine.get(conn, number)
        if item is None:
            retried.unknown.append(number)
        else:
            _retry(archive, item, retried)
    return retried


def retry_all(archive: Archive) -> Retried:
    """Try all items again."""
    retried = Retried()
    for item in _all(archive):
        _retry(archive, item, retried)
    return retried


def _all(archive: Archive) -> Iterator[Quarantined]:
    last = 0
    while True:
        with archive.reading() as conn:
            page = quarantine.listed(conn, after=last, limit=_PAGE)
        if not page:
            return
        yield from page
        last = page[-1].id


def _retry(archive: Archive, found: Quarantined, retried: Retried) -> None:
    telling = _telling(found.item)
    taken = None if telling is None else take_in(archive, [telling], now_ms=time.time_ns() // 1_000_000)
    # What could be taken in has left the quarantine with it.
    readable = taken is not None and not taken.quarantined
    (retried.taken_in if readable else retried.unreadable).append(found.id)


def _telling(item: QuarantineItem) -> Telling | None:
    """The telling that the item is now, None if it still cannot be read or cannot be known again."""
    game = read_piece(_piece(item))
    if not isinstance(game, Game):
        return None
    if item.file_id is not None:
        return Telling(game=game, file_id=item.file_id, place=item.place)
    native_id = item.native_id or game.native_id
    if item.account_id is None or native_id is None:
        return None
    # What the fetcher would have said of it.
    game = replace(game, online=True, source=item.site, native_id=native_id, url=item.url or game.url)
    return Telling(game=game, account_id=item.account_id)


def _piece(item: QuarantineItem) -> Piece:
    """What was kept of the game. Where that is not all of it, it must not come in as a shorter one."""
    too_large = len(item.raw) >= DEFAULT_LIMITS.max_bytes
    return Piece(item.raw, item.place or 0, 1, too_large=too_large, cut_off=item.reason == CUT_OFF)
