"""Whatever is wrong with one file is a problem of that file, and the next one is read."""

import gzip
import io
import lzma
import os
import struct
import threading
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from sqlalchemy import select

from core.pgn.cut import Cut
from daemon.archive import take_in
from daemon.archive.archive import Archive, open_archive
from daemon.archive.reading.rounds import list_rounds
from daemon.archive.reading.status import status
from daemon.archive.reading.totals import totals
from daemon.archive.tables.main import files, tellings
from daemon.imports import pace, pieces, store
from daemon.imports.folders import Folders
from daemon.imports.run import Summary, import_paths
from tests.daemon.seeding import in_quarantine

LONG_AGO = 1_700_000_000


def game(number: int, moves: str = "1. e4 e5 2. Nf3") -> str:
    return f'[White "Rossi, Mario"]\n[Black "Neri, A{number}"]\n[Result "1-0"]\n\n{moves} 1-0\n\n'


def zipped(method: int = zipfile.ZIP_DEFLATED, **members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__pgn", ".pgn").replace("__zip", ".zip"), data)
    return file.getvalue()


def changed(data: bytes, at: int, value: int | None = None) -> bytes:
    """*data* with one byte changed."""
    return data[:at] + bytes([data[at] ^ 0xFF if value is None else value]) + data[at + 1 :]


@pytest.fixture
def sqlite(sqlite_path: Path) -> Archive:
    return open_archive(sqlite_path)


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[structlog.typing.EventDict]]:
    """What is logged; printed tracebacks with all locals would take seconds."""
    with structlog.testing.capture_logs() as captured:
        yield captured


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file after the one that is broken."""
    (tmp_path / "pgn").mkdir()
    (tmp_path / "pgn" / "z.pgn").write_text(game(99))
    return tmp_path / "pgn"


def _badly_named() -> bytes:
    data = zipped(café__pgn=game(1).encode())
    return data.replace("caf\u00e9.pgn".encode(), b"caf\xe9\xff.pgn"[:9])


def _of_method(number: int) -> bytes:
    """An archive whose member is packed in a way that there is not."""
    data = zipped(a__pgn=NOISE)
    return changed(changed(data, 8, number), data.rindex(b"PK\x01\x02") + 10, number)


NOISE = b"".join(game(n, f"1. e4 {{{n * 7919 % 100_003}}} e5").encode() for n in range(200))


@pytest.mark.parametrize(
    "data",
    [
        changed(zipped(zipfile.ZIP_LZMA, a__pgn=NOISE), 200),
        changed(zipped(zipfile.ZIP_BZIP2, a__pgn=NOISE), 200),
        changed(zipped(a__pgn=NOISE), 200),
        _badly_named(),
        _of_method(99),
        zipped(a__pgn=NOISE)[:-10],
        changed(gzip.compress(NOISE), 3),
        b"\x28\xb5\x2f\xfd" + bytes(range(50)),
        b"BZh9" + bytes(50),
        zipped(inner__zip=zipped(a__pgn=NOISE)[:200]),
    ],
    ids=["lzma", "bzip2", "deflate", "names", "method", "short", "gzip", "zstd", "bz2", "zip in zip"],
)
def test_a_broken_packed_file_costs_itself(sqlite: Archive, folder: Path, data: bytes) -> None:
    """It is one problem that names it; the file after it comes in."""
    (folder / "a.zip").write_bytes(data)
    summary = import_paths(sqlite, [folder])
    assert [problem.file for problem in summary.problems] == [str(folder / "a.zip")]
    assert str(folder / "a.zip") in summary.problems[0].message
    assert summary.files == 2
    assert "internal error" not in summary.problems[0].message
    with sqlite.reading() as connection:
        assert totals(connection)["games"] >= 1


@pytest.mark.parametrize(
    "error", [RecursionError("deep"), MemoryError(), struct.error("short"), lzma.LZMAError("no"), KeyError(1)]
)
def test_whatever_cutting_raises_is_a_problem_of_the_file(
    sqlite: Archive, folder: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """What came before it is in, and so is the next file; the daemon does not meet the file again while it is the same."""
    (folder / "a.pgn").write_text(game(1) + game(2))
    for path in folder.iterdir():
        os.utime(path, (LONG_AGO, LONG_AGO))
    cut = pieces.cuts  # type: ignore[attr-defined]  # patched below
    times = 0

    def breaking(source: io.BufferedReader, **more: Any) -> Iterator[Cut]:
        nonlocal times
        times += 1
        for piece in (piece for found in cut(source, **more) for piece in found.pieces()):
            yield Cut.of(piece)
            if b"A1" in piece.raw:
                raise error

    monkeypatch.setattr(pieces, "cuts", breaking)
    folders = Folders(sqlite, [])
    for _ in range(3):
        folders.take_in([folder], threading.Event())
    assert times == 2
    with sqlite.reading() as connection:
        assert totals(connection)["games"] == 2
        assert str(folder / "a.pgn") in str(list_rounds(connection, limit=1)["items"][0]["error"])


def choke_on(black: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody have foreseen an error of the games of this player."""
    whole = take_in.take_in_together

    def choking(archive: Archive, batches: Iterable[take_in.IntakeBatch]) -> list[take_in.Taken]:
        def until_it() -> Iterator[take_in.IntakeBatch]:
            for batch in batches:
                yield batch
                if any(telling.prepared.game.black.name == black for telling in batch.tellings):
                    raise ValueError("nobody foresaw this")

        return whole(archive, until_it())

    monkeypatch.setattr(store, "take_in_together", choking)


