"""PGN files into a real archive: what is read, what is known, what is broken, and what an interruption leaves."""

import bz2
import gzip
import os
import random
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.pgn import quick_splitter
from daemon.archive.archive import Archive, open_archive
from daemon.archive.database import indexes
from daemon.archive.lock import only_daemon
from daemon.archive.reading.games import pgn
from daemon.archive.reading.rounds import list_rounds
from daemon.archive.reading.totals import totals
from daemon.imports.run import ImportProgress, Summary, import_paths
from tests.daemon.seeding import in_quarantine

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def game(
    number: int, *, white: str = "Rossi, Mario", end: str = "1-0", moves: str = "1. e4 e5 2. Nf3 Nc6"
) -> str:
    tags = {
        "Event": "Club",
        "Date": "2024.05.12",
        "Round": f"{number}",
        "White": white,
        "Black": f"Neri, A{number}",
    }
    return (
        "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
        + f'[Result "1-0"]\n\n{moves} {end}\n\n'
    )


def file_of(path: Path, *games: str) -> Path:
    path.write_bytes("".join(games).encode())
    return path


def counts(summary: Summary) -> tuple[int, int, int, int, int]:
    return summary.read, summary.new, summary.added, summary.unchanged, summary.quarantined


def held(archive: Archive) -> int:
    with archive.reading() as connection:
        return totals(connection)["games"]


@pytest.fixture
def sqlite(sqlite_path: Path) -> Archive:
    return open_archive(sqlite_path)


def test_a_file_goes_in_once(archive: Archive, tmp_path: Path) -> None:
    """The second import leaves it out; asked to read it again, it finds nothing new."""
    file = file_of(tmp_path / "a.pgn", *map(game, range(120)))
    first = import_paths(archive, [file])
    assert counts(first) == (120, 120, 0, 0, 0)
    assert first.clean
    second = import_paths(archive, [file])
    assert (second.files, second.files_unchanged, second.read) == (0, 1, 0)
    third = import_paths(archive, [file], again=True)
    assert counts(third) == (120, 0, 0, 120, 0)
    assert held(archive) == 120


def test_the_same_game_in_another_file_is_another_telling(sqlite: Archive, tmp_path: Path) -> None:
    """It is one game, told twice; each telling comes out as it came."""
    import_paths(sqlite, [file_of(tmp_path / "a.pgn", game(1), game(2))])
    other = game(1).replace("Club", "Our club")
    assert counts(import_paths(sqlite, [file_of(tmp_path / "b.pgn", other, game(3))])) == (2, 1, 1, 0, 0)
    with sqlite.reading() as connection:
        assert pgn(connection, 1, 2) == other.encode()


def test_a_file_that_has_grown_is_read_again(sqlite: Archive, tmp_path: Path) -> None:
    """Only what is new in it comes in."""
    file = file_of(tmp_path / "a.pgn", game(1))
    import_paths(sqlite, [file])
    file_of(file, game(1), game(2))
    assert counts(import_paths(sqlite, [file])) == (2, 1, 0, 1, 0)


def test_a_file_with_a_new_time_is_still_known(sqlite: Archive, tmp_path: Path) -> None:
    """Its content decides; after that its time is known, too."""
    file = file_of(tmp_path / "a.pgn", game(1))
    import_paths(sqlite, [file])
    os.utime(file, ns=(1, 1))
    for _ in range(2):
        summary = import_paths(sqlite, [file])
        assert (summary.files, summary.files_unchanged) == (0, 1)


def test_a_file_that_is_named_twice_is_read_once(sqlite: Archive, tmp_path: Path) -> None:
    """By itself and by its folder."""
    file = file_of(tmp_path / "a.pgn", game(1))
    assert import_paths(sqlite, [file, tmp_path]).files == 1


