"""Stores what an import reads: games in batches, each in one transaction, and files after their last batch."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Final

from core.game import Unreadable
from daemon import clock
from daemon.archive.archive import Archive, Connection
from daemon.archive.database.bulk import chunks
from daemon.archive.errors import ArchiveBusy, ArchiveError
from daemon.archive.games import left_files, quarantine
from daemon.archive.games.counts import Counts
from daemon.archive.games.file_places import Placed
from daemon.archive.games.files import FileRow, file_row, find_file, note_encoding, record_file
from daemon.archive.games.known_pieces import KnownPiece, KnownUnread, Unmoved, see_again
from daemon.archive.games.left_files import ImportReading
from daemon.archive.games.prepared import Prepared
from daemon.archive.schedule import rounds
from daemon.archive.tables.words import RoundOutcome
from daemon.archive.take_in import (
    FilePiece,
    IntakeBatch,
    PackedBatch,
    PackedTellings,
    QuarantineItem,
    Telling,
    take_in_together,
)
from daemon.imports.bundles import AnyParsed, Parsed, ParsedRun
from daemon.imports.known import Known
from daemon.imports.parser_process import parse_one
from daemon.imports.pieces import Complete, Opened, Torn
from daemon.imports.reasons import Reasons
from daemon.imports.tally import Tally
from daemon.logs import get_logger
from daemon.paths import shown

log = get_logger(__name__)

STEP: Final = 500
"""Games that are looked up and decided together."""


ParsedEntry = AnyParsed | Known | Opened | Complete | Torn
"""What comes out of the line of parsers: games, those that are known, and notes on their files."""


@dataclass(frozen=True, slots=True)
class BatchSize:
    """What one transaction stores at most; *bytes* of PGN, *known* games that are known by their bytes.

    None waits longer than *seconds* to be stored.
    """

    games: int
    bytes: int
    known: int
    seconds: float


SMALL: Final = BatchSize(STEP, 4 << 20, 10_000, 30.0)
"""For a program that does other things meanwhile: little memory, and the archive is never taken for long."""
LARGE: Final = BatchSize(20_000, 24 << 20, 10_000, 30.0)
"""For an import alone: most games lie in other pages of the indexes, each of which a transaction writes once."""


@dataclass(slots=True)
class _ImportBatch:
    """What goes into the archive together: games that were parsed, known ones, files that are complete with them."""

    parsed: list[tuple[Opened, AnyParsed]] = field(default_factory=list)
    known: list[KnownPiece | Unmoved] = field(default_factory=list)
    complete: list[Complete] = field(default_factory=list)
    games: int = 0
    """How many were parsed."""
    seen: int = 0
    """How many are known."""
    size: int = 0
    begun: float = field(default_factory=time.monotonic)

    def add(self, opened: Opened, parsed: AnyParsed) -> None:
        self.parsed.append((opened, parsed))
        self.games += 1 if isinstance(parsed, Parsed) else parsed.run.count
        self.size += parsed.size

    def add_known(self, known: Known) -> None:
        self.known.extend(known.pieces)
        self.seen += sum(len(one) if isinstance(one, Unmoved) else 1 for one in known.pieces)

    def full(self, most: BatchSize) -> bool:
        return (
            self.games + len(self.complete) >= most.games
            or self.size >= most.bytes
            or len(self.known) >= most.known
            or time.monotonic() - self.begun >= most.seconds
        )

    @property
    def blank(self) -> bool:
        return not (self.parsed or self.known or self.complete)

    @property
    def paths(self) -> list[str]:
        parts = (opened.part for opened, _ in self.parsed)
        return list(dict.fromkeys((*parts, *(complete.path for complete in self.complete))))


@dataclass(frozen=True, slots=True)
class _Sourced:
    """A piece that was parsed, the part of a file that it is in, and the path of that file."""

    part: str
    path: str
    source: FilePiece
    outcome: Prepared | Unreadable

    @property
    def item(self) -> QuarantineItem | None:
        """What goes to quarantine, of a piece that could not be read."""
        return _item(self.part, self.source, self.outcome) if isinstance(self.outcome, Unreadable) else None


@dataclass(frozen=True, slots=True)
class _SourcedRun:
    """Packed games, the part of a file that they are in, and the path of that file."""

    part: str
    path: str
    file_id: int
    parsed: ParsedRun

    @property
    def packed(self) -> PackedTellings:
        """What is taken in of them."""
        parsed = self.parsed
        return PackedTellings(
            run=parsed.run,
            places=parsed.places,
            file_id=self.file_id,
            offsets=[offset for cut in parsed.cuts for offset in cut.offsets()],
            encoding=parsed.cuts[0].encoding,
            raws=lambda: (raw for cut in parsed.cuts for raw in cut.raws()),
        )

    def alone(self) -> list[_Sourced]:
        """Each game by itself, parsed here."""
        return [
            _Sourced(self.part, self.path, FilePiece(self.file_id, piece.offset), parse_one(piece))
            for piece in self.parsed.pieces()
        ]


class ImportStore:
    """Stores the games that an import reads, batch by batch."""

    def __init__(self, archive: Archive, source: str, most: BatchSize = SMALL) -> None:
        self.counts = dict.fromkeys((counter.name for counter in fields(Counts)), 0)
        self.reasons = Reasons()
        self._archive = archive
        self._source = source
        self.tally = Tally()
        self._round: int | None = None
        self._most = most
        self._batch = _ImportBatch()
        self._reading: ImportReading | None = None
        self._made: set[str] = set()
        self._encodings: dict[str, str] = {}
        self.left = 0

    @property
    def taken(self) -> int:
        """Games read so far that are in the archive."""
        return self.counts["read"] - self.counts["quarantined"]

    @property
    def read(self) -> int:
        """Games read so far, those too that the next transaction stores."""
        return self.counts["read"] + self._batch.games + self._batch.seen

    def known(self, path: str) -> FileRow | None:
        """What the archive remembers of a file."""
        with self._archive.reading() as connection:
            return find_file(connection, path)

    def take(self, entries: Iterator[ParsedEntry]) -> None:
        """Store everything."""
        opened = Opened("", "")
        for entry in entries:
            self.tally.note(entry)
            if isinstance(entry, Opened):
                opened = entry
                if entry.encoding is not None:
                    self._encodings |= {entry.path: entry.encoding, entry.part: entry.encoding}
            elif isinstance(entry, Torn):
                self._store()
                self._reading = None
            elif isinstance(entry, Complete):
                self._batch.complete.append(entry)
            elif isinstance(entry, Known):
                self._batch.add_known(entry)
            else:
                self._batch.add(opened, entry)
            if self._batch.full(self._most):
                self._store()
        self._store()

    def begin_round_for(self, error: str | None) -> None:
        """Begin a row for an import that brought only an error, unless the last one was the same."""
        with self._archive.writing() as connection:
            if self._round is None and rounds.last_error(connection, self._source) != error:
                self._round = rounds.begin_round(connection, "import", self._source, None, clock.now_ms())

    def end_round(self, outcome: RoundOutcome, error: str | None) -> None:
        """Close the row of this import, if there was anything to store or to report."""
        if self._round is not None:
            with self._archive.writing() as connection:
                rounds.end_round(connection, self._round, outcome, error, clock.now_ms())

    def _store(self) -> None:
        batch, self._batch = self._batch, _ImportBatch()
        if batch.blank:
            return
        now_ms = clock.now_ms()
        with self._archive.writing() as connection:
            if self._round is None and (batch.size or batch.known):
                self._round = rounds.begin_round(connection, "import", self._source, None, now_ms)
            reading = self._reading = self._reading or left_files.begin(connection, now_ms)
            ids = {path: self._file_id(connection, path) for path in batch.paths}
            self._note_encodings(connection)
        if batch.size:
            self._take_in(batch, ids, reading.placed, now_ms)
        with self._archive.writing() as connection:
            self._see_again(connection, batch.known, reading.placed, now_ms)
            for done in batch.complete:
                self._complete(connection, done, ids[done.path], reading, now_ms)

    def _file_id(self, connection: Connection, path: str) -> int:
        if find_file(connection, path) is None:
            self._made.add(path)
        return file_row(connection, path).id

    def _note_encodings(self, connection: Connection) -> None:
        """Store the encodings that the user named for these files, for what is appended to them too."""
        for path, encoding in self._encodings.items():
            row = file_row(connection, path)
            if row.encoding != encoding:
                self._refuse_without_indexes(path)
                note_encoding(connection, row.id, encoding)
        self._encodings.clear()

    def _refuse_without_indexes(self, path: str) -> None:
        """Refuse to read a known file in another encoding while nothing keeps its tellings apart.

        Raises:
            ArchiveBusy: a large import has left out that index, and builds it when it ends.
        """
        if path not in self._made and self._archive.lacks_indexes():
            raise ArchiveBusy(
                f"{shown(path)} cannot be read in another encoding now: a large import has put off some indexes of the archive, "
                "and builds them when it ends. Import it again afterwards (`gamekeeper verify` says what is missing)"
            )

    def _complete(
        self, connection: Connection, done: Complete, file_id: int, reading: ImportReading, now_ms: int
    ) -> None:
        stamp = {"size": done.stamp.size, "modified_ns": done.stamp.modified_ns}
        record_file(connection, file_id, **stamp, content=done.content, now_ms=now_ms)
        if done.parts and not self._made.issuperset((done.path, *done.parts)):
            self.left += left_files.settle(connection, done.path, done.parts, reading, now_ms)

    def _see_again(
        self, connection: Connection, known: Sequence[KnownPiece | Unmoved], placed: Placed, now_ms: int
    ) -> None:
        if not known or self._round is None:
            return
        seen = see_again(connection, known, placed, now_ms)
        rounds.add_counts(connection, self._round, seen)
        self._count(seen)
        for one in known:
            if isinstance(one, KnownUnread) and not one.mended:
                self.reasons.add(one.reason)

    def _take_in(self, batch: _ImportBatch, ids: dict[str, int], placed: Placed, now_ms: int) -> None:
        sourced = [_sourced(opened, parsed, ids[opened.part]) for opened, parsed in batch.parsed]
        self._take_in_or_divide(sourced, placed, now_ms)
        self._note_mended([one for one in sourced if isinstance(one, _Sourced)])

    def _note_mended(self, pieces: Sequence[_Sourced]) -> None:
        unread = [(item.digest, piece.path) for piece in pieces if (item := piece.item) is not None]
        if unread:
            with self._archive.reading() as connection:
                mended = quarantine.mended(connection, [digest for digest, _ in unread])
            for digest, path in unread:
                if digest in mended:
                    self.tally.mended(path)

    def _take_in_or_divide(
        self, given: Sequence[_Sourced | _SourcedRun], placed: Placed, now_ms: int
    ) -> None:
        """Store them: a game that no database takes is a problem of this game alone."""
        noted = placed.noted()
        try:
            self._take_in_these(given, placed, now_ms)
        except ArchiveError:
            raise
        except Exception as error:
            placed.forget_since(noted)
            if len(given) == 1 and isinstance(given[0], _Sourced):
                self._set_aside(given[0], error, placed, now_ms)
                return
            log.exception("some games could not be stored together, so fewer are; please report this")
            pieces = [
                piece for one in given for piece in ([one] if isinstance(one, _Sourced) else one.alone())
            ]
            for some in chunks(pieces, STEP if len(pieces) > STEP else 1):
                self._take_in_or_divide(some, placed, now_ms)

    def _set_aside(self, piece: _Sourced, error: Exception, placed: Placed, now_ms: int) -> None:
        """Put a game into quarantine that could not be stored. The error was logged with others, or is now."""
        if isinstance(piece.outcome, Unreadable):
            raise error
        reason = f"internal error: {type(error).__name__}: {error}"
        unreadable = Unreadable(raw=piece.outcome.game.raw, reason=reason)
        self._take_in_these([replace(piece, outcome=unreadable)], placed, now_ms)

    def _take_in_these(self, given: Sequence[_Sourced | _SourcedRun], placed: Placed, now_ms: int) -> None:
        """Store them in one transaction."""
        for taken in take_in_together(self._archive, self._batches(given, placed, now_ms)):
            self._count(taken)
        for one in given:
            if isinstance(one, _Sourced) and isinstance(one.outcome, Unreadable):
                self.reasons.add(one.outcome.reason)

    def _batches(
        self, given: Sequence[_Sourced | _SourcedRun], placed: Placed, now_ms: int
    ) -> Iterator[IntakeBatch | PackedBatch]:
        """What is taken in together: games in their order; those that could not be read wait until they are many."""
        waiting: list[_Sourced] = []
        for one in given:
            if isinstance(one, _SourcedRun):
                if any(isinstance(piece.outcome, Prepared) for piece in waiting):
                    yield self._step(waiting, placed, now_ms)
                    waiting = []
                yield self._packed(one, placed, now_ms)
                continue
            waiting.append(one)
            if len(waiting) == STEP:
                yield self._step(waiting, placed, now_ms)
                waiting = []
        if waiting:
            yield self._step(waiting, placed, now_ms)

    def _packed(self, run: _SourcedRun, placed: Placed, now_ms: int) -> PackedBatch:
        def ordinary() -> Iterator[IntakeBatch]:
            return (self._step(some, placed, now_ms) for some in chunks(run.alone(), STEP))

        return PackedBatch(
            packed=run.packed, ordinary=ordinary, now_ms=now_ms, round_id=self._round, placed=placed
        )

    def _step(self, pieces: Sequence[_Sourced], placed: Placed, now_ms: int) -> IntakeBatch:
        return IntakeBatch(
            tellings=[
                Telling(piece.outcome, piece.source)
                for piece in pieces
                if not isinstance(piece.outcome, Unreadable)
            ],
            unread=[item for piece in pieces if (item := piece.item) is not None],
            now_ms=now_ms,
            round_id=self._round,
            placed=placed,
        )

    def _count(self, counts: Counts) -> None:
        for name in self.counts:
            self.counts[name] += getattr(counts, name)


def _sourced(opened: Opened, parsed: AnyParsed, file_id: int) -> _Sourced | _SourcedRun:
    if isinstance(parsed, ParsedRun):
        return _SourcedRun(opened.part, opened.path, file_id, parsed)
    source = FilePiece(file_id, parsed.piece.offset)
    return _Sourced(opened.part, opened.path, source, parsed.outcome)


def _item(part: str, source: FilePiece, unreadable: Unreadable) -> QuarantineItem:
    return QuarantineItem(
        source=shown(part),
        raw=unreadable.raw,
        reason=unreadable.reason,
        position=unreadable.position,
        file_id=source.file_id,
        place=source.offset,
    )
