"""One round: ask a site for an account's new games, take them in, and say when to ask again."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from threading import Event
from typing import Final

from core.sites import ACCOUNT
from daemon.archive.archive import Archive
from daemon.archive.games.counts import Counts
from daemon.archive.schedule import accounts, rounds
from daemon.archive.schedule.accounts import AccountRow
from daemon.archive.tables.words import RoundOutcome
from daemon.logs import get_logger
from daemon.sync.batch import Progress, RoundBatches
from daemon.sync.blame import Blame
from daemon.sync.pacing import DAY, OF_THE_SITE, RoundEnd
from daemon.sync.result import (
    RoundResult,
    closed,
    doubted,
    is_suspect,
    judge,
    owned,
    plan,
    record,
    shortfall,
    taken_over,
    unknown,
    unread,
)
from fetchers.base import AccountProfile, Checkpoint, Fetcher, Following, Glance, Step
from fetchers.errors import FetchError, Gone, NotFound

log = get_logger(__name__)

Clock = Callable[[], float]
"""Seconds since 1970."""

LOOK_EVERY: Final = 7 * DAY
"""Seconds between two looks at the profile of an account that answers."""

_ENDINGS: Final[dict[RoundEnd, RoundOutcome]] = {
    RoundEnd.DONE: "done",
    RoundEnd.STOPPED: "stopped",
    RoundEnd.INCOMPLETE: "incomplete",
}


@dataclass(frozen=True, slots=True)
class _ProfileLook:
    """The result of a look at the profile.

    Attributes:
        profile: What it says; None if it was not looked at, or failed.
        verdict: The round's; None if the games are to be asked for.
        doubt: Why the profile failed, although the site answers.
    """

    profile: AccountProfile | None = None
    verdict: RoundResult | None = None
    doubt: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a round.

    Attributes:
        error: A sentence for the user; None if all is well.
        due_at: When the account is due again, seconds since 1970.
        kind: Of the events that the site limits apart from all else; None if all of it is concerned.
    """

    account: str
    outcome: RoundEnd
    counts: Counts
    error: str | None
    due_at: float
    kind: str | None = None

    @property
    def closes_site(self) -> bool:
        """Whether nothing of the site may be asked for now."""
        return self.outcome in OF_THE_SITE and self.kind is None


