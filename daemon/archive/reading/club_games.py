"""Games that may have been played on a club evening."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, exists, func, or_, select

from daemon.archive.reading import shapes
from daemon.archive.reading.tellings import tellings_of
from daemon.archive.tables.main import accounts, games, players, telling_accounts, tellings


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningGame:
    """A game of the archive, with all that decides whether it belongs to a board. *sites* are its sources.

    *white* and *black* are the names as written in it; *online*: they are names on a site.
    """

    id: int
    white_id: int
    black_id: int
    white: str
    black: str
    white_fide_id: str | None
    black_fide_id: str | None
    online: bool
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


def is_followed(connection: Connection, account: str) -> bool:
    """Whether the archive knows this account or event."""
    return connection.scalar(select(accounts.c.id).where(accounts.c.key == account)) is not None


def games_on(
    connection: Connection, evening: Evening, player_ids: Collection[int], handles: Collection[str]
) -> list[EveningGame]:
    """The games of that evening in which both sides are these players or have these names, in order of play.

    A game that does not say when it began counts if it is of that day.
    """
    white, black = players.alias("white"), players.alias("black")
    names = {handle.lower() for handle in handles}
    its = (
        select(games, white.c.fide_id.label("white_fide_id"), black.c.fide_id.label("black_fide_id"))
        .join(white, white.c.id == games.c.white_id)
        .join(black, black.c.id == games.c.black_id)
        .where(
            _when(evening),
            or_(games.c.white_id.in_(player_ids), func.lower(games.c.white_name).in_(names)),
            or_(games.c.black_id.in_(player_ids), func.lower(games.c.black_name).in_(names)),
        )
        .order_by(games.c.started_at, games.c.id)
    )
    if evening.time_class is not None:
        its = its.where(games.c.time_class == evening.time_class)
    if evening.account is not None:
        its = its.where(_led_by(evening.account))
    rows = connection.execute(its).all()
    tellings = tellings_of(connection, [row.id for row in rows])
    return [_game(row, tellings.get(row.id, [])) for row in rows]


def _game(row: Row[*tuple[Any, ...]], tellings: Sequence[shapes.Telling]) -> EveningGame:
    return EveningGame(
        id=row.id,
        white_id=row.white_id,
        black_id=row.black_id,
        white=row.white_name,
        black=row.black_name,
        white_fide_id=row.white_fide_id,
        black_fide_id=row.black_fide_id,
        online=row.online,
        result=row.result,
        variant=row.variant,
        time_class=row.time_class,
        date=row.date,
        started_at=row.started_at,
        ply_count=row.ply_count,
        sites=tuple(sorted({one["site"] for one in tellings if one["site"]})),
        url=next((one["url"] for one in tellings if one["url"]), None),
    )


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
