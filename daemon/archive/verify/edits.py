"""Checks what is stored of games as their sources give them, if the user has edited them."""

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, exists, select

from core import sameness
from daemon.archive.database.bulk import chunks
from daemon.archive.games import source_games
from daemon.archive.tables.edits import told_games
from daemon.archive.tables.main import tellings
from daemon.archive.verify.findings import Finding

_TOGETHER = 500


def check_source_games(connection: Connection) -> Iterator[int | Finding]:
    """Findings: every edited game must be stored as its source gives it, under its key."""
    keys = [key for (key,) in connection.execute(select(told_games.c.key).order_by(told_games.c.key))]
    for some in chunks(keys, _TOGETHER):
        yield from _kept(connection, some)
    lost = tellings.c.told_key.is_not(None) & ~exists().where(told_games.c.key == tellings.c.told_key)
    for row in connection.execute(select(tellings.c.game_id, tellings.c.n).where(lost)):
        fault = "it is edited, and what it tells without the edit is not kept"
        yield Finding(f"telling {row.n} of game {row.game_id}", fault)
    yield 0


def _kept(connection: Connection, keys: Sequence[bytes]) -> Iterator[Finding]:
    for key, kept in source_games.load(connection, keys).items():
        if sameness.key(kept.game) != key:
            fault = "its source game is kept under another game's key"
            yield Finding(f"edited game {kept.home_id or key.hex()}", fault)
