"""Writes a batch that is decided, with all that follows from the user's edits."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from sqlalchemy import Connection, select

from daemon.archive.database.bulk import chunks, update_rows
from daemon.archive.edits.batch_marks import Marks, first_of, mark, source_key
from daemon.archive.edits.next_telling import retell
from daemon.archive.edits.overlay import Overlays
from daemon.archive.edits.regroup import regroup
from daemon.archive.games import shown_names, source_games
from daemon.archive.games.cache import KnownIds
from daemon.archive.games.changes import Changes, StoredGame, StoredTelling
from daemon.archive.games.reread import read_as
from daemon.archive.games.source_games import SourceGame
from daemon.archive.games.store import store
from daemon.archive.tables.edits import told_players
from daemon.archive.tables.main import players, tellings


def store_batch(connection: Connection, known: KnownIds, changes: Changes, now_ms: int) -> None:
    """Write games and tellings; store the source games of those that are edited, and merge and split them to match."""
    retell(connection, changes)
    marks = mark(connection, changes)
    store(connection, known, changes, now_ms)
    if not marks.marked and not marks.left:
        return
    _keep_sources(connection, marks, now_ms)
    if marks.left or Overlays(connection, marks.met).linked:
        # Of several source games that are one game, another may be the fullest now.
        regroup(connection, known, marks.met, now_ms)
        _look_again(connection, changes)
    else:
        shown_names.settle(connection)


def _keep_sources(connection: Connection, marks: Marks, now_ms: int) -> None:
    """Store what edited games are without edits, in place of what they were before."""
    kept = source_games.load(connection, marks.met)
    orphans = _orphans(connection, marks.left)
    follows = {marks.left[key]: kept[key] for key in orphans if key in kept}
    source_games.save(connection, _new_sources(connection, marks, kept, follows, now_ms))
    _tell_by_next(connection, marks, {key: one for key, one in kept.items() if key in marks.led - orphans})
    _start_last(connection, marks, kept.keys(), follows.keys())
    source_games.drop(connection, orphans)


def _orphans(connection: Connection, left: Iterable[bytes]) -> set[bytes]:
    """Those of these that nothing gives any more."""
    its = select(tellings.c.told_key).where(tellings.c.told_key.in_(list(left)))
    return set(left) - set(connection.scalars(its))


def _new_sources(
    connection: Connection,
    marks: Marks,
    kept: Mapping[bytes, SourceGame],
    follows: Mapping[bytes, SourceGame],
    now_ms: int,
) -> list[SourceGame]:
    """The source games that are new, or whose first telling is of the batch."""
    first: dict[bytes, StoredTelling] = {}
    for telling in marks.marked:
        before = first.setdefault(source_key(telling), telling)
        if telling.n < before.n:
            first[source_key(telling)] = telling
    return [
        _source_game(connection, key, telling, kept.get(key) or follows.get(key), now_ms)
        for key, telling in first.items()
        if key not in kept or _tells_first(connection, key, telling)
    ]


def _tells_first(connection: Connection, key: bytes, telling: StoredTelling) -> bool:
    its = select(tellings.c.id).where(tellings.c.told_key == key, tellings.c.game_id == telling.game.id)
    return connection.scalar(its.order_by(tellings.c.n).limit(1)) == telling.id


def _source_game(
    connection: Connection, key: bytes, telling: StoredTelling, before: SourceGame | None, now_ms: int
) -> SourceGame:
    """What this telling gives, in place of what was given *before*, if anything was."""
    assert telling.prepared is not None
    prepared = telling.prepared.as_given
    new = telling.game.stored_key is None
    return SourceGame(
        key=key,
        game=prepared.game,
        moves=prepared.moves,
        white_id=_player_id(connection, prepared.white.digest),
        black_id=_player_id(connection, prepared.black.digest),
        added_at=now_ms if before is None else before.added_at,
        home_id=before.home_id if before is not None else telling.game.id if new else None,
        last_n=0 if before is None else before.last_n,
    )


def _player_id(connection: Connection, digest: bytes) -> int | None:
    for table in (players, told_players):
        number: int | None = connection.scalar(select(table.c.id).where(table.c.digest == digest))
        if number is not None:
            return number
    return None


def _tell_by_next(connection: Connection, marks: Marks, led: Mapping[bytes, SourceGame]) -> None:
    """The first telling of these has left: what the next one gives counts."""
    batch = {telling.id for telling in marks.marked}
    for key, one in led.items():
        first = first_of(connection, key)
        if first is not None and first not in batch:
            prepared = read_as(connection, first, one.game)
            if prepared is not None and prepared.key == key:
                source_games.save(connection, [replace(one, game=prepared.game)])


def _start_last(
    connection: Connection, marks: Marks, known: Collection[bytes], follows: Collection[bytes]
) -> None:
    """A telling that went to another game comes after those that were there."""
    moved = [telling for key, telling in marks.leavers if key in known or key not in follows]
    rows = [{"id": telling.id, "told_n": None} for telling in moved if telling.told_n is not None]
    update_rows(connection, tellings, rows)


def _look_again(connection: Connection, changes: Changes) -> None:
    """The games of the batch may have become others."""
    its = select(tellings.c.id, tellings.c.game_id, tellings.c.n)
    for some in chunks(list(changes.tellings)):
        for number, game_id, n in connection.execute(its.where(tellings.c.id.in_(some))):
            telling = changes.tellings[number]
            telling.n = n
            if telling.game.id != game_id:
                telling.game = StoredGame(game_id, telling.game.key)
