"""What the configuration asks for, ready for the archive: accounts and events to download, and dossiers."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.sites import ACCOUNT


@dataclass(frozen=True, slots=True)
class ConfiguredAccount:
    """An account or event to download.

    *handle*: of an account in lower case, of an event its kind and id (``study/AbCd1234``); *display* as typed;
    *every* is in seconds.
    """

    site: str
    handle: str
    display: str
    mine: bool
    every: int
    kind: str = ACCOUNT

    @property
    def key(self) -> str:
        """``lichess:mrossi90``, ``lichess:study/AbCd1234``."""
        return f"{self.site}:{self.handle}"


@dataclass(frozen=True, slots=True)
class ConfiguredDossier:
    """A tracked opponent. *names*: person names; *accounts*: account keys (``lichess:mrossi90``)."""

    name: str
    slug: str
    fide_id: int | None
    names: Sequence[str]
    accounts: Sequence[str]
