"""Rows packed into bytes, and SQLite's view of them."""

import os
import shutil
import subprocess
import sys
from array import array
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.exc import DBAPIError, IntegrityError

from core.compiled import NEVER
from daemon.archive.archive import Archive
from daemon.archive.database import packed_rows
from daemon.archive.database.engine import sqlite_driver
from daemon.archive.database.packed_rows import FUNCTION, PackedRows, available, why_not
from daemon.archive.tables.main import games, tellings
from tests.daemon.seeding import fill, game_between, named
from tests.examples import FUZZING, examples

ROOT = Path(__file__).parents[4]
SOURCES = ROOT / "daemon/archive/database/native"
WANTED = os.environ.get("GAMEKEEPER_COMPILED")
compiled = pytest.mark.skipif(not available(), reason="SQLite does not take packed rows here")

Value = int | str | bytes | None
PLACES = 5
MAPS = [array("q", [11, 12, 13, 14, 15]), array("q", [-1, 2**62, 3, 4, 5])]
numbers = st.integers(-(2**63), 2**63 - 1)
texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40)
values = st.none() | numbers | texts | st.binary(max_size=40)


def packed(value: Value) -> bytes:
    """Any value."""
    match value:
        case None:
            return packed_rows.null()
        case int():
            return packed_rows.integer(value)
        case str():
            return packed_rows.text(value)
        case bytes():
            return packed_rows.blob(value)


@pytest.fixture(scope="module")
def connection() -> Iterator[Any]:
    """A connection of the driver that takes packed rows."""
    with closing(sqlite_driver().connect(":memory:", isolation_level=None)) as made:
        packed_rows._load(made)
        yield made


def selected(connection: Any, columns: str, rows: PackedRows) -> list[tuple[Value, ...]]:
    """What SQLite makes of them."""
    return list(connection.execute(f"SELECT {columns} FROM {FUNCTION}", rows.arguments))


def columns(count: int) -> str:
    return ", ".join(f"c{place}" for place in range(count))


def test_sqlite_takes_packed_rows_where_it_has_to() -> None:
    """CI says so; a build that fails would otherwise go unnoticed."""
    if WANTED == "require" or (os.environ.get("CI") == "true" and WANTED != NEVER):
        assert available(), why_not()
    assert available() == (why_not() is None)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (packed_rows.null(), "4e"),
        (packed_rows.integer(-2), "69 fe ff ff ff ff ff ff ff"),
        (packed_rows.text("é!"), "74 03 00 00 00 c3 a9 21"),
        (packed_rows.blob(b"\0\xff"), "62 02 00 00 00 00 ff"),
        (packed_rows.ref(1, 258), "72 01 02 01 00 00"),
        (packed_rows.record([b"N", b"N"]), "02 00 00 00 4e 4e"),
    ],
)
def test_a_value_is_packed_as_it_is_described(value: bytes, written: str) -> None:
    """Byte for byte: programs in C write and read the same."""
    assert value == bytes.fromhex(written)


def test_nothing_is_packed_as_nothing() -> None:
    """None of whatever type has no value."""
    made = {
        packed_rows.integer(None),
        packed_rows.text(None),
        packed_rows.blob(None),
        packed_rows.ref(0, None),
    }
    assert made == {packed_rows.null()}


@compiled
@given(rows=st.lists(st.lists(values, max_size=48), max_size=6))
@examples(300)
def test_every_value_comes_out_as_it_went_in(connection: Any, rows: Sequence[Sequence[Value]]) -> None:
    """Of every type; values that a record does not have are NULL."""
    records = b"".join(packed_rows.record(map(packed, row)) for row in rows)
    expected = [(*row, *[None] * (48 - len(row))) for row in rows]
    found = selected(connection, columns(48), PackedRows(records))
    assert found == expected
    assert [list(map(type, row)) for row in found] == [list(map(type, row)) for row in expected]


