"""Builds the indexes that an import beside the daemon has left out, if it was killed before it could."""

from daemon.archive.archive import Archive
from daemon.threads import Periodic


def indexes_thread(archive: Archive) -> Periodic:
    """A thread that looks each minute whether indexes are missing that no import will build."""
    return Periodic(
        "indexes",
        archive.complete_indexes,
        failed="it could not be seen whether indexes are missing; it is tried again",
    )
