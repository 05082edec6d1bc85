"""Edits as rows: noted and applied, undone and reverted."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select

from core.edits import EditError
from core.game import Game
from daemon.archive.database import new_ids
from daemon.archive.database.bulk import ColumnValues, chunks, insert_rows
from daemon.archive.edits import overlay
from daemon.archive.edits.regroup import Regrouped, regroup
from daemon.archive.games import shown_names, source_games
from daemon.archive.games.cache import KnownIds
from daemon.archive.tables.edits import double_answers, edit_keys, edits
from daemon.archive.tables.main import games, players, tellings
from daemon.archive.tables.words import EditKind


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEdit:
    """An edit that is to be made, see `daemon.archive.tables.edits.edits`.

    Attributes:
        keys: the source games that it is about.
        renames: digest of the player who is shown as *after* from now on, *fide_id* their id.
    """

    kind: EditKind
    game_id: int | None = None
    other_id: int | None = None
    player_id: int | None = None
    field: str | None = None
    before: str | None = None
    after: str | None = None
    renames: bytes | None = None
    fide_id: str | None = None
    main_key: bytes | None = None
    keys: Collection[bytes] = ()


@dataclass(frozen=True, slots=True)
class ShownPlayer:
    """A player as they are shown."""

    id: int
    digest: bytes
    shown: str
    fide_id: str | None


def games_as_edited(connection: Connection, game_ids: Sequence[int]) -> dict[int, Game]:
    """These games as the archive shows them now, by id."""
    return {number: one.game for number, one in source_games.from_rows(connection, game_ids).items()}


def players_by_digest(connection: Connection, digests: Collection[bytes]) -> dict[bytes, ShownPlayer]:
    """Those of these players who have a game."""
    return {
        row.digest: _player(row)
        for some in chunks(list(digests))
        for row in connection.execute(select(players).where(players.c.digest.in_(some)))
    }


def player_by_id(connection: Connection, player_id: int) -> ShownPlayer | None:
    """The player with this id, None if there is none."""
    row = connection.execute(select(players).where(players.c.id == player_id)).one_or_none()
    return None if row is None else _player(row)


def _player(row: Row[*tuple[Any, ...]]) -> ShownPlayer:
    return ShownPlayer(row.id, row.digest, row.name, row.fide_id)


def source_keys(connection: Connection, game_ids: Sequence[int]) -> dict[int, list[bytes]]:
    """The source games that these games consist of, the first telling's first."""
    key = func.coalesce(tellings.c.told_key, games.c.key).label("source_key")
    its = select(tellings.c.game_id, key).join(games, games.c.id == tellings.c.game_id)
    found: dict[int, dict[bytes, None]] = {}
    for some in chunks(game_ids):
        ordered = its.where(tellings.c.game_id.in_(some)).order_by(tellings.c.game_id, tellings.c.n)
        for number, told_key in connection.execute(ordered):
            found.setdefault(number, {})[told_key] = None
    return {number: list(keys) for number, keys in found.items()}


def make(
    connection: Connection, known: KnownIds, new: Sequence[NewEdit], now_ms: int
) -> tuple[Regrouped, range]:
    """Note these edits as those of one command, and apply them. Returns their numbers, too."""
    ids = new_ids.take(connection, edits, len(new))
    first = ids.start
    rows = [
        {"id": number, "batch": first, "at": now_ms, **_values(one), "undone_at": None}
        for number, one in zip(ids, new, strict=True)
    ]
    insert_rows(connection, edits, rows)
    overlay.attach(connection, [(key, number) for number, one in enumerate(new, first) for key in one.keys])
    source_games.set_apart(
        connection, list({one.game_id: None for one in new if one.keys and one.game_id is not None})
    )
    source_games.set_apart(
        connection, [one.other_id for one in new if one.kind == "same" and one.other_id is not None]
    )
    different = [
        {"game_id": one.game_id, "other_id": one.other_id, "edit_id": number}
        for number, one in enumerate(new, first)
        if one.kind == "different"
    ]
    insert_rows(connection, double_answers, different, ignore=True)
    keys = (key for one in new for key in one.keys)
    return _come_true(connection, known, keys, _renamed(new), now_ms), ids


