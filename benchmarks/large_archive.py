"""An archive of any size in minutes: rows made up and written straight into the tables, with their indexes made afterwards.

Players are skewed as in real collections: most have a game or two, one has one in fifty. Each has an era, so that the
games of some lie in the nineteenth century, far from the newest. A sixth of the games are downloads of twenty accounts.
The moves and the bytes of tellings are those of a few games, over and over, whatever is said of their length.
"""

import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Index

from benchmarks.intake import club_games
from core.game import PartialDate
from core.players import identify
from core.search import sort_text
from daemon.archive.archive import Archive, open_archive
from daemon.archive.database.bulk import ColumnValues, chunks, insert_rows
from daemon.archive.games import texts, words
from daemon.archive.games.changes import StoredGame
from daemon.archive.games.files import file_row
from daemon.archive.games.named import KindAndText, texts_of
from daemon.archive.games.prepared import Prepared, prepare
from daemon.archive.games.store import game_row
from daemon.archive.tables.main import (
    accounts,
    dossier_accounts,
    dossiers,
    games,
    player_words,
    players,
    telling_accounts,
    tellings,
)

ACCOUNTS = 20
OFTENEST = ("Uno, Primo", "Antico, Secondo", "Terzi, Terzo", "Quarti, Quarto")
"""The players with the most games; no word of theirs begins as one of somebody else."""
SURNAMES = ("Rossi", "Bianchi", "Verdi", "Neri", "Russo", "Ferrari", "Gallo", "Conti", "Greco", "Bruno")
GIVEN = ("Mario", "Luca", "Anna", "Paolo", "Giulia", "Marco", "Sara", "Ugo", "Elena", "Dario")
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
OFTEN = (38, 28, 33, 1)
_TOGETHER = 20_000