def test_a_game_that_the_archive_chokes_on_costs_itself(
    sqlite: Archive, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error that nobody foresaw sends this game to quarantine; the others of its batch are stored."""
    (folder / "a.pgn").write_text("".join(map(game, range(5))))
    choke_on("Neri, A3", monkeypatch)
    summary = import_paths(sqlite, [folder])
    assert (summary.read, summary.new, summary.quarantined) == (6, 5, 1)
    with sqlite.reading() as connection:
        [item] = in_quarantine(connection)
    assert "nobody foresaw this" in item.item.reason
    assert b"A3" in item.item.raw


def test_what_was_not_stored_settles_no_place(
    sqlite: Archive, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games are stored at a second try, after others were put before them: each has the place that it has now."""
    texts = list(map(game, range(5)))
    (folder / "a.pgn").write_text("".join(texts))
    import_paths(sqlite, [folder])
    choke_on("Neri, A9", monkeypatch)
    (folder / "a.pgn").write_text("".join([*map(game, (8, 9)), *texts]))
    import_paths(sqlite, [folder / "a.pgn"], again=True)
    with sqlite.reading() as connection:
        places = connection.execute(
            select(tellings.c.place)
            .join(files, files.c.id == tellings.c.file_id)
            .where(files.c.path.endswith("a.pgn"))
        ).scalars()
        assert sorted(places) == [len(game(0)) * n for n in (0, 2, 3, 4, 5, 6)]


def test_a_broken_member_of_a_zip_costs_itself(sqlite: Archive, folder: Path) -> None:
    """The members after it are read."""
    data = zipped(a__pgn=NOISE, b__pgn=game(1).encode())
    (folder / "a.zip").write_bytes(changed(data, 200))
    summary = import_paths(sqlite, [folder])
    assert [f"{folder}/a.zip/a.pgn" in problem.message for problem in summary.problems] == [True]
    with sqlite.reading() as connection:
        assert totals(connection)["files"] == 3


def test_a_zip_of_many_broken_members_is_told_in_few_lines(sqlite: Archive, folder: Path) -> None:
    """Ten of them, and how many more there are."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(30):
            archive.writestr(f"{number}.pgn", b"<html>no</html>")
    (folder / "a.zip").write_bytes(file.getvalue())
    summary = import_paths(sqlite, [folder])
    assert len(summary.problems) == 11
    assert "20 more files in it" in summary.problems[-1].message


def test_what_a_mac_packs_beside_a_file_is_passed_over(sqlite: Archive, folder: Path) -> None:
    """The resource fork has a name like a PGN file and is none."""
    fork = bytes([0, 5, 22, 7]) + bytes(100)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("games.pgn", game(1))
        archive.writestr("__MACOSX/._games.pgn", fork)
        archive.writestr("deep/._more.pgn", fork)
    (folder / "a.zip").write_bytes(file.getvalue())
    summary = import_paths(sqlite, [folder])
    assert summary.problems == ()
    assert summary.new == 2


def test_a_zip_in_a_zip_is_read(sqlite: Archive, folder: Path) -> None:
    """With its neighbours; each member has the path that leads to it."""
    inner = zipped(b__pgn=game(2).encode(), deeper__zip=zipped(c__pgn=game(3).encode()))
    (folder / "a.zip").write_bytes(zipped(a__pgn=game(1).encode(), inner__zip=inner, d__pgn=game(4).encode()))
    summary = import_paths(sqlite, [folder])
    assert (summary.problems, summary.new) == ((), 5)


def test_zips_in_zips_without_end_are_given_up(sqlite: Archive, folder: Path) -> None:
    """And said."""
    data = zipped(a__pgn=game(1).encode())
    for _ in range(6):
        data = zipped(inner__zip=data)
    (folder / "a.zip").write_bytes(data)
    [problem] = import_paths(sqlite, [folder]).problems
    assert "unpack them first" in problem.message


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("x.cbh", "ChessBase"),
        ("X.CBV", "ChessBase"),
        ("x.si4", "Scid"),
        ("x.scid", "Scid"),
        ("x.pgi", "import the .pgn file"),
        ("x.7z", "unpack it first"),
        ("x.tar.gz", "unpack it first"),
    ],
)
def test_a_file_of_another_program_is_told_with_what_to_do(
    sqlite: Archive, tmp_path: Path, name: str, message: str
) -> None:
    """Named outright, it is a problem that says how its games come in."""
    (tmp_path / name).write_bytes(bytes(range(256)))
    [problem] = import_paths(sqlite, [tmp_path / name]).problems
    assert message in problem.message


def test_a_folder_without_pgn_says_so(sqlite: Archive, tmp_path: Path) -> None:
    """And what there is in it that may hold games."""
    (tmp_path / "deep").mkdir()
    for name in ("a.cbh", "deep/b.cbh", "notes.txt"):
        (tmp_path / name).write_bytes(b"x")
    [problem] = import_paths(sqlite, [tmp_path]).problems
    assert "nothing found" in problem.message
    assert "2 x a ChessBase database" in problem.message


def test_a_zip_without_pgn_says_what_is_in_it(sqlite: Archive, tmp_path: Path) -> None:
    """As a folder does."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mega.cbh", b"x")
    (tmp_path / "a.zip").write_bytes(file.getvalue())
    [problem] = import_paths(sqlite, [tmp_path / "a.zip"]).problems
    assert "ChessBase" in problem.message