class Rounds:
    """The rounds of one site, one after another.

    Args:
        archive: Where the games go.
        fetcher: Asks the site.
        stop: Once set, a round ends after its present game; what came before is stored.
        watch: Gets the progress after each batch.
        clock: Seconds since 1970.
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
        self._blame = Blame(fetcher, stop.is_set)

    def run(self, account: AccountRow, *, full: bool = False, glance: Glance | None = None) -> Report:
        """Ask for everything new of *account* (for everything at all if *full*) and store it.

        Args:
            account: An account or an event, as the archive has it.
            full: Ask for everything again.
            glance: What the site said of the account a moment ago.

        Raises:
            ArchiveError: the archive could not take it. The cursor is not ahead of what is stored.
        """
        asked_at = self._now_ms()
        round_id = self._begin(account)
        gathering = RoundBatches(self._archive, account, round_id, self._now_ms, self._watch)
        verdict = self._verdict(account, gathering, glance, full=full)
        if verdict.outcome is RoundEnd.DONE:
            counted = None if glance is None else glance.games
            verdict = replace(verdict, asked_at=asked_at, games_counted=counted)
        report = self._end(account, round_id, owned(account, verdict), gathering)
        self._unended.remove(round_id)
        _log_report(report)
        return report

    def _now_ms(self) -> int:
        return int(self._clock() * 1000)

    def _begin(self, account: AccountRow) -> int:
        now = self._now_ms()
        with self._archive.writing() as connection:
            # Rounds whose end could not be written, since the disk was full, say.
            for round_id in self._unended:
                rounds.end_round(connection, round_id, "failed", "the archive could not be written", now)
            self._unended.clear()
            accounts.record_attempt(connection, account.id, now)
            round_id = rounds.begin_round(connection, "sync", account.key, account.id, now)
        self._unended.append(round_id)
        return round_id

    def _verdict(
        self, account: AccountRow, gathering: RoundBatches, glance: Glance | None, *, full: bool
    ) -> RoundResult:
        look = self._look(account, glance, full=full)
        if look.verdict is not None:
            return look.verdict
        try:
            if look.profile is not None:
                self._expect(account, gathering, look.profile, full=full)
            finished = self._download(account, gathering, full=full)
        except (NotFound, Gone) as error:
            return self._missing(account, look.profile, error)
        except FetchError as error:
            return replace(self._judged(account, error, known=look.doubt), profile=look.profile)
        self._blame.well()
        if not finished:
            return RoundResult(RoundEnd.STOPPED, profile=look.profile)
        doubt = gathering.doubt or self._shortfall(account, gathering, look.profile, full=full)
        if doubt is not None:
            return self._doubted(account, doubt, look.profile)
        seen = unread(account, gathering.counts, gathering.reason) or look.doubt
        return RoundResult(RoundEnd.DONE, seen, profile=look.profile, quiet_s=gathering.quiet_s)

    def _shortfall(
        self, account: AccountRow, gathering: RoundBatches, profile: AccountProfile | None, *, full: bool
    ) -> str | None:
        """What is odd if everything was asked for and far less came than there must be; else None."""
        if account.kind != ACCOUNT or not (full or account.last_success is None):
            return None
        counted = (profile.games if profile is not None else None) or 0
        with self._archive.reading() as connection:
            stored = accounts.count_downloads(connection, account.id)
        if full:
            return shortfall(account, seen=gathering.seen, counted=counted, stored=stored)
        # A first round may go on that was broken off: what it tells twice counts once.
        seen = stored + gathering.counts.quarantined
        return shortfall(account, seen=seen, counted=counted, stored=0)

    def _doubted(self, account: AccountRow, doubt: str, profile: AccountProfile | None) -> RoundResult:
        """The verdict on a complete answer that cannot be all there is.

        The first time, ask whether the account is closed.
        """
        if account.kind == ACCOUNT and profile is None and not account.failures:
            try:
                profile = self._fetcher.profile(account.handle)
            except (NotFound, Gone):
                return unknown(account)
            except FetchError as error:
                log.warning("no profile", account=account.key, error=str(error))
        if profile is not None and profile.state == "closed":
            return RoundResult(RoundEnd.CLOSED, closed(account), profile=profile)
        return RoundResult(RoundEnd.INCOMPLETE, doubted(account, doubt), profile=profile)

    def _judged(self, account: AccountRow, error: FetchError, *, known: str | None = None) -> RoundResult:
        """What an error means; *known*.

        It is already known that the site is well and fails on this account.
        """
        verdict = judge(error, stopped=self._stop.is_set())
        if known is not None and verdict.outcome is RoundEnd.DOWN:
            return replace(verdict, outcome=RoundEnd.FAILED, error=known)
        return self._blame.of(account.key, verdict)

    def _look(self, account: AccountRow, glance: Glance | None, *, full: bool) -> _ProfileLook:
        """Look at the profile if it is time for it. If it fails, the games are asked for all the same."""
        if not self._is_time_to_look(account, full=full):
            return _ProfileLook()
        if glance is not None and glance.profile is not None:
            return _ProfileLook(glance.profile, taken_over(account, glance.profile))
        try:
            profile = self._fetcher.profile(account.handle)
        except (NotFound, Gone):
            self._blame.well()
            return _ProfileLook(verdict=unknown(account))
        except FetchError as error:
            verdict = self._judged(account, error)
            its_own = verdict.outcome in {RoundEnd.FAILED, RoundEnd.INCOMPLETE}
            if its_own and not is_suspect(account):
                return _ProfileLook(doubt=verdict.error)
            return _ProfileLook(verdict=verdict)
        return _ProfileLook(profile, taken_over(account, profile))

    def _expect(
        self, account: AccountRow, gathering: RoundBatches, profile: AccountProfile, *, full: bool
    ) -> None:
        """If everything is asked for, note how many games that is, and how many came in earlier attempts."""
        if full:
            gathering.expect(profile.games, seen=0)
        elif account.last_success is None:
            with self._archive.reading() as connection:
                gathering.expect(profile.games, seen=accounts.count_downloads(connection, account.id))

    def _is_time_to_look(self, account: AccountRow, *, full: bool) -> bool:
        """Whether to look: until the first round is complete, then every week."""
        if account.kind != ACCOUNT:
            return False
        if full or account.last_success is None or account.looked_at is None:
            return True
        return self._clock() - account.looked_at / 1000 >= LOOK_EVERY

    def _download(self, account: AccountRow, gathering: RoundBatches, *, full: bool) -> bool:
        """Take in what the site sends; True if it was complete, False if we were stopped."""
        with closing(self._steps(account, full=full)) as steps:  # type: ignore[type-var] # they are generators
            try:
                for step in steps:
                    gathering.take(step)
                    # A checkpoint may come just before an error, and a 429 must not be missed.
                    if self._stop.is_set() and not isinstance(step, Checkpoint):
                        return False
            finally:
                # What came before an error is good. Its cursor comes with the next checkpoint.
                gathering.store()
        return True

    def _steps(self, account: AccountRow, *, full: bool) -> Iterator[Step]:
        now = datetime.fromtimestamp(self._clock(), UTC)
        if account.kind == ACCOUNT:
            return self._fetcher.games(account.handle, account.cursor, now=now, full=full)
        if not isinstance(self._fetcher, Following):
            raise FetchError(f"{account.site} has no events that could be followed")
        events = self._fetcher.events
        return events.games(account.kind, account.event_id, account.cursor, now=now, full=full)

    def _missing(
        self, account: AccountRow, profile: AccountProfile | None, missing: FetchError
    ) -> RoundResult:
        """The verdict after a 404, which alone says little: the profile decides."""
        if account.kind != ACCOUNT:
            return RoundResult(
                RoundEnd.NOT_FOUND, f"{account.site} shows no {account.kind} {account.event_id}"
            )
        try:
            profile = profile or self._fetcher.profile(account.handle)
        except (NotFound, Gone):
            return unknown(account)
        except FetchError as error:
            return self._judged(account, error)
        if profile.state == "closed":
            return RoundResult(RoundEnd.CLOSED, closed(account), profile=profile)
        what = f"{account.site} gives no games though the account exists: {missing}"
        return RoundResult(RoundEnd.INCOMPLETE, what, profile=profile)

    def _end(
        self, account: AccountRow, round_id: int, verdict: RoundResult, gathering: RoundBatches
    ) -> Report:
        """Store the round's end and the account's next time, in one transaction."""
        now = self._clock()
        counts = gathering.counts
        with self._archive.writing() as connection:
            counted = gathering.counts.read or gathering.counts.left_out
            # That of a chess.com account of many years has 20 KB, and a quiet round does not change it.
            if gathering.cursor is not None and (counted or gathering.cursor != account.cursor):
                accounts.store_cursor(connection, account.id, gathering.cursor)
            planned = plan(connection, account, verdict, counts, now)
            record(connection, account, verdict, planned, int(now * 1000))
            ending = "done" if verdict.asked_at is not None else _ENDINGS.get(verdict.outcome, "failed")
            rounds.end_round(connection, round_id, ending, verdict.error, int(now * 1000))
        return Report(account.key, verdict.outcome, counts, verdict.error, planned.due_at, verdict.kind)


def _log_report(report: Report) -> None:
    counts = {name: number for name, number in asdict(report.counts).items() if number}
    seen = log.bind(account=report.account, **counts)
    if report.error is None:
        seen.info("round " + report.outcome.value)
    else:
        again = datetime.fromtimestamp(report.due_at, UTC).isoformat(timespec="seconds")
        seen.warning(report.error, outcome=report.outcome.value, again=again)
