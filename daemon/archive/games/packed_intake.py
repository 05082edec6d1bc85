"""Takes packed games of files into the archive: SQLite reads their records as rows, and Python decides on keys alone.

It stores what `daemon.archive.games.decisions` and `daemon.archive.games.store` would, and leaves to them a run of
which they know more: of a game that is in quarantine, or that was read in another encoding before.
"""

import sys
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, compress
from typing import Final, NamedTuple

from sqlalchemy import Connection, Table

from daemon.archive.database import new_ids, packed_rows
from daemon.archive.database.bulk import update_rows
from daemon.archive.database.indexes import first_by_game
from daemon.archive.database.packed_rows import PackedRows
from daemon.archive.games import oddities, quarantine
from daemon.archive.games.batch_rows import first_new_ids
from daemon.archive.games.cache import KnownIds
from daemon.archive.games.counts import Counts
from daemon.archive.games.doubles_due import last_looked_at
from daemon.archive.games.file_places import Placed
from daemon.archive.games.files import path_of
from daemon.archive.games.packed_games import REFERENCES, PackedRun
from daemon.archive.games.packed_ids import PackedIds
from daemon.archive.games.packed_places import PackedPlaces
from daemon.archive.tables.main import games, tellings

_KEY: Final = 16
"""Bytes of a key, and of a digest."""


def is_possible(dialect: str) -> bool:
    """Whether an archive in such a database can take packed games, here."""
    return dialect == "sqlite" and sys.byteorder == "little" and packed_rows.available()


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedTellings:
    """Packed games of one file.

    Attributes:
        places: What *run* refers to.
        offsets: Where each game begins in the file.
        encoding: What the user named for it.
        raws: Gives the bytes of each.
    """

    run: PackedRun
    places: PackedPlaces
    file_id: int
    offsets: list[int]
    encoding: str | None
    raws: Callable[[], Iterable[bytes]]


class _FileTelling(NamedTuple):
    """A telling of the file that is stored already."""

    id: int
    place: int | None
    encoding: str | None


@dataclass(slots=True)
class _MetGame:
    """A game that a run has met: its number of tellings, and where it is in the run if it is new."""

    id: int
    last_n: int
    index: int | None = None


@dataclass(slots=True)
class _Decided:
    """What becomes of the games of a run, by their indexes.

    Attributes:
        games: The id of a game that is new, else 0.
        last_ns: The number of its tellings.
        tellings: The id of a telling that is new, else 0.
        homes: The game that it is a telling of.
        ns: Its number there.
        grown: Stored games that get a telling, by their ids.
        known: What tells the same as a telling that there is: its index, and that telling.
    """

    games: "array[int]"
    last_ns: "array[int]"
    tellings: "array[int]"
    homes: "array[int]"
    ns: "array[int]"
    grown: dict[int, _MetGame] = field(default_factory=dict)
    known: list[tuple[int, _FileTelling]] = field(default_factory=list)

    @classmethod
    def nothing(cls, count: int) -> "_Decided":
        """Of so many games nothing is decided."""
        games, last_ns, tellings, homes, ns = (array("q", bytes(8 * count)) for _ in range(5))
        return cls(games, last_ns, tellings, homes, ns)


