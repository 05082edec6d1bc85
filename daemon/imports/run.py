"""Takes PGN files into the archive: files to games, games to batches, batches to `daemon.archive.take_in.take_in`.

What is stored is stored batch by batch, each in one transaction; a file counts as imported when its last batch is
in. So an import can end anywhere, and the next one completes it. Games that the archive knows by their bytes are
not parsed again (`daemon.imports.known`).
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from core.plurals import count_of
from daemon import garbage
from daemon.archive.archive import Archive
from daemon.archive.edits.overlay import anything_edited
from daemon.archive.errors import ArchiveError
from daemon.archive.games import packed_intake
from daemon.archive.games.counts import Counts
from daemon.archive.lock import has_daemon
from daemon.archive.tables.words import RoundOutcome
from daemon.imports.file_search import search_or_say
from daemon.imports.forecast import Forecast, forecast
from daemon.imports.found_files import FileProblem, FoundFile
from daemon.imports.known import Recogniser
from daemon.imports.parsers import Parsers
from daemon.imports.pieces import FileReader
from daemon.imports.read_ahead import read_ahead
from daemon.imports.reasons import UnreadableReason
from daemon.imports.store import LARGE, SMALL, ImportStore, ParsedEntry
from daemon.imports.tally import LooksLike, OddGames
from daemon.logs import get_logger
from daemon.paths import shown

log = get_logger(__name__)

_T = TypeVar("_T")

_AHEAD_FROM: Final = 4 << 20
"""Bytes of files from which it pays to read in one thread and store in another."""
_MOST_MESSAGES: Final = 20
"""How many problems of one import the history keeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Counts):
    """The result of an import. *problems* are files; the games that could not be read are in `quarantined`.

    *files* were read now; *files_unchanged* are known as they are. *reasons*: the most frequent ones why
    games could not be read. *left*: tellings that are no longer in their file. *odd*: games that were parsed
    although something is odd about them; *oddities* says what, and how often. *encodings*: files that look as
    if they were in another encoding than they were read in.
    """

    files: int = 0
    files_unchanged: int = 0
    problems: tuple[FileProblem, ...] = ()
    reasons: tuple[UnreadableReason, ...] = ()
    odd: int = 0
    oddities: tuple[OddGames, ...] = ()
    encodings: tuple[LooksLike, ...] = ()
    left: int = 0
    stopped: bool = False

    @property
    def clean(self) -> bool:
        """Whether everything is in."""
        return not (self.problems or self.quarantined or self.stopped)


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """How far an import is: bytes of all files on disk, and games read."""

    part: str
    done: int
    total: int
    games: int


