"""The steps of a tournament: how each changed its rows, the step that undoes it, and which were undone.

A step is everything that one command did. What is stored of it is the difference of all rows of the
tournament, column by column, so that a new table or column of tournaments (``club_…``, with a
``tournament_id``) needs nothing here.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, RowMapping, Table, and_, delete, select, update

from daemon.archive.club.tournaments import player_of
from daemon.archive.games.cache import KnownIds
from daemon.archive.games.players import drop_idle
from daemon.archive.tables.club import club_events, club_members, club_sources, club_steps, club_tournaments
from daemon.archive.tables.main import players
from daemon.archive.tables.metadata import metadata

Key = tuple[Any, ...]
StepValues = Mapping[str, Any]
Rows = Mapping[tuple[str, Key], StepValues]
"""All rows of a tournament, by table and key."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A changed row: what of it was and what is; None if a row was or is missing."""

    table: str
    key: Key
    before: StepValues | None
    after: StepValues | None


@dataclass(frozen=True, slots=True)
class StoredStep:
    """A step as it is stored.

    Attributes:
        n: The number of its first event.
        last_member: The highest number of a member when it was done.
        back: What undoing it means, sentences.
        differences: What it changed.
        sentences: What it did, sentences.
        what: The command.
    """

    n: int
    last_member: int
    back: tuple[str, ...]
    differences: tuple[Difference, ...]
    sentences: tuple[str, ...] = ()
    what: str = ""


def rows_of(connection: Connection, tournament_id: int) -> Rows:
    """The current rows of the tournament."""
    found: dict[tuple[str, Key], StepValues] = {}
    for table in _tables():
        for row in connection.execute(select(table).where(_of(table) == tournament_id)).mappings():
            found[table.name, _key(table, row)] = dict(row)
    return found


def _tables() -> list[Table]:
    """The tables with the state of a tournament; those that others point to come first."""
    kept = (club_events, club_steps, club_sources)
    return [
        table
        for table in metadata.sorted_tables
        if table is club_tournaments
        or (table.name.startswith("club_") and "tournament_id" in table.c and table not in kept)
    ]


def _of(table: Table) -> Any:
    return table.c.id if table is club_tournaments else table.c.tournament_id


def _key(table: Table, row: RowMapping) -> Key:
    return tuple(row[column.name] for column in table.primary_key)


def difference(before: Rows, after: Rows) -> tuple[Difference, ...]:
    """How the rows differ; of a changed row only the changed columns."""
    found = (
        _difference(place, before.get(place), after.get(place)) for place in dict.fromkeys((*before, *after))
    )
    return tuple(one for one in found if one.before != one.after)


def _difference(place: tuple[str, Key], was: StepValues | None, is_: StepValues | None) -> Difference:
    if was is None or is_ is None:
        return Difference(*place, was, is_)
    changed = [name for name in was if was[name] != is_[name]]
    return Difference(*place, {name: was[name] for name in changed}, {name: is_[name] for name in changed})


def turned(differences: Iterable[Difference]) -> tuple[Difference, ...]:
    """The same differences reversed."""
    return tuple(Difference(one.table, one.key, one.after, one.before) for one in differences)


def put_back(connection: Connection, known: KnownIds, differences: Sequence[Difference]) -> None:
    """Undo these differences. Members are the players whom their names identify today."""
    its = {table.name: table for table in _tables()}
    ordered = [(its[name], one) for name in its for one in differences if one.table == name]
    for table, one in ordered:
        if one.before is not None and one.after is None:
            values = _stored(connection, known, table, one.before)
            connection.execute(table.insert().values(values))
    for table, one in ordered:
        if one.before is not None and one.after is not None:
            values = _known_columns(table, one.before)
            if values:
                connection.execute(update(table).where(_at(table, one.key)).values(values))
    for table, one in reversed(ordered):
        if one.before is None:
            connection.execute(delete(table).where(_at(table, one.key)))
    _identify(connection, known, [one for table, one in ordered if table is club_members])


def _stored(connection: Connection, known: KnownIds, table: Table, row: StepValues) -> StepValues:
    values = _known_columns(table, row)
    if table is club_members:
        had = row["player_id"]
        values["player_id"] = player_of(
            connection, known, row["written"], row["fide_id"], _gone(connection, had)
        )
    return values


def _gone(connection: Connection, player_id: int | None) -> int | None:
    """The id, if nobody has it any more."""
    its = select(players.c.id).where(players.c.id == player_id)
    return player_id if connection.scalar(its) is None else None


def _known_columns(table: Table, row: StepValues) -> dict[str, Any]:
    """The values as they can be stored; who a member is, is looked up by their name."""
    return {name: value for name, value in row.items() if name in table.c and name != "player_id"}


