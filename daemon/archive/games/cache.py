"""What the writing side remembers between batches: ids by digest.

Texts are never taken away. Players are, when their last game goes to another one; whoever does that revokes what
all processes remember, and `Archive.writing` looks for it.
"""

from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Connection

from daemon.archive.database import settings

REVOKED: Final = "ids_revoked"
"""Setting: how many times players were taken away."""

MOST: Final = 200_000
"""Entries of one kind, of 16 bytes and an id each."""


@dataclass(slots=True)
class Known:
    """Safe though other processes write too, as long as nothing was revoked.

    Attributes:
        players: id by the digest of the player's key.
        texts: id by the digest of kind and text.
        most: entries of one kind that are remembered.
        names: (player, digest of the name) of stored ways to write a FIDE player's name.
    """

    most: int = MOST
    players: dict[bytes, int] = field(default_factory=dict)
    texts: dict[bytes, int] = field(default_factory=dict)
    names: set[tuple[int, bytes]] = field(default_factory=set)

    def forget(self) -> None:
        """After a rollback some of it may never have been stored."""
        self.players.clear()
        self.texts.clear()
        self.names.clear()

    def trim(self) -> None:
        """Keep memory bounded: what grew too large starts again from nothing."""
        for grown in (self.players, self.texts, self.names):
            if len(grown) > self.most:
                grown.clear()


def revoke(connection: Connection) -> None:
    """Players were taken away, in this transaction: nobody may go by what they remember."""
    settings.put(connection, REVOKED, str(int(settings.get(connection, REVOKED) or 0) + 1))
