"""Spellings of the name of a player with a FIDE id that an edit has added or removed."""

from sqlalchemy import select, update

from daemon.archive.archive import Archive
from daemon.archive.games.fide_names import Spellings
from daemon.archive.games.prepared import digest
from daemon.archive.tables.main import games, player_names
from tests.daemon.made_up import ITALIAN, otb
from tests.daemon.seeding import fill

MARIO = {"WhiteFideId": "1234567"}


def spellings(archive: Archive) -> list[str]:
    with archive.reading() as connection:
        return sorted(connection.scalars(select(player_names.c.name)))


def rewritten(archive: Archive, game_id: int, **names: str) -> None:
    """Write one game with other names, as an edit does, and forget the spellings that are used no longer."""
    with archive.writing() as connection:
        naming = Spellings(connection, [game_id])
        connection.execute(update(games).where(games.c.id == game_id).values(**names))
        naming.forget_unwritten(archive.known)


def test_used_no_longer(sqlite_archive: Archive) -> None:
    """A spelling that no game has any more is forgotten, in the cache of the process, too; the others stay."""
    fill(sqlite_archive, [otb("Rossi, Mario", **MARIO), otb("M. Rossi", moves=ITALIAN, **MARIO)])
    assert spellings(sqlite_archive) == ["M. Rossi", "Rossi, Mario"]
    rewritten(sqlite_archive, 2, white_name="Rossi, Mario")
    assert spellings(sqlite_archive) == ["Rossi, Mario"]
    assert sqlite_archive.known.names == {(1, digest(b"Rossi, Mario"))}


def test_used_elsewhere(sqlite_archive: Archive) -> None:
    """A spelling stays while any other game has it, with either colour."""
    with_black = otb("Bianchi, Gina", "M. Rossi", BlackFideId="1234567")
    fill(sqlite_archive, [otb("M. Rossi", moves=ITALIAN, **MARIO), with_black])
    rewritten(sqlite_archive, 1, white_name="Rossi, Mario")
    assert spellings(sqlite_archive) == ["M. Rossi"]
    rewritten(sqlite_archive, 2, black_name="Rossi, Mario")
    assert spellings(sqlite_archive) == []


def test_of_another_player(sqlite_archive: Archive) -> None:
    """The same spelling of another player with an id is theirs, and stays."""
    fill(sqlite_archive, [otb("M. Rossi", **MARIO), otb("M. Rossi", WhiteFideId="7654321")])
    rewritten(sqlite_archive, 1, white_name="Rossi, Mario")
    with sqlite_archive.reading() as connection:
        assert connection.execute(select(player_names.c.player_id, player_names.c.name)).all() == [
            (3, "M. Rossi")
        ]


def test_games_that_are_not_written_again(sqlite_archive: Archive) -> None:
    """Nothing is forgotten of games that were not asked for, nor where the name stays."""
    fill(sqlite_archive, [otb("M. Rossi", **MARIO), otb("Mario Rossi", moves=ITALIAN, **MARIO)])
    with sqlite_archive.writing() as connection:
        connection.execute(update(games).where(games.c.id == 2).values(white_name="Rossi, Mario"))
    rewritten(sqlite_archive, 1, black_name="Verdi, Luca")
    assert spellings(sqlite_archive) == ["M. Rossi", "Mario Rossi"]
