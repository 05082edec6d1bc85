"""Players whose last game went to somebody else, on both databases."""

from dataclasses import replace

from sqlalchemy import func, select

from core.game import Game
from daemon.archive.archive import Archive, open_archive
from daemon.archive.reading.players import find_players, player
from daemon.archive.reading.totals import totals
from daemon.archive.tables.main import player_names, player_words
from tests.daemon.made_up import ITALIAN, lichess, otb
from tests.daemon.seeding import downloaded, fill, follow


def names(archive: Archive, query: str | None = None) -> dict[int, str]:
    with archive.reading() as connection:
        return {one["id"]: one["name"] for one in find_players(connection, query, limit=100)["items"]}


def refreshed(game: Game, **tags: str) -> Game:
    """The same download, as it is told later."""
    assert game.native_id is not None
    return lichess(game.native_id, **tags)


def test_gone_with_the_last_game(archive: Archive) -> None:
    """Who has no game left is in no list and no search, and is counted nowhere."""
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    game = lichess(white="mrossi90", black="gbianchi", BlackFideId="1234567")
    downloaded(archive, account, [game])
    assert set(names(archive).values()) == {"mrossi90", "gbianchi"}
    downloaded(archive, account, [refreshed(game, white="mrossi90", black="verdi-l")])
    assert set(names(archive).values()) == {"mrossi90", "verdi-l"}
    assert names(archive, "gbianchi") == {}
    with archive.reading() as connection:
        assert totals(connection)["players"] == 2
        assert connection.scalar(select(func.count()).select_from(player_words)) == 2
        assert connection.scalar(select(func.count()).select_from(player_names)) == 0


def test_stays_with_another_game(archive: Archive) -> None:
    """Who has another game, with either colour, stays."""
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    game = lichess(white="mrossi90", black="gbianchi")
    downloaded(archive, account, [game, lichess("hgfedcba", ITALIAN, white="gbianchi", black="mrossi90")])
    before = names(archive)
    downloaded(archive, account, [refreshed(game, white="mrossi90", black="verdi-l")])
    assert names(archive).items() > before.items()


def test_goes_with_a_game_that_joins_another(archive: Archive) -> None:
    """A download that turns out to be a game that there is leaves its own game, and that game's players."""
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    fill(archive, [otb("mrossi90", "verdi-l")])
    game = lichess(white="mrossi90", black="gbianchi")
    downloaded(archive, account, [game])
    downloaded(archive, account, [refreshed(game, white="mrossi90", black="verdi-l")])
    assert set(names(archive).values()) == {"mrossi90", "verdi-l"}


def test_id_is_not_given_again(archive: Archive) -> None:
    """An address of a player never leads to another one; who comes back has a new one."""
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    game = lichess(white="mrossi90", black="gbianchi")
    downloaded(archive, account, [game])
    (lost,) = names(archive, "gbianchi")
    downloaded(archive, account, [refreshed(game, white="mrossi90", black="mrossi90")])
    fill(archive, [otb("Neri, Anna", "gbianchi")])
    assert lost not in names(archive)
    assert len(names(archive)) == 3
    with archive.reading() as connection:
        assert player(connection, lost) is None


def test_other_programs_forget_him(where: str) -> None:
    """A program that remembers the player's id does not write it any more."""
    with open_archive(where) as archive, open_archive(where) as other:
        account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
        game = lichess(white="mrossi90", black="gbianchi")
        downloaded(other, account, [game])
        downloaded(archive, account, [refreshed(game, white="mrossi90", black="verdi-l")])
        downloaded(other, account, [lichess("hgfedcba", white="mrossi90", black="gbianchi")])
        assert set(names(archive).values()) == {"mrossi90", "gbianchi", "verdi-l"}


def test_long_typed_words(archive: Archive) -> None:
    """A typed word that is longer than an index can hold finds whom it would find if it could."""
    long = "x" * 400
    fill(archive, [replace(otb(), white=replace(otb().white, name=f"{long}, Mario"))])
    assert len(names(archive, long)) == 1
    assert names(archive, "x" * 199 + "y" * 200) == {}
