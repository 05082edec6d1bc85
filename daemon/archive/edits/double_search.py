"""Finds near doubles by look-ups in indexes, some games at a time, and keeps them until the games change."""

import json
from collections.abc import Collection, Sequence
from functools import partial
from typing import Final

from sqlalchemy import (
    CTE,
    BigInteger,
    Connection,
    Text,
    and_,
    column,
    delete,
    or_,
    select,
    text,
)

from core.doubles import RULES, Candidate, DoubleReason, has_two_ids, near, near_dates
from core.game import PartialDate
from core.sites import SiteId
from daemon.archive.database import new_ids, settings
from daemon.archive.database.bulk import chunks, insert_rows, update_rows
from daemon.archive.dossiers.same_person import are_one, people
from daemon.archive.games import source_games
from daemon.archive.games.doubles_due import LAST, all_due, last_looked_at
from daemon.archive.games.replaced import Pair, in_order, replaced_pairs
from daemon.archive.games.withdrawn import withdrawn_pairs
from daemon.archive.tables.edits import doubles_due, near_doubles
from daemon.archive.tables.main import games, telling_ids, tellings

TOGETHER: Final = 300
"""How many games are looked at in one transaction, where nobody waits for an answer meanwhile."""

_RULES: Final = "doubles_rules"
"""Setting: the version of the rules by which all games were looked at, or are being looked at."""


def look(connection: Connection, together: int = TOGETHER) -> int | None:
    """Look at some of the games that are new or changed, *together* at most.

    Returns how many pairs are new, None if all were looked at.
    """
    _mind_rules(connection)
    some = list(
        connection.scalars(select(doubles_due.c.game_id).order_by(doubles_due.c.game_id).limit(together))
    )
    new = select(games.c.id).where(games.c.id > last_looked_at(connection)).order_by(games.c.id)
    fresh = list(connection.scalars(new.limit(together - len(some))))
    if not some and not fresh:
        return None
    connection.execute(delete(doubles_due).where(doubles_due.c.game_id.in_(some)))
    if fresh:
        settings.put(connection, LAST, str(fresh[-1]))
    looked_at = {*some, *fresh}
    return _keep(connection, looked_at, _near(connection, looked_at))


def waiting(connection: Connection, most: int) -> int:
    """How many games wait to be looked at; *most* if they are more."""
    again = settings.get(connection, _RULES) != RULES
    last = 0 if again else last_looked_at(connection)
    queries = (
        select(doubles_due.c.game_id).limit(most),
        select(games.c.id).where(games.c.id > last).limit(most),
    )
    return min(sum(len(connection.execute(query).all()) for query in queries), most)


def _mind_rules(connection: Connection) -> None:
    """If the rules have changed there are other pairs: all games are looked at again."""
    if settings.get(connection, _RULES) != RULES:
        all_due(connection)
        settings.put(connection, _RULES, RULES)


def _keep(connection: Connection, looked_at: Collection[int], found: dict[Pair, DoubleReason]) -> int:
    """Store these pairs, which are all that the games can be in. One that was known keeps its number."""
    known = _known(connection, looked_at)
    gone = [number for pair, number in known.items() if pair not in found]
    for some in chunks(gone):
        connection.execute(delete(near_doubles).where(near_doubles.c.id.in_(some)))
    again = [
        {"id": number, "kind": found[pair].kind, "reason": found[pair].text}
        for pair, number in known.items()
        if pair in found
    ]
    update_rows(connection, near_doubles, again)
    new = sorted(found.keys() - known.keys())
    ids = new_ids.take(connection, near_doubles, len(new))
    rows = [
        {
            "id": number,
            "game_id": older,
            "other_id": other,
            "kind": found[older, other].kind,
            "reason": found[older, other].text,
        }
        for number, (older, other) in zip(ids, new, strict=True)
    ]
    insert_rows(connection, near_doubles, rows)
    return len(rows)


def _known(connection: Connection, looked_at: Collection[int]) -> dict[Pair, int]:
    """The pairs that these games are in, with their numbers."""
    known: dict[Pair, int] = {}
    for some in chunks(list(looked_at)):
        either = or_(near_doubles.c.game_id.in_(some), near_doubles.c.other_id.in_(some))
        for row in connection.execute(select(near_doubles).where(either)):
            known[row.game_id, row.other_id] = row.id
    return known


