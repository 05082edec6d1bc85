"""Files, rounds and quarantine, on both databases."""

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

from sqlalchemy import select

from daemon import paths
from daemon.archive.archive import Archive, open_archive
from daemon.archive.games import quarantine
from daemon.archive.games.counts import Counts
from daemon.archive.games.files import FileRow, file_row, find_file, path_of, record_file
from daemon.archive.games.quarantine import QuarantineItem
from daemon.archive.schedule.rounds import (
    KEPT_MS,
    add_counts,
    begin_round,
    end_left_over,
    end_round,
    forget_uneventful,
)
from daemon.archive.tables.main import rounds
from tests.daemon.seeding import in_quarantine

NOW = 1_700_000_000_000


def test_file(archive: Archive) -> None:
    """A file is known by its path, and what it was like at its last complete import."""
    with archive.writing() as connection:
        assert find_file(connection, "/chess/a.pgn") is None
        row = file_row(connection, Path("/chess/a.pgn"))
        assert row == FileRow(1, "/chess/a.pgn", None, None, None, None)
        record_file(connection, row.id, size=7, modified_ns=8, content=b"c" * 16, now_ms=NOW)
        assert file_row(connection, "/chess/a.pgn") == FileRow(1, "/chess/a.pgn", 7, 8, b"c" * 16, NOW)
        assert file_row(connection, "/chess/b.zip/b.pgn").id == 2
        assert path_of(connection, 2) == "/chess/b.zip/b.pgn"


def test_file_names_that_are_no_text(archive: Archive) -> None:
    """Two names that are not UTF-8 are two files, and can be shown."""
    names = [os.fsdecode(b"/chess/Ren\xe9.pgn"), os.fsdecode(b"/chess/Ren\xe8.pgn"), "/chess/René.pgn"]
    with archive.writing() as connection:
        assert [file_row(connection, name).id for name in names] == [1, 2, 3]
        assert [file_row(connection, name).id for name in names] == [1, 2, 3]
    assert paths.shown(names[0]) == r"/chess/Ren\xe9.pgn"


def test_round(archive: Archive) -> None:
    """A round counts batch by batch, and ends with an outcome."""
    with archive.writing() as connection:
        number = begin_round(connection, "import", "/chess", None, NOW)
        add_counts(connection, number, Counts(read=3, new=2, unchanged=1))
        add_counts(
            connection, number, Counts(read=1, quarantined=1, left_out=4, collapsed=1, refreshed=1, added=1)
        )
        add_counts(connection, number, Counts())
        end_round(connection, number, "incomplete", "one file\0 broken", NOW + 5)
        row = connection.execute(select(rounds)).one()
    assert (row.kind, row.source, row.account_id, row.started_at, row.ended_at) == (
        "import",
        "/chess",
        None,
        NOW,
        NOW + 5,
    )
    assert (row.outcome, row.error) == ("incomplete", "one file\ufffd broken")
    assert (row.read, row.new, row.unchanged, row.quarantined, row.left_out) == (4, 2, 1, 1, 4)
    assert (row.collapsed, row.refreshed, row.added) == (1, 1, 1)


def outcomes(archive: Archive) -> list[str | None]:
    with archive.reading() as connection:
        return list(connection.scalars(select(rounds.c.outcome).order_by(rounds.c.id)))


def test_rounds_of_killed_programs(archive: Archive) -> None:
    """Syncs and imports that killed programs left open are ended, imports only if none can be running."""
    with archive.writing() as connection:
        for kind in ("sync", "import", "sync"):
            begin_round(connection, kind, "x", None, NOW)
        end_round(connection, 1, "done", None, NOW)
        assert end_left_over(connection, NOW + 1, imports=False) == 1
    assert outcomes(archive) == ["done", None, "stopped"]
    with archive.writing() as connection:
        assert end_left_over(connection, NOW + 2, imports=True) == 1
    assert outcomes(archive) == ["done", "stopped", "stopped"]


def test_imports_are_seen(where: str) -> None:
    """Whether an import runs is seen from everywhere; several may."""
    with open_archive(where) as archive, open_archive(where) as other:
        with archive.no_imports() as none:
            assert none
        with archive.importing(), other.importing(), other.no_imports() as none:
            assert not none
        with archive.importing(), other.no_imports() as none:
            assert not none
        with other.no_imports() as none:
            assert none


IMPORT = """
    import sys, time
    from daemon.archive.archive import open_archive
    with open_archive(sys.argv[1]).importing():
        print("importing", flush=True)
        time.sleep(60)
"""


