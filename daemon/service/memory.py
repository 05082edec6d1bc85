"""How a daemon of many threads gets its memory, and gives it back."""

import ctypes
from contextlib import suppress
from typing import Final

ARENAS: Final = 2
_M_ARENA_MAX: Final = -8  # malloc.h of glibc


def limit_arenas() -> None:
    """Let all threads share a few arenas, where this is glibc's allocator; called before there are threads.

    It would give one to each of sixteen threads, and what one of them frees no other may use. Python's threads
    seldom allocate at the same time.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, ARENAS)
