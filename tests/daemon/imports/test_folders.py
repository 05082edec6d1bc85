"""PGN folders that are watched: half-written files, new folders in folders, links, and what cannot be read."""

import errno
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from daemon.archive.archive import Archive, open_archive
from daemon.archive.reading.rounds import list_rounds
from daemon.archive.reading.totals import totals
from daemon.imports.folders import Folder, Folders

LONG_AGO = 1_700_000_000


def game(number: int) -> str:
    return f'[Event "x"]\n[White "Rossi, M"]\n[Black "Neri, A{number}"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n'


def put(path: Path, *numbers: int, settled: bool = True) -> Path:
    """Write a file, by default one that nobody has touched for long."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(map(game, numbers)))
    if settled:
        os.utime(path, (LONG_AGO, LONG_AGO))
    return path


@pytest.fixture
def sqlite(sqlite_path: Path) -> Archive:
    return open_archive(sqlite_path)


def held(archive: Archive) -> int:
    with archive.reading() as connection:
        return totals(connection)["games"]


def until(condition: Callable[[], bool], seconds: float = 120) -> None:
    """Wait for something that must come; how long it takes is not judged."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


@contextmanager
def running(folders: Folders) -> Iterator[None]:
    stop = threading.Event()
    thread = threading.Thread(target=folders.run, args=(stop,))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(60)
        assert not thread.is_alive()


def test_everything_is_taken_in_at_the_start(sqlite: Archive, tmp_path: Path) -> None:
    """In the folder and below it."""
    put(tmp_path / "pgn" / "a.pgn", 1, 2)
    put(tmp_path / "pgn" / "deep" / "er" / "b.pgn", 3)
    folders = Folders(sqlite, [Folder(tmp_path / "pgn")])
    folders.take_in([tmp_path / "pgn"], threading.Event())
    assert held(sqlite) == 3


def test_a_folder_that_is_not_there_is_made(sqlite: Archive, tmp_path: Path) -> None:
    """So that files can be put into it; they are taken in."""
    with running(Folders(sqlite, [Folder(tmp_path / "new" / "pgn")], settle=0.1)):
        until((tmp_path / "new" / "pgn").is_dir)
        put(tmp_path / "new" / "pgn" / "a.pgn", 1)
        until(lambda: held(sqlite) == 1)


def test_a_file_in_a_folder_in_a_new_folder_is_seen(sqlite: Archive, tmp_path: Path) -> None:
    """The system gives no hint of it; the look does."""
    with running(Folders(sqlite, [Folder(tmp_path / "pgn")], settle=0.1)):
        until((tmp_path / "pgn").is_dir)
        time.sleep(0.5)
        put(tmp_path / "pgn" / "a" / "b" / "c" / "d.pgn", 1, settled=False)
        until(lambda: held(sqlite) == 1)


def test_a_rename_is_seen_and_changes_nothing(sqlite: Archive, tmp_path: Path) -> None:
    """The file under its new name is one more telling, the game is the same."""
    file = put(tmp_path / "pgn" / "a.pgn.part", 1)
    with running(Folders(sqlite, [Folder(tmp_path / "pgn")], settle=0.1)):
        until((tmp_path / "pgn").is_dir)
        file.rename(tmp_path / "pgn" / "a.pgn")
        until(lambda: held(sqlite) == 1)
        (tmp_path / "pgn" / "a.pgn").rename(tmp_path / "pgn" / "b.pgn")

        def reported_twice() -> bool:
            with sqlite.reading() as connection:
                return totals(connection)["tellings"] == 2

        until(reported_twice)
    assert held(sqlite) == 1


