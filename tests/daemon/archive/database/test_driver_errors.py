"""What happens to the archive when the world is not as it should be."""

import contextlib
import errno
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from daemon.archive.archive import Archive, open_archive
from daemon.archive.database.driver_errors import explain_postgresql
from daemon.archive.database.engine import sqlite_driver
from daemon.archive.database.files import new_file
from daemon.archive.errors import (
    ArchiveBusy,
    ArchiveError,
    Damaged,
    DatabaseUnreachable,
    DiskFull,
    NotReadable,
    ReadOnly,
)
from daemon.archive.games.files import file_row
from daemon.archive.games.prepared import prepare
from daemon.archive.sqlite import FileArchive
from daemon.archive.take_in import FilePiece, Telling, take_in
from tests.daemon.conftest import run_sql
from tests.daemon.made_up import otb

NOBODY = 65534


def book(archive: Archive) -> int:
    with archive.writing() as connection:
        return file_row(connection, "/chess/club.pgn").id


def take(archive: Archive, file_id: int, batch: int, size: int = 20) -> None:
    """A batch of games that is like no other batch."""
    tellings = [
        Telling(
            prepare(otb(Date=f"{1000 + batch}.{n % 12 + 1:02}.{n // 12 + 1:02}", Event=f"{batch} {n} " * 40)),
            FilePiece(file_id),
        )
        for n in range(size)
    ]
    take_in(archive, tellings, now_ms=0)


def batches(archive: Archive) -> dict[int, int]:
    """How many games there are of each batch."""
    with archive.reading() as connection:
        found = connection.exec_driver_sql("SELECT substr(date, 1, 4), count(*) FROM games GROUP BY 1")
        return {int(year) - 1000: count for year, count in found}


def test_disk_full(sqlite_path: Path) -> None:
    """A full disk refuses a batch whole; what was stored stays, and room lets it go on."""
    with open_archive(sqlite_path) as archive:
        file_id = book(archive)
        with archive.writing() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        # The writing connection is kept by the archive: the limit lasts.
        with archive.writing() as connection:
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 20}")

        def fill() -> None:
            for batch in range(10_000):
                take(archive, file_id, batch)

        with pytest.raises(DiskFull, match="no room") as caught:
            fill()
        assert caught.value.passing
        stored = len(batches(archive))
        assert stored > 0
        assert batches(archive) == dict.fromkeys(range(stored), 20)
        assert archive.check() == []
        with archive.writing() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
        take(archive, file_id, stored)
        assert batches(archive) == dict.fromkeys(range(stored + 1), 20)


LIMITED = """
    import resource, sys
    from daemon.archive.archive import open_archive
    from daemon.archive.errors import DiskError
    from tests.daemon.archive.database.test_driver_errors import book, take
    archive = open_archive(sys.argv[1])
    file_id = book(archive)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000))
    for batch in range(10_000):
        try:
            take(archive, file_id, batch)
        except DiskError:
            sys.exit(0)
        print(batch, flush=True)
"""


def run_python(code: str, *arguments: Any) -> subprocess.Popen[str]:
    """Another process that runs this code."""
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_file_size_limit(sqlite_path: Path) -> None:
    """A write that the system refuses (a quota, a limit) is a full disk: nothing acknowledged is lost."""
    with run_python(LIMITED, sqlite_path) as writer:
        acknowledged = writer.communicate()[0].split()
    assert writer.returncode == 0
    assert acknowledged
    with open_archive(sqlite_path) as archive:
        assert archive.check() == []
        assert batches(archive) == dict.fromkeys(range(len(acknowledged)), 20)


WRITER = """
    import sys
    from daemon.archive.archive import open_archive
    from tests.daemon.archive.database.test_driver_errors import book, take
    archive = open_archive(sys.argv[1])
    file_id = book(archive)
    for batch in range(10_000):
        take(archive, file_id, batch)
        print(batch, flush=True)
"""


def test_killed_writer(where: str) -> None:
    """A writer that is killed at any moment leaves whole batches only, and every acknowledged one."""
    for delay in (0.0, 0.013, 0.031):
        with run_python(WRITER, where) as writer:
            assert writer.stdout is not None
            acknowledged = [int(writer.stdout.readline())]
            time.sleep(delay)
            writer.send_signal(signal.SIGKILL)
            acknowledged += map(int, writer.stdout.read().split())
        with open_archive(where) as archive:
            archive.migrate()
            assert archive.check() == []
            assert set(batches(archive).values()) == {20}
            assert set(acknowledged) <= batches(archive).keys()


@contextlib.contextmanager
def as_nobody() -> Iterator[None]:
    """Root may write anywhere: give that up."""
    if os.geteuid() == 0:
        os.seteuid(NOBODY)
        try:
            yield
        finally:
            os.seteuid(0)
    else:
        yield


def reachable(folder: Path) -> None:
    """Let others pass through the folders of pytest, which are their owner's alone."""
    for parent in (folder, *folder.parents):
        if parent.stat().st_uid == os.getuid() and parent != Path("/"):
            parent.chmod(parent.stat().st_mode | 0o011)


