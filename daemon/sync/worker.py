"""One worker for each site: a site never sees two requests of ours at once."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from threading import Event, Lock
from typing import Final

from daemon.archive.archive import Archive
from daemon.archive.errors import ArchiveError
from daemon.archive.schedule import accounts, gates
from daemon.archive.schedule.accounts import AccountRow
from daemon.events import News
from daemon.logs import get_logger
from daemon.sync import pacing
from daemon.sync.batch import Progress
from daemon.sync.gates import gate_until
from daemon.sync.progress_events import SyncNews
from daemon.sync.sync_round import Clock, Rounds
from daemon.sync.turns import Turns
from fetchers.base import Fetcher, Glancing

log = get_logger(__name__)

AT_ONCE: Final = 300
"""Due accounts that are taken up together: as many as one glance at lichess allows."""

PROGRESS_EVERY: Final = 60.0
"""Seconds between two lines of the log about one long round."""

_NO_JUMP: Final = 2.0
"""Seconds by which clocks are corrected all the time."""

PAUSE_AFTER_ARCHIVE_ERROR: Final = 60.0
"""Seconds without rounds after the archive could not be written (a full disk): it heals, or a person must help."""


class SiteWorker:
    """Works through the due accounts of one site, in a thread of its own, whenever it is poked.

    Args:
        lock: Of this site among all processes of this archive; yields whether it is held
            (`daemon.sync.site_lock`).
        news: Hears of each round. None: nobody listens.
    """

    def __init__(
        self,
        site: str,
        archive: Archive,
        fetcher: Fetcher,
        *,
        lock: Callable[[], AbstractContextManager[bool]],
        stop: Event,
        clock: Clock,
        news: News | None = None,
    ) -> None:
        self.site = site
        self._archive = archive
        self._turns = Turns(
            archive=archive,
            fetcher=fetcher,
            rounds=Rounds(archive, fetcher, stop=stop, clock=clock, watch=self._publish_progress),
            begun=self._publish_begin,
            stop=stop,
            clock=clock,
        )
        self._news = SyncNews(news or News())
        self._ahead = pacing.SPREAD if isinstance(fetcher, Glancing) else 0.0
        self._lock = lock
        self._stop = stop
        self._clock = clock
        self._threads = ThreadPoolExecutor(1, thread_name_prefix=site)
        self._turn = Lock()  # the ticker pokes while a reload closes
        self._work: Future[None] | None = None
        self._not_before = 0.0
        self._published_at = 0.0

    def poke(self) -> None:
        """Look for due accounts, unless that is being done already. Returns at once."""
        with self._turn:
            busy = self._work is not None and not self._work.done()
            if not busy and not self._stop.is_set():
                self._work = self._threads.submit(self._work_through)

    def close(self) -> None:
        """End the running round after its present game, and wait for it."""
        with self._turn:
            self._stop.set()
        self._threads.shutdown(wait=True)

    def _work_through(self) -> None:
        """Round after round until nothing is due. The last place for errors: a worker never dies."""
        try:
            # A pause that lies further ahead than any is one before the clock was set back.
            pausing = 0 < self._not_before - self._clock() <= PAUSE_AFTER_ARCHIVE_ERROR
            if not pausing and self._is_any_due():
                with self._lock() as held:
                    if held:  # else a `gamekeeper sync` is at it; the next tick tries again
                        while self._rounds_in_turn(self._due()):
                            pass
        except ArchiveError as error:
            self._not_before = self._clock() + PAUSE_AFTER_ARCHIVE_ERROR
            log.error("the archive cannot be used", site=self.site, error=str(error))  # noqa: TRY400 - one sentence
        except Exception:
            self._not_before = self._clock() + PAUSE_AFTER_ARCHIVE_ERROR
            log.exception("a round broke off; please report this", site=self.site)

    def _rounds_in_turn(self, due: Sequence[AccountRow]) -> bool:
        """Give these accounts their turns. True if there may be more to do."""
        refused = False
        for turn in self._turns.of(due):
            refused = refused or turn.report.closes_site
            if turn.asked:
                self._news.ended(turn.report)
        return len(due) == AT_ONCE and not refused and not self._stop.is_set()

    def _publish_begin(self, account: str) -> None:
        log.info("round begins", account=account)
        self._published_at = self._clock()
        self._news.begun(account)

    def _publish_progress(self, now: Progress) -> None:
        self._news.running(now)
        if abs(self._clock() - self._published_at) >= PROGRESS_EVERY:
            self._published_at = self._clock()
            log.info("round goes on", account=now.account, games=now.seen, of=now.expected)

    def _is_any_due(self) -> bool:
        now = self._clock()
        with self._archive.reading() as connection:
            is_open = gate_until(gates.gate(connection, self.site), now) is None
            return is_open and accounts.is_any_due(connection, self.site, int(now * 1000))

    def _due(self) -> Sequence[AccountRow]:
        """The due accounts, longest waiting first; not all of them at once: cursors may be long.

        Where one request asks for hundreds, those that are nearly due go with them: else thousands of accounts would
        make a small request, and a transaction, at every tick.
        """
        now = self._clock()
        with self._archive.reading() as connection:
            if gate_until(gates.gate(connection, self.site), now) is not None:
                return []
            return accounts.due(connection, self.site, int(now * 1000), AT_ONCE, ahead=self._ahead)


def heal_schedule(archive: Archive, clock: Clock, *, back: float = 0.0) -> int:
    """Bring the schedule to a clock that was set back. Returns how many accounts are due at another time.

    Args:
        archive: Has the schedule.
        clock: Seconds since 1970.
        back: By how many seconds the clock was set back, if that was seen. A round in the future shows it,
            too.

    All that was planned comes as much earlier; what is still further ahead than any plan puts it is due now.
    """
    now = clock()
    with archive.writing() as connection:
        rows = accounts.all_accounts(connection, active=True)
        back = max(back, 0.0, *((row.last_attempt or 0) / 1000 - now for row in rows))
        earlier_ms = int(back * 1000) if back > _NO_JUMP else 0
        if earlier_ms:
            accounts.shift_back(connection, earlier_ms, int(now * 1000))
        astray = [
            row
            for row in rows
            if pacing.heal(row.due_at / 1000, now=now, every=row.every) != row.due_at / 1000
        ]
        for account in astray:
            accounts.postpone(connection, account.id, int(now * 1000))
    return len(rows) if earlier_ms else len(astray)
