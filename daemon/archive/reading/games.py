"""Games: the list, newest first, and one whole."""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Select, and_, func, or_, select

from core.pgn import read_header
from core.players import Profile
from core.plies import unpack
from daemon.archive.reading import cursors, shapes
from daemon.archive.reading.conditions import conditions, dates
from daemon.archive.reading.filters import GameFilters
from daemon.archive.reading.odd import oddities_of
from daemon.archive.reading.rows import GAMES, game_shape
from daemon.archive.reading.tellings import tellings_of
from daemon.archive.reading.wanted import Condition, Wanted, quickest
from daemon.archive.tables import games, players, tellings

_KIND = "games"
_MOVES = select(games.c.id, games.c.moves)
_UNKNOWN_YEAR = "?"  # behind every digit, so that these dates would come first in the order of their texts


def find_games(
    conn: Connection, filters: GameFilters, profile: Profile, *, limit: int, cursor: str | None = None
) -> shapes.Page[shapes.Game]:
    """A page of the games that *filters* finds, newest first; those of an unknown year come last.

    Raises:
        BadCursor: *cursor* is not from this list.
    """
    wanted = quickest(conn, conditions(conn, filters, profile))
    return _page(conn, [*wanted, *dates(filters)], limit, cursor)


def games_of_player(
    conn: Connection, player_id: int, *, limit: int, cursor: str | None = None
) -> shapes.Page[shapes.Game]:
    """A page of the games of one player, in the same order.

    Raises:
        BadCursor: *cursor* is not from this list.
    """
    him = select(players.c.id).where(players.c.id == player_id)
    wanted = quickest(conn, [Wanted.refers((games.c.white_id, games.c.black_id), him)])
    return _page(conn, wanted, limit, cursor)


def games_by_id(conn: Connection, ids: Sequence[int]) -> list[shapes.Game]:
    """The games with these ids, in their order; ids of no game are left out."""
    rows = {row.id: row for row in conn.execute(GAMES.where(games.c.id.in_(ids)))}
    told = tellings_of(conn, ids)
    return [game_shape(rows[game_id], told.get(game_id, [])) for game_id in ids if game_id in rows]


def game(conn: Connection, game_id: int) -> shapes.WholeGame | None:
    """The game with this id, with its moves and the tags of its first telling; None if there is none."""
    return next(whole_games(conn, [game_id]), None)


def whole_games(conn: Connection, ids: Sequence[int]) -> Iterator[shapes.WholeGame]:
    """The games with these ids as `game` has them, in their order; ids of no game are left out."""
    moves = {row.id: row.moves for row in conn.execute(_MOVES.where(games.c.id.in_(ids)))}
    packed = {row.game_id: row.pgn for row in conn.execute(first_tellings(ids))}
    odd = oddities_of(conn, ids)
    for one in games_by_id(conn, ids):
        tags = _tags(zlib.decompress(packed[one["id"]]))
        played = " ".join(unpack(moves[one["id"]]))
        yield {**one, "moves": played, "tags": tags, "oddities": odd.get(one["id"], [])}


def first_tellings(ids: Sequence[int]) -> Select[Any]:
    """The first telling of each of these games, whole."""
    first = select(tellings.c.game_id, func.min(tellings.c.n).label("n")).where(tellings.c.game_id.in_(ids))
    its = first.group_by(tellings.c.game_id).subquery()
    return select(*tellings.c).join(its, and_(tellings.c.game_id == its.c.game_id, tellings.c.n == its.c.n))


def pgn(conn: Connection, game_id: int, n: int | None = None) -> bytes | None:
    """The PGN of a game's telling as it came, of the first one if none is named; None if there is none."""
    its = select(tellings.c.pgn).where(tellings.c.game_id == game_id)
    its = its.order_by(tellings.c.n).limit(1) if n is None else its.where(tellings.c.n == n)
    packed = conn.scalar(its)
    return None if packed is None else zlib.decompress(packed)


def _tags(raw: bytes) -> dict[str, str]:
    """Every tag by its name; where one is repeated, the first counts."""
    tags: dict[str, str] = {}
    for name, value in read_header(raw):
        tags.setdefault(name, value)
    return tags


def ids_behind(
    conn: Connection, filters: GameFilters, profile: Profile, *, last: int, limit: int
) -> list[int]:
    """The ids of the games that *filters* finds, in the order of intake, from the first one behind *last* on."""
    wanted = [*quickest(conn, conditions(conn, filters, profile)), *dates(filters)]
    found = select(games.c.id).where(*wanted, games.c.id > last)
    return list(conn.scalars(found.order_by(games.c.id).limit(limit)))


def ids_above(conn: Connection, last: int, limit: int) -> list[int]:
    """The ids of the first games that were taken in behind *last*."""
    return list(conn.scalars(select(games.c.id).where(games.c.id > last).order_by(games.c.id).limit(limit)))


def last_id(conn: Connection) -> int:
    """The id of the game that was taken in last, 0 if there is none."""
    return conn.scalar(select(func.max(games.c.id))) or 0


def _page(
    conn: Connection, wanted: Sequence[Condition], limit: int, cursor: str | None
) -> shapes.Page[shapes.Game]:
    places = list(_places(conn, wanted, limit + 1, cursor))
    items = games_by_id(conn, [game_id for _, game_id in places[:limit]])
    return {"items": items, "next": cursors.write(_KIND, *places[limit - 1]) if len(places) > limit else None}


_Place = tuple[str, int]
"""Where a game is in the order of the list: its date and its id."""


def _places(
    conn: Connection, wanted: Iterable[Condition], limit: int, cursor: str | None
) -> Iterator[_Place]:
    """The games in the order of the list: first those with a year, then the others."""
    last = None if cursor is None else _read(cursor)
    found = select(games.c.date, games.c.id).where(*wanted).order_by(games.c.date.desc(), games.c.id.desc())
    left = limit
    if last is None or last[0] < _UNKNOWN_YEAR:
        known = _behind(found.where(games.c.date < _UNKNOWN_YEAR), last).limit(left)
        for date, game_id in conn.execute(known):
            left -= 1
            yield date, game_id
        last = None
    if left:
        unknown = _behind(found.where(games.c.date >= _UNKNOWN_YEAR), last).limit(left)
        yield from ((date, game_id) for date, game_id in conn.execute(unknown))


def _read(cursor: str) -> _Place:
    date, game_id = cursors.read(_KIND, cursor, str, int)
    return str(date), int(game_id)


def _behind(found: Select[str, int], last: _Place | None) -> Select[str, int]:
    if last is None:
        return found
    date, game_id = last
    same_date = and_(games.c.date == date, games.c.id < game_id)
    # The first half lets the index start at the date, which "or" alone would not.
    return found.where(games.c.date <= date, or_(games.c.date < date, same_date))
