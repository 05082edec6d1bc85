"""Keys made again when the rules have changed, on both databases: as if all tellings were taken in by new rules."""

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from sqlalchemy import Connection, Row, select, update

from core.game import Game
from core.players import key_version
from daemon.archive.archive import Archive, open_archive
from daemon.archive.database.key_version import are_confirmed
from daemon.archive.database.key_version import made_by_others as made_by
from daemon.archive.errors import KeysChanged
from daemon.archive.games.files import file_row
from daemon.archive.games.prepared import prepare
from daemon.archive.rekey import run
from daemon.archive.schedule.accounts import sync_accounts
from daemon.archive.sqlite import FileArchive
from daemon.archive.tables.main import (
    games,
    metadata,
    player_names,
    player_words,
    players,
    tellings,
    text_words,
    texts,
)
from daemon.archive.take_in import Download, FilePiece, Taken, Telling, take_in
from daemon.config.configured import ConfiguredAccount
from fetchers.chesscom.records import read_game
from tests.daemon.made_up import ITALIAN, RUY, otb
from tests.daemon.other_rules import made_by_others, other_rules
from tests.examples import examples

NAMES = (
    "Rossi, Mario",
    "ROSSI,Mario",
    "Røssi, Mario",
    "Иван Bianchi",
    "Ivan Bianchi",
    "M.Rossi",
    "M. Rossi",
    "mrossi90",
    "MRossi90",
    "?",
)
FILES = (1, 2)
NOW = 1_700_000_000_000


@cache
def piece(white: str, black: str, day: int, fide: bool, moves: str, event: str) -> Game:
    more = {"WhiteFideId": "01234567"} if fide else {}
    return otb(white, black, moves, Event=event, Date=f"2024.05.{day:02}", **more)


@cache
def download(white: str, black: str, day: int) -> Game:
    """As a fetcher gives it; with such names the bytes alone would not say that it is the site's own."""
    own = f"{(NAMES.index(white) * len(NAMES) + NAMES.index(black)) * 100 + day:08}"
    source_game = otb(white, black, Site=f"https://lichess.org/{own}", Date=f"2024.05.{day:02}")
    return replace(
        source_game, online=True, source="lichess", native_id=own, url=f"https://lichess.org/{own}/white"
    )


def as_piece(file_id: int, *details: object) -> Telling:
    return Telling(prepare(piece(*details)), FilePiece(file_id, 0))


def as_download(*details: object) -> Telling:
    return Telling(prepare(download(*details)), Download(1))


# Few of everything, so that games meet by old rules, by new rules, or by both.
pieces = st.builds(
    as_piece,
    st.sampled_from(FILES),
    st.sampled_from(NAMES),
    st.sampled_from(NAMES[3:6]),
    st.sampled_from([1, 2]),
    st.booleans(),
    st.sampled_from([RUY, ITALIAN, "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O"]),
    st.sampled_from(["Open di Røma", "Иван Memorial"]),
)
downloads = st.builds(
    as_download, st.sampled_from(NAMES), st.sampled_from(NAMES[5:8]), st.sampled_from([1, 2])
)
intakes = st.lists(st.lists(pieces | downloads, min_size=1, max_size=12), max_size=5)


def empty(archive: Archive) -> None:
    """An archive with an account and two files and nothing else."""
    with archive.writing() as connection:
        for table in reversed(metadata.sorted_tables):
            if table.name != "settings":
                connection.execute(table.delete())
        connection.exec_driver_sql("DELETE FROM settings WHERE name LIKE 'last%%'")
        sync_accounts(connection, [ConfiguredAccount("lichess", "a", "a", mine=True, every=60)])
        for number in FILES:
            assert file_row(connection, f"/chess/{number}.pgn").id == number
    archive.known.forget()


def take(archive: Archive, batches: Iterable[Sequence[Telling]]) -> list[Taken]:
    return [take_in(archive, batch, now_ms=NOW) for batch in batches]


def fill(archive: Archive, *batches: Sequence[Telling]) -> None:
    """Take all of it in by the other rules."""
    with other_rules():
        empty(archive)
        take(
            archive,
            [[replace(one, prepared=prepare(one.prepared.game)) for one in batch] for batch in batches],
        )
        made_by_others(archive)


@dataclass(frozen=True)
class Contents:
    """What an archive holds, without its ids and numbers."""

    games: frozenset[object]
    players: frozenset[object]
    words: frozenset[object]
    names: frozenset[object]
    texts: dict[object, object]


