"""Packed intake stores exactly what the ordinary way stores: every row of every table."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from core.edits import FIELDS
from core.pgn import quick_splitter
from core.pgn.reader import Piece
from daemon import clock
from daemon.archive.archive import Archive, open_archive
from daemon.archive.database import indexes
from daemon.archive.edits.double_search import look
from daemon.archive.games import packed_intake, quarantine
from daemon.archive.games.prepared import Prepared
from daemon.archive.take_in import QuarantineItem, take_in
from daemon.edits.door import edit_game
from daemon.imports import bundles, parsers, run
from daemon.imports.parser_process import parse_one
from daemon.imports.parsers import Parsers
from daemon.imports.run import Summary, import_paths
from daemon.imports.store import BatchSize
from tests.daemon.imports.packing import PackedHere, file_of, rows

pytestmark = pytest.mark.skipif(
    not packed_intake.is_possible("sqlite"), reason="packed rows are not compiled here"
)
NOW = 1_700_000_000_000
Pair = tuple[Archive, Archive]
"""An archive that takes packed games, and one that does not."""


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few games make several bundles, batches and transactions, all at one time."""
    monkeypatch.setattr(run, "LARGE", BatchSize(games=40, bytes=4 << 20, known=10_000, seconds=1e9))
    monkeypatch.setattr(bundles, "_GAMES", 7)
    monkeypatch.setattr(parsers, "_SMALL", 0)
    monkeypatch.setattr(quick_splitter, "_BLOCK", 1000)
    monkeypatch.setattr(clock, "now_ms", lambda: NOW)


@pytest.fixture
def pair(sqlite_template: Path, tmp_path: Path) -> Iterator[Pair]:
    """Two empty archives."""
    paths = [
        Path(shutil.copy(sqlite_template, tmp_path / name)) for name in ("packed.sqlite", "plain.sqlite")
    ]
    with open_archive(paths[0]) as packed, open_archive(paths[1]) as plain:
        yield packed, plain


def imported(
    pair: Pair, patch: pytest.MonkeyPatch, *files: Path, packing: Callable[..., object] = PackedHere
) -> Summary:
    """Import by both ways, packed ones read ahead: both say the same, and store the same."""
    said = []
    for archive, pool, ahead in zip(pair, (packing, PlainParsers), (0, 1 << 60), strict=True):
        patch.setattr(run, "Parsers", pool)
        patch.setattr(run, "_AHEAD_FROM", ahead)
        said.append(import_paths(archive, files))
    assert said[0] == said[1]
    same(pair)
    return said[0]


class PlainParsers(Parsers):
    """Parsers whose answers are not packed, in this process."""

    def __init__(self, *_: object, **_more: object) -> None:
        super().__init__(small=1 << 40)


def same(pair: Pair) -> None:
    """Both archives have the same rows."""
    packed, plain = map(rows, pair)
    for table, stored in plain.items():
        assert packed[table] == stored, table


def written(path: Path, games: list[bytes]) -> Path:
    path.write_bytes(b"".join(games))
    return path


@pytest.mark.parametrize("seed", range(12))
def test_several_files_are_stored_alike(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """With games in several of them, doubles, oddities, unreadable ones, and files that grow between imports."""
    random = Random(seed)
    first = file_of(random, 60)
    second = file_of(random, 40, first)
    files = [written(tmp_path / "one.pgn", first), written(tmp_path / "two.pgn", second)]
    summary = imported(pair, monkeypatch, *files)
    assert min(summary.new, summary.added, summary.unchanged, summary.quarantined, summary.odd) > 0
    look_at_doubles(pair)
    random.shuffle(first)
    written(files[0], first + file_of(random, 30, second))
    third = written(tmp_path / "three.pgn", file_of(random, 20, first + second))
    summary = imported(pair, monkeypatch, *files, third)
    assert min(summary.new, summary.added, summary.unchanged) > 0


def look_at_doubles(pair: Pair) -> None:
    """What is found later must be looked at again."""
    for archive in pair:
        with archive.writing() as connection:
            while look(connection) is not None:
                pass


@pytest.mark.parametrize("seed", range(3))
def test_files_are_stored_alike_without_indexes(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """While all imports do without the indexes that they can do without: new files with known games, then all again."""
    monkeypatch.setattr(indexes, "pays", lambda *_: True)
    random = Random(seed)
    first = file_of(random, 60)
    imported(pair, monkeypatch, written(tmp_path / "one.pgn", first))
    second = [*first[:20], *file_of(random, 40, first), *first[:30]]
    summary = imported(pair, monkeypatch, written(tmp_path / "two.pgn", second))
    assert min(summary.new, summary.added, summary.unchanged) > 0
    written(tmp_path / "one.pgn", first + file_of(random, 30, second))
    imported(pair, monkeypatch, tmp_path / "one.pgn", written(tmp_path / "three.pgn", second))
    for archive in pair:
        assert not archive.lacks_indexes()


@pytest.mark.parametrize("seed", range(4))
def test_edits_hold_for_packed_games(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """What the user has edited is laid over the same games when another file has them."""
    random = Random(seed)
    games = file_of(random, 30)
    imported(pair, monkeypatch, written(tmp_path / "one.pgn", games))
    for archive in pair:
        for number in (1, 2, 3):
            edit_game(archive, number, {"round": FIELDS["round"].read("9")}, now_ms=NOW)
            edit_game(archive, number, {"white": FIELDS["white"].read("Verdi, Anna")}, now_ms=NOW)
    same(pair)
    imported(pair, monkeypatch, written(tmp_path / "two.pgn", file_of(random, 30, games)))


def test_usual_games_stay_packed(pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """New ones, those of a game that is known, and those that are in the file twice."""
    random = Random(3)
    clean = [one for one in file_of(random, 60) if isinstance(parse_one(Piece(one, 0, 1)), Prepared)]
    imported(pair, monkeypatch, written(tmp_path / "one.pgn", clean[:30]))
    monkeypatch.setattr(run, "Parsers", PackedHere)
    monkeypatch.setattr("daemon.archive.take_in._take_in", None)
    summary = import_paths(pair[0], [written(tmp_path / "two.pgn", clean + clean[:9])])
    assert summary.clean
    assert min(summary.new, summary.added, summary.unchanged) > 0


def test_real_processes_pack_alike(pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each with lists of players and texts of its own, and bundles in turns."""

    def two(*_: object, **more: bool) -> Parsers:
        return Parsers(2, small=0, **more)

    games = file_of(Random(99), 300)
    summary = imported(pair, monkeypatch, written(tmp_path / "one.pgn", games), packing=two)
    assert summary.new > 100


def test_a_run_that_cannot_be_stored_goes_game_by_game(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error in packed intake costs time, and no game."""

    def broken(*_: object) -> object:
        raise ValueError("made up")

    random = Random(5)
    first = file_of(random, 30)
    imported(pair, monkeypatch, written(tmp_path / "one.pgn", first))
    monkeypatch.setattr(packed_intake.PackedIntake, "_update", broken)
    imported(pair, monkeypatch, written(tmp_path / "two.pgn", file_of(random, 30, first)))


def test_a_game_in_quarantine_leaves_it(pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When it can be read, as after an update of the program."""
    games = file_of(Random(8), 30)
    path = written(tmp_path / "one.pgn", games)
    waiting = [QuarantineItem(source=str(path), raw=raw, reason="made up") for raw in games[:9]]
    for archive in pair:
        take_in(archive, [], now_ms=NOW, unread=waiting)
    summary = imported(pair, monkeypatch, path)
    with pair[0].reading() as connection:
        assert quarantine.count(connection) == summary.quarantined
