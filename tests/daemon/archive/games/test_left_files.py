"""Games that are no longer in their file: marked, offered as doubles of what replaced them, removed on request."""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from daemon.archive import prune
from daemon.archive.archive import Archive, open_archive
from daemon.archive.games import left_files, quarantine
from daemon.archive.games.left_files import Anchors
from daemon.archive.reading import games, shapes
from daemon.archive.reading.doubles import list_doubles
from daemon.archive.reading.quarantine import list_quarantined
from daemon.archive.reading.totals import totals
from daemon.cli import main
from daemon.edits import door, doubles
from daemon.imports.retry import mend
from daemon.imports.run import Summary, import_paths
from tests.daemon.archive.games.test_whereabouts import a_board, board_is_of


def game(
    number: int, *, white: str = "Rossi, Mario", moves: str = "1. e4 e5 2. Nf3 Nc6", more: str = ""
) -> str:
    tags = {"Event": "Club", "Date": "2024.05.12", "White": white, "Black": f"Neri, A{number}"}
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    return f'{head}{more}[Result "1-0"]\n\n{moves} 1-0\n\n'


@pytest.fixture
def sqlite(sqlite_path: Path) -> Iterator[Archive]:
    with open_archive(sqlite_path) as archive:
        yield archive


def write(path: Path, *texts: str) -> Path:
    path.write_text("".join(texts))
    return path


def taken(archive: Archive, path: Path, *texts: str) -> Summary:
    return import_paths(archive, [write(path, *texts)])


def whole(archive: Archive, number: int) -> shapes.WholeGame | None:
    with archive.reading() as connection:
        return games.game(connection, number)


def left(archive: Archive) -> list[tuple[int, int]]:
    """Game and number of the tellings that have left."""
    with archive.reading() as connection:
        last = games.last_id(connection)
        numbered = [(number, games.game(connection, number)) for number in range(1, last + 1)]
    return [
        (number, telling["n"])
        for number, one in numbered
        if one
        for telling in one["tellings"]
        if telling["left_at"]
    ]


def pairs(archive: Archive) -> list[tuple[int, int, str]]:
    doubles.look(archive)
    with archive.reading() as connection:
        found = list_doubles(connection, limit=50)["items"]
    return sorted((one["game"]["id"], one["other"]["id"], one["kind"]) for one in found)


def test_a_name_that_was_corrected_leaves_the_old_game_as_a_double(archive: Archive, tmp_path: Path) -> None:
    """The file tells the corrected game now; the old one is marked and offered with the one at its place."""
    path = tmp_path / "a.pgn"
    taken(archive, path, game(1), game(2, white="Rosi, Mrio"), game(3))
    assert left(archive) == []
    summary = taken(archive, path, game(1), game(2, white="Rossi, Mario Luigi"), game(3))
    assert (summary.new, summary.left) == (1, 1)
    assert left(archive) == [(2, 1)]
    assert pairs(archive) == [(2, 4, "replaced")]


def test_two_neighbours_that_were_corrected_are_paired_in_their_order(
    sqlite: Archive, tmp_path: Path
) -> None:
    """Although all that follows has moved; games that were taken out or put in beside them confuse nobody."""
    path = tmp_path / "a.pgn"
    old = [game(n, moves=f"1. {first} e5") for n, first in enumerate(("a3", "b3", "c3", "d3", "e3", "f3"), 1)]
    taken(sqlite, path, *old)
    new = game(9, moves="1. h4 h5", white="Bianchi, Luca")
    second, third = (text.replace("Rossi, Mario", "Rossi, Maria") for text in old[1:3])
    taken(sqlite, path, new, old[0], second, third, old[3], old[5])
    assert left(sqlite) == [(2, 1), (3, 1), (5, 1)]
    assert [(one, other) for one, other, _ in pairs(sqlite)] == [(2, 8), (3, 9)]


def test_half_a_game_is_a_double_of_the_whole_one(sqlite: Archive, tmp_path: Path) -> None:
    """As a file is read in the middle of being written: the beginning is marked, and offered."""
    path = tmp_path / "a.pgn"
    text = game(1, moves="1. e4 e5 2. Nf3 Nc6 3. Bb5 a6")
    taken(sqlite, path, game(5) + text[: text.index("Bb5")])
    taken(sqlite, path, game(5), text, game(7))
    assert left(sqlite) == [(2, 1)]
    assert pairs(sqlite) == [(2, 3, "beginning")]


def test_a_game_that_is_told_elsewhere_is_no_double(sqlite: Archive, tmp_path: Path) -> None:
    """Only what nobody else tells may have been a mistake of this file."""
    taken(sqlite, tmp_path / "a.pgn", game(1))
    taken(sqlite, tmp_path / "b.pgn", game(1))
    taken(sqlite, tmp_path / "a.pgn", game(1, white="Bianchi, Luca"))
    assert left(sqlite) == [(1, 1)]
    assert pairs(sqlite) == []


