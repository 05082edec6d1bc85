"""Where an archive's file may be, and locks against others at work there."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, LOCK_SH, flock
from pathlib import Path
from typing import Final

from daemon import ownership
from daemon.archive.errors import NetworkFolder, NotReadable, ReadOnly

# File systems whose locks or shared memory do not hold between machines. 9p and virtiofs are left out: they are
# also the root of many virtual machines, and SQLite itself refuses where they cannot map shared memory.
# fmt: off
_NETWORK: Final = frozenset({
    "nfs", "nfs4", "cifs", "smb2", "smb3", "smbfs", "ncpfs", "afs", "ceph", "lustre", "gpfs",
    "gfs2", "ocfs2", "glusterfs", "beegfs", "orangefs", "davfs", "fuse.sshfs", "fuse.glusterfs",
    "fuse.ceph", "fuse.s3fs", "fuse.rclone", "fuse.davfs2", "fuse.curlftpfs", "fuse.gvfsd-fuse",
})
# fmt: on


def refuse_network(path: Path, mounts: str | None = None) -> None:
    """Raise `NetworkFolder` if *path* is on a network file system.

    *mounts* is the text of Linux's ``/proc/self/mountinfo``; if there is none nothing is refused.
    """
    if mounts is None:
        try:
            mounts = Path("/proc/self/mountinfo").read_text(errors="surrogateescape")
        except OSError:
            return
    kind = _file_system(Path(os.path.realpath(path)), mounts)
    if kind in _NETWORK:
        raise NetworkFolder(
            f"{path} is on a network file system ({kind}), which would destroy an SQLite database; "
            "choose a local data_dir, or a PostgreSQL database"
        )


def _file_system(path: Path, mounts: str) -> str | None:
    """The type of the last mount on the deepest mount point above *path*."""
    deepest, kind = -1, None
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) < 5 or not after:
            continue
        point = Path(_unescape(fields[4]))
        if path.is_relative_to(point) and len(point.parts) >= deepest:
            deepest, kind = len(point.parts), after.split(" ")[0]
    return kind


def _unescape(text: str) -> str:
    """Blanks and the like are octal numbers in mountinfo."""
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, character)
    return text


@contextmanager
def folder_to_ourselves(folder: Path) -> Iterator[None]:
    """Make *folder* if it is missing, and keep other gamekeepers from making an archive in it meanwhile."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        what = f"the folder {folder} cannot be used ({error.strerror}); choose another data_dir, or correct its rights"
        raise NotReadable(what) from error
    try:
        flock(handle, LOCK_EX)
        yield
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def shared_lock(path: Path) -> Iterator[None]:
    """Hold the lock *path* together with others.

    The kernel releases it when its process ends, however it ends.
    """
    with _lock_file(path) as handle:
        flock(handle, LOCK_SH)
        yield


@contextmanager
def sole_lock(path: Path) -> Iterator[bool]:
    """Hold the lock *path* alone, if nobody else holds it; gives whether that is so."""
    with _lock_file(path) as handle:
        try:
            flock(handle, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


@contextmanager
def _lock_file(path: Path) -> Iterator[int]:
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        wrong = ownership.problems(path.parent)
        way = wrong[0] if wrong else "give this user the right to"
        raise ReadOnly(f"{path} cannot be written to ({error.strerror}); {way}") from error
    try:
        yield handle
    finally:
        os.close(handle)
