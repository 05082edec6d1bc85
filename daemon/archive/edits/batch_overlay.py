"""What a batch becomes with the user's edits, before it is decided what of it is new.

Edits hold for whatever gives the same game later. A source may change its game, and so give another one; the edits of
what it gave before are about that, too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sqlalchemy import Connection, select

from daemon.archive.edits.overlay import Overlays, anything_edited, carry
from daemon.archive.edits.regroup import regroup
from daemon.archive.games import source_games
from daemon.archive.games.cache import KnownIds
from daemon.archive.games.changes import Shelf, StoredTelling
from daemon.archive.games.prepared import Prepared
from daemon.archive.games.telling import Download, FilePiece, Telling, site_ids
from daemon.archive.tables.main import games


def lay_edits(
    connection: Connection, known: KnownIds, batch: Sequence[Telling], now_ms: int
) -> Sequence[Telling]:
    """The batch with the user's edits; unchanged if there are none."""
    if not anything_edited(connection):
        return batch
    _carry(connection, known, batch, now_ms)
    overlays = Overlays(connection, {telling.prepared.key for telling in batch})
    return [replace(telling, prepared=overlays.lay(telling.prepared)) for telling in batch]


def _carry(connection: Connection, known: KnownIds, batch: Sequence[Telling], now_ms: int) -> None:
    """Let the edits of what these tellings gave be about what they give now."""
    changed = {
        before.told_key: prepared.key
        for before, prepared in _known_before(connection, batch)
        if before.told_key is not None and before.told_key != prepared.key
    }
    edited = carry(connection, changed) if changed else set()
    if edited:
        found = select(games.c.id).where(games.c.key.in_(edited))
        source_games.set_apart(connection, list(connection.scalars(found)))
        regroup(connection, known, edited, now_ms)


def _known_before(
    connection: Connection, batch: Sequence[Telling]
) -> Iterator[tuple[StoredTelling, Prepared]]:
    """The stored tellings that the batch gives again: downloads by their ids, games of files by their exact bytes."""
    shelf = Shelf(connection)
    downloads = [one.prepared for one in batch if isinstance(one.source, Download)]
    shelf.load_downloads(site_id for prepared in downloads for site_id in site_ids(prepared.game))
    for prepared in downloads:
        found = (shelf.by_site_id.get(site_id) for site_id in site_ids(prepared.game))
        yield from ((known, prepared) for known in found if known is not None)
    pieces = {
        (one.source.file_id, one.prepared.digest): one.prepared
        for one in batch
        if isinstance(one.source, FilePiece) and not one.prepared.game.raw.isascii()
    }
    shelf.load_pieces(pieces)
    yield from ((known, pieces[piece]) for piece, known in shelf.by_piece.items() if piece in pieces)
