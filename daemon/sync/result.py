"""How a round ended, and what the archive notes of it."""

import math
from dataclasses import dataclass, replace
from typing import Final

from core.plurals import count_of
from core.sites import ACCOUNT
from daemon.archive.archive import Archive, Connection
from daemon.archive.games.counts import Counts
from daemon.archive.schedule import accounts, gates
from daemon.archive.schedule.accounts import AccountRow
from daemon.sync import pacing
from daemon.sync.pacing import RoundEnd
from fetchers.base import AccountProfile
from fetchers.errors import (
    Blocked,
    FetchError,
    Gone,
    Incomplete,
    NotFound,
    NotShown,
    RateLimited,
    SiteDown,
    SiteError,
)

LOOKS_BEFORE_NOT_FOUND: Final = 3
"""How many looks it takes, the last more than a day after the first, until a known account counts as gone."""

LEAST_SHARE: Final = 0.9
MOST_MISSING: Final = 10
"""A site's own count may be a little off. A tenth of it missing, and more than ten games, is too much."""

DOUBTS_UNTIL_BELIEVED: Final = 10
"""Answers with too few games are believed after this many complete ones in a row: they take most of a day."""

_NONE_READ: Final = "no game could be read: "

_MEANINGS: Final[tuple[tuple[type[FetchError], RoundEnd], ...]] = (
    (RateLimited, RoundEnd.RATE_LIMITED),
    (Blocked, RoundEnd.BLOCKED),
    (SiteError, RoundEnd.DOWN),
    (Gone, RoundEnd.NOT_FOUND),
    (NotFound, RoundEnd.NOT_FOUND),
    (NotShown, RoundEnd.REFUSED),
    (Incomplete, RoundEnd.INCOMPLETE),
    (FetchError, RoundEnd.FAILED),
)
"""What an error means for the schedule; the first that fits."""


@dataclass(frozen=True, slots=True)
class RoundResult:
    """How a round ended.

    Attributes:
        error: A sentence for the user; None if all is well.
        retry_after: Seconds that the site asked us to wait.
        profile: What the site says of the account, if it was asked.
        asked_at: When a complete round began (ms).
        games_counted: By the site, before that round.
        quiet_s: For how long the site expects nothing new.
        kind: Of the events that the site limits apart from all else; None if all of the site is concerned.
    """

    outcome: RoundEnd
    error: str | None = None
    retry_after: float | None = None
    profile: AccountProfile | None = None
    asked_at: int | None = None
    games_counted: int | None = None
    quiet_s: float = 0.0
    kind: str | None = None


def judge(error: FetchError, *, stopped: bool) -> RoundResult:
    """What an error means for the schedule; *stopped*: we ourselves wanted the round to end."""
    if stopped and isinstance(error, Incomplete):
        return RoundResult(RoundEnd.STOPPED)
    outcome = next(outcome for kind, outcome in _MEANINGS if isinstance(error, kind))
    kind = error.kind if isinstance(error, RateLimited) else None
    return RoundResult(outcome, str(error), _ordered_wait(error), kind=kind)


def _ordered_wait(error: FetchError) -> float | None:
    """Seconds that the site itself asked us to wait.

    A least wait of ours must not keep the waits from growing.
    """
    if isinstance(error, RateLimited):
        return error.retry_after if error.stated else None
    return error.retry_after if isinstance(error, SiteDown) else None


def owned(account: AccountRow, verdict: RoundResult) -> RoundResult:
    """The verdict with what the profile says of the account's owner: closed, or renamed."""
    profile = verdict.profile
    if profile is None or verdict.outcome is not RoundEnd.DONE:
        return verdict
    if profile.state == "closed":
        return replace(verdict, outcome=RoundEnd.CLOSED, error=closed(account))
    if profile.handle != account.handle:
        what = f"{account.display} is called {profile.display} now; put that into the configuration"
        return replace(verdict, error=what)
    return verdict


