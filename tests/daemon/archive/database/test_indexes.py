"""Indexes that a large import does without: dropped and built again, whatever happens between."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from daemon.archive.archive import Archive, open_archive
from daemon.archive.database import indexes, settings
from daemon.archive.errors import DiskFull
from daemon.archive.restore import prepared, switch
from daemon.archive.sqlite import FileArchive
from daemon.archive.tables.main import metadata
from daemon.archive.verify.repairs import repair
from daemon.archive.verify.run import verify
from daemon.edits.door import edit_game
from tests.daemon.archive.database.test_schema import a_schema
from tests.daemon.made_up import otb
from tests.daemon.seeding import NOW, fill

MANY = indexes.FEWEST


def schema_of(path: Path) -> list[tuple[str, str]]:
    """All that the file holds, with the statements that make it."""
    with closing(sqlite3.connect(path)) as connection:
        return sorted(
            connection.execute("SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'")
        )


def lacking(archive: Archive) -> list[str]:
    with archive.reading() as connection:
        return indexes.missing(connection)


def noted(archive: Archive) -> str | None:
    with archive.reading() as connection:
        return settings.get(connection, indexes.DROPPED)


def drop(archive: Archive) -> None:
    """What an import leaves that is killed after it has begun."""
    with archive.writing() as connection:
        assert indexes.drop(connection) > 15


@pytest.mark.parametrize(
    ("to_come", "stored", "pays"),
    [
        (99_999, 0, False),
        (100_000, 0, True),
        (100_000, 100_000, True),
        (100_000, 100_001, False),
        (5_000_000, 4_000_000, True),
        (1_000, 5_000_000, False),
    ],
)
def test_when_it_pays(to_come: int, stored: int, pays: bool) -> None:
    """Indexes are dropped for many games that are at least as many as are there."""
    assert indexes.pays(to_come, stored) is pays


@pytest.mark.parametrize("new_files", [False, True])
def test_an_import_of_many_games(sqlite_archive: Archive, sqlite_path: Path, new_files: bool) -> None:
    """They are missing inside it, and afterwards the file is what it was, statement by statement; each is counted."""
    before = schema_of(sqlite_path)
    built: list[tuple[int, int]] = []
    with sqlite_archive.importing(
        alone=True, games=MANY, new_files=new_files, report=lambda *done: built.append(done)
    ):
        missing = lacking(sqlite_archive)
        assert missing == [str(index.name) for index in indexes.droppable(new_files=new_files)]
        assert ("uq_tellings_file" in missing) is new_files
        assert all(index in {name for name, _ in before} for index in missing)
        fill(sqlite_archive, [otb(f"Rossi, M{n}", Round=str(n)) for n in range(300)])
    assert lacking(sqlite_archive) == []
    assert schema_of(sqlite_path) == before
    assert noted(sqlite_archive) is None
    with sqlite_archive.reading() as connection:
        assert indexes.first_by_game(connection) is None
    assert built == [(n, len(missing)) for n in range(len(missing))]
    assert sqlite_archive.check(thorough=True) == []
    with sqlite_archive.reading() as connection:
        counted = (
            connection.exec_driver_sql("SELECT idx FROM sqlite_stat1 WHERE tbl = 'games'").scalars().all()
        )
    assert {"ix_games_date_id", "ix_games_white_id_date"} <= set(counted)


def test_what_is_unique_stays(sqlite_archive: Archive) -> None:
    """No index that keeps games and tellings from being there twice is ever dropped, nor one that edits are found by."""
    drop(sqlite_archive)
    kept = {
        str(index.name)
        for name in ("games", "tellings")
        for index in metadata.tables[name].indexes
        if str(index.name) not in lacking(sqlite_archive)
    }
    assert kept == {
        *("uq_tellings_download", "uq_tellings_file", "uq_tellings_game_id_n"),
        "ix_tellings_told_key",
    }


@pytest.mark.parametrize(("alone", "games_to_come"), [(False, MANY), (True, MANY - 1), (True, 0)])
def test_imports_that_keep_them(sqlite_archive: Archive, alone: bool, games_to_come: int) -> None:
    """A program that does other things meanwhile keeps all indexes up; so does a small import."""
    with sqlite_archive.importing(alone=alone, games=games_to_come):
        assert lacking(sqlite_archive) == []


def test_an_archive_that_was_edited(sqlite_archive: Archive) -> None:
    """What follows of edits is looked up by all indexes."""
    fill(sqlite_archive, [otb()])
    edit_game(sqlite_archive, 1, {"event": "Open"}, now_ms=NOW)
    with sqlite_archive.importing(alone=True, games=MANY):
        assert lacking(sqlite_archive) == []


def test_an_archive_with_more_games(sqlite_archive: Archive) -> None:
    """To sort those that are there would take longer than to keep up the indexes for a few more."""
    fill(sqlite_archive, [otb()])
    with sqlite_archive.writing() as connection:
        connection.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
        connection.exec_driver_sql(f"UPDATE games SET id = {MANY + 1}")
        connection.exec_driver_sql(f"UPDATE tellings SET game_id = {MANY + 1}")
    with sqlite_archive.importing(alone=True, games=MANY):
        assert lacking(sqlite_archive) == []


def test_an_import_that_fails(sqlite_archive: Archive) -> None:
    """They are built after an error too, and the error is the one that is reported."""
    with pytest.raises(DiskFull, match="no room"), sqlite_archive.importing(alone=True, games=MANY):
        raise DiskFull("no room")
    assert lacking(sqlite_archive) == []


def test_an_import_that_is_interrupted(sqlite_archive: Archive) -> None:
    """Who asks twice does not want to wait: the next one who writes builds them."""
    with pytest.raises(KeyboardInterrupt), sqlite_archive.importing(alone=True, games=MANY):
        raise KeyboardInterrupt
    assert lacking(sqlite_archive)
    sqlite_archive.migrate()
    assert lacking(sqlite_archive) == []


def test_building_that_is_interrupted(sqlite_archive: Archive, sqlite_path: Path) -> None:
    """What is built stays, and the next one builds the rest."""
    before = schema_of(sqlite_path)
    drop(sqlite_archive)
    everything = lacking(sqlite_archive)

    def interrupt(done: int, _total: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sqlite_archive.complete_indexes(interrupt)
    assert lacking(sqlite_archive) == everything[5:]
    assert sorted(json.loads(noted(sqlite_archive) or "")) == everything[5:]
    with open_archive(sqlite_path) as other:
        other.migrate()
    assert schema_of(sqlite_path) == before


def test_building_that_fails(sqlite_archive: Archive) -> None:
    """The archive can be used all the same; it is said, and tried again."""
    drop(sqlite_archive)

    def fail(_done: int, _total: int) -> None:
        raise DiskFull("no room for it")

    with capture_logs() as logged:
        assert sqlite_archive.complete_indexes(fail) is False
    assert [one["error"] for one in logged if "error" in one] == ["no room for it"]
    assert sqlite_archive.complete_indexes() is True


def test_while_another_import_runs(sqlite_path: Path) -> None:
    """It will build them itself: nobody else does, and to `verify` nothing is wrong; the last import of several builds."""
    with open_archive(sqlite_path) as archive, open_archive(sqlite_path) as other:
        with archive.importing(alone=True, games=MANY):
            other.migrate()
            assert other.lacks_indexes()
            assert other.check(thorough=True) == []
            with other.importing(alone=True, games=MANY):
                pass
            assert archive.lacks_indexes()
        assert not archive.lacks_indexes()


def test_one_that_was_never_noted(sqlite_archive: Archive, sqlite_path: Path) -> None:
    """An index that somebody else has dropped is built as the tables say."""
    before = schema_of(sqlite_path)
    with sqlite_archive.writing() as connection:
        connection.exec_driver_sql("DROP INDEX ix_games_eco")
        connection.exec_driver_sql("DROP INDEX uq_tellings_file")
    assert lacking(sqlite_archive) == ["ix_games_eco", "uq_tellings_file"]
    assert sqlite_archive.migrate() is False
    assert [name for name, _ in schema_of(sqlite_path)] == [name for name, _ in before]


def test_verify(sqlite_archive: Archive) -> None:
    """It names each that is missing, and mends it."""
    fill(sqlite_archive, [otb()])
    drop(sqlite_archive)
    found = list(verify(sqlite_archive))
    assert [one.fault for one in found] == [f"missing index {name}" for name in lacking(sqlite_archive)]
    assert {one.repair for one in found} == {"indexes"}
    repair(sqlite_archive, ["indexes"])
    assert list(verify(sqlite_archive)) == []


def test_backup_and_restore(sqlite_archive: FileArchive, sqlite_path: Path, tmp_path: Path) -> None:
    """A backup that was made meanwhile is sound, and what is restored of it has all indexes."""
    fill(sqlite_archive, [otb()])
    drop(sqlite_archive)
    backup = sqlite_archive.backup(tmp_path / "backup.sqlite")
    sqlite_archive.migrate()
    before = schema_of(sqlite_path)
    with prepared(sqlite_archive, backup) as ready:
        assert ready.games == 1
        switch(sqlite_archive, ready)
    assert schema_of(sqlite_path) == before
    assert not list(tmp_path.glob("*.restored*"))


def test_migration(sqlite_path: Path, tmp_path: Path) -> None:
    """A newer program whose migration drops one of them finds it there."""
    with open_archive(sqlite_path) as archive:
        drop(archive)
    tomorrow = a_schema(tmp_path / "revisions", more='op.drop_index("ix_games_added_at", "games")')
    with open_archive(sqlite_path, schema=tomorrow) as archive:
        assert archive.migrate() is True
        assert lacking(archive) == []
        assert noted(archive) is None
    names = [name for name, _ in schema_of(sqlite_path)]
    assert "ix_games_date_id" in names
    assert "ix_games_added_at" not in names


@pytest.mark.parametrize("path", ["known.pgn", "new.pgn"])
def test_tellings_of_files_are_found(sqlite_archive: Archive, path: str) -> None:
    """Without their index too: of files that are known by walking, of new ones by their games; none is there twice."""
    fill(sqlite_archive, [otb(), otb(Round="2")], "known.pgn")
    fill(sqlite_archive, [otb(Round="3")], "other.pgn")
    with sqlite_archive.writing() as connection:
        indexes.drop(connection, new_files=True)
    games = [otb(), otb(Round="3"), otb(), otb("Verdi, Luca")]
    taken = fill(sqlite_archive, games, path)
    first, again = ("unchanged", "unchanged") if path == "known.pgn" else ("added", "unchanged")
    assert [one.what for one in taken.outcomes] == [first, "added", again, "new"]
    assert [one.what for one in fill(sqlite_archive, games, path).outcomes] == ["unchanged"] * 4
    sqlite_archive.migrate()
    assert [one.what for one in fill(sqlite_archive, games, path).outcomes] == ["unchanged"] * 4
    assert list(verify(sqlite_archive)) == []


def test_what_is_there_twice(sqlite_archive: Archive) -> None:
    """If it ever were, its index is not built; that is said, and nothing else is kept from working."""
    fill(sqlite_archive, [otb(), otb(Round="2")])
    with sqlite_archive.writing() as connection:
        indexes.drop(connection, new_files=True)
        connection.exec_driver_sql("UPDATE tellings SET digest = zeroblob(16)")
    with capture_logs() as logged:
        sqlite_archive.migrate()
    assert [one["error"] for one in logged if "there twice" in one.get("error", "")]
    assert lacking(sqlite_archive) == ["uq_tellings_file"]
    assert len(fill(sqlite_archive, [otb(Round="5")]).outcomes) == 1