def import_paths(
    archive: Archive,
    paths: Iterable[Path | str],
    *,
    again: bool = False,
    encoding: str | None = None,
    parsers: int | None = None,
    progress: Callable[[ImportProgress], None] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Summary:
    """Take in the files and folders at *paths* (``-``: standard input).

    Files that have not changed since their last complete import are left out, and games that stood in their file
    before are not parsed, unless *again*. *encoding* (`core.pgn.encodings.encoding`): of what is not UTF-8 in them; a file
    of which another one was said before is read again. *stop* is asked between games: what is read by then is stored. *parsers*
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
        alone=True,
        again=again,
        encoding=encoding,
        parsers=parsers,
        progress=progress,
        stop=stop,
    )


def import_found(  # noqa: PLR0913 - all but three are optional
    archive: Archive,
    found: Iterable[FoundFile | FileProblem],
    *,
    source: str,
    watched: bool = False,
    alone: bool = False,
    again: bool = False,
    encoding: str | None = None,
    parsers: int | None = None,
    progress: Callable[[ImportProgress], None] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Summary:
    """Like `import_paths`, for files that were found already; *source* names them in the history of rounds.

    *watched*: nobody waits for the answer, so that problems alone are worth an entry in the history. *alone*: the process
    does nothing else, so that it may take memory, and the archive for seconds, to be quicker.
    """
    items = list(found)
    keeper = ImportStore(archive, source, LARGE if alone else SMALL)
    total = sum(item.stamp.size for item in items if isinstance(item, FoundFile) and item.stamp)

    def report(part: str, done: int) -> None:
        if progress is not None:
            progress(ImportProgress(shown(part), done, total, keeper.read))

    def report_built(done: int, indexes: int) -> None:
        if progress is not None:
            progress(ImportProgress(f"index {done + 1} of {indexes}", total, total, keeper.read))

    reader = FileReader(known=keeper.known, encoding=encoding, again=again, stop=stop, report=report)
    try:
        expected = _forecast(archive, items, keeper, encoding) if alone else Forecast()
        games, new_files = expected.games, expected.new_files
        importing = archive.importing(alone=alone, games=games, new_files=new_files, report=report_built)
        pool = Parsers(parsers, packed=_may_be_packed(archive, items, keeper, encoding))
        seldom = garbage.looked_for_seldom() if alone else nullcontext()
        with importing, pool, seldom:
            entries = reader.entries(items)
            pieces = entries if again else Recogniser(archive).entries(entries)
            parsed: Generator[ParsedEntry] = pool.parse(pieces)
            with _as_read(parsed, ahead=alone and total >= _AHEAD_FROM) as read:
                keeper.take(read)
        summary = _summary(reader, keeper)
    except BaseException as error:
        _note_failure(keeper, error)
        raise
    if watched and summary.problems:
        keeper.begin_round_for(_messages(summary))
    keeper.end_round(_outcome(summary), _messages(summary))
    return summary


def _may_be_packed(
    archive: Archive, items: Iterable[FoundFile | FileProblem], keeper: ImportStore, encoding: str | None
) -> bool:
    """Whether parsers may answer with packed games: not where most of these would be taken apart again.

    So it is in an archive with edits, and where a known file is read in another encoding.
    """
    if not packed_intake.is_possible(archive.dialect):
        return False
    with archive.reading() as connection:
        if anything_edited(connection):
            return False
    before = [keeper.known(item.path) for item in items if encoding is not None]
    return all(row is None or row.encoding == encoding for row in before)


def _as_read(entries: Generator[_T], *, ahead: bool) -> AbstractContextManager[Iterator[_T]]:
    return read_ahead(entries) if ahead else nullcontext(entries)


def _forecast(
    archive: Archive, items: Iterable[FoundFile | FileProblem], keeper: ImportStore, encoding: str | None
) -> Forecast:
    """What `Archive.importing` may count on; nothing beside a daemon, whose API answers from the indexes."""
    if has_daemon(archive):
        log.info(
            "the daemon runs on this archive: all indexes are kept up, which makes a large import slower"
        )
        return Forecast()
    return forecast(items, keeper.known, encoding=encoding)


def _summary(reader: FileReader, keeper: ImportStore) -> Summary:
    """The result of everything that was read."""
    return Summary(
        **keeper.counts,
        files=reader.files,
        files_unchanged=reader.files_unchanged,
        problems=(*reader.problems, *keeper.tally.problems(reader.problems)),
        reasons=keeper.reasons.most_frequent(),
        odd=keeper.tally.odd,
        oddities=keeper.tally.oddities(),
        encodings=keeper.tally.encodings(),
        left=keeper.left,
        stopped=reader.stopped,
    )


def _note_failure(keeper: ImportStore, error: BaseException) -> None:
    """Note in the history how the import ended, and say what is kept of it."""
    if isinstance(error, ArchiveError) and error.passing:
        error.add_note(
            f"taken in before that: {count_of(keeper.taken, 'game')}; importing again completes it"
        )
    with suppress(ArchiveError):  # where the archive itself has failed, its own error is the one to tell
        keeper.end_round("failed", str(error) or type(error).__name__)


def _messages(summary: Summary) -> str | None:
    messages = [problem.message for problem in summary.problems]
    more = [f"and {len(messages) - _MOST_MESSAGES} more"] if len(messages) > _MOST_MESSAGES else []
    return "\n".join([*messages[:_MOST_MESSAGES], *more]) or None


def _outcome(summary: Summary) -> RoundOutcome:
    if summary.stopped:
        return "stopped"
    return "done" if summary.clean else "incomplete"
