"""From PGN files to what goes through the line of parsers: pieces, and notes between them.

Terminology
    PART      one PGN text: a file, or a member of a zip archive.
    ENTRY     a piece of a part, or a note: a part begins, a file is complete.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import structlog

from core.pgn import Piece, not_pgn, split
from daemon.archive.files import FileRow
from daemon.file_search import FileProblem, Found, Stamp
from daemon.files import FileError, Source, open_pgn

log = structlog.get_logger(__name__)

_HEAD: Final = 4096
_MOST_HELD: Final = 8 << 20
"""Bytes at the beginning of a file without anything that may be PGN, after which no more is expected of it."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The pieces that follow are of this part."""

    part: str


@dataclass(frozen=True, slots=True)
class Complete:
    """All of a file has been read; while its digest is *content* (16 bytes) it need not be read again."""

    path: str
    stamp: Stamp
    content: bytes


Entry = Piece | Opened | Complete


@dataclass(slots=True, kw_only=True)
class FileReader:
    """Reads files one after the other, and keeps count.

    Attributes:
        known: the archive's row of a path, None to read a file whether it has changed or not.
        stop: asked before each piece; True ends the reading there.
        report: told before each piece: the part, and how many bytes of the files are behind us.
    """

    known: Callable[[str], FileRow | None]
    stop: Callable[[], bool]
    report: Callable[[str, int], None]
    files: int = 0
    files_unchanged: int = 0
    problems: list[FileProblem] = field(default_factory=list)
    stopped: bool = False
    _behind: int = 0

    def entries(self, found: Iterable[Found | FileProblem]) -> Iterator[Entry]:
        """Everything in the files that have changed; what is wrong with one of them goes to `problems`."""
        for item in found:
            if self.stopped or self.stop():
                self.stopped = True
                return
            if isinstance(item, FileProblem):
                self._problem(item.file, item.message)
                continue
            if item.stamp is None:
                yield from self._file(item)
            else:
                yield from self._file_if_changed(item, item.stamp)
                self._behind += item.stamp.size

    def _file_if_changed(self, item: Found, stamp: Stamp) -> Iterator[Entry]:
        known = self.known(item.path)
        if known is not None and (known.size, known.modified_ns) == (stamp.size, stamp.modified_ns):
            self.files_unchanged += 1
            return
        try:
            complete = Complete(item.path, stamp, _content(item.path))
        except OSError as error:
            self._problem(item.path, f"{item.path}: {error.strerror or error}")
            return
        if known is not None and known.content == complete.content:
            self.files_unchanged += 1
            yield complete
            return
        problems = len(self.problems)
        yield from self._file(item)
        # A file that was written to meanwhile, or could not be read to its end, is read again next time.
        if not self.stopped and len(self.problems) == problems and _stamp(item.path) == stamp:
            yield complete

    def _file(self, item: Found) -> Iterator[Entry]:
        self.files += 1
        try:
            for source in open_pgn(item.path, inside=item.inside):
                yield Opened(source.name)
                yield from self._pieces(source)
        except FileError as error:
            self._problem(item.path, str(error))

    def _pieces(self, source: Source) -> Iterator[Piece]:
        """All of them, if only one may be PGN: the file may be an error page or an image that somebody saved as PGN."""
        pieces = self._until_stopped(source)
        held: list[Piece] = []
        reasons: list[str] = []
        try:
            for piece in pieces:
                held.append(piece)
                reason = not_pgn(piece.raw[:_HEAD])
                if reason is None:
                    reasons.clear()
                    break
                reasons.append(reason)
                if sum(len(one.raw) for one in held) > _MOST_HELD:
                    break
        except FileError:
            yield from held  # the file breaks off behind them, or in the last one
            raise
        if not reasons:
            yield from held
            yield from pieces
        elif not self.stopped:
            raise FileError(f"{source.name}: {reasons[0]}")

    def _until_stopped(self, source: Source) -> Iterator[Piece]:
        for piece in split(source.stream):
            if self.stop():
                self.stopped = True
                return
            self.report(source.name, self._behind + (0 if source.size is None else source.consumed()))
            yield piece

    def _problem(self, file: str, message: str) -> None:
        log.info("file not imported", file=file, problem=message)
        self.problems.append(FileProblem(file, message))


def _stamp(path: str) -> Stamp | None:
    try:
        return Stamp.of(Path(path).stat())
    except OSError:
        return None


def _content(path: str) -> bytes:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).digest()
