"""Games: the list, newest first, and one whole."""

from collections.abc import Iterator, Sequence
from typing import Final, NotRequired, TypedDict, Unpack

from sqlalchemy import Connection, func, select

from core.players import Profile
from daemon.archive.games.game_rows import first_tellings, rows_of
from daemon.archive.games.packed import unpack, unpack_moves
from daemon.archive.reading import shapes
from daemon.archive.reading.oddities import oddities_of
from daemon.archive.reading.rows import game_shape
from daemon.archive.reading.search.conditions import conditions, dates, players_of
from daemon.archive.reading.search.filters import GameFilters
from daemon.archive.reading.search.orders import Asked, walk, write
from daemon.archive.reading.search.plan import Wanted, quickest
from daemon.archive.reading.search.sorts import NEWEST, SortWord
from daemon.archive.reading.tellings import tellings_of
from daemon.archive.tables.main import games, players, tellings

NOBODY: Final = Profile()
EVERY: Final = GameFilters()


class PageAsked(TypedDict):
    """Which page of a list of games, see `find_games`."""

    limit: int
    cursor: NotRequired[str | None]
    sort: NotRequired[SortWord]
    total: NotRequired[bool]


def find_games(  # noqa: PLR0913 - a page of a list, by name
    connection: Connection,
    filters: GameFilters,
    profile: Profile,
    *,
    limit: int,
    cursor: str | None = None,
    sort: SortWord = NEWEST,
    total: bool = False,
    of_player: Wanted | None = None,
) -> shapes.Page[shapes.Game]:
    """A page of the games that *filters* finds; newest first, unless *sort* says otherwise.

    *total*: count them all, too. *of_player*: what else they must fulfil, as the games of one person.

    Raises:
        BadCursor: *cursor* is not from this list, or not as it is sorted now.
        UnclearFilters: *filters* together make no sense.
    """
    asked = conditions(connection, filters, profile, of_player=of_player is not None)
    whole = Asked([*asked, *([of_player] if of_player else [])], dates(filters))
    places = list(walk(connection, whole, sort, limit + 1, cursor))
    items = games_by_id(connection, [game_id for _, _, game_id in places[:limit]])
    page: shapes.Page[shapes.Game] = {
        "items": items,
        "next": write(sort, places[limit - 1]) if len(places) > limit else None,
    }
    return {**page, "total": whole.count(connection)} if total else page


def games_of_player(
    connection: Connection,
    player_id: int,
    filters: GameFilters = EVERY,
    profile: Profile = NOBODY,
    **page: Unpack[PageAsked],
) -> shapes.Page[shapes.Game]:
    """A page of the games of one player that *filters* finds, in the same order.

    Raises:
        BadCursor: *cursor* is not from this list, or not as it is sorted now.
    """
    one = select(players.c.id).where(players.c.id == player_id)
    played = Wanted.refers(players_of(filters.colour), one)
    return find_games(connection, filters, profile, of_player=played, **page)


def games_by_id(connection: Connection, ids: Sequence[int]) -> list[shapes.Game]:
    """The games with these ids, in their order; ids of no game are left out."""
    rows, first_of = rows_of(connection, ids), tellings_of(connection, ids)
    return [game_shape(rows[game_id], first_of.get(game_id, [])) for game_id in ids if game_id in rows]


def game(connection: Connection, game_id: int) -> shapes.WholeGame | None:
    """The game with this id, with its moves and the tags of its first telling; None if there is none."""
    return next(whole_games(connection, [game_id]), None)


def whole_games(connection: Connection, ids: Sequence[int]) -> Iterator[shapes.WholeGame]:
    """The games with these ids as `game` has them, in their order; ids of no game are left out."""
    rows, first_of = rows_of(connection, ids), tellings_of(connection, ids)
    first = {row.game_id: row for row in connection.execute(first_tellings(ids))}
    odd = oddities_of(connection, ids)
    for row in (rows[game_id] for game_id in ids if game_id in rows):
        what, telling = f"game {row.id}", first[row.id]
        yield {
            **game_shape(row, first_of.get(row.id, [])),
            "moves": " ".join(unpack_moves(row.moves, what)),
            "tags": _tags(unpack(telling.pgn, what), telling.encoding),
            "oddities": odd.get(row.id, []),
        }


def pgn(connection: Connection, game_id: int, n: int | None = None) -> bytes | None:
    """The PGN of a game's telling as it came, of the first one if none is named; None if there is none."""
    its = select(tellings.c.pgn).where(tellings.c.game_id == game_id)
    its = its.order_by(tellings.c.n).limit(1) if n is None else its.where(tellings.c.n == n)
    found = connection.scalar(its)
    return None if found is None else unpack(found, f"game {game_id}")


def _tags(raw: bytes, encoding: str | None) -> dict[str, str]:
    """Every tag by its name; the first of a repeated tag."""
    from core.pgn.reader import read_header  # takes long to load, and a list of games needs no tags

    tags: dict[str, str] = {}
    for name, value in read_header(raw, encoding=encoding):
        tags.setdefault(name, value)
    return tags


def ids_after(
    connection: Connection, filters: GameFilters, profile: Profile, *, last: int, limit: int
) -> list[int]:
    """The ids of the games that *filters* finds, in the order of intake, from the first one after *last*."""
    wanted = [*quickest(connection, conditions(connection, filters, profile)), *dates(filters).conditions]
    found = select(games.c.id).where(*wanted, games.c.id > last)
    return list(connection.scalars(found.order_by(games.c.id).limit(limit)))


def ids_above(connection: Connection, last: int, limit: int) -> list[int]:
    """The ids of the first games that were taken in after *last*."""
    return list(
        connection.scalars(select(games.c.id).where(games.c.id > last).order_by(games.c.id).limit(limit))
    )


def last_id(connection: Connection) -> int:
    """The id of the game that was taken in last, 0 if there is none."""
    return connection.scalar(select(func.max(games.c.id))) or 0