def _near(connection: Connection, game_ids: Collection[int]) -> dict[Pair, DoubleReason]:
    withdrawn = withdrawn_pairs(connection, game_ids)
    replaced = replaced_pairs(connection, game_ids) | withdrawn
    pairs = {*_of_one_id(connection, game_ids), *_played_alike(connection, game_ids), *replaced}
    ids = _site_ids(connection, {number for pair in pairs for number in pair})
    pairs = {pair for pair in pairs if pair in withdrawn or not has_two_ids(ids[pair[0]], ids[pair[1]])}
    found = source_games.from_rows(connection, sorted({number for pair in pairs for number in pair}))
    same_person = partial(are_one, people(connection))
    candidates = {number: Candidate(one.game, ids[number]) for number, one in found.items()}
    reasons = {
        pair: near(candidates[pair[0]], candidates[pair[1]], same_person) or replaced.get(pair)
        for pair in pairs
    }
    return {pair: reason for pair, reason in reasons.items() if reason is not None}


def _of_one_id(connection: Connection, game_ids: Collection[int]) -> set[Pair]:
    """Games that name the same id of a site."""
    named, same = tellings.alias("named"), tellings.alias("same")
    common = and_(same.c.site == named.c.site, same.c.native_id == named.c.native_id)
    found: set[Pair] = set()
    # As the partial indexes say it.
    for where in (text("same.download"), text("NOT same.download AND same.site IS NOT NULL")):
        for some in chunks(list(game_ids)):
            its = select(named.c.game_id, same.c.game_id).join(same, common)
            its = its.where(named.c.game_id.in_(some), same.c.game_id != named.c.game_id, where)
            found.update(in_order(one, other) for one, other in connection.execute(its))
    return found


def _played_alike(connection: Connection, game_ids: Collection[int]) -> set[Pair]:
    """Games of one player with one colour on near days, against the same opponent or with the same moves."""
    dates = select(games.c.id, games.c.date).where(games.c.id.in_(game_ids))
    rows = [
        (number, *span)
        for number, date in connection.execute(dates)
        for span in near_dates(PartialDate.parse(date))
    ]
    found: set[Pair] = set()
    for some in chunks(rows):
        spans = _spans(connection, some)
        one, other = games.alias("one"), games.alias("other")
        on_a_near_day = and_(other.c.date >= spans.c.low, other.c.date <= spans.c.high)
        for colour, opponent in (("white_id", "black_id"), ("black_id", "white_id")):
            alike = or_(other.c[opponent] == one.c[opponent], other.c.moves == one.c.moves)
            its = (
                select(one.c.id, other.c.id)
                .select_from(spans)
                .join(one, one.c.id == spans.c.id)
                .join(other, and_(other.c[colour] == one.c[colour], on_a_near_day))
                .where(other.c.id != one.c.id, alike)
            )
            found.update(in_order(*pair) for pair in connection.execute(its))
    return found


_SPANS: Final = {
    "sqlite": "SELECT json_extract(value, '$[0]') AS id, json_extract(value, '$[1]') AS low,"
    " json_extract(value, '$[2]') AS high FROM json_each(:spans)",
    "postgresql": "SELECT (value ->> 0)::bigint AS id, value ->> 1 AS low, value ->> 2 AS high"
    " FROM jsonb_array_elements(CAST(:spans AS jsonb))",
}


def _spans(connection: Connection, rows: Sequence[tuple[int, str, str]]) -> CTE:
    """Games, each with a range of dates, as one parameter: thousands would take longer than the look-up."""
    statement = text(_SPANS[connection.dialect.name]).bindparams(spans=json.dumps(rows, ensure_ascii=False))
    return statement.columns(column("id", BigInteger), column("low", Text), column("high", Text)).cte("spans")


def _site_ids(connection: Connection, game_ids: Collection[int]) -> dict[int, frozenset[SiteId]]:
    """Every id of a site that is named for these games."""
    found: dict[int, set[SiteId]] = {number: set() for number in game_ids}
    own = select(tellings.c.game_id, tellings.c.site, tellings.c.native_id)
    further = select(tellings.c.game_id, telling_ids.c.site, telling_ids.c.native_id).join(
        telling_ids, telling_ids.c.telling_id == tellings.c.id
    )
    for some in chunks(list(game_ids)):
        for its in (own, further):
            for number, site, native_id in connection.execute(its.where(tellings.c.game_id.in_(some))):
                if site is not None and native_id is not None:
                    found[number].add((site, native_id))
    return {number: frozenset(ids) for number, ids in found.items()}
