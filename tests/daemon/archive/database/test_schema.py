"""The schema that migrations build, and the way there, on both databases."""

import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, create_engine, inspect, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from daemon.archive.archive import Archive, open_archive
from daemon.archive.database import new_ids
from daemon.archive.database.key_version import made_with
from daemon.archive.database.schema import CURRENT, Schema, known
from daemon.archive.errors import ArchiveError, Damaged, MigrationFailed, SchemaTooNew, SchemaTooOld
from daemon.archive.reading.search.values import known_values
from daemon.archive.sqlite import FileArchive
from daemon.archive.tables.main import metadata
from daemon.archive.tables.metadata import for_postgresql
from tests.daemon.conftest import run_sql

NEXT = '''
"""A revision of tomorrow."""

import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{head}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("players") as batch:
        batch.add_column(sa.Column("country", sa.Text()))
        batch.alter_column("kind", existing_type=sa.String(8), type_=sa.String(16), existing_nullable=False)
    {more}
'''


@pytest.fixture
def tomorrow(tmp_path: Path) -> Schema:
    """A schema with one revision more than ours."""
    return a_schema(tmp_path / "revisions")


def a_schema(folder: Path, more: str = "pass") -> Schema:
    folder.mkdir(exist_ok=True)
    (folder / "9999_tomorrow.py").write_text(NEXT.format(head=CURRENT.head, more=more))
    return Schema("9999", (*CURRENT.folders, folder))


def fill(archive: Archive) -> None:
    """A player with a word: a row and one that points to it."""
    with archive.writing() as connection:
        connection.exec_driver_sql(
            "INSERT INTO players (id, digest, key, kind, name, folded, verbatim) "
            "VALUES (1, 'd', 'nick:a', 'nickname', 'a', 'a', true)"
        )
        connection.exec_driver_sql(
            "INSERT INTO player_words (word, player_id, nickname) VALUES ('a', 1, true)"
        )


def counts(archive: Archive) -> Sequence[int]:
    with archive.reading() as connection:
        return [
            connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar_one()
            for name in ("players", "player_words")
        ]


# What Alembic cannot see on SQLite, the next test compares.
@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index")
@pytest.mark.filterwarnings("ignore:autogenerate skipping metadata-specified expression-based index")
def test_migrations_build_the_tables(archive: Archive) -> None:
    """Alembic finds no difference between what the migrations build and `tables/main.py`."""
    with archive.reading() as connection:
        context = MigrationContext.configure(
            connection,
            opts={"compare_type": True, "compare_server_default": True, "target_metadata": metadata},
        )
        assert compare_metadata(context, metadata) == []


def test_sqlite_statements(sqlite_path: Path) -> None:
    """On SQLite every statement of the schema is the very one that `tables/main.py` makes, collations and all."""
    dialect = sqlite.dialect()
    statements: list[CreateTable | CreateIndex] = []
    for table in metadata.sorted_tables:
        statements += [CreateTable(table), *map(CreateIndex, table.indexes)]
    expected = [str(statement.compile(dialect=dialect)) for statement in statements]
    connection = sqlite3.connect(sqlite_path)
    found = connection.execute(
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name <> 'alembic_version'"
    )
    assert sorted(map(plain, (row[0] for row in found))) == sorted(map(plain, expected))
    connection.close()


def test_partial_indexes_are_so_on_both() -> None:
    """The tables say it to SQLite; PostgreSQL, whose dialect is seldom loaded, hears the same."""
    for_postgresql()
    partial = [
        index
        for table in metadata.sorted_tables
        for index in table.indexes
        if index.kwargs.get("sqlite_where") is not None
    ]
    assert len(partial) > 10
    for index in partial:
        ends = {
            str(CreateIndex(index).compile(dialect=dialect.dialect())).partition(" WHERE ")[2]
            for dialect in (sqlite, postgresql)
        }
        assert len(ends) == 1, index.name


def plain(statement: str) -> tuple[str, ...]:
    """A statement's parts in any order of constraints, without how it is written."""
    one_line = " ".join(statement.replace('"', "").split())
    return tuple(sorted(part.strip(" )") for part in one_line.split(",")))


def described(connection: Connection) -> list[tuple[Any, ...]]:
    """Columns with types, defaults and collations, and indexes, as PostgreSQL itself tells them."""
    columns = connection.exec_driver_sql(
        "SELECT table_name, column_name, data_type, character_maximum_length, is_nullable, column_default, "
        "collation_name FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2"
    ).fetchall()
    indexes = connection.exec_driver_sql(
        "SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2"
    ).fetchall()
    keys = connection.exec_driver_sql(
        "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint "
        "WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2"
    ).fetchall()
    return [tuple(row) for row in (*columns, *indexes, *keys) if row[0] != "alembic_version"]


