"""Notes which source game each telling of a batch gives, if the game that it is in was edited."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlalchemy import Connection, select

from daemon.archive.database.bulk import chunks
from daemon.archive.edits.overlay import anything_edited
from daemon.archive.games import source_games, source_names
from daemon.archive.games.changes import Changes, StoredGame, StoredTelling
from daemon.archive.tables.main import tellings


@dataclass(slots=True)
class Marks:
    """What becomes of the tellings of edited games.

    Attributes:
        marked: the tellings of the batch that are in such games.
        left: the source games that tellings gave before, and those that they give now, by their keys.
        leavers: these tellings, by the keys of what they give now.
        led: the source games among *left* whose first telling has left them.
    """

    marked: list[StoredTelling] = field(default_factory=list)
    left: dict[bytes, bytes] = field(default_factory=dict)
    leavers: list[tuple[bytes, StoredTelling]] = field(default_factory=list)
    led: set[bytes] = field(default_factory=set)

    @property
    def met(self) -> set[bytes]:
        """The source games that the batch gives, and those that it has left."""
        return {*map(source_key, self.marked), *self.left}


def mark(connection: Connection, changes: Changes) -> Marks:
    """Note on the tellings of edited games what they give, before they are stored. No marks if nothing is edited."""
    marks = Marks()
    if not anything_edited(connection):
        return marks
    touched = [telling for telling in changes.tellings.values() if telling.prepared is not None]
    source_names.note(connection, (one.prepared for one in touched if one.prepared is not None))
    apart = _apart(connection, {telling.game.id for telling in touched})
    for game in {telling.game.id: telling.game for telling in touched}.values():
        its = [telling for telling in touched if telling.game is game]
        edited = game.id in apart or any(_is_edited(telling, game) for telling in its)
        if edited and game.id not in apart:
            _set_apart(connection, game, changes)
        for telling in its:
            _leave(connection, marks, telling)
            telling.told_key = source_key(telling) if edited else None
            telling.told_n = telling.told_n if edited else None
        if edited:
            marks.marked += its
    return marks


def _is_edited(telling: StoredTelling, game: StoredGame) -> bool:
    """Whether edits have changed what this telling gives, or put it into another game."""
    assert telling.prepared is not None
    return telling.prepared.unedited is not None or source_key(telling) != game.key


def source_key(telling: StoredTelling) -> bytes:
    """The key of what this telling of a batch gives, without the edits."""
    assert telling.prepared is not None
    return telling.prepared.as_given.key


def first_of(connection: Connection, key: bytes) -> int | None:
    """The telling that counts for this source game: the first of those that give it."""
    its = select(tellings.c.id).where(tellings.c.told_key == key).order_by(tellings.c.n, tellings.c.id)
    return connection.scalar(its.limit(1))


def _apart(connection: Connection, game_ids: Iterable[int]) -> set[int]:
    """Those of these games whose source games are stored apart."""
    found: set[int] = set()
    for some in chunks(sorted(game_ids)):
        its = select(tellings.c.game_id).distinct()
        its = its.where(tellings.c.game_id.in_(some), tellings.c.told_key.is_not(None))
        found.update(connection.scalars(its))
    return found


def _set_apart(connection: Connection, game: StoredGame, changes: Changes) -> None:
    """A stored game without edits gets a telling that is edited."""
    if game.stored_key is None:
        return
    source_games.set_apart(connection, [game.id])
    for telling in changes.tellings.values():
        if telling.game is game and telling.prepared is None:
            telling.told_key = game.stored_key


def _leave(connection: Connection, marks: Marks, telling: StoredTelling) -> None:
    before, now = telling.told_key, source_key(telling)
    if before is None or before == now:
        return
    marks.left[before] = now
    marks.leavers.append((now, telling))
    if first_of(connection, before) == telling.id:
        marks.led.add(before)
