"""Lists by date go the way that looks at few games: no statement of theirs walks through a large table."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from sqlalchemy import event, func, select

from core.game import Game
from core.players import Profile
from daemon.archive.archive import Archive, Connection, open_archive
from daemon.archive.reading.games import find_games
from daemon.archive.reading.search import by_date, plan
from daemon.archive.reading.search.by_date import DateSearch
from daemon.archive.reading.search.conditions import conditions, dates
from daemon.archive.reading.search.filters import GameFilters
from daemon.archive.reading.search.mine import mine
from daemon.archive.reading.search.plan import NONE, Wanted, count_games
from daemon.archive.reading.search.stretches import stretches
from daemon.archive.tables.main import games, players
from tests.daemon.seeding import downloaded, emptied, fill, follow, game_between, online

ME = Profile("Anna", "Rossi")
NAMES = ("Rossi, Anna", "Verdi, Mario", "Verdi, Marta", "Neri, Ugo")
DATES = ("1880.??.??", "1880.05.12", "1880.05.??", "1881.01.01", "2024.05.12", "????.??.??", "12/5/24")
LARGE = ("games", "tellings", "players", "texts", "player_words", "text_words", "telling_accounts")

a_game = st.builds(
    lambda white, black, date, eco, result: game_between(white, black, date, eco=eco, result=result),
    st.sampled_from(NAMES),
    st.sampled_from(NAMES),
    st.sampled_from(DATES),
    st.sampled_from([None, "B90", "B91", "C60"]),
    st.sampled_from(["1-0", "0-1", "*"]),
)
filters = st.fixed_dictionaries(
    {},
    optional={
        "player": st.sampled_from(["rossi", "verdi", "verdi mario", "nobody"]),
        "white": st.sampled_from(["verdi", "neri"]),
        "q": st.sampled_from(["verdi", "rossi neri", "b9"]),
        "eco": st.sampled_from(["B", "B90", "z"]),
        "result": st.sampled_from(["1-0", "*"]),
        "date_from": st.sampled_from(["1880", "1880-05-12", "2024"]),
        "date_to": st.sampled_from(["1880", "1880-05", "2024-05-12"]),
        "mine": st.booleans(),
    },
)
WAYS = {
    "few": (4000, 8, 2000, 100_000, 25_000),
    "in order": (-1, 8, 1, 100_000, 25_000),
    "by values": (-1, 0, 1, 100_000, 0),
    "beside": (-1, 0, 1, 100_000, 25_000),
    "walking": (-1, 0, 1, 0, 0),
}


def go(way: str, patch: pytest.MonkeyPatch) -> None:
    """Let lists go this way, as they do where as many games fulfil the conditions."""
    few, singly, looked_at, many, beside = WAYS[way]
    patch.setattr(plan, "FEW", few)
    for name, value in (
        ("SINGLY", singly), ("LOOKED_AT", looked_at), ("LOOKED_AT_LISTED", looked_at), ("MANY", many),
        ("LOOKED_AT_SINGLY", looked_at), ("MANY_UNDATED", many), ("BESIDE", beside), ("FEW_BESIDE", 0),
    ):  # fmt: skip
        patch.setattr(by_date, name, value)


def by_rule(connection: Connection, chosen: GameFilters, *, newest: bool) -> list[int]:
    """The ids of the games that fulfil every condition, in order: those with a year, by date and id; then the others."""
    tests = [*(one.test for one in conditions(connection, chosen, ME)), *dates(chosen).conditions]
    found = connection.execute(select(games.c.date, games.c.id).where(*tests)).all()
    known = sorted(((date, number) for date, number in found if date < "?"), reverse=newest)
    unknown = sorted(((date, number) for date, number in found if date >= "?"), reverse=newest)
    return [number for _, number in (*known, *unknown)]


@given(
    games_of=st.lists(a_game, min_size=1, max_size=12),
    asked=filters,
    way=st.sampled_from(list(WAYS)),
    newest=st.booleans(),
    size=st.integers(1, 4),
)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_pages_and_totals_are_those_of_the_rule(
    archive: Archive, games_of: list[Game], asked: dict[str, Any], way: str, newest: bool, size: int
) -> None:
    """Whichever way is gone, the pages joined are the games of the rule in their order, and the total is their number."""
    assume(asked.get("date_from", "0") <= asked.get("date_to", "9"))
    fill(emptied(archive), games_of)
    chosen = GameFilters(**asked)
    sort: Any = "-date" if newest else "date"
    found: list[int] = []
    cursor: str | None = None
    with pytest.MonkeyPatch.context() as patch, archive.reading() as connection:
        go(way, patch)
        expected = by_rule(connection, chosen, newest=newest)
        while True:
            page = find_games(connection, chosen, ME, limit=size, cursor=cursor, sort=sort, total=True)
            found += [one["id"] for one in page["items"]]
            assert page["total"] == len(expected)
            cursor = page["next"]
            if cursor is None:
                break
    assert found == expected


@contextmanager
def plans(connection: Connection) -> Iterator[list[str]]:
    """How SQLite goes about the statements that are executed meanwhile."""
    seen: list[tuple[str, Any]] = []
    lines: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        seen.append((statement, parameters))

    event.listen(connection, "before_cursor_execute", note)
    yield lines
    event.remove(connection, "before_cursor_execute", note)
    for statement, parameters in seen:
        lines += [
            row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        ]


def scans(lines: list[str]) -> list[str]:
    """Those that go through a whole table, or a whole index that is not the one of the list."""
    whole = [line for line in lines if any(line.split()[:2] == ["SCAN", table] for table in LARGE)]
    return [line for line in whole if "ix_games_date_id" not in line]


@pytest.mark.parametrize("way", [name for name in WAYS if name != "walking"])
@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"date_from": "1880", "date_to": "1890"},
        {"player": "verdi mario"},
        {"player": "verdi", "date_to": "1890"},
        {"white": "verdi", "black": "rossi"},
        {"q": "verdi rossi"},
        {"eco": "B90", "result": "1-0", "date_from": "1880", "date_to": "1890"},
        {"player": "verdi mario", "eco": "B"},
        {"mine": True, "result": "*"},
        {"event": "roma"},
    ],
    ids=str,
)
def test_no_statement_of_a_list_walks_through_a_table(
    sqlite_path: str, monkeypatch: pytest.MonkeyPatch, way: str, asked: dict[str, Any]
) -> None:
    """Every statement of a page, the first or a later one, searches by an index; only the list itself is walked, in order."""
    with open_archive(sqlite_path) as archive:
        fill(
            archive,
            [
                game_between(NAMES[n % 3], NAMES[3 - n % 2], DATES[n % 6], eco="B90", event="Roma")
                for n in range(60)
            ],
        )
        go(way, monkeypatch)
        with archive.reading() as connection, plans(connection) as lines:
            page = find_games(connection, GameFilters(**asked), ME, limit=2)
            find_games(connection, GameFilters(**asked), ME, limit=2, cursor=page["next"])
    assert lines
    assert scans(lines) == []


@pytest.mark.parametrize(
    ("asked", "index"),
    [
        ({"date_from": "1880", "date_to": "1890"}, "ix_games_date_id (date>? AND date<?)"),
        ({"player": "verdi mario"}, "COVERING INDEX ix_games_white_id_date (white_id=? AND date<?)"),
        (
            {"white": "verdi mario", "black": "neri"},
            "COVERING INDEX ix_games_white_id_date (white_id=? AND date<?)",
        ),
        (
            {"eco": "B90", "date_from": "1880", "date_to": "1890"},
            "ix_games_eco (<expr>=? AND date>? AND date<?)",
        ),
    ],
)
def test_lists_are_read_from_indexes_with_dates(
    sqlite_path: str, monkeypatch: pytest.MonkeyPatch, asked: dict[str, Any], index: str
) -> None:
    """Years bound the list on both sides, a player's games need no look at the game, also against another player."""
    with open_archive(sqlite_path) as archive:
        fill(archive, [game_between(NAMES[1], NAMES[3], date, eco="B90") for date in DATES])
        go("in order", monkeypatch)
        with archive.reading() as connection, plans(connection) as lines:
            find_games(connection, GameFilters(**asked), ME, limit=2)
    assert any(index in line for line in lines), lines


