"""The user's edits while all keys are made again: removed before, applied again afterwards.

In between the archive is as its sources give it, so that the new rules see what the sources say.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, exists, select

from core.players import identify
from daemon.archive.database.bulk import chunks, insert_rows
from daemon.archive.edits import overlay
from daemon.archive.edits.regroup import regroup
from daemon.archive.games import shown_names, source_games
from daemon.archive.games.cache import KnownIds
from daemon.archive.tables.edits import edit_keys, edits, told_games, told_players
from daemon.archive.tables.main import games, players, tellings

_MEANWHILE = -1
"""`undone_at` of an edit that is removed for now."""


@dataclass(frozen=True, slots=True)
class Lifted:
    """Removed edits: each with a telling that it is about; *main*.

    Of the game that the others are merged into.
    """

    of: Sequence[tuple[int, int, bool]]

    def lay(self, connection: Connection) -> None:
        """Apply them again, by the new keys."""
        its_game = self._games(connection)
        connection.execute(delete(edit_keys))
        pairs = {(its_game[telling_id].key, edit_id): None for edit_id, telling_id, _ in self.of}
        overlay.attach(connection, list(pairs))
        for edit_id, telling_id, main in self.of:
            if main:
                _set(connection, edit_id, main_key=its_game[telling_id].key)
        renamed = _rename(connection)
        connection.execute(edits.update().where(edits.c.undone_at == _MEANWHILE).values(undone_at=None))
        source_games.set_apart(connection, sorted({row.id for row in its_game.values()}))
        shown_names.show_anew(connection, renamed)
        if pairs:
            regroup(connection, KnownIds(), {key for key, _ in pairs}, now_ms=0)

    def _games(self, connection: Connection) -> dict[int, Row[*tuple[Any, ...]]]:
        """The game of each telling."""
        found: dict[int, Row[*tuple[Any, ...]]] = {}
        its = select(tellings.c.id.label("telling_id"), games.c.id, games.c.key)
        its = its.join(games, games.c.id == tellings.c.game_id)
        for some in chunks(sorted({telling_id for _, telling_id, _ in self.of})):
            for row in connection.execute(its.where(tellings.c.id.in_(some))):
                found[row.telling_id] = row
        return found


def lift(connection: Connection) -> Lifted:
    """Remove all edits: games are as their sources give them, and every player whom these name exists."""
    about = (
        select(edit_keys.c.edit_id, tellings.c.id, edits.c.main_key, tellings.c.told_key)
        .join(edits, edits.c.id == edit_keys.c.edit_id)
        .join(tellings, tellings.c.told_key == edit_keys.c.key)
        .where(edits.c.undone_at.is_(None))
        .order_by(edit_keys.c.edit_id, tellings.c.id)
    )
    found = [
        (row.edit_id, row.id, row.main_key is not None and row.main_key == row.told_key)
        for row in connection.execute(about)
    ]
    connection.execute(edits.update().where(edits.c.undone_at.is_(None)).values(undone_at=_MEANWHILE))
    _bring_back(connection)
    keys = set(connection.scalars(select(told_games.c.key)))
    if keys:
        regroup(connection, _who_they_were(connection, keys), keys, now_ms=0)
    connection.execute(delete(told_players))  # they are shown again, as their first games name them
    return Lifted(found)


def _bring_back(connection: Connection) -> None:
    """Bring back players who exist only when nothing is edited: the new rules will say who they are."""
    gone = select(told_players).where(~exists().where(players.c.id == told_players.c.id))
    unknown = {"key": "", "kind": "", "folded": "", "fide_id": None}
    rows = [
        {"id": row.id, "digest": row.digest, "name": row.name, "verbatim": row.verbatim, **unknown}
        for row in connection.execute(gone)
    ]
    insert_rows(connection, players, rows)


def _who_they_were(connection: Connection, keys: set[bytes]) -> KnownIds:
    """The ids of the players whom these games name, as they can no longer be found by keys of old rules."""
    known = KnownIds(most=2 * len(keys) + 1)
    for one in source_games.load(connection, keys).values():
        prepared = one.prepared()
        for key, number in ((prepared.white, one.white_id), (prepared.black, one.black_id)):
            if number is not None:
                known.players[key.digest] = number
    return known


def _rename(connection: Connection) -> set[bytes]:
    """Let the edits that rename be about the players whom the names mean by the new rules."""
    renamed: set[bytes] = set()
    for row in connection.execute(select(edits).where(edits.c.renames.is_not(None))).all():
        digest = identify(row.after, row.fide_id).digest
        _set(connection, row.id, renames=digest)
        renamed.add(digest)
    return renamed


def _set(connection: Connection, edit_id: int, **values: bytes) -> None:
    connection.execute(edits.update().where(edits.c.id == edit_id).values(values))