def closed(account: AccountRow) -> str:
    """The sentence for a closed account."""
    return f"the account {account.display} is closed; its games stay here"


def unknown(account: AccountRow) -> RoundResult:
    """The verdict on an account that its site does not know."""
    return RoundResult(RoundEnd.NOT_FOUND, f"{account.site} knows no account {account.display}")


def taken_over(account: AccountRow, profile: AccountProfile) -> RoundResult | None:
    """The verdict if the handle now belongs to somebody else: nothing of theirs is taken in. None if not."""
    if None in (account.permanent_id, profile.permanent_id) or account.permanent_id == profile.permanent_id:
        return None
    what = f"{account.display} belongs to another account now (its id on {account.site} changed)"
    return RoundResult(RoundEnd.NOT_FOUND, f"{what}; the new owner's games are not taken in")


def is_suspect(account: AccountRow) -> bool:
    """Whether the account was missing when last asked for. Then its handle may have another owner by now."""
    return account.permanent_id is not None and account.looked_at is None


def doubted(account: AccountRow, doubt: str) -> str:
    """The sentence for a complete answer that cannot be all there is (`fetchers.base.Checkpoint.doubt`)."""
    sentence = f"{account.site} gives {doubt} for {account.display}"
    return f"{sentence}; that cannot be all: what is stored stays, and it is asked again"


def shortfall(account: AccountRow, *, seen: int, counted: int, stored: int) -> str | None:
    """What is odd about so many games when everything was asked for; None if nothing is.

    Args:
        account: *failures* is how often this was odd before: in the end few games are believed, none are not.
        seen: Games in the site's answers.
        counted: By the site's profile of the account.
        stored: From the account in earlier rounds.
    """
    least = max(counted, stored)
    few = seen < LEAST_SHARE * least and least - seen > MOST_MISSING
    if not least or (seen and (not few or account.failures >= DOUBTS_UNTIL_BELIEVED)):
        return None
    whose = "that it counts" if counted >= stored else "that it gave before"
    return f"{seen or 'none'} of the {count_of(least, 'game')} {whose}"


def unread(account: AccountRow, counts: Counts, reason: str | None) -> str | None:
    """The sentence for a round in which no game could be read. It stays until a round reads one again."""
    if counts.read and counts.quarantined == counts.read:
        which = "the only one" if counts.read == 1 else f"all {counts.read}"
        what = f"{which} that {account.site} gave for {account.display} went to quarantine"
        return f"{_NONE_READ}{what}: {reason}"
    silent = not counts.read and account.error is not None and account.error.startswith(_NONE_READ)
    return account.error if silent else None


def plan(
    connection: Connection, account: AccountRow, verdict: RoundResult, counts: Counts, now: float
) -> pacing.NextTime:
    """When the account is due again, see `daemon.sync.pacing`."""
    if verdict.outcome in pacing.OF_THE_SITE:
        gate = gates.gate(connection, gate_name(account.site, verdict.kind))
        failures = gate.refusals(verdict.outcome.value, int(now * 1000))
    elif counts.new and verdict.outcome is RoundEnd.INCOMPLETE:
        failures = 1  # it got on: a long download that is cut again and again must not wait for hours
    else:
        failures = account.failures + 1
    return pacing.plan(
        verdict.outcome,
        now=now,
        every=max(account.every, verdict.quiet_s),
        failures=failures,
        retry_after=verdict.retry_after,
        key=account.key,
    )


