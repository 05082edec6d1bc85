"""The one door into the archive, for games from sites and from files.

A telling is one source's account of a game. It is known (the same download, the same bytes in the same file),
or it is one more telling of a known game, or it makes a new game; `daemon.archive.games.decisions` says
which.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from core.game import Game
from daemon.archive.archive import Archive, Connection
from daemon.archive.edits.during_intake import Edits
from daemon.archive.edits.next_telling import retell
from daemon.archive.games import files, oddities, quarantine, whereabouts, withdrawn
from daemon.archive.games.batch_rows import first_new_ids, shelf_for
from daemon.archive.games.changes import StoredTelling
from daemon.archive.games.decisions import Decider, What
from daemon.archive.games.file_places import Placed
from daemon.archive.games.kept_names import name_again
from daemon.archive.games.prepared import Prepared, RefusedError, prepare
from daemon.archive.games.quarantine import QuarantineItem, item_digest
from daemon.archive.games.store import store
from daemon.archive.schedule import accounts, rounds
from daemon.archive.schedule.rounds import Counts

__all__ = ["AccountCursor", "AccountWholes", "Outcome", "QuarantineItem", "Taken", "Telling", "take_in"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """A game and where it was told: a download (by an account) or a piece of a file.

    Attributes:
        game: of a download, `source` and `native_id` are set.
        account_id: the account that led to the download; None for a file's game.
        file_id: the file; None for a download.
        place: bytes from the beginning of the (uncompressed) file.
        prepared: `daemon.archive.games.prepared.prepare(game)`, where another process has done it already.
        mends: the item in quarantine that it was made of by hand.
    """

    game: Game
    account_id: int | None = None
    file_id: int | None = None
    place: int | None = None
    prepared: Prepared | None = None
    mends: int | None = None

    def __post_init__(self) -> None:
        """A telling has one source."""
        if (self.account_id is None) == (self.file_id is None):
            raise ValueError("a telling comes from an account or from a file")


@dataclass(frozen=True, slots=True)
class AccountCursor:
    """Where the account's next round may start once the batch is stored."""

    account_id: int
    cursor: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AccountWholes:
    """Parts of an event (``broadcast/ROUND``) that were read whole, with the ids of all their games."""

    account_id: int
    parts: Mapping[str, Collection[str]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one telling: the game, and the number of this telling in it (None if it was refused)."""

    game_id: int | None
    telling_n: int | None
    what: What | Literal["quarantined"]
    collapsed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken(Counts):
    """The result of a batch, with one outcome for each telling, in order."""

    outcomes: list[Outcome] = field(default_factory=list)


_Decided = tuple[Telling, Prepared, What, StoredTelling, bool]


def take_in(  # noqa: PLR0913 - all but three are optional
    archive: Archive,
    tellings: Sequence[Telling],
    *,
    now_ms: int,
    unread: Sequence[QuarantineItem] = (),
    cursor: AccountCursor | None = None,
    round_id: int | None = None,
    left_out: int = 0,
    released: Sequence[bytes] = (),
    wholes: AccountWholes | None = None,
    placed: Placed | None = None,
) -> Taken:
    """Store a batch in one transaction: games, tellings, what could not be read, the cursor and the round's counts.

    Doing it again changes nothing. A game that no database can hold goes to quarantine, its neighbours are stored.
    What could not be read and was mended by hand is known, and counts as unchanged. *released*: the digests of items in
    quarantine that are to be there no more. *wholes*: parts of an event that came to their end with this batch.
    *placed*: of an import of several batches, the tellings whose first place in their file was in one before; grows.

    Raises:
        ArchiveError: nothing of the batch was stored.
    """
    prepared = [_prepared(telling) for telling in tellings]
    with archive.writing() as connection:
        prepared = _named(connection, tellings, prepared)
        decided = _decide(connection, archive, zip(tellings, prepared, strict=True), now_ms, placed)
        refused = _refused(connection, zip(tellings, prepared, strict=True))
        _release(connection, decided)
        quarantine.release(connection, released, ())
        mended = quarantine.put(connection, [*unread, *refused], now_ms)
        if wholes is not None:
            withdrawn.settle(connection, wholes.account_id, wholes.parts, now_ms)
        taken = _taken(prepared, decided, len(unread), mended, left_out)
        if cursor is not None:
            accounts.store_cursor(connection, cursor.account_id, cursor.cursor)
        if round_id is not None:
            rounds.add_counts(connection, round_id, taken)
    return taken


def _prepared(telling: Telling) -> Prepared | RefusedError:
    try:
        return telling.prepared or prepare(telling.game)
    except RefusedError as error:
        return error


def _named(
    connection: Connection, tellings: Sequence[Telling], prepared: Sequence[Prepared | RefusedError]
) -> list[Prepared | RefusedError]:
    """A download that leaves out a name which it had before is still of the same players."""
    pairs = zip(tellings, prepared, strict=True)
    downloads = [
        one for telling, one in pairs if telling.account_id is not None and isinstance(one, Prepared)
    ]
    named = dict(zip(map(id, downloads), name_again(connection, downloads), strict=True))
    return [named.get(id(one), one) for one in prepared]


def _decide(
    connection: Connection,
    archive: Archive,
    told: Iterable[tuple[Telling, Prepared | RefusedError]],
    now_ms: int,
    placed: Placed | None,
) -> list[_Decided]:
    """Look up what the batch may meet, decide one telling after another, and write the result."""
    edits = Edits(connection, archive.known, now_ms)
    good = edits.lay([(telling, prepared) for telling, prepared in told if isinstance(prepared, Prepared)])
    downloads = [prepared for telling, prepared in good if telling.account_id is not None]
    pieces = [(telling.file_id, prepared) for telling, prepared in good if telling.file_id is not None]
    shelf = shelf_for(connection, downloads, pieces)
    decider = Decider(shelf, *first_new_ids(connection), placed)
    decided = [(telling, prepared, *_decide_one(decider, telling, prepared)) for telling, prepared in good]
    retell(connection, decider.changes)
    edits.mark(decider.changes)
    store(connection, archive.known, decider.changes, now_ms)
    edits.settle(decider.changes)
    moved = decider.changes.moved
    whereabouts.follow(connection, {gone: telling.game.id for gone, telling in moved.items()})
    oddities.note(
        connection, [(stored.id, what, one.as_told.game.oddities) for _, one, what, stored, _ in decided]
    )
    return decided


def _decide_one(decider: Decider, telling: Telling, prepared: Prepared) -> tuple[What, StoredTelling, bool]:
    if telling.account_id is not None:
        return decider.download(prepared, telling.account_id)
    assert telling.file_id is not None
    return decider.piece(prepared, telling.file_id, telling.place)


def _refused(
    connection: Connection, told: Iterable[tuple[Telling, Prepared | RefusedError]]
) -> list[QuarantineItem]:
    return [
        QuarantineItem(
            source=_source(connection, telling),
            raw=telling.game.raw,
            reason=str(error),
            account_id=telling.account_id,
            file_id=telling.file_id,
            site=telling.game.source,
            native_id=telling.game.native_id,
            url=telling.game.url,
            place=telling.place,
        )
        for telling, error in told
        if isinstance(error, RefusedError)
    ]


def _source(connection: Connection, telling: Telling) -> str:
    if telling.account_id is not None:
        return accounts.key_of(connection, telling.account_id)
    assert telling.file_id is not None
    return files.path_of(connection, telling.file_id)


def _release(connection: Connection, decided: Sequence[_Decided]) -> None:
    """Release from quarantine what can now be read; what was made readable by hand stays."""
    if quarantine.is_empty(connection):
        return
    paths = {
        file_id: files.path_of(connection, file_id)
        for file_id in {telling.file_id for telling, *_ in decided}
        if file_id is not None
    }
    digests = [
        item_digest(paths[telling.file_id], telling.game.raw)
        for telling, *_ in decided
        if telling.file_id is not None
    ]
    downloads = [
        (telling.game.source, telling.game.native_id)
        for telling, *_ in decided
        if telling.account_id is not None and telling.game.source and telling.game.native_id
    ]
    mended = {telling.mends: stored.id for telling, _, _, stored, _ in decided if telling.mends is not None}
    quarantine.release(connection, digests, downloads, but=mended)
    quarantine.mend(connection, mended)


def _taken(
    prepared: Sequence[Prepared | RefusedError],
    decided: Sequence[_Decided],
    unread: int,
    mended: int,
    left_out: int,
) -> Taken:
    # Only now: a later telling of the batch may have moved an earlier one to another game.
    good = iter(
        Outcome(telling.game.id, telling.n, what, collapsed) for *_, what, telling, collapsed in decided
    )
    refused = Outcome(None, None, "quarantined")
    outcomes = [refused if isinstance(one, RefusedError) else next(good) for one in prepared]
    counted = Counter(outcome.what for outcome in outcomes)
    return Taken(
        read=len(outcomes) + unread,
        new=counted["new"],
        added=counted["added"],
        unchanged=counted["unchanged"] + mended,
        refreshed=counted["refreshed"],
        collapsed=sum(outcome.collapsed for outcome in outcomes),
        quarantined=counted["quarantined"] + unread - mended,
        left_out=left_out,
        outcomes=outcomes,
    )
