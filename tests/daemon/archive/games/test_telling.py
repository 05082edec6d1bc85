"""A telling: what is prepared of a game, and where it is from."""

from dataclasses import replace

from daemon.archive.games.telling import site_ids
from tests.daemon.made_up import chesscom, lichess, otb

UUID = "5c1d7e9a-0000-11ee-8000-000000000001"


def test_ids_of_a_download() -> None:
    """Its site and each of the site's ids for it, its own one first."""
    assert site_ids(lichess("abcdefgh")) == [("lichess", "abcdefgh")]
    assert site_ids(chesscom(123, uuid=UUID)) == [("chesscom", "live/123"), ("chesscom", UUID)]


def test_a_game_without_ids() -> None:
    """A game over the board has none, and an id without a site, or an empty one, is none."""
    assert site_ids(otb()) == []
    assert site_ids(replace(otb(), native_id="abcdefgh")) == []
    assert site_ids(replace(otb(), source="lichess", native_id="")) == []
