"""Files that were opened while this process still was root, so that it can read them as another user.

A command that root runs opens the files it was given, then becomes the owner of the data folder, who may not
be allowed to open them. Otherwise nothing is held, and every file is opened as usual.
"""

import errno
import io
import os
import resource
from collections.abc import Sequence
from pathlib import Path

from daemon.imports.found_files import FileProblem, FoundFile

_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
_files: dict[str, int | OSError] = {}
_found: dict[str, Sequence[FoundFile | FileProblem]] = {}


def hold(path: str, found: Sequence[FoundFile | FileProblem]) -> None:
    """Open the file or folder at *path*, and what was *found* there.

    Raises:
        OSError: more files than a process may have open. That one of them cannot be opened is reported when it is read.
    """
    _raise_limit()
    _found[path] = found
    for one in found:
        if isinstance(one, FoundFile):
            _hold(one.path, follow=one.inside is None)
    _hold(path)


def _raise_limit() -> None:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _hold(path: str, *, follow: bool = True) -> None:
    if path in _files:
        return
    try:
        _files[path] = os.open(path, _FLAGS if follow else _FLAGS | os.O_NOFOLLOW)
    except OSError as error:
        if error.errno in {errno.EMFILE, errno.ENFILE}:
            raise
        _files[path] = error


def found(path: str) -> Sequence[FoundFile | FileProblem] | None:
    """What was found at a path that is held; None if it is not."""
    return _found.get(path)


def is_held(path: str | Path) -> bool:
    """Whether this file was opened before."""
    return str(path) in _files


def open_descriptor(path: str | Path) -> int:
    """A descriptor to read the file *path* with, from its beginning. Two of them share one place in a held file.

    Raises:
        OSError: it cannot be opened.
    """
    held = _files.get(str(path))
    if held is None:
        return os.open(path, _FLAGS)
    if isinstance(held, OSError):
        raise held
    descriptor = os.dup(held)
    if os.lseek(descriptor, 0, os.SEEK_SET) != 0:
        raise OSError(errno.ESPIPE, os.strerror(errno.ESPIPE), str(path))
    return descriptor


def open_file(path: str | Path) -> io.BufferedReader:
    """As `open_descriptor`, a file."""
    return open(open_descriptor(path), "rb")


def status(path: str | Path) -> os.stat_result:
    """As `os.stat`."""
    held = _files.get(str(path))
    return os.fstat(held) if isinstance(held, int) else Path(path).stat()


def release() -> None:
    """Close all of them."""
    for held in _files.values():
        if isinstance(held, int):
            os.close(held)
    _files.clear()
    _found.clear()
