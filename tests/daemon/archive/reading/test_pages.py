"""Lists that change while they are walked page by page: what stays is met once, and no cursor is lost; on both databases."""

from collections.abc import Callable
from typing import Any

import pytest

from core.players import Profile
from daemon.archive.archive import Archive
from daemon.archive.games import quarantine
from daemon.archive.games.quarantine import QuarantineItem
from daemon.archive.reading import cursors
from daemon.archive.reading.cursors import BadCursor
from daemon.archive.reading.doubles import list_doubles
from daemon.archive.reading.edits import list_edits
from daemon.archive.reading.games import find_games, games_of_player
from daemon.archive.reading.me import my_games
from daemon.archive.reading.players import find_players
from daemon.archive.reading.quarantine import list_quarantined
from daemon.archive.reading.rounds import list_rounds
from daemon.archive.reading.search.filters import GameFilters
from daemon.archive.reading.shapes import Page
from daemon.edits.door import edit_game, edit_player
from daemon.edits.doubles import look
from tests.daemon.made_up import RUY, otb
from tests.daemon.seeding import NOW, fill, game_between

ME = Profile("Mario", "Rossi")


def walked(archive: Archive, read: Callable[..., Page], change: Callable[[], Any]) -> list[int]:
    """The ids of all items, two to a page; the change happens after the first page."""
    ids: list[int] = []
    cursor = None
    while True:
        with archive.reading() as connection:
            page = read(connection, limit=2, cursor=cursor)
        if not ids:
            change()
        ids += [one["id"] for one in page["items"]]
        cursor = page["next"]
        if cursor is None:
            return ids


LISTS: dict[str, Callable[..., Page]] = {
    "games": lambda connection, **page: find_games(connection, GameFilters(), Profile(), **page),
    "games of a player": lambda connection, **page: games_of_player(connection, 1, **page),
    "my games": lambda connection, **page: my_games(connection, ME, **page),
}


@pytest.mark.parametrize("name", LISTS)
def test_the_last_game_of_a_page_is_merged(archive: Archive, name: str) -> None:
    """The game that a page ended with becomes one with another: the walk goes on after its place."""
    fill(archive, [game_between("Rossi, Mario", "Verdi, Luca", f"2024.05.{day:02}") for day in range(1, 7)])

    def merge() -> None:
        assert edit_game(archive, 5, {"date": "2024.05.01"}, now_ms=NOW).joined == ((5, 1),)

    assert walked(archive, LISTS[name], merge) == [6, 5, 4, 3, 2, 1]


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("date", ["2024.05.01", "2024.05.30", "????.??.??"])
def test_the_last_game_of_a_page_gets_another_date(archive: Archive, name: str, date: str) -> None:
    """Wherever it goes, every other game is met exactly once."""
    fill(archive, [game_between("Rossi, Mario", "Verdi, Luca", f"2024.05.{day:02}") for day in range(2, 8)])
    ids = walked(archive, LISTS[name], lambda: edit_game(archive, 5, {"date": date}, now_ms=NOW))
    assert [number for number in ids if number != 5] == [6, 4, 3, 2, 1]


@pytest.mark.parametrize("query", [None, "ross"])
def test_the_last_player_of_a_page_is_renamed_or_gone(archive: Archive, query: str | None) -> None:
    """Every other player is met exactly once."""
    names = [f"Rossi, {letter}" for letter in "ABCDEF"]
    fill(archive, [game_between(name, "rossi") for name in names])

    def read(connection: Any, **page: Any) -> Page:
        return find_players(connection, query, **page)

    everybody = walked(archive, read, lambda: None)
    last = everybody[1]
    others = [number for number in everybody if number != last]
    renamed = walked(archive, read, lambda: edit_player(archive, last, "Rossi Zoe", now_ms=NOW))
    assert [number for number in renamed if number in others] == others


def test_lists_by_number(archive: Archive) -> None:
    """Edits, doubles, rounds, quarantine: what a page ended with is removed, or more comes; the rest is met once."""
    fill(
        archive,
        [otb(moves=moves, Date=f"2024.05.{day}") for day in (10, 20, 30) for moves in (RUY, f"{RUY} a6")],
    )
    look(archive)
    with archive.writing() as connection:
        items = [QuarantineItem(source="a", raw=bytes([number]), reason="b") for number in range(5)]
        quarantine.put(connection, items, NOW)

    def drop() -> None:
        with archive.writing() as connection:
            quarantine.drop(connection, [4])

    assert walked(archive, list_quarantined, drop) == [5, 4, 3, 2, 1]
    pairs = walked(archive, list_doubles, lambda: edit_game(archive, 4, {"round": "9"}, now_ms=NOW))
    assert pairs == [3, 2, 1]
    for number in range(2, 5):
        edit_game(archive, 1, {"round": str(number)}, now_ms=NOW)
    edits = walked(archive, list_edits, lambda: edit_game(archive, 2, {"round": "5"}, now_ms=NOW))
    assert edits == [4, 3, 2, 1]
    assert walked(archive, list_rounds, lambda: None) == []


BAD = [
    cursors.write("players", "rossi", "Rossi", 1),
    cursors.write("games", "2024.05.12", 1),
    cursors.write("games", 0, "2024.05.12"),
    cursors.write("games", 0, 1, "2024.05.12"),
    cursors.write("games", 2, "2024.05.12", 1),
    cursors.write("games", 0, "2024.05.12", 2**63),
    cursors.write("games", 0, "2024.05.12", -1),
    cursors.write("games", 0, "2024.05.12", True),
    cursors.write("games", 0, "a\0b", 1),
    cursors.write("games", 0, "a" * 201, 1),
    cursors.write("games by date", 0, "2024.05.12", 1),
    "W" * 99,
    "W1tbW1tbW1tbW1tbW1tb",
    "",
    "é",
]


@pytest.mark.parametrize("cursor", BAD)
def test_what_is_no_cursor(archive: Archive, cursor: str) -> None:
    """Another list's, another order's, numbers and texts that no database holds: refused in words."""
    with archive.reading() as connection, pytest.raises(BadCursor, match="cursor"):
        find_games(connection, GameFilters(), Profile(), limit=2, cursor=cursor)