class PackedIntake:
    """Takes in one run after another, in one transaction and without anything else between them."""

    def __init__(self, connection: Connection, known: KnownIds, placed: Placed, now_ms: int) -> None:
        packed_rows.load(connection)
        self._connection = connection
        self._known = known
        self._placed = placed
        self._now_ms = now_ms
        self._next_game, self._next_telling = first_new_ids(connection)
        self._ids = PackedIds(connection, known)
        self._quarantine = not quarantine.is_empty(connection)
        self._first_by_game = first_by_game(connection)
        self._counts = dict.fromkeys(("read", "new", "added", "unchanged"), 0)

    def take(self, given: PackedTellings) -> bool:
        """Store them; False if they have to go the ordinary way, and nothing is stored."""
        if self._quarantine and self._are_in_quarantine(given):
            return False
        decided = self._decide(given)
        if decided is None:
            return False
        self._find_places(given, decided)
        self._insert(given, decided)
        self._update(given, decided)
        self._count(given, decided)
        return True

    def end(self) -> Counts:
        """To be called after the last run, before anything else is stored; returns what became of all runs."""
        new_ids.note(self._connection, tellings, [self._next_telling - 1])
        self._known.trim()
        return Counts(**self._counts)

    def _are_in_quarantine(self, given: PackedTellings) -> bool:
        path = path_of(self._connection, given.file_id)
        digests = [quarantine.item_digest(path, raw) for raw in given.raws()]
        return quarantine.holds_any(self._connection, digests)

    def _decide(self, given: PackedTellings) -> _Decided | None:
        run = given.run
        keys = _cut(run.keys)
        found = self._connection.exec_driver_sql(_FIND_GAMES, (run.records,)).all()
        if found or len(set(keys)) < run.count:
            stored = {keys[index]: _MetGame(number, last_n) for index, number, last_n in found}
            known = self._stored_tellings(given, {index: number for index, number, _ in found})
            if known and {given.encoding, *(one.encoding for one in known.values())} != {None}:
                return None
            return self._decide_each(given, keys, stored, known)
        ones = array("q", [1]) * run.count
        ids = array("q", range(self._next_telling, self._next_telling + run.count))
        new = array("q", range(self._next_game, self._next_game + run.count))
        self._next_game += run.count
        self._next_telling += run.count
        return _Decided(new, ones, ids, new, ones)

    def _stored_tellings(self, given: PackedTellings, stored: dict[int, int]) -> dict[bytes, _FileTelling]:
        """The stored tellings of the file among these, by their digests. *stored*: indexes in the run, with their games."""
        if not stored:
            return {}
        its = array("q", bytes(8 * given.run.count))
        for index, number in stored.items():
            its[index] = number
        by_game = self._first_by_game is not None and given.file_id >= self._first_by_game
        asked = (given.run.records, its, given.file_id)
        found = self._connection.exec_driver_sql(_FIND_BY_GAME if by_game else _FIND_TELLINGS, asked)
        return {digest: _FileTelling(*values) for digest, *values in found}

    def _decide_each(
        self,
        given: PackedTellings,
        keys: list[bytes],
        met: dict[bytes, _MetGame],
        of_file: dict[bytes, _FileTelling],
    ) -> _Decided:
        decided = _Decided.nothing(given.run.count)
        for index, (key, digest) in enumerate(zip(keys, _cut(given.run.digests), strict=True)):
            before = of_file.get(digest)
            if before is not None:
                decided.known.append((index, before))
                continue
            game = met.get(key)
            if game is None:
                game = met[key] = _MetGame(self._next_game, 0, index)
                decided.games[index] = game.id
                self._next_game += 1
            elif game.index is None:
                decided.grown[game.id] = game
            game.last_n += 1
            if game.index is not None:
                decided.last_ns[game.index] = game.last_n
            decided.tellings[index] = self._next_telling
            decided.homes[index] = game.id
            decided.ns[index] = game.last_n
            of_file[digest] = _FileTelling(self._next_telling, given.offsets[index], None)
            self._next_telling += 1
        return decided

    def _find_places(self, given: PackedTellings, decided: _Decided) -> None:
        """Find the ids of the players and texts of new games, or make them."""
        places, references = given.places, array("I", given.run.references)
        places.keep_for(self._known.forgotten)
        columns = [references[column::REFERENCES] for column in range(REFERENCES)]
        self._ids.find_players(places, _of_new(columns[:2], decided))
        self._ids.find_texts(places, _of_new(columns[2:], decided))

    def _insert(self, given: PackedTellings, decided: _Decided) -> None:
        records, places = given.run.records, given.places
        if any(decided.games):
            numbers, maps = (decided.games, decided.last_ns), (places.player_ids, places.text_ids)
            rows = PackedRows(records, numbers, maps)
            packed_rows.insert(self._connection, _INSERT_GAMES, rows, [self._now_ms])
        if any(decided.tellings):
            rows = PackedRows(
                records, (decided.tellings, decided.homes, decided.ns, array("q", given.offsets))
            )
            packed_rows.insert(self._connection, _INSERT_TELLINGS, rows, [self._now_ms, given.file_id])

    def _update(self, given: PackedTellings, decided: _Decided) -> None:
        """What else the games of the run change."""
        grown = [{"id": game.id, "last_n": game.last_n} for game in decided.grown.values()]
        update_rows(self._connection, games, grown)
        if decided.grown:
            stored = array("q", [number if number in decided.grown else 0 for number in decided.homes])
            asked = (given.run.records, stored, last_looked_at(self._connection))
            self._connection.exec_driver_sql(_LOOK_AGAIN, asked)
        self._place(given, decided)
        self._note_oddities(given, decided)

    def _place(self, given: PackedTellings, decided: _Decided) -> None:
        self._placed.add_all(array("q", filter(None, decided.tellings)))
        moved = []
        for index, telling in decided.known:
            at = given.offsets[index]
            if self._placed.add(telling.id) and telling.place != at:
                self._placed.moved(telling.id, telling.place)
                moved.append({"id": telling.id, "place": at})
        update_rows(self._connection, tellings, moved)

    def _note_oddities(self, given: PackedTellings, decided: _Decided) -> None:
        if given.run.oddities:
            known = dict(decided.known)
            odd = [
                oddities.OddTelling(known[index].id, found, stale=True)
                if index in known
                else oddities.OddTelling(decided.tellings[index], found)
                for index, found in given.run.oddities
            ]
            oddities.note(self._connection, odd)

    def _count(self, given: PackedTellings, decided: _Decided) -> None:
        count, unchanged = given.run.count, len(decided.known)
        new = count - decided.games.count(0)
        self._counts["read"] += count
        self._counts["new"] += new
        self._counts["added"] += count - unchanged - new
        self._counts["unchanged"] += unchanged


