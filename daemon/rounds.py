"""One round: ask a site for an account's new games, take them in, and say when to ask again."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from threading import Event
from typing import Final

import structlog

from daemon import pacing
from daemon.archive import accounts, rounds
from daemon.archive.accounts import AccountRow
from daemon.archive.archive import Archive, Transaction
from daemon.archive.rounds import Counts
from daemon.intake import AccountCursor, QuarantineItem, Telling, take_in
from daemon.pacing import Outcome
from fetchers.base import Checkpoint, Cursor, Fetcher, LeftOut, Step, Told, Unread
from fetchers.errors import (
    Blocked,
    FetchError,
    Gone,
    Incomplete,
    NotFound,
    RateLimited,
    SiteDown,
    SiteError,
)

log = structlog.get_logger(__name__)

Clock = Callable[[], float]
"""Seconds since 1970."""

BATCH: Final = 250
"""Games at most in one transaction. A fetcher's checkpoint ends a batch earlier."""

LOOKS_BEFORE_NOT_FOUND: Final = 3
"""So many looks, the last more than a day after the first, until an account that once answered counts as gone."""

_ENDINGS: Final[dict[Outcome, rounds.Outcome]] = {
    Outcome.DONE: "done",
    Outcome.STOPPED: "stopped",
    Outcome.INCOMPLETE: "incomplete",
}


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a round has come: *seen* games of *expected* (None where the site does not say)."""

    account: str
    seen: int
    counts: Counts
    expected: int | None


@dataclass(frozen=True, slots=True)
class Report:
    """What a round came to.

    Attributes:
        error: a sentence for the user; None where the round was done.
        due_at: when the account is due again, seconds since 1970.
    """

    account: str
    outcome: Outcome
    counts: Counts
    error: str | None
    due_at: float


@dataclass(slots=True)
class _Batch:
    tellings: list[Telling] = field(default_factory=list)
    unread: list[QuarantineItem] = field(default_factory=list)
    left_out: int = 0

    def __len__(self) -> int:
        return len(self.tellings) + len(self.unread) + self.left_out


@dataclass(frozen=True, slots=True)
class _Verdict:
    outcome: Outcome
    error: str | None = None
    retry_after: float | None = None


class Rounds:
    """The rounds of one site, one after another.

    Args:
        archive: where the games go.
        fetcher: asks the site.
        stop: once set, a round ends after the game it is at; what came before is stored.
        watch: is told of the progress after each batch.
        clock: seconds since 1970.
    """

    def __init__(
        self,
        archive: Archive,
        fetcher: Fetcher,
        *,
        stop: Event,
        clock: Clock,
        watch: Callable[[Progress], None] = lambda _: None,
    ) -> None:
        self._archive = archive
        self._fetcher = fetcher
        self._stop = stop
        self._clock = clock
        self._watch = watch
        self._unended: list[int] = []

    def run(self, account: AccountRow, *, full: bool = False) -> Report:
        """Ask for everything new of *account* (for everything at all if *full*) and store it.

        Raises:
            ArchiveError: the archive could not take it. The cursor is not ahead of what is stored.
        """
        round_id = self._begin(account)
        run = _Run(self._archive, account, round_id, self._now_ms, self._watch)
        verdict = self._verdict(account, run, full=full)
        report = self._end(account, round_id, verdict, run.counts)
        self._unended.remove(round_id)
        _tell(report)
        return report

    def _now_ms(self) -> int:
        return int(self._clock() * 1000)

    def _begin(self, account: AccountRow) -> int:
        now = self._now_ms()
        with self._archive.writing() as transaction:
            # Rounds whose end could not be written, since the disk was full, say.
            for round_id in self._unended:
                rounds.end_round(transaction, round_id, "failed", "the archive could not be written", now)
            self._unended.clear()
            accounts.record_attempt(transaction, account.id, now)
            round_id = rounds.begin_round(transaction, "sync", account.key, account.id, now)
        self._unended.append(round_id)
        return round_id

    def _verdict(self, account: AccountRow, run: "_Run", *, full: bool) -> _Verdict:
        try:
            finished = self._download(account, run, full=full)
        except NotFound as error:
            return self._look_up(account, error)
        except FetchError as error:
            return _judge(error, stopped=self._stop.is_set())
        return _Verdict(Outcome.DONE if finished else Outcome.STOPPED)

    def _download(self, account: AccountRow, run: "_Run", *, full: bool) -> bool:
        """Take in what the site tells; True if it told everything, False if we were stopped."""
        now = datetime.fromtimestamp(self._clock(), UTC)
        steps = self._fetcher.games(account.handle, account.cursor, now=now, full=full)
        with closing(steps):  # type: ignore[type-var] # every fetcher's iterator is a generator
            try:
                for step in steps:
                    run.take(step)
                    if self._stop.is_set():
                        return False
            finally:
                # What came before an error is good. Its cursor comes with the next checkpoint.
                run.store()
        return True

    def _look_up(self, account: AccountRow, missing: NotFound) -> _Verdict:
        """A 404 alone says little: what does the profile say?"""
        try:
            profile = self._fetcher.profile(account.handle)
        except (NotFound, Gone):
            return _Verdict(Outcome.NOT_FOUND, f"{account.site} knows no account {account.display}")
        except FetchError as error:
            return _judge(error, stopped=self._stop.is_set())
        if profile.state == "closed":
            return _Verdict(Outcome.CLOSED, f"the account {account.display} is closed; its games stay here")
        return _Verdict(
            Outcome.INCOMPLETE, f"{account.site} gives no games though the account exists: {missing}"
        )

    def _end(self, account: AccountRow, round_id: int, verdict: _Verdict, counts: Counts) -> Report:
        """Write the round's end and the account's next time, in one transaction."""
        now = self._clock()
        with self._archive.writing() as transaction:
            plan = self._plan(transaction, account, verdict, counts, now)
            _record(transaction, account, verdict, plan, int(now * 1000))
            ending = _ENDINGS.get(verdict.outcome, "failed")
            rounds.end_round(transaction, round_id, ending, verdict.error, int(now * 1000))
        return Report(account.key, verdict.outcome, counts, verdict.error, plan.due_at)

    def _plan(
        self, transaction: Transaction, account: AccountRow, verdict: _Verdict, counts: Counts, now: float
    ) -> pacing.Plan:
        if verdict.outcome in pacing.OF_THE_SITE:
            failures = accounts.gate(transaction, account.site).failures + 1
        elif counts.new and verdict.outcome is Outcome.INCOMPLETE:
            failures = 1  # it got on: a long download that is cut again and again must not wait for hours
        else:
            failures = account.failures + 1
        return pacing.plan(
            verdict.outcome,
            now=now,
            every=account.every,
            failures=failures,
            retry_after=verdict.retry_after,
            key=account.key,
        )


class _Run:
    """What one round has gathered and stored so far."""

    def __init__(
        self,
        archive: Archive,
        account: AccountRow,
        round_id: int,
        now_ms: Callable[[], int],
        watch: Callable[[Progress], None],
    ) -> None:
        self.counts = Counts()
        self._archive = archive
        self._account = account
        self._round_id = round_id
        self._now_ms = now_ms
        self._watch = watch
        self._batch = _Batch()
        self._expected: int | None = None
        self._seen = 0

    def take(self, step: Step) -> None:
        """Gather one step; store the batch where it ends."""
        match step:
            case Told(game):
                self._batch.tellings.append(Telling(game=game, account_id=self._account.id))
            case Unread():
                self._batch.unread.append(self._unread(step))
            case LeftOut():
                self._batch.left_out += 1
            case Checkpoint(cursor, expected):
                self._expected = expected if expected is not None else self._expected
                self.store(cursor)
        if len(self._batch) >= BATCH:
            self.store()

    def store(self, cursor: Cursor | None = None) -> None:
        """Take in the batch, and the cursor that covers everything up to here."""
        batch, self._batch = self._batch, _Batch()
        if not batch and cursor is None:
            return
        taken = take_in(
            self._archive,
            batch.tellings,
            now_ms=self._now_ms(),
            unread=batch.unread,
            cursor=None if cursor is None else AccountCursor(self._account.id, cursor),
            round_id=self._round_id,
            left_out=batch.left_out,
        )
        self._seen += len(batch)
        self.counts = add(self.counts, taken)
        self._watch(Progress(self._account.key, self._seen, self.counts, self._expected))

    def _unread(self, step: Unread) -> QuarantineItem:
        return QuarantineItem(
            source=self._account.key,
            raw=step.unreadable.raw,
            reason=step.unreadable.reason,
            position=step.unreadable.position,
            account_id=self._account.id,
            site=self._account.site,
            native_id=step.native_id,
            url=step.url,
        )


def add(one: Counts, other: Counts) -> Counts:
    """Both together."""
    return Counts(**{name: number + getattr(other, name) for name, number in asdict(one).items()})


_MEANINGS: Final[tuple[tuple[type[FetchError], Outcome], ...]] = (
    (RateLimited, Outcome.RATE_LIMITED),
    (Blocked, Outcome.BLOCKED),
    (SiteError, Outcome.DOWN),
    (Gone, Outcome.NOT_FOUND),
    (NotFound, Outcome.NOT_FOUND),
    (Incomplete, Outcome.INCOMPLETE),
    (FetchError, Outcome.FAILED),
)
"""What an error means for the schedule; the first that fits."""


def _judge(error: FetchError, *, stopped: bool) -> _Verdict:
    if stopped and isinstance(error, Incomplete):
        return _Verdict(Outcome.STOPPED)
    outcome = next(outcome for kind, outcome in _MEANINGS if isinstance(error, kind))
    seconds = error.retry_after if isinstance(error, RateLimited | SiteDown) else None
    return _Verdict(outcome, str(error), seconds)


def _record(
    transaction: Transaction, account: AccountRow, verdict: _Verdict, plan: pacing.Plan, now_ms: int
) -> None:
    """Write what the round says of the account and of its site."""
    due_ms = int(plan.due_at * 1000)
    outcome, error = verdict.outcome, verdict.error or ""
    if outcome in pacing.OF_THE_SITE:
        assert plan.not_before is not None
        gate_ms = int(plan.not_before * 1000)
        accounts.close_gate(transaction, account.site, outcome.value, gate_ms, error, now_ms)
        accounts.postpone(transaction, account.id, due_ms)
        return
    if outcome is not Outcome.STOPPED:
        accounts.open_gate(transaction, account.site, now_ms)
    if outcome is Outcome.DONE:
        accounts.record_success(transaction, account.id, now_ms, due_ms)
    elif outcome is Outcome.STOPPED:
        accounts.postpone(transaction, account.id, due_ms)
    else:
        accounts.record_failure(transaction, account.id, now_ms, due_ms, error)
        state = _new_state(account, outcome)
        if state is not None:
            accounts.set_state(transaction, account.id, state, now_ms)


def _new_state(account: AccountRow, outcome: Outcome) -> str | None:
    """The state that the evidence allows, None to leave it.

    An account that never answered is most likely mistyped, and its owner wants to hear so at once. One that did
    answer is gone only after a look a day later.
    """
    if outcome is Outcome.CLOSED:
        return "closed"
    sure = account.last_success is None or account.failures + 1 >= LOOKS_BEFORE_NOT_FOUND
    return "not_found" if outcome is Outcome.NOT_FOUND and sure else None


def _tell(report: Report) -> None:
    counts = {name: number for name, number in asdict(report.counts).items() if number}
    told = log.bind(account=report.account, **counts)
    if report.error is None:
        told.info("round " + report.outcome.value)
    else:
        again = datetime.fromtimestamp(report.due_at, UTC).isoformat(timespec="seconds")
        told.warning(report.error, outcome=report.outcome.value, again=again)
