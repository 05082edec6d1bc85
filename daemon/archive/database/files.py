"""A database file and its logs: made, named, moved and deleted together.

SQLite plays whatever log is beside a file into it, whichever database the log was written for. So no database
gets a name beside which a log is left, and no log goes before its file: whenever the process is killed,
either the whole database is under its name, or its file is not, and then nobody takes what is left for an
archive.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EDQUOT, ENOSPC
from pathlib import Path
from typing import Final

from daemon.archive.errors import DiskFull, ReadOnly
from daemon.logs import get_logger

log = get_logger(__name__)

LOGS: Final = ("-wal", "-shm", "-journal")
"""The endings of the files that SQLite keeps beside a database."""

LEFT: Final = ".left"
"""The middle of the name of what was left beside a name when a database got it."""


UNFINISHED: Final = ".part"
"""The end of the name of a copy that is not complete."""


def new_file(path: Path) -> None:
    """Make an empty file that only its owner can read, replacing a left-over one."""
    with _driver_errors(path):
        remove_database(path)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


@contextmanager
def _driver_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        full = error.errno in {ENOSPC, EDQUOT}
        kind, remedy = (
            (DiskFull, "make room") if full else (ReadOnly, "choose another folder, or correct its rights")
        )
        raise kind(f"no file can be made in {path.parent} ({error.strerror}); {remedy}") from error


def remove_database(path: Path) -> None:
    """Delete the database *path*, if it exists, with the files that SQLite keeps beside it."""
    for tail in ("", *LOGS):
        beside(path, tail).unlink(missing_ok=True)


def beside(path: Path, tail: str) -> Path:
    """The name of *path* with *tail* after it."""
    return path.with_name(path.name + tail)


def logs_of(path: Path) -> list[Path]:
    """The logs beside *path*, whether or not the file itself exists."""
    return [one for one in (beside(path, tail) for tail in LOGS) if os.path.lexists(one)]


def give_name(finished: Path, name: Path) -> None:
    """Give the database *finished*, one synced file, the name *name*, replacing a file that has it.

    Logs beside the name belong to another database; they are moved first.

    Raises:
        DiskFull, ReadOnly: the name cannot be given; nothing has changed.
    """
    own = logs_of(finished)
    if own:
        raise RuntimeError(f"{finished} is still open somewhere: {own[0].name} lies beside it")
    with _driver_errors(name):
        if logs_of(name):
            aside = _free(beside(name, LEFT))
            log.warning("logs of another database are put aside", path=str(name), aside=str(aside))
            move_aside(name, aside)
        finished.replace(name)
        sync_folder(name.parent)


def _free(path: Path) -> Path:
    """*path*, or the first name like it beside which there is nothing."""
    number = 1
    free = path
    while os.path.lexists(free) or logs_of(free):
        number += 1
        free = beside(path, str(number))
    return free


def move_aside(path: Path, aside: Path) -> None:
    """Rename the database *path*, file and logs as far as they exist, to *aside*.

    If there are both, they are copied first: a kill in between leaves a whole database under one of the
    names.
    """
    logs = [tail for tail in LOGS if os.path.lexists(beside(path, tail))]
    if logs and os.path.lexists(path):
        copy_aside(path, aside)
        remove_database(path)
    else:
        for tail in ("", *logs):
            if os.path.lexists(beside(path, tail)):
                beside(path, tail).rename(beside(aside, tail))
    sync_folder(path.parent)


def copy_aside(path: Path, aside: Path) -> None:
    """Copy the file *path* and the logs beside it, byte for byte and synced, to *aside*.

    All of it or nothing.
    """
    try:
        with _driver_errors(aside):
            for tail in (
                "-wal",
                "-journal",
                "",
            ):  # -shm is made from the log; the file last, which makes it one
                if beside(path, tail).exists():
                    _copy_synced(beside(path, tail), beside(aside, tail))
            sync_folder(aside.parent)
    except BaseException:
        remove_database(aside)
        raise


def _copy_synced(source: Path, target: Path) -> None:
    with source.open("rb") as reader, open(_made(target), "wb") as writer:
        shutil.copyfileobj(reader, writer, 1 << 20)
        writer.flush()
        os.fsync(writer.fileno())


def _made(target: Path) -> int:
    return os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)


def sync_file(path: Path) -> None:
    """Make sure that what is written in *path* survives a power cut."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make sure that the names in *folder* survive a power cut."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