@compiled
@given(
    places=st.lists(st.tuples(st.sampled_from([0, 1]), st.integers(0, PLACES - 1)), min_size=1, max_size=9)
)
@examples(100)
def test_a_reference_is_looked_up_in_its_map(connection: Any, places: list[tuple[int, int]]) -> None:
    """The number at that place, whatever the order."""
    records = packed_rows.record(packed_rows.ref(which, place) for which, place in places)
    found = selected(connection, columns(len(places)), PackedRows(records, maps=MAPS))
    assert found == [tuple(MAPS[which][place] for which, place in places)]


@compiled
@given(rows=st.lists(st.tuples(numbers | st.just(0), numbers, numbers, numbers), max_size=9))
@examples(100)
def test_numbers_go_with_their_records(connection: Any, rows: list[tuple[int, ...]]) -> None:
    """By the place of the record; one whose first number is 0 is left out."""
    records = b"".join(packed_rows.record([packed_rows.integer(place)]) for place in range(len(rows)))
    arrays = [array("q", column) for column in zip(*rows, strict=True)] if rows else [array("q")] * 4
    found = selected(connection, "c0, number, a0, a1, a2, a3", PackedRows(records, arrays))
    assert found == [(place, place, *row) for place, row in enumerate(rows) if row[0]]


@compiled
def test_columns_without_an_argument_are_null(connection: Any) -> None:
    """Also the arguments themselves, which nobody has to read."""
    rows = PackedRows(packed_rows.record([b"N"]) * 2)
    assert selected(connection, "a0, a3, rows, n0, m1, rowid", rows) == [
        (None, None, None, None, None, number) for number in (0, 1)
    ]


@compiled
def test_what_is_not_bound_is_read_all_the_same(connection: Any) -> None:
    """Bytes that SQLite has made itself, which it may free: joined with each of several."""
    connection.execute("CREATE TEMP TABLE packs (n INTEGER PRIMARY KEY, pack BLOB)")
    some = [packed_rows.record([packed_rows.text(f"number {n}" * 50)]) for n in range(20)]
    connection.executemany("INSERT INTO packs VALUES (?, ?)", enumerate(some))
    joined = "SELECT n, c0 FROM packs JOIN packed_rows({}) ORDER BY n"
    stored = connection.execute(joined.format("pack")).fetchall()
    made = connection.execute(joined.format("CAST(pack || '' AS BLOB)")).fetchall()
    connection.execute("DROP TABLE packs")
    assert stored == made == [(n, f"number {n}" * 50) for n in range(20)]


GOOD = packed_rows.record([packed_rows.integer(1), packed_rows.text("Zürich"), packed_rows.blob(b"\0")])
REFERENCE = packed_rows.record([packed_rows.ref(0, 0)])


def one(*parts: bytes) -> PackedRows:
    """A record of these bytes, whatever they are."""
    return PackedRows(packed_rows.record(parts))


DAMAGED = {
    "half a length": PackedRows(GOOD + b"\1\0"),
    "longer than all": PackedRows(b"\xff\xff\xff\xff" + GOOD[4:]),
    "longer than the record": one(b"t\x09\0\0\0", b"short"),
    "enormous": one(b"b\xff\xff\xff\xff", b"short"),
    "half a number": one(b"i\0\0\0"),
    "half a text length": one(b"t\0\0"),
    "half a reference": one(b"r\0\0\0"),
    "a type without a meaning": one(b"x"),
    "NUL": one(packed_rows.text("a\0b")),
    "NUL among eight": one(packed_rows.text("abcdefg\0")),
    "half a surrogate pair": one(b"t\3\0\0\0\xed\xa0\x80"),
    "too long a code": one(b"t\2\0\0\0\xc0\x80"),
    "beyond Unicode": one(b"t\4\0\0\0\xf4\x90\x80\x80"),
    "half a sign": one(b"t\2\0\0\0a\xc3"),
    "a second half alone": one(b"t\2\0\0\0a\x83"),
    "49 values": one(b"N" * 49),
    "a place that is not in the map": PackedRows(packed_rows.record([packed_rows.ref(0, 5)]), maps=MAPS),
    "a map that is not there": PackedRows(packed_rows.record([packed_rows.ref(2, 0)]), maps=MAPS),
    "a map that is not given": PackedRows(REFERENCE),
    "a map without a number for it": PackedRows(REFERENCE, maps=[array("q", [0])]),
    "too few numbers": PackedRows(GOOD * 2, [array("q", [1])]),
    "too few second numbers": PackedRows(GOOD * 2, [array("q", [1, 1]), array("q", [1])]),
    "too many numbers": PackedRows(GOOD, [array("q", [1, 1])]),
    "half a number in an array": PackedRows(GOOD, [array("b", [1, 1])]),
    "no records": PackedRows(None),  # type: ignore[arg-type]
    "a text for records": PackedRows("records"),  # type: ignore[arg-type]
}


