"""How connections are made, and what a transaction is, on both databases."""

import sqlite3
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from daemon.archive.archive import Archive, open_archive
from daemon.archive.database.engine import has_wal_reset_bug, sqlite_driver
from daemon.archive.database.filesystem import refuse_network
from daemon.archive.errors import ArchiveBusy, ArchiveError, NetworkFolder, ReadOnly
from tests.daemon.seeding import fill, game_between


@pytest.mark.parametrize(
    ("version", "affected"),
    [
        ((3, 6, 23), False),
        ((3, 7, 0), True),
        ((3, 40, 1), True),
        ((3, 44, 5), True),
        ((3, 44, 6), False),
        ((3, 45, 0), True),
        ((3, 50, 6), True),
        ((3, 50, 7), False),
        ((3, 51, 2), True),
        ((3, 51, 3), False),
        ((3, 53, 4), False),
    ],
)
def test_versions_with_the_wal_reset_bug(version: tuple[int, int, int], affected: bool) -> None:
    """SQLite 3.7.0 to 3.51.2 can damage a WAL database, but for the lines that were mended."""
    assert has_wal_reset_bug(version) is affected


def test_driver_is_safe() -> None:
    """The SQLite that is used here has no such bug."""
    assert not has_wal_reset_bug(sqlite_driver().sqlite_version_info)


def test_driver_without_pysqlite3(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the bug is and pysqlite3 cannot be had, the interpreter's SQLite is used with a warning."""
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 40, 1))
    monkeypatch.setitem(sys.modules, "pysqlite3.dbapi2", None)
    assert sqlite_driver() is sqlite3
    assert "pysqlite3" in "".join(capsys.readouterr())
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 3))
    assert sqlite_driver() is sqlite3


@pytest.mark.parametrize(
    ("value", "stored", "kind"),
    [
        (None, None, "null"),
        (b"", b"", "blob"),
        (b"\x00a\xff", b"\x00a\xff", "blob"),
        (bytearray(b"ab"), b"ab", "blob"),
        (memoryview(b"ab"), b"ab", "blob"),
        (True, 1, "integer"),
        (False, 0, "integer"),
        (2**63 - 1, 2**63 - 1, "integer"),
        (-1, -1, "integer"),
        (0.5, 0.5, "real"),
        ("", "", "text"),
        ("Müller\x00♞", "Müller\x00♞", "text"),
    ],
)
def test_values_stay_as_they_are(tmp_path: Path, value: object, stored: object, kind: str) -> None:
    """What is stored comes out again, of the same type, one row at a time and many at once."""
    connection = sqlite_driver().connect(tmp_path / "values.sqlite")
    connection.execute("CREATE TABLE kept (value)")
    connection.execute("INSERT INTO kept VALUES (?)", (value,))
    connection.executemany("INSERT INTO kept VALUES (:value)", [{"value": value}] * 2)
    found = connection.execute("SELECT value, typeof(value) FROM kept WHERE value IS ?", (value,)).fetchall()
    connection.close()
    assert found == [(stored, kind)] * 3
    assert {type(one) for one, _ in found} == {type(stored)}


@pytest.mark.parametrize("value", [object(), 1j, 2**63])
def test_values_of_no_database(value: object) -> None:
    """What SQLite cannot store is refused as before."""
    driver = sqlite_driver()
    with closing(driver.connect(":memory:")) as connection, pytest.raises((driver.Error, OverflowError)):
        connection.execute("SELECT ?", (value,))


def pragma(archive: Archive, name: str, *, write: bool) -> object:
    with archive.writing() if write else archive.reading() as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


def test_room_of_an_import(sqlite_path: Path) -> None:
    """While an import runs alone its connection has a larger cache and log; any other import, and what follows, has not."""
    with open_archive(sqlite_path) as archive:
        seen = [_room(archive)]
        with archive.importing(alone=True):
            seen.append(_room(archive))
        seen.append(_room(archive))
        with archive.importing():
            seen.append(_room(archive))
    small, large = (-32 * 1024, 1000), (-256 * 1024, 32_000)
    assert seen == [small, large, small, small]


def _room(archive: Archive) -> tuple[object, object]:
    return pragma(archive, "cache_size", write=True), pragma(archive, "wal_autocheckpoint", write=True)


def test_pragmas(sqlite_path: Path) -> None:
    """Writing connections are durable, and nothing is mapped into memory."""
    with open_archive(sqlite_path, busy_ms=1234) as archive:
        expected = {
            "journal_mode": "wal",
            "synchronous": 2,
            "foreign_keys": 1,
            "busy_timeout": 1234,
            "journal_size_limit": 64 * 2**20,
            "mmap_size": 0,
            "page_size": 8192,
            "trusted_schema": 0,
        }
        assert {name: pragma(archive, name, write=True) for name in expected} == expected
        same = ("foreign_keys", "busy_timeout", "mmap_size", "journal_mode")
        assert {name: pragma(archive, name, write=False) for name in same} == {
            name: expected[name] for name in same
        }


def put(archive: Archive, name: str) -> None:
    with archive.writing() as connection:
        connection.execute(text("INSERT INTO settings VALUES (:name, '')"), {"name": name})


def names(archive: Archive) -> set[str]:
    with archive.reading() as connection:
        return set(connection.exec_driver_sql("SELECT name FROM settings").scalars()) - {
            "archive_id",
            "key_version",
            "keys_made_with",
        }


