"""Response bodies as streams: decompressed, cut into lines or JSON items, always within bounds.

HTTP libraries report no error for a gzip body that breaks off, and decompress a gzip bomb in one piece; so
the decompression is done here. All functions read lazily and raise `fetchers.errors` at the fault: what was
yielded before it is good.
"""

import codecs
import io
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final, cast

from fetchers.errors import BadAnswer, Incomplete

PIECE_BYTES: Final = 1 << 18
"""Decompressed bytes are handed on in pieces of at most this size."""

MOST_RATIO: Final = 250
"""Games compress to a fifth, at best a thirtieth; a body that expands to more times its size is a bomb …"""
BOMB_BYTES: Final = 16 << 20
"""… from this size on: a smaller one proves nothing, and does no harm."""

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_LINE: Final = re.compile(rb"[^\n]*\n|[^\n]+")
_MORE_NUMBER: Final = re.compile(r"[0-9.eE+-]*")
"""Characters that may continue the number before them."""
_BLANKS: Final = " \t\r\n"
_LONGEST_TOKEN: Final = 12
"""Characters of the longest JSON token, apart from strings, that has no end of its own when it is cut: a pair of ``\\uXXXX``."""

_BROKE_OFF: Final = "the answer broke off in the middle"
_NOT_JSON: Final = "the answer is not the JSON that the site promises"


def unpacked(chunks: Iterable[bytes], encoding: str, *, most: int) -> Iterator[bytes]:
    """The body without its content encoding, at most *most* bytes of it."""
    encoding = encoding.strip().lower()
    if encoding in {"", "identity"}:
        pieces = iter(chunks)
    elif encoding in {"gzip", "x-gzip", "deflate"}:
        pieces = _inflated(chunks)
    else:
        raise BadAnswer(f"the answer is encoded as {encoding[:40]!r}, which nobody asked for")
    yield from at_most(pieces, most)


def at_most(pieces: Iterable[bytes], most: int) -> Iterator[bytes]:
    """The same, but raises `BadAnswer` if it is longer than *most* bytes."""
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > most:
            raise BadAnswer(f"the answer is longer than {most} bytes")
        yield piece


def _inflated(chunks: Iterable[bytes]) -> Iterator[bytes]:
    inflater, begun = _inflater(), False
    packed = size = 0
    for chunk in chunks:
        rest = chunk
        packed += len(chunk)
        while rest:
            if inflater.eof:  # one gzip file may follow another
                inflater = _inflater()
            begun = True
            try:
                piece = inflater.decompress(rest, PIECE_BYTES)
            except zlib.error as error:
                raise BadAnswer("the answer's compression is broken") from error
            rest = inflater.unconsumed_tail or inflater.unused_data
            size += len(piece)
            if size > max(BOMB_BYTES, MOST_RATIO * packed):
                raise BadAnswer(f"the answer unpacks to more than {MOST_RATIO} times its size")
            if piece:
                yield piece
    if begun and not inflater.eof:
        raise Incomplete("the compressed answer broke off")


def _inflater() -> "zlib._Decompress":
    return zlib.decompressobj(zlib.MAX_WBITS | 32)  # 32: gzip or zlib, whichever it is


def lines(chunks: Iterable[bytes], *, longest: int) -> Iterator[bytes]:
    """The lines of a body with their ends; a last line without end may be half a line."""
    rest = bytearray()
    for chunk in chunks:
        for part in _LINE.findall(chunk):
            rest += part
            if len(rest) > longest:
                raise BadAnswer(f"the answer has a line of more than {longest} bytes")
            if part.endswith(b"\n"):
                yield bytes(rest)
                rest.clear()
    if rest:
        yield bytes(rest)


