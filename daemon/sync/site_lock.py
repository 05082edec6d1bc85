"""One process at a time asks a site: the daemon, or a `gamekeeper sync` beside it."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path

from daemon.archive.errors import NetworkFolder
from daemon.archive.lock import not_lockable

Hold = Callable[[], bool]
"""Waits for a moment; False to give up."""


@contextmanager
def site_lock(folder: Path, site: str, wait: Hold = lambda: False) -> Iterator[bool]:
    """Hold the lock of *site* in the data folder *folder*; yields whether we have it.

    The kernel releases the lock however its holder ends. While another process has it, *wait* is called again
    and again, until it says to give up.

    Raises:
        ArchiveError: the lock cannot be opened, or the file system has none.
    """
    # Never unlinked: two processes could then hold locks on two files of one name.
    path = folder / f"{site}.lock"
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise not_lockable(path, error) from error
    try:
        while not (held := _try(path, handle)) and wait():
            pass
        yield held
    finally:
        os.close(handle)


def _try(path: Path, handle: int) -> bool:
    try:
        flock(handle, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        what = f"{path} cannot be locked ({error.strerror})"
        raise NetworkFolder(f"{what}; put data_dir on a disk of this machine") from error
    return True
