"""Takes PGN files into the archive: files to games, games to batches, batches to `daemon.intake.take_in`.

What is stored is stored batch by batch, each in one transaction; a file counts as imported when its last batch is
in. So an import can end anywhere, and the next one completes it. Games that the archive knows by their bytes are
not parsed again (`daemon.recognising`).
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final

import structlog

from core.game import Unreadable
from daemon.archive import rounds
from daemon.archive.archive import Archive, Transaction
from daemon.archive.errors import ArchiveError
from daemon.archive.files import FileRow, file_row, find_file, record_file
from daemon.archive.known_pieces import KnownPiece, KnownUnread, see_again
from daemon.archive.placed import Placed
from daemon.archive.rounds import Counts
from daemon.file_reading import Complete, FileReader, Opened
from daemon.file_search import FileProblem, Found, search_or_say
from daemon.intake import QuarantineItem, Telling, take_in
from daemon.parsing import Parsed, Parsers
from daemon.paths import shown
from daemon.preparing import Prepared
from daemon.reasons import Reason, Reasons
from daemon.recognising import Known, Recogniser
from daemon.tallying import Tally

log = structlog.get_logger(__name__)

BATCH_GAMES: Final = 500
BATCH_BYTES: Final = 4 << 20
BATCH_KNOWN: Final = 10_000
"""Games that are known by their bytes cost next to nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Counts):
    """What an import did. *problems* are files; the games that could not be read are in `quarantined`.

    *files* were read now; *files_unchanged* are known as they are. *reasons*: the most frequent ones of what could
    not be read.
    """

    files: int = 0
    files_unchanged: int = 0
    problems: tuple[FileProblem, ...] = ()
    reasons: tuple[Reason, ...] = ()
    stopped: bool = False

    @property
    def clean(self) -> bool:
        """Is everything in?"""
        return not (self.problems or self.quarantined or self.stopped)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an import is: bytes of all files as they lie on disk, and games stored."""

    part: str
    done: int
    total: int
    games: int


@dataclass(slots=True)
class _Batch:
    """Games that go into the archive together, known ones, and the files that are complete with them."""

    games: list[tuple[str, int, Prepared]] = field(default_factory=list)
    unread: list[tuple[str, int, Unreadable]] = field(default_factory=list)
    known: list[KnownPiece] = field(default_factory=list)
    complete: list[Complete] = field(default_factory=list)
    size: int = 0

    def add(self, part: str, parsed: Parsed) -> None:
        self.size += len(parsed.piece.raw)
        if isinstance(parsed.outcome, Unreadable):
            self.unread.append((part, parsed.piece.offset, parsed.outcome))
        else:
            self.games.append((part, parsed.piece.offset, parsed.outcome))

    @property
    def full(self) -> bool:
        count = len(self.games) + len(self.unread) + len(self.complete)
        return count >= BATCH_GAMES or self.size >= BATCH_BYTES or len(self.known) >= BATCH_KNOWN

    @property
    def blank(self) -> bool:
        return not (self.games or self.unread or self.known or self.complete)

    @property
    def paths(self) -> list[str]:
        parts = (part for part, _, _ in (*self.games, *self.unread))
        return list(dict.fromkeys((*parts, *(complete.path for complete in self.complete))))


def import_paths(
    archive: Archive,
    paths: Iterable[Path | str],
    *,
    again: bool = False,
    parsers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Summary:
    """Take in the files and folders at *paths* (``-``: standard input).

    Files that have not changed since their last complete import are left out, and games that stood in their file
    before are not parsed, unless *again*. *stop* is asked between games: what is read by then is stored. *parsers*
    processes parse; None: one for each processor.

    Raises:
        ArchiveError: the archive cannot take it.
        ParsersFailed: no process can be started.
    """
    named = [str(path) for path in paths]
    found = list({item.path: item for path in named for item in search_or_say(path)}.values())
    return import_found(
        archive,
        found,
        source=", ".join(map(shown, named)),
        again=again,
        parsers=parsers,
        progress=progress,
        stop=stop,
    )


def import_found(
    archive: Archive,
    found: Iterable[Found | FileProblem],
    *,
    source: str,
    again: bool = False,
    parsers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Summary:
    """As `import_paths`, for files that were found already; *source* names them in the history of rounds."""
    items = list(found)
    keeper = _Keeper(archive, source)
    total = sum(item.stamp.size for item in items if isinstance(item, Found) and item.stamp)

    def report(part: str, done: int) -> None:
        if progress is not None:
            progress(Progress(shown(part), done, total, keeper.counts["read"]))

    reader = FileReader(known=_nothing if again else keeper.known, stop=stop, report=report)
    try:
        with archive.importing(), Parsers(parsers) as pool:
            entries = reader.entries(items)
            keeper.take(pool.parse(entries if again else Recogniser(archive).entries(entries)))
        summary = Summary(
            **keeper.counts,
            files=reader.files,
            files_unchanged=reader.files_unchanged,
            problems=(*reader.problems, *keeper.tally.problems(reader.problems)),
            reasons=keeper.reasons.most_frequent(),
            stopped=reader.stopped,
        )
    except BaseException as error:
        if isinstance(error, ArchiveError) and error.passing:
            error.add_note(f"{keeper.taken} games were taken in before that; importing again completes it")
        with suppress(ArchiveError):  # where the archive itself has failed, its own error is the one to tell
            keeper.end_round("failed", str(error) or type(error).__name__)
        raise
    keeper.end_round(_outcome(summary), "\n".join(problem.message for problem in summary.problems) or None)
    return summary


def _nothing(_path: str) -> FileRow | None:
    return None


def _outcome(summary: Summary) -> rounds.Outcome:
    if summary.stopped:
        return "stopped"
    return "done" if summary.clean else "incomplete"


class _Keeper:
    """Stores what comes out of the line, batch by batch."""

    def __init__(self, archive: Archive, source: str) -> None:
        self.counts = dict.fromkeys((counter.name for counter in fields(Counts)), 0)
        self.reasons = Reasons()
        self._archive = archive
        self._source = source
        self.tally = Tally()
        self._round: int | None = None
        self._batch = _Batch()
        self._placed = Placed()

    @property
    def taken(self) -> int:
        """Games read so far that are in the archive."""
        return self.counts["read"] - self.counts["quarantined"]

    def known(self, path: str) -> FileRow | None:
        """What the archive remembers of a file."""
        with self._archive.reading() as connection:
            return find_file(connection, path)

    def take(self, entries: Iterator[Parsed | Known | Opened | Complete]) -> None:
        """Store everything."""
        part = ""
        for entry in entries:
            self.tally.note(entry)
            if isinstance(entry, Opened):
                part = entry.part
            elif isinstance(entry, Complete):
                self._batch.complete.append(entry)
            elif isinstance(entry, Known):
                self._batch.known.extend(entry.pieces)
            else:
                self._batch.add(part, entry)
            if self._batch.full:
                self._store()
        self._store()

    def end_round(self, outcome: rounds.Outcome, error: str | None) -> None:
        """Close the row of this import, if there was anything to store."""
        if self._round is not None:
            with self._archive.writing() as connection:
                rounds.end_round(connection, self._round, outcome, error, _now_ms())

    def _store(self) -> None:
        batch, self._batch = self._batch, _Batch()
        if batch.blank:
            return
        now_ms = _now_ms()
        with self._archive.writing() as connection:
            if self._round is None and (batch.size or batch.known):
                self._round = rounds.begin_round(connection, "import", self._source, None, now_ms)
            ids = {path: file_row(connection, path).id for path in batch.paths}
        if batch.size:
            self._take_in(batch, ids, now_ms)
        with self._archive.writing() as connection:
            self._see_again(connection, batch.known, now_ms)
            for done in batch.complete:
                stamp = {"size": done.stamp.size, "modified_ns": done.stamp.modified_ns}
                record_file(connection, ids[done.path], **stamp, content=done.content, now_ms=now_ms)

    def _see_again(self, connection: Transaction, known: Sequence[KnownPiece], now_ms: int) -> None:
        if not known or self._round is None:
            return
        seen = see_again(connection, known, self._placed, now_ms)
        rounds.add_counts(connection, self._round, seen)
        self._count(seen)
        for one in known:
            if isinstance(one, KnownUnread) and not one.mended:
                self.reasons.add(one.reason)

    def _take_in(self, batch: _Batch, ids: dict[str, int], now_ms: int) -> None:
        tellings = [
            Telling(game=prepared.game, file_id=ids[part], place=offset, prepared=prepared)
            for part, offset, prepared in batch.games
        ]
        unread = [_unread(part, offset, ids[part], unreadable) for part, offset, unreadable in batch.unread]
        try:
            self._take_in_these(tellings, unread, now_ms)
        except ArchiveError:
            raise
        except Exception:
            log.exception("some games could not be stored together, so each is alone; please report this")
            self._take_in_these([], unread, now_ms)
            for telling, (part, offset, _) in zip(tellings, batch.games, strict=True):
                self._take_in_one(telling, part, offset, now_ms)

    def _take_in_one(self, telling: Telling, part: str, offset: int, now_ms: int) -> None:
        """A game that no database takes is a problem of this game."""
        try:
            self._take_in_these([telling], [], now_ms)
        except ArchiveError:
            raise
        except Exception as error:  # noqa: BLE001 - it was logged with its batch; the game shows it in quarantine
            assert telling.file_id is not None
            reason = f"internal error: {type(error).__name__}: {error}"
            unreadable = Unreadable(raw=telling.game.raw, reason=reason)
            self._take_in_these([], [_unread(part, offset, telling.file_id, unreadable)], now_ms)

    def _take_in_these(
        self, tellings: Sequence[Telling], unread: Sequence[QuarantineItem], now_ms: int
    ) -> None:
        taken = take_in(
            self._archive, tellings, now_ms=now_ms, unread=unread, round_id=self._round, placed=self._placed
        )
        self._count(taken)
        for item in unread:
            self.reasons.add(item.reason)

    def _count(self, counts: Counts) -> None:
        for name in self.counts:
            self.counts[name] += getattr(counts, name)


def _unread(part: str, offset: int, file_id: int, unreadable: Unreadable) -> QuarantineItem:
    return QuarantineItem(
        source=shown(part),
        raw=unreadable.raw,
        reason=unreadable.reason,
        position=unreadable.position,
        file_id=file_id,
        place=offset,
    )


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
