"""Cuts a stream of PGN text into games without understanding them, in constant memory.

A game starts at a tag that has text, and not only blanks, between itself and the tag before it, or that is an
``Event`` behind another one or behind tags and a blank line. Never at ``[Event`` alone: ChessForge writes other
tags first. Behind a blank line any tag of the roster that has stood there before will do: there are files of
headers alone. A tag counts at the beginning of a line, directly behind another tag, or directly behind a result
(files joined without a line break). Behind a line that ends in a result, a line with move number 1 starts a game
without tags, and so does, behind a blank line, any text: whatever it is, the game before it has ended.
"""

import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import BinaryIO, Final

CHUNK: Final = 1 << 16
_LOOKAHEAD = 1 << 18
_ROSTER = frozenset({b"Event", b"Site", b"Date", b"Round", b"White", b"Black", b"Result"})
_TAG_LINES = 8
_LENIENT = 1000
"""Where a tag is not written as PGN wants it, its end is looked for in so many bytes."""
_BLANK = b" \t\r\n\v\f\x00\x1a\xef\xbb\xbf"

# Groups are repeated at most so often, for each time needs memory (and never by a quantifier with a second +, which
# CPython before 3.11.5 gets wrong).
_GAP = rb"(?>(?:[\s\x00\x1a]++|\xef\xbb\xbf){0,64})"
_NAME = rb"([A-Za-z][A-Za-z0-9_+#=:-]*)"
_ONE_TAG = re.compile(_GAP + rb"\[\s*" + _NAME + rb'\s*"[^"\\\r\n]*"\s*\]\s*')
_TAG_START = re.compile(_GAP + rb"\[\s*" + _NAME + rb"(?=[\s\"'\x80-\xff]|\Z)")
_WHOLE_TAG = re.compile(_GAP + rb"\[\s*" + _NAME + rb'\s*"(?>(?:[^"\\\r\n]++|\\[^\r\n]){0,65536})"\s*\]')
_TAG_END = re.compile(rb'"\s*\]')
_BRACKET = re.compile(rb"\]")
_GLUED = re.compile(rb'\[Event\s+"')
_COMMENT_OR_NEXT = re.compile(
    rb"(?P<open>\{)[^}]*(?P<closed>\}?)|;[^\r\n]*"
    rb'|(?:1-0|0-1|1/2-1/2|\*)\s*(?P<next>\[\s*[A-Za-z][A-Za-z0-9_]*\s*")'
)
_BRACE = re.compile(rb"[{}]")
_RESULT_AT_END: Final = re.compile(rb"(?:\A|[\s.})])(?:1-0|0-1|1/2-1/2|\*)\s*\Z")
_LONGEST_RESULT: Final = len(b" 1/2-1/2")
_MOVE_ONE = re.compile(_GAP + rb"1\s*\.")
_BELONGS_TO_GAME = re.compile(_GAP + rb"(?:[{;()$]|1-0|0-1|1/2|\*)")


@dataclass(frozen=True, slots=True)
class Piece:
    """One game as it stands in the stream, with the blanks behind it.

    Attributes:
        raw: its bytes; of a game over the limit only the first ones.
        offset: where it begins in the stream.
        number: its place among the pieces, from 1.
        too_large: it is longer than the limit.
        cut_off: reading the stream failed behind it, so that its end may be missing.
    """

    raw: bytes
    offset: int
    number: int
    too_large: bool = False
    cut_off: bool = False


def split(source: BinaryIO | bytes, max_bytes: int) -> Iterator[Piece]:
    """Yield the games of *source*: one after the other they are the whole input, unless that is blank.

    Whatever reading *source* raises, is raised after everything before it was yielded.
    """
    return _Splitter(BytesIO(source) if isinstance(source, bytes) else source, max_bytes).pieces()


