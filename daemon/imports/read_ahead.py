"""Reads what comes next in a thread of its own, while what came before is stored.

SQLite stores thousands of games without Python's lock: meanwhile files are read on, and the parsers always have something to do.
"""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from queue import Queue
from threading import Event, Thread
from typing import Final, Generic, TypeVar

_T = TypeVar("_T")

MOST: Final = 96
"""Entries that are read ahead; the largest are runs of some hundred games, 128 KB of PGN."""


@dataclass(frozen=True, slots=True)
class _End:
    """There is no more; *error*: what ended it, if it is not their own end."""

    error: BaseException | None


class _Ahead(Generic[_T]):
    """Entries on their way from one thread to the other."""

    def __init__(self, entries: Generator[_T], most: int) -> None:
        self._entries = entries
        self._line: Queue[_T | _End] = Queue(most)
        self._unwanted = Event()
        self._thread = Thread(target=self._fill, name="read-ahead", daemon=True)
        self._thread.start()

    def _fill(self) -> None:
        error = None
        try:
            for entry in self._entries:
                self._line.put(entry)
                if self._unwanted.is_set():
                    break
        except BaseException as raised:  # noqa: BLE001 - it is raised where the entries are wanted
            error = raised
        try:
            self._entries.close()
        finally:
            self._line.put(_End(error))

    def __iter__(self) -> Iterator[_T]:
        while not isinstance(entry := self._line.get(), _End):
            yield entry
        self._line.put(entry)  # for `close`
        if entry.error is not None:
            raise entry.error

    def close(self) -> None:
        """Let the thread end after its present entry, and wait for it."""
        self._unwanted.set()
        while not isinstance(self._line.get(), _End):
            pass
        self._thread.join()


@contextmanager
def read_ahead(entries: Generator[_T], most: int = MOST) -> Iterator[Iterator[_T]]:
    """The same entries, of which another thread makes at most *most* in advance; it has ended after the block.

    What it raises is raised after the entries that came before.
    """
    ahead = _Ahead(entries, most)
    try:
        yield iter(ahead)
    finally:
        ahead.close()
