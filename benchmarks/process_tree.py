"""What a command costs with all the processes that it starts: seconds of the clock, of the processors, and memory.

`resource.getrusage` knows only children that somebody has waited for, and those of a fork server are nobody's children when
the command ends. So this process asks Linux to be given such orphans (``PR_SET_CHILD_SUBREAPER``), and waits for every one
of them: what `os.wait4` says of a process has all those in it for which that one has waited. Memory is asked for while the
command runs, as the sum of the proportional set sizes (PSS) of all of its processes, in which shared pages count once.
"""

import ctypes
import os
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Final, Self

_SET_CHILD_SUBREAPER: Final = 36
_LOOK_EVERY: Final = 0.1


class CommandFailed(Exception):  # noqa: N818 - what is the case
    """The command did not end well; the text is what it printed."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What a command took: seconds until it ended, processor seconds and most bytes of the whole tree, and its output."""

    wall: float
    cpu: float
    memory: int
    printed: str


def run(command: Sequence[str | Path], *, environment: Mapping[str, str] | None = None) -> Spent:
    """Run a command to its end; this process must have no other children.

    Raises:
        CommandFailed: it did not end well.
    """
    if ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError("this system gives no orphans to the process that measures them")
    with tempfile.TemporaryFile("w+", errors="replace") as printed, _Memory() as memory:
        began = time.perf_counter()
        process = subprocess.Popen(
            list(map(str, command)),
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(environment or {})},
        )
        wall, cpu = _wait_for_all(process, began)
        printed.seek(0)
        text = printed.read()
    if process.returncode:
        raise CommandFailed(f"{command[0]} ended with {process.returncode}:\n{text}")
    return Spent(wall, cpu, memory.most, text)


def _wait_for_all(process: "subprocess.Popen[bytes]", began: float) -> tuple[float, float]:
    """Seconds until this process ended, and processor seconds of it and of all orphans that it leaves."""
    wall = cpu = 0.0
    with suppress(ChildProcessError):  # nobody is left
        while True:
            number, status, used = os.wait4(-1, 0)
            cpu += used.ru_utime + used.ru_stime
            if number == process.pid:
                wall = time.perf_counter() - began
                process.returncode = os.waitstatus_to_exitcode(status)
    return wall, cpu


class _Memory:
    """Looks again and again how much memory the processes below this one have."""

    def __init__(self) -> None:
        self.most = 0
        self._stop = Event()
        self._thread = Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(_LOOK_EVERY):
            self.most = max(self.most, sum(map(_memory_of, below(os.getpid()))))


def below(ancestor: int) -> Iterable[int]:
    """The processes that descend from this one."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry.name))
    todo = [ancestor]
    while todo:
        found = children.get(todo.pop(), [])
        yield from found
        todo += found


def _memory_of(process: int) -> int:
    """Bytes, without what others have of the same pages; 0 for a process that has ended."""
    with suppress(OSError):
        for line in Path("/proc", str(process), "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0
