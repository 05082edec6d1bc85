"""What becomes of games and tellings when all keys are made again: kept in temporary tables, then applied.

Until then the archive's own rows stay as they are, so that what is still to be looked at can be read from
them.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    LargeBinary,
    MetaData,
    Table,
    delete,
    exists,
    or_,
    select,
)

from daemon.archive.database import new_ids
from daemon.archive.database.bulk import ColumnValues, chunks, insert_rows, pages, update_rows
from daemon.archive.games import whereabouts
from daemon.archive.tables.main import games, tellings

_scratch = MetaData()


def _integer(name: str, *, key: bool = False) -> Column[int]:
    return Column(name, BigInteger, primary_key=key, nullable=False, autoincrement=False)


def _temporary(name: str, *columns: Column[Any]) -> Table:
    return Table(name, _scratch, *columns, prefixes=["TEMPORARY"], postgresql_on_commit="DROP")


_kept: Final = _temporary(
    "rekeyed_games",
    _integer("id", key=True),
    Column("key", LargeBinary(16), nullable=False, unique=True),
    _integer("white_id"),
    _integer("black_id"),
    _integer("last_n"),
)
"""Each future game, with the values for its row."""

_moved: Final = _temporary("rekeyed_tellings", _integer("id", key=True), _integer("game_id"), _integer("n"))
"""Tellings that go to another game."""


@dataclass(slots=True, eq=False)
class Kept:
    """A future game.

    Attributes:
        last_n: The highest number of a telling of it.
        stored_n: The same as it was last stored.
    """

    id: int
    key: bytes
    last_n: int
    white_id: int = 0
    black_id: int = 0
    stored_n: int = 0

    def next_n(self) -> int:
        self.last_n += 1
        return self.last_n


class Ledger:
    """Notes which game has which key, and which telling goes where."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __enter__(self) -> Self:
        for table in (_kept, _moved):
            table.create(self._connection)
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        if failed is None:  # else the whole transaction is undone
            for table in (_kept, _moved):
                table.drop(self._connection)

    def find(self, keys: Collection[bytes]) -> dict[bytes, Kept]:
        """The games that have these keys so far."""
        found: dict[bytes, Kept] = {}
        for some in chunks(list(keys)):
            columns = (_kept.c.id, _kept.c.key, _kept.c.last_n)
            for number, key, last_n in self._connection.execute(
                select(*columns).where(_kept.c.key.in_(some))
            ):
                found[key] = Kept(number, key, last_n, stored_n=last_n)
        return found

    def note(self, made: Sequence[Kept], others: Sequence[Kept], moved: Sequence[ColumnValues]) -> None:
        """Note new games, others that may have got tellings, and tellings that move (rows of `_moved`)."""
        rows = [
            {
                "id": game.id,
                "key": game.key,
                "white_id": game.white_id,
                "black_id": game.black_id,
                "last_n": game.last_n,
            }
            for game in made
        ]
        insert_rows(self._connection, _kept, rows)
        grown = [game for game in others if game.last_n != game.stored_n]
        update_rows(self._connection, _kept, [{"id": game.id, "last_n": game.last_n} for game in grown])
        insert_rows(self._connection, _moved, moved)

    def settle(self) -> int:
        """Apply all of it; returns how many tellings have moved.

        A key is freed before another game takes it.
        """
        self._free_keys()
        into = self._successors()
        moved = self._move_tellings()
        self._drop_games()
        self._write_games()
        whereabouts.follow(self._connection, into)
        return moved

    def _successors(self) -> dict[int, int]:
        """The games that will be gone, and where the first telling of each goes."""
        first = tellings.alias("first")
        earlier = exists().where(first.c.game_id == tellings.c.game_id, first.c.n < tellings.c.n)
        lost = ~exists().where(_kept.c.id == tellings.c.game_id)
        its = select(tellings.c.game_id, _moved.c.game_id.label("into"))
        its = its.join(_moved, _moved.c.id == tellings.c.id).where(lost, ~earlier)
        return {row.game_id: row.into for row in self._connection.execute(its)}

    def _free_keys(self) -> None:
        losing = select(games.c.id).join(_kept, _kept.c.id == games.c.id).where(games.c.key != _kept.c.key)
        for page in pages(self._connection, losing, games.c.id):
            update_rows(self._connection, games, [{"id": row.id, "key": meanwhile(row.id)} for row in page])

    def _move_tellings(self) -> int:
        moved = 0
        for page in pages(self._connection, select(_moved), _moved.c.id):
            rows = [{"id": row.id, "game_id": row.game_id, "n": row.n} for row in page]
            update_rows(self._connection, tellings, rows)
            moved += len(rows)
        return moved

    def _drop_games(self) -> None:
        lost = select(games.c.id).where(~exists().where(_kept.c.id == games.c.id))
        for page in pages(self._connection, lost, games.c.id):
            ids = [row.id for row in page]
            self._connection.execute(delete(games).where(games.c.id.in_(ids)))
            new_ids.note(self._connection, games, ids)

    def _write_games(self) -> None:
        values = [column for column in _kept.c if column.name != "id"]
        differs = or_(*(games.c[column.name] != column for column in values))
        changed = select(_kept).join(games, games.c.id == _kept.c.id).where(differs)
        for page in pages(self._connection, changed, _kept.c.id):
            update_rows(self._connection, games, [dict(row._mapping) for row in page])  # noqa: SLF001 - SQLAlchemy's public name for it


def meanwhile(game_id: int) -> bytes:
    """A temporary key that no other game has or gets."""
    return game_id.to_bytes(16)
