"""`gamekeeper sync` or `import` that is killed by SIGKILL at a chosen point: run as a program by `test_kill.py`.

    python tests/daemon/killed.py commit 3 250 -- sync --config …    in the 3rd commit, 250 µs after it began
    python tests/daemon/killed.py time 40000 0 -- sync --config …    40 ms after the first transaction began
    python tests/daemon/killed.py DROP 3 250 -- import --config …    in the 3rd statement that begins so, 250 µs after it began

Of the latter, and of commits if the word is `COMMIT`, a few games make a large import, in several transactions.

The program itself is the real one; only a second thread waits for the moment. SQLite and psycopg let go of the
interpreter while they write, so the kill falls into the writing itself.
"""

import os
import signal
import sys
import threading
import time
from dataclasses import replace
from typing import Final

from sqlalchemy import Connection, Engine, event

from daemon.archive.database import indexes
from daemon.cli import main
from daemon.imports import run
from daemon.imports.store import LARGE

FEW: Final = 250
"""Games in a transaction of an import that is to be a large one."""


def kill_in(microseconds: int) -> None:
    """Kill this process so much later, from another thread."""

    def kill() -> None:
        until = time.perf_counter_ns() + microseconds * 1000
        while time.perf_counter_ns() < until:
            pass
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=kill, daemon=True).start()


def kill_in_commit(number: int, microseconds: int) -> None:
    """Kill in the *number*-th commit that writes."""
    seen = 0

    @event.listens_for(Engine, "commit")
    def _commit(_connection: Connection) -> None:
        nonlocal seen
        seen += 1
        if seen == number:
            kill_in(microseconds)


def kill_after_first(microseconds: int) -> None:
    """Kill so long after the first transaction began."""

    @event.listens_for(Engine, "begin", once=True)
    def _begin(_connection: Connection) -> None:
        kill_in(microseconds)


def kill_in_statement(beginning: str, number: int, microseconds: int) -> None:
    """Kill in the *number*-th statement that begins so."""
    seen = 0

    @event.listens_for(Engine, "before_cursor_execute")
    def _execute(_connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        nonlocal seen
        seen += statement.startswith(beginning)
        if seen == number and statement.startswith(beginning):
            kill_in(microseconds)


def let_few_be_many() -> None:
    """Let an import of a few games be as one of a hundred thousand is."""
    indexes.FEWEST = FEW  # type: ignore[misc]
    run.LARGE = replace(LARGE, games=FEW)  # type: ignore[misc, attr-defined]


if __name__ == "__main__":
    how, first, second, _, *arguments = sys.argv[1:]
    if how.isupper():
        let_few_be_many()
    if how in {"commit", "COMMIT"}:
        kill_in_commit(int(first), int(second))
    elif how.isupper():
        kill_in_statement(how, int(first), int(second))
    else:
        kill_after_first(int(first))
    main(arguments)
