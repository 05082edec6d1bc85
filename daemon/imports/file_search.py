"""Finds PGN files in folders: regular files with the endings of `daemon.imports.pgn_files`, never through a link."""

import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from daemon.imports import held_files
from daemon.imports.decompression import passes
from daemon.imports.foreign_files import what_to_do
from daemon.imports.found_files import FileProblem, FoundFile, Stamp
from daemon.imports.pgn_files import STDIN, SUFFIXES
from daemon.paths import shown

_MOST_HINTS: Final = 3


def search(path: Path | str) -> Iterator[FoundFile | FileProblem]:
    """Yield what *path* names: itself, or the PGN files below a folder in the order of their names.

    A path that is named outright may be a link and may have any ending; in folders, links and files that are
    not regular are not read: that is a problem if somebody may wait for their games. Everything whose name
    begins with a dot is left out.
    """
    if str(path) == STDIN:
        yield FoundFile(STDIN, None)
        return
    before = held_files.found(str(path))
    if before is not None:
        yield from before
        return
    if not str(path):
        yield FileProblem("", "an empty path names no file; write . for this folder")
        return
    try:
        named = Path(path).resolve(strict=True)
        status = named.stat()
    except (
        OSError,
        RuntimeError,
        ValueError,
    ) as error:  # RuntimeError: links in a circle; ValueError: a NUL in it
        yield _problem(str(path), error)
        return
    if stat.S_ISDIR(status.st_mode):
        yield from _below(named, named)
    elif stat.S_ISREG(status.st_mode):
        yield FoundFile(str(named), Stamp.of(status))
    else:
        yield FileProblem(str(path), f"{shown(path)}: not a regular file")


def hold(paths: Iterable[str]) -> None:
    """Open what these paths name: files, and the PGN files below folders.

    Raises:
        OSError: more files than a process may have open. A file that cannot be opened is an error when it is
            read.
    """
    for path in paths:
        held_files.hold(path, tuple(search(path)))


def search_or_say(path: Path | str) -> Iterator[FoundFile | FileProblem]:
    """Like `search`, for callers who wait for an answer: a folder without a PGN file is a problem."""
    empty = True
    for item in search(path):
        empty = False
        yield item
    if empty:
        yield FileProblem(str(path), f"{shown(path)}: {_nothing_found(Path(path))}")


def _nothing_found(folder: Path) -> str:
    """A message that there is no PGN file, and what there is instead that may contain games."""
    others: Counter[str] = Counter()
    for _, _, names in os.walk(folder):
        others.update(filter(None, map(what_to_do, names)))
    also = [f"{number} x {what}" for what, number in others.most_common(_MOST_HINTS)]
    return "; ".join([f"nothing found: no PGN file in this folder ({' '.join(SUFFIXES)})", *also])


def _below(folder: Path, root: Path) -> Iterator[FoundFile | FileProblem]:
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
                yield FoundFile(entry.path, Stamp.of(entry.stat(follow_symlinks=False)), root)
            elif entry.is_symlink():
                yield from _link(Path(entry.path), root)
            elif entry.name.lower().endswith(SUFFIXES):
                yield FileProblem(entry.path, f"{shown(entry.path)}: not a regular file")
        except FileNotFoundError:
            continue  # it was removed between the list and the look
        except OSError as error:
            yield _problem(entry.path, error)


def _link(path: Path, root: Path) -> Iterator[FileProblem]:
    """A problem for a link, unless it leads to what is found anyway, or is not to PGN."""
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        missed = path.name.lower().endswith(SUFFIXES)
    else:
        missed = not target.is_relative_to(root) and (target.is_dir() or path.name.lower().endswith(SUFFIXES))
    if missed:
        what = "a link, and links in folders are not followed; name the link itself, or its target"
        yield FileProblem(str(path), f"{shown(path)}: {what}")


def _problem(path: str, error: OSError | RuntimeError | ValueError) -> FileProblem:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return FileProblem(path, f"{shown(path)}: {reason}", passing=isinstance(error, OSError) and passes(error))
