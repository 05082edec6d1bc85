"""Keeps PGN folders taken in while the daemon runs.

A folder is looked through at the start, once an hour, and whenever the system hints at a change below it: hints
get lost (new folders within folders, network drives), a look does not. A file is read when two looks, a while
apart, saw it with the same size and time, so that nobody is read while he still writes.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import structlog
from watchfiles import watch

from daemon.announcing import ImportNews
from daemon.archive.archive import Archive
from daemon.archive.errors import ArchiveError
from daemon.file_search import FileProblem, Found, Stamp, search
from daemon.files import SUFFIXES
from daemon.importing import Summary, import_found
from daemon.news import News
from daemon.parsing import ParsersFailed

log = structlog.get_logger(__name__)

SETTLE_SECONDS: Final = 2.0
RESCAN_SECONDS: Final = 3600.0
RETRY_SECONDS: Final = 60.0

_OLD_NS: Final = 60 * 10**9
"""A file that was written to this long ago is not being written to."""
_CHECK_MS: Final = 30_000


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder (or a single file) to be taken in; if not *watch*, once at the start."""

    path: Path
    watch: bool = True


@dataclass(frozen=True, slots=True)
class _Look:
    """How a file looked, and since when (seconds of the monotonic clock)."""

    stamp: Stamp
    since: float


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
    ) -> None:
        self._archive = archive
        self._news = news or News()
        self._folders = tuple(folders)
        self._settle = settle
        self._rescan = rescan
        self._parsers = parsers
        self._looks: dict[str, _Look] = {}
        self._done: dict[str, Stamp] = {}
        self._failed: set[str] = set()

    def run(self, stop: threading.Event) -> None:
        """Keep the folders taken in until *stop* is set."""
        for folder in self._folders:
            _make(folder.path)
        watched = tuple(folder.path for folder in self._folders if folder.watch)
        with _hints(watched, stop) as hint:
            while not stop.is_set():
                try:
                    self._keep_taken_in(watched, hint, stop)
                except Exception:
                    # The last place for errors: nobody waits for this thread, and it must not die in silence.
                    log.exception("the folders could not be looked through; please report this")
                    stop.wait(RETRY_SECONDS)

    def take_in(self, paths: Iterable[Path], stop: threading.Event) -> float:
        """Look through the folders at *paths* once and import what is new and settled.

        Returns after how many seconds another look is due; what the archive could not take is tried again then.
        """
        wait = self._rescan
        for path in paths:
            found, unsettled = self._changed(path)
            if unsettled:
                wait = min(wait, self._settle)
            if found and not stop.is_set():
                wait = min(wait, self._import(path, found, stop))
        return wait

    def _keep_taken_in(self, watched: tuple[Path, ...], hint: threading.Event, stop: threading.Event) -> None:
        once = {folder.path for folder in self._folders if not folder.watch}
        whole = _Alarm(self._rescan)
        while not stop.is_set():
            wait = self.take_in((*watched, *once), stop)
            if wait >= self._rescan:
                once.clear()  # all of them are in
            hint.wait(min(wait, whole.left()))
            hint.clear()
            if whole.rings():
                # What could not be read may be readable now, although it looks the same.
                for path in self._failed:
                    self._done.pop(path, None)
                self._failed.clear()

    def _changed(self, path: Path) -> tuple[list[Found], bool]:
        """The files that have changed and settled, and whether some have not settled."""
        ready: list[Found] = []
        unsettled = False
        for item in search(path):
            if isinstance(item, FileProblem):
                self._tell(item)
            elif item.stamp is not None and self._done.get(item.path) != item.stamp:
                if self._has_settled(item.path, item.stamp):
                    ready.append(item)
                else:
                    unsettled = True
        return ready, unsettled

    def _has_settled(self, path: str, stamp: Stamp) -> bool:
        if time.time_ns() - stamp.modified_ns > _OLD_NS:
            return True
        look = self._looks.get(path)
        if look is None or look.stamp != stamp:
            look = self._looks[path] = _Look(stamp, time.monotonic())
        return time.monotonic() - look.since >= self._settle

    def _import(self, path: Path, found: list[Found], stop: threading.Event) -> float:
        log.info("taking in", folder=str(path), files=len(found))
        news = ImportNews(self._news, str(path))
        try:
            summary = import_found(
                self._archive,
                found,
                source=str(path),
                parsers=self._parsers,
                progress=news.running,
                stop=stop.is_set,
            )
        except (ArchiveError, ParsersFailed) as error:
            log.warning("folder not taken in, trying again", folder=str(path), reason=str(error))
            return RETRY_SECONDS
        news.ended(summary)
        self._note(path, found, summary)
        return self._rescan

    def _note(self, path: Path, found: list[Found], summary: Summary) -> None:
        for problem in summary.problems:
            self._tell(problem)
        if summary.read:
            counts = ("files", "read", "new", "added", "unchanged", "quarantined")
            done = "folder not taken in to its end: stopped" if summary.stopped else "folder taken in"
            log.info(done, folder=str(path), **{name: getattr(summary, name) for name in counts})
        if not summary.stopped:
            for item in found:
                assert item.stamp is not None, "files in folders have one"
                self._done[item.path] = item.stamp
                self._looks.pop(item.path, None)

    def _tell(self, problem: FileProblem) -> None:
        if problem.file not in self._failed:
            log.warning("file not taken in", file=problem.file, reason=problem.message)
            self._failed.add(problem.file)


