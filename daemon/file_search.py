"""Finds PGN files in folders: regular files with the endings of `daemon.files`, never through a link."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from daemon.files import STDIN, SUFFIXES


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a look at a file tells of whether it has changed: bytes, and nanoseconds since 1970."""

    size: int
    modified_ns: int

    @classmethod
    def of(cls, status: os.stat_result) -> "Stamp":
        """The stamp in what `os.stat` says."""
        return cls(status.st_size, status.st_mtime_ns)


@dataclass(frozen=True, slots=True)
class Found:
    """A file to be read; *inside* is the folder it was found in, None if it was named itself.

    *stamp* is None for standard input.
    """

    path: str
    stamp: Stamp | None
    inside: Path | None = None


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A file that was not read, or not to its end. *message* is for people and names the file."""

    file: str
    message: str


def search(path: Path | str) -> Iterator[Found | FileProblem]:
    """Yield what *path* names: itself, or the PGN files below a folder in the order of their names.

    A path that is named outright may be a link and may have any ending; in folders, links and what is no regular
    file are not read: it is a problem where somebody may wait for their games. Everything whose name begins with a
    dot is left out.
    """
    if str(path) == STDIN:
        yield Found(STDIN, None)
        return
    try:
        named = Path(path).resolve(strict=True)
        status = named.stat()
    except (OSError, RuntimeError) as error:
        yield _problem(str(path), error)
        return
    if stat.S_ISDIR(status.st_mode):
        yield from _below(named, named)
    elif stat.S_ISREG(status.st_mode):
        yield Found(str(named), Stamp.of(status))
    else:
        yield FileProblem(str(path), f"{path}: not a regular file")


def _below(folder: Path, root: Path) -> Iterator[Found | FileProblem]:
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        yield _problem(str(folder), error)
        return
    for entry in listed:
        if entry.name.startswith("."):
            continue
        try:
            if entry.is_dir(follow_symlinks=False):
                yield from _below(Path(entry.path), root)
            elif entry.is_file(follow_symlinks=False) and entry.name.lower().endswith(SUFFIXES):
                yield Found(entry.path, Stamp.of(entry.stat(follow_symlinks=False)), root)
            elif entry.is_symlink():
                yield from _link(Path(entry.path), root)
            elif entry.name.lower().endswith(SUFFIXES):
                yield FileProblem(entry.path, f"{entry.path}: not a regular file")
        except FileNotFoundError:
            continue  # it was taken away between the list and the look
        except OSError as error:
            yield _problem(entry.path, error)


def _link(path: Path, root: Path) -> Iterator[FileProblem]:
    """Nobody misses a link to what is found anyway, or to what is no PGN."""
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        missed = path.name.lower().endswith(SUFFIXES)
    else:
        missed = not target.is_relative_to(root) and (target.is_dir() or path.name.lower().endswith(SUFFIXES))
    if missed:
        what = "a link, and links in folders are not followed; name it, or what it leads to, itself"
        yield FileProblem(str(path), f"{path}: {what}")


def _problem(path: str, error: OSError | RuntimeError) -> FileProblem:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return FileProblem(path, f"{path}: {reason}")