def _zip(data: bytes) -> bytes:
    import io

    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inner/a.pgn", data)
        archive.writestr("readme.txt", "no games")
        archive.writestr("b.pgn", game(9))
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "pack", "more"),
    [
        ("a.pgn", bytes, 0),
        ("a.pgn.gz", gzip.compress, 0),
        ("a.pgn.bz2", bz2.compress, 0),
        ("a.pgn.zst", zstd.compress, 0),
        ("a.zip", _zip, 1),
    ],
)
def test_packed_files_are_read(
    sqlite: Archive, tmp_path: Path, name: str, pack: Callable[[bytes], bytes], more: int
) -> None:
    """However a file is packed, its games come in, and only once."""
    (tmp_path / name).write_bytes(pack("".join(map(game, range(5))).encode()))
    assert counts(import_paths(sqlite, [tmp_path])) == (5 + more, 5 + more, 0, 0, 0)
    assert import_paths(sqlite, [tmp_path]).files_unchanged == 1


@pytest.mark.parametrize(
    ("name", "pack"), [("a.pgn.gz", gzip.compress), ("a.pgn.bz2", bz2.compress), ("a.pgn.zst", zstd.compress)]
)
def test_a_packed_file_that_is_cut_off_keeps_what_came_before(
    sqlite: Archive, tmp_path: Path, name: str, pack: Callable[[bytes], bytes]
) -> None:
    """The cut is reported, the games before it are in; the whole file then completes them."""
    chance = random.Random(5)
    games = [game(n, moves=f"1. e4 {{{chance.randbytes(3000).hex()}}} e5") for n in range(300)]
    whole = pack("".join(games).encode())
    (tmp_path / name).write_bytes(whole[: len(whole) * 2 // 3])
    summary = import_paths(sqlite, [tmp_path])
    assert [problem.file for problem in summary.problems] == [str(tmp_path / name)]
    assert 0 < summary.new < 300
    assert not summary.clean
    (tmp_path / name).write_bytes(whole)
    assert import_paths(sqlite, [tmp_path]).clean
    with sqlite.reading() as connection:
        assert totals(connection)["games"] >= 300


def test_the_only_game_of_a_file_that_is_cut_off_behind_it(sqlite: Archive, tmp_path: Path) -> None:
    """The checksum at the end of the file is missing, the game is whole: it comes in, and the file is a problem."""
    (tmp_path / "cut.pgn.gz").write_bytes(gzip.compress(game(1).encode())[:-8])
    summary = import_paths(sqlite, [tmp_path])
    assert counts(summary) == (1, 1, 0, 0, 0)
    assert [problem.file for problem in summary.problems] == [str(tmp_path / "cut.pgn.gz")]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"<!DOCTYPE html><html><body>429 Too Many Requests</body></html>", "HTML"),
        (b'{"error": "not found"}', "JSON"),
        (b"\x00\x01\x02\x03" * 500, "binary"),
        (random.Random(1).randbytes(1_000_000), "binary"),
        (b"SQLite format 3\x00" + bytes(100), "SQLite"),
    ],
)
def test_a_file_that_is_no_pgn_is_a_problem_and_the_rest_goes_on(
    sqlite: Archive, tmp_path: Path, body: bytes, reason: str
) -> None:
    """It is named with what it is; nothing of it goes to quarantine."""
    (tmp_path / "a.pgn").write_bytes(body)
    file_of(tmp_path / "b.pgn", game(1))
    summary = import_paths(sqlite, [tmp_path])
    assert counts(summary) == (1, 1, 0, 0, 0)
    assert [problem.file for problem in summary.problems] == [str(tmp_path / "a.pgn")]
    assert reason in summary.problems[0].message


def test_games_behind_what_is_no_pgn_come_in(sqlite: Archive, tmp_path: Path) -> None:
    """Binary pieces and web pages cost themselves, where a game follows."""
    noise = random.Random(1).randbytes(100_000)
    page = b"<html><body>1. 429 Too Many Requests *</body></html>\n\n"
    for name, junk in (("noise.pgn", noise), ("page.pgn", page)):
        (tmp_path / name).write_bytes(junk + b"\n\n" + game(1).encode() + game(2).encode())
    summary = import_paths(sqlite, [tmp_path])
    assert summary.problems == ()
    assert (summary.new, summary.added) == (2, 2)
    assert summary.quarantined >= 2


