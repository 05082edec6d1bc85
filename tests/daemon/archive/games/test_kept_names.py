"""Names that a later download leaves out: the game keeps the players who were named before."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from sqlalchemy import select

from core.game import Game
from daemon.archive.archive import Archive
from daemon.archive.games.kept_names import as_they_came, is_partly_nameless, name_again
from daemon.archive.games.prepared import prepare
from daemon.archive.games.telling import Download, FilePiece, Telling
from daemon.archive.tables.main import tellings
from daemon.edits.door import edit_game
from tests.daemon.made_up import RUY, otb
from tests.daemon.seeding import NOW, downloaded, fill, follow

BOARD = "broadcast/Round001/Board001"
FIDE_ID = {"WhiteFideId": "1234567", "WhiteElo": "2104"}


def board(
    white: str = "Rossi, Mario", black: str = "Bianchi, Gina", native_id: str = BOARD, **tags: str
) -> Game:
    """A board of a broadcast, as lichess tells it."""
    return replace(otb(white, black, **tags), source="lichess", native_id=native_id)


@pytest.fixture
def archive(sqlite_archive: Archive) -> Archive:
    """An archive that has downloaded the board, with its players."""
    account = follow(sqlite_archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    downloaded(sqlite_archive, account, [board(**FIDE_ID)])
    return sqlite_archive


def named(archive: Archive, *batch: Telling) -> Sequence[Telling]:
    with archive.reading() as connection:
        return name_again(connection, batch)


def download(game: Game) -> Telling:
    return Telling(prepare(game), Download(1))


def test_a_missing_name_stays(archive: Archive) -> None:
    """With it stays what belongs to it, and with both the identity of the game; moves and result are the new ones."""
    later = board("?", moves=f"{RUY} a6", result="0-1", WhiteTitle="FM")
    (one,) = named(archive, download(later))
    white = one.prepared.game.white
    assert (white.name, white.fide_id, white.rating, white.title) == ("Rossi, Mario", "1234567", 2104, "FM")
    assert (one.prepared.game.result, len(one.prepared.game.moves)) == ("0-1", 6)
    assert one.prepared.key == prepare(board(moves=f"{RUY} a6", result="0-1", **FIDE_ID)).key
    assert one.source == Download(1)


def test_both_names(archive: Archive) -> None:
    """Each side keeps its own name, and one that is given is the new one."""
    (neither, other) = named(archive, download(board("?", "?")), download(board("?", "Verdi, Luca")))
    assert [side.name for side in (neither.prepared.game.white, neither.prepared.game.black)] == [
        "Rossi, Mario",
        "Bianchi, Gina",
    ]
    assert [side.name for side in (other.prepared.game.white, other.prepared.game.black)] == [
        "Rossi, Mario",
        "Verdi, Luca",
    ]


def test_whose_names_are_not_known(archive: Archive) -> None:
    """A board that was not downloaded before, or a game of a file, stays without its name."""
    fill(archive, [board(native_id="broadcast/Round001/Board002", Round="2")])
    batch = [
        download(board("?", native_id="broadcast/Round001/Board002")),
        download(replace(board("?"), source="chesscom")),
        Telling(prepare(board("?")), FilePiece(1, 0)),
    ]
    assert named(archive, *batch, download(board("?")))[:3] == batch


def test_nothing_is_left_out(archive: Archive) -> None:
    """Where every name is given the batch is what it was."""
    batch = (download(board("Verdi, Luca")), Telling(prepare(otb("?")), FilePiece(1, 0)))
    with archive.reading() as connection:
        assert name_again(connection, batch) is batch


def test_before_the_edits(archive: Archive) -> None:
    """The name that stays is the one that the site gave, not the one that the user has given the player."""
    edit_game(archive, 1, {"white": "Rossini, Mario"}, now_ms=NOW)
    (one,) = named(archive, download(board("?")))
    assert one.prepared.game.white.name == "Rossi, Mario"


def test_what_tellings_were(archive: Archive) -> None:
    """By their ids, without edits; a telling of a game that is not there is left out."""
    fill(archive, [otb("Verdi, Luca")])
    edit_game(archive, 1, {"white": "Rossini, Mario"}, now_ms=NOW)
    its = select(tellings.c.id, tellings.c.game_id, tellings.c.told_key)
    with archive.reading() as connection:
        before = as_they_came(connection, connection.execute(its))
    assert {number: game.white.name for number, game in before.items()} == {
        1: "Rossi, Mario",
        2: "Verdi, Luca",
    }


@pytest.mark.parametrize(("white", "black"), [("?", "Bianchi, Gina"), ("Rossi, Mario", ""), ("?", "?")])
def test_partly_nameless(white: str, black: str) -> None:
    """A game is, if either name is missing."""
    assert is_partly_nameless(otb(white, black))
    assert not is_partly_nameless(otb("Rossi, Mario", "mrossi90"))
