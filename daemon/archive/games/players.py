"""Players for the writing side: found by the digest of their key, made by the first game that names them."""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, and_, delete, exists, or_, select

from core import names
from core.players import PlayerKey, identify
from core.search import sort_text
from daemon.archive.database import new_ids
from daemon.archive.database.bulk import ColumnValues, chunks, insert_rows
from daemon.archive.games import shown_names
from daemon.archive.games.cache import KnownIds, revoke
from daemon.archive.games.named import Named
from daemon.archive.games.prepared import digest, is_verbatim
from daemon.archive.games.words import word_rows
from daemon.archive.tables.club import club_members
from daemon.archive.tables.main import games, player_names, player_words, players


def player_ids(connection: Connection, known: KnownIds, named: Iterable[Named]) -> Mapping[PlayerKey, int]:
    """The ids of all these players.

    New ones are made, in this order and with the first name given (names R14).
    """
    first: dict[PlayerKey, Named] = {}
    for player in named:
        first.setdefault(player.key, player)
    digests = {key: key.digest for key in first}
    unknown = [value for value in digests.values() if value not in known.players]
    for some in chunks(unknown):
        found = connection.execute(select(players.c.digest, players.c.id).where(players.c.digest.in_(some)))
        known.players.update((value, number) for value, number in found)
    _make(connection, known, [player for key, player in first.items() if digests[key] not in known.players])
    return {key: known.players[value] for key, value in digests.items()}


def _make(connection: Connection, known: KnownIds, new: Sequence[Named]) -> None:
    if not new:
        return
    before = shown_names.returning(connection, [player.key.digest for player in new])
    start = new_ids.first_free(connection, players)
    rows: list[ColumnValues] = []
    words: list[ColumnValues] = []
    for player in new:
        value = player.key.digest
        back = before.get(value)
        number = start if player.had is None else player.had
        number = number if back is None else back.id
        start += number == start
        row = (
            player_row(number, player, shown_as(player)) if back is None else _returning_row(player.key, back)
        )
        rows.append(row)
        words += word_rows(number, row["name"])
        known.players[value] = number
    insert_rows(connection, players, rows)
    insert_rows(connection, player_words, words)


def shown_as(player: Named) -> str:
    """The name by which a new player is shown."""
    return names.display(player.name, online=player.online or player.typed)


def _returning_row(key: PlayerKey, back: shown_names.FormerPlayer) -> ColumnValues:
    return _row(back.id, key, back.shown, verbatim=back.verbatim)


def player_row(number: int, player: Named, name: str) -> ColumnValues:
    """The row of a player who is shown as *name*."""
    return _row(number, player.key, name, verbatim=is_verbatim(player.name, online=player.online))


def _row(number: int, key: PlayerKey, shown: str, *, verbatim: bool) -> ColumnValues:
    return {
        "id": number,
        "digest": key.digest,
        "key": str(key),
        "kind": key.kind,
        "name": shown,
        "folded": sort_text(shown),
        "fide_id": key.fide_id,
        "verbatim": verbatim,
    }


def drop_idle(connection: Connection, known: KnownIds, candidates: Iterable[int]) -> None:
    """Delete those of these players who have no game any more and are not members of a club tournament."""
    plays = or_(
        exists().where(games.c.white_id == players.c.id),
        exists().where(games.c.black_id == players.c.id),
        exists().where(club_members.c.player_id == players.c.id),
    )
    idle: list[tuple[int, str]] = []
    for some in chunks(sorted(candidates)):
        found = select(players.c.id, players.c.name).where(players.c.id.in_(some), ~plays)
        idle += ((number, name) for number, name in connection.execute(found))
    if idle:
        _drop(connection, idle)
        known.forget()
        revoke(connection)


def _drop(connection: Connection, idle: Sequence[tuple[int, str]]) -> None:
    shown_names.retire(connection, [number for number, _ in idle])
    for number, name in idle:
        for row in word_rows(number, name):
            its = and_(player_words.c.word == row["word"], player_words.c.player_id == number)
            connection.execute(delete(player_words).where(its))
    ids = [number for number, _ in idle]
    for some in chunks(ids):
        connection.execute(delete(player_names).where(player_names.c.player_id.in_(some)))
        connection.execute(delete(players).where(players.c.id.in_(some)))
    new_ids.note(connection, players, ids)


def note_names(connection: Connection, known: KnownIds, written: Iterable[tuple[int, str]]) -> None:
    """Store how the names of these players with FIDE ids are written (pairs of player id and name)."""
    rows: list[ColumnValues] = []
    for player_id, name in dict.fromkeys(written):
        value = digest(name.encode())
        if (player_id, value) not in known.names:
            known.names.add((player_id, value))
            identity = identify(name).digest
            rows.append({"player_id": player_id, "digest": value, "name": name, "identity": identity})
    insert_rows(connection, player_names, rows, ignore=True)
