"""A batch that is decided is written, with all that follows from the user's edits."""

from typing import Any

import pytest
from sqlalchemy import select

from core.game import Game
from daemon.archive.archive import Archive
from daemon.archive.edits.batch_overlay import lay_edits
from daemon.archive.edits.batch_store import store_batch
from daemon.archive.games import source_games
from daemon.archive.games.batch_rows import first_new_ids, shelf_for
from daemon.archive.games.decisions import Decider, Outcome
from daemon.archive.games.files import file_row
from daemon.archive.games.prepared import prepare
from daemon.archive.games.source_games import SourceGame
from daemon.archive.games.telling import Download, FilePiece, Telling
from daemon.archive.reading.games import games_by_id
from daemon.archive.tables.edits import told_games
from daemon.archive.tables.main import games
from daemon.edits.door import edit_game, undo
from tests.daemon.made_up import ITALIAN, RUY, lichess, otb
from tests.daemon.merging import say_same
from tests.daemon.seeding import NOW, downloaded, fill, follow

LATER = NOW + 5
LONG = f"{RUY} a6 4. Ba4"


@pytest.fixture
def account(sqlite_archive: Archive) -> int:
    return follow(sqlite_archive, ["lichess:mrossi90"])["lichess:mrossi90"]


def key(game: Game) -> bytes:
    return prepare(game).key


def stored(archive: Archive, *batch: Telling) -> list[Outcome]:
    """Decide and write a batch, as an intake does."""
    with archive.writing() as connection:
        file_row(connection, "club.pgn")
        edited = lay_edits(connection, archive.known, batch, LATER)
        decider = Decider(shelf_for(connection, edited), *first_new_ids(connection))
        outcomes = [decider.decide(one) for one in edited]
        store_batch(connection, archive.known, decider.changes, LATER)
        return outcomes


def piece(game: Game) -> Telling:
    return Telling(prepare(game), FilePiece(1, 0))


def download(game: Game) -> Telling:
    return Telling(prepare(game), Download(1))


def kept(archive: Archive) -> dict[bytes, SourceGame]:
    with archive.reading() as connection:
        return source_games.load(connection, list(connection.scalars(select(told_games.c.key))))


def facts(archive: Archive, *names: str) -> list[tuple[Any, ...]]:
    with archive.reading() as connection:
        found = connection.execute(select(*(games.c[name] for name in names)).order_by(games.c.id))
        return [tuple(row) for row in found]


def test_without_edits(sqlite_archive: Archive) -> None:
    """Games are written, and nothing is kept beside them."""
    stored(sqlite_archive, piece(otb()), piece(otb(Annotator="Neri")))
    assert (facts(sqlite_archive, "id", "last_n", "added_at"), kept(sqlite_archive)) == ([(1, 2, LATER)], {})


def test_the_first_telling_says_what_is_kept(sqlite_archive: Archive, account: int) -> None:
    """When it is told otherwise, what is kept of an edited game is the new; when it was added and its id stay."""
    downloaded(sqlite_archive, account, [lichess(Termination="Normal")])
    edit_game(sqlite_archive, 1, {"white": "Verdi, Luca"}, now_ms=NOW)
    stored(
        sqlite_archive, download(lichess(Termination="Time forfeit")), piece(lichess(Termination="a file's"))
    )
    (one,) = kept(sqlite_archive).values()
    assert (one.game.termination, one.game.white.name) == ("Time forfeit", "mrossi90")
    assert (one.added_at, one.home_id) == (NOW, 1)
    assert facts(sqlite_archive, "white_name", "termination") == [("Verdi, Luca", "Time forfeit")]


def test_another_game_now(sqlite_archive: Archive, account: int) -> None:
    """What nobody gives any more is kept no longer, and its place is that of what is given now."""
    downloaded(sqlite_archive, account, [lichess()])
    edit_game(sqlite_archive, 1, {"white": "Verdi, Luca"}, now_ms=NOW)
    stored(sqlite_archive, download(lichess(moves=ITALIAN)))
    assert list(kept(sqlite_archive)) == [key(lichess(moves=ITALIAN))]
    (one,) = kept(sqlite_archive).values()
    assert (one.home_id, one.added_at) == (1, NOW)
    assert facts(sqlite_archive, "id", "white_name", "added_at") == [(1, "Verdi, Luca", NOW)]


def test_the_next_telling_counts(sqlite_archive: Archive, account: int) -> None:
    """Where the first telling has left an edited game, what is kept of it is what the next one gives."""
    downloaded(sqlite_archive, account, [lichess(Annotator="Bo")])
    fill(sqlite_archive, [lichess(Annotator="Neri")])
    edit_game(sqlite_archive, 1, {"white": "Verdi, Luca"}, now_ms=NOW)
    stored(sqlite_archive, download(lichess(moves=ITALIAN)))
    assert {one.key: one.game.annotator for one in kept(sqlite_archive).values()} == {
        key(lichess()): "Neri",
        key(lichess(moves=ITALIAN)): None,
    }
    assert facts(sqlite_archive, "annotator", "white_name") == [
        ("Neri", "Verdi, Luca"),
        (None, "Verdi, Luca"),
    ]


def test_games_that_are_one_are_filled_up(sqlite_archive: Archive, account: int) -> None:
    """Of several source games that are one, another may be the fullest after the batch; the outcome names the game."""
    fill(sqlite_archive, [otb("mrossi90", "gbianchi", result="*")])
    downloaded(sqlite_archive, account, [lichess(moves="1. e4", result="*")])
    say_same(sqlite_archive, 1, 2)
    (outcome,) = stored(sqlite_archive, download(lichess(moves=LONG, result="0-1")))
    assert facts(sqlite_archive, "id", "ply_count", "result") == [(1, 7, "0-1")]
    assert (outcome.game_id, outcome.stored.n) == (1, 2)
    undo(sqlite_archive, [1], now_ms=NOW)
    assert facts(sqlite_archive, "id", "ply_count", "added_at") == [(1, 5, NOW), (2, 7, NOW)]


def test_an_undone_event_is_gone_from_what_a_download_has_become(
    sqlite_archive: Archive, account: int
) -> None:
    """An edit that leaves a game its key is undone in the game that its first telling has become since, too."""
    downloaded(sqlite_archive, account, [lichess(Annotator="Bo")])
    fill(sqlite_archive, [lichess(Annotator="Neri")])
    (before,) = {one.event for one in (lichess(), lichess(moves=ITALIAN))}
    edit_game(sqlite_archive, 1, {"event": "Open"}, now_ms=NOW)
    stored(sqlite_archive, download(lichess(moves=ITALIAN)))
    assert events(sqlite_archive) == ["Open", "Open"]
    undo(sqlite_archive, [1], now_ms=NOW)
    assert events(sqlite_archive) == [before, before]


def events(archive: Archive) -> list[str | None]:
    with archive.reading() as connection:
        return [row["event"] for row in games_by_id(connection, [1, 2])]
