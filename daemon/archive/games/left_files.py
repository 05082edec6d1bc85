"""Games that are no longer in their file after it was read again, and the games now at their places.

Nothing is deleted here (`daemon.archive.prune` does that, when the user says so): a telling that has left its
file stays as it is, with a note. It loses the note when it is in the file again.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Row, and_, delete, func, select
from sqlalchemy.sql.elements import ColumnElement

from daemon.archive.database.bulk import chunks, insert_rows, next_id
from daemon.archive.games.doubles_due import due
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
    before = reading.placed.places_before()
    away = set(left)
    noted = select(left_tellings.c.telling_id)
    there = select(tellings.c.id, tellings.c.place).where(_of(file_id), tellings.c.id.not_in(noted))
    rows = [(number, place or 0) for number, place in connection.execute(there)]
    fresh = {number for number, _ in rows if number >= reading.first_new} - away
    old_order = sorted((before.get(number, place), number) for number, place in rows if number not in fresh)
    new_order = sorted((place, number) for number, place in rows if number not in away)
    gone_after = _by_anchor([number for _, number in old_order], away)
    came_after = _by_anchor([number for _, number in new_order], fresh)
    pairs: dict[int, int] = {}
    for anchor, gone in gone_after.items():
        pairs |= _paired(connection, gone, came_after.get(anchor, []))
    return pairs


def _by_anchor(order: Iterable[int], wanted: Collection[int]) -> dict[int | None, list[int]]:
    """The *wanted* ones by the other one that they follow; None for the beginning of the file."""
    found: dict[int | None, list[int]] = {}
    anchor: int | None = None
    for number in order:
        if number in wanted:
            found.setdefault(anchor, []).append(number)
        else:
            anchor = number
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
