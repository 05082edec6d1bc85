"""The search for near doubles in a process of its own: a real one, on both databases."""

import subprocess
import time
from pathlib import Path
from threading import Event, Timer

import psutil
import pytest

from core.game import Game
from daemon.archive.archive import Archive
from daemon.archive.database import indexes
from daemon.archive.edits import double_search
from daemon.archive.errors import ArchiveError
from daemon.archive.games.doubles_due import all_due
from daemon.edits import double_process, doubles
from tests.daemon.edits.test_doubles import found
from tests.daemon.made_up import RUY, otb
from tests.daemon.seeding import fill

PAIRS = 120


@pytest.fixture
def full(archive: Archive) -> Archive:
    """More pairs than one transaction looks at."""
    games: list[Game] = []
    for number in range(PAIRS):
        date = f"20{number % 20:02}.{number % 12 + 1:02}.{number % 28 + 1:02}"
        games += [otb(f"Rossi, Mario{number}", moves=moves, Date=date) for moves in (RUY, f"{RUY} a6")]
    fill(archive, games)
    return archive


def waiting(archive: Archive) -> int:
    with archive.reading() as connection:
        return double_search.waiting(connection, 10 * PAIRS)


def test_it_finds_what_is_found_here(full: Archive, where: str) -> None:
    """All games are looked at, and the pairs are those that this process finds."""
    assert waiting(full) == 2 * PAIRS
    double_process.search(where, Event())
    assert waiting(full) == 0
    stored = [(one["id"], one["kind"]) for one in doubles.of_kind(full, "beginning")]
    assert len(stored) == PAIRS
    with full.writing() as connection:
        all_due(connection)
    assert doubles.look(full) == 0
    assert [(one["id"], one["kind"]) for one in doubles.of_kind(full, "beginning")] == stored


def test_it_yields_to_others_and_ends_with_its_parent(full: Archive, where: str) -> None:
    """It is nice; when its input ends, as with a parent that was killed, it ends at once and the archive is sound."""
    with full.writing():  # so that it cannot be done before we look
        process = double_process.start(where)
        other = psutil.Process(process.pid)
        end = time.monotonic() + 60
        while other.nice() != psutil.Process().nice() + double_process.NICENESS:
            assert time.monotonic() < end
            time.sleep(0.02)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(60) == 0
    assert full.check() == []
    assert len(found(full)) == min(PAIRS, 100)


def test_it_may_be_killed(full: Archive, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one who waits for it hears of it, and what is left is found later."""
    started: list[subprocess.Popen[bytes]] = []
    start = double_process.start

    def doomed(address: str) -> "subprocess.Popen[bytes]":
        started.append(start(address))
        started[0].kill()
        return started[0]

    monkeypatch.setattr(double_process, "start", doomed)
    with pytest.raises(ArchiveError, match="ended with code -9"):
        double_process.search(where, Event())
    monkeypatch.setattr(double_process, "start", start)
    double_process.search(where, Event())
    assert waiting(full) == 0


def test_it_is_ended_when_all_is_to_end(full: Archive, where: str) -> None:
    """A daemon that stops does not wait for the search, and nothing has failed."""
    stop = Event()
    with full.writing():
        timer = Timer(0.2, stop.set)
        timer.start()
        double_process.search(where, stop)
    assert waiting(full) == 2 * PAIRS


def test_the_thread_leaves_many_games_to_it(
    full: Archive, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where many games wait the thread looks at none of them itself."""
    asked: list[str] = []
    start = double_process.start

    def noted(address: str) -> "subprocess.Popen[bytes]":
        asked.append(address)
        return start(address)

    monkeypatch.setattr(double_process, "start", noted)
    monkeypatch.setattr(doubles, "_look_at_some", lambda *_: pytest.fail("looked at here"))
    thread = doubles.doubles_thread(full, where)
    thread.start()
    end = time.monotonic() + 120
    while waiting(full):
        assert time.monotonic() < end
        time.sleep(0.1)
    thread.close()
    assert asked == [where]


def test_nothing_is_searched_for_without_indexes(
    sqlite_archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look would walk through all games, and keep the import from writing that has left the indexes out."""
    fill(sqlite_archive, [otb(f"Rossi, Mario{number}") for number in range(PAIRS)])
    with sqlite_archive.writing() as connection:
        indexes.drop(connection)
    where = sqlite_archive.where
    double_process.search(where, Event())
    assert waiting(sqlite_archive) == PAIRS
    monkeypatch.setattr(double_process, "start", lambda _: pytest.fail("started"))
    thread = doubles.doubles_thread(sqlite_archive, where)
    assert thread._look() is False
    sqlite_archive.migrate()


def test_it_is_our_own_program(
    full: Archive, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies in the working folder under the same names is not run."""
    (tmp_path / "daemon" / "edits").mkdir(parents=True)
    for name in ("daemon/__init__.py", "daemon/edits/__init__.py", "daemon/edits/double_process.py"):
        (tmp_path / name).write_text("raise SystemExit(3)\n")
    monkeypatch.chdir(tmp_path)
    double_process.search(where, Event())
    assert waiting(full) == 0
