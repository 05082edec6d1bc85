"""Near doubles, for the user to decide."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, case, func, or_, select, tuple_

from core.doubles import DoubleKind
from daemon.archive.games.whereabouts import elsewhere
from daemon.archive.reading import shapes
from daemon.archive.reading.games import games_by_id
from daemon.archive.reading.pages import ListById, page_by_id
from daemon.archive.tables.edits import double_answers, near_doubles
from daemon.archive.tables.main import games

_KIND = "doubles"


def list_doubles(
    connection: Connection,
    *,
    limit: int,
    cursor: str | None = None,
    kind: DoubleKind | None = None,
    total: bool = False,
) -> shapes.Page[shapes.Double]:
    """A page of the pairs that nobody has decided yet, last found first.

    Raises:
        BadCursor: *cursor* is not from this list.
    """
    whole = _open() if kind is None else _open().where(near_doubles.c.kind == kind)
    listed = ListById(_KIND, near_doubles.c.id, whole, partial(_shapes, connection))
    return page_by_id(connection, listed, limit=limit, cursor=cursor, total=total)


def double(connection: Connection, double_id: int) -> shapes.Double | None:
    """The pair with this id, None if there is none that is still undecided."""
    rows = connection.execute(_open().where(near_doubles.c.id == double_id)).all()
    return next(iter(_shapes(connection, rows)), None)


def _open() -> Select[*tuple[Any, ...]]:
    one, other = games.alias("one"), games.alias("other")
    pair = tuple_(near_doubles.c.game_id, near_doubles.c.other_id)
    answered = or_(pair.in_(select(*_ANSWERED)), pair.in_(_answered_elsewhere()))
    # One of them may be gone, or they may be one by now.
    return (
        select(near_doubles)
        .join(one, one.c.id == near_doubles.c.game_id)
        .join(other, other.c.id == near_doubles.c.other_id)
        .where(~answered)
    )


_ANSWERED: Final = (double_answers.c.game_id, double_answers.c.other_id)


def _answered_elsewhere() -> Select[*tuple[Any, ...]]:
    """Answers on games that have since been merged into others: they are answers on these."""
    one, other = elsewhere().alias("one_elsewhere"), elsewhere().alias("other_elsewhere")
    left = func.coalesce(one.c.now, double_answers.c.game_id)
    right = func.coalesce(other.c.now, double_answers.c.other_id)
    return (
        select(case((left < right, left), else_=right), case((left < right, right), else_=left))
        .select_from(double_answers)
        .outerjoin(one, one.c.was == double_answers.c.game_id)
        .outerjoin(other, other.c.was == double_answers.c.other_id)
        .where(or_(one.c.now.is_not(None), other.c.now.is_not(None)))
    )


def _shapes(connection: Connection, rows: Sequence[Row[*tuple[Any, ...]]]) -> list[shapes.Double]:
    ids = list({number for row in rows for number in (row.game_id, row.other_id)})
    found = {one["id"]: one for one in games_by_id(connection, ids)}
    return [
        {
            "id": row.id,
            "kind": row.kind,
            "reason": row.reason,
            "game": found[row.game_id],
            "other": found[row.other_id],
        }
        for row in rows
    ]