def contents(archive: Archive) -> Contents:
    with archive.reading() as connection:
        check(connection)
        people = {row.id: row for row in connection.execute(select(players))}
        places = {row.id: row for row in connection.execute(select(texts))}
        found: dict[int, list[str]] = {}
        for row in connection.execute(select(text_words).order_by(text_words.c.word)):
            found.setdefault(row.text_id, []).append(row.word)
        facts: dict[int, set[object]] = {}
        for row in connection.execute(select(tellings)):
            what = (row.download, row.site, row.native_id, row.file_id, row.digest, row.url)
            facts.setdefault(row.game_id, set()).add(what)
        return Contents(
            games=frozenset(
                (frozenset(facts[row.id]), *game(row, people, places))
                for row in connection.execute(select(games))
            ),
            players=frozenset(tuple(row)[1:] for row in people.values()),
            words=frozenset(
                (row.word, people[row.player_id].key, row.nickname)
                for row in connection.execute(select(player_words))
            ),
            names=frozenset(
                (people[row.player_id].key, row.name, row.identity, row.digest)
                for row in connection.execute(select(player_names))
            ),
            texts={(row.kind, row.text): (row.folded, found.get(row.id)) for row in places.values()},
        )


def game(row: Row, people: dict[int, Row], places: dict[int, Row]) -> list[object]:
    """All facts of a game."""
    left_out = {"id", "last_n", "added_at"}
    values: list[object] = []
    for name, value in row._mapping.items():
        if name in {"white_id", "black_id"}:
            values.append(people[value].key)
        elif name.endswith("_id") and value is not None:
            values.append(places[value].text)
        elif name not in left_out:
            values.append(value)
    return values


def check(connection: Connection) -> None:
    """Rows point somewhere, numbers are unique and below the last one, all players play."""
    if connection.dialect.name == "sqlite":
        assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
    numbers: dict[int, list[int]] = {}
    for game_id, n in connection.execute(select(tellings.c.game_id, tellings.c.n)):
        numbers.setdefault(game_id, []).append(n)
    rows = connection.execute(select(games)).all()
    for row in rows:
        assert len(set(numbers[row.id])) == len(numbers[row.id])
        assert max(numbers[row.id]) <= row.last_n
    assert {player for row in rows for player in (row.white_id, row.black_id)} == set(
        connection.scalars(select(players.c.id))
    )


# One archive serves all examples; each begins by emptying it.
few_examples = examples(12, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(batches=intakes, together=st.integers(1, 9))
@few_examples
def test_as_if_taken_in_anew(archive: Archive, batches: list[list[Telling]], together: int) -> None:
    """Afterwards the archive is what it would be if the same tellings had been taken in by the new rules."""
    empty(archive)
    take(archive, batches)
    expected = contents(archive)
    fill(archive, *batches)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "_TOGETHER", together)
        assert archive.migrate() is True
    found = contents(archive)
    assert found == replace(expected, texts=found.texts)
    # A text that only the row of a lost game had stays, folded like all others.
    assert expected.texts.items() <= found.texts.items()
    assert archive.migrate() is False


@given(batches=intakes)
@few_examples
def test_everything_is_known_afterwards(archive: Archive, batches: list[list[Telling]]) -> None:
    """The same tellings once more are all known, and change nothing."""
    fill(archive, *batches)
    archive.migrate()
    before = contents(archive)
    for taken in take(archive, batches):
        assert taken.unchanged == taken.read
    assert contents(archive) == before


def rows(archive: Archive) -> dict[str, list[tuple[object, ...]]]:
    with archive.reading() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key))]
            for table in metadata.sorted_tables
            if table.name != "settings"
        }


def tellings_of(*white: str, **more: Any) -> list[Telling]:
    """Games in the first file that differ in White's name alone."""
    details = {"black": "Neri, Anna", "day": 1, "fide": False, "moves": RUY, "event": "Open", **more}
    return [as_piece(1, name, *details.values()) for name in white]


def test_nothing_to_do(archive: Archive) -> None:
    """Where the new rules come to the same, no row of a game, player or telling changes."""
    empty(archive)
    take(archive, [tellings_of("Neri, Anna", "Verdi, Luca", "verdi-l", "Verdi, Luca Maria")])
    before = rows(archive)
    made_by_others(archive)
    assert archive.migrate() is True
    assert rows(archive) == before


