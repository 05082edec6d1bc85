"""Boards that are no longer in their round (chapters in their study) after it was read again.

A round that is set up again has new boards, with new ids; what came from the old ones stays, with a note,
like games that have left their file (`daemon.archive.games.left_files`). Which of the new ones is which old
one is for the user to say: a mini-match has two games of the same players.
"""

from collections.abc import Collection, Iterable, Mapping

from sqlalchemy import Connection, delete, exists, select

from core.doubles import DoubleReason, withdrawn
from core.sites import BOARDS_OF_KIND
from daemon.archive.database.bulk import chunks, insert_rows
from daemon.archive.games.doubles_due import due
from daemon.archive.games.replaced import Pair, in_order
from daemon.archive.tables.files import left_items, left_tellings
from daemon.archive.tables.main import accounts, games, players, quarantine, telling_accounts, tellings


def settle(
    connection: Connection, account_id: int, wholes: Mapping[str, Collection[str]], now_ms: int
) -> None:
    """Note what is withdrawn from these parts (``broadcast/ROUND``) of an event, which were read whole."""
    its = (
        select(tellings.c.id, tellings.c.native_id, tellings.c.game_id, left_tellings.c.telling_id)
        .join(telling_accounts, telling_accounts.c.telling_id == tellings.c.id)
        .outerjoin(left_tellings, left_tellings.c.telling_id == tellings.c.id)
        .where(telling_accounts.c.account_id == account_id)
    )
    boards = [row for row in connection.execute(its) if _part(row.native_id) in wholes]
    there = {row.id for row in boards if row.native_id in wholes[_part(row.native_id)]}
    gone = [row for row in boards if row.id not in there and row.telling_id is None]
    back = [row for row in boards if row.id in there and row.telling_id is not None]
    for some in chunks([row.id for row in back]):
        connection.execute(delete(left_tellings).where(left_tellings.c.telling_id.in_(some)))
    rows = [{"telling_id": row.id, "left_at": now_ms, "replaced_by": None} for row in gone]
    insert_rows(connection, left_tellings, rows)
    due(connection, {row.game_id for row in (*gone, *back)})
    _settle_items(connection, account_id, wholes, now_ms)


def _settle_items(
    connection: Connection, account_id: int, wholes: Mapping[str, Collection[str]], now_ms: int
) -> None:
    """The same for boards that could not be read."""
    its = (
        select(quarantine.c.id, quarantine.c.native_id, left_items.c.item_id)
        .outerjoin(left_items, left_items.c.item_id == quarantine.c.id)
        .where(quarantine.c.account_id == account_id, quarantine.c.native_id.is_not(None))
    )
    rows = [row for row in connection.execute(its) if _part(row.native_id) in wholes]
    there = {row.id for row in rows if row.native_id in wholes[_part(row.native_id)]}
    for some in chunks([row.id for row in rows if row.id in there and row.item_id is not None]):
        connection.execute(delete(left_items).where(left_items.c.item_id.in_(some)))
    gone = [row.id for row in rows if row.id not in there and row.item_id is None]
    insert_rows(connection, left_items, [{"item_id": number, "left_at": now_ms} for number in gone])


def _part(native_id: str | None) -> str:
    return (native_id or "").rpartition("/")[0]


_gone, _now = tellings.alias("withdrawn"), tellings.alias("now")
_by, _by_now = telling_accounts.alias("by"), telling_accounts.alias("by_now")
_game, _game_now = games.alias("game"), games.alias("game_now")
_left, _left_now = left_tellings.alias("left"), left_tellings.alias("left_now")
_other, _other_left = tellings.alias("other"), left_tellings.alias("other_left")
_HAS_OTHERS = exists().where(
    _other.c.game_id == _gone.c.game_id, ~exists().where(_other_left.c.telling_id == _other.c.id)
)
_PAIRS = (
    select(_gone.c.game_id, _now.c.game_id, _gone.c.native_id, _now.c.native_id, accounts.c.kind)
    .select_from(_gone)
    .join(_left, _left.c.telling_id == _gone.c.id)
    .join(_by, _by.c.telling_id == _gone.c.id)
    .join(accounts, accounts.c.id == _by.c.account_id)
    .join(_game, _game.c.id == _gone.c.game_id)
    .join(_game_now, (_game_now.c.white_id == _game.c.white_id) & (_game_now.c.black_id == _game.c.black_id))
    .join(_now, _now.c.game_id == _game_now.c.id)
    .join(_by_now, (_by_now.c.telling_id == _now.c.id) & (_by_now.c.account_id == _by.c.account_id))
    .outerjoin(_left_now, _left_now.c.telling_id == _now.c.id)
    .join(players, players.c.id == _game.c.white_id)
    .where(
        accounts.c.kind.in_(BOARDS_OF_KIND),
        _left_now.c.telling_id.is_(None),
        _game.c.id != _game_now.c.id,
        players.c.kind != "unknown",
        ~_HAS_OTHERS,
    )
)
"""Games that only withdrawn boards give, and games of the same players that the same event still has."""


def withdrawn_pairs(connection: Connection, game_ids: Collection[int]) -> dict[Pair, DoubleReason]:
    """The pairs that one of these games belongs to: both boards were, or are, in one round or study."""
    found: dict[Pair, DoubleReason] = {}
    for some in chunks(list(game_ids)):
        for column in (_gone.c.game_id, _now.c.game_id):
            found |= _in_one_part(connection.execute(_PAIRS.where(column.in_(some))))
    return found


def _in_one_part(rows: Iterable[tuple[int, int, str, str, str]]) -> dict[Pair, DoubleReason]:
    return {
        in_order(one, other): withdrawn(kind)
        for one, other, gone, now, kind in rows
        if _part(gone) == _part(now)
    }
