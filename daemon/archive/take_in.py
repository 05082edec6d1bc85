"""The one door into the archive, for games from sites and from files.

A telling is one source's account of a game. It is known (the same download, the same bytes in the same file),
or it is one more telling of a known game, or it makes a new game; `daemon.archive.games.decisions` says
which.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from daemon.archive.archive import Archive, Connection
from daemon.archive.edits.batch_overlay import lay_edits
from daemon.archive.edits.batch_store import store_batch
from daemon.archive.edits.overlay import anything_edited
from daemon.archive.games import oddities, quarantine, whereabouts, withdrawn
from daemon.archive.games.batch_rows import first_new_ids, shelf_for
from daemon.archive.games.cache import KnownIds
from daemon.archive.games.counts import Counts
from daemon.archive.games.decisions import Decider, Outcome
from daemon.archive.games.file_places import Placed
from daemon.archive.games.kept_names import name_again
from daemon.archive.games.packed_intake import PackedIntake, PackedTellings
from daemon.archive.games.quarantine import QuarantineItem
from daemon.archive.games.telling import Download, FilePiece, Telling
from daemon.archive.schedule import accounts, rounds

__all__ = [
    "Download",
    "FilePiece",
    "IntakeBatch",
    "Outcome",
    "PackedBatch",
    "PackedTellings",
    "QuarantineItem",
    "Reached",
    "Taken",
    "Telling",
    "take_in",
    "take_in_together",
]


@dataclass(frozen=True, slots=True)
class Reached:
    """How far the round of an account has come with the batch.

    Attributes:
        account_id: The account or event.
        cursor: Where its next round may start once the batch is stored; covers everything up to the batch's end.
        wholes: Parts of an event (``broadcast/ROUND``) that were read whole, with the ids of all their games.
    """

    account_id: int
    cursor: Mapping[str, Any] | None = None
    wholes: Mapping[str, Collection[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken(Counts):
    """The result of a batch, with one outcome for each telling, in order."""

    outcomes: list[Outcome] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class IntakeBatch:
    """What is decided and stored together.

    Attributes:
        tellings: In the order in which they came.
        now_ms: Milliseconds since 1970.
        unread: What goes to quarantine.
        reached: How far the account's round has come; None of files.
        round_id: The round to which the batch is counted.
        left_out: Records of the site that are not games for an archive; they are only counted.
        released: The digests of items in quarantine that are to be there no longer.
        placed: Of an import of several batches, the tellings whose first place in their file was in one before; grows.
        mends: The item in quarantine of which the first telling was made by hand.
    """

    tellings: Sequence[Telling]
    now_ms: int
    unread: Sequence[QuarantineItem] = ()
    reached: Reached | None = None
    round_id: int | None = None
    left_out: int = 0
    released: Sequence[bytes] = ()
    placed: Placed | None = None
    mends: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedBatch:
    """Packed games of a file, which are stored as an `IntakeBatch` of the same tellings would be, many times as fast.

    Attributes:
        ordinary: Makes these batches, for games of which packed intake does not know enough.
        now_ms: As in `IntakeBatch`.
        round_id: Likewise.
        placed: Likewise.
    """

    packed: PackedTellings
    ordinary: Callable[[], Iterable[IntakeBatch]]
    now_ms: int
    round_id: int | None
    placed: Placed


def take_in(  # noqa: PLR0913 - all but three are optional
    archive: Archive,
    tellings: Sequence[Telling],
    *,
    now_ms: int,
    unread: Sequence[QuarantineItem] = (),
    reached: Reached | None = None,
    round_id: int | None = None,
    left_out: int = 0,
    released: Sequence[bytes] = (),
    placed: Placed | None = None,
    mends: int | None = None,
) -> Taken:
    """Store a `IntakeBatch` in one transaction: games, tellings, what could not be read, the cursor and the round's counts.

    Doing it again changes nothing. What could not be read and was mended by hand is known, and counts as unchanged.

    Raises:
        ArchiveError: nothing of the batch was stored.
    """
    batch = IntakeBatch(
        tellings=tellings,
        now_ms=now_ms,
        unread=unread,
        reached=reached,
        round_id=round_id,
        left_out=left_out,
        released=released,
        placed=placed,
        mends=mends,
    )
    (taken,) = take_in_together(archive, [batch])
    return taken


def take_in_together(archive: Archive, batches: Iterable[IntakeBatch | PackedBatch]) -> list[Taken]:
    """Store these batches, one after the other, in one transaction.

    A page of an index that many games change is written once then, and not once for each batch.

    Raises:
        ArchiveError: nothing of them was stored.
    """
    with archive.writing() as connection:
        return list(_take_in_each(connection, archive.known, batches))


def _take_in_each(
    connection: Connection, known: KnownIds, batches: Iterable[IntakeBatch | PackedBatch]
) -> Iterator[Taken]:
    edited = anything_edited(connection)
    intake: PackedIntake | None = None
    round_id: int | None = None
    for batch in batches:
        if isinstance(batch, PackedBatch) and not edited:
            intake = intake or PackedIntake(connection, known, batch.placed, batch.now_ms)
            round_id = batch.round_id
            if intake.take(batch.packed):
                continue
        if intake is not None:
            yield _noted(connection, _taken(intake.end()), round_id)
            intake = None
        ordinary = [batch] if isinstance(batch, IntakeBatch) else batch.ordinary()
        yield from (_take_in(connection, known, one) for one in ordinary)
    if intake is not None:
        yield _noted(connection, _taken(intake.end()), round_id)


def _take_in(connection: Connection, known: KnownIds, given: IntakeBatch) -> Taken:
    # What the batch is, with names that a download leaves out and with what the user has edited.
    batch = lay_edits(connection, known, name_again(connection, given.tellings), given.now_ms)
    # What is known of it, and what is new.
    decider = Decider(shelf_for(connection, batch), *first_new_ids(connection), given.placed)
    outcomes = [decider.decide(telling) for telling in batch]
    changes = decider.changes
    # Rows of games and tellings, and what follows of the edits.
    store_batch(connection, known, changes, given.now_ms)
    whereabouts.follow(connection, {gone: stored.game.id for gone, stored in changes.moved.items()})
    oddities.note(connection, oddities.of_outcomes(outcomes))
    # What can be read now leaves the quarantine, what could not be read goes there.
    if given.mends is not None:
        quarantine.mend(connection, given.mends, outcomes[0].stored.id)
    quarantine.release(connection, given.tellings, given.released, but=given.mends)
    mended = quarantine.put(connection, given.unread, given.now_ms)
    # What the site no longer tells, and where the next round begins.
    if given.reached is not None:
        _note_reached(connection, given.reached, given.now_ms)
    return _noted(connection, _counted(outcomes, len(given.unread), mended, given.left_out), given.round_id)


def _taken(counts: Counts) -> Taken:
    return Taken(read=counts.read, new=counts.new, added=counts.added, unchanged=counts.unchanged)


def _noted(connection: Connection, taken: Taken, round_id: int | None) -> Taken:
    """The counts, once the round has them."""
    if round_id is not None:
        rounds.add_counts(connection, round_id, taken)
    return taken


def _note_reached(connection: Connection, reached: Reached, now_ms: int) -> None:
    if reached.wholes:
        withdrawn.settle(connection, reached.account_id, reached.wholes, now_ms)
    if reached.cursor is not None:
        accounts.store_cursor(connection, reached.account_id, reached.cursor)


def _counted(outcomes: list[Outcome], unread: int, mended: int, left_out: int) -> Taken:
    counted = Counter(outcome.what for outcome in outcomes)
    return Taken(
        read=len(outcomes) + unread,
        new=counted["new"],
        added=counted["added"],
        unchanged=counted["unchanged"] + mended,
        refreshed=counted["refreshed"],
        collapsed=sum(outcome.collapsed for outcome in outcomes),
        quarantined=unread - mended,
        left_out=left_out,
        outcomes=outcomes,
    )