def test_what_comes_back_is_not_marked_any_more(sqlite: Archive, tmp_path: Path) -> None:
    """And a comment that was added makes no double: it is the same game."""
    path = tmp_path / "a.pgn"
    taken(sqlite, path, game(1), game(2))
    taken(sqlite, path, game(2))
    assert left(sqlite) == [(1, 1)]
    assert taken(sqlite, path, game(1), game(2)).left == 0
    assert left(sqlite) == []
    taken(sqlite, path, game(1, moves="1. e4 {best} e5 2. Nf3 Nc6"), game(2))
    assert left(sqlite) == [(1, 1)]
    assert pairs(sqlite) == []


def test_nothing_is_marked_unless_the_file_was_read_whole(sqlite: Archive, tmp_path: Path) -> None:
    """Not where it is broken, not where the import was stopped, not where the file is gone."""
    path = tmp_path / "a.pgn"
    taken(sqlite, path, game(1), game(2))
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 4

    write(path, *(game(n) for n in range(10, 20)))
    assert import_paths(sqlite, [path], stop=stop).stopped
    assert left(sqlite) == []
    path.unlink()
    import_paths(sqlite, [tmp_path, path])
    assert left(sqlite) == []


def _zip(path: Path, **members: str) -> Path:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        for name, text in members.items():
            packed.writestr(f"{name}.pgn", text)
    path.write_bytes(file.getvalue())
    return path


def test_members_that_were_taken_out_of_a_zip_have_left(sqlite: Archive, tmp_path: Path) -> None:
    """As games that were taken out of a member; another archive is not concerned."""
    path = tmp_path / "a_zip.zip"
    import_paths(sqlite, [_zip(tmp_path / "aXzip.zip", other=game(8))])
    import_paths(sqlite, [_zip(path, one=game(1) + game(2), two=game(3))])
    import_paths(sqlite, [_zip(path, one=game(2))])
    assert left(sqlite) == [(2, 1), (4, 1)]


def test_quarantine_knows_what_was_mended_in_the_file(archive: Archive, tmp_path: Path) -> None:
    """An unreadable game that is no longer there is marked; one that was mended by hand and still is there is not."""
    path = tmp_path / "a.pgn"
    bad, worse = game(1, moves="1. Ke4"), game(2, moves="1. Kd4")
    taken(archive, path, bad, worse)
    with archive.reading() as connection:
        mended = quarantine.get(connection, 2)
    assert mended is not None
    mend(archive, mended, (game(2, moves="1. d4") + game(3, moves="1. d3")).encode())
    summary = taken(archive, path, game(1, moves="1. e4"), worse)
    assert summary.left == 0
    assert import_paths(archive, [path], again=True).left == 0
    with archive.reading() as connection:
        [item] = list_quarantined(connection, limit=9)["items"]
    assert (item["id"], item["left_at"] is not None) == (1, True)
    assert taken(archive, path, game(1, moves="1. e4")).left == 2


def _prune(archive: Archive, path: Path) -> int:
    with archive.writing() as connection:
        found = prune.leftovers(connection, [str(path)])
        return prune.prune(connection, archive.known, found, 1)


def test_pruning_takes_away_what_left_and_nothing_else(archive: Archive, tmp_path: Path) -> None:
    """A game that is told elsewhere stays, as the others tell it; one that nobody tells goes, with its player."""
    path = tmp_path / "a.pgn"
    taken(
        archive, path, game(1, more='[Annotator "A"]\n'), game(2, white="Rosi, Mrio"), game(3, moves="1. Ke4")
    )
    taken(archive, tmp_path / "b.pgn", game(1, more='[Annotator "B"]\n'), game(7))
    taken(archive, path, game(2))
    assert _prune(archive, path) == 1
    first = whole(archive, 1)
    assert first is not None
    assert (first["annotator"], [telling["n"] for telling in first["tellings"]]) == ("B", [2])
    assert whole(archive, 2) is None
    with archive.reading() as connection:
        assert totals(connection)["games"] == 3
        assert totals(connection)["quarantine"] == 0
    assert archive.check() == []
    assert taken(archive, path, game(2), game(9)).new == 1


def test_pruning_leaves_edits_in_order(archive: Archive, tmp_path: Path) -> None:
    """A game that was edited and is told nowhere any more goes; of two that are one, the other stays, as itself."""
    path = tmp_path / "a.pgn"
    taken(archive, path, game(1), game(2, white="Rosi, Mrio"), game(3))
    door.edit_game(archive, 1, {"event": "Edited"}, now_ms=1)
    taken(archive, path, game(2, white="Rossi, Maria"), game(3))
    doubles.look(archive)
    with archive.reading() as connection:
        [pair] = list_doubles(connection, limit=9)["items"]
    doubles.same(archive, [pair["id"]], now_ms=2)
    assert _prune(archive, path) == 1
    assert whole(archive, 1) is None
    stays = whole(archive, 4)
    assert stays is not None
    assert stays["white"]["written"] == "Rossi, Maria"
    assert len(stays["tellings"]) == 1
    with archive.reading() as connection:
        assert totals(connection)["games"] == 2


