"""Players who are called as a dossier is, and are not taken in."""

from typing import Any

import pytest

from daemon.archive.archive import Archive
from daemon.archive.reading.namesakes import Headed, left_out
from tests.daemon.seeding import downloaded, fill, follow, game_between, named, online


@pytest.fixture(name="lucas")
def _lucas(archive: Archive) -> Archive:
    """Luca Bianchi without an id, another one with an id, a handle, and namesakes in part."""
    fill(
        archive,
        [
            game_between("Bianchi, Luca", "Neri, Anna", "2024.01.01"),
            game_between("Neri, Anna", "BIANCHI Luca", "2024.01.02"),
            game_between(named("Bianchi,L", "123"), "Neri, Anna", "2024.01.03"),
            game_between(named("Luca Bianchi", "123"), "Neri, Anna", "2024.01.04"),
            game_between("Bianchi, L.", "Neri, Anna", "2024.01.05"),
            game_between("Bianchi, Luca Maria", "Neri, Anna", "2024.01.06"),
        ],
    )
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    downloaded(archive, account, [online("mrossi90", "LucaB", "abcdefgh")])
    return archive


def lines(archive: Archive, **dossier: Any) -> list[str]:
    """What would take the players in whom a dossier called Luca Bianchi leaves out."""
    headed = Headed(**{"name": "Luca Bianchi", "names": (), "fide_id": None, "accounts": (), **dossier})
    with archive.reading() as connection:
        return [one.line for one in left_out(connection, headed)]


def test_a_heading_takes_nobody_in(lucas: Archive) -> None:
    """The player without an id and the one with one are left out; players of other names are not meant."""
    assert lines(lucas) == ['names = ["Bianchi, Luca"]', "fide_id = 123"]


def test_whoever_is_taken_in_is_not_told(lucas: Archive) -> None:
    """Names in any order take the player in; an id of the dossier's own says who of those with ids is meant."""
    assert lines(lucas, names=["LUCA BIANCHI"]) == ["fide_id = 123"]
    assert lines(lucas, fide_id=123) == ['names = ["Bianchi, Luca"]']
    assert lines(lucas, fide_id=99, names=["Bianchi, Luca"]) == []


def test_a_heading_that_is_a_handle(lucas: Archive) -> None:
    """A nickname is taken in by an account, whose site is the one where it was met."""
    assert lines(lucas, name="lucab") == ['accounts = ["lichess:LucaB"]']
    assert lines(lucas, name="lucab", accounts=["lichess:lucab"]) == []
    assert lines(lucas, name="?") == []


def test_what_a_user_is_told(lucas: Archive) -> None:
    """Who, how many games, and what to write."""
    with lucas.reading() as connection:
        one, other = map(str, left_out(connection, Headed("Luca Bianchi", (), None, ())))
    assert one == (
        '"Bianchi, Luca" (2 games) is left out; if it is the same person: names = ["Bianchi, Luca"]'
    )
    assert "with the FIDE id 123 (2 games)" in other