def test_postgresql_catalogue(postgresql_url: str, empty_database: str) -> None:
    """On PostgreSQL the catalogue is the same as after creating `tables/main.py` directly."""
    built = create_engine(empty_database)
    migrated = create_engine(postgresql_url)
    metadata.create_all(built)
    with built.connect() as one, migrated.connect() as other:
        assert described(one) == described(other)
        assert len(described(one)) > 150
    built.dispose()
    migrated.dispose()


def test_words_are_in_code_point_order(archive: Archive) -> None:
    """Both databases order words by code points, whatever their locale."""
    with archive.writing() as connection:
        connection.exec_driver_sql(
            "INSERT INTO players (id, digest, key, kind, name, folded, verbatim) VALUES (1,'d','k','person','n','n',false)"
        )
        for word in ("é", "z", "a", "_", "丁", "1", "B"):
            connection.execute(text("INSERT INTO player_words VALUES (:word, 1, false)"), {"word": word})
        found = connection.exec_driver_sql("SELECT word FROM player_words ORDER BY word").scalars().all()
    assert found == ["1", "B", "_", "a", "z", "é", "丁"]


def test_head_is_the_last_revision() -> None:
    """The head that is stated in the program is the last revision, and every revision leads to it."""
    scripts = {path.name.partition("_")[0] for folder in CURRENT.folders for path in folder.glob("[0-9]*.py")}
    assert known(CURRENT) == scripts
    assert max(scripts) == CURRENT.head


def test_again(archive: Archive) -> None:
    """Migrating an archive of today does nothing."""
    assert archive.migrate() is False


def test_new_file(tmp_path: Path) -> None:
    """A new archive is made with its folder, for its owner alone, and nothing is left over."""
    path = tmp_path / "a folder" / "archive ?#%.sqlite"
    with open_archive(path) as archive:
        assert archive.migrate() is True
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_left_over_of_a_killed_making(tmp_path: Path) -> None:
    """Half an archive that a killed process left is replaced; it never had the archive's name."""
    path = tmp_path / "archive.sqlite"
    path.with_name("archive.sqlite.new").write_bytes(b"half")
    with open_archive(path) as archive:
        assert archive.migrate() is True
    assert [file.name for file in tmp_path.iterdir()] == ["archive.sqlite"]


def test_reading_migrates_nothing(where: str, tomorrow: Schema) -> None:
    """An older archive is refused to readers as it is; what writes brings it to the new schema."""
    with open_archive(where, schema=tomorrow) as archive:
        with pytest.raises(SchemaTooOld, match="reading does not change it"):
            archive.require_readable()
        with archive.reading() as connection:
            assert (
                connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == CURRENT.head
            )
        archive.migrate()
        archive.require_readable()


def test_new_database(empty_database: str) -> None:
    """A new archive is made in an empty PostgreSQL database."""
    with open_archive(empty_database) as archive:
        assert archive.migrate() is True
        assert archive.migrate() is False


@pytest.mark.parametrize(
    "content", [b"", b"no database at all, " * 100, b"SQLite format 3\0" + b"\xff" * 5000]
)
def test_no_archive_is_never_replaced(tmp_path: Path, content: bytes) -> None:
    """A file that is not an archive is refused and left as it is."""
    path = tmp_path / "archive.sqlite"
    path.write_bytes(content)
    with open_archive(path) as archive, pytest.raises(Damaged, match=r"archive\.sqlite"):
        archive.migrate()
    assert path.read_bytes() == content


def test_somebody_elses_file(tmp_path: Path) -> None:
    """The database of another program is refused."""
    path = tmp_path / "archive.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE bookmarks (url)")
    connection.close()
    with open_archive(path) as archive, pytest.raises(ArchiveError, match="bookmarks"):
        archive.migrate()


def test_somebody_elses_tables(empty_database: str) -> None:
    """A PostgreSQL database with a table of one of our names is refused; other tables do no harm."""
    run_sql(empty_database, "CREATE TABLE bookmarks (url text)", "CREATE TABLE games (name text)")
    with open_archive(empty_database) as archive, pytest.raises(ArchiveError, match="games"):
        archive.migrate()
    run_sql(empty_database, "DROP TABLE games")
    with open_archive(empty_database) as archive:
        assert archive.migrate() is True


def test_encoding(postgresql_server: str) -> None:
    """A database that is not in UTF-8 is refused before anything is built."""
    run_sql(postgresql_server, "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with (
        open_archive(postgresql_server.replace("/postgres?", "/latin?")) as archive,
        pytest.raises(ArchiveError, match="LATIN1"),
    ):
        archive.migrate()
    run_sql(postgresql_server, "DROP DATABASE latin WITH (FORCE)")