def make(path: Path, count: int) -> None:
    """Make an archive of *count* games at *path*."""
    with open_archive(path) as archive:
        archive.migrate()
        with archive.writing() as connection:
            later = _drop_indexes(connection)
            people = max(count // 6, 60)
            _add_players(connection, people)
            _add_accounts(connection)
        for start in range(1, count + 1, _TOGETHER):
            _add_games(archive, range(start, min(start + _TOGETHER, count + 1)), people, count)
        with archive.writing() as connection:
            for index in later:
                index.create(connection)
        archive.optimize()


def name_of(number: int) -> str:
    """The name of a player: one of a hundred surnames with a number, so that a word finds some of them."""
    if number < len(OFTENEST):
        return OFTENEST[number]
    return f"{SURNAMES[number % 10]}{number // 100 % 40 or ''}, {GIVEN[number // 10 % 10]} {number}"


def era_of(number: int) -> int:
    """The middle of a player's years."""
    return (
        (1985, 1880, 2005, 1995)[number]
        if number < 4
        else 1870 + int(150 * (number * 7919 % 1000 / 1000) ** 0.4)
    )


def _drop_indexes(connection: Connection) -> list[Index]:
    later = [index for table in (games, tellings) for index in table.indexes]
    for index in later:
        index.drop(connection)
    return later


def _add_players(connection: Connection, people: int) -> None:
    for some in chunks(range(people), _TOGETHER):
        insert_rows(connection, players, [_player(number) for number in some])
        found = [row for number in some for row in words.word_rows(number + 1, name_of(number))]
        insert_rows(connection, player_words, found)


def _player(number: int) -> ColumnValues:
    fide_id = str(1_000_000 + number) if number % 3 == 0 else None
    key = identify(name_of(number), fide_id)
    return {
        "id": number + 1,
        "digest": key.digest,
        "key": str(key),
        "kind": key.kind,
        "name": name_of(number),
        "folded": sort_text(name_of(number)),
        "fide_id": fide_id,
        "verbatim": False,
    }


def _add_accounts(connection: Connection) -> None:
    for number in range(1, ACCOUNTS + 1):
        row = {"id": number, "key": f"lichess:player{number}", "site": "lichess", "handle": f"player{number}",
               "display": f"Player{number}", "mine": number == 1, "every": 1800, "state": "active"}  # fmt: skip
        connection.execute(accounts.insert().values(row))
        connection.execute(
            dossiers.insert().values(
                id=number, slug=f"d{number}", name=f"d{number}", names=f'["{name_of(number * number)}"]'
            )
        )
        if number % 2 == 0:
            connection.execute(dossier_accounts.insert().values(dossier_id=number, account_id=number))


def _add_games(archive: Archive, numbers: range, people: int, count: int) -> None:
    chance = random.Random(numbers.start)
    samples = [prepare(game) for game in club_games(64)]
    with archive.writing() as connection:
        file = file_row(connection, "large.pgn")
        wanted: list[KindAndText] = [("event", event_of(number, count)) for number in numbers]
        wanted += [one for sample in samples for one in texts_of(sample)]
        made = _Maker(people, count, samples, texts.text_ids(connection, archive.known, wanted), chance)
        insert_rows(connection, games, [made.game(number) for number in numbers])
        rows = [made.telling(number, file.id) for number in numbers]
        insert_rows(connection, tellings, rows)
        led = [
            {"account_id": row["id"] % 997 % ACCOUNTS + 1, "telling_id": row["id"], "game_id": row["game_id"]}
            for row in rows
            if row["download"]
        ]
        insert_rows(connection, telling_accounts, led)


def event_of(number: int, count: int) -> str:
    """The event of a game: online, or one of sixty games."""
    return "Rated blitz game" if online(number) else f"Open of Town {number * 7919 % count // 60}"


def online(number: int) -> bool:
    """Whether the game is a download."""
    return number % 6 == 0


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes rows of games and tellings; *samples* are the games whose moves and bytes they have."""

    people: int
    count: int
    samples: Sequence[Prepared]
    ids: Mapping[KindAndText, int]
    chance: random.Random

    def game(self, number: int) -> ColumnValues:
        """The row of a game."""
        sample = self.samples[number % len(self.samples)]
        white, black = self._player(), self._player()
        both = {sample.white: white + 1, sample.black: black + 1}
        row = game_row(StoredGame(number, number.to_bytes(16)), sample, both, self.ids, number)
        code = f"{'BDCAE'[int(5 * self.chance.random() ** 2)]}{int(100 * self.chance.random() ** 2):02}"
        given = self.chance.random() < 0.7
        return row | {
            "white_name": name_of(white),
            "black_name": name_of(black),
            "date": self._date(white, number),
            "result": self.chance.choices(RESULTS, OFTEN)[0],
            "ply_count": max(1, int(self.chance.gauss(80, 34))),
            "eco": code if given else None,
            "derived_eco": None if given else code,
            "event_id": self.ids["event", event_of(number, self.count)],
            "online": online(number),
        }

    def _player(self) -> int:
        return int(self.people * self.chance.random() ** 2.8)

    def _date(self, white: int, number: int) -> str:
        year = 2012 + number % 15 if online(number) else min(int(self.chance.gauss(era_of(white), 8)), 2026)
        if self.chance.random() < 0.1:
            return str(PartialDate(year))
        return str(PartialDate(year, self.chance.randint(1, 12), self.chance.randint(1, 28)))

    def telling(self, number: int, file_id: int) -> ColumnValues:
        """The row of a game's telling."""
        sample, download = self.samples[number % len(self.samples)], online(number)
        return {
            "id": number,
            "game_id": number,
            "n": 1,
            "download": download,
            "site": "lichess" if download else None,
            "native_id": f"g{number}" if download else None,
            "url": None,
            "file_id": None if download else file_id,
            "place": None if download else number * 600,
            "digest": number.to_bytes(16),
            "pgn": sample.pgn,
            "has_comments": False,
            "fetched_at": number,
            "told_key": None,
            "told_n": None,
            "encoding": None,
        }


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]))
