"""Which source game each telling of a batch gives, noted if the edits are about the game that it is in."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from sqlalchemy import select

from core.game import Game
from daemon.archive.archive import Archive
from daemon.archive.edits.batch_marks import Marks, first_of, mark
from daemon.archive.edits.batch_overlay import lay_edits
from daemon.archive.games.batch_rows import first_new_ids, shelf_for
from daemon.archive.games.changes import StoredTelling
from daemon.archive.games.decisions import Decider
from daemon.archive.games.prepared import prepare
from daemon.archive.games.telling import Download, FilePiece, Telling
from daemon.archive.tables.main import tellings
from daemon.edits.door import edit_game
from tests.daemon.made_up import ITALIAN, lichess, otb
from tests.daemon.seeding import NOW, downloaded, fill, follow

VERDI = "Verdi, Luca"


@dataclass(frozen=True, slots=True)
class Marked:
    """The marks of a batch, and its tellings after them by their ids."""

    marks: Marks
    tellings: dict[int, StoredTelling]

    @property
    def keys(self) -> dict[int, bytes | None]:
        return {number: one.told_key for number, one in self.tellings.items()}


def key(game: Game) -> bytes:
    return prepare(game).key


def marked(archive: Archive, *batch: Telling) -> Marked:
    with archive.writing() as connection:
        edited = lay_edits(connection, archive.known, batch, NOW)
        decider = Decider(shelf_for(connection, edited), *first_new_ids(connection))
        for one in edited:
            decider.decide(one)
        return Marked(mark(connection, decider.changes), decider.changes.tellings)


def pieces(*games: Game) -> Sequence[Telling]:
    return [Telling(prepare(game), FilePiece(7, place)) for place, game in enumerate(games)]


@pytest.fixture
def account(sqlite_archive: Archive) -> int:
    return follow(sqlite_archive, ["lichess:mrossi90"])["lichess:mrossi90"]


def test_nothing_is_edited(sqlite_archive: Archive) -> None:
    """Then there are no marks, and no telling says what it gives."""
    fill(sqlite_archive, [otb()])
    found = marked(sqlite_archive, *pieces(otb(), otb(moves=ITALIAN)))
    assert (found.marks, found.keys) == (Marks(), {2: None, 3: None})


def test_a_telling_of_an_edited_game(sqlite_archive: Archive) -> None:
    """It says what it gives without the edits; a telling of another game says nothing."""
    fill(sqlite_archive, [otb()])
    edit_game(sqlite_archive, 1, {"white": VERDI}, now_ms=NOW)
    found = marked(sqlite_archive, *pieces(otb(), otb(moves=ITALIAN)))
    assert found.keys == {2: key(otb()), 3: None}
    assert ([one.id for one in found.marks.marked], found.marks.met) == ([2], {key(otb())})


def test_a_telling_that_was_in_the_game_by_itself(sqlite_archive: Archive) -> None:
    """What gives an edited game as it is after the edit is marked with that: both are told in it."""
    fill(sqlite_archive, [otb()])
    edit_game(sqlite_archive, 1, {"white": VERDI}, now_ms=NOW)
    found = marked(sqlite_archive, *pieces(otb(VERDI)))
    assert (found.keys, found.marks.left) == ({2: key(otb(VERDI))}, {})


def test_a_plain_game_gets_an_edited_telling(sqlite_archive: Archive, account: int) -> None:
    """What its own tellings give is kept before, and noted on each."""
    downloaded(sqlite_archive, account, [lichess()])
    edit_game(sqlite_archive, 1, {"white": VERDI}, now_ms=NOW)
    downloaded(sqlite_archive, account, [lichess(moves=ITALIAN)])
    fill(sqlite_archive, [otb(VERDI, "gbianchi")])
    found = marked(sqlite_archive, *pieces(lichess()))
    assert found.keys == {3: key(lichess())}
    with sqlite_archive.reading() as connection:
        its = select(tellings.c.told_key).where(tellings.c.id == 2)
        assert connection.scalar(its) == key(otb(VERDI, "gbianchi"))


@pytest.mark.parametrize("first", [True, False])
def test_a_telling_that_leaves(sqlite_archive: Archive, account: int, first: bool) -> None:
    """It is noted which source game it leaves and for which, and whether it was the one that counted there."""
    if not first:
        fill(sqlite_archive, [lichess(Annotator="Neri")])
    downloaded(sqlite_archive, account, [lichess()])
    if first:
        fill(sqlite_archive, [lichess(Annotator="Neri")])
    edit_game(sqlite_archive, 1, {"white": VERDI}, now_ms=NOW)
    before, now = key(lichess()), key(lichess(moves=ITALIAN))
    its = 1 if first else 2
    found = marked(sqlite_archive, Telling(prepare(lichess(moves=ITALIAN)), Download(account)))
    assert (found.marks.left, found.marks.met) == ({before: now}, {before, now})
    assert [(to, one.id) for to, one in found.marks.leavers] == [(now, its)]
    assert found.marks.led == ({before} if first else set())
    assert found.keys == {its: now}


def test_the_telling_that_counts(sqlite_archive: Archive) -> None:
    """The first in the game of those that give this source game, not the oldest; None if none does."""
    fill(sqlite_archive, [otb(), otb(Annotator="Neri")])
    edit_game(sqlite_archive, 1, {"event": "Open"}, now_ms=NOW)
    with sqlite_archive.writing() as connection:
        assert first_of(connection, key(otb())) == 1
        connection.execute(tellings.update().where(tellings.c.id == 1).values(n=5))
        assert first_of(connection, key(otb())) == 2
        assert first_of(connection, key(otb(VERDI))) is None
