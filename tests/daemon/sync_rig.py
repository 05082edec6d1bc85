"""A bench for rounds: one archive, both emulated sites, a clock that can be set."""

import threading
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime

from core.sites import ACCOUNT
from daemon.archive.archive import Archive
from daemon.archive.reading.totals import totals
from daemon.archive.schedule import accounts
from daemon.archive.schedule.accounts import AccountRow
from daemon.config.configured import ConfiguredAccount
from daemon.sync.batch import Progress
from daemon.sync.glance import Sight, look
from daemon.sync.sync_round import Report, Rounds
from fetchers.base import Fetcher, Glance
from fetchers.http.responses import AnswerLimits
from fetchers.registry import build
from tests.fetchers.site_emulator.emulator import Emulator

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp()
EVERY = 1800


class Bench:
    """See above. *progress* is what the rounds told while they ran."""

    def __init__(self, archive: Archive, sites: Emulator) -> None:
        self.archive = archive
        self.sites = sites
        self.now = NOW
        self.stop = threading.Event()
        self.progress: list[Progress] = []
        sites.clock = lambda: self.now

    def account(self, key: str) -> AccountRow:
        """The account or event (``lichess:study/AbCd1234``), configured where it is not yet."""
        site, _, handle = key.partition(":")
        kind, slash, _ = handle.partition("/")
        self.configure(
            ConfiguredAccount(site, handle, handle, mine=False, every=EVERY, kind=kind)
        ) if slash else (
            self.configure(ConfiguredAccount(site, handle.lower(), handle, mine=False, every=EVERY))
        )
        with self.archive.reading() as connection:
            row = accounts.account(connection, key if slash else key.lower())
        assert row is not None
        return row

    def configure(self, *wanted: ConfiguredAccount) -> None:
        """Let these be configured beside those that are."""
        with self.archive.writing() as connection:
            known = [
                ConfiguredAccount(row.site, row.handle, row.display, row.mine, row.every, row.kind)
                for row in accounts.all_accounts(connection)
            ]
            accounts.sync_accounts(connection, [*known, *wanted])

    def fetcher(self, site: str) -> Fetcher:
        """The fetcher of the emulated site; the caller closes it."""
        return build(
            site,
            contact="tests@example.org",
            version="1",
            base_url={"lichess": self.sites.lichess_url, "chesscom": self.sites.chesscom_url}[site],
            limits=AnswerLimits(retry_wait_s=0.01),
            stop=self.stop.is_set,
        )

    def run(
        self,
        key: str,
        *,
        full: bool = False,
        glance: Glance | None = None,
        watch: Callable[[Progress], None] | None = None,
    ) -> Report:
        """One round."""
        account = self.account(key)
        with closing(self.fetcher(account.site)) as fetcher:
            rounds = Rounds(
                self.archive,
                fetcher,
                stop=self.stop,
                clock=lambda: self.now,
                watch=watch or self.progress.append,
            )
            return rounds.run(account, full=full, glance=glance)

    def look(self, site: str = "lichess") -> Sight:
        """One glance at all accounts of the site."""
        with self.archive.reading() as connection:
            rows = [
                row for row in accounts.all_accounts(connection) if row.site == site and row.kind == ACCOUNT
            ]
        with closing(self.fetcher(site)) as fetcher:
            return look(self.archive, fetcher, rows, lambda: self.now)

    def games(self) -> int:
        """How many games the archive has."""
        with self.archive.reading() as connection:
            return totals(connection)["games"]
