"""Caches ids by digest between batches.

Texts are never deleted. Players are, when their last game goes to another one; code that does this revokes
the caches of all processes, and `Archive.writing` checks for it.
"""

from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Connection

from daemon.archive.database import settings

REVOKED: Final = "ids_revoked"
"""Setting: how many times players were deleted."""

MOST: Final = 200_000
"""Entries of one kind, of 16 bytes and an id each."""


@dataclass(slots=True)
class KnownIds:
    """The cache. Safe while other processes write, as long as nothing was revoked.

    Attributes:
        players: Id by the digest of the player's key.
        texts: Id by the digest of kind and text.
        most: Entries of one kind that are remembered.
        names: (player, digest of the name) of stored ways to write a FIDE player's name.
        forgotten: How often it was emptied because it may not be true any more.
    """

    most: int = MOST
    players: dict[bytes, int] = field(default_factory=dict)
    texts: dict[bytes, int] = field(default_factory=dict)
    names: set[tuple[int, bytes]] = field(default_factory=set)
    forgotten: int = 0

    def forget(self) -> None:
        """Empty the cache: after a rollback some of it may never have been stored."""
        self.forgotten += 1
        self.players.clear()
        self.texts.clear()
        self.names.clear()

    def trim(self) -> None:
        """Bound the memory: what grew too large is emptied."""
        for grown in (self.players, self.texts, self.names):
            if len(grown) > self.most:
                grown.clear()


def revoke(connection: Connection) -> None:
    """Note that players were deleted in this transaction, so that nobody relies on a cache."""
    settings.put(connection, REVOKED, str(int(settings.get(connection, REVOKED) or 0) + 1))
