"""The PGN texts in a zip archive, and in the zip archives in it."""

import io
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import PurePosixPath
from tempfile import SpooledTemporaryFile
from typing import IO, Final, cast

from daemon.imports.decompression import (
    ANY_RATIO_BYTES,
    FileError,
    GivenUp,
    PgnStream,
    Readable,
    SourceFile,
    damage,
    uncompressed,
)
from daemon.imports.foreign_files import what_to_do

ZIP_MAGICS: Final = frozenset({b"PK\x03\x04", b"PK\x05\x06"})

_SUFFIXES: Final = (".pgn", ".pgn.gz", ".pgn.bz2", ".pgn.zst")
_ZIP: Final = ".zip"
_MAX_MEMBERS: Final = 100_000
_MAX_DEPTH: Final = 4
_INNER_RATIO: Final = 4
"""A zip archive hardly shrinks when it is packed again."""
_IN_MEMORY: Final = 8 << 20
_BLOCK: Final = 1 << 16


def members(origin: SourceFile, name: str, file: IO[bytes], depth: int = 1) -> Iterator[PgnStream]:
    """Each PGN text in the zip archive *file*, with the name *name* in *origin*.

    Raises:
        FileError: the archive has no readable table of contents, or contains no PGN.
    """
    try:
        archive = zipfile.ZipFile(file)
    except Exception as error:
        error_ = damage(name, error)
        if error_.passing:
            raise error_ from error
        raise FileError(name, f"a damaged zip archive ({str(error) or type(error).__name__})") from error
    with archive:
        for member in _of_interest(name, archive):
            inner = f"{name}/{member.filename}"
            if member.filename.lower().endswith(_ZIP):
                yield from _zip_in_zip(origin, inner, _opener(archive, member), depth + 1)
                continue
            source = origin.source(inner, _unpacked(archive, member))
            with closing(source.stream):
                yield source


def _of_interest(name: str, archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    everything = archive.infolist()
    if len(everything) > _MAX_MEMBERS:
        raise FileError(name, f"more than {_MAX_MEMBERS} files in one archive")
    seen = [member for member in everything if not _is_hidden(member.filename)]
    wanted = [member for member in seen if member.filename.lower().endswith((*_SUFFIXES, _ZIP))]
    if not wanted:
        hints = filter(None, (what_to_do(member.filename) for member in seen))
        raise FileError(name, "; ".join(["no PGN file in this archive", *list(dict.fromkeys(hints))[:1]]))
    return wanted


def _is_hidden(name: str) -> bool:
    """Whether it is left out as in folders, or is one of macOS's companions (``__MACOSX/._games.pgn``)."""
    path = PurePosixPath(name)
    return path.name.startswith(".") or "__MACOSX" in path.parts


def _opener(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Callable[[], IO[bytes]]:
    return lambda: archive.open(member)


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Callable[[], Readable]:
    return lambda: uncompressed(io.BufferedReader(cast("io.RawIOBase", archive.open(member))))


def _zip_in_zip(
    origin: SourceFile, name: str, opener: Callable[[], IO[bytes]], depth: int
) -> Iterator[PgnStream]:
    """Its texts; a fault of the whole is raised by a source that represents it."""
    with SpooledTemporaryFile(_IN_MEMORY) as file:
        try:
            _refuse_depth(name, depth)
            _copy(origin, name, opener, cast("IO[bytes]", file))
            inner = members(origin, name, cast("IO[bytes]", file), depth)
            first = next(inner, None)
        except GivenUp:
            raise
        except FileError as error:
            yield origin.source(name, _raising(error))
            return
        if first is not None:
            yield first
            yield from inner


def _refuse_depth(name: str, depth: int) -> None:
    if depth > _MAX_DEPTH:
        raise FileError(name, f"zip archives in zip archives, more than {_MAX_DEPTH} deep; unpack them first")


def _raising(error: FileError) -> Callable[[], Readable]:
    def opener() -> Readable:
        raise error

    return opener


def _copy(origin: SourceFile, name: str, opener: Callable[[], IO[bytes]], into: IO[bytes]) -> None:
    """Unpack an archive, whose table of contents is at its end."""
    most = max(ANY_RATIO_BYTES, _INNER_RATIO * (origin.size or 0))
    text = origin.source(name, lambda: cast("Readable", opener()))
    with closing(text.stream):
        while block := text.stream.read(_BLOCK):
            if into.tell() + len(block) > most:
                raise FileError(name, "a zip archive in another one, too large; unpack it first")
            into.write(block)
    into.seek(0)