def _at(table: Table, key: Key) -> Any:
    return and_(*(column == value for column, value in zip(table.primary_key, key, strict=True)))


def _identify(connection: Connection, known: KnownIds, members: Sequence[Difference]) -> None:
    """Connect members with the players of their names; players who are no longer used go."""
    left: set[int] = set()
    for one in members:
        rows = [row for row in (one.before, one.after) if row is not None]
        left.update(row["player_id"] for row in rows if "player_id" in row)
        where = _at(club_members, one.key)
        its = connection.execute(
            select(club_members.c.written, club_members.c.fide_id).where(where)
        ).one_or_none()
        if its is not None:
            had = _gone(connection, (one.before or {}).get("player_id"))
            player = player_of(connection, known, its.written, its.fide_id, had)
            connection.execute(update(club_members).where(where).values(player_id=player))
    drop_idle(connection, known, left)


def add(
    connection: Connection, tournament_id: int, step: StoredStep, done: int, undone: int | None = None
) -> None:
    """Store a step, done by the event of this number (and undone by the event *undone*)."""
    connection.execute(
        club_steps.insert().values(
            tournament_id=tournament_id,
            n=step.n,
            done=done,
            undone=undone,
            last_member=step.last_member,
            back=json.dumps(step.back, ensure_ascii=False),
            rows=_rows(step.differences),
        )
    )


def forget_undone(connection: Connection, tournament_id: int) -> None:
    """Drop the undone steps: after something new they can no longer be redone."""
    its = _its(tournament_id) & club_steps.c.undone.is_not(None)
    connection.execute(update(club_steps).where(its).values(gone=True))


def _rows(differences: Iterable[Difference]) -> str:
    return json.dumps([asdict(one) for one in differences], ensure_ascii=False)


def _its(tournament_id: int) -> Any:
    return club_steps.c.tournament_id == tournament_id


def last_done(connection: Connection, tournament_id: int) -> StoredStep | None:
    """The step that `undo` would undo, None if there is none."""
    its = _its(tournament_id) & club_steps.c.undone.is_(None)
    return _first(connection, tournament_id, its, club_steps.c.done)


def last_undone(connection: Connection, tournament_id: int) -> StoredStep | None:
    """The step that was undone last and can be redone, None if there is none."""
    its = _its(tournament_id) & club_steps.c.undone.is_not(None) & ~club_steps.c.gone
    return _first(connection, tournament_id, its, club_steps.c.undone)


def _first(connection: Connection, tournament_id: int, its: Any, order: Any) -> StoredStep | None:
    row = connection.execute(select(club_steps).where(its).order_by(order.desc()).limit(1)).one_or_none()
    if row is None:
        return None
    of_it = (club_events.c.tournament_id == tournament_id) & (club_events.c.step == row.n)
    events = connection.execute(select(club_events).where(of_it).order_by(club_events.c.n)).all()
    read = (Difference(**{**one, "key": tuple(one["key"])}) for one in json.loads(row.rows))
    return StoredStep(
        row.n,
        row.last_member,
        tuple(json.loads(row.back)),
        tuple(read),
        tuple(one.told for one in events),
        next((one.what for one in events if one.what != "table"), "table"),
    )


def take_back(connection: Connection, tournament_id: int, step: StoredStep, event: int) -> None:
    """Note that the event of this number undid the step; its differences lead forward again."""
    _change(connection, tournament_id, step, {"undone": event})


def do_again(connection: Connection, tournament_id: int, step: StoredStep, event: int) -> None:
    """Note that the event of this number redid the step."""
    _change(connection, tournament_id, step, {"undone": None, "done": event})


def _change(connection: Connection, tournament_id: int, step: StoredStep, values: StepValues) -> None:
    its = _its(tournament_id) & (club_steps.c.n == step.n)
    connection.execute(update(club_steps).where(its).values(**values, rows=_rows(step.differences)))


def undone_numbers(connection: Connection, tournament_id: int) -> frozenset[int]:
    """The numbers of the steps that are undone."""
    its = select(club_steps.c.n).where(_its(tournament_id), club_steps.c.undone.is_not(None))
    return frozenset(connection.scalars(its))


def last_member(connection: Connection, tournament_id: int, what: str) -> int | None:
    """The highest number of a member when this command was last done (and not undone).

    None if it never was.
    """
    of_it = and_(
        club_events.c.tournament_id == club_steps.c.tournament_id,
        club_events.c.step == club_steps.c.n,
        club_events.c.what == what,
    )
    its = select(club_steps.c.last_member).join(club_events, of_it)
    done = its.where(_its(tournament_id), club_steps.c.undone.is_(None)).order_by(club_steps.c.done.desc())
    return connection.scalar(done.limit(1))
