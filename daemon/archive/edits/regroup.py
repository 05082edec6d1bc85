"""Merges and splits games after an edit was made or undone.

A game that is merged into another one keeps its place: when it is split off again it has its id, and its
tellings have their numbers. Of several games that become one the oldest stays.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection, select

from core import doubles, move_bytes
from daemon.archive.database import new_ids
from daemon.archive.database.bulk import chunks, update_rows
from daemon.archive.edits.overlay import Overlays
from daemon.archive.games import shown_names, source_games
from daemon.archive.games.cache import KnownIds, revoke
from daemon.archive.games.changes import Changes, Shelf, StoredGame, StoredTelling
from daemon.archive.games.doubles_due import due
from daemon.archive.games.fide_names import Spellings
from daemon.archive.games.prepared import Prepared
from daemon.archive.games.source_games import SourceGame
from daemon.archive.games.store import store
from daemon.archive.tables.edits import told_games
from daemon.archive.tables.main import games, tellings

Parts = Mapping[bytes, int]
"""Source games by their keys, and the ids of the games that they are in."""


@dataclass(frozen=True, slots=True)
class Regrouped:
    """The games that held the source games of an edit before it, and those that hold them now."""

    before: Parts
    after: Parts


@dataclass(slots=True, eq=False)
class _Group:
    """Source games that are one game now."""

    key: bytes
    kept: list[SourceGame] = field(default_factory=list)


def regroup(connection: Connection, known: KnownIds, keys: Collection[bytes], now_ms: int) -> Regrouped:
    """Merge and split games so that they match the current edits."""
    shelf, kept, laid = _load(connection, keys)
    groups: dict[bytes, _Group] = {}
    for key, one in kept.items():
        groups.setdefault(laid[key].key, _Group(laid[key].key)).kept.append(one)
    tellings_of = _by_key(shelf.games)
    before = {key: some[0].game.id for key, some in tellings_of.items()}
    changes = Changes()
    sorter = _Sorter(connection, shelf, tellings_of, changes)
    for group in sorted(groups.values(), key=_home):
        sorter.sort_in(group, laid)
    sorter.drop_left()
    naming = Spellings(connection, [game.id for game in shelf.games])
    store(connection, known, changes, now_ms)
    _put_back(connection, changes, sorter.returned)
    due(connection, changes.games)
    _keep(connection, kept, groups.values(), Overlays(connection, kept.keys()), tellings_of)
    naming.forget_unwritten(known)
    shown_names.settle(connection)
    known.forget()
    revoke(connection)
    return Regrouped(before, {key: some[0].game.id for key, some in tellings_of.items()})


def _load(
    connection: Connection, keys: Collection[bytes]
) -> tuple[Shelf, dict[bytes, SourceGame], dict[bytes, Prepared]]:
    """All tellings of the source games of these keys, and of the games that they meet."""
    shelf = Shelf(connection)
    shelf.load_source_games({*keys, *Overlays(connection, keys).linked})
    shelf.load_tellings_of(list(shelf.games))
    laid = _laid(connection, shelf)
    shelf.load_keys(one.key for _, one in laid.values())
    shelf.load_games(kept.home_id for kept, _ in laid.values() if kept.home_id is not None)
    met = [game for game in shelf.games if not game.tellings]
    source_games.set_apart(connection, [game.id for game in met])
    shelf.load_tellings_of(met)
    laid = _laid(connection, shelf)
    return shelf, {key: kept for key, (kept, _) in laid.items()}, {key: one for key, (_, one) in laid.items()}


def _laid(connection: Connection, shelf: Shelf) -> dict[bytes, tuple[SourceGame, Prepared]]:
    """The source games of these tellings, without and with what is edited."""
    kept = source_games.load(connection, _by_key(shelf.games).keys())
    overlays = Overlays(connection, kept.keys())
    return {key: (one, overlays.lay(one.prepared())) for key, one in kept.items()}


def _by_key(found: Iterable[StoredGame]) -> dict[bytes, list[StoredTelling]]:
    by_key: dict[bytes, list[StoredTelling]] = {}
    for game in found:
        for telling in game.tellings.values():
            assert telling.told_key is not None
            by_key.setdefault(telling.told_key, []).append(telling)
    return by_key


def _home(group: _Group) -> float:
    """The oldest game that these source games were, or are again."""
    return min((one.home_id for one in group.kept if one.home_id is not None), default=float("inf"))


class _Sorter:
    """Gives each group its game, and the game its tellings."""

    def __init__(
        self,
        connection: Connection,
        shelf: Shelf,
        tellings_of: Mapping[bytes, list[StoredTelling]],
        changes: Changes,
    ) -> None:
        self.returned: dict[int, SourceGame] = {}
        self._connection = connection
        self._stored = {game.id: game for game in shelf.games}
        self._tellings_of = tellings_of
        self._changes = changes
        self._taken: set[int] = set()
        self._next = new_ids.first_free(connection, games)

    def sort_in(self, group: _Group, laid: Mapping[bytes, Prepared]) -> None:
        """Make one game of the group."""
        game = self._game(group)
        self._taken.add(game.id)
        game.key = group.key
        moving = [pair for one in group.kept for pair in self._by_home(one)]
        for one, telling in sorted(moving, key=lambda pair: _rank(*pair)):
            self._move(telling, one, game)
        in_order = dict.fromkeys(one.key for one, _ in sorted(moving, key=lambda pair: pair[1].n))
        game.prepared = _fullest([laid[key] for key in in_order])
        self._changes.games[game.id] = game

    def drop_left(self) -> None:
        """Delete games without any source game."""
        for number, game in self._stored.items():
            if number not in self._taken:
                game.gone = True
                self._changes.gone.append(game)

    def _by_home(self, one: SourceGame) -> list[tuple[SourceGame, StoredTelling]]:
        return [(one, telling) for telling in self._tellings_of[one.key]]

    def _game(self, group: _Group) -> StoredGame:
        number = self._number(group)
        game = self._stored.get(number)
        if game is not None:
            return game
        owner = next((one for one in group.kept if one.home_id == number), group.kept[0])
        self.returned[number] = owner
        owner.home_id = number
        return StoredGame(number, group.key, last_n=owner.last_n)

    def _number(self, group: _Group) -> int:
        homes = [one.home_id for one in group.kept if one.home_id is not None]
        if homes:
            return min(homes)
        here = self._tellings_of[group.kept[0].key][0].game.id
        if here not in self._taken and not self._is_home(here):
            return here
        number, self._next = self._next, self._next + 1
        return number

    def _is_home(self, game_id: int) -> bool:
        its = select(told_games.c.key).where(told_games.c.home_id == game_id).limit(1)
        return self._connection.scalar(its) is not None

    def _move(self, telling: StoredTelling, one: SourceGame, game: StoredGame) -> None:
        if telling.game is game:
            return
        if telling.game.id == one.home_id:
            telling.told_n, one.last_n = telling.n, telling.game.last_n
        if game.id == one.home_id and telling.told_n is not None:
            telling.n, telling.told_n = telling.told_n, None
        else:
            telling.n = game.next_n()
        telling.game = game
        self._changes.tellings[telling.id] = telling


def _fullest(laid: Sequence[Prepared]) -> Prepared:
    """The first of these, with the moves and the result of those that tell them best."""
    first = laid[0]
    typed = [one.game for one in laid if "result" in one.typed]
    moves, result = doubles.fullest([one.game for one in laid])
    result = typed[0] if typed else result
    if (moves, result) == (first.game, first.game):
        return first
    game = replace(
        first.game,
        variant=moves.variant,
        start=moves.start,
        start_fen=moves.start_fen,
        moves=moves.moves,
        castlings=moves.castlings,
        result=result.result,
        termination=first.game.termination if "termination" in first.typed else result.termination,
    )
    return replace(first, game=game, moves=move_bytes.pack(game.moves))


def _rank(one: SourceGame, telling: StoredTelling) -> tuple[float, float, int]:
    """The order of the tellings of one game: those of the oldest first, then the others as they were."""
    if telling.game.id == one.home_id:
        return one.home_id, telling.n, telling.id
    last = float("inf")
    return (
        last if one.home_id is None else one.home_id,
        last if telling.told_n is None else telling.told_n,
        telling.id,
    )


def _put_back(connection: Connection, changes: Changes, returned: Mapping[int, SourceGame]) -> None:
    """Give a game that comes back the time at which it was first added."""
    rows = [{"id": number, "added_at": one.added_at} for number, one in returned.items()]
    update_rows(connection, games, [row for row in rows if row["id"] in changes.games])


def _keep(
    connection: Connection,
    kept: Mapping[bytes, SourceGame],
    groups: Iterable[_Group],
    overlays: Overlays,
    tellings_of: Mapping[bytes, list[StoredTelling]],
) -> None:
    """Keep the source games of games that are edited, or consist of several; those of the others no longer."""
    plain = {
        group.kept[0].key
        for group in groups
        if len(group.kept) == 1 and group.kept[0].key == group.key and group.kept[0].key not in overlays
    }
    source_games.save(connection, [one for key, one in kept.items() if key not in plain])
    source_games.drop(connection, plain)
    rows = [
        {"id": telling.id, "told_key": None, "told_n": None} for key in plain for telling in tellings_of[key]
    ]
    for some in chunks(rows):
        update_rows(connection, tellings, some)
