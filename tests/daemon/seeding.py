"""Fills archives for the tests of what is read from them, with games of just the fields that a test gives.

Those that a test is to read as a file or a site tells them, tags and all, are in `tests.daemon.made_up`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from core.game import Game, PartialDate, Side
from daemon.archive.archive import Archive, Connection
from daemon.archive.games import quarantine
from daemon.archive.games.files import file_row
from daemon.archive.games.prepared import prepare
from daemon.archive.games.quarantine import QuarantineEntry
from daemon.archive.schedule.accounts import all_accounts, sync_accounts
from daemon.archive.tables.main import metadata
from daemon.archive.take_in import Download, FilePiece, Taken, Telling, take_in
from daemon.config.configured import ConfiguredAccount

NOW = 1_715_508_000_000
"""2024-05-12T10:00:00Z."""


def named(name: str, fide_id: str | None = None, **more: Any) -> Side:
    """One side of a game."""
    return Side(name=name, fide_id=fide_id, **more)


def game_between(white: Side | str, black: Side | str, date: str = "2024.05.12", **more: Any) -> Game:
    """A game of a file with just these fields, which no reader has seen; its PGN says the usual ones."""
    sides = [side if isinstance(side, Side) else Side(name=side) for side in (white, black)]
    game = Game(
        white=sides[0],
        black=sides[1],
        date=PartialDate.parse(date),
        **{"moves": ("e2e4", "e7e5"), "result": "1-0", **more},
    )
    tags = {
        "Event": game.event,
        "Site": game.site,
        "Date": date,
        "White": sides[0].name,
        "Black": sides[1].name,
        "Result": game.result,
    }
    lines = "".join(f'[{name} "{value}"]\n' for name, value in tags.items() if value is not None)
    return game if game.raw else replace(game, raw=f"{lines}\n1. e4 e5 {game.result}\n".encode())


def fill(archive: Archive, games: Iterable[Game], path: str = "club.pgn") -> Taken:
    """Take these games in as the content of a file."""
    with archive.writing() as connection:
        file_id = file_row(connection, path).id
    tellings = [Telling(prepare(game), FilePiece(file_id, place)) for place, game in enumerate(games)]
    return take_in(archive, tellings, now_ms=NOW)


def follow(archive: Archive, keys: Sequence[str], *, mine: bool = True) -> dict[str, int]:
    """Let the archive follow these accounts; their ids by their keys."""
    pairs = [key.split(":") for key in keys]
    wanted = [
        ConfiguredAccount(site, handle.lower(), handle, mine=mine, every=3600) for site, handle in pairs
    ]
    with archive.writing() as connection:
        sync_accounts(connection, wanted)
        return {row.key: row.id for row in all_accounts(connection)}


def downloaded(archive: Archive, account_id: int, games: Iterable[Game]) -> Taken:
    """Take these games in as downloads that the account led to."""
    return take_in(archive, [Telling(prepare(game), Download(account_id)) for game in games], now_ms=NOW)


def online(white: Side | str, black: Side | str, native_id: str, site: str = "lichess", **more: Any) -> Game:
    """A game as a fetcher gives it."""
    url = f"https://{site}.example/{native_id}"
    return game_between(
        white,
        black,
        **{"online": True, "source": site, "native_id": native_id, "url": url, "site": url, **more},
    )


def emptied(archive: Archive) -> Archive:
    """The same archive without any rows but its settings."""
    with archive.writing() as connection:
        for table in reversed(metadata.sorted_tables):
            if table.name != "settings":
                connection.execute(table.delete())
    archive.known.forget()
    return archive


def in_quarantine(connection: Connection) -> list[QuarantineEntry]:
    """The items that wait in quarantine, by id."""
    found = [quarantine.get(connection, number) for number in quarantine.waiting(connection)]
    return [one for one in found if one is not None]