def players_by_id(archive: Archive) -> dict[int, str]:
    with archive.reading() as connection:
        return {row.id: row.name for row in connection.execute(select(players))}


def where_from(archive: Archive) -> list[tuple[int, int, int]]:
    with archive.reading() as connection:
        found = select(tellings.c.id, tellings.c.game_id, tellings.c.n).order_by(tellings.c.id)
        return [tuple(row) for row in connection.execute(found)]


def test_two_become_one(archive: Archive) -> None:
    """The older id stays, tellings get further numbers, and an id that is lost is never given again."""
    fill(archive, tellings_of("Rossi, Mario", "Røssi, Mario"))
    assert where_from(archive) == [(1, 1, 1), (2, 2, 1)]
    archive.migrate()
    assert where_from(archive) == [(1, 1, 1), (2, 1, 2)]
    assert players_by_id(archive) == {1: "Rossi, Mario", 2: "Neri, Anna"}
    take(archive, [tellings_of("Verdi, Luca")])
    assert where_from(archive)[-1] == (3, 3, 1)
    assert players_by_id(archive) == {1: "Rossi, Mario", 2: "Neri, Anna", 4: "Verdi, Luca"}


def test_one_becomes_two(archive: Archive) -> None:
    """Who was first keeps the id; the telling of the other makes a game of its own, or joins one that there is."""
    fill(archive, tellings_of("Ivan Bianchi", "Иван Bianchi"))
    assert where_from(archive) == [(1, 1, 1), (2, 1, 2)]
    archive.migrate()
    assert where_from(archive) == [(1, 1, 1), (2, 2, 1)]
    assert players_by_id(archive) == {1: "Ivan Bianchi", 2: "Neri, Anna", 3: "Иван Bianchi"}


def test_another_kind_of_name(archive: Archive) -> None:
    """A person name that is a nickname by the new rules goes on under its id."""
    fill(archive, tellings_of("mrossi90", "M.Rossi"))
    archive.migrate()
    with archive.reading() as connection:
        found = connection.execute(
            select(players.c.id, players.c.key, players.c.kind).order_by(players.c.id)
        ).all()
        words = set(
            connection.execute(select(player_words.c.word, player_words.c.player_id, player_words.c.nickname))
        )
    assert [tuple(row) for row in found] == [
        (1, "nick:mrossi90", "nickname"),
        (2, "person:anna neri", "person"),
        (3, "person:m rossi", "person"),
    ]
    assert words == {
        ("mrossi90", 1, True),
        ("neri", 2, False),
        ("anna", 2, False),
        ("m", 3, False),
        ("rossi", 3, False),
    }


def chesscom_record(number: int, day: int, **more: Any) -> Game:
    """A game of which the record says what the PGN does not: the rules, the result."""
    header = f'[White "mrossi90"]\n[Black "gbianchi"]\n[Date "2024.05.{day:02}"]\n[Result "*"]\n'
    record = {
        "url": f"https://www.chess.com/game/live/{number}",
        "pgn": f"{header}\n1. e4 d5 2. exd5 *\n",
        "rules": "crazyhouse",
        "end_time": 1_714_557_600 + day,
        "white": {"username": "mrossi90", "result": "win"},
        "black": {"username": "gbianchi", "result": "resigned"},
        **more,
    }
    step = read_game(record)
    assert isinstance(step, Game)
    return step


def test_what_only_the_site_says(archive: Archive) -> None:
    """Rules, start and result that the PGN of a download does not have are those that the site gave."""
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1"
    for more in ({}, {"rules": "chess", "initial_setup": start}):
        batch = [
            Telling(prepare(chesscom_record(number, day, **more)), Download(1))
            for number, day in ((1, 1), (2, 2), (3, 2))
        ]
        empty(archive)
        take(archive, [batch])
        expected = contents(archive)
        assert len(expected.games) == 2
        fill(archive, batch)
        assert len(contents(archive).games) == 1
        archive.migrate()
        assert contents(archive) == expected


def test_bytes_that_are_refused_today(archive: Archive) -> None:
    """A telling that could not be read any more stays with its game."""
    fill(archive, tellings_of("Ivan Bianchi", "Иван Bianchi", "Иван Bianchi, Jr"))
    with archive._writing() as connection:
        # The zlib form of no bytes at all, as an earlier version stored it.
        connection.execute(
            update(tellings).where(tellings.c.id == 2).values(pgn=bytes.fromhex("789c030000000001"))
        )
    archive.migrate()
    assert where_from(archive) == [(1, 1, 1), (2, 1, 2), (3, 2, 1)]


