"""What each telling of a batch is, decided from what is on the shelf, before anything is written."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from core.game import Game
from daemon.archive.archive import Archive
from daemon.archive.games.batch_rows import first_new_ids, shelf_for
from daemon.archive.games.changes import Changes
from daemon.archive.games.decisions import Decider, Outcome
from daemon.archive.games.file_places import Placed
from daemon.archive.games.prepared import prepare
from daemon.archive.games.telling import Download, FilePiece, Telling
from tests.daemon.made_up import ITALIAN, RUY, chesscom, lichess, otb
from tests.daemon.seeding import downloaded, fill, follow

UUID = "5c1d7e9a-0000-11ee-8000-000000000001"
FILE = 1
"""The only file of these archives: `fill` makes it."""


@pytest.fixture
def account(sqlite_archive: Archive) -> int:
    return follow(sqlite_archive, ["lichess:mrossi90"])["lichess:mrossi90"]


def piece(game: Game, offset: int = 0) -> Telling:
    return Telling(prepare(game), FilePiece(FILE, offset))


def decided(
    archive: Archive, batch: Sequence[Telling], placed: Placed | None = None
) -> tuple[list[Outcome], Changes]:
    """What the tellings are, and what is to be written for it; nothing is."""
    with archive.reading() as connection:
        decider = Decider(shelf_for(connection, batch), *first_new_ids(connection), placed)
        return [decider.decide(one) for one in batch], decider.changes


def short(outcomes: Sequence[Outcome]) -> list[tuple[str, int, int]]:
    """What each is, its game and its number there."""
    return [(one.what, one.game_id, one.stored.n) for one in outcomes]


def test_each_sees_those_before_it(sqlite_archive: Archive) -> None:
    """A new game, one more telling of it, the same bytes again, and another game: all in one batch."""
    batch = [piece(otb()), piece(otb(Annotator="Neri"), 100), piece(otb(), 200), piece(otb(moves=ITALIAN))]
    outcomes, changes = decided(sqlite_archive, batch)
    assert short(outcomes) == [("new", 1, 1), ("added", 1, 2), ("unchanged", 1, 1), ("new", 2, 1)]
    assert outcomes[2].stored is outcomes[0].stored
    assert (list(changes.games), list(changes.tellings)) == ([1, 2], [1, 2, 3])
    game = changes.games[1].prepared
    assert game is not None
    assert game.game.annotator is None, "the facts are those of the first telling"


def test_new_ids_follow_those_of_the_archive(sqlite_archive: Archive) -> None:
    """What is new is numbered after what is there; what is there gets no row again."""
    fill(sqlite_archive, [otb(), otb(moves=ITALIAN)])
    outcomes, changes = decided(sqlite_archive, [piece(otb()), piece(otb(Annotator="Neri")), piece(otb("?"))])
    assert short(outcomes) == [("unchanged", 1, 1), ("added", 1, 2), ("new", 3, 1)]
    assert (list(changes.games), list(changes.tellings)) == ([3], [3, 4])


def test_a_file_joins_by_identity_alone(sqlite_archive: Archive, account: int) -> None:
    """A game of a file with the id of a download and other moves is another game; with the same moves it is that one."""
    downloaded(sqlite_archive, account, [lichess()])
    fill(sqlite_archive, [])
    outcomes, changes = decided(sqlite_archive, [piece(lichess(moves=ITALIAN)), piece(lichess())])
    assert short(outcomes) == [("new", 2, 1), ("added", 1, 2)]
    assert (changes.links, changes.further) == ({}, {})


def test_the_first_place_in_a_file_counts(sqlite_archive: Archive) -> None:
    """A game that lies elsewhere now moves once; where its place was settled before the batch, it stays."""
    fill(sqlite_archive, [otb()])
    placed = Placed()
    (first, second), changes = decided(sqlite_archive, [piece(otb(), 50), piece(otb(), 70)], placed)
    assert (first.what, second.what, second.stored.place) == ("unchanged", "unchanged", 50)
    assert (list(changes.tellings), placed.places_before()(1, 9)) == ([1], 0)
    _, changes = decided(sqlite_archive, [piece(otb(), 70)], placed)
    assert changes.tellings == {}


def test_another_encoding_is_another_reading(sqlite_archive: Archive) -> None:
    """The same bytes in an encoding that the user has named since are read again, as the same telling."""
    fill(sqlite_archive, [otb()])
    renamed = replace(otb("Rossí, Mario"), raw=otb().raw, encoding="cp850")
    ((outcome,), changes) = decided(sqlite_archive, [piece(renamed)])
    assert (outcome.what, outcome.game_id, outcome.stored.encoding) == ("refreshed", 1, "cp850")
    assert changes.games[1].key == prepare(renamed).key


def test_a_download_is_known_by_its_ids(sqlite_archive: Archive, account: int) -> None:
    """By any of them; the same bytes are unchanged, and the account is noted each time."""
    downloaded(sqlite_archive, account, [lichess(), chesscom(123, uuid=UUID)])
    by_uuid = replace(chesscom(123), native_id=UUID)
    batch = [
        Telling(prepare(game), Download(7)) for game in (lichess(), by_uuid, lichess("hgfedcba", ITALIAN))
    ]
    outcomes, changes = decided(sqlite_archive, batch)
    assert short(outcomes) == [("unchanged", 1, 1), ("unchanged", 2, 1), ("new", 3, 1)]
    assert list(changes.links) == [(7, 1), (7, 2), (7, 3)]
    assert list(changes.games) == [3]


def test_which_id_is_the_further_one(sqlite_archive: Archive, account: int) -> None:
    """What a site gives as a further id becomes one, even if the telling was stored under it."""
    downloaded(sqlite_archive, account, [replace(chesscom(123), native_id=UUID)])
    both = Telling(prepare(chesscom(123, uuid=UUID)), Download(account))
    ((outcome,), changes) = decided(sqlite_archive, [both])
    assert (outcome.what, outcome.stored.native_id) == ("unchanged", "live/123")
    assert {site_id: stored.id for site_id, stored in changes.further.items()} == {("chesscom", UUID): 1}


@pytest.mark.parametrize("lacking", ["source", "native_id"])
def test_a_download_needs_an_id(sqlite_archive: Archive, account: int, lacking: str) -> None:
    """Without the site, or without the site's id, it is a fault of the program."""
    nothing: dict[str, Any] = {lacking: None}
    game = replace(lichess(), **nothing)
    with pytest.raises(ValueError, match="a download has a site and the site's id for the game"):
        decided(sqlite_archive, [Telling(prepare(game), Download(account))])


