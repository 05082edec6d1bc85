"""A stored telling as a game again, read from its bytes as it was when it came."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from sqlalchemy import Connection, Row, select

from core.game import UNFINISHED, Game, Unreadable
from core.pgn import reader
from core.players import still_named
from daemon.archive.database.bulk import chunks
from daemon.archive.games.compression import PackedError, decompress
from daemon.archive.games.kept_names import as_they_came, is_partly_nameless
from daemon.archive.games.prepared import Prepared, RefusedError, prepare
from daemon.archive.tables.main import games, tellings

_TOGETHER: Final = 100
"""Tellings whose bytes are in memory together."""


_STORED = select(
    tellings.c.id,
    tellings.c.pgn,
    tellings.c.download,
    tellings.c.site,
    tellings.c.native_id,
    tellings.c.url,
    tellings.c.game_id,
    tellings.c.told_key,
    tellings.c.encoding,
    games.c.variant,
    games.c.start,
    games.c.start_fen,
    games.c.result,
).join(games, games.c.id == tellings.c.game_id)
"""Tellings, with rules, start and result from their game's row: all tellings of a game agree in these."""

_BOARDS: Final = ("broadcast/", "study/")
"""Beginnings of the ids of downloads whose names are not handles."""

_TellingRow = Row[*tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class _Stated:
    """What a site's record may say and its PGN does not."""

    variant: str
    start: str
    start_fen: str | None
    result: str

    @property
    def tags(self) -> bytes:
        start = "" if self.start_fen is None else f'[SetUp "1"]\n[FEN "{self.start_fen}"]\n'
        return f'[Variant "{self.variant}"]\n{start}'.encode()


def read_again(connection: Connection, telling_ids: Sequence[int]) -> Iterator[tuple[int, Prepared | None]]:
    """What these tellings give, by their ids; None for one that today's parser refuses, or that is damaged.

    A site's record may say what its PGN does not: the rules, the start, a result. That is taken from the
    game's row; so are names that an earlier download had, and the later one leaves out.
    """
    for some in chunks(telling_ids, _TOGETHER):
        for row in connection.execute(_STORED.where(tellings.c.id.in_(some))).all():
            yield row.id, _prepared(row, _stated(row), partial(_named_before, connection, row))


def read_as(connection: Connection, telling_id: int, known: Game) -> Prepared | None:
    """The game of this telling, as `read_again`; *known* is its game without edits, whose row may be edited."""
    row = connection.execute(_STORED.where(tellings.c.id == telling_id)).one()
    return _prepared(row, _stated(known), lambda: known)


def _stated(by: Any) -> _Stated:
    return _Stated(by.variant, by.start, by.start_fen, by.result)


def _named_before(connection: Connection, stored: _TellingRow) -> Game | None:
    return as_they_came(connection, [stored]).get(stored.id)


def _prepared(
    stored: _TellingRow, stated: _Stated, named_before: Callable[[], Game | None]
) -> Prepared | None:
    game = _downloaded(stored, stated) if stored.download else _parsed(stored, b"")
    if game is not None and stored.download and is_partly_nameless(game):
        before = named_before()
        game = game if before is None else still_named(game, before)
    try:
        return None if game is None else prepare(game)
    except RefusedError:
        return None


def _parsed(stored: _TellingRow, tags: bytes) -> Game | None:
    try:
        raw = decompress(stored.pgn)
    except PackedError:
        return None  # it stays with its game; `gamekeeper verify` tells of it
    game = reader.parse(tags + raw, encoding=stored.encoding)
    return None if isinstance(game, Unreadable) else replace(game, raw=raw)


def _downloaded(stored: _TellingRow, stated: _Stated) -> Game | None:
    game = _parsed(stored, b"")
    if game is None or (game.rules, game.start) != (Game(variant=stated.variant).rules, stated.start):
        # Of two tags of one name the first counts.
        game = _parsed(stored, stated.tags) or game
    if game is None:
        return None
    return replace(
        game,
        online=game.online or not stored.native_id.startswith(_BOARDS),
        source=stored.site,
        native_id=stored.native_id,
        url=stored.url,
        result=stated.result if game.result == UNFINISHED else game.result,
    )
