"""What the archive's keys were made with: they compare only with keys that were made alike.

What a name folds to depends on the rules in `core`, on Python's Unicode data and on Unidecode.
"""

import unicodedata
from importlib.metadata import version
from typing import Final

from sqlalchemy import Connection, delete, select

from core.players import key_version
from daemon.archive.tables import settings

_VERSION: Final = "key_version"
_MADE_WITH: Final = "keys_made_with"


def made_with() -> str:
    """What keys depend on, told in no time; `core.players.key_version` looks at every letter there is."""
    ours, unidecode = version("gamekeeper"), version("Unidecode")
    return f"gamekeeper {ours}, Unidecode {unidecode}, Unicode {unicodedata.unidata_version}"


def are_confirmed(connection: Connection) -> bool:
    """Were the keys last looked at with exactly what we have here?"""
    return _get(connection, _MADE_WITH) == made_with()


def confirm(connection: Connection) -> tuple[str, str] | None:
    """Remember what the archive's keys are made with; the stored and today's version if the two differ.

    Keys of names with letters that are folded otherwise today then find nobody, and make a second player.
    """
    stored, current = _get(connection, _VERSION), key_version()
    if stored is not None and stored != current:
        return stored, current
    _put(connection, _VERSION, current)
    _put(connection, _MADE_WITH, made_with())
    return None


def _get(connection: Connection, name: str) -> str | None:
    found: str | None = connection.scalar(select(settings.c.value).where(settings.c.name == name))
    return found


def _put(connection: Connection, name: str, value: str) -> None:
    connection.execute(delete(settings).where(settings.c.name == name))
    connection.execute(settings.insert().values(name=name, value=value))
