"""What holds for every order and repetition of intake, on both databases."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from sqlalchemy import delete, select

from core import sameness
from core.game import Game
from core.pgn import reader
from daemon.archive.archive import Archive
from daemon.archive.games.compression import decompress
from daemon.archive.games.files import file_row
from daemon.archive.games.prepared import prepare
from daemon.archive.schedule.accounts import sync_accounts
from daemon.archive.tables.main import games, metadata, players, telling_accounts, telling_ids, tellings
from daemon.archive.take_in import Download, FilePiece, Telling, take_in
from daemon.archive.verify.references import elsewhere
from daemon.config.configured import ConfiguredAccount
from tests.daemon.made_up import ITALIAN, RUY, chesscom, lichess, otb
from tests.examples import examples

UUID = "5c1d7e9a-0000-11ee-8000-000000000001"
ACCOUNTS = (1, 2)
FILES = (1, 2)

DOWNLOADS: Sequence[Game] = (
    lichess("abcdefgh", RUY),
    lichess("hgfedcba", RUY),
    lichess("ABCDEFGH", ITALIAN),
    chesscom(123, ITALIAN, uuid=UUID),
    replace(chesscom(123, ITALIAN), native_id=UUID),
    chesscom(124, RUY),
)
PIECES: Sequence[Game] = (
    lichess("abcdefgh", RUY),
    lichess("ABCDEFGH", ITALIAN, Annotator="Neri"),
    otb("Rossi, Mario", "?"),
    otb("Mario Rossi", "?", Event="the same game"),
    otb("ROSSI,Mario", "?", WhiteFideId="1234567"),
    otb("M. Rossi", "?", WhiteFideId="01234567"),
)
TELLINGS: Sequence[Telling] = (
    *(Telling(prepare(game), Download(account)) for game in DOWNLOADS for account in ACCOUNTS),
    *(Telling(prepare(game), FilePiece(file, 0)) for game in PIECES for file in FILES),
)

orders = st.lists(st.sampled_from(range(len(TELLINGS))), max_size=30)
cuts = st.lists(st.integers(0, 30), max_size=5)


def empty(archive: Archive) -> None:
    """An archive with two accounts and two files and nothing else."""
    with archive.writing() as connection:
        for table in reversed(metadata.sorted_tables):
            connection.execute(delete(table))
        sync_accounts(
            connection,
            [ConfiguredAccount("lichess", f"a{n}", f"a{n}", mine=True, every=60) for n in ACCOUNTS],
        )
        for number in FILES:
            assert file_row(connection, f"/chess/{number}.pgn").id == number
    archive.known.forget()


def take(archive: Archive, order: Sequence[int], cut: Sequence[int] = ()) -> None:
    """Take in these tellings in this order, in batches that end at these places."""
    ends = [0, *sorted(cut), len(order)]
    for start, end in pairwise(ends):
        take_in(archive, [TELLINGS[n] for n in order[start:end]], now_ms=0)


@dataclass(frozen=True)
class Contents:
    """What an archive holds, apart from the order in which it came."""

    games: frozenset[frozenset[object]]
    links: frozenset[object]
    aliases: frozenset[object]
    players: frozenset[str]


def contents(archive: Archive) -> Contents:
    with archive.reading() as connection:
        facts = {
            row.id: (row.download, row.site, row.native_id, row.file_id, row.digest, row.key)
            for row in connection.execute(select(tellings, games.c.key).join(games))
        }
        of_game: dict[int, set[object]] = {}
        for row in connection.execute(select(tellings.c.id, tellings.c.game_id)):
            of_game.setdefault(row.game_id, set()).add(facts[row.id])
        assert of_game.keys() == set(connection.scalars(select(games.c.id)))
        assert list(elsewhere(connection)) == []
        return Contents(
            games=frozenset(frozenset(group) for group in of_game.values()),
            links=frozenset(
                (row.account_id, facts[row.telling_id])
                for row in connection.execute(select(telling_accounts))
            ),
            aliases=frozenset(
                (row.site, row.native_id, facts[row.telling_id])
                for row in connection.execute(select(telling_ids))
            ),
            players=frozenset(connection.scalars(select(players.c.key))),
        )


def stored_rows(archive: Archive) -> dict[str, list[tuple[object, ...]]]:
    with archive.reading() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key))]
            for table in metadata.sorted_tables
        }


# One archive serves all examples; each begins by emptying it.
few_examples = examples(15, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(order=orders, cut=cuts, other=st.randoms(use_true_random=False), again=cuts)
@few_examples
def test_order_does_not_matter(
    archive: Archive, order: list[int], cut: list[int], other: Random, again: list[int]
) -> None:
    """Any order, repetition and division into batches gives the same games, tellings, links and players."""
    empty(archive)
    take(archive, order, cut)
    one = contents(archive)
    shuffled = [*order, *order]
    other.shuffle(shuffled)
    empty(archive)
    take(archive, shuffled, again)
    assert contents(archive) == one


@given(order=orders, cut=cuts)
@few_examples
def test_twice_is_once(archive: Archive, order: list[int], cut: list[int]) -> None:
    """The same once more changes no row at all."""
    empty(archive)
    take(archive, order)
    before = stored_rows(archive)
    take(archive, order, cut)
    assert stored_rows(archive) == before


@given(order=orders)
@few_examples
def test_keys_are_those_of_the_bytes(archive: Archive, order: list[int]) -> None:
    """The key of a game is the key of every telling of it, read again from its bytes; tellings are numbered 1, 2, …"""
    empty(archive)
    take(archive, order)
    numbers: dict[int, list[int]] = {}
    with archive.reading() as connection:
        for row in connection.execute(
            select(tellings, games.c.key, games.c.last_n).join(games).order_by(tellings.c.id)
        ):
            read = reader.parse(decompress(row.pgn))
            assert isinstance(read, Game)
            assert sameness.key(read) == row.key
            numbers.setdefault(row.game_id, []).append(row.n)
            assert row.last_n >= row.n
    assert all(given_ == list(range(1, len(given_) + 1)) for given_ in numbers.values())


VERSIONS: Sequence[Game] = tuple(
    lichess(native_id, moves, result)
    for native_id in ("abcdefgh", "hgfedcba")
    for moves, result in (("1. e4", "*"), ("1. e4 e5", "*"), (RUY, "1-0"), (ITALIAN, "1-0"))
)


@given(
    steps=st.lists(st.sampled_from(range(len(VERSIONS))), max_size=12),
    cut=cuts,
    in_file=st.sets(st.integers(0, 7)),
)
@few_examples
def test_last_version_counts(archive: Archive, steps: list[int], cut: list[int], in_file: set[int]) -> None:
    """Whatever versions of downloads come, each id tells its last one, and every game is told by somebody."""
    empty(archive)
    take_in(archive, [Telling(prepare(VERSIONS[n]), FilePiece(1)) for n in sorted(in_file)], now_ms=0)
    ends = [0, *sorted(cut), len(steps)]
    for start, end in pairwise(ends):
        take_in(archive, [Telling(prepare(VERSIONS[n]), Download(1)) for n in steps[start:end]], now_ms=0)
    last = {VERSIONS[n].native_id: sameness.key(VERSIONS[n]) for n in steps}
    with archive.reading() as connection:
        found = connection.execute(
            select(tellings.c.native_id, games.c.key).join(games).where(tellings.c.download)
        )
        assert dict(found.all()) == last
        every = set(connection.scalars(select(games.c.key)))
        assert every == set(last.values()) | {sameness.key(VERSIONS[n]) for n in in_file}
        rows = connection.execute(
            select(games.c.key, games.c.result, games.c.ply_count, games.c.white_name)
        ).all()
    facts = {sameness.key(game): (game.result, game.ply_count, game.white.name) for game in VERSIONS}
    assert {row.key: (row.result, row.ply_count, row.white_name) for row in rows} == {
        key: facts[key] for key in every
    }


@pytest.mark.parametrize("parts", [2, 7])
def test_both_databases_give_the_same_ids(sqlite_path: str, postgresql_url: str, parts: int) -> None:
    """Every id is given in the order of intake: both databases hold the very same rows."""
    from daemon.archive.archive import open_archive

    order = [n * 7 % len(TELLINGS) for n in range(len(TELLINGS))]
    held = []
    for where in (sqlite_path, postgresql_url):
        with open_archive(where) as archive:
            empty(archive)
            take(archive, order, range(0, len(order), parts))
            held.append(stored_rows(archive))
    assert held[0] == held[1]
