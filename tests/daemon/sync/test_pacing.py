"""Pacing: the table in `daemon.sync.pacing` holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.sync.pacing import (
    DAY,
    HOUR,
    MINUTE,
    OF_THE_SITE,
    SPREAD,
    NextTime,
    RoundEnd,
    heal,
    heal_gate,
    least_interval,
    plan,
)

NOW = 1_700_000_000.0
EVERY = 30 * MINUTE


def _plan(
    outcome: RoundEnd, failures: int = 1, retry_after: float | None = None, every: float = EVERY
) -> NextTime:
    return plan(
        outcome, now=NOW, every=every, failures=failures, retry_after=retry_after, key="lichess:mrossi90"
    )


def test_done_comes_back_after_its_interval_and_a_share_of_it() -> None:
    """An account that was done is put off by its interval and at most a tenth of it (changedetection#2355)."""
    wait = _plan(RoundEnd.DONE, failures=0).due_at - NOW

    assert EVERY <= wait <= EVERY * (1 + SPREAD)


def test_accounts_added_together_do_not_fall_due_together() -> None:
    """Fifty accounts with one interval have fifty due times (changedetection#580)."""
    dues = {
        plan(RoundEnd.DONE, now=NOW, every=EVERY, failures=0, key=f"lichess:p{n}").due_at for n in range(50)
    }

    assert len(dues) == 50


def test_an_account_keeps_its_place_in_the_spread() -> None:
    """The spread depends on the account alone, so a restart changes nothing."""
    assert _plan(RoundEnd.DONE) == _plan(RoundEnd.DONE)


@pytest.mark.parametrize(
    ("outcome", "failures", "retry_after", "wait"),
    [
        (RoundEnd.INCOMPLETE, 1, None, MINUTE),
        (RoundEnd.INCOMPLETE, 3, None, 4 * MINUTE),
        (RoundEnd.FAILED, 40, None, 6 * HOUR),
        (RoundEnd.STOPPED, 1, None, 0),
        (RoundEnd.NOT_FOUND, 1, None, HOUR),
        (RoundEnd.NOT_FOUND, 2, None, DAY),
        (RoundEnd.CLOSED, 1, None, DAY),
    ],
)
def test_an_accounts_own_trouble_leaves_the_site_free(
    outcome: RoundEnd, failures: int, retry_after: float | None, wait: float
) -> None:
    """What concerns one account puts off that account alone."""
    assert _plan(outcome, failures, retry_after) == NextTime(NOW + wait, None)


@pytest.mark.parametrize(
    ("outcome", "failures", "retry_after", "wait"),
    [
        (RoundEnd.RATE_LIMITED, 1, None, MINUTE),
        (RoundEnd.RATE_LIMITED, 2, None, 2 * MINUTE),
        (RoundEnd.RATE_LIMITED, 60, None, HOUR),
        (RoundEnd.RATE_LIMITED, 1, 0, MINUTE),
        (RoundEnd.RATE_LIMITED, 1, 300, 300),
        (RoundEnd.RATE_LIMITED, 1, 86398, 86398),
        (RoundEnd.RATE_LIMITED, 1, 10 * 365 * DAY, DAY),
        (RoundEnd.DOWN, 1, None, MINUTE),
        (RoundEnd.DOWN, 60, None, 30 * MINUTE),
        (RoundEnd.DOWN, 1, 900, 900),
        (RoundEnd.DOWN, 1, 10 * 365 * DAY, DAY),
        (RoundEnd.BLOCKED, 1, None, HOUR),
        (RoundEnd.BLOCKED, 9, None, 6 * HOUR),
    ],
)
def test_trouble_of_a_site_closes_the_site(
    outcome: RoundEnd, failures: int, retry_after: float | None, wait: float
) -> None:
    """What concerns the whole site closes it for all accounts, for at least a minute and at most a day."""
    assert _plan(outcome, failures, retry_after) == NextTime(NOW + wait, NOW + wait)


@given(
    outcome=st.sampled_from(RoundEnd),
    failures=st.integers(0, 10**9),
    retry_after=st.none() | st.floats(0, 1e12),
    every=st.floats(MINUTE, 7 * DAY),
    key=st.text(max_size=20),
)
def test_every_plan_lies_ahead_and_heals_to_itself(
    outcome: RoundEnd, failures: int, retry_after: float | None, every: float, key: str
) -> None:
    """No plan lies in the past, none is so far away that it would be taken for a clock that was set back."""
    made = plan(outcome, now=NOW, every=every, failures=failures, retry_after=retry_after, key=key)

    assert made.due_at >= NOW
    assert heal(made.due_at, now=NOW, every=every) == made.due_at
    assert (made.not_before is not None) == (outcome in OF_THE_SITE)
    if made.not_before is not None:
        assert heal_gate(made.not_before, now=NOW) == made.not_before


@pytest.mark.parametrize(("accounts", "seconds"), [(0, 0), (1, 1), (300, 260), (3000, 2592)])
def test_glances_at_many_accounts_stay_within_the_sites_day(accounts: int, seconds: int) -> None:
    """Thousands of accounts stretch the interval so that a day has less than 100,000 glances."""
    assert least_interval(accounts) == seconds


def test_a_clock_set_back_does_not_stop_the_schedule() -> None:
    """A due time that no plan could have made is due now."""
    assert heal(NOW + 40 * DAY, now=NOW, every=EVERY) == NOW
    assert heal_gate(NOW + 40 * DAY, now=NOW) == NOW
