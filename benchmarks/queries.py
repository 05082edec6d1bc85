"""How long the reading functions of the API take on a large archive, and by which plans.

    python -m benchmarks.queries [GAMES] [--archive FILE] [--times N] [--plans] [--only WORD]

Each question is asked by itself, on one connection that has been used before, as in the daemon; the answer is the
whole shape that the API sends, without HTTP. CPU time is that of the thread, which a busy machine changes least. ``--plans`` prints how the database goes about each statement.
``--archive`` keeps the archive, and uses it again.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, event

from benchmarks.large_archive import make, name_of
from core.players import Profile
from daemon.archive.archive import Archive, open_archive
from daemon.archive.reading.dossiers import list_dossiers
from daemon.archive.reading.games import find_games, games_of_player, whole_games
from daemon.archive.reading.me import me, my_games
from daemon.archive.reading.players import find_players
from daemon.archive.reading.search.filters import GameFilters
from daemon.archive.reading.search.sorts import NEWEST, SORTS, SortWord
from daemon.archive.reading.status import status
from daemon.archive.reading.suggest import choices

Ask = Callable[[Connection], Any]

FAMILY, GIVEN = name_of(0).split(", ")
ME: Final = Profile(first_name=GIVEN, last_name=FAMILY)
OLD: Final = name_of(1)


def games(**asked: Any) -> Ask:
    """The first page of the list with these filters."""
    return lambda connection: find_games(connection, GameFilters(**asked), ME, limit=50)


def counted(**asked: Any) -> Ask:
    """The same with the number of all games that they find."""
    return lambda connection: find_games(connection, GameFilters(**asked), ME, limit=50, total=True)


def sorted_by(sort: SortWord, **asked: Any) -> Ask:
    """The first page of the list in this order."""
    return lambda connection: find_games(connection, GameFilters(**asked), ME, limit=50, sort=sort)


def deep(pages: int, sort: SortWord = NEWEST, **asked: Any) -> Ask:
    """A later page of the list."""
    cursor: list[str | None] = []

    def ask(connection: Connection) -> Any:
        if not cursor:
            after: str | None = None
            for _ in range(pages):
                after = (
                    find_games(connection, GameFilters(**asked), ME, limit=500, cursor=after, sort=sort)[
                        "next"
                    ]
                    or after
                )
            cursor.append(after)
        return find_games(connection, GameFilters(**asked), ME, limit=50, cursor=cursor[0], sort=sort)

    return ask


QUESTIONS: Final[Mapping[str, Ask]] = {
    "newest": games(),
    "newest, page 101": deep(10),
    "a game": lambda connection: list(whole_games(connection, [4321])),
    "years": games(date_from="1930", date_to="1945"),
    "one old year": games(date_from="1881", date_to="1881"),
    "years, page 101": deep(10, date_from="1930", date_to="1945"),
    "result": games(result="1-0"),
    "eco": games(eco="B90"),
    "eco letter": games(eco="E"),
    "eco, result, years": games(eco="B90", result="1-0", date_from="1900", date_to="1940"),
    "eco letter, result, years": games(eco="E9", result="*", date_from="1885", date_to="1887"),
    "result, years": games(result="*", date_from="1885", date_to="1887"),
    "player": games(player=name_of(0)),
    "old player": games(player=OLD),
    "old player, result": games(player=OLD, result="*"),
    "old player, eco": games(player=OLD, eco="E9"),
    "old player as Black": games(player=OLD, colour="black"),
    "two players": games(white=name_of(0), black=name_of(2)),
    "two players, no game": games(white=name_of(1), black=name_of(2), date_from="2000"),
    "two players in q, no game": games(q=f"{OLD} {name_of(3)}"),
    "surname": games(q="rossi"),
    "two surnames in q": games(q="rossi bianchi"),
    "rare word": games(q="town 77"),
    "old player by id": lambda connection: games_of_player(connection, 2, limit=50),
    "old player's dossier": games(dossier="d1"),
    "dossier with many downloads": games(dossier="d4"),
    "account": games(account="lichess:player3"),
    "source files": games(source="file"),
    "source lichess, old": games(source="lichess", date_to="2013"),
    "mine": lambda connection: my_games(connection, ME, limit=50),
    "mine, lost": lambda connection: my_games(connection, ME, GameFilters(result="0-1"), limit=50),
    "me": lambda connection: me(connection, ME),
    "dossiers": list_dossiers,
    "status": lambda connection: status(connection, version="", running=None, now_ms=0),
    "players": lambda connection: find_players(connection, None, limit=50),
    "players, a letter": lambda connection: find_players(connection, "r", limit=50),
    "players, two words": lambda connection: find_players(connection, "ros mar", limit=50),
    "suggest players": lambda connection: choices(connection, "players", "ros ma", limit=10),
    "suggest events": lambda connection: choices(connection, "events", "open t", limit=10),
    "suggest openings": lambda connection: choices(connection, "openings", "s", limit=10),
    "an event": games(event=f"town {77}"),
    "an opening": games(opening="sicilian"),
    "rating": games(min_rating=2800),
    "title, years": games(title="gm", date_from="1990", date_to="2000"),
    "length": games(min_plies=150),
    "time class": games(time_class="blitz"),
    "not mine": games(mine=False, result="*"),
    "total": counted(),
    "total of a player": counted(player=OLD),
    "total of an ECO code": counted(eco="B90"),
    **{f"by {sort}": sorted_by(sort) for sort in SORTS},
    "by white, page 11": deep(1, sort="white"),
    "by rating, page 11": deep(1, sort="-rating"),
    "by white, a result": sorted_by("white", result="1-0"),
    "by rating, an old player": sorted_by("-rating", player=OLD),
}  # fmt: skip


def milliseconds(archive: Archive, ask: Ask, times: int, clock: Callable[[], float]) -> list[float]:
    """How long each of so many answers took by this clock, the quickest first."""
    spent = []
    for _ in range(times + 1):
        with archive.reading() as connection:
            started = clock()
            ask(connection)
            spent.append((clock() - started) * 1000)
    return sorted(spent[1:])


@contextmanager
def statements(archive: Archive) -> Iterator[list[tuple[str, Any]]]:
    """The statements that are executed meanwhile, with their parameters."""
    seen: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        seen.append((statement, parameters))

    with archive.reading() as connection:
        engine = connection.engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(engine, "before_cursor_execute", note)


def print_plans(archive: Archive, ask: Ask) -> None:
    """How SQLite goes about each statement of a question."""
    with statements(archive) as seen, archive.reading() as connection:
        ask(connection)
    with archive.reading() as connection:
        for statement, parameters in seen:
            if not statement.startswith(("SELECT", "WITH")):
                continue
            started = time.perf_counter()
            found = len(connection.exec_driver_sql(statement, parameters).fetchall())
            spent = (time.perf_counter() - started) * 1000
            print(f"    {spent:8.2f} ms {found} rows: {' '.join(statement.split())[:300]}")
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters):
                print(f"        {row[3]}")


def ask_all(archive: Archive, times: int, only: str, *, plans: bool) -> None:
    """Print a line for each question."""
    print(f"{'question':32}{'CPU p50':>9}{'CPU p99':>9}{'p50 ms':>9}{'p99 ms':>9}")
    for name, ask in QUESTIONS.items():
        if only in name:
            line = f"{name:32}"
            for clock in (time.thread_time, time.perf_counter):
                spent = milliseconds(archive, ask, times, clock)
                line += f"{statistics.median(spent):9.2f}{spent[int(len(spent) * 0.99)]:9.2f}"
            print(line, flush=True)
            if plans:
                print_plans(archive, ask)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="?", type=int, default=20_000)
    parser.add_argument("--archive", type=Path, help="the archive's file, made if there is none and kept")
    parser.add_argument("--times", type=int, default=20, help="how often each question is asked")
    parser.add_argument("--plans", action="store_true", help="print the plans, too")
    parser.add_argument("--only", default="", help="only questions with this in their name")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.archive or Path(folder) / "archive.sqlite"
        if not path.exists():
            make(path, options.games)
        with open_archive(path) as archive:
            archive.migrate()
            ask_all(archive, options.times, options.only, plans=options.plans)


if __name__ == "__main__":
    main()
