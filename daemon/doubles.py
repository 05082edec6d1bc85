"""Near doubles: looked for, and answered by the user. Nothing becomes one game by itself."""

from collections.abc import Sequence

from core.doubles import Kind
from core.editing import EditError
from daemon.archive import doubles, editing
from daemon.archive.archive import Archive, Transaction
from daemon.archive.editing import NewEdit
from daemon.archive.reading import shapes
from daemon.archive.reading.doubles import double, list_doubles
from daemon.archive.reading.walking import all_of


def look(archive: Archive) -> int:
    """Look at all games that are new or have changed since the last time; how many pairs were found."""
    found = 0
    while True:
        with archive.writing() as conn:
            some = doubles.look(conn)
        if some is None:
            return found
        found += some


def same(archive: Archive, double_ids: Sequence[int], *, now_ms: int) -> list[int]:
    """The games of each of these pairs are one: let them be, with all tellings. Returns the numbers of the edits.

    Raises:
        EditError: there is no such pair.
    """
    with archive.writing() as conn:
        pairs = _pairs(conn, double_ids)
        told = editing.told_keys(conn, [number for pair in pairs for number in pair])
        new = [
            NewEdit(
                kind="same",
                game_id=one,
                other_id=other,
                main_key=told[one][0],
                keys=[*told[one], *told[other]],
            )
            for one, other in pairs
        ]
        return list(editing.make(conn, archive.known, new, now_ms)[1])


def different(archive: Archive, double_ids: Sequence[int], *, now_ms: int) -> list[int]:
    """The games of each of these pairs are two: ask no more. Returns the numbers of the edits.

    Raises:
        EditError: there is no such pair.
    """
    with archive.writing() as conn:
        pairs = _pairs(conn, double_ids)
        new = [NewEdit(kind="different", game_id=one, other_id=other) for one, other in pairs]
        return list(editing.make(conn, archive.known, new, now_ms)[1])


def _pairs(conn: Transaction, double_ids: Sequence[int]) -> list[tuple[int, int]]:
    pairs = []
    for number in dict.fromkeys(double_ids):
        found = double(conn, number)
        if found is None:
            raise EditError(f"there is no pair {number} to decide; `gamekeeper doubles` lists them")
        pairs.append((found["game"]["id"], found["other"]["id"]))
    return pairs


def of_kind(archive: Archive, kind: Kind) -> list[shapes.Double]:
    """All pairs of this kind that are to be decided."""
    return list(
        all_of(
            archive, lambda conn, size, cursor: list_doubles(conn, limit=size, cursor=cursor, kind=kind), None
        )
    )