def lines(read: Callable[[], bytes], longest: int) -> Iterator[bytes]:
    """Yield from what *read* gives until it gives nothing: the lines with their ends (LF, CRLF or CR); one longer than *longest* bytes comes in parts."""
    held: list[bytes] = []
    size = 0
    while chunk := read():
        held.append(chunk)
        size += len(chunk)
        if size <= longest and b"\n" not in chunk and b"\r" not in chunk and b"\r" not in held[0][-1:]:
            continue
        found = b"".join(held).splitlines(keepends=True)
        # A CR at the very end may be the first half of a CRLF.
        rest = b"" if found[-1].endswith(b"\n") else found.pop()
        for line in found:
            yield from _cut(line, longest)
        *full, rest = _cut(rest, longest)
        yield from full
        held, size = ([rest], len(rest)) if rest else ([], 0)
    if held:
        for line in b"".join(held).splitlines(keepends=True):
            yield from _cut(line, longest)


def _cut(line: bytes, longest: int) -> list[bytes]:
    if len(line) <= longest:
        return [line]
    return [line[at : at + longest] for at in range(0, len(line), longest)]


def _ends_in_result(line: bytes, at: int) -> bool:
    """Does *line*, from *at* on, end in a result and blanks? Only its end is looked at."""
    return _RESULT_AT_END.search(line, max(at, len(line.rstrip()) - _LONGEST_RESULT)) is not None


