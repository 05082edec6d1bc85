"""Games in files that the archive knows by their bytes, so that they need no parsing."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from sqlalchemy import select

from core.pgn.reader import CUT_OFF, Piece
from daemon.archive.archive import Archive
from daemon.archive.games import quarantine
from daemon.archive.games.counts import Counts
from daemon.archive.games.file_places import Placed
from daemon.archive.games.files import file_row
from daemon.archive.games.known_pieces import KnownPiece, KnownTelling, KnownUnread, find_known, see_again
from daemon.archive.games.prepared import content_digest, content_digests
from daemon.archive.games.quarantine import QuarantineItem
from daemon.archive.tables.main import tellings
from daemon.edits.door import edit_game
from tests.daemon.made_up import ITALIAN, otb
from tests.daemon.seeding import NOW, fill, in_quarantine

FILE = "club.pgn"
BAD = b"1. e4 Ke4 *\n"


def piece(raw: bytes, offset: int = 0, **more: str | bool) -> Piece:
    return replace(Piece(raw, offset, 1), **more)  # type: ignore[arg-type]


def known(archive: Archive, *pieces: Piece, path: str = FILE) -> list[KnownPiece | None]:
    with archive.writing() as connection:
        digests = content_digests(one.raw for one in pieces)
        return find_known(connection, file_row(connection, path).id, path, pieces, digests)


def seen(archive: Archive, pieces: Sequence[KnownPiece], placed: Placed | None = None) -> Counts:
    with archive.writing() as connection:
        return see_again(connection, pieces, placed or Placed(), NOW + 1)


def put(archive: Archive, *items: QuarantineItem) -> None:
    with archive.writing() as connection:
        quarantine.put(connection, items, NOW)


def test_known_by_its_bytes_in_its_file(sqlite_archive: Archive) -> None:
    """The bytes that this file has told before, wherever they lie in it now and however many blank lines follow."""
    fill(sqlite_archive, [otb(), otb(moves=ITALIAN)])
    fill(sqlite_archive, [otb(Annotator="Neri")], "other.pgn")
    pieces = [
        piece(otb(moves=ITALIAN).raw + b"\n\n", 10),
        piece(otb(Annotator="Neri").raw, 300),
        piece(otb().raw, 600),
    ]
    assert known(sqlite_archive, *pieces) == [KnownTelling(10, 2, 1), None, KnownTelling(600, 1, 0)]


def test_edits_change_nothing(sqlite_archive: Archive) -> None:
    """A game that the user has edited is known by the bytes as they came."""
    fill(sqlite_archive, [otb()])
    edit_game(sqlite_archive, 1, {"white": "Verdi, Luca"}, now_ms=NOW)
    assert known(sqlite_archive, piece(otb().raw)) == [KnownTelling(0, 1, 0)]


@pytest.mark.parametrize("part", ["too_large", "cut_off"])
def test_a_part_of_a_game(sqlite_archive: Archive, part: str) -> None:
    """A piece that is not whole may be another game: it is read, whether these bytes are a game or in quarantine."""
    fill(sqlite_archive, [otb()])
    put(sqlite_archive, QuarantineItem(source=FILE, raw=BAD, reason="no such move"))
    pieces = [piece(otb().raw, **{part: True}), piece(BAD, **{part: True})]
    assert known(sqlite_archive, *pieces) == [None, None]


def test_another_encoding(sqlite_archive: Archive) -> None:
    """A game is read again if the user has named another encoding since, and anything of it is in that."""
    foreign = otb().raw.replace(b"Torino", b"Forl\xec")
    fill(sqlite_archive, [replace(otb(), raw=foreign), otb(moves=ITALIAN)])
    ascii_alone = piece(otb(moves=ITALIAN).raw, encoding="cp850")
    assert known(sqlite_archive, piece(foreign), ascii_alone) == [
        KnownTelling(0, 1, 0),
        KnownTelling(0, 2, 1),
    ]
    assert known(sqlite_archive, piece(foreign, encoding="cp850")) == [None]


def test_known_as_unread(sqlite_archive: Archive) -> None:
    """What is in quarantine for this source is known with its reason, unless it was only cut off."""
    put(
        sqlite_archive,
        QuarantineItem(source=FILE, raw=BAD, reason="no such move"),
        QuarantineItem(source=FILE, raw=b"1. e4", reason=CUT_OFF),
        QuarantineItem(source="other.pgn", raw=b"1. e5 *", reason="no such move"),
    )
    pieces = [piece(BAD, 40), piece(b"1. e4"), piece(b"1. e5 *")]
    assert known(sqlite_archive, *pieces) == [KnownUnread(40, 1, "no such move", mended=False), None, None]


def test_about_to_leave_the_quarantine(sqlite_archive: Archive) -> None:
    """A piece that has a telling and is in quarantine is read once more, so that it leaves."""
    put(sqlite_archive, QuarantineItem(source=FILE, raw=otb().raw, reason="once unknown"))
    fill(sqlite_archive, [otb(moves=ITALIAN)])
    with sqlite_archive.writing() as connection:
        connection.execute(tellings.update().values(digest=content_digest(otb().raw)))
    assert known(sqlite_archive, piece(otb().raw)) == [None]


def test_places_are_followed(sqlite_archive: Archive) -> None:
    """The first place of a game in its file is the one that counts, and where it was before is remembered."""
    fill(sqlite_archive, [otb(), otb(moves=ITALIAN)])
    placed = Placed()
    found = [KnownTelling(500, 1, 0), KnownTelling(700, 1, 0), KnownTelling(1, 2, 1)]
    assert seen(sqlite_archive, found, placed) == Counts(read=3, unchanged=3)
    with sqlite_archive.reading() as connection:
        places = list(connection.scalars(select(tellings.c.place).order_by(tellings.c.id)))
    assert (places, placed.places_before()(1, 500), placed.places_before()(2, 1)) == ([500, 1], 0, 1)


def test_unread_seen_again(sqlite_archive: Archive) -> None:
    """What waits counts as quarantined, what was mended as unchanged; each is noted as seen once, at its place."""
    other = QuarantineItem(source=FILE, raw=b"1. e5 *", reason="no such move")
    put(sqlite_archive, QuarantineItem(source=FILE, raw=BAD, reason="no such move"), other)
    fill(sqlite_archive, [otb()])
    with sqlite_archive.writing() as connection:
        quarantine.mend(connection, 2, 1)
    found = known(sqlite_archive, piece(BAD, 40), piece(BAD, 90), piece(other.raw, 200))
    counts = seen(sqlite_archive, [one for one in found if one is not None])
    assert counts == Counts(read=3, unchanged=1, quarantined=2)
    with sqlite_archive.reading() as connection:
        (waits,) = in_quarantine(connection)
    assert (waits.seen, waits.first_seen, waits.last_seen, waits.item.place) == (2, NOW, NOW + 1, 90)
