"""A day of faults at random, over the end of a month; `make soak` takes an hour. SEED repeats a run, SOAK_HOURS makes it longer."""

from pathlib import Path

import pytest

from tests.soak import HOURS, SEED, Soak


@pytest.mark.slow
@pytest.mark.timeout(900 + 60 * HOURS)
def test_nothing_is_lost_in_hours_of_faults(tmp_path: Path) -> None:
    """Faults, stops, months, renames: at the end just the sites' games, no rule broken, memory flat."""
    found = Soak(tmp_path, seed=SEED, hours=HOURS).run()

    print(f"SEED={SEED}\n{found.report()}")
    assert found.faulty() == [], f"SEED={SEED}"
    assert found.stops > 1
    assert found.faults.total() > 20
