"""The rows that a batch may meet, looked up beforehand, a thousand at a time."""

from collections.abc import Sequence

from sqlalchemy import Connection

from daemon.archive.database.new_ids import first_free
from daemon.archive.games.changes import Shelf, StoredGame
from daemon.archive.games.prepared import Prepared
from daemon.archive.tables.main import games, tellings


def shelf_for(
    connection: Connection, downloads: Sequence[Prepared], pieces: Sequence[tuple[int, Prepared]]
) -> Shelf:
    """Everything needed to decide about these downloads and these pieces of files."""
    shelf = Shelf(connection)
    shelf.load_downloads(
        (told.game.source, one)
        for told in downloads
        for one in (told.game.native_id, *told.game.other_ids)
        if told.game.source and one
    )
    shelf.load_pieces((file_id, told.digest) for file_id, told in pieces)
    read_anew = [
        known
        for file_id, told in pieces
        if (known := shelf.by_piece.get((file_id, told.digest))) and known.encoding != told.game.encoding
    ]
    shelf.load_keys(
        told.key for file_id, told in pieces if read_anew or (file_id, told.digest) not in shelf.by_piece
    )
    shelf.load_keys(told.key for told in downloads)
    shelf.load_tellings_of([*_met(shelf, downloads), *(known.game for known in read_anew)])
    return shelf


def _met(shelf: Shelf, downloads: Sequence[Prepared]) -> list[StoredGame]:
    """Games whose other tellings matter.

    A download may leave them, or join them beside another of its site.
    """
    met: dict[int, StoredGame] = {}
    for told in downloads:
        ids = (told.game.native_id, *told.game.other_ids)
        found = [shelf.by_site_id.get((told.game.source or "", one or "")) for one in ids]
        known = [telling for telling in found if telling is not None]
        if known and all(telling.digest == told.digest for telling in known):
            continue
        met.update((telling.game.id, telling.game) for telling in known)
        target = shelf.by_key.get(told.key)
        if target is not None:
            met[target.id] = target
    return list(met.values())


def first_new_ids(connection: Connection) -> tuple[int, int]:
    """The ids of the next new game and of the next new telling; ids of deleted games are not reused."""
    return first_free(connection, games), first_free(connection, tellings)
