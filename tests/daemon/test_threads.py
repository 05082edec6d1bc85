"""Background work that breaks off or ends by itself is begun again, and said."""

import threading

import pytest
import structlog

from daemon.threads import KeptThread


@pytest.mark.parametrize("end", [RuntimeError("broken"), SystemExit(3), None])
def test_work_is_begun_again_however_it_ended(end: BaseException | None) -> None:
    """By an error, by an exit, or by coming back; each end is an error in the log."""
    begun = threading.Semaphore(0)

    def work(stop: threading.Event) -> None:
        begun.release()
        if end is not None:
            raise end

    with structlog.testing.capture_logs() as told:
        thread = KeptThread("counting", work, again_after=0.0)
        thread.start()
        for _ in range(3):
            assert begun.acquire(timeout=60)
        assert thread.alive
        thread.close()
    assert not thread.alive
    assert {(one["log_level"], one["thread"]) for one in told} == {("error", "counting")}


def test_work_that_ends_when_it_is_asked_to_is_no_error() -> None:
    """And it is not begun again; a thread that was never started can be closed."""
    with structlog.testing.capture_logs() as told:
        thread = KeptThread("waiting", threading.Event.wait)
        thread.start()
        thread.close()
        KeptThread("never", threading.Event.wait).close()
    assert told == []
