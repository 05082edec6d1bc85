"""The versions with which the archive's keys were made: only keys made alike can be compared.

What a name folds to depends on the rules in `core`, on a version of Unicode (`core.letters`, whichever Python
runs) and on Unidecode.
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
    """What keys depend on, without computation; `core.players.key_version` looks at every letter there is."""
    ours, unidecode = version("gamekeeper"), version("Unidecode")
    return f"gamekeeper {ours}, Unidecode {unidecode}, Unicode {UNICODE}"


def are_confirmed(connection: Connection) -> bool:
    """Whether the keys were last confirmed with exactly the versions we have here."""
    return settings.get(connection, MADE_WITH) == made_with()


def made_by_others(connection: Connection) -> str | None:
    """The version of the rules that made the keys, if they are not ours; None also for a new archive."""
    stored = settings.get(connection, VERSION)
    return None if stored == key_version() else stored


def confirm(connection: Connection) -> None:
    """Note that all keys are made by our rules, with the versions we have here."""
    settings.put(connection, VERSION, key_version())
    settings.put(connection, MADE_WITH, made_with())


def require(stored: Mapping[str, str]) -> None:
    """Refuse to write our keys among others: the archive may have got other ones while we ran.

    Args:
        stored: The settings `VERSION` and `MADE_WITH`.

    Raises:
        KeysChanged: a gamekeeper with other rules has made all keys again.
    """
    if stored.get(MADE_WITH) != made_with() and stored.get(VERSION, key_version()) != key_version():
        raise KeysChanged(
            "a gamekeeper that recognises players by other rules than this one has taken over the archive "
            f"({stored[VERSION]}, ours are {key_version()}); end this one, and use one version only"
        )
