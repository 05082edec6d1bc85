"""What the user has edited."""

from typing import Any

from sqlalchemy import Connection, Row, select

from daemon.archive.reading import shapes
from daemon.archive.reading.pages import ListById, page_by_id
from daemon.archive.reading.times import rfc3339
from daemon.archive.tables.edits import edits

_KIND = "edits"


def list_edits(
    connection: Connection, *, limit: int, cursor: str | None = None, total: bool = False
) -> shapes.Page[shapes.Edit]:
    """A page of the edits, newest first, including those that are undone.

    Raises:
        BadCursor: *cursor* is not from this list.
    """
    listed = ListById(_KIND, edits.c.id, select(edits), lambda rows: [_shape(row) for row in rows])
    return page_by_id(connection, listed, limit=limit, cursor=cursor, total=total)


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
