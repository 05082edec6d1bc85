"""Backups of an archive file: whole, checked, rotated, and put back."""

import os
import re
import shutil
import threading
import time
from pathlib import Path

import pytest

from daemon.archive.archive import open_archive
from daemon.archive.database import backup_names, copy
from daemon.archive.database.engine import sqlite_driver
from daemon.archive.database.schema import CURRENT, Schema
from daemon.archive.errors import AlreadyRunning, ArchiveError, BadCopy, Damaged, SchemaTooNew, WorkStopped
from daemon.archive.lock import only_daemon
from daemon.archive.reading.totals import totals
from daemon.archive.restore import prepared, switch, to_ourselves
from daemon.archive.sqlite import FileArchive
from daemon.service.backups import AGAIN_AFTER, BackupThread, back_up
from tests.daemon.other_rules import made_by_others, other_rules
from tests.daemon.seeding import fill, game_between

NAME = re.compile(r"archive-[0-9a-f]{8}-\d{8}T\d{6}Z\.sqlite")
FUTURE = "99990101T000000Z"


def _open(path: Path) -> FileArchive:
    archive = open_archive(path, busy_ms=5000)
    assert isinstance(archive, FileArchive)
    return archive


@pytest.fixture(name="file")
def _file(sqlite_path: Path) -> Path:
    """An archive with one game."""
    _add(sqlite_path, "Rossi, Mario")
    return sqlite_path


def _add(path: Path, white: str) -> None:
    with _open(path) as archive:
        fill(archive, [game_between(white, "Bianchi, Gina")])


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _games(path: Path) -> int:
    with _open(path) as archive, archive.reading() as connection:
        return totals(connection)["games"]


def test_a_backup_is_one_file_for_its_owner(file: Path, tmp_path: Path) -> None:
    """It is named with the time, and nothing lies beside it, also when it has been looked into."""
    with _open(file) as archive:
        made = back_up(archive, tmp_path / "backups", keep=7)

    assert NAME.fullmatch(made.path.name)
    assert made.path.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "backups").stat().st_mode & 0o777 == 0o700
    assert _games(made.path) == 1
    assert _names(tmp_path / "backups") == [made.path.name]
    assert _shelved(file, tmp_path / "backups") == [made.path]


def test_it_is_made_while_others_write(file: Path, tmp_path: Path) -> None:
    """A writer goes on without waiting, and each copy is the archive of one moment."""
    done = threading.Event()

    def write() -> None:
        with _open(file) as archive:
            number = 0
            while not done.is_set():
                number += 1
                fill(archive, [game_between("Rossi, Mario", "Bianchi, Gina", date=f"{1000 + number}.01.01")])

    writer = threading.Thread(target=write)
    writer.start()
    try:
        with _open(file) as archive:
            copies = [archive.backup(tmp_path / f"copy{number}.sqlite") for number in range(5)]
            with archive.reading() as connection:
                last = totals(connection)["games"]
    finally:
        done.set()
        writer.join()

    counts = [_games(one) for one in copies]
    assert counts == sorted(counts)
    assert 1 <= counts[0] <= counts[-1] <= last
    for one in copies:
        with _open(one) as archive:
            assert archive.check(thorough=True) == []


def _dated(archive: FileArchive, folder: Path, *stamps: str) -> list[Path]:
    """Backups of *archive* made at these times."""
    folder.mkdir(exist_ok=True)
    paths = [folder / archive.shelf(folder).name(stamp) for stamp in stamps]
    for path in paths:
        archive.backup(path)
    return paths


def _shelved(path: Path, folder: Path) -> list[Path]:
    with _open(path) as archive:
        return archive.shelf(folder).backups()


def test_some_go(file: Path, tmp_path: Path) -> None:
    """As many are kept as are wanted, and nothing else in the folder is touched."""
    folder = tmp_path / "disk"
    others = ["archive-20260101T000000Z.sqlite", "other-20260101T000000Z.sqlite", "notes"]
    with _open(file) as archive:
        older = _dated(archive, folder, *(f"2026010{day}T000000Z" for day in range(1, 6)))
        for name in others:
            (folder / name).write_bytes(b"")
        made = back_up(archive, folder, keep=3)

    assert list(made.gone) == older[:3]
    assert {path.name for path in folder.iterdir()} == {older[3].name, older[4].name, made.path.name, *others}


def test_many_in_a_row_push_out_nothing(file: Path, tmp_path: Path) -> None:
    """Twenty backups within one hour cost none of those of other days."""
    folder = tmp_path / "disk"
    with _open(file) as archive:
        older = _dated(archive, folder, *(f"202601{day:02}T000000Z" for day in range(1, 7)))
        shelf = archive.shelf(folder)
        _dated(archive, folder, *(f"20260107T1200{second:02}Z" for second in range(20)))
        shelf.prune(7, time.time())

    assert set(older) < set(shelf.backups())
    assert len(shelf.backups()) == 7


