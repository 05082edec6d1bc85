"""Whatever is edited and taken in, in whatever order: undone, it is as if nothing had been edited. On both databases."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from sqlalchemy import func, select

from core import sameness
from core.edits import EditError
from core.game import Game
from daemon.archive.archive import Archive
from daemon.archive.edits.overlay import Overlays
from daemon.archive.games import source_games
from daemon.archive.games.prepared import prepare
from daemon.archive.tables.edits import doubles_due, edit_keys, edits, told_games
from daemon.archive.tables.main import games, metadata, players, tellings
from daemon.archive.take_in import Download, FilePiece, Telling, take_in
from daemon.archive.verify.references import elsewhere
from daemon.edits.door import edit_game, edit_player, undo
from tests.daemon import merging
from tests.daemon.archive.test_take_in_properties import empty
from tests.daemon.made_up import ITALIAN, RUY, chesscom, lichess, otb
from tests.examples import examples

pytestmark = pytest.mark.slow

NAMES = ("Rossi, Mario", "mario ROSSI", "luca VERDI", "MRossi90", "?")

# Few of everything, so that games meet, as they are told and as they are edited.
PIECES: Sequence[Game] = (
    otb("Rossi, Mario", "?"),
    otb("Mario Rossi", "?", Event="the same game"),
    otb("Verdi, Luca", "?"),
    otb("LUCA VERDI", "?", Event="the same game, too"),
    otb("Rossi, Mario", "?", Date="2024.05.13"),
    otb("Rossi, Mario", "?", WhiteFideId="1234567"),
    otb("mrossi90", "gbianchi"),
    lichess("abcdefgh", RUY, Event="in a file", WhiteElo="2000", Annotator="Neri"),
)
DOWNLOADS: Sequence[Game] = (
    lichess("abcdefgh", RUY),
    lichess("abcdefgh", ITALIAN),
    lichess("abcdefgh", RUY, Date="2024.05.13", WhiteElo="1500"),
    lichess("hgfedcba", RUY, result="*"),
    lichess("hgfedcba", RUY),
    chesscom(123, RUY, uuid="5c1d7e9a-0000-11ee-8000-000000000001"),
)
TELLINGS: Sequence[Telling] = (
    *(Telling(prepare(game), Download(1)) for game in DOWNLOADS),
    *(Telling(prepare(game), FilePiece(file, 0)) for game in PIECES for file in (1, 2)),
)

values = st.dictionaries(
    st.sampled_from(["white", "black", "date", "event", "white_fide_id", "result"]),
    st.integers(0, 4),
    min_size=1,
).map(
    lambda chosen: {
        name: {
            "date": ("2024.05.12", "2024.05.13", "????.??.??"),
            "event": ("", "Open", "the same game"),
            "white_fide_id": ("", "1234567", "7"),
            "result": ("1-0", "*", "0-1"),
        }.get(name, NAMES)[number % (5 if name in {"white", "black"} else 3)]
        for name, number in chosen.items()
    }
)
takes = st.tuples(st.just("take"), st.lists(st.sampled_from(range(len(TELLINGS))), min_size=1, max_size=5))
edit_steps = st.tuples(st.just("edit"), st.tuples(st.integers(0, 9), values))
rename_steps = st.tuples(st.just("rename"), st.tuples(st.integers(0, 9), st.sampled_from(NAMES)))
same_steps = st.tuples(st.just("same"), st.tuples(st.integers(0, 9), st.integers(0, 9)))
undo_steps = st.tuples(st.just("undo"), st.integers(0, 9))
steps = st.lists(takes | edit_steps | rename_steps | same_steps | undo_steps, max_size=14)
# One archive serves all examples; each begins by emptying it.
few_examples = examples(10, suppress_health_check=[HealthCheck.function_scoped_fixture])


def take(archive: Archive, numbers: Sequence[int]) -> None:
    take_in(archive, [TELLINGS[number] for number in numbers], now_ms=0)


def run(archive: Archive, way: Sequence[tuple[str, Any]]) -> None:
    """Go this way; what cannot be done is left out."""
    for what, how in way:
        if what == "take":
            take(archive, how)
        elif what == "undo":
            take_back(archive, how)
        elif what == "same":
            say_same(archive, *how)
        else:
            change(archive, what, *how)
        check(archive)


def change(archive: Archive, what: str, at: int, how: Any) -> None:
    with archive.reading() as connection:
        ids = connection.scalars(select((games if what == "edit" else players).c.id).order_by("id")).all()
    if not ids:
        return
    number = ids[at % len(ids)]
    if what == "edit":
        edit_game(archive, number, how, now_ms=0)
    else:
        edit_player(archive, number, how, now_ms=0)


def say_same(archive: Archive, one: int, other: int) -> None:
    """What `daemon.edits.doubles.same` does, for any two games."""
    with archive.reading() as connection:
        ids = connection.scalars(select(games.c.id).order_by(games.c.id)).all()
    pair = sorted({ids[at % len(ids)] for at in (one, other)}) if ids else []
    if len(pair) == 2:
        merging.say_same(archive, pair[0], pair[1], now_ms=0)


def active(archive: Archive) -> list[int]:
    with archive.reading() as connection:
        return list(
            connection.scalars(select(edits.c.id).where(edits.c.undone_at.is_(None)).order_by(edits.c.id))
        )


def take_back(archive: Archive, at: int) -> bool:
    """Undo one edit; False if another has to be undone first."""
    left = active(archive)
    if not left:
        return False
    try:
        undo(archive, [left[at % len(left)]], now_ms=0)
    except EditError:
        return False
    return True


def undo_all(archive: Archive, order: Random) -> None:
    while left := active(archive):
        if not take_back(archive, order.randrange(len(left))):
            assert take_back(archive, len(left) - 1), "the last edit can always be undone"
        check(archive)


def check(archive: Archive) -> None:
    """What always holds: a game is what its tellings tell, with the edits; and nothing else is kept."""
    with archive.reading() as connection:
        assert list(elsewhere(connection)) == []
        rows = connection.execute(
            select(tellings.c.game_id, tellings.c.told_key, games.c.key).join(games)
        ).all()
        kept = source_games.load(connection, connection.scalars(select(told_games.c.key)).all())
        assert kept.keys() == {row.told_key for row in rows if row.told_key is not None}
        laid = Overlays(connection, kept.keys())
        apart = {row.game_id for row in rows if row.told_key is not None}
        for row in rows:
            assert (row.told_key is None) == (row.game_id not in apart)
            if row.told_key is not None:
                assert sameness.key(kept[row.told_key].game) == row.told_key
                assert laid.lay(kept[row.told_key].prepared()).key == row.key
        said = {row.game_id for row in rows if row.told_key in laid.linked}
        for number, one in source_games.from_rows(
            connection, connection.scalars(select(games.c.id)).all()
        ).items():
            assert number in said or sameness.key(one.game) == one.key, number
        assert {row.game_id for row in rows} == set(connection.scalars(select(games.c.id)))
        homes = connection.scalars(
            select(told_games.c.home_id).where(told_games.c.home_id.is_not(None))
        ).all()
        assert len(homes) == len(set(homes))
        present = set(connection.scalars(select(players.c.id)))
        assert present == {
            number
            for pair in connection.execute(select(games.c.white_id, games.c.black_id))
            for number in pair
        }
        last_n = dict(tuple(row) for row in connection.execute(select(games.c.id, games.c.last_n)))
        highest = select(tellings.c.game_id, func.max(tellings.c.n)).group_by(tellings.c.game_id)
        assert all(n <= last_n[number] for number, n in connection.execute(highest))


@dataclass(frozen=True)
class Contents:
    """What an archive holds, without ids and numbers: tellings in their order, players as they are shown."""

    games: frozenset[Any]
    players: frozenset[Any]


def contents(archive: Archive) -> Contents:
    with archive.reading() as connection:
        ids = connection.scalars(select(games.c.id)).all()
        facts = {number: one.game for number, one in source_games.from_rows(connection, ids).items()}
        its: dict[int, list[Any]] = {number: [] for number in ids}
        for row in connection.execute(select(tellings).order_by(tellings.c.n)):
            its[row.game_id].append((row.download, row.site, row.native_id, row.file_id, row.digest))
        people = select(players.c.key, players.c.name, players.c.verbatim)
        return Contents(
            games=frozenset((tuple(its[number]), facts[number]) for number in ids),
            players=frozenset(tuple(row) for row in connection.execute(people)),
        )


def rows_of(archive: Archive) -> dict[str, list[tuple[Any, ...]]]:
    """All rows, but for the log of edits, what is still to be looked at, texts (which stay), numbers that are given once."""
    left_out = {
        edits,
        edit_keys,
        doubles_due,
        *(metadata.tables[name] for name in ("settings", "texts", "text_words")),
    }
    with archive.reading() as connection:
        return {
            table.name: [
                tuple(value for column, value in zip(table.c, row, strict=True) if column.name != "last_n")
                for row in connection.execute(select(table).order_by(*table.primary_key))
            ]
            for table in metadata.sorted_tables
            if table not in left_out
        }


@given(
    taken=takes,
    way=st.lists(edit_steps | rename_steps | same_steps | undo_steps, max_size=8),
    order=st.randoms(),
)
@few_examples
def test_undone_leaves_no_trace(archive: Archive, taken: Any, way: list[Any], order: Random) -> None:
    """Edits, and all of them undone in any order that is allowed: every row is as it was."""
    empty(archive)
    run(archive, [taken])
    before = rows_of(archive)
    run(archive, way)
    undo_all(archive, order)
    assert rows_of(archive) == before


@given(way=steps, order=st.randoms())
@few_examples
def test_edits_and_intake_do_not_mix(archive: Archive, way: list[Any], order: Random) -> None:
    """Edits between intakes, all of them undone at the end: the archive that the intakes alone would have made."""
    empty(archive)
    run(archive, way)
    undo_all(archive, order)
    undone = contents(archive)
    empty(archive)
    run(archive, [step for step in way if step[0] == "take"])
    assert contents(archive) == undone


@given(way=steps, cut=st.integers(1, 4))
@few_examples
def test_the_same_again_changes_nothing(archive: Archive, way: list[Any], cut: int) -> None:
    """What was taken in last, once more after all edits, changes no row."""
    empty(archive)
    run(archive, way)
    last = {}
    for number in [number for what, how in way if what == "take" for number in how]:
        telling = TELLINGS[number]
        last[telling.prepared.game.native_id if isinstance(telling.source, Download) else number] = number
    before = rows_of(archive)
    again = list(last.values())
    for start in range(0, len(again), cut):
        take(archive, again[start : start + cut])
    check(archive)
    assert rows_of(archive) == before


@given(
    first=st.lists(
        st.sampled_from(range(len(DOWNLOADS), len(TELLINGS))), min_size=1, max_size=6, unique=True
    ),
    changes=st.lists(edit_steps, min_size=1, max_size=4),
    later=st.lists(st.sampled_from(range(len(DOWNLOADS), len(TELLINGS))), max_size=8, unique=True),
    order=st.randoms(),
)
@few_examples
def test_the_order_of_what_comes_later_does_not_matter(
    archive: Archive, first: list[int], changes: list[Any], later: list[int], order: Random
) -> None:
    """After edits, files in any order and division give the same games with the same tellings, and the same players."""
    found: list[Any] = []
    for shuffled in (later, order.sample(later, len(later))):
        empty(archive)
        take(archive, first)
        run(archive, changes)
        for number in shuffled if found else [shuffled]:
            take(archive, number if isinstance(number, list) else [number])
        check(archive)
        one = contents(archive)
        keys = frozenset((frozenset(its), sameness.key(game)) for its, game in one.games)
        found.append(replace(one, games=keys, players=frozenset(key for key, *_ in one.players)))
    assert found[0] == found[1]
