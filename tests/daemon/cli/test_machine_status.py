"""status: what it tells of this machine, and whether all is well."""

import shutil
from collections.abc import Callable
from pathlib import Path

from click.testing import Result
from sqlalchemy import update

from daemon.archive.archive import Archive
from daemon.archive.reading.folders import folders_read
from daemon.archive.tables.main import accounts, files
from tests.daemon.cli.conftest import CONFIG
from tests.daemon.cli.test_reading_commands import of
from tests.daemon.seeding import NOW, fill, game_between

Run = Callable[..., Result]


def test_folders_and_what_is_read_of_them(archive: Archive) -> None:
    """Files in a folder count, with those below; a folder whose name only begins so is another one."""
    for n, path in enumerate(("/pgn/a.pgn", "/pgn/b/c.zip!d.pgn", "/pgn-old/e.pgn", "/pgn_.pgn")):
        fill(archive, [game_between("Rossi, Mario", f"Gast, Nr{n}")], path)
    with archive.writing() as connection:
        connection.execute(update(files).where(files.c.path == "/pgn/a.pgn").values(imported_at=NOW))
    with archive.reading() as connection:
        found = folders_read(connection, ["/pgn", "/pgn-old/e.pgn", "/none"])
    assert [(one["files"], one["last_read"]) for one in found] == [
        (2, "2024-05-12T10:00:00Z"),
        (1, None),
        (0, None),
    ]


def test_all_is_well(run: Run) -> None:
    """Where nothing is wrong the last line says so; the size and the backups are told."""
    output = run("status").stdout
    assert output.splitlines()[-1] == "all well"
    assert " MB" in output
    assert "none on schedule" in output


def test_what_is_to_be_looked_at(run: Run, filled: Archive, config: Path) -> None:
    """An account's error whole, games in quarantine, a folder that is not there."""
    from daemon.archive.games.quarantine import QuarantineItem, put

    config.write_text(f'{CONFIG}\n[[pgn]]\npath = "{config.parent / "gone"}"\n')
    with filled.writing() as connection:
        error = "the account is closed on the site, as its profile says since yesterday"
        connection.execute(update(accounts).where(accounts.c.id == 1).values(state="closed", error=error))
        put(connection, [QuarantineItem(source="a.pgn", raw=b"1. e5\n", reason="illegal move")], NOW)
    *_, title, account, games, folder = run("status").stdout.splitlines()
    assert title == "to look at:"
    assert account == f"  lichess:mrossi90: {error}"
    assert "1 game could not be read: `gamekeeper quarantine list`" in games
    assert "gone ([[pgn]]) is not there" in folder


def test_what_a_deleted_archive_held_is_told(run: Run, config: Path) -> None:
    """The copy that was saved of it is named with what brings it back, as long as it lies there."""
    saved = config.parent / "data" / "gamekeeper.sqlite.before-deleted.20260512T100000Z"
    shutil.copy(config.parent / "data" / "gamekeeper.sqlite", saved)
    assert f"`gamekeeper restore {saved}` brings it back" in run("status").stdout
    assert of(run("status", "--json"))["beside"]["saved"] == [str(saved)]
    saved.unlink()
    assert run("status").stdout.splitlines()[-1] == "all well"


def test_backups_are_told(run: Run, config: Path) -> None:
    """When the last one was made, and when the next one is due."""
    config.write_text(f'{CONFIG}\n[backup]\nevery = "1d"\n')
    assert of(run("status", "--json"))["beside"]["backups"]["last"] is None
    run("backup")
    found = of(run("status", "--json"))["beside"]["backups"]
    assert found["last"] < found["next"]
    assert of(run("status", "--json"))["beside"]["bytes"] > 10_000
