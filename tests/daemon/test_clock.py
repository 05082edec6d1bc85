"""The clock of the archive."""

import time

from daemon.clock import now_ms


def test_milliseconds_since_1970() -> None:
    """It lies between two looks at the system's clock."""
    before = time.time_ns()
    now = now_ms()
    assert before // 1_000_000 <= now <= time.time_ns() // 1_000_000
