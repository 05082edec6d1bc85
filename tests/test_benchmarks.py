"""The benchmarks run, and print ratios. How large these are is for people to read: machines are noisy."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from multiprocessing.pool import ThreadPool
from pathlib import Path

import pytest

from benchmarks import back_ends, corpora, dictionary, peers, reference
from benchmarks.chess960 import games
from benchmarks.corpora import made_corpus
from benchmarks.differences import DIFFERENT, SAME, UNREAD, Compared
from benchmarks.process_tree import Spent
from benchmarks.reference import Line, by_python_chess
from core.pgn.reader import Piece
from daemon.archive.games import compression
from daemon.openings import edition

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "arguments",
    [
        ["benchmarks.peers", "--made", "--games", "200", "--rounds", "1"],
        ["benchmarks.differences", "--made", "--games", "300", "--chess960", "200"],
        ["benchmarks.back_ends", "--made", "--games", "300"],
        ["benchmarks.import_profile", "--made", "--games", "300"],
        ["benchmarks.pgn", "10"],
        ["benchmarks.outcomes", "20"],
        ["benchmarks.dictionary", "20"],
        ["benchmarks.intake", "200"],
        ["benchmarks.growth", "50"],
        ["benchmarks.reimport", "50"],
        ["benchmarks.api", "100", "--requests", "5"],
        ["benchmarks.queries", "300", "--times", "1", "--plans"],
        ["benchmarks.start_up", "300", "--times", "1"],
        ["benchmarks.first_sync", "300"],
        ["benchmarks.quiet_accounts", "1", "3"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_benchmark_runs(arguments: list[str], tmp_path: Path) -> None:
    """Each benchmark ends well on a small number of games, with numbers in what it prints."""
    ended = subprocess.run(
        [sys.executable, "-m", *arguments],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
        cwd=ROOT,
        env=os.environ | {"XDG_CACHE_HOME": str(tmp_path)},
    )

    assert ended.returncode == 0, ended.stderr
    assert any(character.isdigit() for character in ended.stdout)


ORPHANS = """
import os, subprocess, sys, time
def work():
    while time.process_time() < 0.5: pass
if os.fork() == 0:
    if os.fork() == 0:
        work()
    os._exit(0)
os.wait()
print("done")
"""


def test_processes_that_their_parents_left_are_counted() -> None:
    """A grandchild that lives on when its command has ended costs as much as any other."""
    program = f"from benchmarks.process_tree import run; import sys; print(run([sys.executable, '-c', {ORPHANS!r}]).cpu)"
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert float(ended.stdout) > 0.5


def test_a_command_that_fails_is_an_error() -> None:
    """A peer that did not do its work is not quick."""
    program = "from benchmarks.process_tree import run; run(['sh', '-c', 'echo no; exit 3'])"
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert ended.returncode == 1
    assert "CommandFailed: sh ended with 3:\nno" in ended.stderr


RIGHT = {
    "read": 40, "new": 38, "added": 2, "unchanged": 0, "quarantined": 0, "games": 38, "tellings": 40, "bytes kept": 9,
}  # fmt: skip


@pytest.mark.parametrize(
    "wrong",
    [
        {"read": 39},
        {"quarantined": 1},
        {"new": 39},
        {"added": 1},
        {"games": 37},
        {"tellings": 39},
        {"new": 39, "added": 1, "games": 39},
    ],
    ids=str,
)
def test_a_wrong_result_of_an_import_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wrong: dict[str, int]
) -> None:
    """However quick it was."""
    monkeypatch.setattr(peers, "program", lambda _: None)
    corpus = made_corpus(40, tmp_path)
    spent = [Spent(1.0, 1.0, 1, "")]
    peers.check_results(corpus, {peers.OURS: peers.Measured(40, spent, RIGHT)})
    with pytest.raises(peers.Wrong):
        peers.check_results(corpus, {peers.OURS: peers.Measured(40, spent, RIGHT | wrong)})


def test_a_peer_that_reads_other_games_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its time would be that of other work; the same is so of one whose result is not the same in each round."""
    monkeypatch.setattr(peers, "program", lambda _: None)
    ours, other = peers.Measured(40, counts=RIGHT), peers.Measured(40, counts={"imported": 39})
    with pytest.raises(peers.Wrong, match="scid reads as many"):
        peers.check_results(made_corpus(40, tmp_path), {peers.OURS: ours, "scid": other})
    with pytest.raises(peers.Wrong, match="the same result"):
        other.add(Spent(1.0, 1.0, 1, ""), {"imported": 40})


