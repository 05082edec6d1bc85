"""Sorted lists are read run by run: in the order of the rule, and without a look at all games."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from core.game import Game, Side
from daemon.archive.archive import Archive, Connection, open_archive
from daemon.archive.reading.games import NOBODY, find_games
from daemon.archive.reading.search import runs
from daemon.archive.reading.search.filters import GameFilters
from daemon.archive.reading.search.sorts import SORTS, SortWord
from daemon.archive.tables.main import games, players, texts
from tests.daemon.archive.reading.search.test_by_date import plans, scans
from tests.daemon.seeding import emptied, fill, game_between

LONG = "Rossi " * 20
NAMES = (
    "Rossi, Anna",
    "Rossi, Bruno",
    "Verdi, Mario",
    "rossi-mario",
    "Ärger, Uwe",
    LONG + "a",
    LONG + "b",
    "?",
)
EVENTS = (None, "Open di Roma", "open di roma", "Ancona", "A" * 70 + "x", "A" * 70 + "y", "A" * 63)
CODES = (None, "B90", "A00", "b90", "C" * 70 + "x", "C" * 70 + "y")

IN_ORDER = ("ix_players_folded", "ix_games_rating")
"""Indexes that are walked in the order of the list, until its page is full."""

a_game = st.builds(
    lambda white, black, event, eco, result: game_between(white, black, event=event, eco=eco, result=result),
    st.sampled_from(NAMES),
    st.sampled_from(NAMES),
    st.sampled_from(EVENTS),
    st.sampled_from(CODES),
    st.sampled_from(["1-0", "0-1"]),
)


def values(connection: Connection, name: str) -> dict[int, Any]:
    """By game, what a list of this name is sorted by, as far as it is."""
    column = {
        "white": players.c.folded,
        "black": players.c.folded,
        "event": texts.c.folded,
        "eco": games.c.eco,
    }[name]
    source = {
        "white": games.join(players, players.c.id == games.c.white_id),
        "black": games.join(players, players.c.id == games.c.black_id),
        "event": games.outerjoin(texts, texts.c.id == games.c.event_id),
        "eco": games,
    }[name]
    rows = connection.execute(select(games.c.id, column).select_from(source)).all()
    return {number: None if value is None else value[:200] for number, value in rows}


def by_rule(connection: Connection, sort: str, result: str | None) -> list[int]:
    """By the value and the id, both backwards or not; games without a value at the end."""
    found = values(connection, sort.removeprefix("-"))
    if result is not None:
        fits = set(connection.scalars(select(games.c.id).where(games.c.result == result)))
        found = {number: value for number, value in found.items() if number in fits}
    backwards = sort.startswith("-")
    there = sorted(
        ((value, number) for number, value in found.items() if value is not None), reverse=backwards
    )
    missing = sorted((number for number, value in found.items() if value is None), reverse=backwards)
    return [number for _, number in there] + missing


@given(
    games_of=st.lists(a_game, min_size=1, max_size=12),
    sort=st.sampled_from(
        [sort for sort in SORTS if sort.removeprefix("-") in {"white", "black", "event", "eco"}]
    ),
    result=st.sampled_from([None, "1-0"]),
    sizes=st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(0, 8)),
    size=st.integers(1, 4),
)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_pages_are_those_of_the_rule(
    archive: Archive,
    games_of: list[Game],
    sort: SortWord,
    result: str | None,
    sizes: tuple[int, int, int],
    size: int,
) -> None:
    """However many names are in a run, and whichever have a run of their own, the pages joined are the list of the rule."""
    fill(emptied(archive), games_of)
    found: list[int] = []
    cursor: str | None = None
    with pytest.MonkeyPatch.context() as patch, archive.reading() as connection:
        for name, value in zip(("FIRST", "MANY", "MOST"), sizes, strict=True):
            patch.setattr(runs, name, value)
        while True:
            page = find_games(
                connection, GameFilters(result=result), NOBODY, limit=size, cursor=cursor, sort=sort
            )
            found += [one["id"] for one in page["items"]]
            cursor = page["next"]
            if cursor is None:
                break
        assert found == by_rule(connection, sort, result)


# By id all games are in the order of the table; of long games there is an index, and here is none.
@pytest.mark.parametrize(
    "sort", [sort for sort in SORTS if not sort.endswith(("date", "id")) and sort != "-plies"]
)
def test_no_page_walks_through_all_games(sqlite_path: str, sort: SortWord) -> None:
    """The first page of a sorted list, and the next, are found by indexes, as no list of games is sorted whole."""
    with open_archive(sqlite_path) as archive:
        fill(
            archive,
            [
                game_between(
                    Side(name=f"Rossi, A{n}", rating=1500 + n),
                    f"Verdi, B{n % 7}",
                    f"2024.05.{1 + n % 28:02}",
                    event=f"Open {n % 9}",
                    eco=f"B{n:02}",
                )
                for n in range(60)
            ],
        )
        with archive.reading() as connection, plans(connection) as lines:
            page = find_games(connection, GameFilters(), NOBODY, limit=2, sort=sort)
            find_games(connection, GameFilters(), NOBODY, limit=2, sort=sort, cursor=page["next"])
    assert lines
    assert [line for line in scans(lines) if not any(index in line for index in IN_ORDER)] == []
