"""Rules as an older gamekeeper may have had them, to fill archives by.

They make one player of two that are two today, two of one, and another kind of name of some; they show names
otherwise; and they take games of one year for one game.
"""

import inspect
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from core import names, players, sameness
from daemon.archive.archive import Archive

_ROMAN = {"и": "i", "в": "v", "а": "a", "н": "n"}


@contextmanager
def other_rules() -> Iterator[None]:
    """Recognise players and games by other rules, as long as the block lasts."""
    with pytest.MonkeyPatch.context() as patch:
        latin = names._latin
        patch.setattr(
            names, "_latin", lambda letter: letter if letter == "ø" else _ROMAN.get(letter) or latin(letter)
        )
        patch.setattr(names, "_NICKNAME", re.compile(r"[A-Za-z._-]+"))
        patch.setattr(names, "_usual_case", str.upper)
        patch.setattr(sameness, "_date", lambda date: str(date.year))
        patch.setattr(players, "_RULES_VERSION", "0")
        _forget()
        yield
    _forget()


def _forget() -> None:
    """Empty the caches of what the rules say of names."""
    for function in (*vars(names).values(), *vars(players).values()):
        cached = (
            inspect.getclosurevars(function).nonlocals.get("cached") if inspect.isfunction(function) else None
        )
        if cached is not None:
            cached.cache_clear()


def made_by_others(archive: Archive) -> None:
    """Let the archive say that its keys were made by those rules, as the gamekeeper that made them did."""
    with archive.writing() as connection:
        connection.exec_driver_sql("UPDATE settings SET value = '0-older' WHERE name = 'key_version'")
        connection.exec_driver_sql(
            "UPDATE settings SET value = 'an older gamekeeper' WHERE name = 'keys_made_with'"
        )