@compiled
@pytest.mark.parametrize("rows", DAMAGED.values(), ids=DAMAGED.keys())
def test_damage_is_an_error(connection: Any, rows: PackedRows) -> None:
    """Never a crash, and never a row of something else."""
    with pytest.raises(sqlite_driver().OperationalError, match="packed rows are damaged"):
        selected(connection, "*", rows)


@compiled
@given(
    rows=st.lists(st.lists(values, min_size=1, max_size=5), min_size=1, max_size=4),
    changes=st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), max_size=4),
    end=st.integers(0, 400),
)
@examples(500)
def test_damage_by_chance_does_no_harm(
    connection: Any, rows: Sequence[Sequence[Value]], changes: list[tuple[int, int]], end: int
) -> None:
    """Bytes changed, and all cut off somewhere: an error, or rows of values that all have a type."""
    records = bytearray().join(packed_rows.record([REFERENCE[4:], *map(packed, row)]) for row in rows)
    for place, byte in changes:
        records[place % len(records)] = byte
    try:
        found = selected(connection, "*", PackedRows(bytes(records[:end]), maps=MAPS))
    except sqlite_driver().OperationalError as error:
        assert "packed rows are damaged" in str(error)  # noqa: PT017 - it may also be none
    else:
        assert all(isinstance(value, int | str | bytes | None) for row in found for value in row)


@compiled
def test_views_of_a_file_cannot_use_it(connection: Any) -> None:
    """Only statements of our own."""
    connection.execute("CREATE VIEW packed AS SELECT * FROM packed_rows(x'')")
    with pytest.raises(sqlite_driver().OperationalError, match="unsafe use of virtual table"):
        connection.execute("SELECT * FROM packed")
    connection.execute("DROP VIEW packed")


@compiled
def test_no_other_extension_can_be_loaded_afterwards(connection: Any) -> None:
    """Neither by us nor by a statement."""
    with pytest.raises(sqlite_driver().OperationalError, match="not authorized"):
        connection.execute("SELECT load_extension(?, ?)", (str(packed_rows._BUILT), packed_rows._ENTRY))


def filled(archive: Archive) -> Archive:
    """An archive with games that have every column, and games that have few."""
    sides = named("Müller, Zoë", "1234567", rating=2100, title="FM", team="Torre"), "Rossi, Mario"
    more = {
        "event": "Open",
        "site": "Zürich",
        "round": "3",
        "eco": "C50",
        "opening": "Italian",
        "annotator": "Neri",
    }
    made = [game_between(*sides, f"2024.05.{day:02}", **more) for day in range(1, 9)]
    fill(archive, [*made, game_between("?", "Verdi", "????.??.??"), game_between("Verdi", "Rossi, Mario")])
    return archive


def rows_of(archive: Archive, table: str) -> list[tuple[Any, ...]]:
    with archive.reading() as connection:
        found = connection.exec_driver_sql(f"SELECT * FROM {table} ORDER BY id").all()
    return [tuple(row) for row in found]


