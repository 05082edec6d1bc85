"""Players as the writing side sees them: found by the digest of their key, made by the first game that names them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, and_, delete, exists, or_, select

from core import names
from core.players import PlayerKey, identify
from core.search import sort_text
from daemon.archive import given
from daemon.archive.bulk import Row, chunks, insert_rows
from daemon.archive.known import Known, revoke
from daemon.archive.tables import games, player_names, player_words, players
from daemon.archive.tables_club import club_members
from daemon.preparing import digest, is_verbatim

LONGEST_WORD: Final = 200
"""Characters of a word that a search can use; PostgreSQL's indexes hold no long texts."""


@dataclass(frozen=True, slots=True)
class Named:
    """A player as a game names him."""

    key: PlayerKey
    name: str
    online: bool


def player_ids(connection: Connection, known: Known, named: Iterable[Named]) -> Mapping[PlayerKey, int]:
    """The ids of all these players. Those who are new are made, in this order and with the first name given (R14)."""
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


def _make(connection: Connection, known: Known, new: Sequence[Named]) -> None:
    if not new:
        return
    start = given.first_free(connection, players)
    rows: list[Row] = []
    words: list[Row] = []
    for number, player in enumerate(new, start):
        shown = names.display(player.name, online=player.online)
        rows.append(player_row(number, player, shown))
        words += word_rows(number, shown)
        known.players[player.key.digest] = number
    insert_rows(connection, players, rows)
    insert_rows(connection, player_words, words)


def player_row(number: int, player: Named, shown: str) -> Row:
    """The row of a player who is shown as *shown*."""
    key = player.key
    verbatim = is_verbatim(player.name, online=player.online)
    return (number, key.digest, str(key), key.kind, shown, sort_text(shown), key.fide_id, verbatim)


def word_rows(number: int, shown: str) -> list[Row]:
    """The rows of the words that find a player who is shown as *shown*."""
    nickname = names.classify(shown) == "nickname"
    return [(word, number, nickname) for word in search_words(names.search_words(shown))]


def drop_idle(connection: Connection, known: Known, candidates: Iterable[int]) -> None:
    """Take away those of these players who have no game any more, and are no members of a club tournament."""
    plays = or_(
        exists().where(games.c.white_id == players.c.id),
        exists().where(games.c.black_id == players.c.id),
        exists().where(club_members.c.player_id == players.c.id),
    )
    idle: list[tuple[int, str]] = []
    for some in chunks(sorted(candidates)):
        found = select(players.c.id, players.c.name).where(players.c.id.in_(some), ~plays)
        idle += ((number, shown) for number, shown in connection.execute(found))
    if idle:
        _drop(connection, idle)
        known.forget()
        revoke(connection)


def _drop(connection: Connection, idle: Sequence[tuple[int, str]]) -> None:
    for number, shown in idle:
        for word, *_ in word_rows(number, shown):
            its = and_(player_words.c.word == word, player_words.c.player_id == number)
            connection.execute(delete(player_words).where(its))
    ids = [number for number, _ in idle]
    for some in chunks(ids):
        connection.execute(delete(player_names).where(player_names.c.player_id.in_(some)))
        connection.execute(delete(players).where(players.c.id.in_(some)))
    given.note(connection, players, ids)


def search_words(words: Iterable[str]) -> list[str]:
    """The words as a search finds them: each once, and no longer than an index can hold."""
    return list(dict.fromkeys(word[:LONGEST_WORD] for word in words))


def note_names(connection: Connection, known: Known, written: Iterable[tuple[int, str]]) -> None:
    """Store how the names of these players with FIDE ids are written (pairs of player id and name)."""
    rows: list[Row] = []
    for player_id, name in dict.fromkeys(written):
        value = digest(name.encode())
        if (player_id, value) not in known.names:
            known.names.add((player_id, value))
            rows.append((player_id, value, name, identify(name).digest))
    insert_rows(connection, player_names, rows, ignore=True)