def test_a_half_written_file_is_left_alone(sqlite: Archive, tmp_path: Path) -> None:
    """It is read once, when it has stopped changing: no half game ever gets in."""
    stop = threading.Event()
    folders = Folders(sqlite, [Folder(tmp_path)], settle=0.3)
    file = tmp_path / "a.pgn"
    whole = game(1) + game(2)
    for end in (10, len(whole) // 2, len(whole) - 5):
        file.write_text(whole[:end])
        assert folders.take_in([tmp_path], stop) == 0.3
        assert held(sqlite) == 0
    file.write_text(whole)
    until(lambda: folders.take_in([tmp_path], stop) > 0.3)
    assert held(sqlite) == 2
    with sqlite.reading() as connection:
        assert len(list_rounds(connection, limit=10)["items"]) == 1


def test_links_and_pipes_are_left_out(sqlite: Archive, tmp_path: Path) -> None:
    """They neither bring games nor hold up the rest."""
    put(tmp_path / "outside.pgn", 1)
    put(tmp_path / "pgn" / "a.pgn", 2)
    (tmp_path / "pgn" / "link.pgn").symlink_to(tmp_path / "outside.pgn")
    os.mkfifo(tmp_path / "pgn" / "pipe.pgn")
    folders = Folders(sqlite, [Folder(tmp_path / "pgn")])
    folders.take_in([tmp_path / "pgn"], threading.Event())
    assert held(sqlite) == 1


def test_a_bad_file_is_told_once_and_the_rest_goes_on(
    sqlite: Archive, tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    """Looks that follow are silent about it, until it changes."""
    put(tmp_path / "a.pgn").write_bytes(b"<html><body>no</body></html>")
    os.utime(tmp_path / "a.pgn", (LONG_AGO, LONG_AGO))
    put(tmp_path / "b.pgn", 1)
    folders = Folders(sqlite, [Folder(tmp_path)])
    for _ in range(3):
        folders.take_in([tmp_path], threading.Event())
    assert held(sqlite) == 1
    seen = capsys.readouterr().out + caplog.text
    assert seen.count("file not taken in") == 1


def test_a_folder_that_is_not_watched_is_read_once(sqlite: Archive, tmp_path: Path) -> None:
    """Beside one that is watched; a file alone will do, too."""
    once = put(tmp_path / "once" / "a.pgn", 1)
    single = put(tmp_path / "single.pgn", 2)
    folders = [Folder(once.parent, watch=False), Folder(single), Folder(tmp_path / "pgn")]
    with running(Folders(sqlite, folders, settle=0.1)):
        until(lambda: held(sqlite) == 2)
        put(once.parent / "b.pgn", 3)
        put(tmp_path / "pgn" / "c.pgn", 4)
        until(lambda: held(sqlite) == 3)
        put(single, 2, 5, settled=False)
        until(lambda: held(sqlite) == 4)
    assert held(sqlite) == 4


def test_a_restart_reads_nothing_again(sqlite: Archive, tmp_path: Path) -> None:
    """What has not changed while we were away is known."""
    put(tmp_path / "a.pgn", 1)
    for _ in range(2):
        Folders(sqlite, [Folder(tmp_path)]).take_in([tmp_path], threading.Event())
    with sqlite.reading() as connection:
        assert [row["read"] for row in list_rounds(connection, limit=10)["items"]] == [1]


def test_many_files_are_all_taken_in(sqlite: Archive, tmp_path: Path) -> None:
    """A flood of files while we watch: none is missed."""
    (tmp_path / "pgn").mkdir()
    with running(Folders(sqlite, [Folder(tmp_path / "pgn")], settle=0.1)):
        for number in range(1500):
            put(tmp_path / "pgn" / f"{number % 20}" / f"{number}.pgn", number, settled=False)
        until(lambda: held(sqlite) == 1500)


def test_a_folder_that_goes_away_and_comes_back_is_seen(sqlite: Archive, tmp_path: Path) -> None:
    """As a drive that is taken out: nothing is deleted from the archive, and new files come in."""
    folders = Folders(sqlite, [Folder(tmp_path / "pgn")], settle=0.1, rescan=0.5)
    put(tmp_path / "pgn" / "a.pgn", 1)
    with running(folders):
        until(lambda: held(sqlite) == 1)
        (tmp_path / "pgn" / "a.pgn").unlink()
        (tmp_path / "pgn").rmdir()
        time.sleep(0.2)
        put(tmp_path / "pgn" / "b.pgn", 2)
        until(lambda: held(sqlite) == 2)


def test_an_archive_that_cannot_be_used_for_a_while(
    sqlite_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody gives up: the folder is taken in when the archive is there again, however bad it looked."""
    monkeypatch.setattr("daemon.imports.folders.RETRY_SECONDS", 0.05)
    away = sqlite_path.rename(tmp_path / "away")
    put(tmp_path / "pgn" / "a.pgn", 1)
    with open_archive(sqlite_path) as archive, running(Folders(archive, [Folder(tmp_path / "pgn")])):
        time.sleep(0.3)
        away.rename(sqlite_path)
        until(lambda: held(archive) == 1)


@pytest.fixture(name="ill")
def _ill(monkeypatch: pytest.MonkeyPatch) -> set[Path]:
    """Folders and files that the disk does not give out; each trouble is due again at once."""
    ill: set[Path] = set()

    def refusing(before: Callable[..., Any]) -> Callable[..., Any]:
        def opened(path: str | Path, *rest: Any) -> Any:
            if Path(path) in ill:
                raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
            return before(path, *rest)

        return opened

    monkeypatch.setattr("daemon.imports.folders.RETRY_SECONDS", 0.0)
    monkeypatch.setattr("daemon.imports.file_search.os.scandir", refusing(os.scandir))
    monkeypatch.setattr("daemon.imports.held_files.os.open", refusing(os.open))
    return ill


def test_trouble_with_a_folder_ends_with_it(sqlite: Archive, tmp_path: Path, ill: set[Path]) -> None:
    """A folder that can be listed again is told as whole, and waited for no more."""
    folder = tmp_path / "pgn"
    put(folder / "b" / "a.pgn", 1)
    seen: list[bool] = []
    folders = Folders(sqlite, [Folder(folder)], rescan=500, looked=lambda _, whole: seen.append(whole))
    for sick in ({folder}, {folder / "b"}, set()):
        ill.clear()
        ill.update(sick)
        wait = folders.take_in([folder], threading.Event())
    assert seen == [False, True, True]
    assert held(sqlite) == 1
    assert wait > 400


def test_trouble_with_a_file_that_is_gone_is_over(sqlite: Archive, tmp_path: Path, ill: set[Path]) -> None:
    """Nobody waits for a file that somebody has removed, however it could not be read."""
    path = put(tmp_path / "pgn" / "a.pgn", 1)
    folders = Folders(sqlite, [Folder(path.parent)], rescan=500)
    ill.add(path)
    assert folders.take_in([path.parent], threading.Event()) < 1
    path.unlink()
    assert folders.take_in([path.parent], threading.Event()) > 400


def test_trouble_that_is_due_waits_for_the_file_to_settle(
    sqlite: Archive, tmp_path: Path, ill: set[Path]
) -> None:
    """A file that is still being written to is looked at when it may have settled, not again and again at once."""
    path = put(tmp_path / "pgn" / "a.pgn", 1)
    folders = Folders(sqlite, [Folder(path.parent)], settle=30, rescan=500)
    ill.add(path)
    folders.take_in([path.parent], threading.Event())
    put(path, 1, 2, settled=False)
    assert folders.take_in([path.parent], threading.Event()) == 30
