"""Dossiers: who they are about, and how many games are theirs."""

import json
from typing import Any

from sqlalchemy import Connection, Row

from daemon.archive.reading import shapes
from daemon.archive.reading.search.dossier_games import DOSSIERS, accounts_of, find_dossier, games_of
from daemon.archive.reading.search.plan import count_games
from daemon.archive.tables.main import dossiers


def list_dossiers(connection: Connection) -> list[shapes.Dossier]:
    """The dossiers of the configuration, in its order."""
    rows = connection.execute(DOSSIERS.order_by(dossiers.c.position, dossiers.c.id)).all()
    return [_dossier(connection, row) for row in rows]


def dossier(connection: Connection, slug: str) -> shapes.Dossier | None:
    """The dossier of this slug, None if there is none."""
    row = find_dossier(connection, slug)
    return None if row is None else _dossier(connection, row)


def _dossier(connection: Connection, row: Row[*tuple[Any, ...]]) -> shapes.Dossier:
    return {
        "slug": row.slug,
        "name": row.name,
        "fide_id": row.fide_id,
        "names": json.loads(row.names),
        "accounts": [account.key for account in accounts_of(connection, row.id)],
        "games": count_games(connection, games_of(connection, row)),
    }
