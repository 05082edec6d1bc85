"""A database and the logs beside it are one thing."""

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from daemon.archive.archive import open_archive
from daemon.archive.database import files
from daemon.archive.database.backup_names import copies_before
from daemon.archive.database.engine import sqlite_driver
from daemon.archive.database.files import beside, copy_aside, give_name, logs_of
from daemon.archive.errors import ArchiveGone
from daemon.archive.lock import only_daemon
from daemon.archive.reading.totals import totals
from daemon.archive.restore import prepared, switch
from daemon.archive.sqlite import FileArchive
from tests.daemon.seeding import fill, game_between


def opened(path: Path) -> FileArchive:
    archive = open_archive(path, busy_ms=5000)
    assert isinstance(archive, FileArchive)
    return archive


def add(archive: FileArchive, *white: str) -> None:
    fill(archive, [game_between(name, "Bianchi, Gina") for name in white])


def games(path: Path) -> int:
    with opened(path) as archive, archive.reading() as connection:
        assert archive.check(thorough=True) == []
        return totals(connection)["games"]


class Kill(BaseException):
    """As if the process was killed: nothing of ours catches it."""


@pytest.fixture
def with_log(sqlite_path: Path) -> Path:
    """An archive of which one game is in the log alone, as a killed process leaves it, and a backup without it."""
    with opened(sqlite_path) as archive:
        add(archive, "Rossi, Mario")
        archive.backup(sqlite_path.with_name("backup.sqlite"))
        reader = sqlite_driver().connect(sqlite_path, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM games").fetchone()
        add(archive, "Verdi, Luca")
        saved = {path: path.read_bytes() for path in (sqlite_path, *logs_of(sqlite_path))}
        reader.close()
    for path, content in saved.items():
        path.write_bytes(content)
    return sqlite_path


def restore(path: Path, backup: Path) -> Path | None:
    archive = opened(path)
    with prepared(archive, backup) as ready:
        return switch(archive, ready)


def test_a_restore_beside_a_log_without_its_file(with_log: Path) -> None:
    """The restored archive is sound and holds the backup's games; the old log is put aside, not played into it."""
    log = beside(with_log, "-wal").read_bytes()
    with_log.unlink()
    restore(with_log, with_log.with_name("backup.sqlite"))
    assert games(with_log) == 1
    assert beside(with_log, ".left-wal").read_bytes() == log


@pytest.mark.parametrize("tail", ["-wal", "-journal", "-shm"])
def test_no_archive_is_made_beside_a_log(sqlite_path: Path, tail: str) -> None:
    """What is left of an archive is never mixed into an empty one, and stays."""
    beside(sqlite_path, tail).write_bytes(b"left")
    sqlite_path.unlink()
    with (
        opened(sqlite_path) as archive,
        pytest.raises(ArchiveGone, match=rf"{tail} is still beside it.*restore FILE"),
    ):
        archive.migrate()
    assert not sqlite_path.exists()
    assert beside(sqlite_path, tail).read_bytes() == b"left"


def test_no_archive_is_made_where_there_are_backups(sqlite_path: Path, tmp_path: Path) -> None:
    """The newest is named: of the usual folder, of the configured one, or beside; not another archive's."""
    own, disk = tmp_path / "backups", tmp_path / "disk"
    with opened(sqlite_path) as archive:
        for folder, stamp in ((disk, "20260102T000000Z"), (own, "20260101T000000Z")):
            folder.mkdir()
            archive.backup(folder / archive.shelf(folder).name(stamp))
    (tmp_path / "other").mkdir()
    sqlite_path.unlink()
    places: tuple[tuple[Path | None, str], ...] = (
        (disk, "disk.archive-.*-20260102T000000Z"),
        (None, "backups.archive-.*-20260101T000000Z"),
    )
    for where, named in places:
        with (
            open_archive(sqlite_path, backup_folder=where) as archive,
            pytest.raises(ArchiveGone, match=f"restore .*{named}.sqlite. brings it back"),
        ):
            archive.migrate()
    with open_archive(tmp_path / "other" / "archive.sqlite", backup_folder=disk) as archive:
        assert archive.migrate() is True


def test_a_name_takes_no_log_with_it(tmp_path: Path) -> None:
    """Wherever a database gets a name, logs that lie there go aside; nothing that went aside before is replaced."""
    for content in ("one", "two"):
        beside(tmp_path / "name", "-journal").write_text(content)
        (tmp_path / "new").write_text(content)
        give_name(tmp_path / "new", tmp_path / "name")
    found = {path.name: path.read_text() for path in tmp_path.iterdir()}
    aside = {"name.left-journal": "one", "name.left2": "one", "name.left2-journal": "two"}
    assert found == {"name": "two", **aside}
    (tmp_path / "new").write_text("open")
    beside(tmp_path / "new", "-wal").write_text("open")
    with pytest.raises(RuntimeError, match="still open"):
        give_name(tmp_path / "new", tmp_path / "name")


def test_a_log_beside_the_place_of_a_backup(sqlite_path: Path, tmp_path: Path) -> None:
    """A backup is the archive, whatever log of another one lies where it is put."""
    with opened(sqlite_path) as archive:
        add(archive, "Rossi, Mario")
        beside(tmp_path / "copy.sqlite", "-wal").write_bytes(os.urandom(9000))
        archive.backup(tmp_path / "copy.sqlite")
    assert not logs_of(tmp_path / "copy.sqlite")
    assert games(tmp_path / "copy.sqlite") == 1


@pytest.mark.parametrize("step", range(12))
def test_a_kill_leaves_a_whole_database(with_log: Path, monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    """After each call that changes a name or takes one away: under the archive's name, or as the newest copy."""
    left = step

    def killing(name: str) -> None:
        done = getattr(Path, name)

        def counted(self: Path, *arguments: object, **options: Any) -> object:
            nonlocal left
            if self.name.startswith("archive.sqlite") and ".restored" not in self.name:
                if left == 0:
                    raise Kill
                left -= 1
            return done(self, *arguments, **options)

        monkeypatch.setattr(Path, name, counted)

    archive = opened(with_log)
    # A reader keeps the log from being written into the file.
    reader = sqlite3.connect(with_log, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM settings").fetchone()
    try:
        with prepared(archive, with_log.with_name("backup.sqlite")) as ready:
            for name in ("rename", "replace", "unlink"):
                killing(name)
            switch(archive, ready)
    except Kill:
        pass
    finally:
        monkeypatch.undo()
        reader.close()
    if with_log.exists():
        assert games(with_log) in {1, 2}
    if not with_log.exists() or games(with_log) == 1:
        (kept,) = copies_before(with_log)
        assert games(kept) == 2
    if not with_log.exists():
        with opened(with_log) as again, pytest.raises(ArchiveGone, match="before-restore"):
            again.migrate()


def test_what_cannot_be_kept_whole_stays(with_log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the disk is full halfway, the copy is removed, and the database is as it was."""
    monkeypatch.setattr(files, "sync_folder", lambda _: (_ for _ in ()).throw(OSError(28, "full")))
    with pytest.raises(Exception, match="make room"):
        copy_aside(with_log, with_log.with_name("aside"))
    monkeypatch.undo()
    assert not list(with_log.parent.glob("aside*"))
    assert games(with_log) == 2


def test_two_restores_within_a_second(with_log: Path) -> None:
    """Each keeps what was there under a name of its own."""
    backup = with_log.with_name("backup.sqlite")
    kept = [restore(with_log, backup) for _ in range(3)]
    assert len(set(kept)) == 3
    assert games(kept[0] or with_log) == 2


def test_a_deleted_archive_is_noticed_and_saved(sqlite_path: Path, tmp_path: Path) -> None:
    """Nothing is written into a file without a name; what it held is saved, and named by the next start."""
    with opened(sqlite_path) as archive, only_daemon(archive, tmp_path) as lock:
        add(archive, "Rossi, Mario", "Verdi, Luca")
        lock.confirm()
        sqlite_path.unlink()
        with pytest.raises(ArchiveGone, match="deleted"):
            lock.confirm()
        with pytest.raises(ArchiveGone, match="deleted"):
            add(archive, "Neri, Anna")
    (saved,) = copies_before(sqlite_path)
    assert games(saved) == 2
    with opened(sqlite_path) as archive, pytest.raises(ArchiveGone, match=f"restore {saved}"):
        archive.migrate()


def test_what_was_saved_is_told_until_it_is_back(sqlite_path: Path, tmp_path: Path) -> None:
    """A backup that was restored since does not hold what the deleted archive held last; the saved copy does."""
    backup = tmp_path / "archive-20240512T100000Z.sqlite"
    with opened(sqlite_path) as archive, only_daemon(archive, tmp_path):
        add(archive, "Rossi, Mario", "Verdi, Luca")
        archive.backup(backup)
        add(archive, "Neri, Anna")
        sqlite_path.unlink()
    (saved,) = copies_before(sqlite_path)
    restore(sqlite_path, backup)
    with opened(sqlite_path) as archive:
        assert archive.saved_copies() == [saved]
    restore(sqlite_path, saved)
    with opened(sqlite_path) as archive:
        assert archive.saved_copies() == []
    assert games(sqlite_path) == 3


def test_another_file_under_the_name_is_noticed(sqlite_path: Path, tmp_path: Path) -> None:
    """Neither of both is written to."""
    with opened(sqlite_path) as archive:
        add(archive, "Rossi, Mario")
        archive.backup(tmp_path / "copy.sqlite")
        with only_daemon(archive, tmp_path) as lock:
            (tmp_path / "copy.sqlite").replace(sqlite_path)
            for use in (lock.confirm, lambda: add(archive, "Neri, Anna")):
                with pytest.raises(ArchiveGone, match="another file"):
                    use()
