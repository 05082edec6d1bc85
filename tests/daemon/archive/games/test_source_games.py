"""Games as their sources have them, kept where the user has edited them."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from core.game import Side
from daemon.archive.archive import Archive
from daemon.archive.errors import Damaged
from daemon.archive.games import source_games
from daemon.archive.games.prepared import prepare
from daemon.archive.games.source_games import SourceGame
from daemon.archive.tables.edits import told_games
from daemon.archive.tables.main import games, tellings
from daemon.edits.door import edit_game
from tests.daemon.made_up import ITALIAN, lichess, otb
from tests.daemon.seeding import NOW, downloaded, fill, follow

FULL = otb(
    WhiteElo="2500",
    WhiteTitle="GM",
    BlackFideId="1234567",
    BlackTeam="Ivrea",
    ECO="C60",
    TimeControl="40/7200",
    Date="2024.??.??",
)


def kept_of(archive: Archive, number: int = 1) -> SourceGame:
    with archive.reading() as connection:
        return source_games.from_rows(connection, [number])[number]


def test_kept_as_it_was(sqlite_archive: Archive) -> None:
    """A source game that is saved is loaded with every fact that it had."""
    account = follow(sqlite_archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    fill(sqlite_archive, [FULL])
    downloaded(sqlite_archive, account, [lichess(), replace(lichess("hgfedcba", ITALIAN), event="?")])
    castled = otb(moves="1. O-O O-O-O", SetUp="1", FEN="r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    fill(sqlite_archive, [castled], "castled.pgn")
    with sqlite_archive.writing() as connection:
        rows = source_games.from_rows(connection, [1, 2, 3, 4])
        wanted = {one.key: replace(one, last_n=3, home_id=None) for one in rows.values()}
        source_games.save(connection, wanted.values())
        assert source_games.load(connection, [*wanted, b"no game of ours."]) == wanted
    assert rows[1].game.white == FULL.white
    assert rows[4].game.castlings == (0, 1)


def test_what_says_nothing_is_not_kept(sqlite_archive: Archive) -> None:
    """A tag of `?` is missing afterwards; names, result, variant and start stay whatever they say."""
    bare = replace(otb("?", result="*"), event="?", site=" ", black=Side(name="?", team="?", title=""))
    fill(sqlite_archive, [otb()])
    with sqlite_archive.writing() as connection:
        source_games.save(connection, [replace(kept_of(sqlite_archive), game=bare)])
        (game,) = (one.game for one in source_games.load(connection, [prepare(otb()).key]).values())
    assert (game.event, game.site, game.black, game.white.name) == (None, None, Side(name="?"), "?")
    assert (game.result, game.variant, game.start) == ("*", "standard", "")


def test_saved_again_and_dropped(sqlite_archive: Archive) -> None:
    """The later one takes the place of the earlier one; what is dropped is no longer kept, and nothing else."""
    fill(sqlite_archive, [otb(), otb(moves=ITALIAN)])
    one, other = kept_of(sqlite_archive), kept_of(sqlite_archive, 2)
    with sqlite_archive.writing() as connection:
        source_games.save(connection, [one, other])
        source_games.save(connection, [replace(one, last_n=9)])
        assert source_games.load(connection, [one.key])[one.key].last_n == 9
        source_games.drop(connection, [one.key])
        assert list(source_games.load(connection, [one.key, other.key])) == [other.key]


def test_what_a_row_says(sqlite_archive: Archive) -> None:
    """Where nothing is edited, the row is what the sources say: with key, players, times and numbers."""
    fill(sqlite_archive, [otb(), otb(Annotator="Neri")])
    kept = kept_of(sqlite_archive)
    assert (kept.key, kept.white_id, kept.black_id) == (prepare(otb()).key, 1, 2)
    assert (kept.added_at, kept.home_id, kept.last_n) == (NOW, 1, 2)


def test_prepared_as_at_the_intake(sqlite_archive: Archive) -> None:
    """What it gives has the key, players, moves and opening of an intake, and no bytes of a telling."""
    fill(sqlite_archive, [FULL])
    again, first = kept_of(sqlite_archive).prepared(), prepare(FULL)
    assert (again.key, again.white, again.black, again.moves) == (
        first.key,
        first.white,
        first.black,
        first.moves,
    )
    assert again.opening == first.opening
    assert (again.digest, again.pgn) == (b"", b"")


def test_set_apart(sqlite_archive: Archive) -> None:
    """Before an edit the game is kept beside its row, and each of its tellings names it; others are left alone."""
    fill(sqlite_archive, [otb(), otb(Annotator="Neri"), otb(moves=ITALIAN)])
    key = prepare(otb()).key
    with sqlite_archive.writing() as connection:
        source_games.set_apart(connection, [1])
        assert list(connection.scalars(select(told_games.c.key))) == [key]
        its = select(tellings.c.told_key).order_by(tellings.c.id)
        assert list(connection.scalars(its)) == [key, key, None]


def test_set_apart_once(sqlite_archive: Archive) -> None:
    """A game that is apart already stays as its sources have it, whatever its row says by now."""
    fill(sqlite_archive, [otb()])
    edit_game(sqlite_archive, 1, {"white": "Verdi, Luca"}, now_ms=NOW)
    key = prepare(otb()).key
    with sqlite_archive.writing() as connection:
        source_games.set_apart(connection, [1])
        assert source_games.load(connection, [key])[key].game.white.name == "Rossi, Mario"
        assert list(connection.scalars(select(tellings.c.told_key))) == [key]
    assert kept_of(sqlite_archive).game.white.name == "Verdi, Luca"


def test_damaged_moves(sqlite_archive: Archive) -> None:
    """Moves that are none are named, in the row as beside it."""
    fill(sqlite_archive, [otb()])
    with sqlite_archive.writing() as connection:
        source_games.set_apart(connection, [1])
        connection.execute(told_games.update().values(moves=b"\xff\xff\xff"))
        connection.execute(games.update().values(moves=b"\xff\xff\xff"))
        with pytest.raises(Damaged, match="the moves of the edited game 1 are damaged"):
            source_games.load(connection, [prepare(otb()).key])
        with pytest.raises(Damaged, match="the moves of game 1 are damaged"):
            source_games.from_rows(connection, [1])
