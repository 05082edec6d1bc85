"""The names by which edited players are shown, and players whom edits left without a game.

An edit that renames is about a player's key, so that it holds whatever becomes of them: a player who comes
back has the id that they had, and is shown as before.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, exists, or_, select

from core.search import sort_text
from daemon.archive.database.bulk import chunks, insert_rows
from daemon.archive.games.prepared import is_verbatim
from daemon.archive.games.source_names import is_in_sources, kept_by_edits
from daemon.archive.games.words import word_rows
from daemon.archive.tables.edits import edits, told_games, told_players
from daemon.archive.tables.main import player_words, players


@dataclass(frozen=True, slots=True)
class FormerPlayer:
    """A player who was there before, and how they are shown."""

    id: int
    shown: str
    verbatim: bool


def returning(connection: Connection, digests: Collection[bytes]) -> dict[bytes, FormerPlayer]:
    """Those of these players, by the digests of their keys, who were there before."""
    found: dict[bytes, FormerPlayer] = {}
    for some in chunks(list(digests)):
        for row in connection.execute(select(told_players).where(told_players.c.digest.in_(some))):
            found[row.digest] = FormerPlayer(row.id, row.name, row.verbatim)
    if found:
        for digest, typed in _renamed(connection, found.keys()).items():
            found[digest] = FormerPlayer(found[digest].id, typed, is_verbatim(typed, online=False))
    return found


def _renamed(connection: Connection, digests: Iterable[bytes]) -> dict[bytes, str]:
    """The names of these players by the last of the edits that rename them."""
    renamed: dict[bytes, str] = {}
    for some in chunks(list(digests)):
        its = select(edits.c.renames, edits.c.after).where(
            edits.c.renames.in_(some), edits.c.undone_at.is_(None)
        )
        renamed.update((digest, after) for digest, after in connection.execute(its.order_by(edits.c.id)))
    return renamed


def retire(connection: Connection, idle: Collection[int]) -> None:
    """Remember those of these players, about to be deleted, who would have games without the edits."""
    for some in chunks(list(idle)):
        in_source = or_(told_games.c.white_id == players.c.id, told_games.c.black_id == players.c.id)
        its = select(players).where(players.c.id.in_(some), exists().where(in_source))
        _remember(connection, connection.execute(its).all())


def _remember(connection: Connection, found: Sequence[Row[*tuple[Any, ...]]]) -> None:
    # Who is remembered already keeps the name that a source gave first.
    rows = [{"id": row.id, "digest": row.digest, "name": row.name, "verbatim": row.verbatim} for row in found]
    insert_rows(connection, told_players, rows, ignore=True)


def show_anew(connection: Connection, digests: Collection[bytes]) -> None:
    """Show these players as the current edits say, or else as their sources do."""
    for some in chunks(list(digests)):
        present = connection.execute(select(players).where(players.c.digest.in_(some))).all()
        renamed = _renamed(connection, some)
        _remember(connection, [row for row in present if row.digest in renamed])
        in_source = {
            row.digest: row
            for row in connection.execute(select(told_players).where(told_players.c.digest.in_(some)))
        }
        for row in present:
            if row.digest in renamed:
                shown = renamed[row.digest]
                _show(connection, row.id, row.name, shown, verbatim=is_verbatim(shown, online=False))
            elif row.digest in in_source:
                before = in_source[row.digest]
                _show(connection, row.id, row.name, before.name, verbatim=before.verbatim)


def _show(connection: Connection, number: int, before: str, shown: str, *, verbatim: bool) -> None:
    for row in word_rows(number, before):
        its = and_(player_words.c.word == row["word"], player_words.c.player_id == number)
        connection.execute(delete(player_words).where(its))
    insert_rows(connection, player_words, word_rows(number, shown))
    values = {"name": shown, "folded": sort_text(shown), "verbatim": verbatim}
    connection.execute(players.update().where(players.c.id == number).values(values))


def settle(connection: Connection) -> None:
    """After edits have changed, show players by their sources' names if no edit renames them any more.

    And forget players who are shown so, or whom no game would name without the edits.
    """
    renamed = exists().where(edits.c.renames == told_players.c.digest, edits.c.undone_at.is_(None))
    differs = or_(players.c.name != told_players.c.name, players.c.verbatim != told_players.c.verbatim)
    in_source, kept = is_in_sources(told_players.c.id), kept_by_edits(told_players.c.id)
    its = select(told_players, players.c.name.label("present"))
    its = its.join(players, players.c.id == told_players.c.id).where(~renamed, differs, in_source, ~kept)
    for row in connection.execute(its).all():
        _show(connection, row.id, row.present, row.name, verbatim=row.verbatim)
    as_in_source = exists().where(players.c.id == told_players.c.id, ~differs)
    connection.execute(delete(told_players).where(~renamed, or_(as_in_source, ~in_source)))
