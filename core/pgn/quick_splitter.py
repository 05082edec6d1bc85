"""Cuts a stream of PGN text into games with the compiled core (`core.compiled`), where there is one.

It cuts as `core.pgn.splitter` does, which decides wherever there is a doubt: from the game in doubt on until
one begins as most do, with a tag at the beginning of a line.
"""

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import BinaryIO, Final

from core.compiled import NATIVE, Native
from core.pgn import splitter
from core.pgn.cut import Cut
from core.pgn.splitter import CHUNK, Piece, Splitter

_STEP: Final = 1 << 12
"""How many bytes at once are given to Python, which may need few of them."""
_BLOCK: Final = 2 * CHUNK
"""How many bytes at least are cut at once, if there are as many."""


def split(source: BinaryIO | bytes, max_bytes: int, encoding: str | None = None) -> Iterator[Piece]:
    """As `core.pgn.splitter.split`."""
    return (piece for cut in cuts(source, max_bytes, encoding) for piece in cut.pieces())


def cuts(source: BinaryIO | bytes, max_bytes: int, encoding: str | None = None) -> Iterator[Cut]:
    """The same, with many games in one text where that is quicker."""
    if NATIVE is None:
        return map(Cut.of, splitter.split(source, max_bytes, encoding))
    stream = BytesIO(source) if isinstance(source, bytes) else source
    return _Blocks(NATIVE, stream, max_bytes, encoding).cuts()


class _Blocks:
    """The bytes of the stream that were read last. At an index in them a game begins, and up to it all is cut."""

    def __init__(self, native: Native, source: BinaryIO, max_bytes: int, encoding: str | None) -> None:
        self._native = native
        self._source = source
        self._max_bytes = max_bytes
        self._encoding = encoding
        self._held = b""
        self._at = 0
        self._last = False
        self._failure: Exception | None = None
        self._offset = 0
        self._number = 1

    def cuts(self) -> Iterator[Cut]:
        self._read()
        while self._at < len(self._held) or self._failure is not None:
            if self._failure is not None:  # the last game is cut off
                yield from map(Cut.of, self._by_python())
                continue
            ends, doubt = self._native.split(self._held, self._at, self._last, self._max_bytes)
            if ends:
                yield self._cut(ends)
            if doubt:
                yield from map(Cut.of, self._by_python())
            elif not ends:
                self._read()

    def _read(self) -> None:
        """Read on, at least as much as there is of the game: so time stays linear, however long it is."""
        found = [self._held[self._at :]]
        size = 0
        try:
            while chunk := self._source.read(CHUNK):
                found.append(chunk)
                size += len(chunk)
                if size >= max(_BLOCK, len(found[0])):
                    break
        except Exception as error:  # noqa: BLE001 - raised when what came before is out
            self._failure = error
        else:
            self._last = not chunk
        self._held, self._at = b"".join(found), 0

    def _cut(self, ends: tuple[int, ...]) -> Cut:
        at, self._at = self._at, ends[-1]
        raw = self._held[at : self._at]
        within = tuple(end - at for end in ends) if at else ends
        cut = Cut(raw, within, self._offset, self._number, self._encoding)
        self._offset += len(raw)
        self._number += len(ends)
        return cut

    def _by_python(self) -> Iterator[Piece]:
        """Let Python cut, until a game begins as most do."""
        rest = _Rest(self._held, self._at, self._source, self._failure)
        slow = Splitter(rest, self._max_bytes, self._encoding, offset=self._offset, number=self._number)
        rest.passed = lambda: slow.passed - self._offset
        for piece in slow.pieces():
            yield piece
            if rest.begins_with_tag():
                self._held, self._at = rest.left()
                self._last, self._failure = self._last or rest.ended, rest.failure
                self._offset, self._number = slow.passed, piece.number + 1
                return
        self._held, self._at, self._failure = b"", 0, None


class _Rest(BytesIO):
    """A stream of bytes that were read before and what follows; it keeps what Python has not passed yet.

    *passed* says how many bytes that are.
    """

    def __init__(self, held: bytes, at: int, source: BinaryIO, failure: Exception | None) -> None:
        super().__init__()
        self.passed: Callable[[], int] = int
        self.failure = failure
        self.ended = False
        self._held = held
        self._begin = at
        self._at = at
        self._source = source
        self._more = bytearray()
        self._more_at = len(held) - at
        """What is read beyond *held*, and at how many bytes from the beginning that begins."""

    def read(self, _size: int | None = -1, /) -> bytes:
        if self._at < len(self._held):
            chunk = self._held[self._at : self._at + _STEP]
            self._at += len(chunk)
            return chunk
        if self.failure is not None:
            raise self.failure
        try:
            chunk = self._source.read(CHUNK)
        except Exception as error:
            self.failure = error
            raise
        self.ended = not chunk
        self._keep(chunk)
        return chunk

    def _keep(self, chunk: bytes) -> None:
        """Add what is new, and let go what is passed, but for the byte before."""
        done = min(max(0, self.passed() - 1 - self._more_at), len(self._more))
        del self._more[:done]
        self._more_at += done
        self._more += chunk

    def begins_with_tag(self) -> bool:
        """Whether the line that Python has come to begins with a tag."""
        at = self.passed()
        return self._byte(at) == b"[" and (at == 0 or self._byte(at - 1) in {b"\r", b"\n"})

    def _byte(self, at: int) -> bytes:
        if at + self._begin < len(self._held):
            return self._held[at + self._begin : at + self._begin + 1]
        return bytes(self._more[at - self._more_at : at - self._more_at + 1])

    def left(self) -> tuple[bytes, int]:
        """All that is not passed, as bytes and the index at which it begins in them."""
        at = self.passed()
        if not self._more:
            return self._held, self._begin + at
        if at + self._begin < len(self._held):
            return self._held[at + self._begin :] + self._more, 0
        return bytes(self._more[at - self._more_at :]), 0
