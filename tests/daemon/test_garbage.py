"""How often Python looks for objects that keep each other alive."""

import gc
import weakref

import pytest

from daemon import garbage


class Circle:
    """One that keeps itself alive."""

    def __init__(self) -> None:
        self.own = self


def test_it_looks_seldom_meanwhile() -> None:
    """Not at all at what was there before; afterwards as before."""
    before = gc.get_threshold()
    with garbage.looked_for_seldom():
        assert gc.get_threshold()[0] > 10 * before[0]
        assert gc.get_freeze_count() > 0
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)


def test_an_error_changes_nothing() -> None:
    """It looks as often as before."""
    before = gc.get_threshold()
    with pytest.raises(ValueError, match="made up"), garbage.looked_for_seldom():
        raise ValueError("made up")
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)


def test_what_is_made_meanwhile_is_found() -> None:
    """Memory stays bounded: circles of objects go when there are many."""
    with garbage.looked_for_seldom():
        first = weakref.ref(Circle())
        for _ in range(200_000):
            Circle()
        assert first() is None


def test_a_process_that_goes_on_looks_as_usual() -> None:
    """As often as Python does by itself, but not at what its start has made; and an outer wish ends with its block."""
    before = gc.get_threshold()
    with garbage.looked_for_seldom():
        garbage.look_as_usual()
        assert gc.get_threshold() == before
        assert gc.get_freeze_count() > 0
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)
