"""A game's row with the names of its players and its texts, and the game that it is."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.game import Game, Side
from daemon.archive.archive import Archive
from daemon.archive.errors import Damaged
from daemon.archive.games import game_rows
from daemon.archive.tables.main import games
from tests.daemon.made_up import ITALIAN, RUY, lichess, otb
from tests.daemon.seeding import downloaded, fill, follow


def stored(archive: Archive, number: int = 1) -> Game:
    with archive.reading() as connection:
        return game_rows.game_of(game_rows.rows_of(connection, [number])[number])


def stored_facts(game: Game) -> Game:
    """The game without what belongs to its telling alone."""
    return replace(game, source=None, native_id=None, url=None, tags=(), raw=b"", oddities=(), encoding=None)


def test_every_fact_comes_back(sqlite_archive: Archive) -> None:
    """What a source says of a game over the board is what its row says."""
    game = otb(
        "ROSSI,Mario",
        WhiteElo="2500",
        WhiteTitle="GM",
        WhiteTeam="Torino",
        BlackFideId="1234567",
        BlackTeam="Ivrea",
        ECO="C60",
        Opening="Ruy Lopez",
        TimeControl="40/7200",
        Termination="normal",
        Annotator="Neri",
        Date="2024.05.??",
    )
    fill(sqlite_archive, [game])
    assert stored(sqlite_archive) == stored_facts(game)


def test_castlings_and_start(sqlite_archive: Archive) -> None:
    """A castling that is written as a king's step is one again, and a start position has its whole FEN."""
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    game = otb(moves="1. O-O O-O-O", SetUp="1", FEN=fen)
    fill(sqlite_archive, [game])
    assert stored(sqlite_archive) == stored_facts(game)
    assert stored(sqlite_archive).castlings == (0, 1)


def test_an_online_game(sqlite_archive: Archive) -> None:
    """Its Site is whole again, its start is in UTC, and its id is the end of its Site."""
    account = follow(sqlite_archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    downloaded(sqlite_archive, account, [lichess("abcdefgh")])
    game = stored(sqlite_archive)
    assert (game.site, game.native_id, game.online) == ("https://lichess.org/abcdefgh", "abcdefgh", True)
    assert game.started_at == datetime(2024, 5, 12, 10, tzinfo=UTC)


def test_what_is_not_said(sqlite_archive: Archive) -> None:
    """Texts that say nothing are missing, and a game without a Site has none."""
    fill(sqlite_archive, [otb(Site="?", Event="?", Round="?", BlackTeam="?")])
    game = stored(sqlite_archive)
    assert (game.site, game.event, game.round, game.black) == (None, None, None, Side(name="Bianchi, Gina"))


def test_the_names_of_the_game_and_of_its_players(sqlite_archive: Archive) -> None:
    """A row has both: the name as this game has it, and the one by which the player is shown."""
    fill(sqlite_archive, [otb("Rossi, Mario"), otb("ROSSI,Mario", "mrossi90", ITALIAN)])
    with sqlite_archive.reading() as connection:
        row = game_rows.rows_of(connection, [2])[2]
    assert (row.white_name, row.white_shown, row.white_verbatim) == ("ROSSI,Mario", "Rossi, Mario", False)
    assert (row.black_name, row.black_shown, row.black_verbatim) == ("mrossi90", "mrossi90", True)


def test_only_games_that_are_there(sqlite_archive: Archive) -> None:
    """Of the games that are asked for, the rows of those that there are."""
    fill(sqlite_archive, [otb(), otb(moves=ITALIAN), otb("Verdi, Luca")])
    with sqlite_archive.reading() as connection:
        assert sorted(game_rows.rows_of(connection, [3, 1, 17])) == [1, 3]
        assert game_rows.rows_of(connection, []) == {}


def test_first_telling_of_each_game(sqlite_archive: Archive) -> None:
    """It is the one with the smallest number in the game, not the oldest row."""
    fill(sqlite_archive, [otb(), otb(moves=ITALIAN), otb(Annotator="Neri"), otb("Verdi, Luca")])
    with sqlite_archive.writing() as connection:
        connection.exec_driver_sql("UPDATE tellings SET n = 5 WHERE id = 1")
    with sqlite_archive.reading() as connection:
        found = connection.execute(game_rows.first_tellings([1, 2])).all()
    assert sorted((row.game_id, row.id) for row in found) == [(1, 3), (2, 2)]


def test_damaged_moves(sqlite_archive: Archive) -> None:
    """Moves that are none are named with their game, and nothing is guessed of them."""
    fill(sqlite_archive, [otb(moves=RUY)])
    with sqlite_archive.writing() as connection:
        connection.execute(games.update().values(moves=b"\xff\xff\xff"))
    with pytest.raises(Damaged, match="the moves of game 1 are damaged"):
        stored(sqlite_archive)
