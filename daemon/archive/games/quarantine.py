"""Games that could not be read: kept as they came, with the reason, until they can be read."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection, bindparam, delete, func, or_, select, update
from sqlalchemy import Row as Found

from daemon.archive.database import new_ids
from daemon.archive.database.bulk import ColumnValues, chunks, insert_rows
from daemon.archive.games.compression import compress
from daemon.archive.games.files import path_of
from daemon.archive.games.packed import unpack
from daemon.archive.games.prepared import content_digest
from daemon.archive.games.telling import Download, FilePiece, Telling
from daemon.archive.tables.main import files, quarantine

_SITE: Final = 32  # characters in the column; whatever names a longer site is hostile or broken


@dataclass(frozen=True, slots=True, kw_only=True)
class QuarantineItem:
    """A game that could not be read.

    Attributes:
        source: ``lichess:mrossi90``, or the path of the file.
        raw: Its bytes as they came.
        reason: A sentence for the user.
        position: Of the fault, in *raw*.
        place: Of the game in its file, in bytes.
    """

    source: str
    raw: bytes = field(repr=False)
    reason: str
    position: int | None = None
    account_id: int | None = None
    file_id: int | None = None
    site: str | None = None
    native_id: str | None = None
    url: str | None = None
    place: int | None = None

    @property
    def digest(self) -> bytes:
        """16 bytes that represent source and bytes: the same game of the same source is one item."""
        return item_digest(self.source, self.raw)


@dataclass(frozen=True, slots=True)
class QuarantineEntry:
    """An item in quarantine; times in milliseconds since 1970, *size* of `raw` in bytes.

    *telling_id*: what was made of it by hand; None while it waits. *encoding*: what the user has named for
    its file by now.
    """

    id: int
    item: QuarantineItem
    size: int
    first_seen: int
    last_seen: int
    seen: int
    telling_id: int | None = None
    encoding: str | None = None


def item_digest(source: str, raw: bytes) -> bytes:
    """The digest of an item; blank lines after its bytes do not count."""
    return content_digest(source.encode(errors="surrogateescape") + b"\0" + raw)


def put(connection: Connection, items: Sequence[QuarantineItem], now_ms: int) -> int:
    """Store these items; known ones are noted as seen once more, with today's reason.

    Returns how many of them (each as often as it came) were mended by hand before.
    """
    by_digest = {item.digest: item for item in items}
    known: dict[bytes, int] = {}
    mended: set[bytes] = set()
    for some in chunks(list(by_digest)):
        found = select(quarantine.c.digest, quarantine.c.id, quarantine.c.telling_id)
        for value, number, telling_id in connection.execute(found.where(quarantine.c.digest.in_(some))):
            known[value] = number
            if telling_id is not None:
                mended.add(value)
    _see_again(connection, [(number, by_digest[value]) for value, number in known.items()], now_ms)
    new = [(value, item) for value, item in by_digest.items() if value not in known]
    ids = new_ids.take(connection, quarantine, len(new))
    rows = [_row(number, value, item, now_ms) for number, (value, item) in zip(ids, new, strict=True)]
    insert_rows(connection, quarantine, rows)
    return sum(item.digest in mended for item in items) if mended else 0


def _see_again(connection: Connection, again: Sequence[tuple[int, QuarantineItem]], now_ms: int) -> None:
    if again:
        statement = (
            update(quarantine)
            .where(quarantine.c.id == bindparam("of_id"))
            .values(
                seen=quarantine.c.seen + 1,
                last_seen=now_ms,
                reason=bindparam("new_reason"),
                position=bindparam("new_position"),
                place=bindparam("new_place"),
            )
        )
        rows = [
            {
                "of_id": number,
                "new_reason": storable(item.reason),
                "new_position": item.position,
                "new_place": item.place,
            }
            for number, item in again
        ]
        connection.execute(statement, rows)


def _row(number: int, value: bytes, item: QuarantineItem, now_ms: int) -> ColumnValues:
    return {
        "id": number,
        "digest": value,
        "source": storable(item.source),
        "account_id": item.account_id,
        "file_id": item.file_id,
        "site": storable(item.site[:_SITE] if item.site else None),
        "native_id": storable(item.native_id),
        "url": storable(item.url),
        "place": item.place,
        "position": item.position,
        "reason": storable(item.reason),
        "raw": compress(item.raw),
        "size": len(item.raw),
        "first_seen": now_ms,
        "last_seen": now_ms,
        "seen": 1,
        "telling_id": None,
    }


def storable(text: str | None) -> str | None:
    """The text without what a database cannot store: it only has to be shown."""
    return None if text is None else text.replace("\0", "\ufffd").encode(errors="replace").decode()


def mended(connection: Connection, digests: Sequence[bytes]) -> set[bytes]:
    """Those of these items that were mended by hand."""
    found: set[bytes] = set()
    for some in chunks(digests):
        its = select(quarantine.c.digest).where(quarantine.c.digest.in_(some))
        found.update(connection.scalars(its.where(quarantine.c.telling_id.is_not(None))))
    return found


def drop(connection: Connection, ids: Iterable[int]) -> int:
    """Delete these items; returns how many there were."""
    numbers = list(ids)
    return sum(
        connection.execute(delete(quarantine).where(quarantine.c.id.in_(some))).rowcount
        for some in chunks(numbers)
    )


def release(
    connection: Connection,
    tellings: Sequence[Telling],
    digests: Collection[bytes] = (),
    *,
    but: int | None = None,
) -> None:
    """Delete what can be read now, these tellings, and the items with these digests; the item *but* stays."""
    if is_empty(connection):
        return
    others = delete(quarantine) if but is None else delete(quarantine).where(quarantine.c.id != but)
    for some in chunks([*_digests(connection, tellings), *digests]):
        connection.execute(others.where(quarantine.c.digest.in_(some)))
    downloads = [
        (game.source, game.native_id)
        for game in (one.prepared.game for one in tellings if isinstance(one.source, Download))
        if game.source and game.native_id
    ]
    for some_ids in chunks(downloads, 200):
        named = [(quarantine.c.site == site) & (quarantine.c.native_id == own) for site, own in some_ids]
        connection.execute(others.where(or_(*named)))


def _digests(connection: Connection, tellings: Sequence[Telling]) -> list[bytes]:
    """The digests that the items of these pieces of files would have."""
    pieces = [(one.source.file_id, one.prepared) for one in tellings if isinstance(one.source, FilePiece)]
    paths = {file_id: path_of(connection, file_id) for file_id in {file_id for file_id, _ in pieces}}
    return [item_digest(paths[file_id], prepared.game.raw) for file_id, prepared in pieces]


def mend(connection: Connection, number: int, telling_id: int) -> None:
    """Note that a telling was made of this item by hand.

    It waits no longer, and is recognised if it comes again.
    """
    connection.execute(update(quarantine).where(quarantine.c.id == number).values(telling_id=telling_id))


def holds_any(connection: Connection, digests: Sequence[bytes]) -> bool:
    """Whether one of these items is in quarantine."""
    its = select(quarantine.c.id)
    return any(
        connection.scalar(its.where(quarantine.c.digest.in_(some)).limit(1)) is not None
        for some in chunks(digests)
    )


def is_empty(connection: Connection) -> bool:
    """Whether nothing is in quarantine."""
    return connection.scalar(select(quarantine.c.id).limit(1)) is None


def digests_of(connection: Connection, source: str) -> frozenset[bytes]:
    """The digests of all items of this source."""
    its = select(quarantine.c.digest).where(quarantine.c.source == storable(source))
    return frozenset() if is_empty(connection) else frozenset(connection.scalars(its))


def waiting(connection: Connection) -> list[int]:
    """The ids of all items that wait."""
    its = select(quarantine.c.id).where(quarantine.c.telling_id.is_(None)).order_by(quarantine.c.id)
    return list(connection.scalars(its))


def get(connection: Connection, number: int) -> QuarantineEntry | None:
    """One item, None if there is no such item."""
    row = connection.execute(_ITEMS.where(quarantine.c.id == number)).first()
    return None if row is None else _read(row)


def count(connection: Connection) -> int:
    """How many items wait."""
    waiting = select(func.count()).select_from(quarantine).where(quarantine.c.telling_id.is_(None))
    return connection.scalar(waiting) or 0


def _read(row: Found[*tuple[Any, ...]]) -> QuarantineEntry:
    item = QuarantineItem(
        source=row.source,
        raw=unpack(row.raw, f"game {row.id} in quarantine"),
        reason=row.reason,
        position=row.position,
        account_id=row.account_id,
        file_id=row.file_id,
        site=row.site,
        native_id=row.native_id,
        url=row.url,
        place=row.place,
    )
    seen = (row.first_seen, row.last_seen, row.seen)
    return QuarantineEntry(row.id, item, row.size, *seen, row.telling_id, row.encoding)


_ITEMS: Final = select(*quarantine.c, files.c.encoding).outerjoin(files, files.c.id == quarantine.c.file_id)
