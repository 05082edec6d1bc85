"""How long reading one file may take, and when it is given up."""

import time
from collections.abc import Callable, Iterator
from typing import Final

from core.pgn.reader import Cut
from daemon.imports.pgn_files import FileError, GivenUp
from daemon.logs import get_logger
from daemon.paths import shown

log = get_logger(__name__)

_SECONDS: Final = 20.0
_SECONDS_A_BYTE: Final = 10.0 / (1 << 20)
_SECONDS_A_PIECE: Final = 0.005
"""Processor time to cut a file into games: at least ten times what real ones take, packed or not."""


class ReadingStopped(Exception):  # noqa: N818 - what is the case
    """Reading was asked to stop."""


class CuttingPace:
    """Limits the cutting of one file into games, block by block.

    Args:
        path: Of the file.
        stop: True ends the reading.
        size: Of the file on disk, in bytes.
    """

    def __init__(self, path: str, stop: Callable[[], bool], size: int) -> None:
        self._path = path
        self._stop = stop
        self._allowed = _SECONDS + _SECONDS_A_BYTE * size
        self._spent = 0.0
        self._since: float | None = None

    def ask(self) -> None:
        """Raises `ReadingStopped` if reading is to stop."""
        if self._stop():
            raise ReadingStopped

    def between(self) -> None:
        """Called before each block.

        Raises:
            Stopped: reading is to stop.
            GivenUp: the file has taken too much time.
        """
        self.ask()
        if self._spent + self._running() > self._allowed:
            what = f"reading it takes more than {self._allowed:.0f} s, as no real file does; the rest was not read"
            raise GivenUp(self._path, what)

    def cuts(self, cuts: Iterator[Cut]) -> Iterator[Cut]:
        """The same games; an error in cutting them is a problem of this file.

        Raises:
            Stopped: reading is to stop.
            FileError: no more can be read of this part.
        """
        while (cut := self._next(cuts)) is not None:
            self._allowed += _SECONDS_A_PIECE * len(cut)
            yield cut

    def _next(self, cuts: Iterator[Cut]) -> Cut | None:
        self._since = time.thread_time()
        try:
            return next(cuts, None)
        except (ReadingStopped, FileError):
            raise
        except MemoryError as error:
            raise FileError(self._path, "reading it needs too much memory", passing=True) from error
        except Exception as error:
            log.exception("a file could not be cut into games; please report this", file=shown(self._path))
            what = f"internal error ({type(error).__name__}: {error}); what came before was read, please report this"
            raise FileError(self._path, what) from error
        finally:
            self._spent += self._running()
            self._since = None

    def _running(self) -> float:
        return 0.0 if self._since is None else time.thread_time() - self._since