class _Splitter:
    """Where in a game the last line ended, and the bytes of that game so far."""

    def __init__(self, source: BinaryIO, max_bytes: int) -> None:
        self._source = source
        self._failure: Exception | None = None
        self._max_bytes = max_bytes
        self._lines = lines(self._read, max_bytes)
        self._ahead: deque[bytes] = deque()
        self._offset = 0
        self._number = 1
        self._raw = bytearray()
        self._size = 0
        self._blank_so_far = True
        self._line_start = True
        self._after_blank = True
        self._ended = False
        self._begin()

    def _begin(self) -> None:
        """Forget what was known about the game before."""
        self._tagged = False
        self._text = False
        self._roster: set[bytes] = set()
        self._comment = False
        self._closes = False
        self._open_tag = 0
        self._ended = False

    def pieces(self) -> Iterator[Piece]:
        while line := self._next():
            start = 0
            for cut in self._starts(line):
                self._add(line[start:cut])
                yield from self._piece()
                start = cut
            self._add(line[start:] if start else line)
            self._line_start = line.endswith((b"\n", b"\r"))
        yield from self._piece(cut_off=self._failure is not None)
        if self._failure is not None:
            raise self._failure

    def _read(self) -> bytes:
        try:
            return self._source.read(CHUNK)
        except Exception as error:  # noqa: BLE001 - `pieces` raises it when what came before is out
            self._failure = error
            return b""

    def _next(self) -> bytes:
        return self._ahead.popleft() if self._ahead else next(self._lines, b"")

    def _add(self, part: bytes) -> None:
        room = self._max_bytes - self._size
        if room > 0:
            self._raw += part[:room]
        self._size += len(part)
        if self._blank_so_far:
            self._blank_so_far = not part.strip(_BLANK)

    def _piece(self, *, cut_off: bool = False) -> Iterator[Piece]:
        if self._blank_so_far:  # what is blank goes before the first game
            return
        too_large = self._size > self._max_bytes
        yield Piece(bytes(self._raw), self._offset, self._number, too_large, cut_off)
        self._offset += self._size
        self._number += 1
        self._raw.clear()
        self._size = 0
        self._blank_so_far = True

    def _starts(self, line: bytes) -> list[int]:
        """Where in *line* new games start."""
        if not line.strip(_BLANK):
            self._after_blank = True
            if self._open_tag:  # a header that was cut off in a tag
                self._open_tag = 0
                self._text = True
            return []
        found = self._in_comment(line) if self._comment else self._outside(line)
        self._after_blank = False
        return found

    def _in_comment(self, line: bytes) -> list[int]:
        if self._lost(line):
            self._comment = False
            self._text = True
            return self._tags(line, 0)
        end = line.find(b"}")
        if end < 0:
            self._ended = _ends_in_result(line, 0)
            return []
        self._comment = False
        return self._body(line, end + 1)

    def _outside(self, line: bytes) -> list[int]:
        if self._line_start:
            if line.startswith(b"%"):
                return []
            one = _ONE_TAG.fullmatch(line)
            if one is not None:
                self._open_tag = 0
                return [0] if self._tag(one[1]) else []
            if _TAG_START.match(line):
                return self._tags(line, 0)
            if self._open_tag:
                return self._go_on_with_tag(line)
            if self._ended and self._foreign(line):
                self._begin()
                return [0, *self._body(line, 0)]
        return self._body(line, 0)

    def _foreign(self, line: bytes) -> bool:
        """Can *line* not belong to a game that has ended?"""
        return bool(_MOVE_ONE.match(line)) or (self._after_blank and not _BELONGS_TO_GAME.match(line))

    def _tag(self, name: bytes) -> bool:
        """Take note of a tag: does it start a game?"""
        event = name == b"Event"
        starts = self._text or (
            self._tagged
            and (event or self._after_blank)
            and (name in self._roster or (event and self._after_blank))
        )
        if starts:
            self._begin()
        self._tagged = True
        if name in _ROSTER:
            self._roster.add(name)
        self._after_blank = False
        return starts

    def _tags(self, line: bytes, at: int) -> list[int]:
        """Read tags that stand one behind the other in a line, then what follows them."""
        starts: list[int] = []
        while tag := _TAG_START.match(line, at):
            if self._tag(tag[1]):
                starts.append(at)
            whole = _WHOLE_TAG.match(line, at)
            if whole is not None:
                at = whole.end()
                continue
            close = tag.end() + _LENIENT
            glued = _GLUED.search(line, tag.end(), close)
            if glued is not None:  # a header cut off in a tag, and the next game directly behind it
                self._text = True
                at = glued.start()
                continue
            end = _TAG_END.search(line, tag.end(), close) or _BRACKET.search(line, tag.end(), close)
            if end is None:
                self._open_tag = 1
                return starts
            at = end.end()
        return [*starts, *self._body(line, at)]

    def _go_on_with_tag(self, line: bytes) -> list[int]:
        """A tag was broken over lines: look for its end, but not for long."""
        end = _TAG_END.search(line)
        if end is None:
            self._open_tag += 1
            if self._open_tag > _TAG_LINES:
                self._open_tag = 0
                self._text = True
            return []
        self._open_tag = 0
        return self._tags(line, end.end())

    def _body(self, line: bytes, at: int) -> list[int]:
        """Take note of text that is no tag; it may hold the beginning of the next game behind a result."""
        self._open_tag = 0
        plain_from = at
        # Most lines hold nothing of the kind, and one byte is found many times as quickly as a pattern.
        special = b"{" in line or b";" in line or b"[" in line
        while special and (found := _COMMENT_OR_NEXT.search(line, at)):
            if line[plain_from : found.start()].strip(_BLANK):
                self._text = True
            at = plain_from = found.end()
            if found["next"] is not None:
                self._text = True
                return self._tags(line, found.start("next"))
            # A comment before the first tag belongs to the game whose tags follow.
            self._text = self._text or self._tagged
            if found["open"] and not found["closed"]:
                self._comment = True
                self._closes = False
        if not self._comment and line[plain_from:].strip(_BLANK):
            self._text = True
        self._ended = not self._comment and _ends_in_result(line, plain_from)
        return []

    def _lost(self, line: bytes) -> bool:
        """Is the open comment one that nobody closed, and *line* the first of the next game?

        A tag line behind a blank line or a result may be text of the comment. It is, if the comment ends
        before another one begins and before the next game does.
        """
        if self._closes or not (self._after_blank or self._ended) or not _ONE_TAG.fullmatch(line):
            return False
        self._closes = self._comment_closes()
        return not self._closes

    def _comment_closes(self) -> bool:
        size = 0
        text = blank = False
        for line in self._peek():
            size += len(line)
            if _ONE_TAG.fullmatch(line):
                if (text and blank) or size > _LOOKAHEAD:
                    return False
                continue
            brace = _BRACE.search(line)
            if brace is not None:
                return brace[0] == b"}"
            blank = not line.strip(_BLANK)
            text = text or not blank
            if size > _LOOKAHEAD:
                return False
        return False

    def _peek(self) -> Iterator[bytes]:
        yield from tuple(self._ahead)
        while line := next(self._lines, b""):
            self._ahead.append(line)
            yield line
