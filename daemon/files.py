"""Opens PGN files as they lie about: plain, compressed, zipped, or on standard input.

What a file is, its first bytes decide, not its name. All of it is streamed. Whatever is wrong with a compressed
file (cut off, damaged, a bomb) is raised by `read` as `FileError`, after everything before it was handed out.
"""

import bz2
import gzip
import io
import os
import stat
import sys
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Protocol, cast

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

STDIN: Final = "-"
SUFFIXES: Final = (".pgn", ".pgn.gz", ".pgn.bz2", ".pgn.zst", ".zip")
"""What a folder is searched for, in small letters; a file that is named outright may be called anything."""

_MEMBER_SUFFIXES: Final = (".pgn", ".pgn.gz", ".pgn.bz2", ".pgn.zst")
_COMPRESSED_SUFFIXES: Final = (".gz", ".bz2", ".zst", ".zip")
_MAX_MEMBERS: Final = 100_000
# PGN shrinks to a tenth or, full of the same headers, to a fiftieth. A bomb shrinks to a thousandth.
_MAX_RATIO: Final = 250
_ANY_RATIO_BYTES: Final = 64 << 20
_BLOCK: Final = 1 << 16
_DAMAGE: Final = (
    OSError,
    EOFError,
    zlib.error,
    zstd.ZstdError,
    zipfile.BadZipFile,
    NotImplementedError,  # zipfile: a method of compression that it does not know
    RuntimeError,  # zipfile: encrypted
)


class FileError(OSError):
    """A file cannot be read, or not to its end. The message is for people and names the file."""


@dataclass(frozen=True, slots=True)
class Source:
    """One PGN text, open for reading.

    Attributes:
        name: the path, of a member of a zip archive ``archive.zip/member.pgn``, ``-`` for standard input.
        stream: the text, uncompressed; a read may be short.
        size: bytes of the file as it lies there, None where that is not known.
        consumed: tells how many of them have been read so far.
    """

    name: str
    stream: BinaryIO
    size: int | None
    consumed: Callable[[], int]


def open_pgn(path: Path | str, *, inside: Path | None = None) -> Generator[Source, None, None]:
    """Open a file and yield what PGN texts it holds: one, or each member of a zip archive.

    A source is closed when the next one is asked for.

    Args:
        path: a file, or ``-`` for standard input.
        inside: refuse a file that lies, symbolic links followed, outside of this folder.

    Raises:
        FileError: the file cannot be opened, or is no regular file (a FIFO would wait for ever).
    """
    if str(path) == STDIN:
        yield from _sources(_Origin(STDIN, cast("io.BufferedReader", sys.stdin.buffer), None))
        return
    with _open_regular(Path(path), inside) as file:
        yield from _sources(_Origin(str(path), file, os.fstat(file.fileno()).st_size))


def _open_regular(path: Path, inside: Path | None) -> io.BufferedReader:
    try:
        leads_out = inside is not None and not path.resolve(strict=True).is_relative_to(inside.resolve())
        descriptor = None if leads_out else os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from error
    if descriptor is None:
        raise FileError(f"{path}: a link that leads out of {inside}")
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise FileError(f"{path}: not a regular file")
    return open(descriptor, "rb")  # noqa: PTH123 - a descriptor, not a path


class _Readable(Protocol):
    def read1(self, size: int, /) -> bytes: ...

    def close(self) -> None: ...


@dataclass(slots=True)
class _Origin:
    """The file as it lies there, and how many bytes all its texts together have given."""

    name: str
    file: io.BufferedReader
    size: int | None
    given: int = 0

    def consumed(self) -> int:
        return self.file.tell() if self.file.seekable() else 0

    def count(self, given: int) -> None:
        """Add what was given; a text that outgrows its file by far is a bomb."""
        self.given += given
        if self.given > _ANY_RATIO_BYTES and self.size and self.given > _MAX_RATIO * self.size:
            raise FileError(
                f"{self.name}: more than {_MAX_RATIO} times as long as the file; taken for a bomb"
            )

    def source(self, name: str, opener: Callable[[], _Readable]) -> Source:
        return Source(name, cast("BinaryIO", _Text(name, self, opener)), self.size, self.consumed)


class _Text(io.RawIOBase):
    """The bytes of one source: opened with the first read, and every damage told as a `FileError`."""

    def __init__(self, name: str, origin: _Origin, opener: Callable[[], _Readable]) -> None:
        super().__init__()
        self._name = name
        self._origin = origin
        self._opener = opener
        self._inner: _Readable | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # typeshed says WriteableBuffer
        try:
            if self._inner is None:
                self._inner = self._opener()
            block = self._inner.read1(min(len(buffer), _BLOCK))
        except EOFError as error:
            raise FileError(f"{self._name}: cut off; what came before was read") from error
        except _DAMAGE as error:
            raise FileError(f"{self._name}: damaged ({error}); what came before was read") from error
        self._origin.count(len(block))
        buffer[: len(block)] = block
        return len(block)

    def close(self) -> None:
        if self._inner is not None and self._inner is not self._origin.file:
            self._inner.close()
        super().close()


def _sources(origin: _Origin) -> Iterator[Source]:
    if origin.file.peek(4)[:4] in {b"PK\x03\x04", b"PK\x05\x06"}:
        yield from _members(origin)
        return
    if origin.size == 0 and origin.name.lower().endswith(_COMPRESSED_SUFFIXES):
        raise FileError(f"{origin.name}: an empty file")
    source = origin.source(origin.name, lambda: _uncompressed(origin.file))
    with closing(source.stream):
        yield source


def _members(origin: _Origin) -> Iterator[Source]:
    if not origin.file.seekable():
        raise FileError(f"{origin.name}: a zip archive can be read from a file only, not from standard input")
    try:
        archive = zipfile.ZipFile(origin.file)
    except _DAMAGE as error:
        raise FileError(f"{origin.name}: a damaged zip archive ({error})") from error
    with archive:
        for member in _pgn_members(origin.name, archive):
            source = origin.source(f"{origin.name}/{member.filename}", _opener(archive, member))
            with closing(source.stream):
                yield source


def _pgn_members(name: str, archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    everything = archive.infolist()
    if len(everything) > _MAX_MEMBERS:
        raise FileError(f"{name}: more than {_MAX_MEMBERS} files in one archive")
    members = [member for member in everything if member.filename.lower().endswith(_MEMBER_SUFFIXES)]
    if not members:
        raise FileError(f"{name}: no PGN file in this archive")
    return members


def _opener(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Callable[[], _Readable]:
    return lambda: _uncompressed(io.BufferedReader(cast("io.RawIOBase", archive.open(member))))


def _uncompressed(file: io.BufferedReader) -> _Readable:
    """The text in *file*, whose first bytes say how it is compressed.

    What `read1` gives, it gives before it complains; `read` would lose the last good block.
    """
    magic = file.peek(4)[:4]
    if magic[:2] == b"\x1f\x8b":
        return gzip.GzipFile(fileobj=file)
    if magic[:3] == b"BZh":
        return bz2.BZ2File(file)
    if magic == b"\x28\xb5\x2f\xfd" or (magic[1:] == b"\x2a\x4d\x18" and magic[0] & 0xF0 == 0x50):
        return zstd.ZstdFile(file)
    return file
