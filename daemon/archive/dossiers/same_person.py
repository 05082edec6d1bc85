"""Which players are one person according to the dossiers: their names, FIDE ids and accounts."""

import json
from collections.abc import Mapping

from sqlalchemy import Connection, select

from core.players import UNKNOWN, PlayerKey, identify
from daemon.archive.tables.main import accounts, dossier_accounts, dossiers

AccountPlayers = Mapping[PlayerKey, frozenset[int]]
"""Players, and the dossiers that they are in."""


def people(connection: Connection) -> AccountPlayers:
    """All players of the dossiers in the configuration."""
    found: dict[PlayerKey, set[int]] = {}
    active = select(dossiers.c.id, dossiers.c.names, dossiers.c.fide_id).where(dossiers.c.active)
    for row in connection.execute(active):
        keys = [identify(name) for name in json.loads(row.names)]
        if row.fide_id is not None:
            keys.append(identify("", row.fide_id))
        for key in keys:
            found.setdefault(key, set()).add(row.id)
    handles = (
        select(dossier_accounts.c.dossier_id, accounts.c.handle)
        .join(accounts, accounts.c.id == dossier_accounts.c.account_id)
        .join(dossiers, dossiers.c.id == dossier_accounts.c.dossier_id)
        .where(dossiers.c.active)
    )
    for dossier_id, handle in connection.execute(handles):
        found.setdefault(identify(handle), set()).add(dossier_id)
    found.pop(UNKNOWN, None)
    return {key: frozenset(ids) for key, ids in found.items()}


def are_one(of: AccountPlayers, one: PlayerKey, other: PlayerKey) -> bool:
    """Whether these two players belong to one dossier."""
    return bool(of.get(one, frozenset()) & of.get(other, frozenset()))


def changed(before: AccountPlayers, after: AccountPlayers) -> list[PlayerKey]:
    """The players whose group has changed."""
    return [key for key in before.keys() | after.keys() if before.get(key) != after.get(key)]