def test_read_only_folder(sqlite_path: Path) -> None:
    """A folder that cannot be written to is named as such, when writing and when making an archive."""
    reachable(sqlite_path.parent)
    sqlite_path.chmod(0o444)
    sqlite_path.parent.chmod(0o555)
    try:
        with as_nobody():
            with (
                open_archive(sqlite_path) as archive,
                pytest.raises((ReadOnly, NotReadable)),
                archive.writing(),
            ):
                pass
            with open_archive(sqlite_path.with_name("new.sqlite")) as archive, pytest.raises(ReadOnly):
                archive.migrate()
            deeper = sqlite_path.parent / "deeper" / "new.sqlite"
            with open_archive(deeper) as archive, pytest.raises(NotReadable, match="deeper"):
                archive.migrate()
    finally:
        sqlite_path.parent.chmod(0o755)


def test_unreadable_file(sqlite_path: Path) -> None:
    """A file without permission is named as such."""
    reachable(sqlite_path.parent)
    sqlite_path.chmod(0)
    with as_nobody(), open_archive(sqlite_path) as archive, pytest.raises(NotReadable, match="archive"):
        archive.migrate()


def damage_start(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"\0" * 100)


def damage_pages(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(8192)
        file.write(os.urandom(path.stat().st_size - 8192))


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def cut_to_nothing(path: Path) -> None:
    os.truncate(path, 0)


@pytest.mark.parametrize("damage", [damage_start, damage_pages, cut, cut_to_nothing])
def test_damaged_file(sqlite_path: Path, damage: Callable[[Path], None]) -> None:
    """A damaged archive is refused and left as it is, and the message names the newest backup."""
    backup = sqlite_path.with_name("archive.sqlite.before-0001.20260101T000000Z")
    with open_archive(sqlite_path) as archive:
        assert isinstance(archive, FileArchive)
        take(archive, book(archive), 0, 100)
        archive.backup(backup)
    damage(sqlite_path)
    damaged = sqlite_path.read_bytes()

    def use() -> None:
        with open_archive(sqlite_path) as archive:
            archive.migrate()
            take(archive, book(archive), 1, 100)

    with pytest.raises(Damaged, match=backup.name):
        use()
    assert sqlite_path.read_bytes() == damaged
    with open_archive(backup) as archive:
        assert batches(archive) == {0: 100}


def test_damaged_wal(sqlite_path: Path) -> None:
    """Of a damaged write-ahead log what came before the damage is read; the archive stays sound."""
    driver = sqlite_driver()
    keeper = driver.connect(sqlite_path)
    keeper.execute("SELECT count(*) FROM games").fetchone()  # from now on the log is kept
    with open_archive(sqlite_path) as archive:
        file_id = book(archive)
        for batch in range(3):
            take(archive, file_id, batch)
    copy = sqlite_path.with_name("copy.sqlite")
    wal = sqlite_path.with_name("archive.sqlite-wal").read_bytes()
    # Before the last connection closes: that would write the log's pages into the file.
    copy.write_bytes(sqlite_path.read_bytes())
    keeper.close()
    middle = len(wal) // 2
    copy.with_name("copy.sqlite-wal").write_bytes(wal[:middle] + bytes(200) + wal[middle + 200 :])
    with open_archive(copy) as archive:
        archive.migrate()
        assert archive.check() == []
        assert set(batches(archive).values()) <= {20}


def test_check_finds_damage(sqlite_path: Path) -> None:
    """What the database finds wrong in itself is listed."""
    connection = sqlite3.connect(sqlite_path)
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_master SET rootpage = 99999 WHERE name = 'ix_games_date_id'")
    connection.commit()
    connection.close()
    with open_archive(sqlite_path) as archive:
        try:
            found = archive.check()
        except Damaged as error:
            found = [str(error)]
    assert found


def test_writing_into_no_archive(tmp_path: Path) -> None:
    """What is wrong with a file is told on any way into it, also where the first statement of a connection meets it."""
    path = tmp_path / "archive.sqlite"
    path.write_bytes(b"no database at all, " * 100)
    with open_archive(path) as archive, pytest.raises(Damaged), archive.writing():
        pass
    with open_archive(tmp_path / "missing.sqlite") as archive:
        with pytest.raises(NotReadable), archive.writing():
            pass
        with pytest.raises(NotReadable), archive.reading() as connection:
            connection.exec_driver_sql("SELECT 1")
    assert not (tmp_path / "missing.sqlite").exists()


@pytest.mark.parametrize("name", ["file/archive.sqlite", "folder", "loop/archive.sqlite"])
def test_impossible_paths(tmp_path: Path, name: str) -> None:
    """A path that can hold no archive is named as such."""
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with open_archive(tmp_path / name) as archive, pytest.raises(NotReadable, match=name.partition("/")[0]):
        archive.migrate()


def test_too_many_readers(where: str) -> None:
    """More readers than connections wait for a while, and are then told."""
    with open_archive(where, busy_ms=100) as archive, contextlib.ExitStack() as stack:

        def read() -> None:
            for _ in range(80):
                stack.enter_context(archive.reading())

        with pytest.raises(ArchiveBusy, match="too many readers"):
            read()
    with open_archive(where) as archive:
        assert batches(archive) == {}


def test_no_room_for_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk without room for one more file is full, not read-only."""

    def full(*_: Any) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "open", full)
    with pytest.raises(DiskFull, match="No space left"):
        new_file(tmp_path / "archive.sqlite")


def test_psycopg_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without psycopg a PostgreSQL archive cannot be opened, and the message says what to install."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ArchiveError, match=r"gamekeeper\[postgresql\]"):
        open_archive("postgresql://keeper@127.0.0.1:1/games")


def test_backup(sqlite_path: Path) -> None:
    """A backup holds everything up to now, is for its owner alone, and a failed one leaves nothing."""
    with open_archive(sqlite_path) as archive:
        assert isinstance(archive, FileArchive)
        take(archive, book(archive), 0)
        target = archive.backup(sqlite_path.with_name("copy.sqlite"))
        assert target.stat().st_mode & 0o777 == 0o600
        with pytest.raises(ReadOnly):
            archive.backup(sqlite_path.parent / "no folder" / "copy.sqlite")
    with open_archive(target) as copy:
        assert batches(copy) == {0: 20}
        assert copy.check() == []
    assert not list(sqlite_path.parent.glob("*.part"))


def test_backup_without_room(sqlite_path: Path) -> None:
    """A backup that does not fit is not kept as one, and the message says so."""
    code = """
        import resource, sys
        from pathlib import Path
        from daemon.archive.archive import open_archive
        from daemon.archive.errors import DiskError
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
        try:
            open_archive(sys.argv[1]).backup(Path(sys.argv[1] + ".copy"))
        except DiskError:
            sys.exit(0)
    """
    assert sqlite_path.stat().st_size > 50_000
    with run_python(code, sqlite_path) as process:
        assert process.wait() == 0
    assert sorted(path.suffix for path in sqlite_path.parent.glob("*copy*")) == []


def test_server_away() -> None:
    """A server that is not there is a passing trouble."""
    with (
        open_archive("postgresql+psycopg://keeper@127.0.0.1:1/games") as archive,
        pytest.raises(DatabaseUnreachable, match="does not answer") as caught,
    ):
        archive.migrate()
    assert caught.value.passing


def test_server_cuts_the_connection(postgresql_url: str, postgresql_server: str) -> None:
    """A batch whose connection is cut is not stored; the next one finds a new connection."""
    name = postgresql_url.partition("/test_")[2].partition("?")[0]
    cutting = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'test_{name}'"
    with open_archive(postgresql_url) as archive:
        file_id = book(archive)

        def write() -> None:
            with archive.writing() as connection:
                connection.exec_driver_sql("INSERT INTO settings VALUES ('lost', '')")
                run_sql(postgresql_server, cutting)
                connection.exec_driver_sql("SELECT 1")

        with pytest.raises(DatabaseUnreachable):
            write()
        take(archive, file_id, 0)
        assert batches(archive) == {0: 20}
        with archive.reading() as connection:
            assert (
                connection.exec_driver_sql("SELECT count(*) FROM settings WHERE name = 'lost'").scalar() == 0
            )


def test_unknown_database(postgresql_server: str) -> None:
    """A database that does not exist is named, with what the server says."""
    with (
        open_archive(postgresql_server.replace("/postgres?", "/nowhere?")) as archive,
        pytest.raises(ArchiveError, match="nowhere"),
    ):
        archive.migrate()


def test_read_only_server(postgresql_url: str) -> None:
    """A server that allows no writing (a standby) is named as such."""
    with open_archive(postgresql_url + "&options=-c%20default_transaction_read_only%3Don") as archive:
        with pytest.raises(ReadOnly):
            take(archive, 1, 0)
        assert batches(archive) == {}


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        ("53100", DiskFull),
        ("XX001", Damaged),
        ("XX002", Damaged),
        ("42501", ReadOnly),
        ("57P01", DatabaseUnreachable),
    ],
)
def test_what_a_server_reports(state: str, kind: type[ArchiveError]) -> None:
    """Errors that are hard to provoke on a server are known by their SQLSTATE."""
    import psycopg

    error = explain_postgresql("the server")(psycopg.errors.lookup(state)("as the server words it"))
    assert isinstance(error, kind)
    assert "as the server words it" in str(error)


def test_faults_of_ours_stay_visible(archive: Archive) -> None:
    """A wrong statement is a fault of the program: it is not dressed up as a fault of the archive."""
    with pytest.raises(Exception, match="nowhere") as caught, archive.reading() as connection:
        connection.exec_driver_sql("SELECT * FROM nowhere")
    assert not isinstance(caught.value, ArchiveError)