def record(
    connection: Connection, account: AccountRow, verdict: RoundResult, planned: pacing.NextTime, now_ms: int
) -> None:
    """Store what the round says of the account and of its site."""
    due_ms = int(planned.due_at * 1000)
    if verdict.outcome in pacing.OF_THE_SITE:
        record_site(connection, account.site, verdict, planned, now_ms)
        accounts.postpone(connection, account.id, due_ms)
        if verdict.kind is not None:
            accounts.postpone_kind(connection, account.site, verdict.kind, due_ms, verdict.error or "")
        return
    if verdict.profile is not None:
        _record_profile(connection, account, verdict.profile, now_ms)
    if verdict.outcome is RoundEnd.STOPPED:
        accounts.postpone(connection, account.id, due_ms)
        return
    gates.open_gate(connection, account.site, now_ms)
    if verdict.asked_at is not None:
        state = _state_when_answered(account, verdict)
        accounts.record_asked(connection, account.id, verdict.asked_at, verdict.games_counted)
        accounts.record_success(connection, account.id, now_ms, due_ms, state=state, error=verdict.error)
        if account.kind != ACCOUNT:
            gates.open_gate(connection, gate_name(account.site, account.kind), now_ms)
        return
    accounts.record_failure(connection, account.id, now_ms, due_ms, verdict.error or "")
    if verdict.outcome is RoundEnd.NOT_FOUND:
        accounts.forget_look(connection, account.id)
    state_now = _state_when_missing(connection, account, verdict.outcome)
    if state_now is not None:
        accounts.set_state(connection, account.id, state_now, now_ms)


def gate_name(site: str, kind: str | None) -> str:
    """The gate of a site; for a *kind* of events that it limits apart, ``lichess/broadcast``."""
    return site if kind is None else f"{site}/{kind}"


def refuse(archive: Archive, site: str, error: SiteError, now: float) -> tuple[RoundResult, pacing.NextTime]:
    """Close the site for everybody after an answer that concerned no single account (a glance, a profile)."""
    verdict = judge(error, stopped=False)
    with archive.writing() as connection:
        gate = gates.gate(connection, site)
        planned = pacing.plan(
            verdict.outcome,
            now=now,
            every=0,
            failures=gate.refusals(verdict.outcome.value, int(now * 1000)),
            retry_after=verdict.retry_after,
        )
        record_site(connection, site, verdict, planned, int(now * 1000))
    return verdict, planned


def record_site(
    connection: Connection, site: str, verdict: RoundResult, planned: pacing.NextTime, now_ms: int
) -> None:
    """Close the site for all accounts, for as long as was planned."""
    assert planned.not_before is not None
    gate_ms = math.ceil(planned.not_before * 1000)  # not a part of a millisecond too early
    gate = gate_name(site, verdict.kind)
    gates.close_gate(connection, gate, verdict.outcome.value, gate_ms, verdict.error or "", now_ms)


def _record_profile(
    connection: Connection, account: AccountRow, profile: AccountProfile, now_ms: int
) -> None:
    """Store what the profile says; the same permanent id under an older handle is a renamed account."""
    accounts.record_profile(connection, account.id, profile.display, profile.permanent_id, now_ms)
    if profile.permanent_id is None or profile.handle != account.handle:
        return
    for older in accounts.namesakes(connection, account, profile.permanent_id):
        accounts.set_state(connection, older.id, "renamed", now_ms)


def _state_when_answered(account: AccountRow, verdict: RoundResult) -> str:
    if verdict.outcome is RoundEnd.CLOSED:
        return "closed"
    profile = verdict.profile
    return "renamed" if profile is not None and profile.handle != account.handle else "active"


def _state_when_missing(connection: Connection, account: AccountRow, outcome: RoundEnd) -> str | None:
    """The state that the evidence allows, None to leave it.

    An account that never answered is most likely mistyped, and its owner wants to hear so at once. One that
    did answer is gone only after a look a day later; it is renamed if another handle has its permanent id.
    """
    if outcome is RoundEnd.CLOSED:
        return "closed"
    if outcome is not RoundEnd.NOT_FOUND:
        return None
    if account.permanent_id and accounts.namesakes(connection, account, account.permanent_id):
        return "renamed"
    sure = account.last_success is None or account.failures + 1 >= LOOKS_BEFORE_NOT_FOUND
    return "not_found" if sure else None