def _cut(values: bytes) -> list[bytes]:
    """Keys or digests, one by one."""
    return [values[at : at + _KEY] for at in range(0, len(values), _KEY)]


def _of_new(columns: list["array[int]"], decided: _Decided) -> Iterator[int]:
    """The places in these columns of the games that are new, game by game."""
    return chain.from_iterable(compress(zip(*columns, strict=True), decided.games))


_RECORD: Final = (
    *("key", "digest", "white_id", "white_name", "white_title", "white_team_id"),
    *("black_id", "black_name", "black_title", "black_team_id", "white_rating", "black_rating"),
    *("date", "result", "variant", "start", "start_fen", "moves", "ply_count", "event_id", "site_id"),
    *("site_tail", "round", "eco", "opening_id", "time_control", "time_class", "termination", "annotator"),
    *("started_at", "online", "derived_eco", "derived_opening_id"),
    *("site", "native_id", "url", "pgn", "has_comments", "encoding"),
)
"""The columns of a record, of the game and then of its telling (`daemon.archive.games.packed_columns.all_columns`)."""
_IN_RECORD: Final = {name: f":c{number}" for number, name in enumerate(_RECORD)}
_OF_GAME: Final = _IN_RECORD | {"id": ":a0", "added_at": ":p0", "last_n": ":a1"}
_OF_TELLING: Final = _IN_RECORD | {
    "id": ":a0",
    "game_id": ":a1",
    "n": ":a2",
    "place": ":a3",
    "download": "0",
    "file_id": ":p1",
    "fetched_at": ":p0",
    "told_key": "NULL",
    "told_n": "NULL",
}


def _insert_into(table: Table, values: dict[str, str]) -> str:
    names = [column.name for column in table.columns]
    read = ", ".join(values[name] for name in names)
    return f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({read})"  # noqa: S608 - names of ours


_INSERT_GAMES: Final = _insert_into(games, _OF_GAME)
_INSERT_TELLINGS: Final = _insert_into(tellings, _OF_TELLING)
_FIND_GAMES: Final = "SELECT packed.number, games.id, games.last_n FROM packed_rows(?) AS packed CROSS JOIN games ON games.key = packed.c0"
_FIND_TELLINGS: Final = (
    "SELECT tellings.digest, tellings.id, tellings.place, tellings.encoding FROM packed_rows(?, ?) AS packed "
    "CROSS JOIN tellings ON tellings.file_id = ? AND tellings.digest = packed.c1 WHERE NOT download"
)
_FIND_BY_GAME: Final = (
    "SELECT tellings.digest, tellings.id, tellings.place, tellings.encoding FROM packed_rows(?, ?) AS packed "
    "CROSS JOIN tellings ON tellings.game_id = packed.a0 AND tellings.file_id = ? AND tellings.digest = packed.c1 "
    "WHERE NOT download"
)
"""The same without the index of files and digests."""
_LOOK_AGAIN: Final = "INSERT OR IGNORE INTO doubles_due (game_id) SELECT a0 FROM packed_rows(?, ?) WHERE c33 IS NOT NULL AND a0 <= ?"
