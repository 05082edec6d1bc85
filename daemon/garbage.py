"""How often Python looks for objects that keep each other alive."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_USUAL: Final = gc.get_threshold()
"""When this Python looks by itself."""
_SELDOM: Final = 100_000
"""How many new objects there are before it looks, where it is to look seldom. Loading the program alone makes ten thousands, which stay."""


@contextmanager
def looked_for_seldom() -> Iterator[None]:
    """Let it look seldom, and never at what is there already.

    For work that makes many objects that live long and hardly any in circles: looking takes a tenth of its time.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_SELDOM, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def look_as_usual() -> None:
    """Look as often as Python does by itself, for a process that goes on, but never among what its start has made."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_USUAL)
