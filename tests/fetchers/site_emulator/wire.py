"""Writes an answer to a socket, well or with a fault."""

import socket
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from email.utils import formatdate
from http import HTTPStatus
from threading import Event
from typing import Final

from tests.fetchers.site_emulator.answers import Answer
from tests.fetchers.site_emulator.faults import Fault
from tests.fetchers.site_emulator.log import hung_up

_SLICE: Final = 0.02
_MEBIBYTE: Final = 1 << 20
_HUGE: Final = 1 << 30
_BODILESS: Final = {HTTPStatus.NOT_MODIFIED, HTTPStatus.NO_CONTENT}
_GZIP: Final = 31  # zlib's word for "with the header and trailer of gzip"


class HungUpError(ConnectionError):
    """The client has gone, or the emulator is being stopped."""


class Wire:
    """One connection, for one answer.

    Attributes:
        close: the connection must be closed after this answer.
        abort: it must be closed with RST.
    """

    def __init__(
        self,
        connection: socket.socket,
        stopping: Event,
        *,
        gzip: bool,
        done: Callable[[], None],
        clock: Callable[[], float],
    ) -> None:
        self._connection = connection
        self._stopping = stopping
        self._gzip = gzip
        self._done = done
        self._clock = clock
        self.close = False
        self.abort = False
        self.pace: float | None = None
        """Pieces of a stream per second."""

    # the two ways in which an answer goes well

    def send(self, answer: Answer) -> None:
        """Send an answer as the site does."""
        compressed = self._gzip and answer.compressible
        if answer.streamed or compressed:
            self._head(answer, _framing(None, compressed=compressed))
            self._chunked(_compress(answer.chunks) if compressed else answer.chunks)
            self._last(b"0\r\n\r\n")
            return
        body = b"".join(answer.chunks)
        if answer.status in _BODILESS or not body:
            self._done()  # the head is all that a client waits for
        self._head(
            answer,
            _framing(None if answer.status in _BODILESS else len(body), bare=True),
            body[:-1],
        )
        self._last(body[-1:])

    def _head(self, answer: Answer, framing: Iterable[tuple[str, str]], start: bytes = b"") -> None:
        lines = [f"HTTP/1.1 {answer.status} {_phrase(answer.status)}"]
        date = ("Date", formatdate(self._clock(), usegmt=True))
        lines += [f"{name}: {value}" for name, value in (date, *answer.headers, *framing)]
        if self.close:
            lines.append("Connection: close")
        self._write("\r\n".join([*lines, "", ""]).encode() + start)

    def _chunked(self, pieces: Iterable[bytes]) -> None:
        for number, piece in enumerate(pieces):
            if number and self.pace:
                self.pause(1 / self.pace)
            if piece:
                self._write(b"%x\r\n%b\r\n" % (len(piece), piece))

    def _last(self, rest: bytes) -> None:
        self._done()
        if rest:
            self._write(rest)

    def _write(self, data: bytes) -> None:
        if self._stopping.is_set():
            raise HungUpError
        self._connection.sendall(data)

    def pause(self, seconds: float) -> None:
        """Do nothing, but notice when nobody listens any more."""
        while seconds > 0:
            if self._stopping.wait(min(seconds, _SLICE)) or hung_up(self._connection):
                raise HungUpError
            seconds -= _SLICE

    # the ways in which it goes wrong

    def send_with(self, fault: Fault, answer: Answer) -> None:
        """Send an answer with a fault in its way over the wire."""
        ways: dict[str, Callable[[Fault, Answer], None]] = {
            "cut": self._cut,
            "gzip_cut": self._gzip_cut,
            "reset": self._reset,
            "short_length": self._short_length,
            "close_delimited": self._close_delimited,
            "drip": self._drip,
            "hang": self._hang,
            "stall": self._stall,
            "refuse": self._refuse,
            "gzip_bomb": self._gzip_bomb,
            "endless_line": self._endless_line,
            "endless_headers": self._endless_headers,
        }
        self.close = True
        ways[fault.kind](fault, answer)

    def _begin(self, fault: Fault, answer: Answer) -> None:
        """Headers and body up to the place of the fault; the framing promises all of it."""
        body = b"".join(answer.chunks)
        compressed = self._gzip and answer.compressible
        start = body[: fault.cut_at(len(body))]
        if answer.streamed or compressed:
            self._head(answer, _framing(None, compressed=compressed))
            self._chunked(_compress(_pieces(start), finish=False) if compressed else _pieces(start))
        else:
            self._head(answer, _framing(len(body)), start)

    def _cut(self, fault: Fault, answer: Answer) -> None:
        if fault.clean:
            body = b"".join(answer.chunks)
            kept = body[: fault.cut_at(len(body))]
            self.send(replace(answer, chunks=(kept,)))
            return
        self._begin(fault, answer)
        self._done()

    def _reset(self, fault: Fault, answer: Answer) -> None:
        self._begin(fault, answer)
        self._done()
        self.abort = True
        self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def _stall(self, fault: Fault, answer: Answer) -> None:
        self._begin(fault, answer)
        self._hang(fault, answer)

    def _hang(self, _fault: Fault, _answer: Answer) -> None:
        while True:
            self.pause(60)

    def _refuse(self, _fault: Fault, _answer: Answer) -> None:
        self._done()

    def _gzip_cut(self, fault: Fault, answer: Answer) -> None:
        packed = b"".join(_compress(answer.chunks))
        self._head(answer, _framing(None, compressed=True))
        self._chunked(_pieces(packed[: fault.cut_at(len(packed))]))
        self._last(b"0\r\n\r\n")

    def _short_length(self, fault: Fault, answer: Answer) -> None:
        body = b"".join(answer.chunks)
        self._head(answer, _framing(len(body) + (fault.size or 1000)), body)
        self._done()

    def _close_delimited(self, fault: Fault, answer: Answer) -> None:
        body = b"".join(answer.chunks)
        kept = body if fault.after is None else body[: fault.cut_at(len(body))]
        self._head(answer, (), kept)
        self._done()

    def _drip(self, fault: Fault, answer: Answer) -> None:
        body = b"".join(answer.chunks)
        size = max(1, int(fault.rate / 20))
        if not body:
            self._done()
        self._head(answer, _framing(len(body)))
        for at in range(0, len(body), size):
            self.pause(size / fault.rate)
            if at + size >= len(body):
                self._done()
            self._write(body[at : at + size])
        self._done()

    def _gzip_bomb(self, fault: Fault, answer: Answer) -> None:
        self._head(answer, _framing(None, compressed=True))
        self._chunked(_compress(b" " * _MEBIBYTE for _ in range((fault.size or _HUGE) // _MEBIBYTE)))
        self._last(b"0\r\n\r\n")

    def _endless_line(self, fault: Fault, answer: Answer) -> None:
        self._head(answer, _framing(None))
        self._chunked([b'{"id":"'])
        self._chunked(b"x" * _MEBIBYTE for _ in range((fault.size or _HUGE) // _MEBIBYTE))
        self._last(b"0\r\n\r\n")

    def _endless_headers(self, fault: Fault, answer: Answer) -> None:
        self._write(f"HTTP/1.1 {answer.status} OK\r\n".encode())
        for number in range((fault.size or _HUGE) // 1000):
            self._write(b"".join(b"X-%d-%d: %b\r\n" % (number, line, b"y" * 80) for line in range(10)))
        self._last(b"Content-Length: 0\r\n\r\n")


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"


def _framing(length: int | None, *, compressed: bool = False, bare: bool = False) -> list[tuple[str, str]]:
    """The headers that say where the body ends; *bare*: none at all where there is no length."""
    encoding = [("Content-Encoding", "gzip")] if compressed else []
    if length is not None:
        return [*encoding, ("Content-Length", str(length))]
    return [] if bare else [*encoding, ("Transfer-Encoding", "chunked")]


def _compress(pieces: Iterable[bytes], *, finish: bool = True) -> Iterator[bytes]:
    """The same, gzipped, each piece flushed so that the client can read it at once."""
    packer = zlib.compressobj(wbits=_GZIP)
    for piece in pieces:
        yield packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH)
    if finish:
        yield packer.flush()


def _pieces(body: bytes, size: int = 4096) -> Iterator[bytes]:
    for at in range(0, len(body), size):
        yield body[at : at + size]
