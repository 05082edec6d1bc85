"""The search for players in SQL, against the vectors and against core.search."""

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from core.search import suggest
from daemon.archive.archive import Archive
from daemon.archive.reading.cursors import BadCursor
from daemon.archive.reading.players import find_players, player
from daemon.archive.reading.search.words import players_found
from tests.core.vector_files import vectors
from tests.daemon.seeding import emptied, fill, game_between, named
from tests.examples import examples

SEARCH = vectors("search")

_PIECES = ("Rossi", "rossi", "ROS", "Mario", "mario", "Öberg", "ma", "丁", "立人", "de", "b9", "1", "+", "ß")
_JOINTS = (" ", "-", ", ", "_", "", "'", "–", " - ")
_LETTERS = st.text(max_size=6)


@st.composite
def _texts(draw: st.DrawFn) -> str:
    pieces = draw(st.lists(st.sampled_from(_PIECES) | _LETTERS, min_size=1, max_size=4))
    return draw(st.sampled_from(_JOINTS)).join(pieces)


TEXTS = _texts().map(lambda text: text.replace("\0", "").encode(errors="ignore").decode())
"""Names and queries that are likely to meet; no text of an archive has a NUL or a lone surrogate."""


def found(archive: Archive, query: str | None, limit: int = 500) -> list[str]:
    names: list[str] = []
    cursor = None
    while True:
        with archive.reading() as connection:
            page = find_players(connection, query, limit=limit, cursor=cursor)
        names += [one["name"] for one in page["items"]]
        cursor = page["next"]
        if cursor is None:
            return names


@pytest.fixture
def chapter(archive: Archive) -> Archive:
    """The archive of the documents' chapter on names."""
    fill(archive, (game_between(name, "Bianchi, Anna") for name in SEARCH["players"]))
    return archive


def test_suggestions_of_the_documents(chapter: Archive) -> None:
    """Every list of suggestions of the vectors comes out of the archive in its exact order."""
    for case in SEARCH["suggestions"]:
        expected = [*case["first"], *case["then"]]
        answer = [name for name in found(chapter, case["typed"]) if name != "Bianchi, Anna"]
        assert answer == expected, case


def test_names_of_the_documents(archive: Archive) -> None:
    """Each name of the vectors is found, or not, by what is typed."""
    names = sorted({case["name"] for case in SEARCH["names"]})
    fill(archive, (game_between(name, "?") for name in names))
    for case in SEARCH["names"]:
        assert (case["name"] in found(archive, case["typed"])) == case["found"], case


def test_pages_join_to_the_whole_list(chapter: Archive) -> None:
    """Page by page, of whatever size, the list is the one that a single page gives."""
    for query in ("ro", "rossi-m", None):
        whole = found(chapter, query)
        assert len(whole) > 3
        assert [found(chapter, query, limit) for limit in (1, 2, 3)] == [whole] * 3


@examples(60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(TEXTS, min_size=1, max_size=8), query=TEXTS)
def test_sql_finds_what_the_rule_finds(archive: Archive, names: list[str], query: str) -> None:
    """On any archive, SQL answers a query with the players of core.search in its order."""
    fill(emptied(archive), (game_between(name, "?") for name in names))
    shown = found(archive, None)
    assert found(archive, query) == suggest(query, shown)


def test_the_search_uses_the_index_of_words(sqlite_path: str) -> None:
    """The words are looked up in their index by range; no table is read from end to end."""
    from daemon.archive.archive import open_archive

    with open_archive(sqlite_path) as archive, archive.reading() as connection:
        statement = players_found("ros-m mar").compile(
            connection.engine, compile_kwargs={"literal_binds": True}
        )
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}").scalars("detail").all()
    looked_up = [step for step in plan if "player_words" in step]
    assert looked_up
    assert all("SEARCH" in step and "word>? AND word<?" in step for step in looked_up)
    assert not [step for step in plan if step.startswith("SCAN")]


def test_a_player_counts_his_games_once(archive: Archive) -> None:
    """A player's games are those with White and those with Black; a game against themselves is one."""
    fill(
        archive, [game_between("Rossi, Mario", "?"), game_between("?", "Mario Rossi"), game_between("?", "?")]
    )
    with archive.reading() as connection:
        items = find_players(connection, None, limit=10)["items"]
    assert {one["name"]: one["games"] for one in items} == {"Rossi, Mario": 2, "?": 3}


def test_shape_of_a_player(archive: Archive) -> None:
    """A player has exactly these fields, with the FIDE id as text."""
    fill(archive, [game_between(named("Carlsen, Magnus", "1503014"), "DrBianchi")])
    with archive.reading() as connection:
        assert player(connection, 1) == {
            "id": 1,
            "name": "Carlsen, Magnus",
            "kind": "fide",
            "fide_id": "1503014",
            "verbatim": False,
            "games": 1,
        }
        nickname = player(connection, 2)
        assert nickname is not None
        assert (nickname["kind"], nickname["verbatim"]) == ("nickname", True)
        assert player(connection, 3) is None


@pytest.mark.parametrize("cursor", ["", "x", "é", "cGxheWVyczow", "Z2FtZXM6MQ", "cGxheWVyczo5OQ", "A" * 99])
def test_bad_cursor(archive: Archive, cursor: str) -> None:
    """What no list gave out is refused, be it no cursor, another list's, or of nobody."""
    with archive.reading() as connection, pytest.raises(BadCursor):
        find_players(connection, None, limit=1, cursor=cursor)
