"""The system's hints that something in a folder may have changed. They may get lost.

A look at the folder does not.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Event
from typing import Final

from watchfiles import watch

from daemon.logs import get_logger
from daemon.paths import printable
from daemon.threads import KeptThread

log = get_logger(__name__)

RETRY_SECONDS: Final = 60.0
_FIRST_RETRY: Final = 1.0
_CHECK_MS: Final = 30_000
_STEP_MS: Final = 500
"""How often the watching library wakes up, to see whether it is to stop. Its own 50 ms are a third of what a daemon costs that
has nothing to do."""


@contextmanager
def hints(paths: tuple[Path, ...], stop: Event) -> Iterator[Event]:
    """An event that is set whenever something below *paths* may have changed, and when *stop* is set."""
    hint = Event()
    thread = KeptThread("folder-hints", partial(_listen, paths, hint), stop=stop)
    thread.start()
    try:
        yield hint
    finally:
        if stop.is_set():
            thread.close()


def _listen(paths: tuple[Path, ...], hint: Event, stop: Event) -> None:
    try:
        _listen_on(paths, hint, stop)
    finally:
        hint.set()


def _listen_on(paths: tuple[Path, ...], hint: Event, stop: Event) -> None:
    """Listen again and again, to the folders that exist.

    The watching library gives up at the first name that is not UTF-8, and nobody knows what else it has
    missed by then: every failure is a hint by itself, so that while it lasts the folders are looked at once a
    minute.
    """
    pause = _FIRST_RETRY
    given: set[str] = set()
    while not stop.is_set():
        there = _identities(paths)
        try:
            if there:
                _listen_to(tuple(there), partial(_differ, paths, there), hint, stop)
                pause = _FIRST_RETRY
            else:
                stop.wait(RETRY_SECONDS)
        except Exception as error:  # noqa: BLE001 - whatever the library raises, the folders are looked at
            reason = printable(str(error))
            if reason not in given:
                given.add(reason)
                log.warning(
                    "changes in the folders cannot be watched; the folders are looked through at intervals",
                    reason=reason,
                )
            stop.wait(pause)
            pause = min(2 * pause, RETRY_SECONDS)
        hint.set()


def _listen_to(paths: tuple[Path, ...], changed: Callable[[], bool], hint: Event, stop: Event) -> None:
    """Set *hint* at every change below *paths*, until other folders are there."""
    for changes in watch(
        *paths,
        step=_STEP_MS,
        stop_event=stop,
        rust_timeout=_CHECK_MS,
        yield_on_timeout=True,
        raise_interrupt=False,
    ):
        if changes:
            hint.set()
        elif changed():
            return


def _differ(paths: tuple[Path, ...], there: dict[Path, tuple[int, int]]) -> bool:
    return _identities(paths) != there


def _identities(paths: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """Which of *paths* exist, and which folder each is: a replaced one gives no more hints."""
    there = {}
    for path in paths:
        with suppress(OSError):
            status = path.stat()
            there[path] = (status.st_dev, status.st_ino)
    return there
