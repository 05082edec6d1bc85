"""Near doubles: looked for, and answered by the user. Nothing becomes one game by itself."""

import time
from collections.abc import Sequence
from threading import Event
from typing import Final

import structlog

from core.doubles import Kind
from core.edits import EditError
from daemon.archive.archive import Archive, Connection
from daemon.archive.edits import doubles, rows
from daemon.archive.edits.rows import NewEdit
from daemon.archive.errors import ArchiveError
from daemon.archive.reading import shapes
from daemon.archive.reading.doubles import double, list_doubles
from daemon.archive.reading.pages import all_of
from daemon.threads import KeptThread

log = structlog.get_logger(__name__)

LOOK_EVERY: Final = 60.0
"""Seconds between two looks for new games."""


def look(archive: Archive) -> int:
    """Look at all games that are new or have changed since the last time; how many pairs were found."""
    found = 0
    while True:
        with archive.writing() as connection:
            some = doubles.look(connection)
        if some is None:
            return found
        found += some


class DoublesThread:
    """Looks for near doubles among new games while the daemon runs, in a thread of its own, without haste."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._thread = KeptThread("doubles", self._run)

    def start(self) -> None:
        """Look at once, and then every minute."""
        self._thread.start()

    def close(self) -> None:
        """End after the games that are being looked at."""
        self._thread.close()

    def _run(self, stop: Event) -> None:
        while not stop.is_set():
            stop.wait(self._look())

    def _look(self) -> float:
        """Look at some games; the seconds until the next ones. Others get to write as long as this took."""
        began = time.monotonic()
        try:
            with self._archive.writing() as connection:
                found = doubles.look(connection)
        except ArchiveError as error:
            log.warning("near doubles were not looked for; it is tried again", error=str(error))
            return LOOK_EVERY
        return LOOK_EVERY if found is None else time.monotonic() - began


def same(archive: Archive, double_ids: Sequence[int], *, now_ms: int) -> list[int]:
    """The games of each of these pairs are one: let them be, with all tellings. Returns the numbers of the edits.

    Raises:
        EditError: there is no such pair.
    """
    with archive.writing() as connection:
        pairs = _pairs(connection, double_ids)
        told = rows.told_keys(connection, [number for pair in pairs for number in pair])
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
        return list(rows.make(connection, archive.known, new, now_ms)[1])


def different(archive: Archive, double_ids: Sequence[int], *, now_ms: int) -> list[int]:
    """The games of each of these pairs are two: ask no more. Returns the numbers of the edits.

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


def of_kind(archive: Archive, kind: Kind) -> list[shapes.Double]:
    """All pairs of this kind that are to be decided."""
    return list(
        all_of(
            archive,
            lambda connection, size, cursor: list_doubles(connection, limit=size, cursor=cursor, kind=kind),
            None,
        )
    )
