"""Notes in every Python of a command what it spends processor time on; see `benchmarks.import_profile`.

A timer of the process's own time interrupts it again and again. The processor time since the last interruption belongs to
the function that runs then: to one in C too, however long it takes, because Python is interrupted only after it. Children
that are forked note for themselves.
"""

import json
import multiprocessing.util
import os
import signal
import sys
import time
from collections import defaultdict
from multiprocessing.process import current_process
from pathlib import Path
from types import FrameType
from typing import Final

ROOT: Final = f"{Path(__file__).resolve().parents[1]}/"
OWN: Final = tuple(f"{ROOT}{package}/" for package in ("core", "fetchers", "daemon"))
_EVERY: Final = 0.001
_DEEPEST: Final = 6


class _Notes:
    """What one process has spent, by its innermost functions of ours."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)
        self.last = 0.0

    def begin(self) -> None:
        """Begin with nothing, in this process."""
        self.spent.clear()
        self.last = time.thread_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, _EVERY, _EVERY)

    def note(self, _signal: int, frame: FrameType | None) -> None:
        """The timer's doing."""
        now = time.thread_time()
        self.spent[_place(frame)] += now - self.last
        self.last = now

    def write_at_the_end(self, folder: str) -> None:
        """Let this process write it down when it ends."""
        multiprocessing.util.Finalize(None, self.write, args=(folder,), exitpriority=0)

    def write(self, folder: str) -> None:
        """Write it down at the end of the process."""
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        self.note(0, sys._getframe())  # noqa: SLF001 - the way to a frame
        notes = {
            "process": _name(),
            "seconds": time.process_time(),
            "spent": {key: spent for key, spent in self.spent.items() if spent},
        }
        Path(folder, f"{os.getpid()}.json").write_text(json.dumps(notes))


def _place(frame: FrameType | None) -> str:
    """The innermost functions of ours, from the inside; of modules that are being loaded only that."""
    found: list[str] = []
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith(OWN):
            if code.co_name == "<module>":
                return "loading modules"
            if len(found) < _DEEPEST:
                module = code.co_filename.removeprefix(ROOT).removesuffix(".py")
                found.append(f"{module}:{code.co_qualname}")
        frame = frame.f_back
    return "\n".join(found)


def _name() -> str:
    name = current_process().name
    if name != "MainProcess":
        return name.rstrip("0123456789-:")
    return "fork server" if sys.argv[0] == "-c" else "main"


def start(folder: str) -> None:
    """Begin in this process, and in all that it forks."""
    notes = _Notes()
    signal.signal(signal.SIGVTALRM, notes.note)
    signal.siginterrupt(signal.SIGVTALRM, False)
    os.register_at_fork(after_in_child=notes.begin)
    # A process of multiprocessing forgets what its parent wanted at the end.
    multiprocessing.util.register_after_fork(notes, lambda notes: notes.write_at_the_end(folder))
    notes.write_at_the_end(folder)
    notes.begin()
