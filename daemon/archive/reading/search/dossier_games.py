"""Which games are those of a dossier."""

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Row, Select, func, or_, select

from core.players import PlayerKey, identify
from core.vocabulary import Colour
from daemon.archive.reading.accounts import same_accounts
from daemon.archive.reading.search.plan import Wanted
from daemon.archive.tables.main import (
    accounts,
    dossier_accounts,
    dossiers,
    games,
    players,
    telling_accounts,
)

DOSSIERS = select(
    dossiers.c.id, dossiers.c.slug, dossiers.c.name, dossiers.c.fide_id, dossiers.c.names
).where(dossiers.c.active)
"""The dossiers of the configuration."""


def of_dossier(connection: Connection, slug: str, colour: Colour | None = None) -> Wanted:
    """Whether it is a game of this dossier: from one of its accounts, or played by one of its players.

    With *colour*, only if they had it. A slug of no dossier finds no game.
    """
    row = find_dossier(connection, slug)
    return Wanted.any([]) if row is None else games_of(connection, row, colour)


def games_of(connection: Connection, row: Row[*tuple[Any, ...]], colour: Colour | None = None) -> Wanted:
    """The same of a row of `DOSSIERS`."""
    sides = {"white": (games.c.white_id, games.c.white_name), "black": (games.c.black_id, games.c.black_name)}
    asked = [sides[colour]] if colour else list(sides.values())
    played = Wanted.refers([player_id for player_id, _ in asked], _players(connection, row))
    ids = _by_account(row.id)
    if colour:
        handles = [account.handle for account in accounts_of(connection, row.id)]
        named = func.lower(sides[colour][1]).in_(handles)
        ids = ids.join(games, games.c.id == telling_accounts.c.game_id).where(named)
    return Wanted.any([played, Wanted.among(ids)])


def find_dossier(connection: Connection, slug: str) -> Row[*tuple[Any, ...]] | None:
    """The row of `DOSSIERS` with this slug."""
    return connection.execute(DOSSIERS.where(dossiers.c.slug == slug)).one_or_none()


def accounts_of(connection: Connection, dossier_id: int) -> Iterable[Row[*tuple[Any, ...]]]:
    """The accounts of this dossier, with those that are one with them: key and handle."""
    its = same_accounts(_followed(dossier_id))
    return connection.execute(
        select(accounts.c.key, accounts.c.handle).where(accounts.c.id.in_(its)).order_by(accounts.c.id)
    ).all()


def _followed(dossier_id: int) -> Select[int]:
    return select(dossier_accounts.c.account_id).where(dossier_accounts.c.dossier_id == dossier_id)


def players_of(row: Row[*tuple[Any, ...]], handles: Iterable[str]) -> list[PlayerKey]:
    """The players without an id who have one of its names, or a handle of its accounts as their nickname.

    A nickname never takes a person: the keys of the two are of different kinds (names R10, R26).
    """
    nicknames = map(identify, handles)
    names = map(identify, json.loads(row.names))
    return [
        *(key for key in nicknames if key.kind == "nickname"),
        *(key for key in names if key.kind != "unknown"),
    ]


def _players(connection: Connection, row: Row[*tuple[Any, ...]]) -> Select[int]:
    """These players, and the one of its FIDE id."""
    keys = players_of(row, [account.handle for account in accounts_of(connection, row.id)])
    by_name = players.c.digest.in_([key.digest for key in keys])
    return select(players.c.id).where(
        by_name if row.fide_id is None else or_(by_name, players.c.fide_id == row.fide_id)
    )


def _by_account(dossier_id: int) -> Select[int]:
    return select(telling_accounts.c.game_id).where(
        telling_accounts.c.account_id.in_(same_accounts(_followed(dossier_id)))
    )