@compiled
def test_an_archive_takes_games_and_tellings(sqlite_archive: Archive) -> None:
    """The rows are those that were there before, in every column and every index."""
    before = {table: rows_of(filled(sqlite_archive), table.name) for table in (games, tellings)}
    with sqlite_archive.writing() as connection:
        connection.exec_driver_sql("DELETE FROM tellings")
        connection.exec_driver_sql("DELETE FROM games")
        for table, rows in before.items():
            records = b"".join(packed_rows.record(map(packed, row[1:])) for row in rows)
            ids = array("q", [row[0] for row in rows])
            values = ", ".join(f":c{place}" for place in range(len(table.columns) - 1))
            statement = f"INSERT INTO {table.name} VALUES (:a0, {values})"
            assert packed_rows.insert(connection, statement, PackedRows(records, [ids])) == len(rows)
    assert {table: rows_of(sqlite_archive, table.name) for table in before} == before
    with sqlite_archive.reading() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []


@compiled
def test_rows_are_inserted_one_by_one(sqlite_archive: Archive) -> None:
    """With values of every type, of the record, of the arrays, and the same for all; again with the same statement."""
    statement = "INSERT INTO t VALUES (:a0, :c1, :c0, :c2, :c3, :c4, :a1, :a3, :p1, :p0)"
    values = [
        packed_rows.integer(1),
        packed_rows.text("Zürich"),
        packed_rows.blob(b""),
        packed_rows.ref(1, 2),
    ]
    ids = [array("q", [1, 0, 3]), array("q", [7, 8, 9])]
    with sqlite_archive.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c, d, e, f, g, h, i)")
        rows = PackedRows(packed_rows.record(values) * 3, ids, MAPS)
        assert packed_rows.insert(connection, statement, rows, ["x", 5]) == 2
        connection.exec_driver_sql("ALTER TABLE t ADD COLUMN j DEFAULT 'later'")
        more = PackedRows(packed_rows.record([packed_rows.null()]), [array("q", [4])])
        assert (
            packed_rows.insert(connection, statement.replace("t V", "t(id,a,b,c,d,e,f,g,h,i) V"), more) == 1
        )
        found = connection.exec_driver_sql("SELECT * FROM t").all()
    same = ("Zürich", 1, b"", 3, None)
    expected = [(1, *same, 7, None, 5, "x", "later"), (3, *same, 9, None, 5, "x", "later")]
    assert [tuple(row) for row in found] == [*expected, (4, *[None] * 9, "later")]


@compiled
@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("INSERT INTO t VALUES (:a0, :c1)", "UNIQUE constraint failed"),
        ("INSERT INTO t VALUES (:a0, :c48)", "damaged: their arguments"),
        ("INSERT INTO t VALUES (:a0, ?)", "damaged: their arguments"),
        ("INSERT INTO missing VALUES (:a0)", "no such table"),
        ("", "damaged: their arguments"),
    ],
)
def test_an_error_of_the_statement_is_the_error(connection: Any, statement: str, message: str) -> None:
    """As SQLite says it; nothing is in the way of closing the connection afterwards."""
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, value)")
    rows = PackedRows(GOOD * 2, [array("q", [1, 1])])
    given = {"statement": statement, "p0": None, "p1": None} | rows.arguments
    with pytest.raises(sqlite_driver().DatabaseError, match=message):
        connection.execute(packed_rows._INSERT, given)
    connection.execute("DROP TABLE t")


@compiled
def test_damage_ends_an_insertion(sqlite_archive: Archive) -> None:
    """The transaction is rolled back by the error, as every other one."""
    statement = "INSERT INTO texts VALUES (:a0, :c2, 'event', :c1, :c1)"
    rows = PackedRows(GOOD + b"\1", [array("q", [1, 2])])
    with (
        pytest.raises(DBAPIError, match="packed rows are damaged: record 1"),
        sqlite_archive.writing() as connection,
    ):
        packed_rows.insert(connection, statement, rows)
    assert rows_of(sqlite_archive, "texts") == []


