"""Checks games and tellings: they must agree with their keys, and be readable."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Row, exists, func, select, tuple_

from core import move_bytes, sameness
from core.players import identify
from core.plurals import count_of
from daemon.archive.archive import Archive
from daemon.archive.database.bulk import chunks
from daemon.archive.games.compression import NewerError, PackedError, decompress
from daemon.archive.games.game_rows import BLACK, GAMES, WHITE, GameRow, game_of, rows_of
from daemon.archive.games.prepared import content_digest, digest
from daemon.archive.games.quarantine import item_digest
from daemon.archive.games.reread import read_again
from daemon.archive.tables.edits import edit_keys, edits
from daemon.archive.tables.main import games, player_names, quarantine, tellings
from daemon.archive.verify.findings import REPORT, UPDATE, Finding

_CheckedRow = Row[*tuple[Any, ...]]

_GAMES_TOGETHER: Final = 500
_TELLINGS_TOGETHER: Final = 100
"""Tellings whose bytes are in memory together."""
_PAIRS: Final = 200

_OF_GAME = tellings.c.game_id == games.c.id
_ROWS = GAMES.add_columns(
    WHITE.c.key.label("white_key"),
    BLACK.c.key.label("black_key"),
    select(func.count()).where(_OF_GAME).scalar_subquery().label("telling_count"),
    select(func.max(tellings.c.n)).where(_OF_GAME).scalar_subquery().label("highest_n"),
    exists()
    .where(
        _OF_GAME,
        edit_keys.c.key == tellings.c.told_key,
        edits.c.id == edit_keys.c.edit_id,
        edits.c.kind == "same",
        edits.c.undone_at.is_(None),
    )
    .label("said_same"),
)


def check_games(archive: Archive) -> Iterator[int | Finding]:
    """Findings, and between them how many rows have been looked at. No transaction is open between two pages."""
    last = -1
    while True:
        with archive.reading() as connection:
            page = connection.execute(
                _ROWS.where(games.c.id > last).order_by(games.c.id).limit(_GAMES_TOGETHER)
            ).all()
            unwritten = list(_unwritten(connection, page))
        if not page:
            return
        for row in page:
            yield from _game(row)
        yield from unwritten
        yield len(page)
        last = page[-1].id


def _game(row: _CheckedRow) -> Iterator[Finding]:
    where = f"game {row.id}"
    try:
        moves = move_bytes.unpack(row.moves)
        key = sameness.key(game_of(row))
    except Exception as error:  # noqa: BLE001 - damaged values may fail anywhere in the rules
        yield Finding(where, f"its moves or start position cannot be read: {error}")
        return
    # Of games that the user has said are one, another may tell the row than the one whose key they have.
    if row.key != key and not row.said_same:
        yield Finding(where, "its key is not that of its players, date, result, start and moves", "keys")
    for color, name, fide_id, known in (
        ("White", row.white_name, row.white_fide_id, row.white_key),
        ("Black", row.black_name, row.black_fide_id, row.black_key),
    ):
        if str(identify(name, fide_id)) != known:
            yield Finding(where, f"{color} is kept as another player than {name!r}", "keys")
    if row.ply_count != len(moves):
        yield Finding(
            where,
            f"it has {count_of(len(moves), 'ply', 'plies')}, but its number of plies is {row.ply_count}",
            "counts",
        )
    if row.telling_count == 0:
        yield Finding(where, "it has no telling")
    elif row.last_n < row.highest_n:
        yield Finding(where, f"its last telling has the number {row.highest_n}, not {row.last_n}", "counts")


def _unwritten(connection: Connection, page: Sequence[_CheckedRow]) -> Iterator[Finding]:
    """Players with a FIDE id whose name, as a game of the page writes it, is not among their names."""
    written = {
        (number, digest(name.encode())): (row.id, name)
        for row in page
        for number, name, fide_id in (
            (row.white_id, row.white_name, row.white_fide_id),
            (row.black_id, row.black_name, row.black_fide_id),
        )
        if fide_id is not None
    }
    for some in chunks(list(written), _PAIRS):
        pair = tuple_(player_names.c.player_id, player_names.c.digest)
        found = connection.execute(
            select(player_names.c.player_id, player_names.c.digest).where(pair.in_(some))
        )
        for player_id, value in sorted(set(some) - {tuple(row) for row in found}):
            number, name = written[player_id, value]
            yield Finding(
                f"player {player_id}", f"{name!r}, as game {number} names them, is not kept", "names"
            )


_ALL: Final = tellings.alias("all_tellings")

_TELLINGS: Final = select(
    tellings.c.id,
    tellings.c.game_id,
    tellings.c.n,
    tellings.c.digest,
    tellings.c.pgn,
    tellings.c.told_key,
    select(func.min(_ALL.c.n)).where(_ALL.c.game_id == tellings.c.game_id).scalar_subquery().label("first_n"),
)


def check_tellings(archive: Archive) -> Iterator[int | Finding]:
    """Tellings: every one is unpacked, compared with its digest, and read."""
    last = -1
    while True:
        with archive.reading() as connection:
            page = connection.execute(
                _TELLINGS.where(tellings.c.id > last).order_by(tellings.c.id).limit(_TELLINGS_TOGETHER)
            ).all()
            found = list(_page(connection, page))
        if not page:
            return
        yield from found
        yield len(page)
        last = page[-1].id


def _page(connection: Connection, page: Sequence[_CheckedRow]) -> Iterator[Finding]:
    sound: dict[int, _CheckedRow] = {}
    for row in page:
        fault = _bytes_fault(row)
        if fault is None:
            sound[row.id] = row
        else:
            yield fault
    keys = {
        number: _key_of(row)
        for number, row in rows_of(connection, sorted({one.game_id for one in sound.values()})).items()
    }
    for number, reread in read_again(connection, list(sound)):
        row = sound[number]
        if reread is None:
            yield Finding(_where(row), "it can no longer be read", remedy=REPORT)
        elif row.told_key is None and keys.get(row.game_id) not in {None, reread.key}:
            yield _of_another_game(row)


def _key_of(row: GameRow) -> bytes | None:
    """The key of a game; None for a game that cannot be read, which has a finding of its own."""
    try:
        return sameness.key(game_of(row))
    except Exception:  # noqa: BLE001 - damaged values may fail anywhere in the rules
        return None


def _where(row: _CheckedRow) -> str:
    return f"telling {row.n} of game {row.game_id}"


def _bytes_fault(row: _CheckedRow) -> Finding | None:
    try:
        raw = decompress(row.pgn)
    except PackedError as error:
        return _not_unpacked(_where(row), error)
    return (
        None
        if content_digest(raw) == row.digest
        else Finding(_where(row), "its bytes are not those that came")
    )


def _not_unpacked(where: str, error: PackedError, remedy: str = "") -> Finding:
    """What is wrong with bytes that a newer version may have packed."""
    fault = f"its bytes cannot be unpacked: {error}"
    return Finding(where, fault, remedy=UPDATE if isinstance(error, NewerError) else remedy)


def _of_another_game(row: _CheckedRow) -> Finding:
    fault = "it is of another game than the one that it is kept with"
    if row.n != row.first_n:
        return Finding(_where(row), fault, "keys")
    return Finding(_where(row), fault, remedy=REPORT)


def check_quarantine(archive: Archive) -> Iterator[int | Finding]:
    """Games that could not be read: they must be as they came."""
    last = -1
    while True:
        with archive.reading() as connection:
            found = select(quarantine).where(quarantine.c.id > last).order_by(quarantine.c.id).limit(1)
            row = connection.execute(found).first()
        if row is None:
            return
        yield from _quarantined(row)
        yield 1
        last = row.id


def _quarantined(row: _CheckedRow) -> Iterator[Finding]:
    where = f"quarantine {row.id}"
    drop = f"gamekeeper quarantine drop {row.id}, and import its source again"
    try:
        raw = decompress(row.raw)
    except PackedError as error:
        yield _not_unpacked(where, error, drop)
        return
    # A source whose name no database can store is known by a digest that cannot be made from what is stored.
    if len(raw) != row.size or ("\ufffd" not in row.source and item_digest(row.source, raw) != row.digest):
        yield Finding(where, "its bytes are not those that came", remedy=drop)
