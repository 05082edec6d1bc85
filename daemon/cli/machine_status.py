"""What `status` says of this machine besides the archive: its size, its backups, the watched folders."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import TypedDict

from core.plurals import count_of
from daemon import visible_paths
from daemon.cli.context import Context

if TYPE_CHECKING:
    from daemon.archive.archive import Archive
    from daemon.archive.reading.folders import FolderRead
    from daemon.archive.reading.shapes import Status


class Backups(TypedDict):
    """Backups of a SQLite archive. *next* is None if none are scheduled."""

    folder: str
    last: str | None
    next: str | None


class Beside(TypedDict):
    """What only this machine knows; *bytes* and *backups* are None for a PostgreSQL archive.

    *saved*: copies of the archive that it made when it was deleted in use, and that contain more than a
    backup restored since.
    """

    bytes: int | None
    backups: Backups | None
    saved: list[str]
    folders: "list[FolderRead]"
    missing: list[str]


def look(context: Context) -> Beside:
    """Collect the facts; the archive is that of the configuration."""
    from daemon.archive.reading.folders import folders_read

    archive, config = context.archive_to_read(), context.config()
    paths = [str(one.path) for one in config.pgn]
    with archive.reading() as connection:
        folders = folders_read(connection, paths)
    missing = [path for path in paths if not visible_paths.exists(Path(path))]
    return {
        "bytes": _size(archive),
        "backups": _backups(context, archive),
        "saved": _saved(archive),
        "folders": folders,
        "missing": missing,
    }


def _size(archive: "Archive") -> int | None:
    """The bytes of the database, with what is not yet written to its file."""
    from daemon.archive.sqlite import FileArchive

    if not isinstance(archive, FileArchive):
        return None
    files = (archive.path.with_name(archive.path.name + suffix) for suffix in ("", "-wal"))
    return sum(path.stat().st_size for path in files if visible_paths.is_file(path))


def _backups(context: Context, archive: "Archive") -> Backups | None:
    from daemon.archive.reading.times import rfc3339
    from daemon.archive.sqlite import FileArchive

    if not isinstance(archive, FileArchive):
        return None
    config, now = context.config(), time.time()
    folder = config.backup_folder()
    made = archive.shelf(folder).last(now)
    last = None if made is None else made.timestamp()
    due = None if config.backup.every is None else now if last is None else last + config.backup.every
    return {
        "folder": str(folder),
        "last": None if last is None else rfc3339(int(last * 1000)),
        "next": None if due is None else rfc3339(int(due * 1000)),
    }


def _saved(archive: "Archive") -> list[str]:
    from daemon.archive.sqlite import FileArchive

    return [str(path) for path in archive.saved_copies()] if isinstance(archive, FileArchive) else []


def worries(found: "Status", beside: Beside | None) -> list[str]:
    """What needs attention, a sentence each; empty if all is well."""
    sentences = [
        f"{site['site']}: {site['error'] or _plain(site['state'])}"
        for site in found["sites"]
        if site["state"] != "ok"
    ]
    accounts = (*found["accounts"], *found["events"])
    sentences += [
        f"{one['account']}: {one['error'] or _plain(one['state'])}"
        for one in accounts
        if one["configured"] and (one["error"] or one["failures"] or one["state"] not in {"new", "active"})
    ]
    waiting = found["archive"]["quarantine"]
    if waiting:
        sentences.append(f"{count_of(waiting, 'game')} could not be read: `gamekeeper quarantine list`")
    if beside is not None:
        sentences += [f"the folder {path} ([[pgn]]) is not there" for path in beside["missing"]]
        sentences += [
            f"the archive was deleted while it was in use, and what it held then is saved: `gamekeeper restore {path}` "
            "brings it back; delete that file if it is not needed"
            for path in beside["saved"]
        ]
    return sentences


def _plain(state: str) -> str:
    return state.replace("_", " ")