@compiled
def test_a_reference_to_nothing_is_refused_by_the_archive(sqlite_archive: Archive) -> None:
    """Foreign keys hold as they do for every other row."""
    rows = PackedRows(GOOD, [array("q", [1])])
    statement = "INSERT INTO tellings (id, game_id, n, download, digest, pgn, has_comments, fetched_at) "
    with pytest.raises(IntegrityError, match="FOREIGN KEY"), sqlite_archive.writing() as connection:
        packed_rows.insert(connection, statement + "VALUES (:a0, 99, 1, 0, :c2, :c2, 0, 0)", rows)


@compiled
def test_a_connection_is_closed_although_it_keeps_statements(tmp_path: Path) -> None:
    """Those of the extension are ended with it: no file stays open."""
    path = tmp_path / "some.sqlite"
    with closing(sqlite_driver().connect(str(path), isolation_level=None)) as own:
        packed_rows._load(own)
        own.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, value)")
        for place in range(7):
            words = f"INSERT INTO t VALUES (:a0 + {place}, :c1)"
            given = {"statement": words, "p0": None, "p1": None} | PackedRows(
                GOOD, [array("q", [1])]
            ).arguments
            assert own.execute(packed_rows._INSERT, given).fetchall() == [(1,)]
        assert own.execute("SELECT count(*) FROM t").fetchone() == (7,)
    opened = [str(link.readlink()) for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
    assert str(path) not in opened


@compiled
def test_rows_go_into_a_table_without_a_stop_between(sqlite_archive: Archive) -> None:
    """SQLite makes no table of its own of them first."""
    names = {column.name: f"c{place}" for place, column in enumerate(games.columns)}
    statement = f"INSERT INTO games ({', '.join(names)}) SELECT {', '.join(names.values())} FROM {FUNCTION}"
    with sqlite_archive.writing() as connection:
        packed_rows.load(connection)
        steps = connection.exec_driver_sql(f"EXPLAIN {statement}", PackedRows(b"").arguments).all()
    codes = [step.opcode for step in steps]
    reading = codes[: codes.index("EndCoroutine")]
    assert set(reading) <= {
        *("Init", "InitCoroutine", "VOpen", "Variable", "Integer", "VFilter", "VColumn", "Yield", "VNext"),
    }
    assert codes.count("VFilter") == 1


def run(*command: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=cwd, env=os.environ | environment,
        timeout=3600 if FUZZING else 250,
    )  # fmt: skip


REASON = "from daemon.archive.database.packed_rows import why_not\nprint(why_not())"


def test_it_is_left_alone_where_it_is_said() -> None:
    """GAMEKEEPER_COMPILED=never."""
    ended = run(sys.executable, "-c", REASON, GAMEKEEPER_COMPILED=NEVER)
    assert ended.stdout == "GAMEKEEPER_COMPILED says never\n"


@compiled
@pytest.mark.parametrize("what", ["older", "missing", "broken"])
def test_one_that_cannot_be_used_is_not_used(tmp_path: Path, what: str) -> None:
    """A checkout was updated and not installed again, there was no compiler, or it was built for another machine."""
    for name in ("core", "daemon"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    built = tmp_path / "daemon/archive/database/_packed_rows.ext"
    assert run(sys.executable, "-c", REASON, cwd=tmp_path).stdout == "None\n"
    match what:
        case "older":
            os.utime(tmp_path / "daemon/archive/database/native/sqlite.h", (2e9, 2e9))
            reason = "older than their sources"
        case "missing":
            built.unlink()
            reason = "not compiled"
        case _:
            built.write_bytes(b"\x7fELF of another machine")
            os.utime(built, (2e9, 2e9))
            reason = str(built)
    assert reason in run(sys.executable, "-c", REASON, cwd=tmp_path).stdout