def test_one_of_the_future_does_not_count(file: Path, tmp_path: Path) -> None:
    """It neither makes a backup due each minute nor costs one, and it is not the newest while there is another."""
    folder = tmp_path / "backups"
    with _open(file) as archive:
        (future,) = _dated(archive, folder, FUTURE)
        assert archive.newest_backup() == future
        thread = BackupThread(archive, folder, every=86_400, keep=1)
        for minute in range(3):
            thread.look(time.time() + minute * 60)
        (made,) = set(archive.shelf(folder).backups()) - {future}
        assert archive.newest_backup() == made


def test_two_archives_with_one_folder(tmp_path: Path, sqlite_template: Path) -> None:
    """Each gets its backups, none removes the other's; copies of one file are two archives, too."""
    folder = tmp_path / "disk"
    ours: list[Path] = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        path = Path(shutil.copy(sqlite_template, tmp_path / name / "archive.sqlite"))
        with _open(path) as archive:
            thread = BackupThread(archive, folder, every=86_400, keep=1)
            thread.look(time.time())
            ours += archive.shelf(folder).backups()
            back_up(archive, folder, keep=1)

    assert len(set(ours)) == 2
    assert {backup_names.mark_of(Path("archive.sqlite"), path) for path in folder.iterdir()} == {
        backup_names.mark_of(Path("archive.sqlite"), path) for path in ours
    }


def test_what_killed_backups_left_goes(file: Path, tmp_path: Path) -> None:
    """A day later, with their logs; what somebody may still be making, and another archive's, stays."""
    folder = tmp_path / "disk"
    folder.mkdir()
    with _open(file) as archive:
        shelf = archive.shelf(folder)
        old, new = (
            f"{shelf.name(at)}.part" for at in ("20260101T000000Z", backup_names.stamp(time.time() + 60))
        )
        others = ["archive-00000000-20260101T000000Z.sqlite.part", "archive-20260101T000000Z.sqlite.part"]
        for name in (old, f"{old}-journal", new, *others):
            (folder / name).write_bytes(b"")
        made = back_up(archive, folder, keep=None)
    assert {path.name for path in folder.iterdir()} == {made.path.name, new, *others}


