"""The allocator of a daemon, in a process of its own."""

import ctypes
import subprocess
import sys

import pytest

from daemon.service import memory

MANY_THREADS = """
import ctypes, sys, threading
from daemon.service.memory import limit_arenas
if sys.argv[1] == "limited":
    limit_arenas()
allocate = ctypes.CDLL(None).malloc
together = threading.Barrier(12)
def work():
    together.wait()
    allocate(1000)
    together.wait()
threads = [threading.Thread(target=work) for _ in range(12)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.stdout.flush()
ctypes.CDLL(None).malloc_stats()
"""


def arenas(how: str) -> int:
    """How many arenas glibc has after twelve threads have allocated."""
    command = [sys.executable, "-c", MANY_THREADS, how]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return sum(line.startswith("Arena ") for line in done.stderr.splitlines())


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_stats"), reason="not glibc")
def test_threads_share_arenas() -> None:
    """Without the limit threads get arenas of their own; with it they share two."""
    assert arenas("free") > memory.ARENAS
    assert arenas("limited") <= memory.ARENAS
