"""Reading in one thread and storing in another; whole imports do so in `archive/games/test_packed_intake.py`."""

import threading
from collections.abc import Generator

import pytest

from daemon.imports.read_ahead import read_ahead


def counted(most: int, made: list[int]) -> Generator[int]:
    for number in range(most):
        made.append(number)
        yield number


def threads() -> list[str]:
    return [one.name for one in threading.enumerate() if one.name == "read-ahead"]


def test_all_of_it_in_order() -> None:
    """Nothing is lost, doubled or put elsewhere, and the thread ends."""
    with read_ahead(counted(1000, []), 3) as entries:
        assert list(entries) == list(range(1000))
    assert threads() == []


def test_no_more_than_that_in_advance() -> None:
    """Memory stays bounded: the thread waits while nobody takes anything."""
    made: list[int] = []
    with read_ahead(counted(1000, made), 3) as entries:
        assert next(entries) == 0
        assert len(made) <= 6
    assert len(made) <= 7
    assert threads() == []


def test_an_error_comes_after_what_came_before_it() -> None:
    """What was read before a fault is there to be stored."""

    def broken() -> Generator[int]:
        yield 1
        raise OSError("the disk is gone")

    taken: list[int] = []
    with pytest.raises(OSError, match="the disk is gone"), read_ahead(broken()) as entries:
        taken.extend(iter(entries))
    assert taken == [1]


def test_what_is_not_wanted_any_more_is_closed() -> None:
    """An error where entries are stored ends the reading, and what it holds is released."""
    released = threading.Event()

    def endless() -> Generator[int]:
        try:
            while True:
                yield 1
        finally:
            released.set()

    with pytest.raises(KeyboardInterrupt), read_ahead(endless()):
        raise KeyboardInterrupt
    assert released.is_set()
    assert threads() == []
