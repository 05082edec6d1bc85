"""Writes what was decided about a batch: rows of games, tellings, and what links them."""

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import Connection, bindparam, delete, select, update

from core.players import PlayerKey
from daemon.archive.database import new_ids
from daemon.archive.database.bulk import ColumnValues, chunks, insert_rows, update_rows
from daemon.archive.games.cache import KnownIds
from daemon.archive.games.changes import Changes, StoredGame, StoredTelling
from daemon.archive.games.doubles_due import due
from daemon.archive.games.named import KindAndText, named_in, texts_of
from daemon.archive.games.players import drop_idle, note_names, player_ids
from daemon.archive.games.prepared import Prepared, divided_site, said
from daemon.archive.games.texts import text_ids
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
    links = [
        {"account_id": account_id, "telling_id": number, "game_id": telling.game.id}
        for (account_id, number), telling in changes.links.items()
    ]
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
    pairs = [(game, game.prepared) for game in written if game.prepared is not None]
    sides = [side for _, prepared in pairs for side in named_in(prepared)]
    people = player_ids(connection, known, sides)
    places = text_ids(connection, known, (item for _, prepared in pairs for item in texts_of(prepared)))
    rows = [(game, game_row(game, prepared, people, places, now_ms)) for game, prepared in pairs]
    insert_rows(connection, games, [row for game, row in rows if game.stored_key is None])
    update_rows(connection, games, [_rewritten(row) for game, row in rows if game.stored_key is not None])
    with_fide_id = ((people[side.key], side.name) for side in sides if side.key.fide_id is not None)
    note_names(connection, known, with_fide_id)


def game_row(
    stored: StoredGame,
    prepared: Prepared,
    people: Mapping[PlayerKey, int],
    places: Mapping[KindAndText, int],
    now_ms: int,
) -> ColumnValues:
    """The row of a game as *prepared* tells it: one table, in one piece, because it is made once per game."""
    game = prepared.game
    white, black = game.white, game.black
    site, tail = divided_site(game)
    return {
        "id": stored.id,
        "key": stored.key,
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
        "date": str(game.date),
        "result": game.result,
        "variant": game.variant,
        "start": game.start,
        "start_fen": game.start_fen,
        "moves": prepared.moves,
        "ply_count": game.ply_count,
        "event_id": places.get(("event", game.event or "")),
        "site_id": places.get(("site", site or "")),
        "site_tail": tail,
        "round": said(game.round),
        "eco": said(game.eco),
        "opening_id": places.get(("opening", game.opening or "")),
        "time_control": said(game.time_control),
        "time_class": said(game.time_class),
        "termination": said(game.termination),
        "annotator": said(game.annotator),
        "started_at": prepared.started_ms,
        "online": game.online,
        "added_at": now_ms,
        "last_n": stored.last_n,
        "derived_eco": prepared.derived_eco,
        "derived_opening_id": places.get(("opening", prepared.derived_opening or "")),
    }


def _rewritten(row: ColumnValues) -> ColumnValues:
    return {name: value for name, value in row.items() if name != "added_at"}


def _store_tellings(connection: Connection, touched: Sequence[StoredTelling], now_ms: int) -> None:
    new, changed, moved = [], [], []
    for stored in touched:
        if stored.prepared is None:
            moved.append(_where(stored))
        elif stored.new:
            own = {"download": stored.download, "site": stored.site, "file_id": stored.file_id}
            new.append(_where(stored) | _what(stored.prepared, now_ms) | own)
        else:
            changed.append(_where(stored) | _what(stored.prepared, now_ms))
    insert_rows(connection, tellings, new)
    new_ids.note(connection, tellings, [stored.id for stored in touched if stored.new])
    update_rows(connection, tellings, changed)
    update_rows(connection, tellings, moved)
    _let_accounts_follow(connection, [one for one in touched if one.download and not one.new])


def _let_accounts_follow(connection: Connection, downloads: Sequence[StoredTelling]) -> None:
    """Note, beside the accounts that led to them, the games that stored downloads are tellings of now."""
    rows = [{"its_id": one.id, "now": one.game.id} for one in downloads]
    if rows:
        connection.execute(_FOLLOWED, rows)


_FOLLOWED: Final = (
    update(telling_accounts)
    .where(
        telling_accounts.c.telling_id == bindparam("its_id"), telling_accounts.c.game_id != bindparam("now")
    )
    .values(game_id=bindparam("now"))
)


def _where(stored: StoredTelling) -> ColumnValues:
    """The game that it is a telling of, and its places there, in its file and at its site."""
    return {
        "id": stored.id,
        "game_id": stored.game.id,
        "n": stored.n,
        "place": stored.place,
        "native_id": stored.native_id,
        "told_key": stored.told_key,
        "told_n": stored.told_n,
    }


def _what(prepared: Prepared, now_ms: int) -> ColumnValues:
    """What its source says."""
    return {
        "url": prepared.game.url,
        "digest": prepared.digest,
        "pgn": prepared.pgn,
        "has_comments": prepared.game.has_comments,
        "encoding": prepared.game.encoding,
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