@pytest.mark.parametrize("encoding", ["cp1252", "cp1251", "utf-8"])
def test_a_file_of_few_ascii_letters_is_no_binary(sqlite: Archive, tmp_path: Path, encoding: str) -> None:
    """High bytes are letters somewhere, whatever the encoding."""
    name = ("Бялый" if encoding == "cp1251" else "ÄÖÜßéèç") * 20
    (tmp_path / "a.pgn").write_bytes(game(1, white=name, moves="").encode(encoding))
    assert counts(import_paths(sqlite, [tmp_path])) == (1, 1, 0, 0, 0)


def test_one_bad_game_costs_one_game(archive: Archive, tmp_path: Path) -> None:
    """It goes to quarantine with its file, its place and the reason; its neighbours come in."""
    bad = game(2, moves="1. e4 Ke4 2. xyz")
    file = file_of(tmp_path / "a.pgn", game(1), bad, game(3))
    summary = import_paths(archive, [file])
    assert counts(summary) == (3, 2, 0, 0, 1)
    assert not summary.clean
    with archive.reading() as connection:
        [row] = in_quarantine(connection)
    assert (row.item.source, row.item.place, row.item.raw) == (str(file), len(game(1)), bad.encode())
    assert "Ke4" in row.item.reason or "xyz" in row.item.reason


@pytest.mark.parametrize(
    "spoiled",
    [
        "1. e4 e5 2. Zz9 Nc6 1-0\n\n",
        "1. e4 {a comment that nobody closes\n\n",
        "1. e4 (1. d4 (1. c4 {x} 1-0\n\n",
        "1. e4 e5\n\n\n\n2. Qxh9 1-0\n\n",
        "1. ?! d5 )2 ... 1-0\n\n",
        "1. e4 $" + "9" * 5000 + " zz 1-0\n\n",
        "\x00\x00\x00 Kx 1-0\n\n",
    ],
    ids=["token", "comment", "variation", "blank lines", "brackets", "sign", "zeros"],
)
def test_a_spoiled_game_never_spoils_the_next(sqlite: Archive, tmp_path: Path, spoiled: str) -> None:
    """Bad tokens, blank lines and open brackets: the next game is whole."""
    head = game(2).split("\n\n", maxsplit=1)[0] + "\n\n"
    file = tmp_path / "a.pgn"
    file.write_bytes((game(1) + head + spoiled + game(3)).encode())
    summary = import_paths(sqlite, [file])
    assert summary.new >= 2
    with sqlite.reading() as connection:
        tellings = [pgn(connection, number) for number in range(1, summary.new + 1)]
    assert game(1).encode() in tellings
    assert game(3).encode() in tellings


@pytest.mark.parametrize(
    ("name", "encoding", "shown"),
    [
        ("Helbich, Ján", "latin-1", "Helbich, Ján"),
        ("Helbich, Ján", "utf-8", "Helbich, Ján"),
        ("“Müller”, Jörg", "cp1252", "“Müller”, Jörg"),
        ("Neri (ITA), 1. e4", "utf-8", "Neri (ITA), 1. e4"),
    ],
)
def test_names_come_in_as_they_were_meant(
    sqlite: Archive, tmp_path: Path, name: str, encoding: str, shown: str
) -> None:
    """Whatever the encoding of the file, and whatever the name holds; nothing is lost."""
    from daemon.archive.reading.games import game as stored

    (tmp_path / "a.pgn").write_bytes(game(1, white=name).encode(encoding))
    assert import_paths(sqlite, [tmp_path]).clean
    with sqlite.reading() as connection:
        shape = stored(connection, 1)
        assert pgn(connection, 1) == game(1, white=name).encode(encoding)
    assert shape is not None
    assert shape["white"]["written"] == shown


def test_a_byte_that_no_encoding_has_is_not_replaced(sqlite: Archive, tmp_path: Path) -> None:
    """0x90 means nothing in cp1252: the game comes in, and out as it came."""
    raw = game(1, white="R@ssi").encode().replace(b"@", b"\x90")
    (tmp_path / "a.pgn").write_bytes(raw)
    assert import_paths(sqlite, [tmp_path]).clean
    with sqlite.reading() as connection:
        assert pgn(connection, 1) == raw


