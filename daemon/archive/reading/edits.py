"""What the user has edited."""

from typing import Any

from sqlalchemy import Connection, Row, select

from daemon.archive.reading import cursors, shapes
from daemon.archive.reading.times import rfc3339
from daemon.archive.reading.totals import with_total
from daemon.archive.tables.edits import edits

_KIND = "edits"


def list_edits(
    connection: Connection, *, limit: int, cursor: str | None = None, total: bool = False
) -> shapes.Page[shapes.Edit]:
    """A page of the edits, newest first, including those that are undone.

    Raises:
        BadCursor: *cursor* is not from this list.
    """
    found = select(edits).order_by(edits.c.id.desc()).limit(limit + 1)
    if cursor is not None:
        found = found.where(edits.c.id < cursors.read_id(_KIND, cursor))
    rows = connection.execute(found).all()
    items = [_shape(row) for row in rows[:limit]]
    after = cursors.write(_KIND, items[-1]["id"]) if len(rows) > limit else None
    page: shapes.Page[shapes.Edit] = {"items": items, "next": after}
    return with_total(connection, page, select(edits.c.id)) if total else page


def _shape(row: Row[*tuple[Any, ...]]) -> shapes.Edit:
    return {
        "id": row.id,
        "batch": row.batch,
        "at": rfc3339(row.at),
        "kind": row.kind,
        "game_id": row.game_id,
        "other_id": row.other_id,
        "player_id": row.player_id,
        "field": row.field,
        "before": row.before,
        "after": row.after,
        "undone_at": rfc3339(row.undone_at),
    }