@pytest.mark.parametrize(("read", "different"), [(39, 38), (40, 39)])
def test_pgn_extract_is_asked_too(read: int, different: int) -> None:
    """It has to find as many games, and no more of them different."""
    peers._check_by_pgn_extract("Games: 40\n38 games matched out of 40.", RIGHT)
    with pytest.raises(peers.Wrong):
        peers._check_by_pgn_extract(f"{different} games matched out of {read}.", RIGHT)


def test_archives_that_differ_are_found(tmp_path: Path) -> None:
    """In a value, or by a row; what the clock says is left out."""
    table = "CREATE TABLE games (id INTEGER PRIMARY KEY, eco TEXT, added_at INTEGER)"
    archives = [tmp_path / name for name in ("one", "same", "value", "row")]
    for number, (path, rows) in enumerate(zip(archives, ["AB", "AB", "AC", "ABB"], strict=True)):
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(table)
            connection.executemany(
                "INSERT INTO games (eco, added_at) VALUES (?, ?)", [(eco, number) for eco in rows]
            )
    one, same, value, row = archives
    assert back_ends.differences(one, same) == ({"games": 2}, [])
    assert back_ends.differences(one, value)[1] == ["games: id 2 / 2, eco 'B' / 'C'"]
    assert back_ends.differences(one, row)[1] == ["games: a row more: (3, 'B')"]


def test_made_up_games_are_different(tmp_path: Path) -> None:
    """As many as they say, but for those that are an earlier one again."""
    for clocks in (False, True):
        corpus = made_corpus(200, tmp_path, clocks=clocks)
        pieces = list(peers.pieces(corpus.path))
        assert (len(pieces), corpus.new) == (200, 190)
        assert len(set(pieces)) == 200
        assert len({piece.rpartition(b"]")[2] for piece in pieces}) == 190 or clocks


def test_a_file_that_is_not_what_it_should_be_is_not_kept(tmp_path: Path) -> None:
    """Whatever a network delivers instead of the games."""
    part = tmp_path / "part"
    part.write_text("<html>")
    with pytest.raises(OSError, match="not the expected file"):
        corpora._check(part, corpora.BOOK)
    assert not part.exists()


def test_a_move_that_differs_is_found() -> None:
    """One move, or the position in which the game begins."""
    for played in games(7, 30):
        piece, line = Piece(played.raw, 0, 1), Line(played.start, played.moves)
        altered = [
            replace(line, moves=(*played.moves, "a1a2")),
            replace(line, start="8/8/8/8/8/8/8/8 w - - 0 1"),
        ]
        for truth, verdict in ((line, SAME), *((one, DIFFERENT) for one in altered)):
            compared = Compared()
            compared.add(piece, truth)
            assert compared.counts[verdict] == 1
        assert by_python_chess(played.raw).moves == line.moves


def test_what_python_chess_has_read_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """All of it is the same the next time, also when the first run was cut off while it wrote."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(reference, "TOGETHER", 5)
    with ThreadPool(1) as pool:
        first = list(reference.played(3, 20, pool))
        lines = reference.lines_of((game.raw for game in first), "some", 20, pool)
        files = {file: file.stat().st_size for file in (tmp_path / "gamekeeper-benchmarks").iterdir()}
        for shorter in (0, 7):
            for file, size in files.items():
                os.truncate(file, size - shorter)
            assert list(reference.played(3, 20, pool)) == first
            assert reference.lines_of((game.raw for game in first), "some", 20, pool) == lines
            assert {file: file.stat().st_size for file in files} == files
    assert [lines[reference.digest(game.raw)].moves for game in first] == [game.moves for game in first]


def test_what_cannot_be_read_is_no_difference() -> None:
    """We say so."""
    raw = b'[White "a"]\n\n1. e4 e5 2. Ke3 *\n'
    compared = Compared()
    compared.add(Piece(raw, 0, 1), by_python_chess(raw))
    assert by_python_chess(raw).complaint is not None
    assert (compared.counts[UNREAD], compared.counts[SAME]) == (1, 0)


@pytest.mark.skipif(
    edition() != dictionary.BOOK, reason="the samples begin with an earlier edition of the book"
)
def test_the_dictionaries_are_made_by_their_script() -> None:
    """The samples are the same on every machine, and the zstd that was used then makes of them what is shipped."""
    games = dictionary.samples()
    assert dictionary.digest(games) == dictionary.DIGEST
    if dictionary.zstd.zstd_version == dictionary.TRAINED_BY:
        shipped = {number: compression.dictionary(number).dict_content for number in compression.DICTIONARIES}
        assert dictionary.trained(games) == shipped
