"""No statement of the intake walks through a table that grows with the games: each finds its rows by an index.

The statements are those that the program sends, recorded while it takes games in, and explained by SQLite afterwards:
as in a new archive, and with the rows counted as `Archive.optimize` counts them.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import Connection, Engine, event

from core.game import Game, Side
from daemon.archive.archive import Archive, open_archive
from daemon.archive.database import indexes
from daemon.archive.games.prepared import prepare
from daemon.archive.schedule import rounds
from daemon.archive.tables.main import metadata
from daemon.archive.take_in import (
    Download,
    QuarantineItem,
    Reached,
    Telling,
    take_in,
)
from daemon.edits import doubles
from daemon.edits.door import edit_game, edit_player, undo
from daemon.imports.run import import_paths
from tests.daemon.made_up import ITALIAN, chesscom, lichess, otb
from tests.daemon.seeding import NOW, downloaded, fill, follow

GAMES: Final = 500

SMALL: Final = frozenset(
    (
        *("accounts", "dossiers", "dossier_accounts", "settings", "sites"),  # what the user follows
        *("quarantine", "left_items"),  # what nothing could read
        *("double_answers", "told_players"),  # what the user has answered and renamed
        *(name for name in metadata.tables if name.startswith("club_")),  # the evenings of a club
    )
)
"""Tables that do not grow with the games, or hardly."""

FIRST_ROWS: Final = re.compile(r'SELECT (\w+)\.[\w"]+ FROM \1( ORDER BY \1\.\w+)? LIMIT \? OFFSET \?')
"""Some rows from the beginning: this begins to walk, and ends soon."""


@dataclass
class Recorded:
    """The statements of one part of the work, and the parameters with which each was sent at last."""

    sent: dict[str, Any] = field(default_factory=dict)

    def note(
        self,
        _connection: Connection,
        _cursor: object,
        statement: str,
        given: Any,
        _context: object,
        many: bool,
    ) -> None:
        if not re.match("PRAGMA|BEGIN|ANALYZE", statement) and "sqlite_" not in statement:
            self.sent[statement.replace("\n", "")] = given[0] if many else given


@contextmanager
def recording() -> Iterator[Recorded]:
    """What is sent meanwhile."""
    recorded = Recorded()
    event.listen(Engine, "before_cursor_execute", recorded.note)
    try:
        yield recorded
    finally:
        event.remove(Engine, "before_cursor_execute", recorded.note)


def numbered(start: int, count: int) -> list[Game]:
    """So many games over the board, no two the same."""
    return [
        otb(f"Rossi, M{n % 97}", f"Bianchi, G{n % 89}", Round=str(n)) for n in range(start, start + count)
    ]


def of_site(start: int, count: int) -> list[Game]:
    """So many games of a site."""
    return [
        lichess(f"{n:08}", white=f"rossi{n % 97}", black=f"bianchi{n % 89}")
        for n in range(start, start + count)
    ]


def imported(archive: Archive, path: Path, games: list[Game]) -> None:
    path.write_bytes(b"\n".join(game.raw for game in games))
    import_paths(archive, [path], parsers=1)
    archive.optimize()


@dataclass(frozen=True)
class Rig:
    """An archive with games from a file and from a site, and the account that led to the latter."""

    archive: Archive
    account: int
    pgn: Path


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    folder = tmp_path_factory.mktemp("plans")
    with open_archive(folder / "archive.sqlite") as archive:
        archive.migrate()
        account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
        fill(archive, numbered(0, GAMES))
        downloaded(archive, account, of_site(0, GAMES))
        imported(archive, folder / "games.pgn", numbered(GAMES, 30))
        yield Rig(archive, account, folder / "games.pgn")


def new_games(rig: Rig) -> None:
    fill(rig.archive, numbered(GAMES + 100, 50))


def known_games(rig: Rig) -> None:
    fill(rig.archive, numbered(0, 50))


def file_read_again(rig: Rig) -> None:
    """Some games are known, some have left the file, one is new and one cannot be read."""
    bad = replace(otb(), raw=b'[Event "Open"]\n\n1. e4 Ke4 *\n')
    imported(rig.archive, rig.pgn, [*numbered(GAMES + 3, 20), bad, *numbered(GAMES + 40, 5)])
    imported(rig.archive, rig.pgn, [*numbered(GAMES + 3, 27), *numbered(GAMES + 40, 5)])


def new_downloads(rig: Rig) -> None:
    archive, account = rig.archive, rig.account
    with archive.writing() as connection:
        number = rounds.begin_round(connection, "sync", "lichess:mrossi90", account, NOW)
    unread = QuarantineItem(
        source="lichess:mrossi90",
        raw=b"?",
        reason="no moves",
        account_id=account,
        site="lichess",
        native_id="x" * 8,
    )
    tellings = [Telling(prepare(game), Download(account)) for game in of_site(GAMES, 50)]
    take_in(
        archive,
        tellings,
        now_ms=NOW,
        unread=[unread],
        reached=Reached(account, {"since": 1}),
        round_id=number,
    )
    downloaded(archive, account, [lichess("x" * 8), chesscom(1, uuid="a" * 32)])


def known_downloads(rig: Rig) -> None:
    downloaded(rig.archive, rig.account, [*of_site(0, 50), chesscom(1, uuid="a" * 32)])


def changed_downloads(rig: Rig) -> None:
    """Other moves, another result, and names that are left out."""
    nameless = [replace(game, white=Side(name="?")) for game in of_site(60, 3)]
    others = [lichess(f"{n:08}", ITALIAN, "0-1") for n in range(70, 75)]
    downloaded(rig.archive, rig.account, [*nameless, *others])


def parts_read_whole(rig: Rig) -> None:
    boards = [replace(game, native_id=f"broadcast/abc/{n}") for n, game in enumerate(of_site(GAMES + 200, 5))]
    downloaded(rig.archive, rig.account, boards)
    reached = Reached(rig.account, wholes={"broadcast/abc": {"broadcast/abc/0"}})
    take_in(rig.archive, [], now_ms=NOW, reached=reached)


def edits_and_intake(rig: Rig) -> None:
    """Games that the user has edited come again, from another source, and otherwise than before."""
    archive, account = rig.archive, rig.account
    edit_game(archive, 1, {"event": "Open"}, now_ms=NOW)
    edit_game(archive, 2, {"white": "Verdi, Luca"}, now_ms=NOW)
    edit_game(archive, GAMES + 1, {"white": "Verdi, Luca"}, now_ms=NOW)
    edit_player(archive, 5, "Neri, Anna", now_ms=NOW)
    fill(archive, numbered(0, 10), "other.pgn")
    downloaded(archive, account, [lichess(f"{0:08}", ITALIAN), *of_site(1, 5)])
    undo(archive, [1], now_ms=NOW)


def doubles_search(rig: Rig) -> None:
    doubles.look(rig.archive)


WORK: Final[list[Callable[[Rig], None]]] = [
    new_games, known_games, file_read_again, new_downloads, known_downloads, changed_downloads, parts_read_whole,
    edits_and_intake, doubles_search,
]  # fmt: skip


@pytest.fixture(scope="module")
def sent(rig: Rig) -> dict[str, Recorded]:
    """What each part of the work sends."""
    found: dict[str, Recorded] = {}
    for work in WORK:
        with recording() as recorded:
            work(rig)
        found[work.__name__] = recorded
    return found


LARGE_IMPORT: Final = ("new_games", "known_games", "file_read_again", "new_downloads", "known_downloads")
"""What may happen while an import does without the indexes that only readers need."""


def walks(archive: Archive, recorded: Recorded, *, as_writer: bool = False) -> list[str]:
    """The steps of these statements that look at every row of a table that grows. *as_writer*: only a writer understands all."""
    found: list[str] = []
    with archive.writing() if as_writer else archive.reading() as connection:
        for statement, given in recorded.sent.items():
            if not FIRST_ROWS.fullmatch(statement):
                plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", given)
                found += (
                    f"{step}: {statement}" for step in plan.scalars("detail") if is_walk(step, statement)
                )
    return found


def is_walk(step: str, statement: str) -> bool:
    """Whether a step of a plan looks at every row of a table that grows, or at those of a whole site."""
    if "AUTOMATIC" in step or "(site=?)" in step:
        return True
    scanned = re.match(r"SCAN (\w+)", step)
    if scanned is None or "VIRTUAL TABLE" in step:
        return False
    name = scanned[1]
    real = re.search(rf"(\w+) AS {name}\b", statement)
    return (real[1] if real and real[1] in metadata.tables else name) in metadata.tables.keys() - SMALL


@pytest.mark.parametrize("work", [work.__name__ for work in WORK])
def test_new_archive(rig: Rig, sent: dict[str, Recorded], work: str) -> None:
    """In an archive whose rows were never counted, as during its first import, no statement walks."""
    with rig.archive.writing() as connection:
        connection.exec_driver_sql("DROP TABLE IF EXISTS sqlite_stat1")
        connection.exec_driver_sql("DROP TABLE IF EXISTS sqlite_stat4")
    rig.archive.close()
    assert walks(rig.archive, sent[work]) == []


@pytest.mark.parametrize("work", [work.__name__ for work in WORK])
def test_counted(rig: Rig, sent: dict[str, Recorded], work: str) -> None:
    """With the rows counted as the program does it, no statement walks."""
    rig.archive.optimize()
    rig.archive.close()
    assert walks(rig.archive, sent[work]) == []


@pytest.mark.parametrize("work", LARGE_IMPORT)
def test_without_the_indexes_of_readers(rig: Rig, sent: dict[str, Recorded], work: str) -> None:
    """Nor does it while a large import does without the indexes that it does not need."""
    rig.archive.optimize()
    with rig.archive.writing() as connection:
        indexes.drop(connection)
    rig.archive.close()
    try:
        assert walks(rig.archive, sent[work]) == []
    finally:
        rig.archive.migrate()


def test_of_new_files_without_their_index(sqlite_archive: Archive) -> None:
    """Nor does it without the index of files and digests: the tellings of new files are found by their games."""
    fill(sqlite_archive, numbered(0, GAMES))
    sqlite_archive.optimize()
    with sqlite_archive.writing() as connection:
        indexes.drop(connection, new_files=True)
    with recording() as recorded:
        fill(sqlite_archive, [*numbered(0, 20), *numbered(5000, 20), *numbered(10, 20)], "new.pgn")
        fill(sqlite_archive, [*numbered(0, 25), *numbered(5000, 25)], "new.pgn")
    sqlite_archive.close()
    assert sum("tellings" in statement for statement in recorded.sent) > 2
    assert walks(sqlite_archive, recorded) == []


def test_a_large_import_of_new_files(
    sqlite_archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever way its games take, none of its statements needs an index that it does without."""
    monkeypatch.setattr(indexes, "FEWEST", 10)
    path = tmp_path / "games.pgn"
    path.write_bytes(b"\n".join(game.raw for game in [*numbered(0, 600), *numbered(50, 80)]))
    with recording() as recorded:
        assert import_paths(sqlite_archive, [path]).new == 600
    for statement in list(recorded.sent):
        if not re.match("SELECT|INSERT|UPDATE|DELETE|WITH", statement):
            del recorded.sent[statement]
    assert sum("tellings" in statement for statement in recorded.sent) > 1
    with sqlite_archive.writing() as connection:
        indexes.drop(connection, new_files=True)
    assert walks(sqlite_archive, recorded, as_writer=True) == []