def test_the_only_telling_takes_its_game_along(sqlite_archive: Archive, account: int) -> None:
    """A download that has gone on is the same game with another key; nothing is new, gone or moved."""
    downloaded(sqlite_archive, account, [lichess(moves="1. e4", result="*")])
    ((outcome,), changes) = decided(sqlite_archive, [Telling(prepare(lichess()), Download(account))])
    assert short([outcome]) == [("refreshed", 1, 1)]
    assert (changes.games[1].key, changes.gone, changes.moved) == (prepare(lichess()).key, [], {})


def test_a_later_telling_leaves_the_facts(sqlite_archive: Archive, account: int) -> None:
    """A refreshed download writes the game's row again only if it is the game's first telling."""
    downloaded(sqlite_archive, account, [lichess()])
    fill(sqlite_archive, [lichess("hgfedcba", ITALIAN)])
    downloaded(sqlite_archive, account, [lichess("hgfedcba", ITALIAN)])
    batch = [lichess(WhiteElo="1600"), lichess("hgfedcba", ITALIAN, WhiteElo="1600")]
    outcomes, changes = decided(sqlite_archive, [Telling(prepare(game), Download(account)) for game in batch])
    assert short(outcomes) == [("refreshed", 1, 1), ("refreshed", 2, 2)]
    assert list(changes.games) == [1]


def test_a_download_that_is_another_game_now(sqlite_archive: Archive, account: int) -> None:
    """It leaves its game: to one that is known, or to a new one; the game left behind is told by its next telling."""
    fill(sqlite_archive, [otb("mrossi90", "gbianchi", ITALIAN)])
    downloaded(sqlite_archive, account, [lichess()])
    fill(sqlite_archive, [lichess()], "other.pgn")
    known = Telling(prepare(lichess(moves=ITALIAN)), Download(account))
    ((outcome,), changes) = decided(sqlite_archive, [known])
    assert (short([outcome]), list(changes.lost_first)) == ([("refreshed", 1, 2)], [2])
    unknown = Telling(prepare(lichess(moves="1. d4")), Download(account))
    ((outcome,), changes) = decided(sqlite_archive, [unknown])
    assert (short([outcome]), list(changes.lost_first), changes.gone) == ([("refreshed", 3, 1)], [2], [])


def test_the_last_telling_closes_the_game(sqlite_archive: Archive, account: int) -> None:
    """A stored game whose only telling goes to a known one is gone, and it is noted where to."""
    fill(sqlite_archive, [otb("mrossi90", "gbianchi", ITALIAN)])
    downloaded(sqlite_archive, account, [lichess(moves=RUY)])
    ((outcome,), changes) = decided(
        sqlite_archive, [Telling(prepare(lichess(moves=ITALIAN)), Download(account))]
    )
    assert short([outcome]) == [("refreshed", 1, 2)]
    assert ([game.id for game in changes.gone], changes.games) == ([2], {})
    assert {number: stored.game.id for number, stored in changes.moved.items()} == {2: 1}


def test_two_ids_of_a_site_that_are_one_game(sqlite_archive: Archive, account: int) -> None:
    """A second download of the same site in a game is counted; one of another site, or a file's, is not."""
    downloaded(sqlite_archive, account, [lichess()])
    fill(sqlite_archive, [])
    game = lichess("hgfedcba")
    other_site = replace(game, source="chesscom", native_id="live/1")
    batch = [piece(game), *(Telling(prepare(one), Download(account)) for one in (other_site, game))]
    outcomes, _ = decided(sqlite_archive, batch)
    assert [(one.what, one.game_id, one.collapsed) for one in outcomes] == [
        ("added", 1, False),
        ("added", 1, False),
        ("added", 1, True),
    ]
