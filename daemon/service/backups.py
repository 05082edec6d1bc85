"""Backups: now, or as often as the configuration says. The name of the newest says when it was made."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from daemon.archive.database import backup_names
from daemon.archive.errors import ArchiveError, ReadOnly, WorkStopped
from daemon.archive.sqlite import FileArchive
from daemon.logs import get_logger
from daemon.threads import Periodic

log = get_logger(__name__)

_GIVEN_UP: Final = 86_400.0
"""Seconds after which an unfinished backup counts as abandoned."""

AGAIN_AFTER: Final = 3600.0
"""Seconds after a backup that failed before the next try."""


@dataclass(frozen=True, slots=True)
class BackupMade:
    """A backup, and the older ones that were deleted for it."""

    path: Path
    gone: tuple[Path, ...]


def back_up(
    archive: FileArchive, folder: Path, *, keep: int | None, stop: Callable[[], bool] = lambda: False
) -> BackupMade:
    """Make a backup of *archive* in *folder*, then delete all but *keep*, spread over time (None: none).

    Raises:
        ArchiveError: none was made; the older ones are all there.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ReadOnly(f"the folder {folder} cannot be made: {error.strerror}; choose another one") from error
    shelf = archive.shelf(folder)
    shelf.drop_unfinished(time.time() - _GIVEN_UP)
    target = archive.backup(folder / shelf.name(backup_names.stamp()), stop=stop)
    return BackupMade(target, () if keep is None else tuple(shelf.prune(keep, time.time())))


class BackupThread(Periodic):
    """Makes backups as often as it is due, in a thread of its own.

    Args:
        every: seconds between two backups.
        keep: how many are kept.

    To close it gives up a backup that is being made.
    """

    def __init__(self, archive: FileArchive, folder: Path, *, every: int, keep: int) -> None:
        super().__init__("backups", self._look_now, failed="no backup was made")
        self._archive = archive
        self._folder = folder
        self._backup_every = every
        self._keep = keep
        self._not_before = 0.0

    def _look_now(self) -> bool:
        self.look(time.time())
        return False

    def look(self, now: float) -> None:
        """Make a backup if one is due at *now* (seconds since 1970)."""
        if 0 < self._not_before - now <= AGAIN_AFTER:  # further away only after the clock was set back
            return
        try:
            if not self._is_due(now):
                return
            made = back_up(self._archive, self._folder, keep=self._keep, stop=self.stop.is_set)
        except WorkStopped:
            return
        except ArchiveError as error:
            self._not_before = now + AGAIN_AFTER
            log.error("no backup was made; it is tried again in an hour", error=str(error))  # noqa: TRY400 - logged whole
            return
        log.info("backup made", path=str(made.path), taken_away=[str(path) for path in made.gone])

    def _is_due(self, now: float) -> bool:
        """Whether a backup is due. Backups from the future do not count.

        A wrong clock must not let a year pass without one.
        """
        last = self._archive.shelf(self._folder).last(now)
        return last is None or now - last.timestamp() >= self._backup_every
