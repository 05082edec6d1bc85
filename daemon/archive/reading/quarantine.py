"""Games that could not be read."""

from typing import Any

from sqlalchemy import Connection, Row, select

from core.pgn.text_positions import Spot, spot
from daemon.archive.errors import Damaged
from daemon.archive.games.packed import unpack
from daemon.archive.reading import shapes
from daemon.archive.reading.pages import ListById, page_by_id
from daemon.archive.reading.times import rfc3339
from daemon.archive.tables.files import left_items
from daemon.archive.tables.main import accounts, files, quarantine

_KIND = "quarantine"


def list_quarantined(
    connection: Connection, *, limit: int, cursor: str | None = None, total: bool = False
) -> shapes.Page[shapes.Quarantined]:
    """A page of the games that wait in quarantine, newest first; those mended by hand are left out.

    Raises:
        BadCursor: *cursor* is not from this list.
    """
    listed = ListById(
        _KIND,
        quarantine.c.id,
        _QUARANTINED.where(quarantine.c.telling_id.is_(None)),
        lambda rows: [_shape(row, _spot(connection, row)) for row in rows],
    )
    return page_by_id(connection, listed, limit=limit, cursor=cursor, total=total)


def quarantined(connection: Connection, item_id: int) -> shapes.Quarantined | None:
    """One game in quarantine, None if there is none with this id."""
    row = connection.execute(_QUARANTINED.where(quarantine.c.id == item_id)).one_or_none()
    return None if row is None else _shape(row, _spot(connection, row))


def raw(connection: Connection, item_id: int) -> bytes | None:
    """The game as it came, None if there is none with this id."""
    packed = connection.scalar(select(quarantine.c.raw).where(quarantine.c.id == item_id))
    return None if packed is None else unpack(packed, f"game {item_id} in quarantine")


def _spot(connection: Connection, row: Row[*tuple[Any, ...]]) -> Spot | None:
    """Line and column of the fault. The bytes are read one game at a time: each may have megabytes."""
    try:
        content = None if row.position is None else raw(connection, row.id)
    except Damaged:
        return None  # `show` tells of it, and `gamekeeper verify`
    return None if content is None else spot(content, row.position)


def _shape(row: Row[*tuple[Any, ...]], place: Spot | None) -> shapes.Quarantined:
    return {
        "id": row.id,
        "source": row.source,
        "account": row.account,
        "file": row.file,
        "site": row.site,
        "native_id": row.native_id,
        "url": row.url,
        "place": row.place,
        "position": row.position,
        "line": None if place is None else place.line,
        "column": None if place is None else place.column,
        "reason": row.reason,
        "size": row.size,
        "first_seen": rfc3339(row.first_seen),
        "last_seen": rfc3339(row.last_seen),
        "seen": row.seen,
        "mended": row.telling_id is not None,
        "left_at": rfc3339(row.left_at),
    }


_QUARANTINED = (
    select(
        *(column for column in quarantine.c if column.name not in {"digest", "raw"}),
        accounts.c.key.label("account"),
        files.c.path.label("file"),
        left_items.c.left_at,
    )
    .outerjoin(accounts, accounts.c.id == quarantine.c.account_id)
    .outerjoin(files, files.c.id == quarantine.c.file_id)
    .outerjoin(left_items, left_items.c.item_id == quarantine.c.id)
)