def _values(one: NewEdit) -> ColumnValues:
    return {
        "kind": one.kind,
        "game_id": one.game_id,
        "other_id": one.other_id,
        "player_id": one.player_id,
        "field": one.field,
        "before": one.before,
        "after": one.after,
        "renames": one.renames,
        "fide_id": one.fide_id,
        "main_key": one.main_key,
    }


def _renamed(new: Iterable[NewEdit]) -> set[bytes]:
    return {one.renames for one in new if one.renames is not None}


def _come_true(
    connection: Connection, known: KnownIds, keys: Iterable[bytes], renamed: Collection[bytes], now_ms: int
) -> Regrouped:
    shown_names.show_anew(connection, renamed)
    return regroup(connection, known, set(keys), now_ms)


def undo(connection: Connection, known: KnownIds, edit_ids: Sequence[int], now_ms: int) -> None:
    """Revert these edits.

    Raises:
        EditError: there is no such edit, or it is undone already, or a later one depends on it.
    """
    numbers = list(dict.fromkeys(edit_ids))
    renamed = [digest for number in numbers if (digest := _take_back(connection, number, now_ms)) is not None]
    keys: set[bytes] = set()
    for some in chunks(numbers):
        keys.update(connection.scalars(select(edit_keys.c.key).where(edit_keys.c.edit_id.in_(some))))
    _refuse_divided(connection, min(numbers), _come_true(connection, known, keys, renamed, now_ms))


def _take_back(connection: Connection, number: int, now_ms: int) -> bytes | None:
    """Note that this edit is undone; returns the digest of the player whom it renamed."""
    row = connection.execute(select(edits).where(edits.c.id == number)).one_or_none()
    if row is None:
        raise EditError(f"there is no edit {number}; `gamekeeper edits` lists them")
    if row.undone_at is not None:
        raise EditError(f"edit {number} is undone already")
    connection.execute(edits.update().where(edits.c.id == number).values(undone_at=now_ms))
    connection.execute(delete(double_answers).where(double_answers.c.edit_id == number))
    renames: bytes | None = row.renames
    return renames


def _refuse_divided(connection: Connection, first: int, regrouped: Regrouped) -> None:
    """An edit of a game that would come apart now was made on the one game: it has to be undone, too."""
    divided: dict[int, set[bytes]] = {}
    for some in chunks(list(regrouped.before)):
        later = (
            select(edit_keys)
            .join(edits, edits.c.id == edit_keys.c.edit_id)
            .where(edit_keys.c.key.in_(some), edits.c.id > first, edits.c.undone_at.is_(None))
        )
        for key, edit_id in connection.execute(later):
            divided.setdefault(edit_id, set()).add(key)
    for edit_id, keys in sorted(divided.items()):
        before, after = ({parts[key] for key in keys} for parts in (regrouped.before, regrouped.after))
        if len(after) > len(before):
            raise EditError(
                f"the game would come apart, and edit {edit_id} was made when it was one already: "
                f"undo edit {edit_id} first"
            )


def batch_of(connection: Connection, number: int) -> list[int]:
    """All edits of the command that made this one, except those that are undone.

    Raises:
        EditError: there is no such edit, or all of them are undone.
    """
    batch = connection.scalar(select(edits.c.batch).where(edits.c.id == number))
    if batch is None:
        raise EditError(f"there is no edit {number}; `gamekeeper edits` lists them")
    its = select(edits.c.id).where(edits.c.batch == batch, edits.c.undone_at.is_(None))
    found = list(connection.scalars(its))
    if not found:
        raise EditError(f"edit {number} and all others of its command are undone already")
    return found
