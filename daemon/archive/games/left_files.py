"""Games that are no longer in their file after it was read again, and the games now at their places.

Nothing is deleted here (`daemon.archive.prune` does that, when the user says so): a telling that has left its
file stays as it is, with a note. It loses the note when it is in the file again.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Row, and_, delete, func, select
from sqlalchemy.sql.elements import ColumnElement

from daemon.archive.database.bulk import chunks, insert_rows, next_id
from daemon.archive.games.doubles_due import due
from daemon.archive.games.file_order import in_order_of_ids
from daemon.archive.games.file_places import Placed
from daemon.archive.games.files import find_file
from daemon.archive.tables.files import left_items, left_tellings
from daemon.archive.tables.main import IN_FILE, files, games, quarantine, tellings
from daemon.paths import shown

_TOGETHER: Final = 10_000
_LITTLE: Final = 2
_MUCH: Final = 3
_LOOK_AROUND: Final = 50
"""Games at one place of a file among which the one that replaced another is searched for."""


@dataclass(frozen=True, slots=True)
class ImportReading:
    """What an import has met: *placed* tellings, and items of quarantine at *since_ms* or later.

    Tellings from the id *first_new* on came with it.
    """

    placed: Placed
    since_ms: int
    first_new: int


def begin(connection: Connection, now_ms: int) -> ImportReading:
    """Begin before files are read (inside `Archive.writing`)."""
    return ImportReading(Placed(), now_ms, next_id(connection, tellings))


def settle(
    connection: Connection, path: str, parts: Sequence[str], reading: ImportReading, now_ms: int
) -> int:
    """Note what has left the file *path*, which was read whole, in these *parts*.

    Returns how many tellings just did.
    """
    left = 0
    for file_id in _file_ids(connection, path, parts):
        left += _settle_tellings(connection, file_id, reading, now_ms)
        _settle_items(connection, file_id, reading, now_ms)
    return left


def _file_ids(connection: Connection, path: str, parts: Sequence[str]) -> list[int]:
    """The ids of every part that was read, and of those that were in the archive *path* before."""
    found = [find_file(connection, part) for part in parts]
    ids = [one.id for one in found if one is not None]
    if list(parts) != [path]:
        inside = files.c.path.startswith(shown(path) + "/", autoescape=True)
        ids += connection.scalars(select(files.c.id).where(inside)).all()
    return list(dict.fromkeys(ids))


def _settle_tellings(connection: Connection, file_id: int, reading: ImportReading, now_ms: int) -> int:
    by_hand = _by_hand(connection, file_id, reading)
    noted = set(connection.scalars(select(left_tellings.c.telling_id).join(tellings).where(_of(file_id))))
    missed = _missed(connection, file_id, reading.placed) - by_hand
    left = sorted(missed - noted)
    back = sorted(noted - missed)
    for some in chunks(back):
        connection.execute(delete(left_tellings).where(left_tellings.c.telling_id.in_(some)))
    if left:
        replaced = _replaced(connection, file_id, left, reading)
        rows = [
            {"telling_id": number, "left_at": now_ms, "replaced_by": replaced.get(number)} for number in left
        ]
        insert_rows(connection, left_tellings, rows)
        _look_again(connection, [*left, *replaced.values()])
    return len(left)


def _missed(connection: Connection, file_id: int, placed: Placed) -> set[int]:
    """The tellings of the file that were not met. Mostly there are none, and no others between them in the archive."""
    bounds = select(func.count(), func.min(tellings.c.id), func.max(tellings.c.id)).where(_of(file_id))
    count, first, last = connection.execute(bounds).one()
    if not count or (last - first + 1 == count and placed.has_all(first, last + 1)):
        return set()
    ids = connection.scalars(select(tellings.c.id).where(_of(file_id)))
    return {number for some in ids.partitions(_TOGETHER) for number in some if number not in placed}


def _of(file_id: int) -> ColumnElement[bool]:
    return and_(IN_FILE, tellings.c.file_id == file_id)


def _by_hand(connection: Connection, file_id: int, reading: ImportReading) -> set[int]:
    """The tellings made by hand of games that are still there, and still cannot be read, or at the place of one."""
    its = select(tellings.c.id, tellings.c.place).join(quarantine, quarantine.c.telling_id == tellings.c.id)
    seen = its.where(quarantine.c.file_id == file_id, quarantine.c.last_seen >= reading.since_ms)
    found: dict[int, int | None] = {row.id: row.place for row in connection.execute(seen)}
    ids = set(found)
    for some in chunks(list(found.values())):
        at_place = select(tellings.c.id).where(_of(file_id), tellings.c.place.in_(some))
        ids.update(connection.scalars(at_place))
    return ids


def _settle_items(connection: Connection, file_id: int, reading: ImportReading, now_ms: int) -> None:
    """The same for games of the file that could not be read."""
    its = select(quarantine.c.id).where(quarantine.c.file_id == file_id)
    seen = its.where(quarantine.c.last_seen >= reading.since_ms)
    connection.execute(delete(left_items).where(left_items.c.item_id.in_(seen)))
    noted = select(left_items.c.item_id)
    gone = its.where(quarantine.c.last_seen < reading.since_ms, quarantine.c.id.not_in(noted))
    rows = [{"item_id": number, "left_at": now_ms} for number in connection.scalars(gone)]
    insert_rows(connection, left_items, rows)


def _replaced(
    connection: Connection, file_id: int, left: Sequence[int], reading: ImportReading
) -> dict[int, int]:
    """For each telling that has left, the similar new one at its place, if there is one."""
    away, first_new = set(left), reading.first_new
    noted = select(left_tellings.c.telling_id)
    its = select(tellings.c.id, tellings.c.place).where(IN_FILE, tellings.c.id.not_in(noted))
    came = connection.execute(its.where(tellings.c.file_id + 0 == file_id, tellings.c.id >= first_new)).all()
    fresh = Anchors((place or 0, number) for number, place in came if number not in away)
    if not fresh:
        return {}
    before = reading.placed.places_before()
    gone = Anchors()
    for some in chunks(left):
        found = connection.execute(its.where(tellings.c.id.in_(some)))
        gone.add((before(number, place or 0), number) for number, place in found)
    for rows in connection.execute(in_order_of_ids(connection, file_id, its)).partitions(_TOGETHER):
        for number, place in rows:
            if number < first_new and number not in away:
                gone.pass_by(before(number, place or 0), number)
                fresh.pass_by(place or 0, number)
    came_after = fresh.followers()
    pairs: dict[int, int] = {}
    for anchor, some in gone.followers().items():
        pairs |= _paired(connection, some, came_after.get(anchor, []))
    return pairs


class Anchors:
    """Some tellings of a file by their places, and which of all the others each of them follows."""

    def __init__(self, wanted: Iterable[tuple[int, int]] = ()) -> None:
        self._wanted = sorted(wanted)
        self._last: list[tuple[int, int] | None] = [None] * len(self._wanted)

    def __len__(self) -> int:
        """How many these are."""
        return len(self._wanted)

    def add(self, wanted: Iterable[tuple[int, int]]) -> None:
        """Add some, before any others pass by: their places and ids."""
        self._wanted = sorted((*self._wanted, *wanted))
        self._last = [None] * len(self._wanted)

    def pass_by(self, place: int, number: int) -> None:
        """Look at another one, in any order."""
        other = place, number
        at = bisect_right(self._wanted, other)
        if at < len(self._wanted):
            last = self._last[at]
            if last is None or other > last:
                self._last[at] = other

    def followers(self) -> dict[int | None, list[int]]:
        """Their ids by that of the one that they follow; None for the beginning of the file."""
        found: dict[int | None, list[int]] = {}
        anchor: int | None = None
        for (_, number), last in zip(self._wanted, self._last, strict=True):
            anchor = anchor if last is None else last[1]
            found.setdefault(anchor, []).append(number)
        return found


def _paired(connection: Connection, gone: Sequence[int], came: Sequence[int]) -> dict[int, int]:
    """For each of the games that are gone, the most similar one at its place, if any is similar."""
    facts = _facts(connection, [*gone, *came])
    enough = _LITTLE if len(gone) == len(came) else _MUCH
    likeness = [
        (-alike, at, number, other)
        for at, number in enumerate(gone)
        for other in came[max(0, at - _LOOK_AROUND) : at + _LOOK_AROUND]
        if (alike := _alike(facts[number], facts[other])) >= enough
    ]
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, number, other in sorted(likeness):
        if number not in pairs and other not in taken:
            pairs[number] = other
            taken.add(other)
    return pairs


_StoredFacts = Row[*tuple[Any, ...]]
"""A telling, with what its game's row says of White, Black, the date and the moves."""


def _facts(connection: Connection, telling_ids: Sequence[int]) -> Mapping[int, _StoredFacts]:
    found: dict[int, _StoredFacts] = {}
    its = select(tellings.c.id, games.c.white_id, games.c.black_id, games.c.date, games.c.moves).join(games)
    for some in chunks(telling_ids):
        found.update((row.id, row) for row in connection.execute(its.where(tellings.c.id.in_(some))))
    return found


def _alike(one: _StoredFacts, other: _StoredFacts) -> int:
    """In how many things two games agree: White, Black, the date, and their moves.

    Equal moves count twice, moves of which one is the beginning of the other once.
    """
    moves, others = sorted((one.moves, other.moves), key=len)
    same = 2 if moves == others else int(others.startswith(moves) and bool(moves))
    alike: tuple[bool, ...] = (
        one.white_id == other.white_id,
        one.black_id == other.black_id,
        one.date == other.date,
    )
    return same + sum(alike)


def _look_again(connection: Connection, telling_ids: Sequence[int]) -> None:
    """Queue replaced games and those that replaced them, which may be near doubles now."""
    for some in chunks(telling_ids):
        due(connection, connection.scalars(select(tellings.c.game_id).where(tellings.c.id.in_(some))))