class _Flow(io.RawIOBase):
    """Chunks as a file. Their errors are raised by `read`."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._rest = b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        """At most *size* bytes (all of one chunk, if negative); b"" at the end."""
        while not self._rest:
            chunk = next(self._chunks, None)
            if chunk is None:
                return b""
            self._rest = chunk
        taken, self._rest = (self._rest, b"") if size < 0 else (self._rest[:size], self._rest[size:])
        return taken


def as_file(chunks: Iterable[bytes]) -> BinaryIO:
    """The body as a file that is read once, from its beginning."""
    return cast("BinaryIO", _Flow(chunks))  # typing knows only the library's own classes as BinaryIO


class _JsonText:
    """JSON text that is read from its beginning while it still arrives."""

    def __init__(self, chunks: Iterable[bytes], longest: int) -> None:
        self._chunks = iter(chunks)
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._json = json.JSONDecoder()
        self._text = ""
        self._at = 0
        self._longest = longest

    def peek(self) -> str:
        """The next character that is not white space, "" at the end."""
        while True:
            match = _SPACE.match(self._text, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def take(self, expected: str) -> None:
        """Skip the one character that must come now."""
        found = self.peek()
        if not found:
            raise Incomplete(_BROKE_OFF)
        if found != expected:
            raise BadAnswer(_NOT_JSON)
        self._at += 1

    def value(self) -> object:
        """The next JSON value, complete."""
        self.peek()
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if not _is_cut(self._text[error.pos :]):
                    raise BadAnswer(_NOT_JSON) from error
                if not self._much_more():
                    raise Incomplete(_BROKE_OFF) from error
                continue
            except (ValueError, RecursionError) as error:  # a number or a nesting beyond what Python reads
                raise BadAnswer(_NOT_JSON) from error
            if isinstance(value, dict | list | str) or not _MORE_NUMBER.fullmatch(self._text, end):
                self._at = end
                return value
            if not self._more():
                raise Incomplete(_BROKE_OFF)

    def _much_more(self) -> bool:
        """A quarter more, or all there is: so a long item in small pieces is not parsed at each of them."""
        wanted = len(self._text) - self._at
        wanted += wanted // 4
        got = self._more()
        while got and len(self._text) - self._at < wanted and self._more():
            pass
        return got

    def _more(self) -> bool:
        for chunk in self._chunks:
            if text := self._decoded(chunk):
                self._text = self._text[self._at :] + text
                self._at = 0
                if len(self._text) > self._longest + len(text):
                    raise BadAnswer(f"the answer has an item of more than {self._longest} characters")
                return True
        return False

    def _decoded(self, chunk: bytes) -> str:
        try:
            return self._decode(chunk)
        except UnicodeDecodeError as error:
            raise BadAnswer("the answer is not UTF-8") from error


def _is_cut(rest: str) -> bool:
    """Is the fault at which *rest* begins only that the text ends too early: in a string, or in a shorter token?"""
    if rest.startswith('"') and '"' not in rest[1:].replace("\\\\", "").replace('\\"', ""):
        return True
    return len(rest.lstrip(_BLANKS)) <= _LONGEST_TOKEN


def items(chunks: Iterable[bytes], key: str, *, longest: int) -> Iterator[object]:
    """The items of the list under *key* of one JSON object, each as soon as it is complete.

    The iterator ends normally only after the object's own end: a body that breaks off raises `Incomplete`.
    """
    text = _JsonText(chunks, longest)
    found = False
    text.take("{")
    while text.peek() != "}":
        name = text.value()
        text.take(":")
        if name == key and text.peek() == "[":
            found = True
            yield from _list_items(text)
        else:
            text.value()
        if text.peek() != "}":
            text.take(",")
    text.take("}")
    if text.peek():
        raise BadAnswer("something follows the end of the answer's JSON")
    if not found:
        raise BadAnswer(f"the answer has no list {key!r}")


def _list_items(text: _JsonText) -> Iterator[object]:
    text.take("[")
    while text.peek() != "]":
        yield text.value()
        if text.peek() != "]":
            text.take(",")
    text.take("]")
