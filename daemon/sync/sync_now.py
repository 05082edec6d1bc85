"""Downloads now, due or not, as `gamekeeper sync` does.

Sites side by side, their accounts one after another.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from threading import Event

from daemon.archive.archive import Archive
from daemon.archive.schedule import accounts
from daemon.archive.schedule.accounts import AccountRow
from daemon.config import Config
from daemon.sync.batch import Progress
from daemon.sync.build import build_fetcher
from daemon.sync.gates import ordered_wait
from daemon.sync.site_lock import site_lock
from daemon.sync.sync_round import Clock, Report, Rounds
from daemon.sync.turns import Turns, asked_to_wait, untouched
from fetchers.base import Fetcher


@dataclass(frozen=True, slots=True)
class Watch:
    """Listens to the progress; called from several threads.

    Attributes:
        begun: A round over this account begins.
        progress: A batch is stored.
        ended: A round is over, or was not begun (its counts are zero then).
        waiting: Another process (the daemon) is asking this site; we wait for it.
    """

    begun: Callable[[str], None]
    progress: Callable[[Progress], None]
    ended: Callable[[Report], None]
    waiting: Callable[[str], None]


def sync(
    archive: Archive,
    config: Config,
    chosen: Sequence[AccountRow],
    *,
    full: bool,
    stop: Event,
    watch: Watch,
    clock: Clock,
) -> list[Report]:
    """Ask for the new games of these accounts; returns one report each, in the order of *chosen*.

    A site is not asked within a wait that it has ordered.

    Raises:
        ArchiveError: the archive cannot be used.
        ConfigErrors: a token cannot be read, or there is no contact.
    """
    by_site: dict[str, list[AccountRow]] = {}
    for account in chosen:
        by_site.setdefault(account.site, []).append(account)
    jobs = [
        _SiteAccounts(archive, config, site, full=full, stop=stop, watch=watch, clock=clock)
        for site in by_site
    ]
    with ThreadPoolExecutor(max(len(jobs), 1), thread_name_prefix="sync") as threads:
        futures = [threads.submit(job.run, by_site[job.site]) for job in jobs]
        try:
            reports = [report for future in futures for report in future.result()]
        except BaseException:
            stop.set()  # one site's failure is the archive's: the others must not go on for hours
            raise
    order = {account.key: number for number, account in enumerate(chosen)}
    return sorted(reports, key=lambda report: order[report.account])


class _SiteAccounts:
    """The accounts of one site, one after another."""

    def __init__(
        self,
        archive: Archive,
        config: Config,
        site: str,
        *,
        full: bool,
        stop: Event,
        watch: Watch,
        clock: Clock,
    ) -> None:
        self.site = site
        self._archive = archive
        self._config = config
        self._full = full
        self._stop = stop
        self._watch = watch
        self._clock = clock

    def run(self, chosen: Iterable[AccountRow]) -> list[Report]:
        """A report for each account."""
        rest = list(chosen)
        until = ordered_wait(self._archive, self.site, self._clock())
        if until is not None:
            return [self._ended(asked_to_wait(account, until)) for account in rest]
        with (
            site_lock(self._config.data_dir, self.site, self._wait) as held,
            closing(build_fetcher(self._config, self.site, stop=self._stop.is_set)) as fetcher,
        ):
            if not held:
                return [self._ended(untouched(account)) for account in rest]
            turns = self._turns(fetcher).of(self._as_they_are(rest))
            return [self._ended(turn.report) for turn in turns]

    def _turns(self, fetcher: Fetcher) -> Turns:
        watch = self._watch
        rounds = Rounds(self._archive, fetcher, stop=self._stop, clock=self._clock, watch=watch.progress)
        return Turns(
            archive=self._archive,
            fetcher=fetcher,
            rounds=rounds,
            begun=watch.begun,
            stop=self._stop,
            clock=self._clock,
            full=self._full,
        )

    def _ended(self, report: Report) -> Report:
        self._watch.ended(report)
        return report

    def _as_they_are(self, chosen: Sequence[AccountRow]) -> list[AccountRow]:
        """The accounts read again: the daemon may have moved their cursors while we waited for it.

        Those that failed when they were asked last come last: two of them in a row may close the site.
        """
        with self._archive.reading() as connection:
            now = {row.id: row for row in accounts.all_accounts(connection)}
        return sorted((now[account.id] for account in chosen), key=lambda account: account.failures > 0)

    def _wait(self) -> bool:
        self._watch.waiting(self.site)
        return not self._stop.wait(0.5)
