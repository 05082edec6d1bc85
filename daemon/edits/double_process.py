"""The search for near doubles in a process of its own, so that the API answers meanwhile, and gives back the memory.

It yields to everything else on the machine, ends when all games are looked at, and with the process that started it, however
that one ends. It may die at any time: what it found in a transaction is stored, and the rest waits.
"""

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from threading import Event
from typing import Final

from daemon import logs
from daemon.archive.archive import open_archive
from daemon.archive.edits import double_search
from daemon.archive.errors import ArchiveError

TOGETHER: Final = 100
"""So many games are looked at in one transaction: all others who write wait for its end."""

NICENESS: Final = 10
_LOOK_EVERY: Final = 0.5
_GRACE: Final = 5.0
_INPUT: Final = 0
_LONGEST: Final = 4096  # bytes that a pipe takes whole


def can_start() -> bool:
    """Whether there can be one: root that became the owner of the data folder may not be allowed to start this Python again."""
    return os.access(sys.executable, os.X_OK)


def start(address: str) -> "subprocess.Popen[bytes]":
    """A process that looks at all games of the archive at *address* that wait, until its standard input ends."""
    path = os.pathsep.join(filter(None, sys.path))
    process = subprocess.Popen(  # noqa: S603 - this very Python
        [sys.executable, "-P", "-m", __name__], stdin=subprocess.PIPE, env=os.environ | {"PYTHONPATH": path}
    )
    assert process.stdin is not None
    with suppress(BrokenPipeError):  # it has died already
        process.stdin.write(os.fsencode(address) + b"\n")
        process.stdin.flush()
    return process


def search(address: str, stop: Event) -> None:
    """Let a process look at all games that wait, and wait for its end; it is ended when *stop* is set.

    Raises:
        ArchiveError: it ended otherwise.
    """
    process = start(address)
    try:
        while process.poll() is None and not stop.wait(_LOOK_EVERY):
            pass
    finally:
        stopped = process.poll() is None
        _end(process)
    if process.returncode and not stopped:
        raise ArchiveError(f"the process that looks for them ended with code {process.returncode}")


def _end(process: "subprocess.Popen[bytes]") -> None:
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def main() -> None:
    """What the process does."""
    os.nice(NICENESS)
    logs.configure()
    address = os.fsdecode(os.read(_INPUT, _LONGEST).rstrip(b"\n"))
    threading.Thread(target=_end_with_input, daemon=True).start()
    with open_archive(address) as archive:
        more = True
        while more and not archive.lacks_indexes():
            began = time.monotonic()
            with archive.writing() as connection:
                more = double_search.look(connection, TOGETHER) is not None
            time.sleep(time.monotonic() - began)  # others get to write


def _end_with_input() -> None:
    """End at once when the one who started us has ended; the database undoes what was not stored."""
    while os.read(_INPUT, _LONGEST):
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