def test_backup(sqlite_path: Path) -> None:
    """A file is copied before its keys are made again; the copy is the archive as it was."""
    with open_archive(sqlite_path) as archive:
        assert isinstance(archive, FileArchive)
        fill(archive, tellings_of("Rossi, Mario", "Røssi, Mario"))
        before = rows(archive)
        archive.migrate()
        (backup,) = archive.backups()
    with open_archive(backup) as copy:
        assert rows(copy) == before
        with copy.reading() as connection:
            assert made_by(connection) == "0-older"


def test_no_backup_without_need(sqlite_path: Path) -> None:
    """Where the rules are the same, nothing is copied."""
    with open_archive(sqlite_path) as archive:
        archive.migrate()
        assert isinstance(archive, FileArchive)
        assert archive.backups() == []


def test_a_gamekeeper_of_other_rules_goes_on(where: str) -> None:
    """A program that was started before, with other rules, writes nothing any more."""
    with open_archive(where) as archive, open_archive(where) as other:
        empty(archive)
        made_by_others(archive)
        with pytest.raises(KeysChanged, match="0-older"):
            take(other, [tellings_of("Rossi, Mario")])
        archive.migrate()
        take(other, [tellings_of("Rossi, Mario")])


def test_remembered_ids_are_revoked(where: str) -> None:
    """A program that remembers who had which id forgets it when players were removed."""
    with open_archive(where) as archive, open_archive(where) as other:
        with other_rules():
            empty(archive)
            take(archive, [tellings_of("Verdi, Luca", "Røssi, Mario")])
            take(other, [tellings_of("Rossi, Mario")])
        made_by_others(archive)
        archive.migrate()
        take(other, [tellings_of("Rossi, Mario", moves=ITALIAN)])
        contents(other)


VICTIM = """
    import os, signal, sys
    from sqlalchemy import Engine, event
    from daemon.archive.archive import open_archive

    left = int(sys.argv[2])

    @event.listens_for(Engine, "before_cursor_execute")
    def count(*_):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    open_archive(sys.argv[1]).migrate()
"""


def migrate_elsewhere(where: str, statements: int) -> int:
    """Migrate in a process that is killed before so many statements; its exit code."""
    code = textwrap.dedent(VICTIM)
    return subprocess.run(
        [sys.executable, "-c", code, where, str(statements)], check=False, capture_output=True, timeout=120
    ).returncode


@pytest.mark.slow
def test_killed(where: str) -> None:
    """Wherever the process is killed, the archive is as it was or as it should be."""
    batch = [as_piece(file, name, "Ivan Bianchi", 1, False, RUY, "Open") for name in NAMES for file in FILES]
    with open_archive(where) as archive:
        empty(archive)
        take(archive, [batch])
        expected = contents(archive)
        fill(archive, batch)
        before = rows(archive)
    at = 4
    while (code := migrate_elsewhere(where, at)) == -signal.SIGKILL:
        with open_archive(where) as archive:
            assert archive.check() == []
            assert rows(archive) == before
            with archive.reading() as connection:
                assert not are_confirmed(connection)
                assert made_by(connection) == "0-older"
        at += int(os.environ.get("EVERY", "25"))
    assert code == 0
    assert at > 40, "it was killed too seldom to prove anything"
    with open_archive(where) as archive:
        assert archive.migrate() is False
        found = contents(archive)
    assert found == replace(expected, texts=found.texts)


def test_two_at_once(where: str) -> None:
    """Of several processes that find an older archive one makes the keys again."""
    with open_archive(where) as archive:
        fill(archive, tellings_of(*NAMES))
    code = "import sys; from daemon.archive.archive import open_archive; open_archive(sys.argv[1]).migrate()"
    racing = [subprocess.Popen([sys.executable, "-c", code, where]) for _ in range(2)]
    assert [process.wait() for process in racing] == [0, 0]
    with open_archive(where) as archive:
        assert archive.migrate() is False
        if isinstance(archive, FileArchive):
            assert len(archive.backups()) == 1
        with archive.reading() as connection:
            check(connection)
            assert (
                connection.exec_driver_sql("SELECT value FROM settings WHERE name = 'key_version'").scalar()
                == key_version()
            )
