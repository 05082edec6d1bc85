"""Collects the games of one round, batch by batch, until they are in the archive."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Final

from core.game import Game, Unreadable
from daemon.archive.archive import Archive
from daemon.archive.games.counts import Counts
from daemon.archive.games.prepared import RefusedError, prepare
from daemon.archive.games.quarantine import item_digest
from daemon.archive.schedule.accounts import AccountRow
from daemon.archive.take_in import Download, QuarantineItem, Reached, Telling, take_in
from fetchers.base import Checkpoint, Cursor, LeftOut, Released, Step, Unread, Whole

BATCH: Final = 250
"""The most games in one transaction. A fetcher's checkpoint ends a batch earlier."""


BATCH_BYTES: Final = 8 << 20
"""The most PGN in one transaction, give or take a game: a hostile site may fill each game up to its limit."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a round has come: *seen* games of *expected* (None if the site does not say).

    When a broken-off first round goes on, *seen* includes what it had brought before.
    """

    account: str
    seen: int
    counts: Counts
    expected: int | None


@dataclass(slots=True)
class _Batch:
    tellings: list[Telling] = field(default_factory=list)
    unread: list[QuarantineItem] = field(default_factory=list)
    left_out: int = 0
    released: list[bytes] = field(default_factory=list)
    wholes: dict[str, frozenset[str]] = field(default_factory=dict)
    size: int = 0

    def __len__(self) -> int:
        return len(self.tellings) + len(self.unread) + self.left_out


class RoundBatches:
    """What one round has collected and stored so far.

    Attributes:
        counts: Of what is stored.
        expected: How many games the site counts in all, if it says so.
        quiet_s: For how long the site expects nothing new.
        doubt: Why the answers, though complete, cannot be all (`fetchers.base.Checkpoint`).
        reason: Why the first unreadable game could not be read.
        cursor: Covers all that is stored, and is not stored itself yet; None if the archive has the newest.
    """

    def __init__(
        self,
        archive: Archive,
        account: AccountRow,
        round_id: int,
        now_ms: Callable[[], int],
        watch: Callable[[Progress], None],
    ) -> None:
        self.counts = Counts()
        self.expected: int | None = None
        self.quiet_s = 0.0
        self.doubt: str | None = None
        self.reason: str | None = None
        self.cursor: Cursor | None = None
        self._archive = archive
        self._account = account
        self._round_id = round_id
        self._now_ms = now_ms
        self._watch = watch
        self._batch = _Batch()
        self._seen = 0

    def expect(self, games: int | None, *, seen: int) -> None:
        """The site counts so many games, and *seen* of them came in rounds that were broken off."""
        self.expected, self._seen = games, seen
        self._tell()

    def take(self, step: Step) -> None:
        """Add one step; store the batch if it ends there."""
        match step:
            case Game():
                self._take_game(step)
            case Unread():
                self._take_unread(step)
            case LeftOut():
                self._batch.left_out += 1
            case Released(raw):
                self._batch.released.append(item_digest(self._account.key, raw))
            case Whole(part, native_ids):
                self._batch.wholes[part] = native_ids
            case Checkpoint(cursor, expected, quiet_s, doubt):
                self.expected = expected if expected is not None else self.expected
                self.quiet_s = quiet_s or 0.0
                self.doubt = doubt
                self.cursor = cursor
                self.store()
        if len(self._batch) >= BATCH or self._batch.size >= BATCH_BYTES:
            self.store()

    def _take_game(self, game: Game) -> None:
        try:
            prepared = prepare(game)
        except RefusedError as error:
            unreadable = Unreadable(raw=game.raw, reason=str(error))
            self._take_unread(Unread(unreadable, game.native_id, game.url))
            return
        self._batch.tellings.append(Telling(prepared, Download(self._account.id)))
        self._batch.size += len(game.raw)

    def _take_unread(self, step: Unread) -> None:
        item = QuarantineItem(
            source=self._account.key,
            raw=step.unreadable.raw,
            reason=step.unreadable.reason,
            position=step.unreadable.position,
            account_id=self._account.id,
            site=self._account.site,
            native_id=step.native_id,
            url=step.url,
        )
        self._batch.unread.append(item)
        self._batch.size += len(item.raw)
        self.reason = self.reason or item.reason

    def store(self) -> None:
        """Take in the batch with the newest cursor. A cursor alone is not worth a transaction of its own."""
        if not self._batch and not self._batch.released and not self._batch.wholes:
            return
        batch, self._batch = self._batch, _Batch()
        cursor, self.cursor = self.cursor, None
        taken = take_in(
            self._archive,
            batch.tellings,
            now_ms=self._now_ms(),
            unread=batch.unread,
            reached=Reached(self._account.id, cursor, batch.wholes),
            round_id=self._round_id,
            left_out=batch.left_out,
            released=batch.released,
        )
        self._seen += len(batch)
        self.counts = add(self.counts, taken)
        self._tell()

    @property
    def seen(self) -> int:
        """How many games came, including rounds that were broken off."""
        return self._seen + len(self._batch)

    def _tell(self) -> None:
        self._watch(Progress(self._account.key, self._seen, self.counts, self.expected))


def add(one: Counts, other: Counts) -> Counts:
    """Both together."""
    return Counts(**{name: number + getattr(other, name) for name, number in asdict(one).items()})
