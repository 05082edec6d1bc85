"""Finds accounts with nothing new: one request about hundreds of accounts, if a site has such a request."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from core.sites import ACCOUNT
from daemon.archive.archive import Archive
from daemon.archive.games.counts import Counts
from daemon.archive.schedule import accounts, gates
from daemon.archive.schedule.accounts import AccountRow
from daemon.logs import get_logger
from daemon.sync import pacing
from daemon.sync.blame import is_of_one
from daemon.sync.pacing import DAY, RoundEnd
from daemon.sync.result import refuse
from daemon.sync.sync_round import Clock, Report
from fetchers.base import Fetcher, Glance, Glancing
from fetchers.errors import FetchError, SiteError

log = get_logger(__name__)

ASK_ANYWAY_AFTER: Final = 7 * DAY
"""How often an account is asked for itself at least, whatever the glance says."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The result of a glance at many accounts.

    Attributes:
        quiet: Reports of the accounts that have nothing new, by id; they are noted as done.
        glances: Those of accounts to be asked for, by account id.
        refused: The report of the glance itself if the site refused it; then nobody is to be asked for.
    """

    quiet: Mapping[int, Report] = field(default_factory=dict)
    glances: Mapping[int, Glance] = field(default_factory=dict)
    refused: Report | None = None


def look(
    archive: Archive,
    fetcher: Fetcher,
    due: Sequence[AccountRow],
    clock: Clock,
    stopped: Callable[[], bool] = lambda: False,
    *,
    full: bool = False,
) -> Sight:
    """Glance at these accounts of one site, and note those that have nothing new as done.

    A site without glances, accounts never asked, with a game still being played, or not asked for a week: they are
    left to their rounds, which need not ask for a profile. *stopped*: the program itself has given up the answer;
    *full*: everything is asked for again, so nobody is quiet.

    Raises:
        ArchiveError: nothing was noted.
    """
    if not isinstance(fetcher, Glancing):
        return Sight()
    some = [account for account in due if account.kind == ACCOUNT]
    if not some:
        return Sight()
    try:
        glances = fetcher.glance([account.handle for account in some])
    except FetchError as error:
        why = None if stopped() else _refusal(fetcher, error, stopped)
        return Sight() if why is None else Sight(refused=_close(archive, some[0], why, clock()))
    seen = {account.id: glances[account.handle] for account in some if account.handle in glances}
    quiet = [
        account
        for account in some
        if not full
        and _may_be_quiet(fetcher, account, clock())
        and not _may_have_news(fetcher, account, seen.get(account.id))
    ]
    return Sight(quiet=_note(archive, quiet, seen, clock()), glances=seen)


def _refusal(fetcher: Fetcher, error: FetchError, stopped: Callable[[], bool]) -> SiteError | None:
    """What closes the site; None if it answers otherwise.

    Asking for each account works, or says what is wrong.
    """
    if isinstance(error, SiteError) and not is_of_one(fetcher, error, stopped=stopped):
        return error
    log.warning("no glance", site=fetcher.site, error=str(error))
    return None


def _may_be_quiet(fetcher: Glancing, account: AccountRow, now: float) -> bool:
    if account.kind != ACCOUNT or account.state != "active" or account.failures or account.asked_at is None:
        return False
    return now - account.asked_at / 1000 < ASK_ANYWAY_AFTER and not fetcher.waits(account.cursor)


def _may_have_news(fetcher: Glancing, account: AccountRow, glance: Glance | None) -> bool:
    if glance is None or not glance.exists or glance.closed:
        return True  # its round finds out what that means
    assert account.asked_at is not None
    # Ours may be wrong by hours; it counts only where the site gave no time.
    since = fetcher.asked_at(account.cursor) or datetime.fromtimestamp(account.asked_at / 1000, UTC)
    return glance.may_have_news(since, account.games_counted)


def _note(
    archive: Archive, quiet: Sequence[AccountRow], seen: Mapping[int, Glance], now: float
) -> dict[int, Report]:
    dues = {
        account.id: pacing.plan(
            RoundEnd.DONE, now=now, every=account.every, failures=0, key=account.key
        ).due_at
        for account in quiet
    }
    if quiet:
        with archive.writing() as connection:
            gates.open_gate(connection, quiet[0].site, int(now * 1000))
            unchanged = [accounts.Quiet(key, int(due * 1000), seen[key].games) for key, due in dues.items()]
            accounts.record_quiet(connection, unchanged, int(now * 1000))
        log.info("nothing new", site=quiet[0].site, accounts=len(quiet))
    return {
        account.id: Report(account.key, RoundEnd.DONE, Counts(), None, dues[account.id]) for account in quiet
    }


def _close(archive: Archive, first: AccountRow, error: SiteError, now: float) -> Report:
    verdict, planned = refuse(archive, first.site, error, now)
    log.warning(str(error), site=first.site, outcome=verdict.outcome.value)
    return Report(first.key, verdict.outcome, Counts(), verdict.error, planned.due_at)
