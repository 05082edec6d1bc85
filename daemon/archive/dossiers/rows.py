"""The dossiers of the configuration, as the archive stores them."""

import json
from collections.abc import Sequence

from sqlalchemy import Column, Connection, delete, select, update

from daemon.archive.database import new_ids
from daemon.archive.database.bulk import insert_rows
from daemon.archive.dossiers.same_person import changed, people
from daemon.archive.games.doubles_due import due_games_of
from daemon.archive.tables.main import accounts, dossier_accounts, dossiers
from daemon.config.configured import ConfiguredDossier


def sync_dossiers(connection: Connection, wanted: Sequence[ConfiguredDossier]) -> None:
    """Store these dossiers in this order as active, and no other. After `sync_accounts`.

    Games of players who now belong to another person are searched for near doubles again.
    """
    before = people(connection)
    _store(connection, wanted)
    due_games_of(connection, [key.digest for key in changed(before, people(connection))])


def _store(connection: Connection, wanted: Sequence[ConfiguredDossier]) -> None:
    stored = _numbers(connection, dossiers.c.slug, dossiers.c.id)
    numbers = _numbers(connection, accounts.c.key, accounts.c.id)
    connection.execute(update(dossiers).values(active=False))
    for position, dossier in enumerate(wanted):
        number = stored.get(dossier.slug)
        if number is None:
            (number,) = new_ids.take(connection, dossiers)
            stored[dossier.slug] = number
            connection.execute(dossiers.insert().values(id=number, **_values(dossier, position)))
        else:
            connection.execute(
                update(dossiers).where(dossiers.c.id == number).values(_values(dossier, position))
            )
        connection.execute(delete(dossier_accounts).where(dossier_accounts.c.dossier_id == number))
        linked = [
            {"dossier_id": number, "account_id": numbers[key]} for key in dict.fromkeys(dossier.accounts)
        ]
        insert_rows(connection, dossier_accounts, linked)


def _numbers(connection: Connection, name: Column[str], number: Column[int]) -> dict[str, int]:
    return dict(connection.execute(select(name, number)).all())


def _values(dossier: ConfiguredDossier, position: int) -> dict[str, object]:
    return {
        "slug": dossier.slug,
        "name": dossier.name,
        "fide_id": None if dossier.fide_id is None else str(dossier.fide_id),
        "names": json.dumps(list(dossier.names), ensure_ascii=False),
        "active": True,
        "position": position,
    }
