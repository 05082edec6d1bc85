"""Decides whether a site is down, or only the request for one account has failed.

A site may fail on one account, month or event for days, or refuse it, and answer all others. So a failed
request is put down to its account while a request about nobody is answered; two different accounts in a row
are the site's fault again, since a site whose downloads are all down must not be asked for thousands of
accounts.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from daemon.sync.pacing import OF_THE_SITE, RoundEnd
from daemon.sync.result import RoundResult, judge
from fetchers.base import Fetcher
from fetchers.errors import Blocked, FetchError, Gone, NotFound, SiteDown, SiteError, SiteUnreachable

_OF_ONE: Final = {RoundEnd.DOWN: RoundEnd.FAILED, RoundEnd.BLOCKED: RoundEnd.REFUSED}
"""The outcome of one account instead of one of the site."""


def answers(fetcher: Fetcher, *, stopped: Callable[[], bool]) -> RoundResult | None:
    """Ask the site about nobody: None if it answers, else what keeps it from answering."""
    try:
        fetcher.knock()
    except (NotFound, Gone):
        return None  # that is an answer, too
    except FetchError as error:
        return judge(error, stopped=stopped())
    return None


def is_of_one(fetcher: Fetcher, error: SiteError, *, stopped: Callable[[], bool] = lambda: False) -> bool:
    """Whether the site fails on the request that brought this *error*, and answers others."""
    return (
        isinstance(error, SiteDown | SiteUnreachable | Blocked) and answers(fetcher, stopped=stopped) is None
    )


class Blame:
    """Decides whose fault it is, through the rounds of one site."""

    def __init__(self, fetcher: Fetcher, stopped: Callable[[], bool]) -> None:
        self._fetcher = fetcher
        self._stopped = stopped
        self._failed: str | None = None

    def well(self) -> None:
        """Note that an account's requests were answered."""
        self._failed = None

    def of(self, key: str, verdict: RoundResult) -> RoundResult:
        """The verdict on the round over the account *key*.

        One that closes the site only if it is the site's fault.
        """
        if verdict.outcome not in _OF_ONE:
            self._failed = None
            return verdict
        if self._failed not in {None, key}:
            self._failed = None
            return verdict
        why = answers(self._fetcher, stopped=self._stopped)
        if why is None:
            self._failed = key
            what = f"{verdict.error}; {self._fetcher.site} answers other requests, so the other accounts are asked"
            return replace(verdict, outcome=_OF_ONE[verdict.outcome], error=what)
        self._failed = None
        return why if why.outcome in OF_THE_SITE | {RoundEnd.STOPPED} else verdict
