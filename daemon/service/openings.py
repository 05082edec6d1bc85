"""Looks up the openings of games stored before there was a book, or with another edition."""

from threading import Event

from daemon.archive.archive import Archive
from daemon.archive.games.openings import derive, is_done
from daemon.threads import Periodic


def look_up(archive: Archive, stop: Event | None = None) -> None:
    """Look up the games of the archive that were not looked up yet, until *stop* is set."""
    while not (stop is not None and stop.is_set()) and _look_up_some(archive):
        pass


def openings_thread(archive: Archive) -> Periodic:
    """A thread that does the same while the daemon runs, some games at a time, and ends when all are looked up."""
    return Periodic(
        "openings",
        lambda: _look_up_some(archive),
        failed="openings could not be looked up; it is tried again",
        every=None,
    )


def _look_up_some(archive: Archive) -> bool:
    """Look up some games; False if none were left."""
    with archive.reading() as connection:
        if is_done(connection):
            return False
    with archive.writing() as connection:
        return derive(connection, archive.known)
