"""Writes what was decided about a batch: rows of games, tellings, and what links them."""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, delete, select

from core.players import PlayerKey
from daemon.archive.database import new_ids
from daemon.archive.database.bulk import ColumnValues, chunks, insert_rows, update_rows
from daemon.archive.games.cache import KnownIds
from daemon.archive.games.changes import Changes, StoredGame, StoredTelling
from daemon.archive.games.doubles_due import due
from daemon.archive.games.players import Named, drop_idle, note_names, player_ids
from daemon.archive.games.prepared import Prepared, divided_site, said
from daemon.archive.games.texts import KindAndText, TextKind, text_ids
from daemon.archive.tables.main import games, telling_accounts, telling_ids, tellings


def store(connection: Connection, known: KnownIds, changes: Changes, now_ms: int) -> None:
    """Write all of it. The order matters: a key is freed before another game takes it."""
    left = _players_left(connection, changes)
    _free_keys(connection, changes)
    _store_games(connection, known, list(changes.games.values()), now_ms)
    _store_tellings(connection, list(changes.tellings.values()), now_ms)
    _count_tellings(connection, changes)
    _drop_games(connection, changes.gone)
    _look_again(connection, changes)
    further = [
        {"site": site, "native_id": one, "telling_id": telling.id}
        for (site, one), telling in changes.further.items()
    ]
    insert_rows(connection, telling_ids, further, ignore=True)
    links = [{"account_id": account_id, "telling_id": number} for account_id, number in changes.links]
    insert_rows(connection, telling_accounts, links, ignore=True)
    known.trim()
    drop_idle(connection, known, left)


def _players_left(connection: Connection, changes: Changes) -> set[int]:
    """The players of stored games that are written again or deleted: some may have no game afterwards."""
    touched = [game.id for game in (*changes.games.values(), *changes.gone) if game.stored_key is not None]
    found: set[int] = set()
    for some in chunks(touched):
        sides = select(games.c.white_id, games.c.black_id).where(games.c.id.in_(some))
        found.update(number for pair in connection.execute(sides) for number in pair)
    return found


def _free_keys(connection: Connection, changes: Changes) -> None:
    """Give every game that loses its key a temporary one, so that no order of updates can clash."""
    leaving = [*changes.gone, *(game for game in changes.games.values() if game.key != game.stored_key)]
    stored = [game for game in leaving if game.stored_key is not None]
    update_rows(connection, games, [{"id": game.id, "key": game.id.to_bytes(16)} for game in stored])


def _store_games(connection: Connection, known: KnownIds, written: Sequence[StoredGame], now_ms: int) -> None:
    told = [(game, game.prepared) for game in written if game.prepared is not None]
    people = player_ids(connection, known, (one for _, prepared in told for one in _named(prepared)))
    places = text_ids(connection, known, (item for _, prepared in told for item in texts_of(prepared)))
    rows = [(game, game_row(game, prepared, people, places, now_ms)) for game, prepared in told]
    insert_rows(connection, games, [row for game, row in rows if game.stored_key is None])
    update_rows(connection, games, [_rewritten(row) for game, row in rows if game.stored_key is not None])
    note_names(connection, known, (pair for _, prepared in told for pair in _written(prepared, people)))


def _named(prepared: Prepared) -> tuple[Named, Named]:
    game, typed = prepared.game, prepared.typed
    return (
        Named(prepared.white, game.white.name, game.online, "white" in typed or game.typed("white")),
        Named(prepared.black, game.black.name, game.online, "black" in typed or game.typed("black")),
    )


def _written(prepared: Prepared, people: Mapping[PlayerKey, int]) -> Iterable[tuple[int, str]]:
    for key, side in ((prepared.white, prepared.game.white), (prepared.black, prepared.game.black)):
        if key.fide_id is not None:
            yield people[key], side.name


def texts_of(prepared: Prepared) -> Iterable[KindAndText]:
    """The texts that the game's row refers to."""
    game = prepared.game
    found: tuple[tuple[TextKind, str | None], ...] = (
        ("team", said(game.white.team)),
        ("team", said(game.black.team)),
        ("event", said(game.event)),
        ("site", divided_site(game)[0]),
        ("opening", said(game.opening)),
        ("opening", prepared.derived_opening),
    )
    return ((kind, text) for kind, text in found if text is not None)


