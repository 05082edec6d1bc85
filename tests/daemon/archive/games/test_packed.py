"""Bytes of games that are damaged in the database."""

import sys
import zlib
from collections.abc import Callable
from typing import get_args

import pytest
from sqlalchemy import select, update
from sqlalchemy.sql.elements import ColumnElement

from core.players import Profile
from daemon.archive.archive import Archive, Connection
from daemon.archive.edits.rows import games_as_edited
from daemon.archive.errors import Damaged, GamesLeftOut
from daemon.archive.games.compression import decompress, dictionary
from daemon.archive.games.files import file_row
from daemon.archive.games.quarantine import QuarantineItem, put
from daemon.archive.games.reread import read_again
from daemon.archive.reading.export import game_pgn
from daemon.archive.reading.games import game, pgn
from daemon.archive.reading.quarantine import list_quarantined
from daemon.archive.reading.search.filters import GameFilters
from daemon.archive.rekey.run import rekey
from daemon.archive.tables.main import games, quarantine, tellings
from daemon.archive.verify.findings import Finding
from daemon.archive.verify.run import verify
from daemon.export import ExportFormat, ExportPart, export
from daemon.imports.retry import retry_all
from tests.daemon.seeding import NOW, fill, game_between

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


@pytest.mark.parametrize(
    "read",
    [
        lambda connection: game(connection, 2),
        lambda connection: pgn(connection, 2),
        lambda connection: pgn(connection, 2, 1),
        lambda connection: game_pgn(connection, 2),
    ],
    ids=["game", "pgn", "telling", "edited pgn"],
)
def test_who_reads_a_damaged_game_is_told_so(archive: Archive, read: Callable[[Connection], object]) -> None:
    """Which game it is, what it means and what helps; the games beside it can be read."""
    _damage_second(archive)
    with archive.reading() as connection:
        with pytest.raises(Damaged, match=r"the bytes of game 2 are damaged .*gamekeeper verify"):
            read(connection)
        assert game(connection, 1) is not None


@pytest.mark.parametrize("form", get_args(ExportFormat))
def test_an_export_goes_on(archive: Archive, form: ExportFormat) -> None:
    """All other games are out before it is told which one is left out, and what to do."""
    _damage_second(archive)
    fill(archive, [game_between("Neri, Paola", "Verdi, Gina")])
    parts: list[ExportPart] = []
    with pytest.raises(GamesLeftOut, match=r"^1 game is left out: the bytes of game 2 are damaged .*verify"):
        parts.extend(export(archive, GameFilters(), Profile(), form))
    content = b"".join(part.content for part in parts)
    assert (b"Bianchi, Anna" in content, b"Neri, Paola" in content) == (True, True)
    assert b"Rossi, Mario" in content
    assert b"Verdi, Gina" in content  # of the third
    assert parts[-1].games == 2


def test_moves_that_are_none(archive: Archive) -> None:
    """Moves that were not packed so leave their game out of a table, with its number and what to do."""
    _damage_second(archive, games.c.id, moves=b"odd")
    with pytest.raises(GamesLeftOut, match=r"the moves of game 2 are damaged .*gamekeeper verify"):
        list(export(archive, GameFilters(), Profile(), "csv"))
    assert b"Verdi, Gina" in b"".join(
        part.content for part in export(archive, GameFilters(), Profile(), "pgn")
    )


@pytest.mark.parametrize(
    "work", [lambda connection: games_as_edited(connection, [1, 2]), rekey], ids=["edit", "rekey"]
)
def test_whoever_needs_damaged_moves_is_told_so(
    archive: Archive, work: Callable[[Connection], object]
) -> None:
    """An edit, and making all keys again, end with which game it is and what helps; nothing is changed."""
    _damage_second(archive, games.c.id, moves=b"odd")
    with (
        pytest.raises(Damaged, match=r"the moves of game 2 are damaged .*gamekeeper verify"),
        archive.writing() as connection,
    ):
        work(connection)


