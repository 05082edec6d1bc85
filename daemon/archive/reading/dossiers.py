"""Dossiers: who they are about, and how many games are theirs."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row

from daemon.archive.reading import shapes
from daemon.archive.reading.dossier_counts import accounts_of_all, count_all
from daemon.archive.reading.search.dossier_games import DOSSIERS, find_dossier
from daemon.archive.tables.main import dossiers


def list_dossiers(connection: Connection) -> list[shapes.Dossier]:
    """The dossiers of the configuration, in its order."""
    return _dossiers(
        connection, connection.execute(DOSSIERS.order_by(dossiers.c.position, dossiers.c.id)).all()
    )


def dossier(connection: Connection, slug: str) -> shapes.Dossier | None:
    """The dossier of this slug, None if there is none."""
    row = find_dossier(connection, slug)
    return None if row is None else _dossiers(connection, [row])[0]


def _dossiers(connection: Connection, rows: Sequence[Row[*tuple[Any, ...]]]) -> list[shapes.Dossier]:
    accounts = accounts_of_all(connection, [row.id for row in rows])
    counts = count_all(connection, rows, accounts)
    return [
        {
            "slug": row.slug,
            "name": row.name,
            "fide_id": row.fide_id,
            "names": json.loads(row.names),
            "accounts": [account.key for account in accounts[row.id]],
            "games": counts[row.id],
        }
        for row in rows
    ]
