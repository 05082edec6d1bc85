"""Which backups stay."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from daemon.archive.database.backup_retention import kept

START = datetime(2026, 1, 1, tzinfo=UTC)
times = st.lists(st.integers(0, 10**7).map(lambda s: START + timedelta(seconds=s)), max_size=40, unique=True)


@given(times, st.integers(1, 10))
def test_as_many_as_wanted(found: list[datetime], count: int) -> None:
    """Exactly so many stay, the newest among them."""
    staying = kept(found, count)
    assert len(staying) == min(count, len(found))
    assert staying <= set(found)
    assert not found or max(found) in staying


@given(times, st.integers(2, 10), st.integers(1, 50))
def test_many_in_a_row_take_one_place(found: list[datetime], count: int, many: int) -> None:
    """However many come within one hour, they cost those before them one place at most."""
    hour = max(found, default=START).replace(minute=0, second=0) + timedelta(days=14)
    before = kept(found, count - 1)
    after = kept([*before, *(hour + timedelta(seconds=second) for second in range(many))], count)
    assert before < after


def test_they_reach_back() -> None:
    """With one each day and seven kept, some are of the last days and some of the weeks before."""
    present: frozenset[datetime] = frozenset()
    for day in range(100):
        present = kept([*present, START + timedelta(days=day)], 7)
    ages = sorted((max(present) - time).days for time in present)
    assert ages[:3] == [0, 1, 2]
    assert 8 <= ages[-1] <= 14
