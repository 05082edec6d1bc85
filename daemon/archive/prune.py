"""Deletes tellings that are no longer in their file, and games without any telling, when the user says so."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, and_, delete, exists, or_, select

from daemon.archive.database import new_ids
from daemon.archive.database.bulk import chunks
from daemon.archive.edits.next_telling import retell
from daemon.archive.edits.regroup import regroup
from daemon.archive.games import quarantine, source_games, whereabouts
from daemon.archive.games.cache import KnownIds
from daemon.archive.games.changes import Changes, Shelf
from daemon.archive.games.store import store
from daemon.archive.tables.club import club_pairings
from daemon.archive.tables.files import left_items, left_tellings
from daemon.archive.tables.main import files, telling_ids, tellings
from daemon.archive.tables.main import quarantine as items
from daemon.paths import shown


@dataclass(frozen=True, slots=True)
class Left:
    """A telling that has left its file.

    Attributes:
        n: Which telling of its game it is.
        last: All other tellings of its game have left their files too.
        on_board: The game is the one of a board of a club evening.
        now: The game that is at its place in the file, if there is one.
        edited: The user has edited the game.
    """

    id: int
    game_id: int
    n: int
    file: str
    last: bool
    on_board: bool
    now: int | None
    edited: bool

    @property
    def stays(self) -> bool:
        """Whether it is the last one of a game that something else needs and nothing replaces."""
        return self.last and self.on_board and self.now is None


@dataclass(frozen=True, slots=True)
class Leftovers:
    """What has left some files: *tellings*, and items of quarantine."""

    tellings: tuple[Left, ...]
    items: tuple[int, ...]


def leftovers(connection: Connection, paths: Sequence[str]) -> Leftovers:
    """What has left the files at *paths* and below them, in the order of intake."""
    below = (files.c.path.startswith(shown(path).rstrip("/") + "/", autoescape=True) for path in paths)
    where = or_(files.c.path.in_([shown(path) for path in paths]), *below)
    rows = connection.execute(_LEFT.where(where).order_by(tellings.c.id)).all()
    its = (
        select(left_items.c.item_id)
        .join(items, items.c.id == left_items.c.item_id)
        .join(files, files.c.id == items.c.file_id)
    )
    return Leftovers(
        tuple(
            Left(row.id, row.game_id, row.n, row.path, not row.has_others, row.on_board, row.now, row.edited)
            for row in rows
        ),
        tuple(connection.scalars(its.where(where).order_by(left_items.c.item_id))),
    )


_other, _now, _this = tellings.alias("other"), tellings.alias("now"), left_tellings.alias("this")
_LEFT = (
    select(
        tellings.c.id,
        tellings.c.game_id,
        tellings.c.n,
        files.c.path,
        exists()
        .where(
            _other.c.game_id == tellings.c.game_id,
            ~exists().where(left_tellings.c.telling_id == _other.c.id).correlate(_other),
        )
        .label("has_others"),
        exists().where(club_pairings.c.game_id == tellings.c.game_id).label("on_board"),
        _now.c.game_id.label("now"),
        tellings.c.told_key.is_not(None).label("edited"),
    )
    .join(files, files.c.id == tellings.c.file_id)
    .join(_this, _this.c.telling_id == tellings.c.id)
    .outerjoin(_now, and_(_now.c.id == _this.c.replaced_by, _now.c.game_id != tellings.c.game_id))
)


def prune(connection: Connection, known: KnownIds, left: Leftovers, now_ms: int) -> int:
    """Delete these tellings and items; returns how many games went with them.

    The board of a club evening whose game goes gets the game that replaced it in its file; if there is none,
    the game stays, with its tellings.
    """
    ids = [one.id for one in left.tellings if not one.stays]
    game_ids = sorted({one.game_id for one in left.tellings})
    keys = _source_keys(connection, game_ids)
    quarantine.drop(connection, left.items)
    new_ids.note(connection, tellings, ids)
    for some in chunks(ids):
        connection.execute(delete(items).where(items.c.telling_id.in_(some)))
        connection.execute(delete(telling_ids).where(telling_ids.c.telling_id.in_(some)))
        connection.execute(delete(tellings).where(tellings.c.id.in_(some)))
    gone = _prepare_again(connection, known, game_ids, now_ms)
    _let_edits_follow(connection, known, keys, now_ms)
    replaced = {one.game_id: one.now for one in left.tellings if one.last and one.now}
    there = whereabouts.now(connection, replaced.values())
    whereabouts.follow(connection, {was: there[now] for was, now in replaced.items() if now in there})
    return gone


def _source_keys(connection: Connection, game_ids: Collection[int]) -> set[bytes]:
    found: set[bytes] = set()
    for some in chunks(list(game_ids)):
        its = select(tellings.c.told_key).where(
            tellings.c.game_id.in_(some), tellings.c.told_key.is_not(None)
        )
        found.update(key for key in connection.scalars(its) if key is not None)
    return found


def _prepare_again(connection: Connection, known: KnownIds, game_ids: Sequence[int], now_ms: int) -> int:
    """Write games that lost tellings from those that remain, and delete those without any."""
    shelf = Shelf(connection)
    shelf.load_games(game_ids)
    stored = list(shelf.games)
    shelf.load_tellings_of(stored)
    changes = Changes()
    for game in stored:
        if not game.tellings:
            game.gone = True
            changes.gone.append(game)
        elif not any(telling.told_key is not None for telling in game.tellings.values()):
            changes.lost_first[game.id] = game
    retell(connection, changes)
    store(connection, known, changes, now_ms)
    return len(changes.gone)


def _let_edits_follow(connection: Connection, known: KnownIds, keys: Collection[bytes], now_ms: int) -> None:
    """No longer store games without any telling apart from their edits; put the others together again."""
    its = select(tellings.c.told_key).where(tellings.c.told_key.in_(list(keys)))
    there = {key for key in connection.scalars(its) if key is not None}
    source_games.drop(connection, set(keys) - there)
    if there:
        regroup(connection, known, there, now_ms)
