"""The accounts of one site, one after another, until it refuses."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Event
from typing import Final

from core.sites import ACCOUNT
from daemon.archive.archive import Archive
from daemon.archive.games.counts import Counts
from daemon.archive.schedule.accounts import AccountRow
from daemon.sync import glance
from daemon.sync.gates import ordered_wait
from daemon.sync.pacing import RoundEnd
from daemon.sync.result import gate_name
from daemon.sync.sync_round import Clock, Report, Rounds
from fetchers.base import Fetcher

UNTOUCHED: Final = "stopped before its turn"


@dataclass(frozen=True, slots=True)
class Turn:
    """What an account's turn came to; *asked*: a round was made for it."""

    report: Report
    asked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns:
    """Gives each account its turn.

    Attributes:
        rounds: over the accounts of this site.
        begun: gets the key of each account before its round.
        stop: once set, those who have not had their turn get none.
        full: everything is asked for again.
    """

    archive: Archive
    fetcher: Fetcher
    rounds: Rounds
    begun: Callable[[str], None]
    stop: Event
    clock: Clock
    full: bool = False

    def of(self, chosen: Sequence[AccountRow]) -> Iterator[Turn]:
        """Glance at these accounts of the site, then ask those that may have something new; a turn for each.

        Raises:
            ArchiveError: the archive cannot be used.
        """
        sight = glance.look(self.archive, self.fetcher, chosen, self.clock, self.stop.is_set, full=self.full)
        refused = sight.refused
        for account in chosen:
            why_not = self._why_not(account, refused)
            if why_not is not None:
                yield Turn(why_not)
            elif account.id in sight.quiet:
                yield Turn(sight.quiet[account.id])
            else:
                self.begun(account.key)
                report = self.rounds.run(account, full=self.full, glance=sight.glances.get(account.id))
                refused = report if report.closes_site else None
                yield Turn(report, asked=True)

    def _why_not(self, account: AccountRow, refused: Report | None) -> Report | None:
        """The report of an account that is not to be asked; None for all others."""
        if self.stop.is_set():
            return untouched(account)
        if refused is not None:
            return Report(account.key, refused.outcome, Counts(), refused.error or "", refused.due_at)
        if account.kind == ACCOUNT:
            return None
        until = ordered_wait(self.archive, gate_name(account.site, account.kind), self.clock())
        return None if until is None else asked_to_wait(account, until, account.kind)


def untouched(account: AccountRow) -> Report:
    """The report of an account whose turn did not come."""
    return Report(account.key, RoundEnd.STOPPED, Counts(), UNTOUCHED, account.due_at / 1000)


def asked_to_wait(account: AccountRow, until: float, kind: str | None = None) -> Report:
    """The report of an account whose site, or its events of this *kind* alone, must not be asked before *until*."""
    whose = account.site if kind is None else f"{account.site} ({kind}s)"
    moment = datetime.fromtimestamp(until, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    why = f"{whose} has asked us to wait; it is not asked before {moment}"
    return Report(account.key, RoundEnd.RATE_LIMITED, Counts(), why, until, kind)
