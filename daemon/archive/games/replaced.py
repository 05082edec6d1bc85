"""Games that have left their file for another one at their place (`daemon.archive.games.left_files`)."""

from collections.abc import Collection

from sqlalchemy import Connection, exists, select

from core.doubles import DoubleReason, replaced
from daemon.archive.database.bulk import chunks
from daemon.archive.tables.files import left_tellings
from daemon.archive.tables.main import files, tellings

Pair = tuple[int, int]
"""The ids of two games, the older first."""

_gone, _now, _other = tellings.alias("gone"), tellings.alias("now"), tellings.alias("other")

_also_left = left_tellings.alias("also_left")

_HAS_OTHERS = exists().where(
    _other.c.game_id == _gone.c.game_id, ~exists().where(_also_left.c.telling_id == _other.c.id)
)
_PAIRS = (
    select(_gone.c.game_id, _now.c.game_id, files.c.path)
    .select_from(left_tellings)
    .join(_gone, _gone.c.id == left_tellings.c.telling_id)
    .join(_now, _now.c.id == left_tellings.c.replaced_by)
    .join(files, files.c.id == _gone.c.file_id)
    .where(_gone.c.game_id != _now.c.game_id, ~_HAS_OTHERS)
)
"""Games whose tellings have all left their files, and the games at their places."""


def replaced_pairs(connection: Connection, game_ids: Collection[int]) -> dict[Pair, DoubleReason]:
    """The pairs that one of these games belongs to."""
    found: dict[Pair, DoubleReason] = {}
    for some in chunks(list(game_ids)):
        for column in (_gone.c.game_id, _now.c.game_id):
            for one, other, path in connection.execute(_PAIRS.where(column.in_(some))):
                found[in_order(one, other)] = replaced(path)
    return found


def in_order(one: int, other: int) -> Pair:
    """The pair of these games."""
    return (one, other) if one < other else (other, one)
