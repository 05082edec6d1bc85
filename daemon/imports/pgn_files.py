"""Opens PGN files: plain, compressed, zipped, or on standard input.

The kind of a file is decided by its first bytes, not its name. All of it is streamed. Any fault of a
compressed file (cut off, damaged, a bomb) is raised by `read` as `FileError`, after everything before it was
handed out.
"""

import io
import os
import stat
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, cast

from daemon.imports import held_files
from daemon.imports.decompression import FileError, GivenUp, PgnStream, SourceFile, uncompressed
from daemon.imports.zips import ZIP_MAGICS, members
from daemon.paths import shown

__all__ = ["STDIN", "SUFFIXES", "FileError", "GivenUp", "PgnStream", "open_pgn"]

STDIN: Final = "-"
SUFFIXES: Final = (".pgn", ".pgn.gz", ".pgn.bz2", ".pgn.zst", ".zip")
"""The endings searched for in folders, in small letters; a file that is named outright may have any name."""

COMPRESSED_SUFFIXES: Final = (".gz", ".bz2", ".zst", ".zip")


def _nothing() -> None:
    return


def open_pgn(
    path: Path | str, *, inside: Path | None = None, between: Callable[[], None] = _nothing
) -> Generator[PgnStream, None, None]:
    """Open a file and yield the PGN texts in it: one, or each member of a zip archive.

    A source is closed when the next one is asked for. A source that cannot be read to its end says nothing of
    the next one, unless it raises `GivenUp`.

    Args:
        path: A file, or ``-`` for standard input.
        inside: Refuse a file that is, symbolic links followed, outside of this folder.
        between: Called before each block is read; reading raises what it raises.

    Raises:
        FileError: the file cannot be opened, or is not a regular file (a FIFO would wait for ever).
    """
    if str(path) == STDIN:
        yield from _sources(SourceFile(STDIN, cast("io.BufferedReader", sys.stdin.buffer), None, between))
        return
    with _open_regular(Path(path), inside) as file:
        yield from _sources(SourceFile(str(path), file, os.fstat(file.fileno()).st_size, between))


def _open_regular(path: Path, inside: Path | None) -> io.BufferedReader:
    try:
        # What is held was opened without following a link.
        in_folder = inside is not None and not held_files.is_held(path)
        leads_out = in_folder and not path.resolve(strict=True).is_relative_to(cast("Path", inside).resolve())
        descriptor = None if leads_out else held_files.open_descriptor(path)
    except OSError as error:
        raise FileError.of(path, error) from error
    if descriptor is None:
        raise FileError(path, f"a link that leads out of {shown(inside or '')}")
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise FileError(path, "not a regular file")
    return open(descriptor, "rb")  # noqa: PTH123 - a descriptor, not a path


def _sources(origin: SourceFile) -> Iterator[PgnStream]:
    if _head(origin) in ZIP_MAGICS:
        if not origin.file.seekable():
            raise FileError(
                origin.name, "a zip archive can be read from a file only, not from standard input"
            )
        yield from members(origin, origin.name, origin.file)
        return
    if origin.size == 0 and origin.name.lower().endswith(COMPRESSED_SUFFIXES):
        raise FileError(origin.name, "an empty file")
    source = origin.source(origin.name, lambda: uncompressed(origin.file))
    with closing(source.stream):
        yield source


def _head(origin: SourceFile) -> bytes:
    try:
        return origin.file.peek(4)[:4]
    except OSError as error:
        raise FileError.of(origin.name, error) from error
