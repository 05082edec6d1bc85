"""Stores what an import reads: games in batches, each in one transaction, and files after their last batch."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf

import pytest
from sqlalchemy import Connection, Engine, event

from core.game import Unreadable
from core.pgn.reader import Piece
from daemon.archive.archive import Archive
from daemon.archive.games.prepared import Prepared, prepare
from daemon.archive.reading.totals import totals
from daemon.imports.bundles import Parsed
from daemon.imports.pieces import Opened
from daemon.imports.store import LARGE, SMALL, STEP, BatchSize, ImportStore
from tests.daemon.seeding import game_between, in_quarantine

FILE = "club.pgn"


def parsed(*outcomes: Prepared | Unreadable) -> list[Parsed]:
    """What parsers give of a file."""
    raw = [one.raw if isinstance(one, Unreadable) else one.game.raw for one in outcomes]
    return [Parsed(Piece(raw[n], n, n), one) for n, one in enumerate(outcomes)]


def games(count: int) -> list[Prepared]:
    return [prepare(game_between("Rossi, Mario", f"Verdi, {n}", round=str(n))) for n in range(count)]


def taken(archive: Archive, pieces: Sequence[Parsed], most: BatchSize) -> ImportStore:
    """The store, after it has taken these."""
    store = ImportStore(archive, FILE, most)
    store.take(iter([Opened(FILE, FILE), *pieces]))
    return store


def held(archive: Archive) -> int:
    with archive.reading() as connection:
        return totals(connection)["games"]


@pytest.fixture
def commits() -> Iterator[list[object]]:
    """A list that grows by one with each transaction that is stored."""
    seen: list[object] = []

    def note(connection: Connection) -> None:
        seen.append(connection)

    event.listen(Engine, "commit", note)
    yield seen
    event.remove(Engine, "commit", note)


@pytest.mark.parametrize(("most", "batches"), [(SMALL, 3), (LARGE, 1)])
def test_a_batch_is_a_transaction(
    archive: Archive, commits: list[object], most: BatchSize, batches: int
) -> None:
    """However many steps it has; one transaction before it is about the file, one after it about what was known."""
    commits.clear()
    store = taken(archive, parsed(*games(2 * STEP + 10)), most)
    assert len(commits) == 3 * batches
    assert (held(archive), store.counts["new"]) == (2 * STEP + 10, 2 * STEP + 10)


@pytest.mark.parametrize("most", [SMALL, LARGE])
def test_a_game_that_the_database_refuses(sqlite_archive: Archive, most: BatchSize) -> None:
    """It goes to quarantine alone, whatever else is in its batch; the others are stored in their order."""
    outcomes = games(STEP + 30)
    game = outcomes[3].game
    refused = replace(outcomes[3], game=replace(game, white=replace(game.white, rating=2**70)))
    unread = Unreadable(raw=b"1. e5", reason="no such move")
    store = taken(sqlite_archive, parsed(*outcomes[:3], refused, *outcomes[4:], unread), most)
    assert (store.counts["new"], store.counts["quarantined"]) == (STEP + 29, 2)
    with sqlite_archive.reading() as connection:
        reasons = {one.item.raw: one.item.reason for one in in_quarantine(connection)}
        stored = connection.exec_driver_sql("SELECT round FROM games ORDER BY id").scalars().all()
    assert reasons.keys() == {refused.game.raw, b"1. e5"}
    assert reasons[refused.game.raw].startswith("internal error: OverflowError")
    assert stored == [str(n) for n in range(STEP + 30) if n != 3]


def test_nothing_waits_for_long(archive: Archive) -> None:
    """A batch is stored after a while, even if it could hold more; until then its games count as read."""
    pieces = parsed(*games(4))
    seen: list[tuple[int, int]] = []

    def watched(store: ImportStore) -> Iterator[Opened | Parsed]:
        yield Opened(FILE, FILE)
        for piece in pieces:
            yield piece
            seen.append((store.read, held(archive)))

    at_once = ImportStore(archive, FILE, replace(LARGE, seconds=0))
    at_once.take(watched(at_once))
    assert seen == [(1, 1), (2, 2), (3, 3), (4, 4)]

    seen.clear()
    pieces = parsed(*games(8)[4:])
    later = ImportStore(archive, FILE, replace(LARGE, seconds=inf))
    later.take(watched(later))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert held(archive) == 8
