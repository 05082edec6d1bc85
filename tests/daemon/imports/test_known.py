"""Files that have grown or changed: what is known by its bytes is not parsed, and everything counts as if it were."""

import shutil
from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from core.edits import FIELDS
from core.pgn import quick_splitter
from core.pgn.reader import Piece
from daemon.archive.archive import Archive, open_archive
from daemon.archive.games import quarantine
from daemon.archive.games.file_places import Placed
from daemon.archive.reading import games
from daemon.archive.reading.rounds import list_rounds
from daemon.archive.reading.totals import totals
from daemon.edits.door import edit_game
from daemon.imports import bundles, known, parsers, run
from daemon.imports.parser_process import parse_one
from daemon.imports.retry import mend
from daemon.imports.run import Summary, import_paths
from daemon.imports.store import BatchSize
from tests.daemon.imports.test_run import counts, file_of, game
from tests.daemon.seeding import in_quarantine
from tests.examples import examples

BAD = game(77, moves="1. e4 Ke4")


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The games that were parsed, in their order."""
    seen: list[bytes] = []

    def noted(piece: Piece, *, seconds: float) -> object:
        seen.append(piece.raw)
        return parse_one(piece, seconds=seconds)

    monkeypatch.setattr(parsers, "parse_one", noted)
    return seen


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few games make several batches and several looks into the archive, and are cut one or two at once."""
    monkeypatch.setattr(quick_splitter, "CHUNK", 200)
    monkeypatch.setattr(quick_splitter, "_BLOCK", 200)
    monkeypatch.setattr(run, "LARGE", BatchSize(games=3, bytes=4 << 20, known=4, seconds=30))
    monkeypatch.setattr(known, "_LOOK_GAMES", 5)
    monkeypatch.setattr(bundles, "_GAMES", 2)


def imported(archive: Archive, file: Path, parsed: list[bytes], *, again: bool = False) -> Summary:
    """Import, and forget what was parsed before."""
    parsed.clear()
    return import_paths(archive, [file], again=again)


def places(archive: Archive, file: Path) -> dict[bytes, int | None]:
    """Where each telling of the file stands, by its bytes."""
    from daemon.archive.games.compression import decompress

    with archive.reading() as connection:
        rows = connection.exec_driver_sql(
            "SELECT tellings.pgn, tellings.place FROM tellings JOIN files ON files.id = tellings.file_id "
            f"WHERE files.path = '{file}'"
        )
        return {decompress(pgn): place for pgn, place in rows}


def first_places(*texts: str) -> dict[bytes, int | None]:
    """Where each of these games first is in a file of them."""
    found: dict[bytes, int | None] = {}
    at = 0
    for text in texts:
        found.setdefault(text.encode(), at)
        at += len(text.encode())
    return found


def test_only_what_is_new_in_a_file_is_parsed(archive: Archive, tmp_path: Path, parsed: list[bytes]) -> None:
    """A game more costs the parsing of that game; the others count as unchanged."""
    file = file_of(tmp_path / "a.pgn", *map(game, range(23)))
    assert counts(imported(archive, file, parsed)) == (23, 23, 0, 0, 0)
    file_of(file, *map(game, range(24)))
    assert counts(imported(archive, file, parsed)) == (24, 1, 0, 23, 0)
    assert parsed == [game(23).encode()]


def test_again_parses_everything(archive: Archive, tmp_path: Path, parsed: list[bytes]) -> None:
    """A caller that asks for it gets it, with the same counts."""
    file = file_of(tmp_path / "a.pgn", *map(game, range(9)), BAD)
    imported(archive, file, parsed)
    assert counts(imported(archive, file, parsed, again=True)) == (10, 0, 0, 9, 1)
    assert len(parsed) == 10


def test_games_that_moved_in_the_file_are_known_and_found_there(
    archive: Archive, tmp_path: Path, parsed: list[bytes]
) -> None:
    """New ones put before and between the old ones, and old ones in another order: every place is that of now."""
    file = file_of(tmp_path / "a.pgn", *map(game, range(20)))
    imported(archive, file, parsed)
    order = [game(30), *map(game, reversed(range(11))), game(31), *map(game, range(11, 20))]
    file_of(file, *order)
    assert counts(imported(archive, file, parsed)) == (22, 2, 0, 20, 0)
    assert parsed == [game(30).encode(), game(31).encode()]
    assert places(archive, file) == first_places(*order)


