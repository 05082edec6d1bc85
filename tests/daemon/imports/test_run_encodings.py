"""Files that are not UTF-8: what the user says of them, what is proposed, and what becomes of it later."""

import zipfile
from pathlib import Path

import pytest

from core.players import Profile
from daemon.archive.archive import Archive
from daemon.archive.database import indexes
from daemon.archive.errors import ArchiveBusy
from daemon.archive.games import packed_intake
from daemon.archive.games.reread import read_again
from daemon.archive.reading.export import pgn_texts, tellings_as_they_came
from daemon.archive.reading.games import find_games, games_by_id, whole_games
from daemon.archive.reading.search.filters import GameFilters
from daemon.edits.door import edit_game, undo
from daemon.imports import run
from daemon.imports.parsers import Parsers
from daemon.imports.run import Summary, import_paths

HEAD = '[Event "Klub"]\n[Date "2024.05.12"]\n[White "{}, Karl"]\n[Black "Rossi, Mario"]\n[Result "1-0"]\n\n'
GAME = HEAD + "1. e4 e5 {{gut}} 1-0\n\n"


def dos(*names: str, game: str = GAME) -> bytes:
    return "".join(game.format(name) for name in names).encode("cp850")


def players(archive: Archive) -> list[str]:
    with archive.reading() as connection:
        page = find_games(connection, GameFilters(), Profile(), limit=100)
    return sorted(one["white"]["name"] for one in page["items"])


def take(archive: Archive, path: Path, encoding: str | None = None) -> Summary:
    return import_paths(archive, [path], encoding=encoding, parsers=1)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "dos.pgn"
    path.write_bytes(dos("Müller", "Jünger", "Weiss"))
    return path


def test_an_encoding_is_proposed_and_not_used(archive: Archive, file: Path) -> None:
    """No letter is guessed: the players stay apart, and the summary says what the file looks like."""
    summary = take(archive, file)
    assert players(archive) == ["J\\x81nger, Karl", "M\\x81ller, Karl", "Weiss, Karl"]
    assert [looks.encoding for looks in summary.encodings] == ["cp850"]
    assert "--encoding cp850" in str(summary.encodings[0])


def test_what_the_user_says_replaces_what_the_file_told(archive: Archive, file: Path) -> None:
    """The same games in the right letters, with the bytes as they came; what goes out is UTF-8."""
    take(archive, file)
    summary = take(archive, file, "cp850")
    assert (summary.read, summary.refreshed, summary.unchanged, summary.new) == (3, 2, 1, 0)
    assert (summary.encodings, summary.left) == ((), 0)
    assert players(archive) == ["Jünger, Karl", "Müller, Karl", "Weiss, Karl"]
    with archive.reading() as connection:
        shown = list(whole_games(connection, [1, 2, 3]))
        assert shown[0]["tags"]["White"] == "Müller, Karl"
        assert pgn_texts(connection, [1])[0].decode().splitlines()[2] == '[White "Müller, Karl"]'
        assert tellings_as_they_came(connection, [1]) == [dos("Müller").rstrip() + b"\n\n"]
        again = dict(read_again(connection, [1, 2, 3]))
    assert [one and one.game.white.name for one in (again[number] for number in (1, 2, 3))] == [
        "Müller, Karl",
        "Jünger, Karl",
        "Weiss, Karl",
    ]


def test_edits_stay_when_the_letters_become_right(archive: Archive, file: Path) -> None:
    """What the user has edited is still edited; once it is undone, the games are those of a fresh import."""
    take(archive, file)
    edit_game(archive, 1, {"event": "Open"}, now_ms=1)
    edit_game(archive, 2, {"white": "Neri, Anna"}, now_ms=2)
    take(archive, file, "cp850")
    with archive.reading() as connection:
        edited = games_by_id(connection, [1, 2])
    assert [(one["event"], one["white"]["name"]) for one in edited] == [
        ("Open", "Müller, Karl"),
        ("Klub", "Neri, Anna"),
    ]
    undo(archive, [1, 2], now_ms=3)
    with archive.reading() as connection:
        shown = games_by_id(connection, [1, 2])
    assert [(one["event"], one["white"]["name"]) for one in shown] == [
        ("Klub", "Müller, Karl"),
        ("Klub", "Jünger, Karl"),
    ]


def test_what_was_said_holds_for_what_is_appended(archive: Archive, file: Path) -> None:
    """An import of the grown file needs no option; what is known is not read again, and another word changes all."""
    take(archive, file, "cp850")
    assert take(archive, file).files_unchanged == 1
    file.write_bytes(file.read_bytes() + dos("Böhm"))
    summary = take(archive, file)
    assert (summary.new, summary.unchanged) == (1, 3)
    assert players(archive) == ["Böhm, Karl", "Jünger, Karl", "Müller, Karl", "Weiss, Karl"]
    assert take(archive, file, "cp1252").refreshed == 3
    assert "J\\x81nger, Karl" in players(archive)


def test_a_game_that_is_known_already_is_joined(archive: Archive, file: Path, tmp_path: Path) -> None:
    """In the right letters, the file's game is another telling of the game that a UTF-8 file told."""
    clean = tmp_path / "clean.pgn"
    clean.write_text(GAME.format("Müller"), encoding="utf-8")
    take(archive, clean)
    take(archive, file)
    assert len(players(archive)) == 4
    take(archive, file, "cp850")
    assert players(archive) == ["Jünger, Karl", "Müller, Karl", "Weiss, Karl"]


def test_not_while_indexes_are_left_out(sqlite_archive: Archive, file: Path) -> None:
    """Nothing keeps the tellings of a known file apart then: it is refused, in words, and nothing is stored twice."""
    take(sqlite_archive, file)
    with sqlite_archive.writing() as connection:  # as another import does
        indexes.drop(connection, new_files=True)
    with pytest.raises(ArchiveBusy, match="another encoding"):
        take(sqlite_archive, file, "cp850")
    assert len(players(sqlite_archive)) == 3
    sqlite_archive.migrate()
    assert take(sqlite_archive, file, "cp850").refreshed == 2  # the third is ASCII


@pytest.mark.parametrize("encoding", [None, "cp850"])
def test_parsers_pack_nothing_that_would_be_taken_apart(
    sqlite_archive: Archive, file: Path, monkeypatch: pytest.MonkeyPatch, encoding: str | None
) -> None:
    """Neither what is read in another encoding, nor in an archive with edits; all else is packed."""
    asked: list[bool] = []

    class Noted(Parsers):
        def __init__(self, count: int | None, *, packed: bool) -> None:
            asked.append(packed)
            super().__init__(count, packed=packed)

    monkeypatch.setattr(run, "Parsers", Noted)
    possible = packed_intake.is_possible("sqlite")
    take(sqlite_archive, file)
    take(sqlite_archive, file, encoding)
    assert asked == [possible, possible and encoding is None]
    edit_game(sqlite_archive, 1, {"round": "9"}, now_ms=1)
    take(sqlite_archive, file)
    assert asked[2:] == [False]


def test_members_of_a_zip_archive(archive: Archive, tmp_path: Path) -> None:
    """What is said of the archive is said of all files in it."""
    path = tmp_path / "club.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("a.pgn", dos("Müller"))
        packed.writestr("b.pgn", dos("Böhm"))
    take(archive, path)
    assert take(archive, path, "cp850").refreshed == 2
    assert players(archive) == ["Böhm, Karl", "Müller, Karl"]
    assert take(archive, path).files_unchanged == 1