def test_commit_and_rollback(archive: Archive) -> None:
    """A block that ends is stored; a block that raises leaves nothing."""
    put(archive, "kept")

    def fail() -> None:
        with archive.writing() as connection:
            connection.exec_driver_sql("INSERT INTO settings VALUES ('lost', '')")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert names(archive) == {"kept"}


def test_reading_cannot_write(archive: Archive) -> None:
    """A reading transaction cannot write, by whatever statement."""
    for statement in ("INSERT INTO settings VALUES ('a', '')", "DROP TABLE settings"):
        with pytest.raises(ReadOnly), archive.reading() as connection:
            connection.exec_driver_sql(statement)
    assert names(archive) == set()


def test_reading_sees_one_moment(archive: Archive) -> None:
    """A reading transaction sees the archive as it was at its first query, while others write."""
    with archive.reading() as connection:
        count = text("SELECT count(*) FROM settings")
        before = connection.scalar(count)
        put(archive, "meanwhile")
        assert connection.scalar(count) == before
    assert names(archive) == {"meanwhile"}


def test_threads_take_turns(archive: Archive) -> None:
    """Threads that write at the same time do so one after another, and nothing is lost."""

    def count_up() -> None:
        for _ in range(10):
            with archive.writing() as connection:
                value = connection.scalar(text("SELECT value FROM settings WHERE name = 'n'"))
                time.sleep(0.001)
                connection.execute(
                    text("UPDATE settings SET value = :v WHERE name = 'n'"), {"v": str(int(value or 0) + 1)}
                )

    put(archive, "n")
    threads = [threading.Thread(target=count_up) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with archive.reading() as connection:
        assert connection.scalar(text("SELECT value FROM settings WHERE name = 'n'")) == "40"


def test_writing_inside_writing(archive: Archive) -> None:
    """A thread that would wait for itself is told so at once."""
    with archive.writing(), pytest.raises(RuntimeError, match="inside"), archive.writing():
        pass


def test_another_process_writes(where: str) -> None:
    """Who waits too long for another writer is told that the archive is busy; later it goes on."""
    with open_archive(where) as first, open_archive(where, busy_ms=100) as second:
        with first.writing(), pytest.raises(ArchiveBusy, match="keeps writing"):
            put(second, "b")
        put(second, "b")
        assert names(first) == {"b"}


def test_another_thread_writes(where: str) -> None:
    """The same among the threads of one process."""
    with open_archive(where, busy_ms=100) as archive:
        failed: list[Exception] = []

        def write() -> None:
            try:
                put(archive, "b")
            except ArchiveBusy as error:
                failed.append(error)

        with archive.writing():
            thread = threading.Thread(target=write)
            thread.start()
            thread.join()
        assert len(failed) == 1
        put(archive, "b")


def test_used_again_after_close(archive: Archive) -> None:
    """A closed archive opens its connections again when it is used."""
    put(archive, "a")
    archive.close()
    assert names(archive) == {"a"}


@pytest.mark.parametrize(
    "url", ["mysql://localhost/games", "sqlite:///archive.sqlite", "postgresql://[::1/x"]
)
def test_urls_of_other_kinds(url: str) -> None:
    """A database that is none of ours is refused with what would be right."""
    with pytest.raises(ArchiveError, match="postgresql"):
        open_archive(url)


def test_password_is_never_shown() -> None:
    """A URL's password is in no message."""
    archive = open_archive("postgresql+psycopg://keeper:very-secret@127.0.0.1:1/games")
    assert "very-secret" not in archive.where
    with pytest.raises(ArchiveError) as caught, archive.reading() as connection:
        connection.exec_driver_sql("SELECT 1")
    assert "very-secret" not in str(caught.value)


MOUNTS = """\
21 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 21 0:40 / /home/mario/share rw - nfs4 server:/share rw
31 21 0:41 / /home/mario/win\\040dows rw - cifs //server/x rw
32 30 254:1 / /home/mario/share/local rw master:3 - xfs /dev/vdb rw
33 21 0:42 / /mnt/cloud rw - fuse.sshfs me@host: rw
broken line
"""


@pytest.mark.parametrize(
    ("path", "refused"),
    [
        ("/home/mario/archive.sqlite", None),
        ("/home/mario/share/a/archive.sqlite", "nfs4"),
        ("/home/mario/shared/archive.sqlite", None),
        ("/home/mario/share/local/archive.sqlite", None),
        ("/home/mario/win dows/archive.sqlite", "cifs"),
        ("/mnt/cloud/archive.sqlite", "fuse.sshfs"),
    ],
)
def test_network_file_systems(path: str, refused: str | None) -> None:
    """A file on a network file system is refused, by the deepest mount above it."""
    if refused is None:
        refuse_network(Path(path), MOUNTS)
    else:
        with pytest.raises(NetworkFolder, match=refused):
            refuse_network(Path(path), MOUNTS)


def test_this_machine(tmp_path: Path) -> None:
    """The real list of mounts can be read."""
    refuse_network(tmp_path / "archive.sqlite")


def test_the_database_knows_what_it_holds(archive: Archive) -> None:
    """After a look at what the tables hold the archive answers as before; SQLite has statistics then."""
    fill(archive, [game_between("Rossi, Mario", f"Verdi, {number}") for number in range(300)])
    archive.optimize()
    with archive.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM games").scalar_one() == 300
        if archive.dialect == "sqlite":
            counted = connection.exec_driver_sql(
                "SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'games'"
            ).scalar_one()
            assert counted > 0
