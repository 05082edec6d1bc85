"""Games that may have been played on a club's evening."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import ColumnElement, Connection, and_, exists, or_, select

from core.players import PlayerKey
from daemon.archive.reading.tellings import tellings_of
from daemon.archive.tables import accounts, games, players, telling_accounts, tellings


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningGame:
    """A game of the archive, with all that decides whether it is the one of a board. *sites* told of it."""

    id: int
    white_id: int
    black_id: int
    white: str
    black: str
    result: str
    variant: str
    time_class: str | None
    date: str
    started_at: int | None
    ply_count: int
    sites: tuple[str, ...]
    url: str | None


@dataclass(frozen=True, slots=True)
class Evening:
    """When, and what else the games must be. *account*: the key of an account or event that led to them."""

    day: date
    begins_at: int
    ends_at: int
    time_class: str | None = None
    account: str | None = None


def players_of(conn: Connection, keys: Collection[PlayerKey]) -> dict[PlayerKey, int]:
    """The ids of those of these players whom the archive has."""
    by_digest = {key.digest: key for key in keys}
    rows = conn.execute(select(players.c.digest, players.c.id).where(players.c.digest.in_(by_digest)))
    return {by_digest[row.digest]: row.id for row in rows}


def is_followed(conn: Connection, account: str) -> bool:
    """Does the archive know this account or event?"""
    return conn.scalar(select(accounts.c.id).where(accounts.c.key == account)) is not None


def games_on(conn: Connection, evening: Evening, player_ids: Collection[int]) -> list[EveningGame]:
    """The games of that evening in which both players are among these, in the order in which they were played.

    A game that does not say when it began counts if it is of that day.
    """
    its = (
        select(games)
        .where(games.c.white_id.in_(player_ids), games.c.black_id.in_(player_ids), _when(evening))
        .order_by(games.c.started_at, games.c.id)
    )
    if evening.time_class is not None:
        its = its.where(games.c.time_class == evening.time_class)
    if evening.account is not None:
        its = its.where(_led_by(evening.account))
    rows = conn.execute(its).all()
    told = tellings_of(conn, [row.id for row in rows])
    return [
        EveningGame(
            id=row.id,
            white_id=row.white_id,
            black_id=row.black_id,
            white=row.white_name,
            black=row.black_name,
            result=row.result,
            variant=row.variant,
            time_class=row.time_class,
            date=row.date,
            started_at=row.started_at,
            ply_count=row.ply_count,
            sites=tuple(sorted({one["site"] for one in told[row.id] if one["site"]})),
            url=next((one["url"] for one in told[row.id] if one["url"]), None),
        )
        for row in rows
    ]


def _when(evening: Evening) -> ColumnElement[bool]:
    # Dates of online games are UTC's: an evening may touch the days beside it. Named so that the index is used.
    near = [f"{evening.day + timedelta(days=step):%Y.%m.%d}" for step in (-1, 0, 1)]
    within = games.c.started_at.between(evening.begins_at, evening.ends_at)
    undated = and_(games.c.started_at.is_(None), games.c.date == near[1])
    return and_(games.c.date.in_(near), or_(within, undated))


def _led_by(account: str) -> ColumnElement[bool]:
    led = (
        select(tellings.c.game_id)
        .join(telling_accounts, telling_accounts.c.telling_id == tellings.c.id)
        .join(accounts, accounts.c.id == telling_accounts.c.account_id)
        .where(accounts.c.key == account, tellings.c.game_id == games.c.id)
    )
    return exists(led)
