"""What a batch becomes with the user's edits, before it is decided what of it is new."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.game import Game
from daemon.archive.archive import Archive
from daemon.archive.edits.batch_overlay import lay_edits
from daemon.archive.games.prepared import prepare
from daemon.archive.games.source_games import from_rows
from daemon.archive.games.telling import Download, FilePiece, Telling
from daemon.edits.door import edit_game, undo
from tests.daemon.made_up import ITALIAN, RUY, chesscom, lichess, otb
from tests.daemon.seeding import NOW, downloaded, fill, follow

EDIT = {"event": "Open"}
UUID = "5c1d7e9a-0000-11ee-8000-000000000001"


@pytest.fixture
def account(sqlite_archive: Archive) -> int:
    return follow(sqlite_archive, ["lichess:mrossi90"])["lichess:mrossi90"]


def download(game: Game) -> Telling:
    return Telling(prepare(game), Download(1))


def laid(archive: Archive, *batch: Telling) -> Sequence[Telling]:
    with archive.writing() as connection:
        return lay_edits(connection, archive.known, batch, NOW)


def events(batch: Sequence[Telling]) -> list[str | None]:
    return [one.prepared.game.event for one in batch]


def test_nothing_is_edited(sqlite_archive: Archive) -> None:
    """Then the batch is what it was."""
    fill(sqlite_archive, [otb()])
    batch = [Telling(prepare(otb()), FilePiece(1, 0))]
    with sqlite_archive.writing() as connection:
        assert lay_edits(connection, sqlite_archive.known, batch, NOW) is batch


def test_whatever_gives_the_game(sqlite_archive: Archive, account: int) -> None:
    """A telling of any source that gives an edited game has the edits; where it is from stays."""
    downloaded(sqlite_archive, account, [lichess()])
    edit_game(sqlite_archive, 1, EDIT, now_ms=NOW)
    batch = [Telling(prepare(lichess()), FilePiece(7, 3)), download(lichess("hgfedcba", ITALIAN))]
    found = laid(sqlite_archive, *batch)
    assert events(found) == ["Open", "Rated blitz game"]
    assert [one.source for one in found] == [FilePiece(7, 3), Download(1)]


@pytest.mark.parametrize(
    "now", [chesscom(123, ITALIAN, uuid=UUID), replace(chesscom(123, ITALIAN), native_id=UUID)]
)
def test_a_download_that_gives_another_game(sqlite_archive: Archive, account: int, now: Game) -> None:
    """Known by any of its ids, it has the edits of what it gave before; undone, they are undone for both."""
    downloaded(sqlite_archive, account, [chesscom(123, RUY, uuid=UUID)])
    edit_game(sqlite_archive, 1, EDIT, now_ms=NOW)
    assert events(laid(sqlite_archive, download(now))) == ["Open"]
    assert events(laid(sqlite_archive, download(chesscom(124, ITALIAN)))) == ["Open"]
    undo(sqlite_archive, [1], now_ms=NOW)
    assert events(laid(sqlite_archive, download(now))) == ["Live Chess"]


def test_another_download(sqlite_archive: Archive, account: int) -> None:
    """A download of another id, or a file's game with this id, has no edits but those of the game that it gives."""
    downloaded(sqlite_archive, account, [lichess()])
    edit_game(sqlite_archive, 1, EDIT, now_ms=NOW)
    piece = Telling(prepare(lichess(moves=ITALIAN)), FilePiece(7, 3))
    assert (
        events(laid(sqlite_archive, download(lichess("hgfedcba", ITALIAN)), piece))
        == ["Rated blitz game"] * 2
    )


def test_bytes_that_are_read_in_another_encoding(sqlite_archive: Archive) -> None:
    """The same bytes of the same file that give other names now have the edits of what they gave before."""
    raw = otb().raw.replace(b"Rossi", b"Ross\xec")
    fill(sqlite_archive, [replace(otb("Rossì, Mario"), raw=raw)])
    edit_game(sqlite_archive, 1, EDIT, now_ms=NOW)
    now = prepare(replace(otb("Rossý, Mario"), raw=raw, encoding="cp850"))
    assert events(laid(sqlite_archive, Telling(now, FilePiece(2, 0)))) == ["Club Championship"]
    assert events(laid(sqlite_archive, Telling(now, FilePiece(1, 0)))) == ["Open"]


def test_the_game_that_it_gives_now_is_there(sqlite_archive: Archive, account: int) -> None:
    """It is edited as well then: all that give one game have the same edits."""
    fill(sqlite_archive, [otb("mrossi90", "gbianchi", ITALIAN)])
    downloaded(sqlite_archive, account, [lichess()])
    edit_game(sqlite_archive, 2, EDIT, now_ms=NOW)
    laid(sqlite_archive, download(lichess(moves=ITALIAN)))
    with sqlite_archive.reading() as connection:
        assert {number: one.game.event for number, one in from_rows(connection, [1, 2]).items()} == {
            1: "Open",
            2: "Open",
        }
