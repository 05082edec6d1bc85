"""Bytes of games that are damaged in the database."""

from collections.abc import Callable

import pytest
from sqlalchemy import update

from core.players import Profile
from daemon.archive.archive import Archive, Transaction
from daemon.archive.errors import Damaged
from daemon.archive.reading.exporting import game_pgn
from daemon.archive.reading.filters import GameFilters
from daemon.archive.reading.games import game, pgn
from daemon.archive.tables import tellings
from daemon.exporting import export
from tests.daemon.seeding import fill, made_up


@pytest.mark.parametrize(
    "read",
    [
        lambda conn: game(conn, 2),
        lambda conn: pgn(conn, 2),
        lambda conn: pgn(conn, 2, 1),
        lambda conn: game_pgn(conn, 2),
    ],
    ids=["game", "pgn", "telling", "edited pgn"],
)
def test_who_reads_a_damaged_game_is_told_so(archive: Archive, read: Callable[[Transaction], object]) -> None:
    """Which game it is, what it means and what helps; the games beside it can be read."""
    _damage_second(archive)
    with archive.reading() as conn:
        with pytest.raises(Damaged, match=r"the bytes of game 2 are damaged .*gamekeeper verify"):
            read(conn)
        assert game(conn, 1) is not None


def test_an_export_is_never_short_of_a_game_in_silence(archive: Archive) -> None:
    """It breaks off with the same sentence."""
    _damage_second(archive)
    with pytest.raises(Damaged, match="the bytes of game 2 are damaged"):
        list(export(archive, GameFilters(), Profile(), "pgn"))


def _damage_second(archive: Archive) -> None:
    fill(archive, [made_up("Rossi, Mario", "Bianchi, Anna"), made_up("Rossi, Mario", "Verdi, Gina")])
    with archive.writing() as conn:
        conn.execute(update(tellings).where(tellings.c.game_id == 2).values(pgn=b"damaged"))
