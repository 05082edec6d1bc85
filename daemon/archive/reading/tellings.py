"""The tellings of games."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from daemon.archive.reading import shapes
from daemon.archive.reading.times import rfc3339
from daemon.archive.tables.files import left_tellings
from daemon.archive.tables.main import accounts, files, telling_accounts, tellings


def tellings_of(connection: Connection, game_ids: Sequence[int]) -> dict[int, list[shapes.Telling]]:
    """The tellings of each of these games, first to last."""
    rows = connection.execute(_TELLINGS.where(tellings.c.game_id.in_(game_ids)).order_by(tellings.c.n)).all()
    led = _accounts(connection, [row.id for row in rows if row.download])
    by_game: dict[int, list[shapes.Telling]] = {}
    for row in rows:
        telling: shapes.Telling = {
            "n": row.n,
            "site": row.site,
            "native_id": row.native_id,
            "url": row.url,
            "accounts": led.get(row.id, []),
            "file": row.path,
            "fetched_at": rfc3339(row.fetched_at),
            "left_at": rfc3339(row.left_at),
        }
        by_game.setdefault(row.game_id, []).append(telling)
    return by_game


def _accounts(connection: Connection, telling_ids: Sequence[int]) -> dict[int, list[str]]:
    """The accounts that led to each of these downloads."""
    led: dict[int, list[str]] = {}
    its = (
        select(telling_accounts.c.telling_id, accounts.c.key)
        .join(accounts, accounts.c.id == telling_accounts.c.account_id)
        .where(telling_accounts.c.telling_id.in_(telling_ids))
        .order_by(accounts.c.id)
    )
    for telling_id, key in connection.execute(its):
        led.setdefault(telling_id, []).append(key)
    return led


_TELLINGS = select(
    tellings.c.id,
    tellings.c.game_id,
    tellings.c.n,
    tellings.c.download,
    tellings.c.site,
    tellings.c.native_id,
    tellings.c.url,
    tellings.c.fetched_at,
    files.c.path,
    left_tellings.c.left_at,
)
_TELLINGS = _TELLINGS.outerjoin(files, files.c.id == tellings.c.file_id).outerjoin(
    left_tellings, left_tellings.c.telling_id == tellings.c.id
)
