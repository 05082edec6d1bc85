"""One daemon for one archive."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from daemon.archive.archive import Archive, open_archive
from daemon.archive.errors import AlreadyRunning
from daemon.archive.lock import FILE_NAME, has_daemon, only_daemon
from tests.daemon.conftest import run_sql

HOLDER = """
    import os, sys, time
    from pathlib import Path
    from daemon.archive.archive import open_archive
    from daemon.archive.lock import FILE_NAME, has_daemon, only_daemon
    with only_daemon(open_archive(sys.argv[1]), Path(sys.argv[2])):
        if "fork" in sys.argv and os.fork() == 0:
            os.write(1, f"{os.getpid()}\\n".encode())  # in one piece: both write
            time.sleep(60)
        else:
            os.write(1, b"held\\n")
            time.sleep(60)
"""


def holder(where: str, folder: Path, *more: str) -> subprocess.Popen[str]:
    """Another process that is the daemon."""
    command = [sys.executable, "-c", textwrap.dedent(HOLDER), where, str(folder), *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def read_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def end(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def test_second_daemon(where: str, tmp_path: Path) -> None:
    """A second daemon in the same data folder is refused, and told the pid of the first."""
    first = holder(where, tmp_path / "data")
    assert read_line(first) == "held"
    with (
        open_archive(where) as archive,
        pytest.raises(AlreadyRunning, match=rf"pid {first.pid}\b"),
        only_daemon(archive, tmp_path / "data"),
    ):
        pass
    end(first)


def test_killed_daemon(where: str, tmp_path: Path) -> None:
    """A killed daemon holds nothing any more, and the next one knows that it did not end by itself."""
    with open_archive(where) as archive:
        with only_daemon(archive, tmp_path) as lock:
            assert not lock.unclean
        first = holder(where, tmp_path)
        read_line(first)
        end(first)
        with only_daemon(archive, tmp_path) as lock:
            assert lock.unclean
        with only_daemon(archive, tmp_path) as lock:
            assert not lock.unclean


def test_child_does_not_hold(sqlite_path: Path, tmp_path: Path) -> None:
    """A worker that a killed daemon had forked does not keep the lock."""
    first = holder(str(sqlite_path), tmp_path, "fork")
    lines = {read_line(first), read_line(first)}
    (child,) = lines - {"held"}
    first.send_signal(signal.SIGKILL)
    first.wait()
    try:
        with open_archive(sqlite_path) as archive, only_daemon(archive, tmp_path) as lock:
            assert lock.unclean
    finally:
        os.kill(int(child), signal.SIGKILL)
        assert first.stdout is not None
        first.stdout.close()


def test_two_machines(postgresql_url: str, tmp_path: Path) -> None:
    """Daemons on different machines, with data folders of their own, still find each other on the server."""
    with open_archive(postgresql_url) as one, open_archive(postgresql_url) as other:
        with (
            only_daemon(one, tmp_path / "one"),
            pytest.raises(AlreadyRunning, match=rf"gamekeeper .*:{os.getpid()}\)"),
            only_daemon(other, tmp_path / "other"),
        ):
            pass
        with only_daemon(other, tmp_path / "other") as lock:
            assert not lock.unclean


def test_server_forgets(postgresql_url: str, postgresql_server: str, tmp_path: Path) -> None:
    """A server that cut the connection has given the lock back: it is taken again, unless another was quicker."""
    name = postgresql_url.partition("/test_")[2].partition("?")[0]
    cutting = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'test_{name}'"
    with (
        open_archive(postgresql_url) as one,
        open_archive(postgresql_url) as other,
        only_daemon(one, tmp_path / "one") as lock,
    ):
        lock.confirm()
        run_sql(postgresql_server, cutting)
        lock.confirm()
        with pytest.raises(AlreadyRunning), only_daemon(other, tmp_path / "other"):
            pass
        run_sql(postgresql_server, cutting)
        with only_daemon(other, tmp_path / "other"), pytest.raises(AlreadyRunning):
            lock.confirm()


def test_lock_and_writing(archive: Archive, tmp_path: Path) -> None:
    """The daemon's lock keeps other processes from being the daemon, not from writing."""
    with only_daemon(archive, tmp_path), archive.writing() as connection:
        connection.exec_driver_sql("INSERT INTO settings VALUES ('a', '')")


def test_a_daemon_is_seen(sqlite_path: Path) -> None:
    """A daemon on the archive is seen from outside; one that was killed, or has ended, is not."""
    folder = sqlite_path.parent
    with open_archive(sqlite_path) as archive:
        assert not has_daemon(archive)
        daemon = holder(str(sqlite_path), folder)
        assert read_line(daemon) == "held"
        assert has_daemon(archive)
        end(daemon)
        assert (folder / FILE_NAME).read_text() == str(daemon.pid)
        assert not has_daemon(archive)
        with only_daemon(archive, folder):
            assert has_daemon(archive)
        assert not has_daemon(archive)


def test_the_daemon_of_a_server(postgresql_url: str, tmp_path: Path) -> None:
    """Which machine the daemon of a server runs on is not known."""
    with open_archive(postgresql_url) as archive, only_daemon(archive, tmp_path):
        assert not has_daemon(archive)
