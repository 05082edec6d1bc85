"""What is odd about games."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from core.oddities import Odd, Oddity
from daemon.archive.reading import shapes
from daemon.archive.tables.files import oddities
from daemon.archive.tables.main import tellings

_KNOWN = frozenset(Odd)


def oddities_of(connection: Connection, game_ids: Sequence[int]) -> dict[int, list[shapes.Oddity]]:
    """What is odd about each of these games, telling by telling."""
    found: dict[int, list[shapes.Oddity]] = {}
    its = (
        select(tellings.c.game_id, tellings.c.n, oddities.c.code, oddities.c.detail)
        .join(oddities, oddities.c.telling_id == tellings.c.id)
        .where(tellings.c.game_id.in_(game_ids))
        .order_by(tellings.c.n, oddities.c.n)
    )
    for row in connection.execute(its):
        # A code that only a newer program knows has no sentence here.
        if row.code in _KNOWN:
            code = Odd(row.code)
            text = str(Oddity(code, row.detail))
            shape: shapes.Oddity = {"telling": row.n, "code": code.value, "text": text}
            found.setdefault(row.game_id, []).append(shape)
    return found