def test_newer_schema(where: str) -> None:
    """An archive that a newer program wrote is neither migrated nor written to."""
    with open_archive(where) as archive:
        with archive.writing() as connection:
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = '7777'")
        with pytest.raises(SchemaTooNew, match=r"7777.*newer"):
            archive.migrate()
        with pytest.raises(SchemaTooNew, match="7777"), archive.writing():
            pass


def test_older_schema_is_not_written_to(where: str, tomorrow: Schema) -> None:
    """A program does not write into an archive that it has not migrated."""
    with open_archive(where, schema=tomorrow) as archive, pytest.raises(SchemaTooOld), archive.writing():
        pass


def test_unmigrated_database(empty_database: str) -> None:
    """A database without any archive in it is not written to."""
    with (
        open_archive(empty_database) as archive,
        pytest.raises(SchemaTooOld, match="not an archive yet"),
        archive.writing(),
    ):
        pass


def test_upgrade(where: str, tomorrow: Schema) -> None:
    """An older archive is brought to the newer schema, with every row, though a table is copied on the way."""
    with open_archive(where) as archive:
        fill(archive)
    with open_archive(where, schema=tomorrow) as archive:
        assert archive.migrate() is True
        assert counts(archive) == [1, 1]
        with archive.reading() as connection:
            assert "country" in {column["name"] for column in inspect(connection).get_columns("players")}
        with archive.writing() as connection, pytest.raises(Exception, match=r"(?i)foreign key"):
            connection.exec_driver_sql("INSERT INTO player_words VALUES ('b', 2, true)")


def test_backup_before_an_upgrade(sqlite_path: Path, tomorrow: Schema) -> None:
    """Before an SQLite file is migrated it is copied, and the copy is a whole archive of the old schema."""
    with open_archive(sqlite_path) as archive:
        fill(archive)
    with open_archive(sqlite_path, schema=tomorrow) as archive:
        assert isinstance(archive, FileArchive)
        archive.migrate()
        (backup,) = archive.backups()
    with open_archive(backup) as old:
        assert old.migrate() is False
        assert counts(old) == [1, 1]
        assert old.check() == []


def test_failed_upgrade(where: str, tmp_path: Path) -> None:
    """A migration that fails in the middle leaves the old schema and all rows."""
    broken = a_schema(tmp_path / "revisions", more='op.execute("SELECT * FROM nowhere")')
    with open_archive(where) as archive:
        fill(archive)
    with open_archive(where, schema=broken) as archive, pytest.raises(Exception, match="nowhere"):
        archive.migrate()
    with open_archive(where) as archive:
        assert archive.migrate() is False
        assert counts(archive) == [1, 1]
        with archive.reading() as connection:
            assert "country" not in {column["name"] for column in inspect(connection).get_columns("players")}


def test_rows_that_would_point_nowhere(sqlite_path: Path, tmp_path: Path) -> None:
    """SQLite keeps quiet about lost rows while foreign keys are off; the migration does not."""
    broken = a_schema(tmp_path / "revisions", more='op.execute("DELETE FROM players")')
    with open_archive(sqlite_path) as archive:
        fill(archive)
    with open_archive(sqlite_path, schema=broken) as archive, pytest.raises(MigrationFailed, match="1 row "):
        archive.migrate()
    with open_archive(sqlite_path) as archive:
        assert counts(archive) == [1, 1]


KILLED = """
    import sys
    from pathlib import Path
    from daemon.archive.archive import open_archive
    from daemon.archive.database.schema import CURRENT, Schema
    open_archive(sys.argv[1], schema=Schema("9999", (*CURRENT.folders, Path(sys.argv[2])))).migrate()
"""


def test_killed_upgrade(where: str, tmp_path: Path) -> None:
    """A migration that is killed leaves the old schema and all rows, and can be done again."""
    stop = tmp_path / "reached"
    a_schema(tmp_path / "slow", more=f"open({str(stop)!r}, 'w').close(); __import__('time').sleep(60)")
    with open_archive(where) as archive:
        fill(archive)
    victim = subprocess.Popen([sys.executable, "-c", textwrap.dedent(KILLED), where, str(tmp_path / "slow")])
    while not stop.exists():
        assert victim.poll() is None
        time.sleep(0.01)
    victim.send_signal(signal.SIGKILL)
    victim.wait()
    with open_archive(where) as archive:
        assert archive.migrate() is False
        assert counts(archive) == [1, 1]
        assert archive.check() == []
    with open_archive(where, schema=a_schema(tmp_path / "revisions")) as archive:
        assert archive.migrate() is True
        assert counts(archive) == [1, 1]


