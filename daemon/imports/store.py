"""Stores what an import reads: games in batches, each in one transaction, and files with their last batch."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Final

from core.game import Unreadable
from daemon import clock
from daemon.archive.archive import Archive, Connection
from daemon.archive.errors import ArchiveError
from daemon.archive.games import left_files, quarantine
from daemon.archive.games.counts import Counts
from daemon.archive.games.file_places import Placed
from daemon.archive.games.files import FileRow, file_row, find_file, note_encoding, record_file
from daemon.archive.games.known_pieces import KnownPiece, KnownUnread, see_again
from daemon.archive.games.left_files import ImportReading
from daemon.archive.games.prepared import Prepared
from daemon.archive.schedule import rounds
from daemon.archive.tables.words import RoundOutcome
from daemon.archive.take_in import FilePiece, QuarantineItem, Telling, take_in
from daemon.imports.bundles import Parsed
from daemon.imports.known import Known
from daemon.imports.pieces import Complete, Opened, Torn
from daemon.imports.reasons import Reasons
from daemon.imports.tally import Tally
from daemon.logs import get_logger
from daemon.paths import shown

log = get_logger(__name__)

BATCH_GAMES: Final = 500
BATCH_BYTES: Final = 4 << 20
BATCH_KNOWN: Final = 10_000
"""Batch size for games known by their bytes, which cost next to nothing."""


@dataclass(slots=True)
class _ImportBatch:
    """What goes into the archive together: pieces that were parsed, known ones, files that are complete with them."""

    parsed: list[tuple[Opened, Parsed]] = field(default_factory=list)
    known: list[KnownPiece] = field(default_factory=list)
    complete: list[Complete] = field(default_factory=list)
    size: int = 0

    def add(self, opened: Opened, parsed: Parsed) -> None:
        self.parsed.append((opened, parsed))
        self.size += len(parsed.piece.raw)

    @property
    def full(self) -> bool:
        count = len(self.parsed) + len(self.complete)
        return count >= BATCH_GAMES or self.size >= BATCH_BYTES or len(self.known) >= BATCH_KNOWN

    @property
    def blank(self) -> bool:
        return not (self.parsed or self.known or self.complete)

    @property
    def paths(self) -> list[str]:
        parts = (opened.part for opened, _ in self.parsed)
        return list(dict.fromkeys((*parts, *(complete.path for complete in self.complete))))


class ImportStore:
    """Stores the games that an import reads, batch by batch."""

    def __init__(self, archive: Archive, source: str) -> None:
        self.counts = dict.fromkeys((counter.name for counter in fields(Counts)), 0)
        self.reasons = Reasons()
        self._archive = archive
        self._source = source
        self.tally = Tally()
        self._round: int | None = None
        self._batch = _ImportBatch()
        self._reading: ImportReading | None = None
        self._made: set[str] = set()
        self._encodings: dict[str, str] = {}
        self.left = 0

    @property
    def taken(self) -> int:
        """Games read so far that are in the archive."""
        return self.counts["read"] - self.counts["quarantined"]

    def known(self, path: str) -> FileRow | None:
        """What the archive remembers of a file."""
        with self._archive.reading() as connection:
            return find_file(connection, path)

    def take(self, entries: Iterator[Parsed | Known | Opened | Complete | Torn]) -> None:
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
                self._batch.known.extend(entry.pieces)
            else:
                self._batch.add(opened, entry)
            if self._batch.full:
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
                note_encoding(connection, row.id, encoding)
        self._encodings.clear()

    def _complete(
        self, connection: Connection, done: Complete, file_id: int, reading: ImportReading, now_ms: int
    ) -> None:
        stamp = {"size": done.stamp.size, "modified_ns": done.stamp.modified_ns}
        record_file(connection, file_id, **stamp, content=done.content, now_ms=now_ms)
        if done.parts and not self._made.issuperset((done.path, *done.parts)):
            self.left += left_files.settle(connection, done.path, done.parts, reading, now_ms)

    def _see_again(
        self, connection: Connection, known: Sequence[KnownPiece], placed: Placed, now_ms: int
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
        games: list[tuple[str, Prepared, FilePiece]] = []
        unread: list[QuarantineItem] = []
        paths: list[str] = []
        for opened, parsed in batch.parsed:
            source = FilePiece(ids[opened.part], parsed.piece.offset)
            if isinstance(parsed.outcome, Unreadable):
                unread.append(_item(opened.part, source, parsed.outcome))
                paths.append(opened.path)
            else:
                games.append((opened.part, parsed.outcome, source))
        try:
            tellings = [Telling(prepared, source) for _, prepared, source in games]
            self._take_in_these(tellings, unread, placed, now_ms)
        except ArchiveError:
            raise
        except Exception:
            log.exception("some games could not be stored together, so each is alone; please report this")
            self._take_in_these([], unread, placed, now_ms)
            for part, prepared, source in games:
                self._take_in_one(part, prepared, source, placed, now_ms)
        self._note_mended(unread, paths)

    def _note_mended(self, unread: Sequence[QuarantineItem], paths: Sequence[str]) -> None:
        """*paths*: of the files of these items."""
        if unread:
            with self._archive.reading() as connection:
                mended = quarantine.mended(connection, [item.digest for item in unread])
            for item, path in zip(unread, paths, strict=True):
                if item.digest in mended:
                    self.tally.mended(path)

    def _take_in_one(
        self, part: str, prepared: Prepared, source: FilePiece, placed: Placed, now_ms: int
    ) -> None:
        """Store one telling: a game that no database takes is a problem of this game."""
        try:
            self._take_in_these([Telling(prepared, source)], [], placed, now_ms)
        except ArchiveError:
            raise
        except Exception as error:  # noqa: BLE001 - it was logged with its batch; the game shows it in quarantine
            reason = f"internal error: {type(error).__name__}: {error}"
            unreadable = Unreadable(raw=prepared.game.raw, reason=reason)
            self._take_in_these([], [_item(part, source, unreadable)], placed, now_ms)

    def _take_in_these(
        self, tellings: Sequence[Telling], unread: Sequence[QuarantineItem], placed: Placed, now_ms: int
    ) -> None:
        taken = take_in(
            self._archive, tellings, now_ms=now_ms, unread=unread, round_id=self._round, placed=placed
        )
        self._count(taken)
        for item in unread:
            self.reasons.add(item.reason)

    def _count(self, counts: Counts) -> None:
        for name in self.counts:
            self.counts[name] += getattr(counts, name)


def _item(part: str, source: FilePiece, unreadable: Unreadable) -> QuarantineItem:
    return QuarantineItem(
        source=shown(part),
        raw=unreadable.raw,
        reason=unreadable.reason,
        position=unreadable.position,
        file_id=source.file_id,
        place=source.offset,
    )
