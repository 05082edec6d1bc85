"""Reads PGN texts from files: decompressed block by block, with every damage as a `FileError`."""

import bz2
import errno
import gzip
import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Protocol, cast

from daemon.paths import shown

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# PGN shrinks to a tenth or, full of the same headers, to a fiftieth. A bomb shrinks to a thousandth.
_MAX_RATIO: Final = 250
ANY_RATIO_BYTES: Final = 64 << 20
_BLOCK: Final = 1 << 16
_LASTING: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG})
"""Errors that do not pass: only a change of the file helps."""


class FileError(OSError):
    """A file cannot be read, or not to its end. The message is for people and names the file.

    Attributes:
        passing: The file may be readable soon although it has not changed (a busy disk, too many open files).
    """

    def __init__(self, name: Path | str, what: str, *, passing: bool = False) -> None:
        super().__init__(f"{shown(name)}: {what}")
        self.passing = passing

    @classmethod
    def of(cls, name: Path | str, error: OSError) -> "FileError":
        """The system's error for this file."""
        return cls(name, error.strerror or str(error), passing=passes(error))


class GivenUp(FileError):  # noqa: N818 - what is the case
    """A file takes too much time or space; no more of it is read."""


def passes(error: OSError) -> bool:
    """Whether the same may be possible soon."""
    return error.errno is not None and error.errno not in _LASTING


@dataclass(frozen=True, slots=True)
class PgnStream:
    """One PGN text, open for reading.

    Attributes:
        name: The path, of a member of a zip archive ``archive.zip/member.pgn``, ``-`` for standard input.
        stream: The text, uncompressed; a read may be short.
        size: Bytes of the file on disk, None if that is not known.
        consumed: Returns how many of them have been read so far.
    """

    name: str
    stream: BinaryIO
    size: int | None
    consumed: Callable[[], int]


class Readable(Protocol):
    """What can be read and closed."""

    def read1(self, size: int, /) -> bytes:
        """Some bytes; none at the end."""
        ...

    def close(self) -> None:
        """Close it."""
        ...


@dataclass(slots=True)
class SourceFile:
    """The file on disk, and how many bytes all its texts together have given."""

    name: str
    file: io.BufferedReader
    size: int | None
    between: Callable[[], None]
    given: int = 0

    def consumed(self) -> int:
        """How many bytes of the file have been read."""
        return self.file.tell() if self.file.seekable() else 0

    def count(self, given: int) -> None:
        """Add what was given; a text much larger than its file is a bomb."""
        self.given += given
        if self.given > ANY_RATIO_BYTES and self.size and self.given > _MAX_RATIO * self.size:
            what = f"it unpacks to more than {_MAX_RATIO} times its size; taken for a bomb"
            raise GivenUp(self.name, what)

    def source(self, name: str, opener: Callable[[], Readable]) -> PgnStream:
        """A text of this file."""
        return PgnStream(name, cast("BinaryIO", _PgnBytes(name, self, opener)), self.size, self.consumed)


class _PgnBytes(io.RawIOBase):
    """The bytes of one source: opened with the first read, and every damage raised as a `FileError`."""

    def __init__(self, name: str, origin: SourceFile, opener: Callable[[], Readable]) -> None:
        super().__init__()
        self._name = name
        self._origin = origin
        self._opener = opener
        self._inner: Readable | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # typeshed says WriteableBuffer
        self._origin.between()
        block = self._block(min(len(buffer), _BLOCK))
        self._origin.count(len(block))
        buffer[: len(block)] = block
        return len(block)

    def _block(self, size: int) -> bytes:
        try:
            if self._inner is None:
                self._inner = self._opener()
            return self._inner.read1(size)
        except Exception as error:
            raise damage(self._name, error) from error

    def close(self) -> None:
        if self._inner is not None and self._inner is not self._origin.file:
            self._inner.close()
        super().close()


def damage(name: str, error: Exception) -> FileError:
    """The error for a text, whatever a decompression library raised.

    These libraries promise nothing: lzma, zlib and zstd have errors of their own, zipfile raises RuntimeError
    for a password, NotImplementedError for a method it does not know and struct.error for a header that is
    too short.
    """
    if isinstance(error, FileError):
        return error
    if isinstance(error, EOFError):
        return FileError(name, "cut off; what came before was read")
    if isinstance(error, OSError) and error.errno is not None:
        reason = error.strerror or str(error)
        return FileError(name, f"{reason}; what came before was read", passing=passes(error))
    if isinstance(error, MemoryError):
        return FileError(name, "unpacking it needs too much memory; what came before was read", passing=True)
    return FileError(name, f"damaged ({str(error) or type(error).__name__}); what came before was read")


def uncompressed(file: io.BufferedReader) -> Readable:
    """The text in *file*, whose first bytes say how it is compressed.

    `read1` returns data before it raises an error; `read` would lose the last good block.
    """
    magic = file.peek(4)[:4]
    if magic[:2] == b"\x1f\x8b":
        return gzip.GzipFile(fileobj=file)
    if magic[:3] == b"BZh":
        return bz2.BZ2File(file)
    if magic == b"\x28\xb5\x2f\xfd" or (magic[1:] == b"\x2a\x4d\x18" and magic[0] & 0xF0 == 0x50):
        return zstd.ZstdFile(file)
    return file