@pytest.mark.parametrize(
    "asked",
    [
        {"player": "verdi"},
        {"q": "verdi neri"},
        {"q": "roma verdi"},
        {"event": "roma"},
        {"min_rating": 1000},
        {"min_plies": 1},
        {"mine": False},
    ],
    ids=str,
)
def test_most_filters_are_tested_in_the_index_of_the_list(
    sqlite_path: str, monkeypatch: pytest.MonkeyPatch, asked: dict[str, Any]
) -> None:
    """Where many games fulfil the conditions, the games of the list are tested without a look at any of them."""
    with open_archive(sqlite_path) as archive:
        fill(archive, [game_between(NAMES[1], NAMES[n % 4], DATES[n % 6], event="Roma") for n in range(9)])
        go("walking", monkeypatch)
        monkeypatch.setattr(by_date, "LOOKED_AT_LISTED", 100)
        with archive.reading() as connection, plans(connection) as lines:
            chosen = GameFilters(**asked)
            places = DateSearch(
                connection,
                conditions(connection, chosen, Profile("No", "Body", fide_id="7")),
                dates(chosen),
                stretches(dates(chosen), descending=True, after=None),
                50,
            ).places()
    assert places or asked == {"min_rating": 1000}
    walked = [line for line in lines if "ix_games_date_id" in line]
    assert walked
    assert all("COVERING INDEX" in line for line in walked)