def test_a_bad_copy_is_none(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy that a broken disk has changed is noticed and removed, and the older ones stay."""
    real = copy._copy

    def damage(source: Path, target: Path, stop: copy.Stop) -> object:
        counts = real(source, target, stop)
        with target.open("r+b") as written:
            written.seek(8192 * 2)
            written.write(os.urandom(8192 * 8))
        return counts

    monkeypatch.setattr(copy, "_copy", damage)
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "archive-20260101T000000Z.sqlite").write_bytes(b"")

    with _open(file) as archive, pytest.raises((BadCopy, Damaged)):
        back_up(archive, folder, keep=1)

    assert _names(folder) == ["archive-20260101T000000Z.sqlite"]


def test_missing_rows_are_noticed(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sound database with fewer rows than there were is not taken for a backup."""
    real = copy._copy

    def lose(source: Path, target: Path, stop: copy.Stop) -> object:
        counts = real(source, target, stop)
        with sqlite_driver().connect(target) as connection:
            connection.execute("DELETE FROM player_words")
        connection.close()
        return counts

    monkeypatch.setattr(copy, "_copy", lose)
    with _open(file) as archive, pytest.raises(BadCopy, match="not have as many rows"):
        back_up(archive, tmp_path / "backups", keep=1)
    assert _names(tmp_path / "backups") == []


def test_it_can_be_given_up(file: Path, tmp_path: Path) -> None:
    """When asked to stop, it leaves no files."""
    with _open(file) as archive, pytest.raises(WorkStopped):
        back_up(archive, tmp_path / "backups", keep=1, stop=lambda: True)
    assert _names(tmp_path / "backups") == []


def test_few_copies_before_changes_are_kept(file: Path) -> None:
    """Of each kind the newest stays beside the archive, and the first one of each of the last three days."""
    for kind in ("0002", "keys", "restore"):
        for day in range(1, 6):
            for hour in (1, 2, 3):
                file.with_name(f"{file.name}.before-{kind}.2026010{day}T0{hour}0000Z").write_bytes(b"")
    kept = file.with_name(f"{file.name}.before-0001.20251231T000000Z")
    kept.write_bytes(b"")

    backup_names.prune_before(file)

    left = {path.name.partition(".before-")[2] for path in backup_names.copies_before(file)}
    stamps = ("20260103T010000Z", "20260104T010000Z", "20260105T010000Z", "20260105T030000Z")
    assert left == {f"{kind}.{stamp}" for kind in ("0002", "keys", "restore") for stamp in stamps}


def test_it_comes_back(file: Path, tmp_path: Path) -> None:
    """The backup is the archive afterwards, and the archive before is kept whole."""
    with _open(file) as archive:
        backup = back_up(archive, tmp_path / "backups", keep=None).path
    _add(file, "Verdi, Luca")

    with _open(file) as archive:
        with to_ourselves(archive, tmp_path), prepared(archive, backup) as ready:
            assert ready.games == 1
            kept = switch(archive, ready)
        assert _games(file) == 1
        _add(file, "Neri, Anna")

    assert _games(file) == 2
    assert kept is not None
    assert _games(kept) == 2
    assert backup.exists()
    assert not list(tmp_path.glob("*.restored*"))


def test_it_replaces_a_damaged_archive(file: Path, tmp_path: Path) -> None:
    """What the damaged archive was stays, byte for byte."""
    with _open(file) as archive:
        backup = archive.backup(tmp_path / "copy.sqlite")
    file.write_bytes(b"no database at all" * 1000)

    archive = _open(file)
    with prepared(archive, backup) as ready:
        kept = switch(archive, ready)

    assert kept is not None
    assert kept.read_bytes() == b"no database at all" * 1000
    assert _games(file) == 1


def test_a_log_of_the_old_archive_is_not_taken_for_one_of_the_new(file: Path, tmp_path: Path) -> None:
    """Games that only the log of the old archive holds stay with the old one."""
    with _open(file) as archive:
        backup = archive.backup(tmp_path / "copy.sqlite")
    reader = sqlite_driver().connect(file, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM games").fetchone()  # no checkpoint can go beyond this moment
    _add(file, "Verdi, Luca")
    assert file.with_name(file.name + "-wal").stat().st_size > 0

    archive = _open(file)
    with prepared(archive, backup) as ready:
        kept = switch(archive, ready)
    reader.close()

    assert _games(file) == 1
    assert kept is not None
    assert _games(kept) == 2


def test_an_archive_that_is_gone_comes_back(file: Path, tmp_path: Path) -> None:
    """There need not be one to be replaced."""
    with _open(file) as archive:
        backup = archive.backup(tmp_path / "copy.sqlite")
    file.unlink()

    archive = _open(file)
    with prepared(archive, backup) as ready:
        assert switch(archive, ready) is None

    assert _games(file) == 1


@pytest.mark.parametrize(
    ("content", "error", "said"),
    [
        (b"", Damaged, "not an SQLite database"),
        (b"PK\x03\x04 no archive", Damaged, "not an SQLite database"),
        (b"SQLite format 3\0" + b"x" * 9000, Damaged, "damaged|not an SQLite database"),
    ],
)
def test_what_is_no_backup_is_refused(
    file: Path, tmp_path: Path, content: bytes, error: type[ArchiveError], said: str
) -> None:
    """The archive stays as it is, and nothing is left beside it."""
    bad = tmp_path / "bad.sqlite"
    bad.write_bytes(content)
    before = _names(tmp_path)

    with _open(file) as archive, pytest.raises(error, match=said), prepared(archive, bad):
        pass

    assert sorted(set(_names(tmp_path)) - {"archive.sqlite-wal", "archive.sqlite-shm"}) == before
    assert _games(file) == 1


def test_other_databases_are_refused(file: Path, tmp_path: Path) -> None:
    """An empty database, somebody else's, a newer one, a damaged one, and the archive itself."""
    empty, foreign, newer, bent = (
        tmp_path / f"{name}.sqlite" for name in ("empty", "foreign", "newer", "bent")
    )
    for path, *statements in (
        (empty, "VACUUM"),
        (foreign, "CREATE TABLE songs (name TEXT)"),
    ):
        connection = sqlite_driver().connect(path, isolation_level=None)
        for statement in statements:
            connection.execute("PRAGMA user_version=1")
            connection.execute(statement)
        connection.close()
    with _open(file) as archive:
        archive.backup(newer)
        archive.backup(bent)
    connection = sqlite_driver().connect(newer, isolation_level=None)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    connection = sqlite_driver().connect(bent, isolation_level=None)
    connection.execute("UPDATE games SET white_id = 99")
    connection.close()

    archive = _open(file)
    for path, error, said in (
        (empty, ArchiveError, "not an archive of gamekeeper"),
        (foreign, ArchiveError, "not an archive of gamekeeper"),
        (newer, SchemaTooNew, "newer gamekeeper"),
        (bent, Damaged, "point nowhere"),
        (file, ArchiveError, "the archive itself"),
    ):
        with pytest.raises(error, match=said), prepared(archive, path):
            pass
    assert _games(file) == 1


def test_an_older_backup_is_brought_to_today(file: Path, tmp_path: Path) -> None:
    """Schema and keys of an older gamekeeper become ours before the archive is replaced; the backup stays as it is."""
    script = tmp_path / "revisions" / "9999_tomorrow.py"
    script.parent.mkdir()
    script.write_text(
        "import sqlalchemy as sa\nfrom alembic import op\n"
        f'revision = "9999"\ndown_revision = "{CURRENT.head}"\nbranch_labels = depends_on = None\n'
        'def upgrade() -> None:\n    op.add_column("players", sa.Column("country", sa.Text()))\n'
    )
    tomorrow = Schema("9999", (*CURRENT.folders, script.parent))
    old = tmp_path / "old.sqlite"
    with other_rules(), _open(tmp_path / "by others.sqlite") as archive:
        archive.migrate()
        fill(archive, [game_between("Rossi.Mario", "Bianchi, Gina")])
        archive.backup(old)
    with open_archive(old) as archive:
        made_by_others(archive)
    content = old.read_bytes()

    ours = open_archive(file, schema=tomorrow)
    assert isinstance(ours, FileArchive)
    with prepared(ours, old, schema=tomorrow) as ready:
        assert (ready.schema, ready.games) == (CURRENT.head, 1)
        switch(ours, ready)

    with ours, ours.reading() as connection:
        assert connection.exec_driver_sql("SELECT country FROM players").fetchall() == [(None,), (None,)]
        kinds = connection.exec_driver_sql("SELECT kind FROM players").scalars().all()
    assert kinds == ["person", "person"]
    assert ours.migrate() is False
    assert old.read_bytes() == content
    assert not [path for path in backup_names.copies_before(file) if ".before-restore." not in path.name]


def test_a_running_daemon_or_import_is_in_the_way(file: Path, tmp_path: Path) -> None:
    """Who has the archive open for long must end first."""
    archive = _open(file)
    with (
        only_daemon(archive, tmp_path),
        pytest.raises(AlreadyRunning, match="stop it"),
        to_ourselves(archive, tmp_path),
    ):
        pass
    with archive.importing(), pytest.raises(AlreadyRunning, match="import"), to_ourselves(archive, tmp_path):
        pass
    with to_ourselves(archive, tmp_path), pytest.raises(AlreadyRunning), only_daemon(archive, tmp_path):
        pass


def test_a_look_leaves_the_mark_of_a_killed_daemon(file: Path, tmp_path: Path) -> None:
    """A daemon that was killed is still noticed by the next one."""
    (tmp_path / "daemon.lock").write_text("12345")
    archive = _open(file)

    with to_ourselves(archive, tmp_path):
        pass

    with only_daemon(archive, tmp_path) as lock:
        assert lock.unclean


def test_the_daemon_makes_them_when_they_are_due(file: Path, tmp_path: Path) -> None:
    """At once where there is none, then a day after the newest, by the time in its name."""
    folder = tmp_path / "backups"
    with _open(file) as archive:
        thread = BackupThread(archive, folder, every=86_400, keep=2)
        shelf = archive.shelf(folder)
        now = time.time()
        thread.look(now)
        (first,) = shelf.backups()
        thread.look(now + 80_000)
        assert shelf.backups() == [first]
        old = first.rename(folder / "archive-20260101T000000Z.sqlite")
        thread.look(now)

        assert len(shelf.backups()) == 2
        assert shelf.backups()[0] == old


def test_a_backup_that_fails_is_tried_again_later(file: Path, tmp_path: Path) -> None:
    """Not every minute, and the daemon goes on; a clock that is set back does not make it wait for ever."""
    folder = tmp_path / "backups"
    folder.write_text("in the way")
    with _open(file) as archive:
        thread = BackupThread(archive, folder, every=86_400, keep=2)
        now = time.time()
        thread.look(now)
        folder.unlink()
        thread.look(now + 60)
        assert not folder.exists()
        thread.look(now + AGAIN_AFTER + 1)
        assert len(archive.shelf(folder).backups()) == 1
    shutil.rmtree(folder)
    folder.write_text("in the way")
    with _open(file) as archive:
        thread = BackupThread(archive, folder, every=86_400, keep=2)
        thread.look(now + 10**8)
        folder.unlink()
        thread.look(now)
        assert len(archive.shelf(folder).backups()) == 1


def test_its_thread_ends_at_once(file: Path, tmp_path: Path) -> None:
    """It makes a backup at its start, and does not wait for the next look when it is closed."""
    with _open(file) as archive:
        thread = BackupThread(archive, tmp_path / "backups", every=86_400, keep=2)
        thread.start()
        while not archive.shelf(tmp_path / "backups").backups():
            time.sleep(0.01)
        thread.close()