def test_a_game_that_is_twice_in_the_file(archive: Archive, tmp_path: Path, parsed: list[bytes]) -> None:
    """It is known both times, and its first place counts, whichever batch the second one falls into."""
    order = [game(0), *map(game, range(8)), game(3), game(0), *map(game, range(8, 12)), game(1)]
    file = file_of(tmp_path / "a.pgn", *order)
    first = imported(archive, file, parsed)
    assert (first.read, first.new, first.unchanged) == (16, 12, 4)
    assert places(archive, file) == first_places(*order)
    for more in ([game(20), *order], [*order[4:], game(20), game(20), order[0]], order[::-1]):
        file_of(file, *more)
        summary = imported(archive, file, parsed)
        assert summary.read == summary.new + summary.unchanged == len(more)
        held = first_places(*more)
        assert {raw: place for raw, place in places(archive, file).items() if raw in held} == held


def test_a_game_in_another_file_is_no_known_one(
    archive: Archive, tmp_path: Path, parsed: list[bytes]
) -> None:
    """The same bytes elsewhere are another telling of the game, also when that file is known."""
    one = file_of(tmp_path / "a.pgn", game(1), game(2))
    two = file_of(tmp_path / "b.pgn", game(3))
    for file in (one, two):
        imported(archive, file, parsed)
    file_of(two, game(3), game(1))
    assert counts(imported(archive, two, parsed)) == (2, 0, 1, 1, 0)


def test_what_lies_in_quarantine_is_not_parsed_but_counted(
    archive: Archive, tmp_path: Path, parsed: list[bytes]
) -> None:
    """It is seen once more, at its place of now, for the reason of before; the reason is told."""
    file = file_of(tmp_path / "a.pgn", game(1), BAD, game(2))
    imported(archive, file, parsed)
    file_of(file, game(3), game(1), BAD, game(2), BAD)
    summary = imported(archive, file, parsed)
    assert counts(summary) == (5, 1, 0, 2, 2)
    assert not summary.clean
    assert [(one.reason, one.games) for one in summary.reasons] == [("illegal move", 2)]
    assert parsed == [game(3).encode()]
    with archive.reading() as connection:
        [row] = in_quarantine(connection)
        rounds = list_rounds(connection, limit=10)["items"]
    assert (row.seen, row.item.place) == (2, len(game(3) + game(1) + game(2) + BAD))
    assert [(one["read"], one["unchanged"], one["quarantined"]) for one in rounds] == [(5, 2, 2), (3, 0, 1)]


def test_what_was_mended_by_hand_stays_known(archive: Archive, tmp_path: Path, parsed: list[bytes]) -> None:
    """Its file goes on to hold the spoiled game: that is unchanged, and not parsed."""
    file = file_of(tmp_path / "a.pgn", game(1), BAD)
    imported(archive, file, parsed)
    with archive.reading() as connection:
        [row] = in_quarantine(connection)
    mend(archive, row, game(77).encode())
    file_of(file, game(1), BAD, game(2))
    summary = imported(archive, file, parsed)
    assert counts(summary) == (3, 1, 0, 2, 0)
    assert summary.clean
    assert parsed == [game(2).encode()]


def test_what_was_cut_off_is_parsed_when_it_is_whole(
    archive: Archive, tmp_path: Path, parsed: list[bytes]
) -> None:
    """A game without an end marker is refused after a break, and is a game where the file ends: the same bytes."""
    import gzip
    import os

    noise = "".join(game(n, moves=f"1. e4 {{{os.urandom(2000).hex()}}} e5") for n in range(20))
    open_end = game(50, end="").encode()
    whole = gzip.compress(noise.encode()) + gzip.compress(open_end)
    file = tmp_path / "a.pgn.gz"
    file.write_bytes(whole[:-4])
    assert counts(imported(archive, file, parsed)) == (21, 20, 0, 0, 1)
    file.write_bytes(whole)
    summary = imported(archive, file, parsed)
    assert counts(summary) == (21, 1, 0, 20, 0)
    assert parsed == [open_end]
    with archive.reading() as connection:
        assert quarantine.count(connection) == 0
    file.write_bytes(whole[:-4])
    assert imported(archive, file, parsed).quarantined == 1
    file.write_bytes(whole + gzip.compress(game(51).encode()))
    assert counts(imported(archive, file, parsed)) == (22, 1, 0, 21, 0)
    with archive.reading() as connection:
        assert quarantine.count(connection) == 0