def test_a_damaged_item_in_quarantine(archive: Archive) -> None:
    """The list of the quarantine goes on beside it, and so does trying everything again."""
    good = b'[White "Rossi"]\n[Black "Verdi"]\n\n1. e4 e5 1-0'
    with archive.writing() as connection:
        file = file_row(connection, "/x.pgn")
        items = [
            QuarantineItem(source="/x.pgn", raw=raw, reason="r", position=1, file_id=file.id, place=at)
            for at, raw in enumerate((b"1. e4 e5 x", good))
        ]
        put(connection, items, NOW)
        connection.execute(update(quarantine).where(quarantine.c.id == 1).values(raw=b"damaged"))
    with archive.reading() as connection:
        listed = list_quarantined(connection, limit=9)["items"]
    assert [(one["id"], one["line"]) for one in listed] == [(2, 1), (1, None)]
    retried = retry_all(archive)
    assert (retried.taken_in, retried.unreadable, retried.unknown) == ([2], [1], [])


def test_rows_of_earlier_versions(archive: Archive) -> None:
    """Bytes that an earlier version compressed with zlib are shown, exported, checked and read as those of today."""
    fill(
        archive, [game_between("Rossi, Mario", "Bianchi, Anna"), game_between("Rossi, Mario", "Verdi, Gina")]
    )
    with archive.writing() as connection:
        before = [pgn(connection, number) for number in (1, 2)]
        file = file_row(connection, "/x.pgn")
        unread = QuarantineItem(
            source="/x.pgn", raw=b"1. e4 e5 x", reason="r", position=1, file_id=file.id, place=0
        )
        put(connection, [unread], NOW)
        for number, packed in connection.execute(select(tellings.c.id, tellings.c.pgn)).all():
            old = zlib.compress(decompress(packed))
            connection.execute(update(tellings).where(tellings.c.id == number).values(pgn=old))
        connection.execute(update(quarantine).values(raw=zlib.compress(b"1. e4 e5 x")))
    with archive.reading() as connection:
        assert [pgn(connection, number) for number in (1, 2)] == before
        assert [one["line"] for one in list_quarantined(connection, limit=9)["items"]] == [1]
        assert all(again is not None for _, again in read_again(connection, [1, 2]))
    exported = b"".join(part.content for part in export(archive, GameFilters(), Profile(), "pgn"))
    assert (b"Bianchi, Anna" in exported, b"Verdi, Gina" in exported) == (True, True)
    assert [one for one in verify(archive) if isinstance(one, Finding)] == []


def test_rows_of_later_versions(archive: Archive) -> None:
    """Bytes that need a dictionary of a newer gamekeeper are not called damaged: the message says what to do."""
    fill(archive, [game_between("Rossi, Mario", "Bianchi, Anna")])
    content = dictionary(1).dict_content
    later = zstd.compress(b"1. e4 *", zstd_dict=zstd.ZstdDict(content[:4] + b"\x4d\0\0\0" + content[8:]))
    with archive.writing() as connection:
        connection.execute(update(tellings).values(pgn=later))
    with (
        archive.reading() as connection,
        pytest.raises(Damaged, match=r"of game 1 .* a newer gamekeeper .*; update"),
    ):
        pgn(connection, 1)
    (found,) = [one for one in verify(archive) if isinstance(one, Finding)]
    assert (found.where, found.help) == ("telling 1 of game 1", "update gamekeeper, and verify again")


def _damage_second(
    archive: Archive, column: ColumnElement[int] = tellings.c.game_id, **values: bytes
) -> None:
    fill(
        archive, [game_between("Rossi, Mario", "Bianchi, Anna"), game_between("Rossi, Mario", "Verdi, Gina")]
    )
    with archive.writing() as connection:
        connection.execute(
            update(games if values else tellings).where(column == 2).values(values or {"pgn": b"damaged"})
        )
