"""Near doubles: searched for, and decided by the user. Nothing is merged automatically."""

from collections.abc import Sequence
from typing import Final

from core.doubles import DoubleKind
from core.edits import EditError
from daemon.archive.archive import Archive, Connection
from daemon.archive.edits import double_search, rows
from daemon.archive.edits.rows import NewEdit
from daemon.archive.reading import shapes
from daemon.archive.reading.doubles import double, list_doubles
from daemon.archive.reading.pages import all_of
from daemon.edits import double_process
from daemon.threads import Periodic

_IN_BACKGROUND: Final = 100
"""So many games are looked at at once while the API answers; if more wait, in a process of its own."""

_REST: Final = 9.0
"""Where there can be no such process, the thread works a tenth of the time: a page that is asked for meanwhile waits for it."""


def look(archive: Archive) -> int:
    """Look at all games that are new or changed since the last time; returns how many pairs were found."""
    found = 0
    while (some := _look_at_some(archive)) is not None:
        found += some
    return found


def doubles_thread(archive: Archive, address: str | None = None) -> Periodic:
    """A thread that looks for near doubles among new games while the daemon runs, some games at a time.

    *address*: where another process finds the archive, for which it is left where many wait. None: nowhere.
    """

    def look_at_some() -> bool:
        waiting = 0 if archive.lacks_indexes() else _waiting(archive)
        if address is not None and waiting > _IN_BACKGROUND and double_process.can_start():
            double_process.search(address, thread.stop)
            return False
        return waiting > 0 and _look_at_some(archive, _IN_BACKGROUND) is not None

    thread = Periodic(
        "doubles",
        look_at_some,
        failed="the search for near doubles failed; it is tried again",
        rest=_REST,
    )
    return thread


def _waiting(archive: Archive) -> int:
    """How many games are to be looked at, as far as it matters."""
    with archive.reading() as connection:
        return double_search.waiting(connection, _IN_BACKGROUND + 1)


def _look_at_some(archive: Archive, together: int = double_search.TOGETHER) -> int | None:
    """Look at some games that are new or have changed; how many pairs were found, None if there was no such game.

    Nor is there one as long as indexes are missing: each look-up would walk through all games, and keep others from writing.
    """
    if archive.lacks_indexes():
        return None
    with archive.writing() as connection:
        return double_search.look(connection, together)


def same(archive: Archive, double_ids: Sequence[int], *, now_ms: int) -> list[int]:
    """Merge the games of each of these pairs, with all tellings. Returns the numbers of the edits.

    Raises:
        EditError: there is no such pair.
    """
    with archive.writing() as connection:
        pairs = _pairs(connection, double_ids)
        game_keys = rows.source_keys(connection, [number for pair in pairs for number in pair])
        new = [
            NewEdit(
                kind="same",
                game_id=one,
                other_id=other,
                main_key=game_keys[one][0],
                keys=[*game_keys[one], *game_keys[other]],
            )
            for one, other in pairs
        ]
        return list(rows.make(connection, archive.known, new, now_ms)[1])


def different(archive: Archive, double_ids: Sequence[int], *, now_ms: int) -> list[int]:
    """Note that the games of each of these pairs are two. Returns the numbers of the edits.

    Raises:
        EditError: there is no such pair.
    """
    with archive.writing() as connection:
        pairs = _pairs(connection, double_ids)
        new = [NewEdit(kind="different", game_id=one, other_id=other) for one, other in pairs]
        return list(rows.make(connection, archive.known, new, now_ms)[1])


def _pairs(connection: Connection, double_ids: Sequence[int]) -> list[tuple[int, int]]:
    pairs = []
    for number in dict.fromkeys(double_ids):
        found = double(connection, number)
        if found is None:
            raise EditError(f"there is no pair {number} to decide; `gamekeeper doubles` lists them")
        pairs.append((found["game"]["id"], found["other"]["id"]))
    return pairs


def of_kind(archive: Archive, kind: DoubleKind) -> list[shapes.Double]:
    """All undecided pairs of this kind."""
    return list(
        all_of(
            archive,
            lambda connection, size, cursor: list_doubles(connection, limit=size, cursor=cursor, kind=kind),
            None,
        )
    )
