"""Looks up the openings of games that were stored before that was done, or with another book."""

import time
from threading import Event
from typing import Final

import structlog

from daemon.archive.archive import Archive
from daemon.archive.errors import ArchiveError
from daemon.archive.games.openings import derive, is_done
from daemon.threads import KeptThread

log = structlog.get_logger(__name__)

AGAIN_AFTER: Final = 60.0
"""Seconds until it is tried again when the archive could not be written."""


def look_up(archive: Archive, stop: Event | None = None) -> None:
    """Look up the games of the archive that were not looked up yet, until *stop* is set."""
    with archive.reading() as connection:
        if is_done(connection):
            return
    while stop is None or not stop.is_set():
        with archive.writing() as connection:
            if not derive(connection, archive.known):
                return


class OpeningsThread:
    """Does the same while the daemon runs, in a thread of its own: others get to write in between."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._thread = KeptThread("openings", self._run)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End after the games that are being looked up."""
        self._thread.close()

    def _run(self, stop: Event) -> None:
        while not stop.is_set():
            stop.wait(self._some())

    def _some(self) -> float | None:
        """Look up some games; the seconds until the next ones, None when all are done."""
        began = time.monotonic()
        try:
            with self._archive.reading() as connection:
                if is_done(connection):
                    return None
            with self._archive.writing() as connection:
                derive(connection, self._archive.known)
        except ArchiveError as error:
            log.warning("openings were not looked up; it is tried again", error=str(error))
            return AGAIN_AFTER
        return time.monotonic() - began