def game_row(
    game: StoredGame,
    prepared: Prepared,
    people: Mapping[PlayerKey, int],
    places: Mapping[KindAndText, int],
    now_ms: int,
) -> ColumnValues:
    """The row of a game as *prepared* tells it."""
    told = prepared.game
    white, black = told.white, told.black
    site, tail = divided_site(told)
    return {
        "id": game.id,
        "key": game.key,
        "white_id": people[prepared.white],
        "black_id": people[prepared.black],
        "white_name": white.name,
        "black_name": black.name,
        "white_rating": white.rating,
        "black_rating": black.rating,
        "white_title": said(white.title),
        "black_title": said(black.title),
        "white_team_id": places.get(("team", white.team or "")),
        "black_team_id": places.get(("team", black.team or "")),
        "date": str(told.date),
        "result": told.result,
        "variant": told.variant,
        "start": told.start,
        "start_fen": told.start_fen,
        "moves": prepared.moves,
        "ply_count": told.ply_count,
        "event_id": places.get(("event", told.event or "")),
        "site_id": places.get(("site", site or "")),
        "site_tail": tail,
        "round": said(told.round),
        "eco": said(told.eco),
        "opening_id": places.get(("opening", told.opening or "")),
        "time_control": said(told.time_control),
        "time_class": said(told.time_class),
        "termination": said(told.termination),
        "annotator": said(told.annotator),
        "started_at": prepared.started_ms,
        "online": told.online,
        "added_at": now_ms,
        "last_n": game.last_n,
        "derived_eco": prepared.derived_eco,
        "derived_opening_id": places.get(("opening", prepared.derived_opening or "")),
    }


def _rewritten(row: ColumnValues) -> ColumnValues:
    return {name: value for name, value in row.items() if name != "added_at"}


def _store_tellings(connection: Connection, touched: Sequence[StoredTelling], now_ms: int) -> None:
    new = [
        _telling_row(telling, telling.prepared, now_ms)
        for telling in touched
        if telling.new and telling.prepared
    ]
    insert_rows(connection, tellings, new)
    new_ids.note(connection, tellings, [telling.id for telling in touched if telling.new])
    told = [telling for telling in touched if not telling.new and telling.prepared is not None]
    update_rows(connection, tellings, [_retold_values(telling, telling.prepared, now_ms) for telling in told])
    rest = [telling for telling in touched if not telling.new and telling.prepared is None]
    update_rows(connection, tellings, [_moved_values(telling) for telling in rest])


def _telling_row(telling: StoredTelling, prepared: Prepared, now_ms: int) -> ColumnValues:
    return {
        "id": telling.id,
        "game_id": telling.game.id,
        "n": telling.n,
        "download": telling.download,
        "site": telling.site,
        "native_id": telling.native_id,
        "url": prepared.game.url,
        "file_id": telling.file_id,
        "place": telling.place,
        "digest": prepared.digest,
        "pgn": prepared.pgn,
        "has_comments": prepared.game.has_comments,
        "fetched_at": now_ms,
        "told_key": telling.told_key,
        "told_n": telling.told_n,
        "encoding": prepared.game.encoding,
    }


def _moved_values(telling: StoredTelling) -> ColumnValues:
    return {
        "id": telling.id,
        "game_id": telling.game.id,
        "n": telling.n,
        "place": telling.place,
        "native_id": telling.native_id,
        "told_key": telling.told_key,
        "told_n": telling.told_n,
    }


def _retold_values(telling: StoredTelling, told: Prepared | None, now_ms: int) -> ColumnValues:
    assert told is not None
    return _moved_values(telling) | {
        "url": told.game.url,
        "digest": told.digest,
        "pgn": told.pgn,
        "has_comments": told.game.has_comments,
        "encoding": told.game.encoding,
        "fetched_at": now_ms,
    }


def _count_tellings(connection: Connection, changes: Changes) -> None:
    """Write `last_n` of stored games that got a telling and whose row was not written anyway."""
    touched = {telling.game.id: telling.game for telling in changes.tellings.values()}
    counted = [
        game
        for game in touched.values()
        if game.stored_key is not None and game.last_n != game.stored_n and game.id not in changes.games
    ]
    update_rows(connection, games, [{"id": game.id, "last_n": game.last_n} for game in counted])


def _drop_games(connection: Connection, gone: Sequence[StoredGame]) -> None:
    """Delete games without any telling."""
    ids = [game.id for game in gone]
    for some in chunks(ids):
        connection.execute(delete(games).where(games.c.id.in_(some)))
    new_ids.note(connection, games, ids)


def _look_again(connection: Connection, changes: Changes) -> None:
    """Queue stored games that are written again or renamed: they may have other near doubles now."""
    named = (
        one.game for one in changes.tellings.values() if one.prepared is not None and one.site is not None
    )
    # A further id of a download may be the one that tells it apart from another, or that both have.
    further = (telling.game for telling in changes.further.values())
    touched = (*changes.games.values(), *named, *further)
    due(connection, [game.id for game in touched if game.stored_key is not None and not game.gone])