def test_two_make_an_archive_at_once(tmp_path: Path) -> None:
    """Several processes that find no archive make one, together."""
    path = tmp_path / "archive.sqlite"
    code = "import sys; from daemon.archive.archive import open_archive; open_archive(sys.argv[1]).migrate()"
    racing = [subprocess.Popen([sys.executable, "-c", code, str(path)]) for _ in range(2)]
    assert [process.wait() for process in racing] == [0, 0]
    with open_archive(path) as archive:
        assert archive.migrate() is False


def test_two_upgrade_at_once(where: str, tomorrow: Schema) -> None:
    """Several processes that find an older archive migrate it once."""
    with open_archive(where) as archive:
        fill(archive)
    racing = [
        subprocess.Popen([sys.executable, "-c", textwrap.dedent(KILLED), where, str(tomorrow.folders[-1])])
        for _ in range(2)
    ]
    assert [process.wait() for process in racing] == [0, 0]
    with open_archive(where, schema=tomorrow) as archive:
        assert counts(archive) == [1, 1]


def test_same_rules_for_names(where: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A newer Python or gamekeeper that folds alike is looked at once."""
    with open_archive(where) as archive:
        with archive.writing() as connection:
            connection.exec_driver_sql("UPDATE settings SET value = 'older' WHERE name = 'keys_made_with'")
        archive.migrate()
        with archive.reading() as connection:
            assert (
                connection.scalar(text("SELECT value FROM settings WHERE name = 'keys_made_with'"))
                == made_with()
            )
        assert capsys.readouterr().out == ""


def test_an_archive_of_the_first_schema(where: str, empty_database: str, tmp_path: Path) -> None:
    """Its rows are there afterwards, a board's game too, and numbers go on after those that were given."""
    old = str(tmp_path / "old.sqlite") if "://" not in where else empty_database
    with open_archive(old, schema=Schema("0001")) as archive:
        archive.migrate()
        with archive.writing() as connection:
            for statement in (
                "INSERT INTO rounds (id, kind, source, started_at, quarantined) VALUES (3, 'import', 'a', 0, 5)",
                "INSERT INTO settings (name, value) VALUES ('doubles_looked_at', '9')",
                "INSERT INTO club_tournaments VALUES (1, 'w', 'W', 'W', 'keizer', '{}', '{}', '', '', '', '', 0)",
                "INSERT INTO club_rounds (tournament_id, n, state) VALUES (1, 1, 'complete')",
                (
                    "INSERT INTO players (id, digest, key, kind, name, folded, verbatim)"
                    " VALUES (1, 'd', 'nick:a', 'nickname', 'a', 'a', true)"
                ),
                (
                    "INSERT INTO games (id, key, white_id, black_id, white_name, black_name, date, result, variant,"
                    " start, moves, ply_count, online, added_at, eco, white_title)"
                    " VALUES (7, 'k', 1, 1, 'a', 'a', '2024', '*', 'standard', '', '', 0, false, 0, 'B90', 'GM')"
                ),
                (
                    "INSERT INTO accounts (id, key, site, handle, display, every) VALUES (2, 'a', 'lichess', 'a', 'a', 1)"
                ),
                (
                    "INSERT INTO tellings (id, game_id, n, download, site, native_id, digest, pgn, has_comments, fetched_at)"
                    " VALUES (4, 7, 1, true, 'lichess', 'x', 'd', 'p', false, 0)"
                ),
                "INSERT INTO telling_accounts VALUES (2, 4)",
                (
                    "INSERT INTO club_members (id, tournament_id, n, player_id, written, rating, joined)"
                    " VALUES (1, 1, 1, 1, 'a', 1500, 1)"
                ),
                (
                    "INSERT INTO club_pairings (tournament_id, n, board, white_id, black_id, why, why_colours, game_id)"
                    " VALUES (1, 1, 1, 1, 1, '', '', 7)"
                ),
            ):
                connection.exec_driver_sql(statement)
    with open_archive(old) as archive:
        assert archive.migrate()
        with archive.writing() as connection:
            assert connection.exec_driver_sql("SELECT game_id FROM club_pairings").scalar_one() == 7
            led = connection.execute(text("SELECT account_id, telling_id, game_id FROM telling_accounts"))
            assert led.all() == [(2, 4, 7)]
            first = {
                name: new_ids.first_free(connection, metadata.tables[name])
                for name in ("rounds", "quarantine")
            }
            assert first == {"rounds": 4, "quarantine": 6}
            assert new_ids.first_free(connection, metadata.tables["near_doubles"]) > 1000
            assert known_values(connection, metadata.tables["games"].c.eco) == ["B90"]