def test_a_broken_file_name_is_no_obstacle(sqlite: Archive, tmp_path: Path) -> None:
    """A name that is not UTF-8 can be stored and is known the next time."""
    path = tmp_path / os.fsdecode(b"caf\xe9.pgn")
    path.write_bytes(game(1).encode() + b"[White x]\n1. Qh9 1-0\n")
    first = import_paths(sqlite, [tmp_path])
    assert (first.new, first.quarantined) == (1, 1)
    assert import_paths(sqlite, [tmp_path]).files_unchanged == 1


def test_a_round_is_recorded_when_something_was_read(sqlite: Archive, tmp_path: Path) -> None:
    """With its counts and how it ended; a look that finds nothing leaves no trace."""
    file_of(tmp_path / "a.pgn", game(1), game(2, moves="1. Qh9"))
    for _ in range(2):
        import_paths(sqlite, [tmp_path])
    with sqlite.reading() as connection:
        [row] = list_rounds(connection, limit=10)["items"]
    fields = {name: row[name] for name in ("kind", "source", "outcome", "read", "new", "quarantined")}  # type: ignore[literal-required] # names of the shape
    assert fields == {
        "kind": "import",
        "source": str(tmp_path),
        "outcome": "incomplete",
        "read": 2,
        "new": 1,
        "quarantined": 1,
    }


