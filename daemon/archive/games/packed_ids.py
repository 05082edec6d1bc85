"""The ids of players and texts that packed games refer to: found in the archive, or made for new games."""

from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import Connection, select

from daemon.archive.database import packed_rows
from daemon.archive.database.bulk import ColumnValues, insert_rows, next_id
from daemon.archive.database.new_ids import first_free
from daemon.archive.games.cache import KnownIds
from daemon.archive.games.named import KindAndText, Named
from daemon.archive.games.packed_columns import named
from daemon.archive.games.packed_places import PackedPlaces
from daemon.archive.games.players import note_names, player_ids, player_row, shown_as
from daemon.archive.games.texts import text_digest, text_row, text_word_rows
from daemon.archive.games.words import word_rows
from daemon.archive.tables.edits import told_players
from daemon.archive.tables.main import player_words, players, text_words, texts

_FIND: Final = "SELECT found.digest, found.id FROM packed_rows(?) AS packed CROSS JOIN {} AS found ON found.digest = packed.c0"
_OF_DIGEST: Final = packed_rows.record([packed_rows.blob(bytes(16))])[:-16]
"""With a digest it is a record of it."""
_FIND_PLAYERS: Final = _FIND.format(players.name)
_FIND_TEXTS: Final = _FIND.format(texts.name)


class PackedIds:
    """Finds ids for one run after another, in one transaction in which nobody else makes players or texts meanwhile."""

    def __init__(self, connection: Connection, known: KnownIds) -> None:
        self._connection = connection
        self._known = known
        self._next_player = first_free(connection, players)
        self._next_text = next_id(connection, texts)
        self._may_return = connection.scalar(select(told_players.c.id).limit(1)) is not None

    def find_players(self, places: PackedPlaces, used: Iterable[int]) -> None:
        """Find or make those of the players in *used*, in the order of new games, whose ids are not known."""
        wanted = list(dict.fromkeys(filter(places.open_players.__contains__, used)))
        if not wanted:
            return
        people = [named(places.players[place]) for place in wanted]
        digests = [player.key.digest for player in people]
        known = self._known.players
        self._look_up(_FIND_PLAYERS, known, digests)
        new: dict[bytes, Named] = {}
        for one, player in zip(digests, people, strict=True):
            if one not in known:
                new.setdefault(one, player)
        self._make_players(new)
        found = [known[one] for one in digests]
        places.found_players(zip(wanted, found, strict=True))
        spelled = zip(found, people, strict=True)
        note_names(
            self._connection,
            self._known,
            [(number, player.name) for number, player in spelled if player.key.fide_id is not None],
        )

    def _make_players(self, new: dict[bytes, Named]) -> None:
        if not new:
            return
        if self._may_return:
            # Some may have been there before edits left them without a game: they have their ids again.
            player_ids(self._connection, self._known, new.values())
            self._next_player = first_free(self._connection, players)
            return
        rows: list[ColumnValues] = []
        words: list[ColumnValues] = []
        for number, (digest, player) in enumerate(new.items(), self._next_player):
            row = player_row(number, player, shown_as(player))
            rows.append(row)
            words += word_rows(number, row["name"])
            self._known.players[digest] = number
        self._next_player += len(rows)
        insert_rows(self._connection, players, rows)
        insert_rows(self._connection, player_words, words)

    def find_texts(self, places: PackedPlaces, used: Iterable[int]) -> None:
        """The same for texts."""
        wanted = list(dict.fromkeys(filter(places.open_texts.__contains__, used)))
        if not wanted:
            return
        items = [places.texts[place] for place in wanted]
        digests = list(map(text_digest, items))
        known = self._known.texts
        self._look_up(_FIND_TEXTS, known, digests)
        self._make_texts([pair for pair in zip(digests, items, strict=True) if pair[0] not in known])
        places.found_texts(zip(wanted, map(known.__getitem__, digests), strict=True))

    def _make_texts(self, new: Sequence[tuple[bytes, KindAndText]]) -> None:
        rows: list[ColumnValues] = []
        words: list[ColumnValues] = []
        for number, (digest, item) in enumerate(new, self._next_text):
            rows.append(text_row(number, digest, item))
            words += text_word_rows(number, item[1])
            self._known.texts[digest] = number
        self._next_text += len(rows)
        insert_rows(self._connection, texts, rows)
        insert_rows(self._connection, text_words, words)

    def _look_up(self, statement: str, known: dict[bytes, int], digests: Iterable[bytes]) -> None:
        """Learn the ids of those of these that are in the archive."""
        unknown = [one for one in digests if one not in known]
        if unknown:
            asked = b"".join([_OF_DIGEST + one for one in unknown])
            known.update(map(tuple, self._connection.exec_driver_sql(statement, (asked,))))
