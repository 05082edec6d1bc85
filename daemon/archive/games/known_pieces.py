"""Games in files that the archive knows by their bytes, so that they need no parsing.

What a piece gives was worked out when it first came, and the user's later edits do not change that.
"""

from array import array
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, select, update

from core.pgn import encodings
from core.pgn.reader import CUT_OFF, Piece
from daemon.archive.database.bulk import chunks, update_rows
from daemon.archive.games.counts import Counts
from daemon.archive.games.file_places import Placed
from daemon.archive.games.quarantine import is_empty, item_digest
from daemon.archive.tables.main import IN_FILE, quarantine, tellings


@dataclass(frozen=True, slots=True)
class KnownTelling:
    """A piece that has a telling. *at* is where it begins in the file now, *place* where it began before."""

    at: int
    id: int
    place: int | None


@dataclass(frozen=True, slots=True)
class KnownUnread:
    """A piece that is in quarantine, for *reason*. *mended*: a telling was made of it by hand."""

    at: int
    id: int
    reason: str
    mended: bool


KnownPiece = KnownTelling | KnownUnread


@dataclass(frozen=True, slots=True)
class Unmoved:
    """Pieces that have the tellings with these *ids*, each where it was before."""

    ids: "array[int]"

    def __len__(self) -> int:
        """How many pieces."""
        return len(self.ids)


def find_known(
    connection: Connection, file_id: int, source: str, pieces: Sequence[Piece], digests: Sequence[bytes]
) -> list[KnownPiece | None]:
    """What the archive knows of these pieces of a file, in their order; None for one that has to be parsed.

    *source* is what their items in quarantine would have, *digests* the pieces' `content_digest`.
    """
    tellings_by = _as_read(_tellings(connection, file_id, digests), pieces, digests)
    if is_empty(connection):
        return [_known(piece, tellings_by.get(one), None) for piece, one in zip(pieces, digests, strict=True)]
    unread_by = [item_digest(source, piece.raw) for piece in pieces]
    unread = _unread(connection, unread_by)
    return [
        _known(piece, tellings_by.get(one), unread.get(other))
        for piece, one, other in zip(pieces, digests, unread_by, strict=True)
    ]


def see_again(
    connection: Connection, known: Sequence[KnownPiece | Unmoved], placed: Placed, now_ms: int
) -> Counts:
    """Note where these pieces are now; returns what they count as."""
    moved: list[KnownTelling] = []
    for one in known:
        if isinstance(one, Unmoved):
            placed.add_all(one.ids)
        elif isinstance(one, KnownTelling) and placed.add(one.id) and one.place != one.at:
            moved.append(one)
    for one in moved:
        placed.moved(one.id, one.place)
    update_rows(connection, tellings, [{"id": one.id, "place": one.at} for one in moved])
    unread = [one for one in known if isinstance(one, KnownUnread)]
    _see_unread_again(connection, unread, now_ms)
    waiting = sum(not one.mended for one in unread)
    read = sum(len(one) if isinstance(one, Unmoved) else 1 for one in known)
    return Counts(read=read, unchanged=read - waiting, quarantined=waiting)


def _known(
    piece: Piece, telling: tuple[int, int | None] | None, item: tuple[int, str, bool] | None
) -> KnownPiece | None:
    # A piece that is not whole may be another game than the one with these bytes, in quarantine as out of it;
    # and one that is in both is about to leave the quarantine.
    if piece.too_large or piece.cut_off or (telling and item):
        return None
    if telling is not None:
        return KnownTelling(piece.offset, *telling)
    return KnownUnread(piece.offset, *item) if item is not None and item[1] != CUT_OFF else None


def _as_read(
    stored: dict[bytes, tuple[int, int | None, str | None]], pieces: Sequence[Piece], digests: Sequence[bytes]
) -> dict[bytes, tuple[int, int | None]]:
    """Those of these tellings that were read in the same encoding as their pieces are in now."""
    return {
        value: stored[value][:2]
        for piece, value in zip(pieces, digests, strict=True)
        if value in stored and stored[value][2] == encodings.of(piece.raw, piece.encoding)
    }


def _tellings(
    connection: Connection, file_id: int, digests: Sequence[bytes]
) -> dict[bytes, tuple[int, int | None, str | None]]:
    """Id, place and encoding of the tellings of this file that have these digests."""
    found: dict[bytes, tuple[int, int | None, str | None]] = {}
    of_file = select(tellings.c.digest, tellings.c.id, tellings.c.place, tellings.c.encoding).where(
        IN_FILE, tellings.c.file_id == file_id
    )
    for some in chunks(digests):
        rows = connection.execute(of_file.where(tellings.c.digest.in_(some))).all()
        found.update((value, (number, place, encoding)) for value, number, place, encoding in rows)
    return found


def _unread(connection: Connection, digests: Sequence[bytes]) -> dict[bytes, tuple[int, str, bool]]:
    """Id and reason of the items in quarantine that have these digests, and whether they were mended."""
    found: dict[bytes, tuple[int, str, bool]] = {}
    item = select(quarantine.c.digest, quarantine.c.id, quarantine.c.reason, quarantine.c.telling_id)
    for some in chunks(digests):
        for value, number, reason, telling_id in connection.execute(
            item.where(quarantine.c.digest.in_(some))
        ):
            found[value] = number, reason, telling_id is not None
    return found


def _see_unread_again(connection: Connection, unread: Collection[KnownUnread], now_ms: int) -> None:
    if unread:
        statement = (
            update(quarantine)
            .where(quarantine.c.id == bindparam("of_id"))
            .values(seen=quarantine.c.seen + 1, last_seen=now_ms, place=bindparam("new_place"))
        )
        # An item that is in the file twice is one item, as when it was read.
        rows = {one.id: {"of_id": one.id, "new_place": one.at} for one in unread}
        connection.execute(statement, list(rows.values()))
