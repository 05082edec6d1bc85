"""Finds a game by an id noted earlier: it may have been merged with another since, or split off again.

A game that edits have merged with another keeps its id as that of a game of its own (`told_games.home_id`),
so that what was noted stays as it is and holds again when the edit is undone. A game whose last telling went
to another one for good is that other one from now on: `follow` rewrites what was noted.
"""

import re
from collections.abc import Collection, Mapping

from sqlalchemy import Connection, Select, Subquery, delete, exists, or_, select, update

from daemon.archive.database.bulk import chunks, insert_rows
from daemon.archive.tables.club import club_pairings, club_steps
from daemon.archive.tables.edits import double_answers, told_games
from daemon.archive.tables.main import games, tellings


def now(connection: Connection, game_ids: Collection[int]) -> dict[int, int]:
    """The current games for these ids, by id; ids of no game are left out."""
    found: dict[int, int] = {}
    moved = elsewhere()
    for some in chunks(sorted(set(game_ids))):
        found.update((number, number) for number in connection.scalars(_there(some)))
        its = select(moved.c.was, moved.c.now).where(moved.c.was.in_(some))
        found.update((was, number) for was, number in connection.execute(its))
    return found


def _there(some: Collection[int]) -> Select[int]:
    return select(games.c.id).where(games.c.id.in_(some))


def elsewhere() -> Subquery:
    """Ids of games that an edit has merged with another (*was*), and the games that they are in (*now*)."""
    gone = ~exists().where(games.c.id == told_games.c.home_id)
    return (
        select(told_games.c.home_id.label("was"), tellings.c.game_id.label("now"))
        .distinct()
        .join(tellings, tellings.c.told_key == told_games.c.key)
        .where(told_games.c.home_id.is_not(None), gone)
        .subquery("elsewhere")
    )


def follow(connection: Connection, moved: Mapping[int, int]) -> None:
    """Make notes on deleted games refer to the games to which their last tellings went."""
    for gone, into in moved.items():
        if _may_come_back(connection, gone):
            continue
        boards = update(club_pairings).where(club_pairings.c.game_id == gone).values(game_id=into)
        connection.execute(boards)
        _follow_in_steps(connection, gone, into)
        _answer(connection, gone, into)


def _follow_in_steps(connection: Connection, gone: int, into: int) -> None:
    """The same in what undoes the steps of tournaments (JSON of `archive/club/steps.py`)."""
    its = select(club_steps).where(club_steps.c.rows.contains(f'"game_id": {gone}'))
    for row in connection.execute(its).all():
        rows = re.sub(rf'"game_id": {gone}(?!\d)', f'"game_id": {into}', row.rows)
        where = (club_steps.c.tournament_id == row.tournament_id) & (club_steps.c.n == row.n)
        connection.execute(update(club_steps).where(where).values(rows=rows))


def _may_come_back(connection: Connection, game_id: int) -> bool:
    """Whether it exists, exists again, or is the home of a source game."""
    there = exists().where(games.c.id == game_id)
    return bool(connection.scalar(select(or_(there, exists().where(told_games.c.home_id == game_id)))))


def _answer(connection: Connection, gone: int, into: int) -> None:
    """Answers on pairs of games that are two."""
    its = or_(double_answers.c.game_id == gone, double_answers.c.other_id == gone)
    rows = connection.execute(select(double_answers).where(its)).all()
    connection.execute(delete(double_answers).where(its))
    pairs = [(sorted({row.game_id, row.other_id, into} - {gone}), row.edit_id) for row in rows]
    new = [
        {"game_id": pair[0], "other_id": pair[1], "edit_id": edit_id}
        for pair, edit_id in pairs
        if len(pair) > 1
    ]
    insert_rows(connection, double_answers, new, ignore=True)
