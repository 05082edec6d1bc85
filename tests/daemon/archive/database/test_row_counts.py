"""Rows counted for SQLite's planner, so that it plans for an archive that will grow."""

from sqlalchemy import Connection, select

from daemon.archive.archive import Archive
from daemon.archive.database.row_counts import FEWEST, count_rows
from daemon.archive.tables.main import games
from tests.daemon.seeding import fill, game_between


def counted(connection: Connection) -> dict[str, str]:
    """What SQLite has counted, by index."""
    its = connection.exec_driver_sql("SELECT idx, stat FROM sqlite_stat1 WHERE idx IS NOT NULL")
    return {row.idx: row.stat for row in its}


def test_a_small_archive_is_planned_for_as_a_large_one(sqlite_archive: Archive) -> None:
    """The number of rows is at least `FEWEST`; how many of them have one key stays as counted."""
    fill(sqlite_archive, [game_between("Rossi, Mario", f"Verdi, {n}", event="Open") for n in range(12)])
    for _ in range(2):
        with sqlite_archive.writing() as connection:
            count_rows(connection)
            found = counted(connection)
    assert found["sqlite_autoindex_games_1"] == f"{FEWEST} 1"
    assert found["ix_games_white_id_date"] == f"{FEWEST} 12 12 1 1"


def test_what_is_asked_for_is_looked_up(sqlite_archive: Archive) -> None:
    """Even if the archive was counted with one game, and is asked for hundreds, by a connection that was open before."""
    wanted = select(games.c.id).where(games.c.key.in_([bytes([n] * 16) for n in range(1, 128)]))
    fill(sqlite_archive, [game_between("Rossi, Mario", "Verdi, Luca")])
    with sqlite_archive.reading() as connection:
        connection.execute(wanted)
    sqlite_archive.optimize()
    with sqlite_archive.reading() as connection:
        compiled = wanted.compile(connection, compile_kwargs={"literal_binds": True})
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}").scalars("detail").all()
    assert plan == ["SEARCH games USING COVERING INDEX sqlite_autoindex_games_1 (key=?)"]


def test_nothing_to_count(sqlite_archive: Archive) -> None:
    """An archive without games has no counts, and SQLite believes that it is large."""
    sqlite_archive.optimize()
    fill(sqlite_archive, [game_between("Rossi, Mario", "Verdi, Luca")])
    assert fill(sqlite_archive, [game_between("Rossi, Mario", "Verdi, Luca")]).unchanged == 1