def test_a_path_of_nothing_or_with_a_nul_names_no_file(sqlite: Archive, folder: Path) -> None:
    """An empty one is not the working folder; the other paths are read."""
    summary = import_paths(sqlite, ["", "a\0b", folder])
    assert len(summary.problems) == 2
    assert summary.new == 1


@pytest.mark.parametrize("bad", [1, 3])
def test_a_file_of_which_nothing_can_be_read_is_a_problem(sqlite: Archive, folder: Path, bad: int) -> None:
    """With the first reason; it counts as imported. A file of which something could be read is none."""
    (folder / "a.pgn").write_text("".join(game(n, f"1. e4 Ke{n + 3}") for n in range(bad)))
    (folder / "b.pgn").write_text(game(7) + game(8, "1. Qh9"))
    summary = import_paths(sqlite, [folder])
    assert [problem.path for problem in summary.problems] == [str(folder / "a.pgn")]
    assert "illegal" in summary.problems[0].message
    assert import_paths(sqlite, [folder]).files_unchanged == 3
    assert [one.path for one in import_paths(sqlite, [folder], again=True).problems] == [
        str(folder / "a.pgn")
    ]


def errors(archive: Archive) -> list[str]:
    with archive.reading() as connection:
        now_ms = time.time_ns() // 1_000_000
        return status(connection, version="1", running=None, now_ms=now_ms)["errors"]


@pytest.mark.parametrize(
    "text", ["<html>no</html>", game(1, "1. Ke4"), game(1, "1. Ke4") + game(2, "1. Qh9")]
)
def test_a_source_of_which_nothing_came_in_is_an_error_in_the_status(
    sqlite: Archive, folder: Path, logged: list[structlog.typing.EventDict], text: str
) -> None:
    """And a warning in the log of a daemon; until it can be read. It is in the history once."""
    (folder / "z.pgn").write_text(text)
    os.utime(folder / "z.pgn", (LONG_AGO, LONG_AGO))
    for _ in range(2):
        Folders(sqlite, []).take_in([folder], threading.Event())
    [error] = errors(sqlite)
    assert error.startswith(f"{folder}/z.pgn: ")
    assert error.count(str(folder)) == 1
    assert ("file not taken in", "warning") in {(one["event"], one["log_level"]) for one in logged}
    with sqlite.reading() as connection:
        assert len(list_rounds(connection, limit=9)["items"]) == 1
    (folder / "z.pgn").write_text(game(1))
    import_paths(sqlite, [folder])
    assert errors(sqlite) == []


class Clock:
    """Processor time that passes as it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def thread_time(self) -> float:
        return self.now


def test_a_file_that_takes_too_long_is_given_up(
    sqlite: Archive, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A megabyte of packed newlines does not burn the processor; the next file is read."""
    clock = Clock()
    monkeypatch.setattr(pace, "time", clock)
    (folder / "a.pgn.gz").write_bytes(gzip.compress(b"\n" * (2 << 20)))
    cut = pieces.cuts  # type: ignore[attr-defined]  # patched below

    def slowly(source: io.BufferedReader, **more: Any) -> Iterator[Cut]:
        read = source.read

        class Slow(io.RawIOBase):
            def read(self, size: int = -1) -> bytes:
                clock.now += 1.0
                return read(size)

        slow: Any = Slow()
        return cut(slow, **more)

    monkeypatch.setattr(pieces, "cuts", slowly)
    summary = import_paths(sqlite, [folder])
    assert [problem.path for problem in summary.problems] == [str(folder / "a.pgn.gz")]
    assert "takes more than" in summary.problems[0].message
    assert 20 < clock.now < 40
    assert summary.new == 1