@pytest.mark.parametrize(("looked_at", "looked_up"), [(1, 2), (6, 1)])
def test_games_known_by_their_ids(
    sqlite_path: str, monkeypatch: pytest.MonkeyPatch, looked_at: int, looked_up: int
) -> None:
    """Those of an account are found in the index of dates; only if too few are new, all of them are looked up."""
    with open_archive(sqlite_path) as archive:
        account = follow(archive, ["lichess:verdi"])["lichess:verdi"]
        downloaded(
            archive, account, [online("verdi", "neri", str(n), date=f"2024.05.0{n}") for n in range(1, 6)]
        )
        fill(archive, [game_between("a", "b", "2024.06.01")])
        go("by values", monkeypatch)
        monkeypatch.setattr(by_date, "LOOKED_AT_LISTED", looked_at)
        with archive.reading() as connection, plans(connection) as lines:
            page = find_games(connection, GameFilters(account="lichess:verdi"), ME, limit=2)
    assert [one["date"] for one in page["items"]] == ["2024.05.05", "2024.05.04"]
    assert sum(line.startswith("SEARCH games USING INTEGER PRIMARY KEY") for line in lines) == looked_up


@given(games_of=st.lists(a_game, min_size=1, max_size=12), some=st.sets(st.integers(1, 12)))
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_games_are_counted_once(archive: Archive, games_of: list[Game], some: set[int]) -> None:
    """The number of games that are mine, or of some accounts, is that of the rule: a game between two of us is one."""
    fill(emptied(archive), games_of)
    verdi = select(players.c.id).where(players.c.name.like("Verdi%"))
    with archive.reading() as connection:
        of_accounts = Wanted.among(select(games.c.id).where(games.c.id.in_(some)))
        played = Wanted.refers([games.c.white_id, games.c.black_id], verdi)
        for wanted in (mine(ME), played, Wanted.any([played, of_accounts]), Wanted.any([of_accounts, NONE])):
            counted = connection.scalar(select(func.count()).select_from(games).where(wanted.test))
            assert count_games(connection, wanted) == counted
