"""Cuts a stream of PGN text into games without understanding them, in constant memory.

A game starts at a tag that has text, and not only blanks, between itself and the tag before it, or at an
``Event`` after tags and a blank line. Never at ``[Event`` alone: ChessForge writes other tags first, and two
of them in one block of tags belong to one game. After a blank line any tag of the roster that has already
occurred will do: there are files of headers alone. A tag counts at the beginning of a line, directly after
another tag, or directly after a result (files joined without a line break). After a line that ends in a
result, a line with move number 1 starts a game without tags, and so does, after a blank line, any text:
whatever it is, the game before it has ended.
"""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import BinaryIO, Final

from core import blanks, results
from core.pgn.text_lines import lines

CHUNK: Final = 1 << 16
_LOOKAHEAD = 1 << 18
_ROSTER = frozenset({b"event", b"site", b"date", b"round", b"white", b"black", b"result"})
_TAG_LINES = 8
_LENIENT = 1000
"""How many bytes are searched for the end of a tag that is not written as PGN wants it."""

# All of these look at lines after `blanks.plain`: there is no other blank than ``\s``. Groups are repeated at most so
# often, for each time needs memory (and never by a quantifier with a second +, which CPython before 3.11.5 gets wrong).
_GAP = rb"\s*+"
_NAME = rb"([A-Za-z][A-Za-z0-9_+#=:-]*)"
_ONE_TAG = re.compile(_GAP + rb"\[\s*" + _NAME + rb'\s*"[^"\\\r\n]*"\s*\]\s*')
_TAG_START = re.compile(_GAP + rb"\[\s*" + _NAME + rb"(?=[\s\"'\x80-\xff]|\Z)")
_WHOLE_TAG = re.compile(_GAP + rb"\[\s*" + _NAME + rb'\s*"(?>(?:[^"\\\r\n]++|\\[^\r\n]){0,65536})"\s*\]')
_OTHER_QUOTE = (
    rb"(?:['`\x82\x84\x91-\x94\xab\xb4\xbb]|\xe2\x80[\x98-\x9f\xb3]|\xc2[\xab\xb4\xbb]|\xef\xbc\x82)"
)
_OTHER_QUOTES = re.compile(
    _GAP
    + (rb"\[\s*" + _NAME + rb"\s*" + _OTHER_QUOTE + rb"(?:(?!\[Event\s)[^\r\n]){0,300}?")
    + (rb'(?:"|' + _OTHER_QUOTE + rb")\s*\]")
)
_TAG_END = re.compile(rb'"\s*\]')
_BRACKET = re.compile(rb"\]")
_GLUED = re.compile(rb'\[(?i:Event)\s+"')
_EVENT_AT_END = re.compile(rb'\[(?i:Event)\s+"[^"\\\r\n]*"\s*\]\s*\Z')
_LONGEST_EVENT: Final = 1000
_COMMENT_OR_NEXT = re.compile(
    rb"(?P<open>\{)[^}]*(?P<closed>\}?)|;[^\r\n]*"
    rb"|" + results.IN_BYTES + rb"\s*(?P<next>\[\s*[A-Za-z][A-Za-z0-9_]*\s*(?:\"|" + _OTHER_QUOTE + rb"))"
)
_BRACE = re.compile(rb"[{}]")
_RESULT_AT_END: Final = re.compile(rb"(?:\*|(?:\A|[\s.})])" + results.IN_BYTES + rb")\s*\Z")
_LONGEST_RESULT: Final = results.LONGEST + 1
_MOVE_ONE = re.compile(_GAP + rb"1\s*\.")
_BELONGS_TO_GAME = re.compile(_GAP + rb"(?:[{;()$]|1/2|" + results.IN_BYTES + rb")")


@dataclass(frozen=True, slots=True)
class Piece:
    """One game as it is in the stream, with the blanks after it.

    Attributes:
        raw: Its bytes; of a game over the limit only the first ones.
        offset: Where it begins in the stream, in bytes.
        number: Its number among the pieces, from 1.
        too_large: Whether it is longer than the limit.
        cut_off: Whether reading the stream failed after it, so that its end may be missing.
        encoding: What the user named for bytes that are not UTF-8 (`core.pgn.encodings`).
    """

    raw: bytes
    offset: int
    number: int
    too_large: bool = False
    cut_off: bool = False
    encoding: str | None = None


