"""Ways to the games that are asked for: none leads to other games than its condition does; on both databases."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from core.game import Game, Side
from core.players import Profile
from core.search import matches_game
from daemon.archive.archive import Archive
from daemon.archive.reading.games import find_games
from daemon.archive.reading.search.conditions import conditions, dates
from daemon.archive.reading.search.filters import GameFilters
from daemon.archive.reading.search.plan import NONE, Wanted, quickest
from daemon.archive.tables.main import games
from tests.daemon.seeding import emptied, fill, game_between

NAMES = ("Rossi, Anna", "Verdi, Mario", "rossi-mario", "gbianchi", "De Rossi, Luca", "?")
TEXTS = (None, "Open di Roma", "Rossi-Cup", "B90 Najdorf")
WORDS = ("rossi", "mario", "anna", "b9", "b90", "roma", "gbianchi", "nobody", "x", "cup", "?")

a_game = st.builds(
    lambda white, black, event, team, eco: game_between(
        Side(name=white, team=team, title="GM" if team else None), black, event=event, eco=eco
    ),
    *(st.sampled_from(NAMES) for _ in "wb"),
    *(st.sampled_from(TEXTS) for _ in "et"),
    st.sampled_from([None, "B90", "c60"]),
)
queries = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map("-".join), min_size=1, max_size=3
).map(" ".join)
filters = st.fixed_dictionaries(
    {},
    optional={
        "q": queries,
        "player": queries,
        "white": queries,
        "event": queries,
        "team": queries,
        "site": queries,
        "eco": st.sampled_from(["b", "B90", "-", "z"]),
        "title": st.sampled_from(["gm", "x"]),
        "fide_id": st.sampled_from(["1", "none"]),
        "annotator": st.sampled_from(["ross", "-"]),
        "mine": st.booleans(),
    },
)
examples = settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
ME = Profile("Anna", "Rossi", ("rossi-mario",))


@given(games_of=st.lists(a_game, min_size=1, max_size=6), asked=filters)
@examples
def test_indexes_find_what_the_condition_finds(
    archive: Archive, games_of: list[Game], asked: dict[str, Any]
) -> None:
    """Of every condition, the ids that indexes give are those of the games that fulfil it, also for words that are nowhere."""
    fill(emptied(archive), games_of)
    chosen = GameFilters(**asked)
    with archive.reading() as connection:
        for one in conditions(connection, chosen, ME):
            if one.ids is not None:
                tested = set(connection.scalars(select(games.c.id).where(one.test)))
                assert set(connection.scalars(one.ids)) == tested, asked


@given(games_of=st.lists(a_game, min_size=1, max_size=6), query=queries)
@examples
def test_the_quickest_way_finds_what_the_rule_finds(
    archive: Archive, games_of: list[Game], query: str
) -> None:
    """The field above the list finds what `core.search` finds, whichever condition leads."""
    fill(emptied(archive), games_of)
    with archive.reading() as connection:
        everything = find_games(connection, GameFilters(), ME, limit=100)["items"]
        found = find_games(connection, GameFilters(q=query), ME, limit=100)["items"]
    expected = [
        one
        for one in everything
        if matches_game(
            query,
            players=[one["white"]["name"], one["black"]["name"]],
            texts=[text for text in (one["event"], one["eco"], one["white"]["team"]) if text],
        )
    ]
    assert found == expected


def test_a_part_that_is_nowhere_finds_nothing(archive: Archive) -> None:
    """`rossi-mario` finds the nickname, not another Rossi because nobody's word begins with `mario`."""
    fill(archive, [game_between("Rossi, Anna", "Verdi, Luca"), game_between("rossi-mario", "gbianchi")])
    with archive.reading() as connection:
        found = find_games(connection, GameFilters(q="rossi-mario"), ME, limit=10)["items"]
    assert [one["id"] for one in found] == [2]


def test_nothing_and_something(archive: Archive) -> None:
    """Together with what no game fulfils, every condition fulfils none, whichever of them has an index."""
    fill(archive, [game_between("Rossi, Anna", "Verdi, Luca")])
    unindexed = Wanted(games.c.id > 0)
    with archive.reading() as connection:
        rossi = conditions(connection, GameFilters(player="rossi"), ME)[0]
        for parts in ([NONE, rossi], [rossi, NONE], [NONE, unindexed], [unindexed, NONE]):
            way = quickest(connection, [Wanted.all(parts)])
            assert (
                list(connection.scalars(select(games.c.id).where(*way, *dates(GameFilters()).conditions)))
                == []
            )
        either = quickest(connection, [Wanted.any([Wanted.all([rossi, NONE]), rossi])])
        assert list(connection.scalars(select(games.c.id).where(*either))) == [1]