def test_a_stop_keeps_what_was_read(sqlite: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest comes with the next import. It is asked for between blocks."""
    monkeypatch.setattr(quick_splitter, "CHUNK", 4096)
    monkeypatch.setattr(quick_splitter, "_BLOCK", 4096)
    file_of(tmp_path / "a.pgn", *map(game, range(1500)))
    seen = 0

    def stop() -> bool:
        nonlocal seen
        seen += 1
        return seen > 40

    summary = import_paths(sqlite, [tmp_path], stop=stop)
    assert summary.stopped
    assert 0 < summary.new < 1500
    assert held(sqlite) == summary.new
    assert import_paths(sqlite, [tmp_path]).new == 1500 - summary.new
    with sqlite.reading() as connection:
        assert [row["outcome"] for row in list_rounds(connection, limit=10)["items"]] == ["done", "stopped"]


def test_progress_counts_bytes_of_the_files_as_they_lie(sqlite: Archive, tmp_path: Path) -> None:
    """It grows to the size of all files, packed ones included."""
    file_of(tmp_path / "a.pgn", *map(game, range(800)))
    (tmp_path / "b.pgn.gz").write_bytes(gzip.compress("".join(map(game, range(800, 1600))).encode()))
    seen: list[ImportProgress] = []
    import_paths(sqlite, [tmp_path], progress=seen.append)
    total = sum(path.stat().st_size for path in tmp_path.glob("*.pgn*"))
    assert {one.total for one in seen} == {total}
    assert [one.done for one in seen] == sorted(one.done for one in seen)
    assert 0 < seen[0].done < seen[-1].done <= total


def test_two_imports_side_by_side_add_up(archive: Archive, tmp_path: Path) -> None:
    """Threads take turns at writing; nothing is lost and nothing is doubled."""
    for name in ("a.pgn", "b.pgn"):
        file_of(tmp_path / name, *map(game, range(1200)))
    threads = [
        threading.Thread(target=import_paths, args=(archive, [tmp_path / name]), kwargs={"parsers": 1})
        for name in ("a.pgn", "b.pgn")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert held(archive) == 1200
    with archive.reading() as connection:
        assert totals(connection)["tellings"] == 2400


@pytest.mark.slow
def test_a_killed_import_is_completed_by_the_next(sqlite_path: Path, tmp_path: Path) -> None:
    """Kill -9 between and inside of transactions of several batches: the next import brings the rest, nothing twice."""
    file = file_of(tmp_path / "a.pgn", *map(game, range(3000)))
    script = (
        "import sys; from pathlib import Path; from daemon.archive.archive import open_archive;"
        "from daemon.imports import run; from daemon.imports.store import BatchSize;"
        "run.LARGE = BatchSize(games=1100, bytes=4 << 20, known=10_000, seconds=30);"
        "run.import_paths(open_archive(Path(sys.argv[1])), [sys.argv[2]], parsers=1)"
    )
    archive = open_archive(sqlite_path)
    for _ in range(2):
        before = held(archive)
        process = subprocess.Popen([sys.executable, "-c", script, str(sqlite_path), str(file)])
        while held(archive) == before and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    assert 0 < held(archive) < 3000
    summary = import_paths(archive, [file])
    assert summary.clean
    assert summary.read == 3000
    assert held(archive) == 3000
    assert archive.check() == []


def test_appending_a_game_leaves_the_one_before_it_alone(archive: Archive, tmp_path: Path) -> None:
    """A file that ends without a blank line gets one more game: the last game before it is not a new telling."""
    file = tmp_path / "club.pgn"
    first, second = (
        f'[White "Rossi, Mario"]\n[Black "Neri, Anna"]\n[Round "{n}"]\n\n1. {m} 1-0'
        for n, m in ((1, "e4"), (2, "d4"))
    )
    file.write_text(first)
    import_paths(archive, [str(file)])
    file.write_text(f"{first}\n\n{second}\n")

    summary = import_paths(archive, [str(file)])

    assert (summary.new, summary.added, summary.unchanged) == (1, 0, 1)


def rows(archive: Archive) -> dict[str, list[tuple[object, ...]]]:
    """All rows of games and what belongs to them, but for the times."""
    with archive.reading() as connection:
        return {
            name: [
                tuple(None if key.endswith(("_at", "_ns", "_seen")) else value for key, value in row.items())
                for row in connection.exec_driver_sql(f"SELECT * FROM {name} ORDER BY 1, 2").mappings()
            ]
            for name in ("games", "tellings", "players", "player_words", "texts", "files", "quarantine")
        }


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on a few games are many."""
    monkeypatch.setattr(indexes, "FEWEST", 10)


def parts_of(archive: Archive, path: Path) -> list[str]:
    """What the progress of its import is about."""
    seen: list[ImportProgress] = []
    import_paths(archive, [path], parsers=1, progress=seen.append)
    return list(dict.fromkeys(one.part for one in seen))


@pytest.mark.usefixtures("large")
def test_a_large_import_builds_its_indexes_at_the_end(sqlite: Archive, tmp_path: Path) -> None:
    """What it stores is what any import stores; the next file, smaller than what is there, goes in with all indexes."""
    path = file_of(tmp_path / "a.pgn", *map(game, range(200)), "garbage\n\n", *map(game, range(150, 210)))
    built = len(indexes.droppable(new_files=True))
    assert parts_of(sqlite, path) == [str(path), *(f"index {n} of {built}" for n in range(1, built + 1))]
    assert not sqlite.lacks_indexes()
    with open_archive(tmp_path / "other.sqlite") as other:
        other.migrate()
        with only_daemon(other, tmp_path):  # beside which all are kept
            assert parts_of(other, path) == [str(path)]
        assert rows(other) == rows(sqlite)
    more = file_of(tmp_path / "b.pgn", *map(game, range(210, 300)))
    assert parts_of(sqlite, more) == [str(more)]


@pytest.mark.usefixtures("large")
def test_a_large_import_beside_the_daemon(sqlite: Archive, tmp_path: Path) -> None:
    """The API answers from all indexes meanwhile: they are kept up."""
    path = file_of(tmp_path / "a.pgn", *map(game, range(200)))
    with only_daemon(sqlite, tmp_path):
        assert parts_of(sqlite, path) == [str(path)]


@pytest.mark.usefixtures("large")
def test_a_large_import_that_is_stopped(sqlite: Archive, tmp_path: Path) -> None:
    """Ctrl-C between two games leaves an archive with all indexes."""
    path = file_of(tmp_path / "a.pgn", *map(game, range(2000)))
    lacking: list[bool] = []

    def stop() -> bool:
        lacking.append(sqlite.lacks_indexes())
        return lacking.count(True) > 2

    assert import_paths(sqlite, [path], parsers=1, stop=stop).stopped
    assert any(lacking)
    assert not sqlite.lacks_indexes()