def test_a_stop_is_heard_between_two_blocks(sqlite: Archive, tmp_path: Path) -> None:
    """Where no game comes for long, too; nothing is a problem then, and the next import reads the file."""
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 4

    (tmp_path / "a.pgn.gz").write_bytes(gzip.compress(b"\n" * (1 << 19) + game(1).encode()))
    summary = import_paths(sqlite, [tmp_path], stop=stop)
    assert (summary.stopped, summary.problems, summary.read) == (True, (), 0)
    assert import_paths(sqlite, [tmp_path]).new == 1


def _import_while(
    archive: Archive, path: Path, monkeypatch: pytest.MonkeyPatch, happens: Callable[[int], object]
) -> Summary:
    """Import *path*; something happens to it whenever its last game has been cut."""
    cut = pieces.cuts  # type: ignore[attr-defined]  # patched below
    times = 0

    def disturbed(source: io.BufferedReader, **more: Any) -> Iterator[Cut]:
        nonlocal times
        yield from cut(source, **more)
        times += 1
        happens(times)

    monkeypatch.setattr(pieces, "cuts", disturbed)
    return import_paths(archive, [path])


def test_a_file_that_grows_while_it_is_read_is_read_again(
    sqlite: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The half game at its end never comes in."""
    file = tmp_path / "a.pgn"
    whole = game(1) + game(2, "1. d4 d5 2. c4 e6 3. Nc3")
    file.write_text(whole[:-20])
    summary = _import_while(sqlite, file, monkeypatch, lambda n: file.write_text(whole) if n == 1 else None)
    assert (summary.new, summary.problems, summary.quarantined) == (2, (), 0)
    with sqlite.reading() as connection:
        assert totals(connection)["tellings"] == 2
    assert import_paths(sqlite, [file]).files_unchanged == 1


def test_a_file_that_never_stands_still_is_a_problem_that_passes(
    sqlite: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes after its last game so far is in, and it is not taken for complete."""
    file = tmp_path / "a.pgn"
    file.write_text(game(0) + game(1))
    summary = _import_while(
        sqlite, file, monkeypatch, lambda n: file.write_text("".join(map(game, range(n + 2))))
    )
    assert [(problem.path, problem.passing) for problem in summary.problems] == [(str(file), True)]
    monkeypatch.undo()
    assert import_paths(sqlite, [file]).clean


def test_what_passes_is_tried_again_soon_then_less_often(
    sqlite: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that cannot be listed for a while is looked at again after a minute, not after an hour."""
    monkeypatch.setattr("daemon.imports.folders.RETRY_SECONDS", 0.05)
    folder = tmp_path / "pgn"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "a.pgn").write_text(game(1))
    os.utime(folder / "sub" / "a.pgn", (LONG_AGO, LONG_AGO))
    scandir = os.scandir
    broken = True

    def failing(path: Path) -> object:
        if broken and Path(path).name == "sub":
            raise OSError(24, "Too many open files")
        return scandir(path)

    monkeypatch.setattr("daemon.imports.file_search.os.scandir", failing)
    folders = Folders(sqlite, [])
    waits = []
    for _ in range(4):
        waits.append(folders.take_in([folder], threading.Event()))
        time.sleep(waits[-1])
    assert waits[0] <= 0.05
    assert waits[-1] > waits[0]
    broken = False
    folders.take_in([folder], threading.Event())
    with sqlite.reading() as connection:
        assert totals(connection)["games"] == 1


def test_one_folder_that_cannot_be_looked_through_keeps_no_other_out(
    sqlite: Archive, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever goes wrong with it."""
    os.utime(folder / "z.pgn", (LONG_AGO, LONG_AGO))
    monkeypatch.setattr("daemon.imports.folders.search", _search_that_fails_in(tmp_path / "bad"))
    assert Folders(sqlite, []).take_in([tmp_path / "bad", folder], threading.Event()) <= 60
    with sqlite.reading() as connection:
        assert totals(connection)["games"] == 1


def _search_that_fails_in(bad: Path) -> Callable[[Path], Iterator[object]]:
    from daemon.imports.file_search import search

    def searching(path: Path) -> Iterator[object]:
        if path == bad:
            raise RuntimeError("nobody foresaw this")
        return search(path)

    return searching
