"""Imports PGN folders while the daemon runs.

A folder is looked through at the start, once an hour, and whenever the system hints at a change below it:
hints get lost (new folders within folders, network drives), a look does not. A file is read when two looks, a
while apart, saw it with the same size and time, so that no file is read while somebody still writes to it.
What cannot be read for a while (a busy disk, too many open files, a folder without the right to list it) is
tried again soon, then less and less often.
"""

import os
import threading
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from daemon.archive.archive import Archive
from daemon.archive.errors import ArchiveError
from daemon.events import News
from daemon.imports.change_hints import hints
from daemon.imports.file_search import search
from daemon.imports.found_files import FileProblem, FoundFile, Stamp
from daemon.imports.parser_process import ParsersFailed
from daemon.imports.pgn_files import SUFFIXES
from daemon.imports.progress_events import ImportNews
from daemon.imports.run import Summary, import_found
from daemon.logs import get_logger
from daemon.paths import shown
from daemon.threads import repeat

log = get_logger(__name__)

SETTLE_SECONDS: Final = 2.0
RESCAN_SECONDS: Final = 3600.0
RETRY_SECONDS: Final = 60.0

_OLD_NS: Final = 60 * 10**9
"""A file whose last change is this long ago is not being written to."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder (or a single file) to be taken in; if not *watch*, once at the start. *encoding*.

    Of what is not UTF-8.
    """

    path: Path
    watch: bool = True
    encoding: str | None = None


@dataclass(frozen=True, slots=True)
class _FileState:
    """How a file looked, and since when (seconds of the monotonic clock)."""

    stamp: Stamp
    since: float


@dataclass(slots=True)
class _Trouble:
    """What was wrong with a file or folder, and when it is tried again although it looks the same.

    *due*, after *pause*.

    Seconds of the monotonic clock. What does not pass by itself is tried again when it has changed.
    """

    message: str
    passing: bool
    pause: float
    due: float


