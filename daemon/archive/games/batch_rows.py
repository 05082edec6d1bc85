"""The rows that a batch may meet, looked up beforehand, a thousand at a time."""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection

from daemon.archive.database.indexes import first_by_game
from daemon.archive.database.new_ids import first_free
from daemon.archive.games.changes import Shelf, StoredGame
from daemon.archive.games.prepared import Prepared
from daemon.archive.games.telling import Download, FilePiece, Telling, site_ids
from daemon.archive.tables.main import games, tellings


def shelf_for(connection: Connection, batch: Sequence[Telling]) -> Shelf:
    """Everything needed to decide about these tellings."""
    downloads = [one.prepared for one in batch if isinstance(one.source, Download)]
    pieces = [(one.source.file_id, one.prepared) for one in batch if isinstance(one.source, FilePiece)]
    shelf = Shelf(connection)
    shelf.load_downloads(site_id for prepared in downloads for site_id in site_ids(prepared.game))
    _load_pieces(connection, shelf, pieces)
    recoded = [
        stored
        for file_id, prepared in pieces
        if (stored := shelf.by_piece.get((file_id, prepared.digest)))
        and stored.encoding != prepared.game.encoding
    ]
    shelf.load_keys(
        prepared.key
        for file_id, prepared in pieces
        if recoded or (file_id, prepared.digest) not in shelf.by_piece
    )
    shelf.load_keys(prepared.key for prepared in downloads)
    shelf.load_tellings_of([*_met(shelf, downloads), *(stored.game for stored in recoded)])
    return shelf


def _load_pieces(connection: Connection, shelf: Shelf, pieces: Sequence[tuple[int, Prepared]]) -> None:
    """Find the tellings of files that have the bytes of these, by their index or, without it, by their games."""
    first = first_by_game(connection)
    if first is None or any(file_id < first for file_id, _ in pieces):
        shelf.load_pieces((file_id, prepared.digest) for file_id, prepared in pieces)
    else:
        shelf.load_keys(prepared.key for _, prepared in pieces)
        shelf.load_pieces_by_game()


def _met(shelf: Shelf, downloads: Iterable[Prepared]) -> list[StoredGame]:
    """Games whose other tellings matter.

    A download may leave them, or join them beside another of its site.
    """
    met: dict[int, StoredGame] = {}
    for prepared in downloads:
        found = [shelf.by_site_id.get(site_id) for site_id in site_ids(prepared.game)]
        known = [stored for stored in found if stored is not None]
        if known and all(stored.digest == prepared.digest for stored in known):
            continue
        met.update((stored.game.id, stored.game) for stored in known)
        target = shelf.by_key.get(prepared.key)
        if target is not None:
            met[target.id] = target
    return list(met.values())


def first_new_ids(connection: Connection) -> tuple[int, int]:
    """The ids of the next new game and of the next new telling; ids of deleted games are not reused."""
    return first_free(connection, games), first_free(connection, tellings)
