"""The names of backups: those made on purpose, and copies made before a change.

gamekeeper-1a2b3c4d-20260512T100000Z.sqlite in the folder of backups, made by `backup` or by the daemon
gamekeeper.sqlite.before-0002.20260512T100000Z beside the archive: before a migration (also ``keys``,
``verify``, ``restore``), or when it was ``deleted`` while it was in use

The eight digits distinguish the backups of one archive from those of another with the same folder. Older
backups have none: they count for the archive in whose own folder they are, and are left alone elsewhere.
"""

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Final

from daemon.archive.database.backup_retention import kept
from daemon.archive.database.files import UNFINISHED, beside, remove_database

KEPT_BEFORE: Final = 3
"""Number of days of which one copy of each kind is kept beside the archive."""

FOLDER: Final = "backups"
"""The folder of backups beside the archive, unless the configuration names another one."""

_STAMP: Final = "%Y%m%dT%H%M%SZ"
_TIME: Final = r"\d{8}T\d{6}Z"
_OWN_KINDS: Final = frozenset({"keys", "verify", "restore", "deleted"})
_BEGINNING: Final = datetime.fromtimestamp(0, UTC)


def stamp(at: float | None = None) -> str:
    """A time, seconds since 1970, as names have it; without one, now."""
    return time.strftime(_STAMP, time.gmtime(at))


def made_at(backup: Path) -> datetime:
    """When a backup, or a copy before a change, was made, according to its name.

    1970 if that is not a time.
    """
    found = re.findall(_TIME, backup.name)
    try:
        return datetime.strptime(found[-1], _STAMP).replace(tzinfo=UTC)
    except (IndexError, ValueError):
        return _BEGINNING


def mark(archive: Path, archive_id: str) -> str:
    """A mark that distinguishes backups of this archive from another's: made of its id and its path.

    Both, because an archive that is copied, or restored elsewhere, takes its id with it.
    """
    return blake2b(f"{archive_id}\0{archive.resolve()}".encode(), digest_size=4).hexdigest()


@dataclass(frozen=True, slots=True)
class BackupShelf:
    """The backups of one archive in one folder. *mark* is its `mark`."""

    folder: Path
    archive: Path
    mark: str

    def name(self, at: str) -> str:
        """The name of a backup."""
        return f"{self.archive.stem}-{self.mark}-{at}.sqlite"

    def backups(self) -> list[Path]:
        """The backups of the archive in this folder, oldest first."""
        marked = f"{self.mark}-"
        optional = "?" if _same(self.folder, self.archive.parent / FOLDER) else ""
        ours = re.compile(rf"{re.escape(self.archive.stem)}-(?:{marked}){optional}{_TIME}\.sqlite")
        return sorted((path for path in _listed(self.folder) if ours.fullmatch(path.name)), key=made_at)

    def last(self, now: float) -> datetime | None:
        """When the newest backup was made; one that is dated after *now* does not count."""
        return max(_until(map(made_at, self.backups()), now), default=None)

    def prune(self, keep: int, now: float) -> list[Path]:
        """Delete all but *keep* backups, see `daemon.archive.database.backup_retention`; returns those deleted.

        One that is dated after *now* is neither counted nor deleted: nobody knows when it was made.
        """
        present = self.backups()
        staying = kept(_until(map(made_at, present), now), keep)
        end = _time(now)
        return _drop(path for path in present if made_at(path) <= end and made_at(path) not in staying)

    def drop_unfinished(self, before: float) -> list[Path]:
        """Delete the remains of backups that were killed before this time while being made.

        Returns those deleted.
        """
        unfinished = re.compile(
            rf"{re.escape(self.archive.stem)}-{self.mark}-{_TIME}\.sqlite{re.escape(UNFINISHED)}"
        )
        found = [path for path in _listed(self.folder) if unfinished.fullmatch(path.name)]
        return _drop(path for path in found if made_at(path).timestamp() < before)


def before_name(archive: Path, what: str) -> str:
    """The name of a copy of *archive* before *what*: one that no other copy has."""
    at = time.time()
    while beside(archive, name := f".before-{what}.{stamp(at)}").exists():
        at += 1
    return archive.name + name


def copies_before(archive: Path) -> list[Path]:
    """The copies beside the archive that were made before a change, oldest first."""
    found = (path for path in _listed(archive.parent) if _kind(path, archive))
    return sorted(found, key=made_at)


def copies_of_deleted(archive: Path) -> list[Path]:
    """What was saved of archives of this name that were deleted while they were in use, oldest first."""
    return [path for path in copies_before(archive) if _kind(path, archive) == "deleted"]


def prune_before(archive: Path) -> list[Path]:
    """Delete old copies of each kind; returns those deleted.

    The newest stays, and the first one of each of the last few days that have one: the state before somebody
    tried this and that is worth more than those in between.
    """
    by_kind: dict[str, list[Path]] = {}
    for path in copies_before(archive):
        by_kind.setdefault(_kind(path, archive) or "", []).append(path)
    return [gone for paths in by_kind.values() for gone in _drop(_superseded(paths))]


def _superseded(copies: Sequence[Path]) -> list[Path]:
    first_of_day = {made_at(path).date(): path for path in reversed(copies)}
    days = sorted(first_of_day, reverse=True)[:KEPT_BEFORE]
    staying = {copies[-1], *(first_of_day[day] for day in days)}
    return [path for path in copies if path not in staying]


def newest(archive: Path, folders: Iterable[Path], is_ours: Callable[[Path], bool]) -> Path | None:
    """The newest backup or copy of *archive*, None if there is none.

    One from the future only if there is no other.

    They may be in *folders*, besides the usual one. *is_ours* looks into a backup and says whether it is one
    of this archive.
    """
    every = re.compile(rf"{re.escape(archive.stem)}-(?:[0-9a-f]{{8}}-)?{_TIME}\.sqlite")
    places = dict.fromkeys([archive.parent / FOLDER, *folders])
    found = [path for folder in places for path in _listed(folder) if every.fullmatch(path.name)]
    copies = [path for path in copies_before(archive) if not _same(path, archive)]
    now = datetime.now(UTC)
    in_order = sorted([*copies, *found], key=lambda path: (made_at(path) <= now, made_at(path)), reverse=True)
    return next((path for path in in_order if path in copies or is_ours(path)), None)


def mark_of(archive: Path, backup: Path) -> str | None:
    """The mark in a backup's name, None if it has none."""
    match = re.fullmatch(rf"{re.escape(archive.stem)}-([0-9a-f]{{8}})-{_TIME}\.sqlite", backup.name)
    return match[1] if match else None


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


def _until(times: Iterable[datetime], now: float) -> list[datetime]:
    end = _time(now)
    return [time for time in times if time <= end]


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC) + timedelta(seconds=1)  # names tell whole seconds


def _kind(path: Path, archive: Path) -> str | None:
    match = re.fullmatch(rf"{re.escape(archive.name)}\.before-(.+)\.{_TIME}", path.name)
    if match is None:
        return None
    return match[1] if match[1] in _OWN_KINDS else "migration"


def _drop(paths: Iterable[Path]) -> list[Path]:
    gone = list(paths)
    for path in gone:
        remove_database(path)
    return gone