def test_import_that_is_killed(where: str) -> None:
    """An import that is killed is seen no more."""
    command = [sys.executable, "-c", textwrap.dedent(IMPORT), where]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as importer, open_archive(where) as archive:
        assert importer.stdout is not None
        assert importer.stdout.readline() == b"importing\n"
        with archive.no_imports() as none:
            assert not none
        importer.kill()
        importer.wait()
        until = time.monotonic() + 30
        while not (seen_none := _none(archive)) and time.monotonic() < until:
            time.sleep(0.05)  # a server needs a moment to see that its client is gone
        assert seen_none


def _none(archive: Archive) -> bool:
    with archive.no_imports() as none:
        return none


def item(raw: bytes, source: str = "/chess/a.pgn", reason: str = "no such move") -> QuarantineItem:
    return QuarantineItem(
        source=source, raw=raw, reason=reason, position=3, place=100, url="https://example.org/1"
    )


def test_quarantine(archive: Archive) -> None:
    """What could not be read is kept byte for byte, once for each source."""
    raws = [b"1. e4 e9\n", bytes(range(256)), b""]
    with archive.writing() as connection:
        assert quarantine.is_empty(connection)
        quarantine.put(connection, [item(raw) for raw in raws], NOW)
        quarantine.put(connection, [item(raws[0], "lichess:mrossi90"), item(raws[0]), item(raws[0])], NOW + 1)
        kept = in_quarantine(connection)
        assert [one.item.raw for one in kept] == [*raws, raws[0]]
        assert [(one.id, one.seen, one.first_seen, one.last_seen) for one in kept][:2] == [
            (1, 2, NOW, NOW + 1),
            (2, 1, NOW, NOW),
        ]
        assert kept[0].item == item(raws[0])
        assert quarantine.count(connection) == 4
        assert quarantine.get(connection, 2) == kept[1]
        assert quarantine.get(connection, 99) is None


def test_reason_of_today(archive: Archive) -> None:
    """An item that is seen again has the reason that is found today."""
    with archive.writing() as connection:
        quarantine.put(connection, [item(b"x", reason="no such move")], NOW)
        quarantine.put(connection, [item(b"x", reason="no such square")], NOW)
        assert [one.item.reason for one in in_quarantine(connection)] == ["no such square"]


def test_drop(archive: Archive) -> None:
    """Items are taken out by their ids."""
    with archive.writing() as connection:
        quarantine.put(connection, [item(b"x"), item(b"y")], NOW)
        assert quarantine.drop(connection, [1, 99]) == 1
        assert [one.id for one in in_quarantine(connection)] == [2]


def test_hostile_texts_in_quarantine(archive: Archive) -> None:
    """What no database holds is shown with replacement signs; the bytes stay as they were."""
    odd = QuarantineItem(
        source="lichess:a\0b", raw=b"\0\xff", reason="odd \udc80", site="x" * 99, native_id="\0", url="\ud800"
    )
    with archive.writing() as connection:
        quarantine.put(connection, [odd, odd], NOW)
        quarantine.put(connection, [odd], NOW)
        (kept,) = in_quarantine(connection)
    assert (kept.item.source, kept.item.raw, kept.item.reason, kept.seen) == (
        "lichess:a\ufffdb",
        b"\0\xff",
        "odd ?",
        2,
    )


def test_rounds_without_news_are_forgotten_and_no_other(archive: Archive) -> None:
    """What brought something, went wrong, is young or still runs stays; the last id is never given again."""
    with archive.writing() as connection:
        for new, outcome, error, ended in (
            (0, "done", None, NOW),
            (1, "done", None, NOW),
            (0, "incomplete", "broke off", NOW),
            (0, "done", "belongs to another account now", NOW),
            (0, "done", None, NOW + KEPT_MS),
            (0, "done", None, NOW),
        ):
            number = begin_round(connection, "sync", "lichess:mrossi90", None, NOW)
            add_counts(connection, number, Counts(new=new, read=7, unchanged=7 - new))
            end_round(connection, number, outcome, error, ended)  # type: ignore[arg-type] # a Literal through a tuple
        running = begin_round(connection, "sync", "lichess:bianchil", None, NOW)

        assert forget_uneventful(connection, NOW + KEPT_MS + 1) == 2
        assert connection.scalars(select(rounds.c.id).order_by(rounds.c.id)).all() == [2, 3, 4, 5, running]


def test_the_number_of_a_forgotten_round_is_not_given_again(archive: Archive) -> None:
    """Numbers are never given twice, not even that of the newest round."""
    with archive.writing() as connection:
        end_round(
            connection, begin_round(connection, "sync", "lichess:mrossi90", None, NOW), "done", None, NOW
        )
        assert forget_uneventful(connection, NOW + 2 * KEPT_MS) == 1
        assert begin_round(connection, "sync", "lichess:mrossi90", None, NOW) == 2
