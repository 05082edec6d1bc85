"""Whether a daemon works on this archive."""

import os
from fcntl import LOCK_NB, LOCK_SH, flock
from pathlib import Path

from daemon.archive.archive import Archive
from daemon.archive.lock import FILE_NAME


def is_running(archive: Archive, folder: Path) -> bool | None:
    """Whether a daemon holds the lock of the data folder *folder*.

    None if that cannot be known: a PostgreSQL archive may have its daemon on another machine.
    """
    if _is_held(folder / FILE_NAME):
        return True
    return False if archive.dialect == "sqlite" else None


def _is_held(path: Path) -> bool:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        # A daemon that ended by itself emptied the file. Only else is the lock tried, for a moment: a daemon
        # that starts just then would take us for another one.
        if os.fstat(handle).st_size == 0:
            return False
        flock(handle, LOCK_SH | LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False
