"""Backups by their names: those that are made on purpose, and the copies that are made before a change.

gamekeeper-20260512T100000Z.sqlite                in the folder of backups, made by `backup` or by the daemon
gamekeeper.sqlite.before-0002.20260512T100000Z    beside the archive: before a migration (also ``keys``, ``verify``,
                                                  ``restore``)
"""

import re
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from daemon.archive.places import remove_database

KEPT_BEFORE: Final = 3
"""Copies of one kind that are kept beside the archive: migrations, keys, verify, restore."""

FOLDER: Final = "backups"
"""The folder of backups beside the archive, unless the configuration names another one."""

_STAMP: Final = "%Y%m%dT%H%M%SZ"
_TIME: Final = r"\d{8}T\d{6}Z"
_OWN_KINDS: Final = frozenset({"keys", "verify", "restore"})


def stamp() -> str:
    """The time now, as names have it."""
    return time.strftime(_STAMP, time.gmtime())


def backup_name(archive: Path, at: str) -> str:
    """What a backup of *archive* is called."""
    return f"{archive.stem}-{at}.sqlite"


def backups_in(folder: Path, archive: Path) -> list[Path]:
    """The backups of *archive* in this folder, oldest first."""
    ours = re.compile(rf"{re.escape(archive.stem)}-{_TIME}\.sqlite")
    try:
        return sorted(path for path in folder.iterdir() if ours.fullmatch(path.name))
    except OSError:
        return []


def made_at(backup: Path) -> datetime:
    """When a backup, or a copy before a change, was made, as its name says."""
    found = re.findall(_TIME, backup.name)
    return datetime.strptime(found[-1], _STAMP).replace(tzinfo=UTC)


def prune(folder: Path, archive: Path, keep: int) -> list[Path]:
    """Take away all but the newest *keep* backups in this folder; those that are gone."""
    return _drop(backups_in(folder, archive)[:-keep])


def before_name(archive: Path, what: str) -> str:
    """What a copy of *archive* before *what* is called."""
    return f"{archive.name}.before-{what}.{stamp()}"


def copies_before(archive: Path) -> list[Path]:
    """The copies beside the archive that were made before a change, oldest first."""
    found = archive.parent.glob(f"{archive.name}.before-*")
    return sorted((path for path in found if _kind(path, archive)), key=made_at)


def prune_before(archive: Path) -> list[Path]:
    """Take away all but the newest few copies of each kind; those that are gone."""
    by_kind: dict[str, list[Path]] = {}
    for path in copies_before(archive):
        by_kind.setdefault(_kind(path, archive) or "", []).append(path)
    return [gone for paths in by_kind.values() for gone in _drop(paths[:-KEPT_BEFORE])]


def newest(archive: Path) -> Path | None:
    """The newest backup or copy that lies where they usually do, None if there is none."""
    found = [*copies_before(archive), *backups_in(archive.parent / FOLDER, archive)]
    return max(found, key=made_at, default=None)


def _kind(path: Path, archive: Path) -> str | None:
    match = re.fullmatch(rf"{re.escape(archive.name)}\.before-(.+)\.{_TIME}", path.name)
    if match is None:
        return None
    return match[1] if match[1] in _OWN_KINDS else "migration"


def _drop(paths: list[Path]) -> list[Path]:
    for path in paths:
        remove_database(path)
    return paths
