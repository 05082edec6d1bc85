"""Who the players are by new rules: ids for them, one game after another, as if each was taken in now.

Meanwhile, a player whose digest is `_free(id)` has no game yet by the new rules.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, select

from core import names
from core.players import PlayerKey
from daemon.archive.database import new_ids
from daemon.archive.database.bulk import ColumnValues, chunks, insert_rows, pages, update_rows
from daemon.archive.games.cache import KnownIds
from daemon.archive.games.named import Named
from daemon.archive.games.players import note_names, player_row
from daemon.archive.games.words import word_rows
from daemon.archive.tables.main import player_names, player_words, players


@dataclass(frozen=True, slots=True)
class Met:
    """A player as a game names them, and the id that they had in it (None in a game that is new)."""

    named: Named
    old_id: int | None = None


class People:
    """The players that were met so far.

    The first one met with a key keeps their id, if nobody has it yet, and is shown as that game names them
    (names R14).
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._known = KnownIds()
        self._next = new_ids.first_free(connection, players)
        _release(connection)

    def ids(self, met: Iterable[Met]) -> Mapping[PlayerKey, int]:
        """The ids of these players; new ones get theirs in this order."""
        first: dict[PlayerKey, Met] = {}
        for one in met:
            first.setdefault(one.named.key, one)
        digests = {key: key.digest for key in first}
        known = self._known.players
        for some in chunks([value for value in digests.values() if value not in known]):
            found = select(players.c.digest, players.c.id).where(players.c.digest.in_(some))
            known.update((value, number) for value, number in self._connection.execute(found))
        self._settle([one for key, one in first.items() if digests[key] not in known])
        ids = {key: known[value] for key, value in digests.items()}
        self._known.trim()
        return ids

    def _settle(self, new: Sequence[Met]) -> None:
        free = self._unclaimed({one.old_id for one in new if one.old_id is not None})
        kept: list[ColumnValues] = []
        made: list[ColumnValues] = []
        for one in new:
            if one.old_id in free:
                free.remove(one.old_id)
                number, rows = one.old_id, kept
            else:
                number, rows = self._next, made
                self._next += 1
            shown = names.display(one.named.name, online=one.named.online)
            rows.append(player_row(number, one.named, shown))
            self._known.players[one.named.key.digest] = number
        insert_rows(self._connection, players, made)
        update_rows(self._connection, players, kept)

    def _unclaimed(self, ids: set[int]) -> set[int]:
        free: set[int] = set()
        for some in chunks(sorted(ids)):
            found = select(players.c.id, players.c.digest).where(players.c.id.in_(some))
            free.update(
                number for number, digest in self._connection.execute(found) if digest == _free(number)
            )
        return free

    def note_names(self, written: Iterable[tuple[int, str]]) -> None:
        """Store how the names of these players with FIDE ids are written (pairs of player id and name)."""
        note_names(self._connection, self._known, written)
        self._known.trim()

    def finish(self) -> None:
        """Delete the players whom no game names, and store the words of the others."""
        self._drop_unclaimed()
        for page in pages(self._connection, select(players.c.id, players.c.name), players.c.id):
            words = [word for number, shown in page for word in word_rows(number, shown)]
            insert_rows(self._connection, player_words, words)

    def _drop_unclaimed(self) -> None:
        # No words are there yet that could refer to them.
        for page in pages(self._connection, select(players.c.id, players.c.digest), players.c.id):
            unclaimed = [number for number, digest in page if digest == _free(number)]
            for some in chunks(unclaimed):
                self._connection.execute(delete(players).where(players.c.id.in_(some)))
            new_ids.note(self._connection, players, unclaimed)


def _free(player_id: int) -> bytes:
    return player_id.to_bytes(16)


def _release(connection: Connection) -> None:
    connection.execute(delete(player_words))
    connection.execute(delete(player_names))
    for page in pages(connection, select(players.c.id), players.c.id):
        update_rows(connection, players, [{"id": number, "digest": _free(number)} for (number,) in page])
