"""Background work that breaks off or ends by itself is started again, and said; some of it looks again and again."""

import threading
from collections.abc import Callable

import pytest
import structlog

from daemon.archive.errors import ArchiveError
from daemon.threads import LOOK_EVERY, KeptThread, Periodic, repeat


@pytest.mark.parametrize("end", [RuntimeError("broken"), SystemExit(3), None])
def test_work_is_begun_again_however_it_ended(end: BaseException | None) -> None:
    """By an error, by an exit, or by coming back; each end is an error in the log."""
    begun = threading.Semaphore(0)

    def work(stop: threading.Event) -> None:
        begun.release()
        if end is not None:
            raise end

    with structlog.testing.capture_logs() as logged:
        thread = KeptThread("counting", work, again_after=0.0)
        thread.start()
        for _ in range(3):
            assert begun.acquire(timeout=60)
        assert thread.alive
        thread.close()
    assert not thread.alive
    assert {(one["log_level"], one["thread"]) for one in logged} == {("error", "counting")}


def _wait(stop: threading.Event) -> None:
    stop.wait()


def test_work_that_ends_when_it_is_asked_to_is_no_error() -> None:
    """And it is not started again; a thread that was never started can be closed."""
    with structlog.testing.capture_logs() as logged:
        thread = KeptThread("waiting", _wait)
        thread.start()
        thread.close()
        KeptThread("never", _wait).close()
    assert logged == []


class Pauses(threading.Event):
    """An event that notes for how long it is waited for, and is set by the last of so many waits."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.noted: list[float | None] = []
        self._most = most

    def wait(self, timeout: float | None = None) -> bool:
        """Do not wait."""
        self.noted.append(timeout)
        if len(self.noted) == self._most:
            self.set()
        return self.is_set()


def pauses(
    look: Callable[[], bool], most: int, every: float | None = LOOK_EVERY, rest: float = 1.0
) -> list[float | None]:
    """After how many seconds each the next looks came."""
    stop = Pauses(most)
    thread = Periodic("looking", look, failed="not looked; it is tried again", every=every, rest=rest)
    thread._work(stop)
    return stop.noted


@pytest.mark.parametrize("every", [60.0, 5.0, None])
def test_looks_where_there_is_nothing_to_do(every: float | None) -> None:
    """Once in so many seconds, or never again."""
    assert pauses(lambda: False, 3, every) == [every] * 3


def test_a_look_that_left_something_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next one comes after as long as it took: others get to write meanwhile."""
    clock = iter([10.0, 12.5, 20.0, 20.25, 30.0])
    monkeypatch.setattr("daemon.threads.time.monotonic", lambda: next(clock))
    left = iter([True, True, False])
    assert pauses(lambda: next(left), 3, every=7.0) == [2.5, 0.25, 7.0]


def test_a_thread_that_rests_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the API is to answer meanwhile, the next look comes after several times as long as the last one took."""
    clock = iter([10.0, 12.5, 20.0])
    monkeypatch.setattr("daemon.threads.time.monotonic", lambda: next(clock))
    left = iter([True, False])
    assert pauses(lambda: next(left), 2, every=7.0, rest=9.0) == [22.5, 7.0]


def test_a_look_at_an_archive_that_cannot_be_used() -> None:
    """It is said, and the next look comes in a minute, however often there are looks otherwise."""

    def look() -> bool:
        raise ArchiveError("the disk is full")

    with structlog.testing.capture_logs() as logged:
        assert pauses(look, 2, every=None) == [LOOK_EVERY] * 2
    assert [(one["event"], one["error"]) for one in logged] == [
        ("not looked; it is tried again", "the disk is full")
    ] * 2


def test_a_periodic_thread_ends_when_it_is_closed() -> None:
    """Even one that would not look again."""
    looked = threading.Event()

    def _look() -> bool:
        looked.set()
        return False

    thread = Periodic("looking", _look, failed="not looked", every=None)
    thread.start()
    assert looked.wait(60)
    thread.close()
    assert not thread.alive


def test_a_look_that_is_woken() -> None:
    """It comes at once; each waking is good for one look."""
    stop, wake = threading.Event(), threading.Event()
    looks: list[bool] = []

    def look() -> float | None:
        looks.append(wake.is_set())
        if len(looks) == 3:
            stop.set()
        wake.set()
        return None if len(looks) % 2 else 3600.0

    repeat(look, stop, wake)
    assert looks == [False] * 3


def test_a_waking_that_never_comes() -> None:
    """Then the next look comes when its pause is over."""
    stop = threading.Event()
    looks: list[int] = []

    def look() -> float:
        looks.append(1)
        if len(looks) == 3:
            stop.set()
        return 0.001

    repeat(look, stop, threading.Event())
    assert len(looks) == 3