class _Alarm:
    """Rings again and again after so many seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._at = time.monotonic() + seconds

    def left(self) -> float:
        return max(0.0, self._at - time.monotonic())

    def rings(self) -> bool:
        if self.left() > 0:
            return False
        self._at = time.monotonic() + self._seconds
        return True


def _make(path: Path) -> None:
    """Make a folder that is not there yet, so that files can be put into it."""
    if path.exists() or path.name.lower().endswith(SUFFIXES):
        return
    try:
        path.mkdir(parents=True)
    except OSError as error:
        log.warning("folder cannot be made", folder=str(path), reason=error.strerror)
    else:
        log.info("folder made", folder=str(path))


@contextmanager
def _hints(paths: tuple[Path, ...], stop: threading.Event) -> Iterator[threading.Event]:
    """An event that is set whenever something below *paths* may have changed, and when *stop* is set."""
    hint = threading.Event()
    thread = threading.Thread(target=_listen, args=(paths, hint, stop), name="folder-hints", daemon=True)
    thread.start()
    try:
        yield hint
    finally:
        if stop.is_set():
            thread.join()


def _listen(paths: tuple[Path, ...], hint: threading.Event, stop: threading.Event) -> None:
    while not stop.is_set():
        there = _identities(paths)
        try:
            if there:
                _listen_to(tuple(there), partial(_differ, paths, there), hint, stop)
            else:
                stop.wait(RETRY_SECONDS)
        except OSError as error:
            log.warning("folders cannot be watched, looking once an hour", reason=str(error))
            stop.wait(RETRY_SECONDS)
        hint.set()


def _listen_to(
    paths: tuple[Path, ...], changed: Callable[[], bool], hint: threading.Event, stop: threading.Event
) -> None:
    """Set *hint* at every change below *paths*, until other folders stand there."""
    for changes in watch(
        *paths, stop_event=stop, rust_timeout=_CHECK_MS, yield_on_timeout=True, raise_interrupt=False
    ):
        if changes:
            hint.set()
        elif changed():
            return


def _differ(paths: tuple[Path, ...], there: dict[Path, tuple[int, int]]) -> bool:
    return _identities(paths) != there


def _identities(paths: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """Which of *paths* exist, and which folder each is: one that was replaced gives no more hints."""
    there = {}
    for path in paths:
        with suppress(OSError):
            status = path.stat()
            there[path] = (status.st_dev, status.st_ino)
    return there
