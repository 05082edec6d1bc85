"""One daemon for one archive.

The kernel releases a file's lock when its holder dies, however it dies; PostgreSQL does the same for the lock
of a connection. A PostgreSQL archive needs both: its daemons may run on different machines.

By hand over flock(2), not with filelock: the holder's pid is in the locked file and outlives a kill, others
look with a shared lock, imports share theirs, and forked parsers have to release it; filelock's are exclusive
and hide the descriptor.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from fcntl import LOCK_EX, LOCK_NB, LOCK_SH, flock
from pathlib import Path
from typing import Final

from daemon import ownership
from daemon.archive.archive import Archive
from daemon.archive.errors import AlreadyRunning, ArchiveError, DiskFull, ReadOnly
from daemon.archive.sqlite import FileArchive

FILE_NAME: Final = "daemon.lock"

_held: set[int] = set()


def _let_go_in_child() -> None:
    """Release the lock in a forked worker, which would keep it alive after its daemon was killed."""
    for handle in _held:
        os.close(handle)
    _held.clear()


os.register_at_fork(after_in_child=_let_go_in_child)


class DaemonLock:
    """The lock while it is held.

    Attributes:
        unclean: The daemon before us did not end by itself (it was killed, or the machine lost power): the
            archive is worth a check.
    """

    def __init__(self, archive: Archive, *, unclean: bool) -> None:
        self.unclean = unclean
        self._archive = archive

    def confirm(self) -> None:
        """Check that the archive is still ours: a database server that restarts forgets who held it.

        Raises:
            AlreadyRunning: another daemon has taken it meanwhile.
            Unreachable: the server does not answer.
        """
        self._archive.claim()


@contextmanager
def only_daemon(archive: Archive, folder: Path) -> Iterator[DaemonLock]:
    """Be the only daemon on *archive* and in the data folder *folder*, as long as the block lasts.

    Raises:
        AlreadyRunning: there is one; the message says which.
        DiskFull: there is no room for our pid.
        ReadOnly: the folder cannot be written to.
    """
    with ExitStack() as stack:
        handle = stack.enter_context(_opened(folder / FILE_NAME))
        unclean = _take(handle, folder)
        stack.callback(os.ftruncate, handle, 0)
        archive.claim()
        stack.callback(archive.release)
        yield DaemonLock(archive, unclean=unclean)


@contextmanager
def no_daemon(folder: Path) -> Iterator[None]:
    """Keep daemons from the data folder *folder* as long as the block lasts, without being one.

    Raises:
        AlreadyRunning: there is one.
        ReadOnly: the folder cannot be written to.
    """
    with _opened(folder / FILE_NAME) as handle:
        _lock(handle, folder)
        yield


def has_daemon(archive: Archive) -> bool:
    """Whether a daemon works on the archive's file just now. Of a server it is not known here: False."""
    if not isinstance(archive, FileArchive):
        return False
    try:
        handle = os.open(archive.path.parent / FILE_NAME, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        # A daemon that ended cleanly left no pid: then no lock of ours can be in the way of the next one.
        return bool(_read(handle)) and _is_locked(handle)
    finally:
        os.close(handle)


def _is_locked(handle: int) -> bool:
    try:
        flock(handle, LOCK_SH | LOCK_NB)
    except BlockingIOError:
        return True
    return False


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Never unlinked: two processes could then hold locks on two files of one name.
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise not_lockable(path, error) from error
    _held.add(handle)
    try:
        yield handle
    finally:
        _held.discard(handle)
        os.close(handle)


def _take(handle: int, folder: Path) -> bool:
    """Lock the file and write our pid into it; True if the last holder left theirs there."""
    _lock(handle, folder)
    last_pid = _read(handle)
    own = str(os.getpid()).encode()
    try:
        # In this order: where there is no room, the pid that was left behind stays for the next one to see.
        os.pwrite(handle, own, 0)
        os.ftruncate(handle, len(own))
        os.fsync(handle)  # a power cut ends a daemon, too
    except OSError as error:
        raise not_lockable(folder / FILE_NAME, error) from error
    return bool(last_pid)


def not_lockable(path: Path, error: OSError) -> ArchiveError:
    """The error for a lock *path* that cannot be opened or written, with what to do."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return DiskFull(f"no room left for {path} ({error.strerror}); make room, then try again")
    wrong = ownership.problems(path.parent)
    way = wrong[0] if wrong else "give this user the right to"
    return ReadOnly(f"{path} cannot be written to ({error.strerror}); {way}")


def _lock(handle: int, folder: Path) -> None:
    try:
        flock(handle, LOCK_EX | LOCK_NB)
    except BlockingIOError as error:
        holder = _read(handle) or "unknown"
        raise AlreadyRunning(
            f"another gamekeeper is already running on {folder} (pid {holder}); stop it first"
        ) from error


def _read(handle: int) -> str:
    return os.pread(handle, 32, 0).decode(errors="replace").strip()
