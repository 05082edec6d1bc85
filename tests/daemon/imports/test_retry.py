"""A second try at games in quarantine: what was not kept whole never comes in as a shorter game."""

import gzip
from pathlib import Path

import pytest

from core.players import Profile
from daemon.archive.archive import Archive
from daemon.archive.games import quarantine
from daemon.archive.games.files import find_file, note_encoding
from daemon.archive.reading.games import find_games
from daemon.archive.reading.search.filters import GameFilters
from daemon.archive.reading.totals import totals
from daemon.imports.retry import StillUnreadableError, mend, retry_all
from daemon.imports.run import import_paths
from tests.daemon.seeding import in_quarantine

HEADER = '[White "Rossi, Mario"]\n[Black "Neri, Anna"]\n[Date "2024.05.12"]\n[Result "1-0"]\n\n'


def _kept(archive: Archive) -> list[str]:
    with archive.reading() as connection:
        assert totals(connection)["games"] == 0
        return [one.item.reason for one in in_quarantine(connection)]


def test_a_game_whose_end_never_came(archive: Archive, tmp_path: Path) -> None:
    """Its file was cut off in the middle of its moves: what there is of it is not a game."""
    line = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 1-0\n"
    packed = gzip.compress((HEADER + line).encode())
    (tmp_path / "cut.pgn.gz").write_bytes(packed[:-30])
    assert import_paths(archive, [tmp_path / "cut.pgn.gz"]).quarantined == 1
    before = _kept(archive)

    retried = retry_all(archive)

    assert (retried.taken_in, retried.unreadable) == ([], [1])
    assert _kept(archive) == before


def test_a_game_that_was_too_large(archive: Archive, tmp_path: Path) -> None:
    """Only its beginning was kept, which reads well."""
    large = HEADER + "1. e4 e5 2. Nf3 Nc6 " + "{ a word } " * 800_000 + " 3. Bb5 1-0\n"
    (tmp_path / "large.pgn").write_text(large)
    assert import_paths(archive, [tmp_path / "large.pgn"]).quarantined == 1
    (reason,) = _kept(archive)

    retried = retry_all(archive)

    assert "longer than" in reason
    assert (retried.taken_in, retried.unreadable) == ([], [1])


def test_a_game_that_no_database_holds(archive: Archive, tmp_path: Path) -> None:
    """It stays, with the reason of today, and its text with that value still cannot be taken in."""
    held = HEADER + "1. e4 e5 1-0\n"
    text = held.replace("[Date", f'[WhiteFideId "{"1" * 33}"]\n[Date')
    (tmp_path / "long.pgn").write_text(text)
    assert import_paths(archive, [tmp_path / "long.pgn"]).quarantined == 1

    retried = retry_all(archive)

    assert (retried.taken_in, retried.unreadable) == ([], [1])
    with archive.reading() as connection:
        (item,) = in_quarantine(connection)
    assert item.seen == 2
    assert "FIDE id has 33 characters" in item.item.reason
    with pytest.raises(StillUnreadableError, match="FIDE id has 33 characters"):
        mend(archive, item, text.encode())
    assert [outcome.what for outcome in mend(archive, item, held.encode())] == ["new"]


def test_an_encoding_that_was_said_later(archive: Archive, tmp_path: Path) -> None:
    """A second try, and an edited game, are read in the encoding that the user has said of the file by now."""
    path = tmp_path / "old.pgn"
    text = HEADER.replace("Neri", "M\u00fcller").replace("1-0", "1/2-1/2") + "1. e4 e5 \u00bd-\u00bd"
    other = text.replace("12", "13").replace("e4", "Unsinn e4")
    path.write_bytes(f"{text}\n\n{other}\n".encode("cp850"))
    assert import_paths(archive, [path]).quarantined == 2  # in cp1252 these are not halves
    with archive.writing() as connection:
        file = find_file(connection, path)
        assert file is not None
        note_encoding(connection, file.id, "cp850")

    retried = retry_all(archive)

    assert (retried.taken_in, retried.unreadable) == ([1], [2])
    with archive.reading() as connection:
        waiting = quarantine.get(connection, 2)
    assert waiting is not None
    mend(archive, waiting, waiting.item.raw.replace(b"Unsinn", b""))
    with archive.reading() as connection:
        shown = find_games(connection, GameFilters(), Profile(), limit=9)["items"]
    assert [(game["black"]["name"], game["result"]) for game in shown] == [
        ("M\u00fcller, Anna", "1/2-1/2")
    ] * 2
    assert import_paths(archive, [path]).new == 0