class Folders:
    """The PGN folders of one configuration."""

    def __init__(
        self,
        archive: Archive,
        folders: Iterable[Folder],
        *,
        settle: float = SETTLE_SECONDS,
        rescan: float = RESCAN_SECONDS,
        parsers: int | None = 1,
        news: News | None = None,
        looked: Callable[[Path, bool], None] = lambda _path, _whole: None,
    ) -> None:
        self._archive = archive
        self._looked = looked
        self._news = news or News()
        self._folders = tuple(folders)
        self._encodings = {folder.path: folder.encoding for folder in self._folders}
        self._settle = settle
        self._rescan = rescan
        self._parsers = parsers
        self._looks: dict[str, _FileState] = {}
        self._done: dict[str, Stamp] = {}
        self._troubles: dict[str, _Trouble] = {}

    def run(self, stop: threading.Event) -> None:
        """Import until *stop* is set."""
        for folder in self._folders:
            _make(folder.path)
        watched = tuple(folder.path for folder in self._folders if folder.watch)
        once = {folder.path for folder in self._folders if not folder.watch}
        with hints(watched, stop) as hint:
            repeat(lambda: self._take_in_all(watched, once, stop), stop, wake=hint)

    def _take_in_all(self, watched: Iterable[Path], once: set[Path], stop: threading.Event) -> float:
        wait = self.take_in((*watched, *once), stop)
        if wait >= self._rescan:
            once.clear()  # all of them are in
        return wait

    def take_in(self, paths: Iterable[Path], stop: threading.Event) -> float:
        """Look through the folders at *paths* once and import what is new and settled.

        Returns after how many seconds another look is due; what the archive could not take is tried again
        then.
        """
        began = time.monotonic()
        self._forget_what_is_due(began)
        wait = self._rescan
        for path in paths:
            if stop.is_set():
                break
            try:
                wait = min(wait, self._take_in_one(path, stop))
                self._looked(path, self._troubles.keys().isdisjoint(_names(path)))
            except Exception:
                # Nobody waits for this thread, and one folder must not keep the others out.
                log.exception("a folder could not be looked through; please report this", folder=shown(path))
                self._looked(path, False)
                wait = min(wait, RETRY_SECONDS)
        return min(wait, self._until_next_try(began))

    def _take_in_one(self, path: Path, stop: threading.Event) -> float:
        found, unsettled = self._changed(path, stop)
        wait = self._settle if unsettled else self._rescan
        return min(wait, self._import(path, found, stop)) if found and not stop.is_set() else wait

    def _forget_what_is_due(self, now: float) -> None:
        """Let what may have passed be tried again."""
        for path, trouble in self._troubles.items():
            if trouble.passing and trouble.due <= now:
                self._done.pop(path, None)

    def _until_next_try(self, began: float) -> float:
        """Seconds until the next trouble is due. What was due when this look *began* was tried as far as it could be."""
        now = time.monotonic()
        due = (one.due for one in self._troubles.values() if one.passing and one.due > began)
        return max(0.0, min(due, default=now + self._rescan) - now)

    def _changed(self, path: Path, stop: threading.Event) -> tuple[list[FoundFile], bool]:
        """The files that have changed and settled, and whether some have not settled."""
        ready: list[FoundFile] = []
        unsettled = False
        met: set[str] = set()
        for item in search(path):
            if stop.is_set():
                return ready, unsettled
            met.add(item.path)
            if isinstance(item, FileProblem):
                self._log(item)
            elif item.stamp is not None and self._done.get(item.path) != item.stamp:
                if self._has_settled(item.path, item.stamp):
                    ready.append(item)
                else:
                    unsettled = True
        self._forget_what_is_over(path, met)
        return ready, unsettled

    def _forget_what_is_over(self, path: Path, met: Collection[str]) -> None:
        """Forget troubles at *path* and below it with files that are gone, and folders that can be listed."""
        names = _names(path)
        over = [
            one
            for one in self._troubles
            if one not in met and (one in names or one.startswith(tuple(f"{name}{os.sep}" for name in names)))
        ]
        for one in over:
            del self._troubles[one]

    def _has_settled(self, path: str, stamp: Stamp) -> bool:
        if time.time_ns() - stamp.modified_ns > _OLD_NS:
            return True
        look = self._looks.get(path)
        if look is None or look.stamp != stamp:
            look = self._looks[path] = _FileState(stamp, time.monotonic())
        return time.monotonic() - look.since >= self._settle

    def _import(self, path: Path, found: list[FoundFile], stop: threading.Event) -> float:
        log.info("taking in", folder=shown(path), files=len(found))
        news = ImportNews(self._news, shown(path))
        try:
            summary = import_found(
                self._archive,
                found,
                source=shown(path),
                encoding=self._encodings.get(path),
                watched=True,
                parsers=self._parsers,
                progress=news.running,
                stop=stop.is_set,
            )
        except (ArchiveError, ParsersFailed) as error:
            log.warning("folder not taken in, trying again", folder=shown(path), reason=str(error))
            return RETRY_SECONDS
        news.ended(summary)
        self._note(path, found, summary)
        return self._rescan

    def _note(self, path: Path, found: list[FoundFile], summary: Summary) -> None:
        if summary.read:
            counts = ("files", "read", "new", "added", "unchanged", "quarantined", "left")
            done = "folder not taken in to its end: stopped" if summary.stopped else "folder taken in"
            log.info(done, folder=shown(path), **{name: getattr(summary, name) for name in counts})
        if not summary.stopped:
            for item in found:
                assert item.stamp is not None, "files in folders have one"
                self._done[item.path] = item.stamp
                self._looks.pop(item.path, None)
            bad = {problem.path for problem in summary.problems}
            for item in found:
                if item.path not in bad:
                    self._troubles.pop(item.path, None)
        for problem in summary.problems:
            self._log(problem)

    def _log(self, problem: FileProblem) -> None:
        """Log a new problem with a file or folder, and decide when it is tried again."""
        now = time.monotonic()
        before = self._troubles.get(problem.path)
        if before is None or before.message != problem.message:
            log.warning("file not taken in", file=problem.file, reason=problem.message)
            pause = min(RETRY_SECONDS, self._rescan)
        elif now >= before.due:
            pause = min(2 * before.pause, self._rescan)
        else:
            return
        self._troubles[problem.path] = _Trouble(problem.message, problem.passing, pause, now + pause)


def _names(path: Path) -> tuple[str, str]:
    """The names that a search for *path* may call it by."""
    return str(path), os.path.realpath(path)


def _make(path: Path) -> None:
    """Make a folder that does not exist yet, so that files can be put into it."""
    try:
        if path.exists() or path.name.lower().endswith(SUFFIXES):
            return
        path.mkdir(parents=True)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        log.warning("folder cannot be made", folder=shown(path), reason=reason)
    else:
        log.info("folder made", folder=shown(path))
