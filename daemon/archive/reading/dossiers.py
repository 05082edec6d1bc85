"""Dossiers: who they are about, and which games are theirs."""

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Row, Select, func, or_, select

from core.players import identify
from core.vocabulary import Colour
from daemon.archive.reading import shapes
from daemon.archive.reading.accounts import same_accounts
from daemon.archive.reading.search.plan import Wanted, count_ids
from daemon.archive.tables.main import (
    accounts,
    dossier_accounts,
    dossiers,
    games,
    players,
    telling_accounts,
    tellings,
)


def list_dossiers(connection: Connection) -> list[shapes.Dossier]:
    """The dossiers of the configuration, in its order."""
    rows = connection.execute(_DOSSIERS.order_by(dossiers.c.position, dossiers.c.id)).all()
    return [_dossier(connection, row) for row in rows]


def dossier(connection: Connection, slug: str) -> shapes.Dossier | None:
    """The dossier of this slug, None if there is none."""
    row = _find(connection, slug)
    return None if row is None else _dossier(connection, row)


def of_dossier(connection: Connection, slug: str, colour: Colour | None = None) -> Wanted:
    """Whether it is a game of this dossier: from one of its accounts, or played by one of its players.

    With *colour*, only if they had it. A slug of no dossier finds no game.
    """
    row = _find(connection, slug)
    return Wanted.any([]) if row is None else _wanted(connection, row, colour)


def _wanted(connection: Connection, row: Row[*tuple[Any, ...]], colour: Colour | None = None) -> Wanted:
    sides = {"white": (games.c.white_id, games.c.white_name), "black": (games.c.black_id, games.c.black_name)}
    asked = [sides[colour]] if colour else list(sides.values())
    played = Wanted.refers([player_id for player_id, _ in asked], _players(connection, row))
    told = _told(row.id)
    if colour:
        handles = [account.handle for account in _accounts(connection, row.id)]
        named = func.lower(sides[colour][1]).in_(handles)
        told = told.join(games, games.c.id == tellings.c.game_id).where(named)
    return Wanted.any([played, Wanted.among(told)])


def _find(connection: Connection, slug: str) -> Row[*tuple[Any, ...]] | None:
    return connection.execute(_DOSSIERS.where(dossiers.c.slug == slug)).one_or_none()


def _dossier(connection: Connection, row: Row[*tuple[Any, ...]]) -> shapes.Dossier:
    return {
        "slug": row.slug,
        "name": row.name,
        "fide_id": row.fide_id,
        "names": json.loads(row.names),
        "accounts": [account.key for account in _accounts(connection, row.id)],
        "games": _count(connection, row),
    }


def _accounts(connection: Connection, dossier_id: int) -> Iterable[Row[*tuple[Any, ...]]]:
    its = same_accounts(_followed(dossier_id))
    return connection.execute(
        select(accounts.c.key, accounts.c.handle).where(accounts.c.id.in_(its)).order_by(accounts.c.id)
    ).all()


def _followed(dossier_id: int) -> Select[int]:
    return select(dossier_accounts.c.account_id).where(dossier_accounts.c.dossier_id == dossier_id)


def _players(connection: Connection, row: Row[*tuple[Any, ...]]) -> Select[int]:
    """The player of its FIDE id, and the players without an id with one of its names or nicknames.

    A nickname never takes a person: the keys of the two are of different kinds (names R10, R26).
    """
    nicknames = [identify(account.handle) for account in _accounts(connection, row.id)]
    names = [identify(name) for name in json.loads(row.names)]
    keys = [key for key in nicknames if key.kind == "nickname"] + [
        key for key in names if key.kind != "unknown"
    ]
    by_name = players.c.digest.in_([key.digest for key in keys])
    return select(players.c.id).where(
        by_name if row.fide_id is None else or_(by_name, players.c.fide_id == row.fide_id)
    )


def _told(dossier_id: int) -> Select[int]:
    return (
        select(tellings.c.game_id)
        .join(telling_accounts, telling_accounts.c.telling_id == tellings.c.id)
        .where(telling_accounts.c.account_id.in_(same_accounts(_followed(dossier_id))))
    )


def _count(connection: Connection, row: Row[*tuple[Any, ...]]) -> int:
    ids = _wanted(connection, row).ids
    assert ids is not None
    return count_ids(connection, ids)


_DOSSIERS = select(
    dossiers.c.id, dossiers.c.slug, dossiers.c.name, dossiers.c.fide_id, dossiers.c.names
).where(dossiers.c.active)
