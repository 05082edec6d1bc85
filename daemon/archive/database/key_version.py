"""What the archive's keys were made with: they compare only with keys that were made alike.

What a name folds to depends on the rules in `core`, on a version of Unicode (`core.letters`, whichever Python runs) and on Unidecode.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import version
from typing import Final

from sqlalchemy import Connection

from core.letters import VERSION as UNICODE
from core.players import key_version
from daemon.archive.database import settings
from daemon.archive.errors import KeysChanged

VERSION: Final = "key_version"
MADE_WITH: Final = "keys_made_with"


@lru_cache(maxsize=1)
def made_with() -> str:
    """What keys depend on, told in no time; `core.players.key_version` looks at every letter there is."""
    ours, unidecode = version("gamekeeper"), version("Unidecode")
    return f"gamekeeper {ours}, Unidecode {unidecode}, Unicode {UNICODE}"


def are_confirmed(connection: Connection) -> bool:
    """Were the keys last looked at with exactly what we have here?"""
    return settings.get(connection, MADE_WITH) == made_with()


def made_by_others(connection: Connection) -> str | None:
    """The version of the rules that the keys were made by, if these are not ours; None too for a new archive."""
    stored = settings.get(connection, VERSION)
    return None if stored == key_version() else stored


def confirm(connection: Connection) -> None:
    """Remember that all keys are made by our rules, with what we have here."""
    settings.put(connection, VERSION, key_version())
    settings.put(connection, MADE_WITH, made_with())


def require(stored: Mapping[str, str]) -> None:
    """Refuse to write keys of ours among others: the archive may have got other ones while we ran.

    Args:
        stored: the settings `VERSION` and `MADE_WITH`.

    Raises:
        KeysChanged: a gamekeeper with other rules has made all keys again.
    """
    if stored.get(MADE_WITH) != made_with() and stored.get(VERSION, key_version()) != key_version():
        raise KeysChanged(
            "a gamekeeper that recognises players by other rules than this one has taken over the archive "
            f"({stored[VERSION]}, ours are {key_version()}); end this one, and use one version only"
        )