def test_a_board_of_a_club_evening_keeps_its_game(archive: Archive, tmp_path: Path) -> None:
    """It has the game that replaced its own in the file; where none did, the game stays."""
    path = tmp_path / "a.pgn"
    taken(archive, path, game(1, moves="1. a3"), game(2, white="Rosi, Mrio"))
    a_board(archive, 1)
    taken(archive, path, game(2))
    assert _prune(archive, path) == 1
    assert (board_is_of(archive), left(archive)) == (1, [(1, 1)])


def test_a_board_follows_the_game_that_replaced_its_own(archive: Archive, tmp_path: Path) -> None:
    """As a director sees it, a name was corrected."""
    path = tmp_path / "a.pgn"
    taken(archive, path, game(1, white="Rosi, Mrio"), game(2))
    a_board(archive, 1)
    taken(archive, path, game(1), game(2))
    assert _prune(archive, path) == 1
    assert board_is_of(archive) == 3


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "gamekeeper.toml"
    path.write_text(f'[daemon]\ndata_dir = "{tmp_path}/data"\n')
    return path


def run(config: Path, *args: str, answer: str | None = None) -> Result:
    return CliRunner().invoke(main, ["--config", str(config), "import", *args], input=answer)


def test_import_prune_shows_what_goes_and_asks(config: Path, tmp_path: Path) -> None:
    """No is the answer that changes nothing; --yes does not ask; a folder stands for its files."""
    folder = tmp_path / "pgn"
    folder.mkdir()
    write(folder / "a.pgn", game(1), game(2))
    run(config, str(folder))
    write(folder / "a.pgn", game(2))
    refused = run(config, "--prune", str(folder), answer="n\n")
    assert "left         1" in refused.stdout
    assert "Rossi, Mario – Neri, A1, 2024.05.12, 1-0" in refused.stdout
    assert f"1  {folder}/a.pgn" in refused.stdout
    looked = json.loads(run(config, "--prune", "--json", str(folder)).stdout)["prune"]
    assert (looked["games"], looked["pruned"]) == ([1], False)
    done = run(config, "--prune", "--yes", str(folder / "a.pgn"))
    assert "deleted, and with them 1 game" in done.stdout
    assert "is still in them" in run(config, "--prune", str(folder)).stdout


def test_import_prune_says_which_games_were_edited(config: Path, tmp_path: Path) -> None:
    """An edit goes with its game: the list says so before."""
    file = write(tmp_path / "a.pgn", game(1), game(2), game(3))
    run(config, str(file))
    CliRunner().invoke(main, ["--config", str(config), "edit", "game", "2", "--event", "Open"])
    write(file, game(3))
    shown = run(config, "--prune", str(file), answer="n\n").stdout.splitlines()
    assert [line.endswith("(you have edited it)") for line in shown if "Rossi, Mario" in line] == [
        False,
        True,
    ]


def test_telling_places_apart_costs_no_look_at_other_files(sqlite: Archive, tmp_path: Path) -> None:
    """Files that only share the beginning of their path are left alone."""
    taken(sqlite, tmp_path / "a.pgn", game(1))
    taken(sqlite, tmp_path / "a.pgn.old.pgn", game(2))
    with sqlite.writing() as connection:
        reading = left_files.begin(connection, 1)
        assert left_files.settle(connection, f"{tmp_path}/a.pgn", [f"{tmp_path}/a.pgn"], reading, 5) == 1
    assert left(sqlite) == [(1, 1)]


PLACES = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 99)), max_size=12, unique_by=lambda one: one[1])


@given(wanted=PLACES, others=PLACES, turns=st.randoms(use_true_random=False))
def test_which_game_each_one_follows(
    wanted: list[tuple[int, int]], others: list[tuple[int, int]], turns: Random
) -> None:
    """As in the sorted list of all of them, in whatever order these are met, and with several at one place."""
    others = [one for one in others if one[1] not in {number for _, number in wanted}]
    expected: dict[int | None, list[int]] = {}
    last: int | None = None
    for place, number in sorted([*wanted, *others]):
        if (place, number) in wanted:
            expected.setdefault(last, []).append(number)
        else:
            last = number
    anchors = Anchors(wanted[:5])
    anchors.add(wanted[5:])
    turns.shuffle(others)
    for one in others:
        anchors.pass_by(*one)
    assert anchors.followers() == expected
    assert len(anchors) == len(wanted)
