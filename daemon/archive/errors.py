"""The errors of an archive, each with a sentence for the user."""

# ruff: noqa: N818 -- the names say what is the case, as those of `fetchers.errors` do

from collections.abc import Sequence
from typing import Final

from daemon.errors import UnusableError

_MESSAGE: Final = 3
"""Games that the sentence of `GamesLeftOut` tells of."""


class ArchiveError(UnusableError):
    """The archive cannot be used. The message is one sentence for the user.

    *passing* tells the daemon whether waiting may help (a full disk, a busy writer, a restarting server) or
    whether somebody must look at it (exit status 78).
    """

    passing = False


class ArchiveBusy(ArchiveError):
    """Another process kept writing for longer than we wait."""

    passing = True


class DiskFull(ArchiveError):
    """No room for what had to be written.

    Nothing of the transaction was stored, nothing stored before is lost.
    """

    passing = True


class DiskError(ArchiveError):
    """The system refused to read or write: a quota, a limit, a broken disk. SQLite does not say which."""

    passing = True


class DatabaseUnreachable(ArchiveError):
    """The database server does not answer, or cut the connection."""

    passing = True


class ReadOnly(ArchiveError):
    """The file, its folder or the server does not allow writing."""


class NotReadable(ArchiveError):
    """The file cannot be opened or read."""


class Damaged(ArchiveError):
    """The file is not a SQLite database, or its pages contradict each other. It is left as it is."""


class GamesLeftOut(Damaged):
    """Some games could not be read; all others were. Raised when these have been written.

    Attributes:
        notes: A sentence for each game: which one, why, and what to do.
    """

    def __init__(self, notes: Sequence[str]) -> None:
        self.notes = list(notes)
        count = len(self.notes)
        what = "1 game is left out" if count == 1 else f"{count} games are left out"
        super().__init__(f"{what}: {'; '.join(self.notes[:_MESSAGE])}{'; …' if count > _MESSAGE else ''}")


class ArchiveGone(ArchiveError):
    """The archive's file is gone, or is another one, and what was stored in it must not be ignored."""


class NetworkFolder(ArchiveError):
    """The file is on a network file system, whose locks do not protect a database."""


class SchemaTooNew(ArchiveError):
    """A newer gamekeeper has written this archive."""


class SchemaTooOld(ArchiveError):
    """The archive was not migrated, or is not an archive."""


class KeysChanged(ArchiveError):
    """Another gamekeeper has made the keys of players and games again, by other rules than ours."""


class MigrationFailed(ArchiveError):
    """The migration would have left rows that point nowhere; the old schema is still in place."""


class BadCopy(ArchiveError):
    """A copy differs from its source. It is deleted."""


class WorkStopped(ArchiveError):
    """A long task was given up because the program is to end. Nothing has changed."""

    passing = True


class AlreadyRunning(ArchiveError):
    """Another daemon works on this archive."""
