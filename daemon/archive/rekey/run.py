"""Makes the keys of all players and games again, when the rules of `core` or their data have changed.

The archive becomes what an empty one would become if the same tellings were taken in, in the same order:
games that are now one are merged, with all tellings of both; a telling that is now of another game leaves for
it; a player is shown as their first game names them. A game or player that keeps its key keeps its id, and
ids that are lost stay unused.

All of it is one transaction. Others read the archive as it was until the end, and if the process is killed it
stays so. Interim results are in temporary tables of the database: memory does not grow with the archive.

A game's own row has everything that its key is made of. Only the tellings after its first one are read from
their bytes, since their names may be written otherwise.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Row, Table, func, select

from core import sameness
from core.players import PlayerKey, identify
from daemon.archive.database import new_ids
from daemon.archive.database.bulk import ColumnValues, insert_rows, pages
from daemon.archive.games import texts
from daemon.archive.games.cache import KnownIds, revoke
from daemon.archive.games.changes import StoredGame
from daemon.archive.games.doubles_due import all_due
from daemon.archive.games.game_rows import GameRow, game_of, rows_of
from daemon.archive.games.named import Named, texts_of
from daemon.archive.games.prepared import Prepared
from daemon.archive.games.reread import read_again
from daemon.archive.games.store import game_row
from daemon.archive.rekey.edits import lift
from daemon.archive.rekey.games import Kept, Ledger, meanwhile
from daemon.archive.rekey.members import identify_members
from daemon.archive.rekey.players import Met, People
from daemon.archive.tables.main import games, players, tellings
from daemon.logs import get_logger

log = get_logger(__name__)

_TOGETHER: Final = 500
_TELL_EVERY: Final = 10.0


@dataclass(frozen=True, slots=True)
class Rekeyed:
    """What has become of the archive. *moved* tellings belong to another game than before."""

    tellings: int
    moved: int
    games_before: int
    games: int
    players_before: int
    players: int


def rekey(connection: Connection) -> Rekeyed:
    """Make again all that depends on the rules for names and for games, in a transaction that writes."""
    games_before, players_before = _count(connection, games), _count(connection, players)
    progress = _RekeyProgress(_count(connection, tellings))
    edits = lift(connection)
    with Ledger(connection) as ledger:
        people = People(connection)
        sorter = _Rekeying(connection, ledger, people)
        for page in pages(connection, _TELLINGS, tellings.c.id, _TOGETHER):
            sorter.take(page)
            progress.add(len(page))
        moved = ledger.settle()
    identify_members(connection, people)
    people.finish()
    texts.respell(connection)
    edits.lay(connection)
    all_due(connection)
    revoke(connection)
    return Rekeyed(
        tellings=progress.done,
        moved=moved,
        games_before=games_before,
        games=_count(connection, games),
        players_before=players_before,
        players=_count(connection, players),
    )


def _count(connection: Connection, table: Table) -> int:
    return connection.scalar(select(func.count()).select_from(table)) or 0


class _RekeyProgress:
    """Logs the progress now and then."""

    def __init__(self, total: int) -> None:
        self.done = 0
        self._total = total
        self._logged_at = time.monotonic()

    def add(self, count: int) -> None:
        self.done += count
        if time.monotonic() - self._logged_at >= _TELL_EVERY:
            self._logged_at = time.monotonic()
            log.info("recognising players and games", tellings=self.done, of=self._total)


_all = tellings.alias("all_tellings")

_TELLINGS: Final = select(
    tellings.c.id,
    tellings.c.game_id,
    tellings.c.n,
    tellings.c.fetched_at,
    select(func.min(_all.c.n)).where(_all.c.game_id == tellings.c.game_id).scalar_subquery().label("first_n"),
)
"""Tellings, each with the number of the first one of its game."""

_GameRow = Row[*tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class _Made:
    """A game that comes into being from a row (which stays) or a telling (which gets a row)."""

    kept: Kept
    white: Met
    black: Met
    unedited: Prepared | None = None
    added_at: int = 0


class _Rekeying:
    """Looks at one telling after another, and finds the game that it now belongs to."""

    def __init__(self, connection: Connection, ledger: Ledger, people: People) -> None:
        self._connection = connection
        self._ledger = ledger
        self._people = people
        self._known = KnownIds()
        self._next_game = new_ids.first_free(connection, games)

    def take(self, page: Sequence[_GameRow]) -> None:
        """Sort in these tellings, the next ones in the order of intake."""
        rows = rows_of(self._connection, sorted({row.game_id for row in page}))
        keys = {number: sameness.key(game_of(row)) for number, row in rows.items()}
        again = dict(read_again(self._connection, [row.id for row in page if row.n != row.first_n]))
        found = self._ledger.find(
            {*keys.values(), *(unedited.key for unedited in again.values() if unedited is not None)}
        )
        before = list(found.values())
        made: list[_Made] = []
        moved: list[ColumnValues] = []
        for row in (one for one in page if one.game_id in rows):
            unedited = again.get(row.id)
            key = keys[row.game_id] if unedited is None else unedited.key
            if key not in found:
                goes_on = unedited is None or key == keys[row.game_id]
                new = _going_on(rows[row.game_id], key) if goes_on else self._parted(row, unedited)
                made.append(new)
                found[key] = new.kept
            game = found[key]
            if game.id != row.game_id:
                moved.append({"id": row.id, "game_id": game.id, "n": game.next_n()})
        self._write(made)
        self._ledger.note([one.kept for one in made], before, moved)

    def _parted(self, row: _GameRow, unedited: Prepared | None) -> _Made:
        """A telling becomes a game of its own."""
        assert unedited is not None
        kept = Kept(self._next_game, unedited.key, last_n=0)
        self._next_game += 1
        game = unedited.game
        white = Met(Named(unedited.white, game.white.name, game.online))
        black = Met(Named(unedited.black, game.black.name, game.online))
        return _Made(kept, white, black, unedited, row.fetched_at)

    def _write(self, made: Sequence[_Made]) -> None:
        people = self._people.ids(met for one in made for met in (one.white, one.black))
        for one in made:
            one.kept.white_id, one.kept.black_id = people[one.white.named.key], people[one.black.named.key]
        self._insert_parted(made, people)
        self._people.note_names(
            (people[met.named.key], met.named.name)
            for one in made
            for met in (one.white, one.black)
            if met.named.key.fide_id is not None
        )

    def _insert_parted(self, made: Sequence[_Made], people: Mapping[PlayerKey, int]) -> None:
        parted = [(one, one.unedited) for one in made if one.unedited is not None]
        places = texts.text_ids(
            self._connection, self._known, (item for _, unedited in parted for item in texts_of(unedited))
        )
        self._known.trim()
        rows = [
            game_row(StoredGame(one.kept.id, meanwhile(one.kept.id)), unedited, people, places, one.added_at)
            for one, unedited in parted
        ]
        insert_rows(self._connection, games, rows)


def _going_on(row: GameRow, key: bytes) -> _Made:
    """The row stays as a game with a new key."""
    kept = Kept(row.id, key, row.last_n)
    white = Named(identify(row.white_name, row.white_fide_id), row.white_name, row.online)
    black = Named(identify(row.black_name, row.black_fide_id), row.black_name, row.online)
    return _Made(kept, Met(white, row.white_id), Met(black, row.black_id))
