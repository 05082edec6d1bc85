"""The tellings of a file in their order, and what a file that is read again has of it."""

from array import array

from sqlalchemy import insert, update

from daemon.archive.archive import Archive
from daemon.archive.games.file_order import FileOrder
from daemon.archive.games.files import file_row
from daemon.archive.games.prepared import content_digest
from daemon.archive.tables.files import left_tellings
from daemon.archive.tables.main import tellings
from tests.daemon.made_up import otb
from tests.daemon.seeding import fill

FILE = "club.pgn"
GAMES = [otb(Round=str(number)) for number in range(9)]
DIGESTS = [content_digest(game.raw) for game in GAMES]


def order_of(archive: Archive, path: str = FILE) -> FileOrder:
    with archive.writing() as connection:
        return FileOrder.of(connection, file_row(connection, path).id)


def test_a_file_that_has_not_changed(archive: Archive) -> None:
    """All its tellings, some at a time, as long as each is the next one and where it was."""
    fill(archive, GAMES, FILE)
    order = order_of(archive)
    assert order.unmoved([0, 1, 2], DIGESTS[:3]) == array("q", [1, 2, 3])
    assert order.unmoved([3, 4], [DIGESTS[3], DIGESTS[5]]) is None
    assert order.unmoved([3, 5], DIGESTS[3:5]) is None
    assert order.unmoved(range(3, 9), DIGESTS[3:]) == array("q", range(4, 10))
    assert order.unmoved([9], DIGESTS[8:]) is None


def test_the_order_is_that_of_the_places(archive: Archive) -> None:
    """Whatever the order in which they came, and whichever games of other files lie between them."""
    fill(archive, GAMES[:3], FILE)
    fill(archive, GAMES[:4], "other.pgn")
    fill(archive, GAMES[3:], FILE)
    turns = [7, 0, 3, 8, 1, 2, 6, 5, 4]
    with archive.writing() as connection:
        for place, number in enumerate(turns):
            connection.execute(
                update(tellings)
                .where(tellings.c.digest == DIGESTS[number], tellings.c.file_id == 1)
                .values(place=place)
            )
    ids = order_of(archive).unmoved(range(9), [DIGESTS[number] for number in turns])
    assert ids == array("q", [number + (1 if number < 3 else 5) for number in turns])


def test_games_that_moved(archive: Archive) -> None:
    """Those near the place where the file goes on are found; farther ones after a look at where they were."""
    fill(archive, GAMES, FILE)
    order = order_of(archive)
    assert order.near([b"new" * 5 + b"!", DIGESTS[0], DIGESTS[2]]) == [None, (1, 0), (3, 2)]
    assert order.near([DIGESTS[8]]) == [None]
    assert order.near([DIGESTS[1]]) == [None]
    order.go_on_after(7)
    assert order.near([DIGESTS[8]]) == [(9, 8)]
    order.go_on_after(0)
    assert order.near([DIGESTS[1]]) == [(2, 1)]


def test_what_is_not_expected(archive: Archive) -> None:
    """Games that have left the file, those without a place, and those read in an encoding that the user named."""
    fill(archive, GAMES, FILE)
    with archive.writing() as connection:
        connection.execute(insert(left_tellings).values(telling_id=2, left_at=0))
        connection.execute(update(tellings).where(tellings.c.id == 3).values(place=None))
        connection.execute(update(tellings).where(tellings.c.id == 4).values(encoding="cp850"))
    found = order_of(archive).near(DIGESTS)
    assert [number for number, one in enumerate(found) if one is None] == [1, 2, 3]


def test_a_file_of_which_nothing_is_known(archive: Archive) -> None:
    """No piece of it is expected."""
    fill(archive, GAMES, "other.pgn")
    order = order_of(archive)
    assert order.unmoved([0], DIGESTS[:1]) is None
    assert order.near(DIGESTS[:2]) == [None, None]