def test_an_import_that_was_stopped_goes_on_where_it_was(
    archive: Archive, tmp_path: Path, parsed: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in by then is not parsed again."""
    monkeypatch.setattr(quick_splitter, "CHUNK", 500)
    monkeypatch.setattr(quick_splitter, "_BLOCK", 500)
    file = file_of(tmp_path / "a.pgn", *map(game, range(30)))
    seen: Iterator[int] = iter(range(1000))
    first = import_paths(archive, [file], stop=lambda: next(seen) > 12)
    assert 0 < first.new < 30
    assert counts(imported(archive, file, parsed)) == (30, 30 - first.new, 0, first.new, 0)
    assert len(parsed) == 30 - first.new


def test_members_of_a_zip_file_are_files_of_their_own(
    archive: Archive, tmp_path: Path, parsed: list[bytes]
) -> None:
    """Each is known by its name in the archive."""
    import zipfile

    for more in ([], [game(9)]):
        with zipfile.ZipFile(tmp_path / "a.zip", "w") as file:
            file.writestr("a.pgn", game(1) + game(2))
            file.writestr("b.pgn", "".join([game(2), *more]))
        summary = imported(archive, tmp_path / "a.zip", parsed)
    assert counts(summary) == (4, 1, 0, 3, 0)
    assert parsed == [game(9).encode()]


def test_an_edited_game_is_known_by_what_its_file_says(
    archive: Archive, tmp_path: Path, parsed: list[bytes]
) -> None:
    """Whether it was renamed, or has become one with another: its file has grown, and the edits stay."""
    file = file_of(tmp_path / "a.pgn", *map(game, range(4)))
    imported(archive, file, parsed)
    edit_game(archive, 1, {"event": "Open di Roma"}, now_ms=0)
    joined = edit_game(archive, 3, {"black": FIELDS["black"].read("Neri, A1"), "round": "1"}, now_ms=0).joined
    assert joined
    file_of(file, game(9), *map(game, range(4)))
    assert counts(imported(archive, file, parsed)) == (5, 1, 0, 4, 0)
    assert parsed == [game(9).encode()]
    assert places(archive, file) == first_places(game(9), *map(game, range(4)))
    with archive.reading() as connection:
        shown = games.game(connection, 1)
        assert shown is not None
        assert shown["event"] == "Open di Roma"
        assert totals(connection)["games"] == 4


NUMBERS = st.lists(st.integers(0, 11), max_size=25)


@examples(20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(versions=st.lists(NUMBERS, min_size=2, max_size=4))
def test_recognising_comes_to_the_same_as_parsing(
    versions: list[list[int]], sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever a file holds from import to import: games once and twice, some that cannot be read, in any order."""
    folder = tmp_path_factory.mktemp("same")
    file = folder / "a.pgn"
    archives = [open_archive(shutil.copy(sqlite_template, folder / name)) for name in ("quick", "thorough")]
    for version, numbers in enumerate(versions):
        # A number above 8 is a game that cannot be read; the comment makes each version another file.
        file_of(
            file, *(game(n, moves="1. e4 e5" if n < 9 else "1. e4 Ke4") for n in numbers), game(100 + version)
        )
        quick, thorough = (
            import_paths(archive, [file], again=again)
            for archive, again in zip(archives, (False, True), strict=True)
        )
        assert quick == thorough
        assert places(archives[0], file) == places(archives[1], file)
        waiting = []
        for archive in archives:
            with archive.reading() as connection:
                waiting.append([(row.item.raw, row.item.place) for row in in_quarantine(connection)])
        assert waiting[0] == waiting[1]
    for archive in archives:
        archive.close()


def test_settled_places() -> None:
    """Each telling is new once, however high its id."""
    placed = Placed()
    ids = [1, 9, 8, 100_000, 7, 0, 99_999]
    assert [placed.add(one) for one in ids] == [True] * len(ids)
    assert [placed.add(one) for one in ids] == [False] * len(ids)
    assert placed.add(3)


@given(
    ranges=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 40)), max_size=4),
    others=st.lists(st.integers(0, 99), max_size=9),
)
def test_many_settled_places_at_once(ranges: list[tuple[int, int]], others: list[int]) -> None:
    """Ids that follow each other are noted as any others are."""
    placed, ids = Placed(), set(others)
    placed.add_all(array("q", others))
    for first, count in ranges:
        placed.add_all(array("q", range(first, first + count)))
        ids.update(range(first, first + count))
    assert {number for number in range(200) if number in placed} == ids
    for first, end in [(0, 1), (3, 9), (8, 24), (0, 100), (50, 130)]:
        assert placed.has_all(first, end) == ids.issuperset(range(first, end))
