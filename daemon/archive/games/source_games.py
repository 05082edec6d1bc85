"""Games as their sources have them, kept where the user has edited them: the rows of `told_games`."""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, select

from core.epoch import milliseconds, moment
from core.game import Game, PartialDate, Side
from core.pgn.positions import castlings_in
from core.players import identify
from daemon.archive.database.bulk import chunks
from daemon.archive.games.game_rows import game_of, rows_of
from daemon.archive.games.packed import unpack_moves
from daemon.archive.games.prepared import Prepared, derived, said
from daemon.archive.tables.edits import told_games
from daemon.archive.tables.main import games, tellings

_TEXTS: Final = (
    "result",
    "variant",
    "start",
    "start_fen",
    "event",
    "site",
    "round",
    "eco",
    "opening",
    "time_control",
    "time_class",
    "termination",
    "annotator",
    "native_id",
)
"""Facts of a game that are texts, as `Game` names them."""
_ALWAYS: Final = frozenset({"result", "variant", "start", "start_fen", "native_id"})
"""Those that are kept even where they say nothing by the rule of tags."""


@dataclass(slots=True)
class SourceGame:
    """A game as its sources have it, without what the user has edited.

    Attributes:
        key: its key, `core.sameness`.
        home_id: the id that it has, or gets again, as a game of its own; None if it never was one.
        last_n: the last `tellings.n` of that game when it went into another.
        white_id: the id of the player, who may be one of `told_players`; None if they never were one of the archive.
    """

    key: bytes
    game: Game
    moves: bytes
    white_id: int | None
    black_id: int | None
    added_at: int
    home_id: int | None = None
    last_n: int = 0

    def prepared(self) -> Prepared:
        """As an intake would prepare it, without the bytes of any telling."""
        white, black = (identify(side.name, side.fide_id) for side in (self.game.white, self.game.black))
        return Prepared(self.game, self.key, white, black, self.moves, b"", b"", opening=derived(self.game))


def load(connection: Connection, keys: Collection[bytes]) -> dict[bytes, SourceGame]:
    """Those of these source games that are kept, by their keys.

    Raises:
        Damaged: the moves of one of them are none.
    """
    found: dict[bytes, SourceGame] = {}
    for some in chunks(list(keys)):
        for row in connection.execute(select(told_games).where(told_games.c.key.in_(some))):
            found[row.key] = SourceGame(
                key=row.key,
                game=_game(row),
                moves=row.moves,
                white_id=row.white_id,
                black_id=row.black_id,
                added_at=row.added_at,
                home_id=row.home_id,
                last_n=row.last_n,
            )
    return found


def save(connection: Connection, kept: Iterable[SourceGame]) -> None:
    """Keep these source games, in place of what is kept of them."""
    rows = list(kept)
    drop(connection, [one.key for one in rows])
    if rows:
        connection.execute(told_games.insert(), [_row(one) for one in rows])


def drop(connection: Connection, keys: Collection[bytes]) -> None:
    """Keep these source games no longer."""
    for some in chunks(list(keys)):
        connection.execute(delete(told_games).where(told_games.c.key.in_(some)))


def from_rows(connection: Connection, game_ids: Sequence[int]) -> dict[int, SourceGame]:
    """What the rows of these games say, by id: what their sources do, where nothing is edited.

    Raises:
        Damaged: the moves of one of them are none.
    """
    return {
        number: SourceGame(
            key=row.key,
            game=game_of(row),
            moves=row.moves,
            white_id=row.white_id,
            black_id=row.black_id,
            added_at=row.added_at,
            home_id=number,
            last_n=row.last_n,
        )
        for number, row in rows_of(connection, game_ids).items()
    }


def set_apart(connection: Connection, game_ids: Collection[int]) -> None:
    """Keep what the sources say of these games beside their rows, unless it is kept already: an edit is about to change them."""
    apart: set[int] = set()
    for some in chunks(list(game_ids)):
        its = select(tellings.c.game_id).where(tellings.c.game_id.in_(some), tellings.c.told_key.is_not(None))
        apart.update(connection.scalars(its))
    plain = sorted(set(game_ids) - apart)
    kept = from_rows(connection, plain)
    save(connection, kept.values())
    its_key = select(games.c.key).where(games.c.id == tellings.c.game_id).scalar_subquery()
    for some in chunks(plain):
        connection.execute(tellings.update().where(tellings.c.game_id.in_(some)).values(told_key=its_key))


def _row(kept: SourceGame) -> dict[str, Any]:
    return {
        "key": kept.key,
        "home_id": kept.home_id,
        "last_n": kept.last_n,
        "added_at": kept.added_at,
        "white_id": kept.white_id,
        "black_id": kept.black_id,
        "facts": json.dumps(_facts(kept.game), ensure_ascii=False),
        "moves": kept.moves,
    }


def _facts(game: Game) -> dict[str, Any]:
    texts: dict[str, Any] = {}
    for name in _TEXTS:
        text: str | None = getattr(game, name)
        texts[name] = text if name in _ALWAYS else said(text)
    started = game.started_at
    return {
        "white": _side_facts(game.white),
        "black": _side_facts(game.black),
        "date": str(game.date),
        **texts,
        "started_at": None if started is None else milliseconds(started),
        "online": game.online,
    }


def _side_facts(side: Side) -> dict[str, Any]:
    return {
        "name": side.name,
        "fide_id": side.fide_id,
        "rating": side.rating,
        "title": said(side.title),
        "team": said(side.team),
    }


def _game(row: Row[*tuple[Any, ...]]) -> Game:
    """The game of a row of `told_games`."""
    facts: dict[str, Any] = json.loads(row.facts)
    moves = unpack_moves(row.moves, f"the edited game {row.home_id or row.key.hex()}")
    started: int | None = facts["started_at"]
    return Game(
        white=Side(**facts["white"]),
        black=Side(**facts["black"]),
        date=PartialDate.parse(facts["date"]),
        moves=moves,
        castlings=castlings_in(facts["variant"], facts["start"], moves),
        started_at=None if started is None else moment(started),
        online=facts["online"],
        **{name: facts[name] for name in _TEXTS},
    )
