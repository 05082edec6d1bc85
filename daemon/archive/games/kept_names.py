"""Names that a later download leaves out: the game keeps the players who were named before."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, and_, select

from core.game import Game
from core.players import is_nameless, still_named
from core.sites import SiteId
from daemon.archive.database.bulk import chunks
from daemon.archive.games import source_games
from daemon.archive.games.prepared import prepare
from daemon.archive.games.telling import Download, Telling, by_site
from daemon.archive.tables.main import DOWNLOADED, tellings

_NameRow = Row[*tuple[Any, ...]]


def name_again(connection: Connection, tellings: Sequence[Telling]) -> Sequence[Telling]:
    """These tellings; names that a download leaves out are taken from the telling that it replaces.

    A broadcast that has lost its players' names for a minute must not make other games of all its boards.
    """
    nameless = {
        _id(one.prepared.game)
        for one in tellings
        if isinstance(one.source, Download) and is_partly_nameless(one.prepared.game)
    }
    before = _before(connection, nameless) if nameless else {}
    return [_named_again(one, before) for one in tellings] if before else tellings


def _named_again(telling: Telling, before: Mapping[SiteId, Game]) -> Telling:
    game = telling.prepared.game
    known = before.get(_id(game)) if isinstance(telling.source, Download) else None
    return telling if known is None else replace(telling, prepared=prepare(still_named(game, known)))


def is_partly_nameless(game: Game) -> bool:
    """Whether a source does not say who played."""
    return is_nameless(game.white) or is_nameless(game.black)


def as_they_came(connection: Connection, found: Iterable[_NameRow]) -> dict[int, Game]:
    """What these tellings (id, game_id, told_key) were when they came, by their ids."""
    rows = list(found)
    plain = source_games.from_rows(connection, [row.game_id for row in rows if row.told_key is None])
    apart = source_games.load(connection, [row.told_key for row in rows if row.told_key is not None])
    kept = {
        row.id: plain.get(row.game_id) if row.told_key is None else apart.get(row.told_key) for row in rows
    }
    return {number: one.game for number, one in kept.items() if one is not None}


def _before(connection: Connection, ids: Iterable[SiteId]) -> Mapping[SiteId, Game]:
    columns = (tellings.c.id, tellings.c.game_id, tellings.c.told_key, tellings.c.site, tellings.c.native_id)
    found: list[_NameRow] = []
    for site, native_ids in by_site(ids).items():
        for some in chunks(native_ids):
            same = and_(DOWNLOADED, tellings.c.site == site, tellings.c.native_id.in_(some))
            found += connection.execute(select(*columns).where(same))
    games = as_they_came(connection, found)
    return {(row.site, row.native_id): games[row.id] for row in found if row.id in games}


def _id(game: Game) -> SiteId:
    return game.source or "", game.native_id or ""