def split(source: BinaryIO | bytes, max_bytes: int, encoding: str | None = None) -> Iterator[Piece]:
    """Yield the games of *source*: together they are the whole input, except many blanks before a game.

    An error while reading *source* is raised after everything before it was yielded.
    """
    return Splitter(BytesIO(source) if isinstance(source, bytes) else source, max_bytes, encoding).pieces()


def _ends_in_result(line: bytes, at: int) -> bool:
    """Whether *line* (plain), from *at* on, ends in a result and blanks. Only its end is looked at."""
    return _RESULT_AT_END.search(line, max(at, len(line.rstrip()) - _LONGEST_RESULT)) is not None


class Splitter:
    """The state within a game: how the last line ended, and the bytes of that game so far.

    *offset* is that of the first byte of *source* in the stream, and *number* that of the first piece.
    """

    def __init__(
        self, source: BinaryIO, max_bytes: int, encoding: str | None, *, offset: int = 0, number: int = 1
    ) -> None:
        self._source = source
        self._encoding = encoding
        self._failure: Exception | None = None
        self._max_bytes = max_bytes
        self._lines = lines(self._read, max_bytes)
        self._ahead: deque[bytes] = deque()
        self._offset = offset
        self._number = number
        self._raw = bytearray()
        self._size = 0
        self._text_size = 0
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

    @property
    def passed(self) -> int:
        """The place in the stream up to which all bytes belong to pieces, or to the one that goes on."""
        return self._offset + self._size

    def pieces(self) -> Iterator[Piece]:
        """The games, one after another.

        An error while reading is raised after everything before it was yielded.
        """
        while line := self._next():
            plain = blanks.plain(line)
            start = 0
            for cut in self._starts(plain):
                self._add(line[start:cut], plain[start:cut])
                yield from self._piece()
                start = cut
            self._add(line[start:], plain[start:])
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

    def _add(self, part: bytes, plain: bytes) -> None:
        room = self._max_bytes - self._size
        if room > 0:
            self._raw += part[:room]
        text = len(plain.rstrip())
        if text:
            self._text_size = self._size + text
        self._size += len(part)
        if not self._text_size and self._size > CHUNK:  # so many blanks do not belong to the game after them
            self._go_on()

    def _piece(self, *, cut_off: bool = False) -> Iterator[Piece]:
        if not self._text_size:  # what is blank goes before the first game
            return
        too_large = self._text_size > self._max_bytes
        piece = Piece(bytes(self._raw), self._offset, self._number, too_large, cut_off, self._encoding)
        self._number += 1
        self._go_on()
        yield piece

    def _go_on(self) -> None:
        """Begin with the bytes of the next game."""
        self._offset += self._size
        self._raw.clear()
        self._size = self._text_size = 0

    def _starts(self, line: bytes) -> list[int]:
        """The indices in *line* (plain) where new games start."""
        if not line or line.isspace():
            self._after_blank = True
            if self._open_tag:  # a header that was cut off in a tag
                self._open_tag = 0
                self._text = True
            return []
        found = self._in_comment(line) if self._comment else self._outside(line)
        self._after_blank = False
        return found

    def _in_comment(self, line: bytes) -> list[int]:
        end = line.find(b"}")
        lost = self._lost(line, end)
        if lost is not None:
            self._comment = False
            self._text = True
            return self._follow(line, lost, tags=True)
        if end < 0:
            self._ended = _ends_in_result(line, 0)
            return []
        self._comment = False
        return self._follow(line, end + 1)

    def _outside(self, line: bytes) -> list[int]:
        if self._line_start:
            if line.startswith(b"%"):
                return []
            one = _ONE_TAG.fullmatch(line)
            if one is not None:
                return [0] if self._tag(one[1]) else []
            if _TAG_START.match(line):
                return self._follow(line, 0, tags=True)
            if self._open_tag:
                return self._go_on_with_tag(line)
            if self._ended and self._foreign(line):
                self._begin()
                return [0, *self._follow(line, 0)]
        return self._follow(line, 0)

    def _foreign(self, line: bytes) -> bool:
        """Whether *line* cannot belong to a game that has ended."""
        return bool(_MOVE_ONE.match(line)) or (self._after_blank and not _BELONGS_TO_GAME.match(line))

    def _tag(self, name: bytes) -> bool:
        """Note a tag; returns whether it starts a game."""
        name = name.lower()
        event = name == b"event"
        starts = self._text or (
            self._tagged
            and ((self._after_blank and (event or name in self._roster)) or (event and self._open_tag > 0))
        )
        if starts:
            self._begin()
        self._tagged = True
        self._open_tag = 0
        if name in _ROSTER:
            self._roster.add(name)
        self._after_blank = False
        return starts

    def _follow(self, line: bytes, at: int, *, tags: bool = False) -> list[int]:
        """Where games start in *line* from *at* on, where tags and text alternate."""
        starts: list[int] = []
        while at >= 0:
            at = self._tags(line, at, starts) if tags else self._body(line, at)
            tags = not tags
        return starts

    def _tags(self, line: bytes, at: int, starts: list[int]) -> int:
        """Read tags that follow each other in a line; returns where they end, or -1 if that is not known."""
        while tag := _TAG_START.match(line, at):
            if self._tag(tag[1]):
                starts.append(at)
            whole = _WHOLE_TAG.match(line, at) or _OTHER_QUOTES.match(line, at)
            if whole is not None:
                at = whole.end()
                continue
            close = tag.end() + _LENIENT
            glued = _GLUED.search(line, tag.end(), close)
            if glued is not None:  # a header cut off in a tag, and the next game directly after it
                self._text = True
                at = glued.start()
                continue
            end = _TAG_END.search(line, tag.end(), close) or _BRACKET.search(line, tag.end(), close)
            if end is None:
                self._open_tag = 1
                return -1
            at = end.end()
        return at

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
        return self._follow(line, end.end(), tags=True)

    def _body(self, line: bytes, at: int) -> int:
        """Note text between tags; returns where, after a result, the next game begins, or -1 if none does."""
        self._open_tag = 0
        plain_from = at
        # Most lines hold nothing of the kind, and one byte is found many times as quickly as a pattern.
        special = b"{" in line or b";" in line or b"[" in line
        while special and (found := _COMMENT_OR_NEXT.search(line, at)):
            if line[plain_from : found.start()].strip():
                self._text = True
            at = plain_from = found.end()
            if found["next"] is not None:
                self._text = True
                return found.start("next")
            # A comment before the first tag belongs to the game whose tags follow.
            self._text = self._text or self._tagged
            if found["open"] and not found["closed"]:
                self._comment = True
                self._closes = False
                lost = self._lost(line, -1)
                if lost is not None:
                    self._comment = False
                    self._text = True
                    return lost
        if not self._comment and line[plain_from:].strip():
            self._text = True
        self._ended = not self._comment and _ends_in_result(line, plain_from)
        return -1

    def _lost(self, line: bytes, end: int) -> int | None:
        """Where in *line* the next game begins, if the open comment was never closed; else None.

        A tag line after a blank line or a result, or one that begins a header, may be text of the comment. It
        is, if the comment ends before another one begins and before the next game does. *end*: that of the
        comment, in *line*.
        """
        if self._closes or end >= 0:
            return None
        at = self._header(line)
        if at is None:
            return None
        self._closes = self._comment_closes()
        return None if self._closes else at

    def _header(self, line: bytes) -> int | None:
        """The index in *line* of tags that may belong to another game."""
        one = _ONE_TAG.fullmatch(line) if self._line_start else None
        if one is not None and (self._after_blank or self._ended):
            return 0
        if one is None:
            begin = max(0, len(line) - _LONGEST_EVENT)
            one = _EVENT_AT_END.search(line, begin) if line.rstrip().endswith(b"]") else None
        elif one[1].lower() != b"event":
            return None
        if one is None or not self._tag_follows():
            return None
        return one.start()

    def _tag_follows(self) -> bool:
        """Whether the next line is a tag of the roster."""
        line = next(self._peek(), b"")
        one = _ONE_TAG.fullmatch(line)
        return one is not None and one[1].lower() in _ROSTER

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
            blank = not line or line.isspace()
            text = text or not blank
            if size > _LOOKAHEAD:
                return False
        return False

    def _peek(self) -> Iterator[bytes]:
        """The lines that follow, plain."""
        for line in tuple(self._ahead):
            yield blanks.plain(line)
        while line := next(self._lines, b""):
            self._ahead.append(line)
            yield blanks.plain(line)
