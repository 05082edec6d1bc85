"""From PGN files to what goes through the line of parsers: games, many in one text, and notes between them.

Terminology
    PART      one PGN text: a file, or a member of a zip archive.
    ENTRY     some games of a part, or a note: a part begins, a file is complete.

Whatever is wrong with a file is a problem of that file; the next one is read all the same.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from core.pgn.reader import Cut, cuts, not_pgn
from core.plurals import count_of
from daemon.archive.errors import ArchiveError
from daemon.archive.games.files import FileRow
from daemon.imports import held_files
from daemon.imports.foreign_files import what_to_do
from daemon.imports.found_files import FileProblem, FoundFile, Stamp
from daemon.imports.pace import CuttingPace, ReadingStopped
from daemon.imports.pgn_files import FileError, GivenUp, PgnStream, open_pgn
from daemon.logs import get_logger
from daemon.paths import shown

log = get_logger(__name__)

_HEAD: Final = 4096
_MOST_HELD: Final = 8 << 20
"""A file that begins with this many bytes that cannot be PGN is given up."""
_BLOCK: Final = 1 << 20
_TRIES: Final = 3
"""How often a file that changes while it is read is read in one import."""
_MOST_PROBLEMS: Final = 10
"""How many members of one zip archive are reported one by one."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The following games are of this part of the file *path*; *encoding*.

    What the user named for it, now or before.
    """

    part: str
    path: str
    encoding: str | None = None


@dataclass(frozen=True, slots=True)
class Complete:
    """All of a file has been read; while its digest is *content* (16 bytes) it need not be read again.

    *parts*: those that were read now; none if the file was known by its content.
    """

    path: str
    stamp: Stamp
    content: bytes
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Torn:
    """The file changed while it was read; another reading of all of it follows."""

    path: str


Entry = Cut | Opened | Complete | Torn


@dataclass(slots=True, kw_only=True)
class FileReader:
    """Reads files one after another, and counts.

    Attributes:
        known: Returns the archive's row of a path, None if it has none.
        stop: Asked before each block, and before its games; True ends the reading there.
        report: Called before the games of each block: the part, and how many bytes of the files have been read.
        encoding: What the user named for the files; if nothing, what they named before holds.
        again: Also files that have not changed.
    """

    known: Callable[[str], FileRow | None]
    stop: Callable[[], bool]
    report: Callable[[str, int], None]
    encoding: str | None = None
    again: bool = False
    files: int = 0
    files_unchanged: int = 0
    problems: list[FileProblem] = field(default_factory=list)
    stopped: bool = False
    _bytes_done: int = 0
    _now: str | None = None

    def entries(self, found: Iterable[FoundFile | FileProblem]) -> Iterator[Entry]:
        """Everything in the files that have changed; their faults go to `problems`."""
        for item in found:
            if self.stopped or self.stop():
                self.stopped = True
                return
            if isinstance(item, FileProblem):
                self._problem(item)
                continue
            try:
                yield from self._item(item)
            except ReadingStopped:
                self.stopped = True
                return
            except FileError as error:
                self._problem(FileProblem(item.path, str(error), error.passing))
            except ArchiveError:
                raise
            except Exception as error:
                log.exception("a file could not be read; please report this", file=shown(item.path))
                what = f"{shown(item.path)}: internal error ({type(error).__name__}: {error}); please report this"
                self._problem(FileProblem(item.path, what))

    def _item(self, item: FoundFile) -> Iterator[Entry]:
        hint = what_to_do(item.path)
        if hint is not None:
            raise FileError(item.path, hint)
        self._now = self.encoding
        if item.stamp is None:
            self.files += 1
            yield from self._parts(item, None, [])
        else:
            yield from self._file_if_changed(item, item.stamp)
            self._bytes_done += item.stamp.size

    def _file_if_changed(self, item: FoundFile, stamp: Stamp) -> Iterator[Entry]:
        known = self.known(item.path)
        if known is not None:
            self._now = self.encoding or known.encoding
            if self.again or known.encoding != self._now:
                known = None
        if known is not None and (known.size, known.modified_ns) == (stamp.size, stamp.modified_ns):
            self.files_unchanged += 1
            return
        content = self._content(item.path)
        if known is not None and known.content == content:
            self.files_unchanged += 1
            yield Complete(item.path, stamp, content)
            return
        self.files += 1
        yield from self._until_whole(item, stamp, content)

    def _until_whole(self, item: FoundFile, stamp: Stamp, content: bytes) -> Iterator[Entry]:
        """Read the file; once more, if somebody writes to it meanwhile."""
        for _ in range(_TRIES):
            parts: list[str] = []
            problems = len(self.problems)
            yield from self._parts(item, stamp, parts)
            if self.stopped or len(self.problems) > problems:
                return
            now = _stamp(item.path)
            if now == stamp:
                yield Complete(item.path, stamp, content, tuple(parts))
                return
            yield Torn(item.path)
            stamp, content = now, self._content(item.path)
        what = "it is still being written: its last game is taken in once it no longer changes"
        raise FileError(item.path, what, passing=True)

    def _parts(self, item: FoundFile, stamp: Stamp | None, parts: list[str]) -> Iterator[Entry]:
        """Every part of the file. A part that cannot be read to its end is a problem.

        The next one is read.
        """
        pace = CuttingPace(item.path, self.stop, 0 if stamp is None else stamp.size)
        problems = 0
        for source in open_pgn(item.path, inside=item.inside, between=pace.between):
            parts.append(source.name)
            yield Opened(source.name, item.path, self._now)
            try:
                yield from self._games(source, pace, item, stamp)
            except GivenUp:
                raise
            except FileError as error:
                problems += 1
                if problems <= _MOST_PROBLEMS:
                    self._problem(FileProblem(item.path, str(error), error.passing))
        if problems > _MOST_PROBLEMS:
            raise FileError(
                item.path,
                f"{count_of(problems - _MOST_PROBLEMS, 'more file')} in it could not be read to the end",
            )

    def _games(
        self, source: PgnStream, pace: CuttingPace, item: FoundFile, stamp: Stamp | None
    ) -> Iterator[Cut]:
        """All of them, if any may be PGN.

        The file may be an error page or an image that somebody saved as PGN.
        """
        found = self._but_a_torn_end(self._reported(source, pace), item, stamp)
        held: list[Cut] = []
        reason: str | None = None
        try:
            for cut in found:
                held.append(cut)
                not_any = _not_pgn(cut)
                reason = not_any and (reason or not_any)
                if reason is None or sum(len(one.raw) for one in held) > _MOST_HELD:
                    break
        except FileError:
            yield from held  # the file breaks off after them, or in the last one
            raise
        if reason is not None:
            raise FileError(source.name, reason)
        yield from held
        yield from found

    def _but_a_torn_end(self, cuts: Iterable[Cut], item: FoundFile, stamp: Stamp | None) -> Iterator[Cut]:
        """All games, without the last one while somebody writes to the file: it may be half a game."""
        last: Cut | None = None
        try:
            for cut in cuts:
                if last is not None:
                    yield last
                last = cut
        except FileError:
            if last is not None:
                yield last
            raise
        if last is None:
            return
        whole = len(last) - _is_torn(item.path, stamp)
        if whole:
            yield last.part(0, whole)

    def _reported(self, source: PgnStream, pace: CuttingPace) -> Iterator[Cut]:
        for cut in pace.cuts(cuts(source.stream, encoding=self._now)):
            pace.ask()
            self.report(source.name, self._bytes_done + (0 if source.size is None else source.consumed()))
            yield cut

    def _content(self, path: str) -> bytes:
        """A digest of all of the file."""
        digest = hashlib.blake2b(digest_size=16)
        try:
            with held_files.open_file(path) as file:
                while block := file.read(_BLOCK):
                    if self.stop():
                        raise ReadingStopped
                    digest.update(block)
        except OSError as error:
            raise FileError.of(path, error) from error
        return digest.digest()

    def _problem(self, problem: FileProblem) -> None:
        log.info("file not imported", file=problem.file, problem=problem.message)
        self.problems.append(problem)


def _not_pgn(cut: Cut) -> str | None:
    """What the first of these games is, if none of them can be PGN."""
    reasons = []
    for raw in cut.raws():
        reason = not_pgn(raw[:_HEAD])
        if reason is None:
            return None
        reasons.append(reason)
    return reasons[0]


def _is_torn(path: str, stamp: Stamp | None) -> bool:
    """Whether the file is no longer the one it was. One that is gone was read as it last was."""
    try:
        return stamp is not None and Stamp.of(held_files.status(path)) != stamp
    except OSError:
        return False


def _stamp(path: str) -> Stamp:
    try:
        return Stamp.of(held_files.status(path))
    except FileNotFoundError as error:
        raise FileError(path, "it was deleted while it was being read") from error
    except OSError as error:
        raise FileError.of(path, error) from error
