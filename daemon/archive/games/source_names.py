"""Which players are named by sources, and how they were named first: edits make players, too.

A player whom an edit has made is shown as it was typed. When a source names the same player later, its name
is the one to show once the edit is undone: the first source that names a player decides (names R14), as if
nothing had been edited.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, and_, delete, exists, or_, select
from sqlalchemy.sql.elements import ColumnElement

from core import names
from core.players import PlayerKey
from daemon.archive.database import new_ids
from daemon.archive.database.bulk import ColumnValues, chunks, insert_rows
from daemon.archive.games.prepared import Prepared, is_verbatim
from daemon.archive.tables.club import club_members
from daemon.archive.tables.edits import told_games, told_players
from daemon.archive.tables.main import games, players, tellings

_APART: Final = exists().where(tellings.c.game_id == games.c.id, tellings.c.told_key.is_not(None))


def is_in_sources(player_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Whether this player would exist without edits.

    In a game as its source gives it, or as a member of a club.
    """
    named = (
        exists().where(column == player_id)
        for column in (told_games.c.white_id, told_games.c.black_id, club_members.c.player_id)
    )
    plays = (exists().where(column == player_id, ~_APART) for column in (games.c.white_id, games.c.black_id))
    return or_(*named, *plays)


def kept_by_edits(player_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Whether this player plays a game only because it was edited."""
    its = and_(tellings.c.game_id == games.c.id, tellings.c.told_key == told_games.c.key)
    sides = ((games.c.white_id, told_games.c.white_id), (games.c.black_id, told_games.c.black_id))
    return or_(
        *(
            exists().where(its, now == player_id, or_(before.is_(None), before != player_id))
            for now, before in sides
        )
    )


@dataclass(frozen=True, slots=True)
class _SideName:
    key: PlayerKey
    name: str
    online: bool
    typed: bool


def note(connection: Connection, batch: Iterable[Prepared]) -> None:
    """Remember how these games, in this order, name players whom no source has named before."""
    source = list(batch)
    first: dict[bytes, _SideName] = {}
    at_risk: set[bytes] = set()
    for prepared in source:
        for one, shown_as in _sides(prepared):
            digest = one.key.digest
            if digest not in first and one.key != shown_as:
                at_risk.add(digest)  # its game is of another player, by an edit
            first.setdefault(digest, one)
            if one.key != shown_as:
                at_risk.add(shown_as.digest)  # an edit may make this player, before a source names them
    _remember(connection, first, at_risk)


def _sides(prepared: Prepared) -> tuple[tuple[_SideName, PlayerKey], ...]:
    """Both players as the source names them, and who plays instead."""
    source = prepared.as_given
    game = source.game
    return (
        (_SideName(source.white, game.white.name, game.online, game.typed("white")), prepared.white),
        (_SideName(source.black, game.black.name, game.online, game.typed("black")), prepared.black),
    )


def _remember(connection: Connection, named: Mapping[bytes, _SideName], at_risk: Collection[bytes]) -> None:
    ids = _ids(connection, named)
    source = _in_sources(connection, ids.values())
    new = [
        digest
        for digest in named
        if (digest in ids and ids[digest] not in source) or (digest not in ids and digest in at_risk)
    ]
    for some in chunks(new):
        connection.execute(delete(told_players).where(told_players.c.digest.in_(some)))
    without = [digest for digest in new if digest not in ids]
    ids |= zip(without, new_ids.take(connection, players, len(without)), strict=True)
    insert_rows(connection, told_players, [_row(ids[digest], digest, named[digest]) for digest in new])


def _ids(connection: Connection, digests: Iterable[bytes]) -> dict[bytes, int]:
    """The ids of those of these players who have one."""
    found: dict[bytes, int] = {}
    for some in chunks(list(digests)):
        for table in (told_players, players):
            its = select(table.c.digest, table.c.id).where(table.c.digest.in_(some))
            found.update((digest, number) for digest, number in connection.execute(its))
    return found


def _in_sources(connection: Connection, ids: Iterable[int]) -> set[int]:
    found: set[int] = set()
    for some in chunks(list(ids)):
        for table in (told_players, players):
            its = select(table.c.id).where(table.c.id.in_(some), is_in_sources(table.c.id))
            found.update(connection.scalars(its))
    return found


def _row(number: int, digest: bytes, one: _SideName) -> ColumnValues:
    shown = names.display(one.name, online=one.online or one.typed)
    verbatim = is_verbatim(one.name, online=one.online)
    return {"id": number, "digest": digest, "name": shown, "verbatim": verbatim}
